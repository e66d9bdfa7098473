"""Sentences. Each says what was found, how sure it is, and no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from suffice.prepare.looking.attribute_types import printable
from suffice.study.numbers import number, percent, span, within
from suffice.study.sections import Answer, Compared, Comparison, Difference, Interval, Tile

CONSTANT = {"squared": "the mean alone", "log": "the class frequencies alone"}
IN_TIME = {"last-known": "the last value known", "same-season": "the value of the same season before"}
PERFECT = {"squared": 0.999, "log": 0.99}  # shares of the baseline's loss that only a giveaway lets save


# -- one model against another ----------------------------------------------------------------------------
def against(
    title: str, other: str, estimate: float, interval: Interval | None, p: float | None, confidence: float
) -> str:
    """One model against another, from the interval of the difference and the corrected p-value."""
    if interval is None or p is None:
        if estimate == 0:
            return f"{title} and {other} have the same loss in every fold."
        return (
            f"{title} and {other} differ by the same amount in every fold, which leaves nothing to test by."
        )
    size, level = within(abs(estimate), interval), percent(confidence)
    sure = f"({level} interval of the difference {span(interval)}, {chance(p)} after Holm's correction)"
    if p <= 1 - confidence:
        word = "better" if estimate < 0 else "worse"
        side = "lower" if estimate < 0 else "higher"
        return f"{title} predicts {word} than {other}: its loss is {side} by {size} {sure}."
    side = "lower" if estimate < 0 else "higher"
    return (
        f"The rows do not settle whether {title} predicts better or worse than {other}: its loss is {side} by {size} "
        f"{sure}."
    )


def chance(p: float) -> str:
    """A p-value as a paper prints it."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def with_sentences(c: Comparison) -> Comparison:
    """The comparison, told: is there anything to learn, which models cannot be told apart, what do outside ones say?"""
    best = c.of(c.best)
    said = [] if best.to_baseline is None else [best.to_baseline.sentence]
    rivals, beaten = _sides(c, best)
    if rivals:
        said.append(
            f"Its lead over {listed([m.title for m in rivals])} is within chance: these rows do not tell them apart."
        )
    if beaten:
        said.append(
            f"It predicts better than {listed([m.title for m in beaten])}, which is more than chance."
        )
    said += [_reference(c, best, m) for m in c.models if m.kind == "reference"]
    return replace(c, sentences=tuple(said))


def settled(d: Difference | None, confidence: float) -> bool:
    """Whether a difference is more than chance, after correction; where there was no test, it is not."""
    return d is not None and d.p_holm is not None and d.p_holm <= 1 - confidence


def _sides(c: Comparison, best: Compared) -> tuple[list[Compared], list[Compared]]:
    """Our other models: those that the rows do not tell from the best, and those that are known to be worse."""
    others = [m for m in c.models if m.kind == "model" and m.name != best.name]
    worse = [m for m in others if settled(m.to_best, c.confidence)]
    return [m for m in others if m not in worse], worse


def _reference(c: Comparison, best: Compared, m: Compared) -> str:
    """What an outside model says about what is still to be found."""
    d = m.to_best
    if d is None or not settled(d, c.confidence):
        return (
            f"These rows do not settle whether {m.title}, an outside reference, predicts better or worse than "
            f"{best.title}."
        )
    size = percent(abs(d.estimate) / best.estimate) if best.estimate > 0 else number(abs(d.estimate))
    if d.estimate < 0:
        return (
            f"{m.title}, an outside reference, does better: its loss is {size} lower. There is structure in these "
            f"columns that {best.title} misses."
        )
    return f"{m.title}, an outside reference, does worse: its loss is {size} higher."


def listed(names: Sequence[str], most: int | None = None) -> str:
    """a, b and c; of more than `most`, so many and the number of the others."""
    if most is not None and len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# -- the short answer -------------------------------------------------------------------------------------
def answer(target: str, c: Comparison, leaking: Sequence[str] = ()) -> Answer:
    """Three sentences at most: which model and how good, whether that is more than chance, what to beware of.

    A column that knows the target (`leaking`) is graver than an outside model that does better.
    """
    best, baseline = c.of(c.best), c.of(c.baseline)
    tell = _found if c.proven else _nothing
    headline, sentences = tell(target, c, best, baseline)
    if leaking:
        sentences = [*sentences[:1], leak(target, leaking)]
    elif best.gain > PERFECT[c.loss]:
        sentences = [*sentences[:1], perfect(target)]
    return Answer(headline, tuple(sentences[:2]), _tiles(c, best, baseline))


def leak(target: str, columns: Sequence[str]) -> str:
    """A warning of columns that may not be there when the target is not known yet."""
    shown = listed([f"'{printable(name)}'" for name in columns], 2)
    if len(columns) == 1:
        return (
            f"Column {shown} determines {printable(target)} almost by itself: unless it is known before the target, "
            "leave it out (ignore) and run again."
        )
    return (
        f"Columns {shown} each determine {printable(target)} almost by themselves: unless they are known before the "
        "target, leave them out (ignore) and run again."
    )


def perfect(target: str) -> str:
    """A warning where hardly any error is left: columns may add up to the target, or hold it in another form."""
    return (
        f"Hardly any error is left: columns may determine {printable(target)} together, as parts of a sum do. Check "
        "that they are known before it is."
    )


def _constant(c: Comparison) -> str:
    """What the baseline goes by."""
    return IN_TIME.get(c.baseline, CONSTANT[c.loss])


def _found(target: str, c: Comparison, best: Compared, baseline: Compared) -> tuple[str, list[str]]:
    rivals, worse = _sides(c, best)
    rank = f" best of {1 + len(worse)} models" if worse and not rivals else ""
    lead = best.to_baseline
    sure = "" if lead is None or lead.p_holm is None else f" ({chance(lead.p_holm)})"
    others = (
        f"; these rows do not tell {best.title} from {listed([m.title for m in rivals], 3)}" if rivals else ""
    )
    how = " from one stretch of time to the next" if c.units == "stretches" else ""
    sentences = [f"That is more than chance{how}{sure}{others}."]
    better = _better(c, lambda m: m.to_best)
    if better:
        sentences.append(
            f"{listed([m.title for m in better])} from outside did better still, so these columns hold more than "
            f"{best.title} finds."
        )
    return _headline(printable(target), c, best, baseline, rank), sentences


def _better(c: Comparison, than: Callable[[Compared], Difference | None]) -> list[Compared]:
    """References that are known to be better than the best of ours, or than the baseline."""
    found = []
    for m in c.models:
        d = than(m)
        if m.kind == "reference" and d is not None and d.estimate < 0 and settled(d, c.confidence):
            found.append(m)
    return found


def _headline(target: str, c: Comparison, best: Compared, baseline: Compared, rank: str) -> str:
    if c.loss == "squared":
        a, b = best.measures["typical error"], baseline.measures["typical error"]
        return (
            f"{best.title} predicts {target}{rank} with a typical error of {number(a)} on new rows, "
            f"against {number(b)} for {_constant(c)}."
        )
    a, b = best.measures["accuracy"], baseline.measures["accuracy"]
    if percent(a, 1) != percent(b, 1) and a > b:
        return (
            f"{best.title} predicts {target}{rank}: it is right for {percent(a, 1)} of new rows, against "
            f"{percent(b, 1)} for the most frequent class."
        )
    return (
        f"{best.title} says{rank} how probable each class of {target} is, saving {percent(best.gain)} of the log loss "
        f"of {CONSTANT[c.loss]}; yet its most probable class is right for {percent(a, 1)} of rows, and the most "
        f"frequent one for {percent(b, 1)}."
    )


def _nothing(target: str, c: Comparison, best: Compared, baseline: Compared) -> tuple[str, list[str]]:
    what = "its mean" if c.loss == "squared" else "its class frequencies"
    what = _constant(c) if c.baseline in IN_TIME else what
    outside = _better(c, lambda m: m.to_baseline)
    if outside:
        names = listed([m.title for m in outside])
        head = f"None of our models is known to predict {printable(target)} better than {what}."
        return head, [f"{names} from outside did, so these columns hold something that our models miss."]
    head = f"None of the models is known to predict {printable(target)} better than {what}."
    if best.name == c.baseline or best.to_baseline is None or not best.gain > 0:
        return head, ["With these models and rows, the columns in use have not been shown to help."]
    gain = f"{percent(best.gain, 1)} of the baseline's loss"
    return head, [f"{best.title} came closest to a gain ({gain}), but that is within chance."]


def _tiles(c: Comparison, best: Compared, baseline: Compared) -> tuple[Tile, ...]:
    first = next(iter(best.measures))
    show = number if c.loss == "squared" else (lambda value: percent(value, 1))
    tiles = [
        Tile(show(best.measures[first]), first, f"{show(baseline.measures[first])} for the baseline"),
        Tile(
            percent(best.gain), f"of the baseline's {c.loss_words} saved", f"{c.outer} folds, rows not seen"
        ),
    ]
    if best.coverage is not None:
        tiles.append(
            Tile(
                percent(best.coverage, 1),
                f"of rows inside the {percent(c.confidence)} interval",
                "predicted without them",
            )
        )
    elif (name := "area under the ROC curve") in best.measures:
        tiles.append(Tile(number(best.measures[name]), name, "0.5 for a guess"))
    return tuple(tiles)


# -- intervals of predictions -----------------------------------------------------------------------------
def coverage_sentence(inside: int, n: int, level: float, interval: Interval) -> str:
    """How often predictive intervals held, and whether that is what they promise."""
    found = (
        f"{inside} of {n} rows ({percent(inside / n, 1)}) lie inside the {percent(level)} predictive interval "
        f"made without them"
    )
    low, high = interval
    share = f"{percent(low, 1)} to {percent(high, 1)}"
    if high < level:
        verdict = f"fewer than promised: the intervals are too narrow (plausible share {share})"
    elif low > level:
        verdict = f"more than promised: the intervals are wider than needed (plausible share {share})"
    else:
        verdict = f"as many as promised (plausible share {share})"
    return f"{found}: {verdict}."
