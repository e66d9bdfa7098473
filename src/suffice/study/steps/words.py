"""Sentences. Each says what was found, how sure it is, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from suffice.study.numbers import number, percent, span, within
from suffice.study.sections import Answer, Compared, Comparison, Interval, Tile

CONSTANT = {"squared": "the mean alone", "log": "the class frequencies alone"}


# -- one model against another ----------------------------------------------------------------------------
def against(
    title: str, other: str, estimate: float, interval: Interval | None, p: float | None, confidence: float
) -> str:
    """One model against another, from the interval of the difference and the corrected p-value."""
    if interval is None or p is None:
        return f"{title} and {other} made the same errors."
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
    """The comparison, told: is there anything to learn, which models are as good, what do outside models say?"""
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


def _sides(c: Comparison, best: Compared) -> tuple[list[Compared], list[Compared]]:
    """Our other models: those that may be as good as the best, and those that are not."""
    others = [m for m in c.models if m.kind == "model" and m.name != best.name]
    proven = [m for m in others if m.to_best is not None and (m.to_best.p_holm or 0.0) <= 1 - c.confidence]
    return [m for m in others if m not in proven], proven


def _reference(c: Comparison, best: Compared, m: Compared) -> str:
    """What an outside model says about what is still to be found."""
    d = m.to_best
    if d is None or d.interval is None or d.p_holm is None or d.p_holm > 1 - c.confidence:
        return (
            f"{m.title}, an outside reference, is neither better nor worse than {best.title} beyond chance."
        )
    size = percent(abs(d.estimate) / best.estimate)
    if d.estimate < 0:
        return (
            f"{m.title}, an outside reference, does better: its loss is {size} lower. There is structure in these "
            "columns that "
            f"{best.title} misses."
        )
    return f"{m.title}, an outside reference, does worse: its loss is {size} higher."


def listed(names: Sequence[str]) -> str:
    """a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# -- the short answer -------------------------------------------------------------------------------------
def answer(target: str, c: Comparison) -> Answer:
    """Three sentences at most: which model and how good, whether that is more than chance, what else would do."""
    best, baseline = c.of(c.best), c.of(c.baseline)
    if not c.proven:
        return _nothing(target, c, best, baseline)
    rivals, _ = _sides(c, best)
    lead = best.to_baseline
    sure = "" if lead is None or lead.p_holm is None else f" ({chance(lead.p_holm)})"
    others = f"; these rows do not tell it apart from {listed([m.title for m in rivals])}" if rivals else ""
    references = [m for m in c.models if m.kind == "reference" and m.to_best and m.to_best.estimate < 0]
    better = [m for m in references if m.to_best and (m.to_best.p_holm or 0.0) <= 1 - c.confidence]
    sentences = [f"That is more than chance{sure}{others}."]
    if better:
        sentences.append(
            f"{listed([m.title for m in better])} from outside did better still, so these columns hold more than "
            "it finds."
        )
    return Answer(_headline(target, c, best, baseline), tuple(sentences), _tiles(c, best, baseline))


def _headline(target: str, c: Comparison, best: Compared, baseline: Compared) -> str:
    if c.loss == "squared":
        a, b = best.measures["typical error"], baseline.measures["typical error"]
        return (
            f"{best.title} predicts {target} best, with a typical error of {number(a)}, against {number(b)} for "
            f"{CONSTANT[c.loss]}."
        )
    a, b = best.measures["accuracy"], baseline.measures["accuracy"]
    return (
        f"{best.title} predicts {target} best: it is right for {percent(a, 1)} of rows it has not seen, against "
        f"{percent(b, 1)} for {CONSTANT[c.loss]}."
    )


def _nothing(target: str, c: Comparison, best: Compared, baseline: Compared) -> Answer:
    what = "its mean" if c.loss == "squared" else "its class frequencies"
    head = f"None of the models is known to predict {target} better than {what}."
    if best.name == c.baseline or best.to_baseline is None:
        told = "With these models, the columns in use have not been shown to help."
    else:
        gain = f"{percent(best.gain, 1)} of the baseline's loss"
        told = f"{best.title} came closest to a gain ({gain}), but that is within chance."
    return Answer(head, (told,), _tiles(c, best, baseline))


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
