"""Sentences. Each says what was found, how sure it is, and no more; what is claimed comes from a `Claim`."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.prepare.looking.attribute_types import printable
from suffice.study.numbers import chance, list_names, number, percent
from suffice.study.sections import Answer, Claim, Compared, Interval, ModelComparison, Tile

CONSTANT = {
    "squared": "the mean alone",
    "poisson": "the mean alone",
    "log": "the class frequencies alone",
}
IN_TIME = {"last-known": "the last value known", "same-season": "the value of the same season"}
PERFECT = {"squared": 0.999, "poisson": 0.999, "log": 0.99}  # savings that only a giveaway allows
FAR = 0.25  # of the loss, or of what is saved: beyond it two models are not called alike
AREA = "area under the ROC curve"


# -- the comparison -----------------------------------------------------------------------------------------------
def comparison_sentences(c: ModelComparison, second: str | None = None) -> tuple[str, ...]:
    """Is there anything to learn, which models cannot be told apart, what do new rows and outside models say?"""
    best = c.of(c.best)
    sentences = [] if best.to_baseline is None else [best.to_baseline.sentence]
    sentences += [] if second is None else [second]
    rivals, beaten = _sides(c, best)
    if rivals:
        sentences.append(
            f"{_these(c)} do not tell {best.title} from {list_names([m.title for m in rivals])}."
        )
    low = c.of(c.lowest)
    if c.lowest != c.best and number(low.estimate) != number(best.estimate):
        sentences.append(
            f"{low.title} has the lowest {c.loss_words} ({number(low.estimate)} against {number(best.estimate)}), but "
            f"not by more than chance; {best.title} {_why_best(c)} and is handed over."
        )
    sentences += _unsettled(c, best)
    if beaten:
        sentences.append(f"{best.title} predicts better than {list_names([m.title for m in beaten])}.")
    return (*sentences, *(_reference(c, best, m) for m in c.models if m.kind == "reference"))


def _why_best(c: ModelComparison) -> str:
    """Why the best is not the one with the lowest loss."""
    low = c.of(c.lowest).to_baseline
    unsure = c.proven and low is not None and not low.favors(c.lowest)
    return "is known to beat the baseline" if unsure else "is the simplest that says how sure it is"


def _these(c: ModelComparison) -> str:
    return "These rows" if c.unit == "rows" else f"These {c.counted}"


def _sides(c: ModelComparison, best: Compared) -> tuple[list[Compared], list[Compared]]:
    """Our other models: those near the best that the rows do not tell from it, and those known to be worse."""
    others = [m for m in c.models if m.kind == "model" and m.name != best.name]
    worse = [m for m in others if m.to_best is not None and m.to_best.favors(best.name)]
    return [m for m in others if m not in worse and not _far(c, best, m)], worse


def _far(c: ModelComparison, best: Compared, m: Compared) -> bool:
    """Whether a loss is so much higher that nobody would call the two alike, settled or not."""
    room = max(best.estimate, c.of(c.baseline).estimate - best.estimate)
    return m.estimate > best.estimate + FAR * room


def _unsettled(c: ModelComparison, best: Compared) -> list[str]:
    """Models with a far higher loss that a few rows decide, so that nothing is claimed of them."""
    found = [
        m
        for m in c.models
        if m.kind == "model" and _far(c, best, m) and m.to_best is not None and not m.to_best.claimed
    ]
    return [
        f"The {c.loss_words} of {m.title} is far higher ({number(m.estimate)} against {number(best.estimate)}), but so "
        "few rows decide it that nothing is claimed."
        for m in found
    ]


def _reference(c: ModelComparison, best: Compared, m: Compared) -> str:
    """What an outside model says about what is still to be found."""
    d = m.to_best
    if d is None or not d.claimed:
        return f"Whether {m.title}, an outside reference, predicts better than {best.title} is not settled."
    size = percent(d.difference / best.estimate) if best.estimate > 0 else number(d.difference)
    if d.favors(m.name):
        return (
            f"{m.title}, an outside reference, does better: its loss is {size} lower. There is structure in these "
            f"columns that {best.title} misses."
        )
    return f"{m.title}, an outside reference, does worse: its loss is {size} higher."


# -- the short answer -------------------------------------------------------------------------------------
def answer(
    target: str, c: ModelComparison, leak: str | None = None, beware: Sequence[str | None] = ()
) -> Answer:
    """Which model and how good, whether that is more than chance, and what to beware of.

    A column that knows the target (`leak`) is graver than anything else; `beware` are remarks on the rows, as that some
    are copies of others.
    """
    best, baseline = c.of(c.best), c.of(c.baseline)
    tell = _found if c.proven else _nothing
    headline, sentences = tell(printable(target), c, best, baseline)
    warned = leak if leak is not None else perfect(target) if best.gain > PERFECT[c.loss] else None
    if warned is not None:
        sentences = [*sentences[:1], warned]
    return Answer(headline, (*sentences[:2], *(b for b in beware if b)), _tiles(c, best, baseline))


def perfect(target: str) -> str:
    """A warning where hardly any error is left: columns may add up to the target, or hold it in another form."""
    return (
        f"Hardly any error is left: columns may determine {printable(target)} together, as parts of a sum do. Check "
        "that they are known before it is."
    )


def baseline_words(c: ModelComparison) -> str:
    """What the baseline goes by."""
    return IN_TIME.get(c.baseline, CONSTANT[c.loss])


def saving(claim: Claim, best: Compared, baseline: Compared) -> tuple[float, Interval | None]:
    """The share of the baseline's loss that a model saves, as the claim about the two has it, with its interval."""
    lead, ends = -claim.lead(best.name), claim.lead_interval(best.name)
    base = baseline.estimate if baseline.estimate > 0 else 1.0
    return lead / base, None if ends is None else (-ends[1] / base, -ends[0] / base)


def _sure(claim: Claim, c: ModelComparison, best: Compared, baseline: Compared) -> str:
    """The interval of the saving, the p-value, and what was counted, for a bracket."""
    _, ends = saving(claim, best, baseline)
    if ends is None or claim.p_value is None:
        return f"nothing varies over {claim.counted}"
    interval = f"{percent(c.confidence)} interval {percents(ends)}"
    return f"{interval}, {chance(claim.p_value)}, counted over {claim.counted}"


def percents(ends: Interval) -> str:
    """An interval of a share, in per cent, with as many digits as keep it off zero."""
    near = min(abs(end) for end in ends)
    places = next((k for k in range(5) if round(100 * near, k) > 0), 0)
    return f"{percent(ends[0], places)} to {percent(ends[1], places)}"


def _found(target: str, c: ModelComparison, best: Compared, baseline: Compared) -> tuple[str, list[str]]:
    rivals, worse = _sides(c, best)
    rank = f" best of {1 + len(worse)} models" if worse and not rivals else ""
    lead = best.to_baseline
    assert lead is not None
    saves = f"It saves {percent(best.gain)} of the {c.loss_words} of {baseline_words(c)}"
    if lead.by_ranks:
        first = (
            f"{saves}. A few rows decide that figure, so typical rows were compared, by signed ranks: it is better for "
            f"these by more than chance ({chance(lead.p_value or 0.0)}, counted over {lead.counted})."
        )
    else:
        first = f"{saves}, which is more than chance ({_sure(lead, c, best, baseline)})."
    sentences = [first]
    better = _better(c, best)
    if better:
        sentences.append(
            f"{list_names([m.title for m in better])} from outside did better still, so these columns hold more than "
            f"{best.title} finds."
        )
    elif rivals:
        sentences.append(
            f"{_these(c)} do not tell {best.title} from {list_names([m.title for m in rivals], 3)}."
        )
    return _headline(target, c, best, baseline, rank), sentences


def _better(c: ModelComparison, than: Compared) -> list[Compared]:
    """References that are known to be better than a model."""
    found = []
    for m in c.models:
        d = m.to_baseline if than.name == c.baseline else m.to_best
        if m.kind == "reference" and d is not None and d.favors(m.name):
            found.append(m)
    return found


def _headline(target: str, c: ModelComparison, best: Compared, baseline: Compared, rank: str) -> str:
    if c.loss != "log":
        a, b = best.measures["typical error"], baseline.measures["typical error"]
        if a < b:
            return (
                f"{best.title} predicts {target}{rank} with a typical error of {number(a)} on new rows, "
                f"against {number(b)} for {baseline_words(c)}."
            )
        return (
            f"{best.title} predicts {target}{rank}, saving {percent(best.gain)} of the {c.loss_words} of "
            f"{baseline_words(c)}; yet its typical error is {number(a)}, against {number(b)}."
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


def _nothing(target: str, c: ModelComparison, best: Compared, baseline: Compared) -> tuple[str, list[str]]:
    what = IN_TIME.get(c.baseline, "its class frequencies" if c.loss == "log" else "its mean")
    outside = _better(c, baseline)
    if outside:
        names = list_names([m.title for m in outside])
        head = f"None of our models is known to predict {target} better than {what}."
        return head, [f"{names} from outside did, so these columns hold something that our models miss."]
    head = f"None of the models is known to predict {target} better than {what}."
    best = c.of(c.lowest)
    lead = best.to_baseline
    if best.name == c.baseline or lead is None or not best.gain > 0:
        shown = f"{c.counted[0].upper()}{c.counted[1:]} do not show that the columns in use help."
        return head, [shown, *_worse_than_baseline(c, best)]
    if percent(best.gain, 1) == percent(0.0, 1):
        return head, [f"{best.title} came closest, with nearly the same {c.loss_words} over {lead.counted}."]
    return head, [
        f"{best.title} came closest: it saved {percent(best.gain, 1)} of the {c.loss_words}, which may be chance "
        f"({_sure(lead, c, best, baseline)})."
    ]


def _worse_than_baseline(c: ModelComparison, best: Compared) -> list[str]:
    """That the model handed over does worse than the baseline, which is not handed over itself."""
    if best.name == c.baseline or percent(best.gain) == percent(0.0):
        return []
    return [
        f"Use {baseline_words(c)}: the {c.loss_words} of {best.title}, which is handed over, is {percent(-best.gain)} "
        "higher."
    ]


def _tiles(c: ModelComparison, best: Compared, baseline: Compared) -> tuple[Tile, ...]:
    first = next(iter(best.measures))
    show = number if c.loss != "log" else (lambda value: percent(value, 1))
    tiles = [Tile(show(best.measures[first]), first, f"{show(baseline.measures[first])} for the baseline")]
    if best.to_baseline is not None:
        lead = best.to_baseline
        _, ends = saving(lead, best, baseline)
        sure = "" if ends is None or lead.by_ranks else f"{percent(c.confidence)} interval {percents(ends)}; "
        if best.gain < 0:
            sure = (
                "" if ends is None else f"{percent(c.confidence)} interval {percents((-ends[1], -ends[0]))}; "
            )
        word = "lower" if best.gain >= 0 else "higher"
        tiles.append(
            Tile(
                percent(abs(best.gain)),
                f"{word} {c.loss_words} than the baseline",
                f"{sure}{lead.counted}, not seen",
            )
        )
    if best.coverage is not None:
        tiles.append(
            Tile(
                percent(best.coverage, 1),
                f"of rows inside the {percent(c.confidence)} interval",
                "by models that had not seen them",
            )
        )
    elif AREA in best.measures:
        tiles.append(Tile(number(best.measures[AREA]), AREA, "0.5 for a guess"))
    return tuple(tiles)


# -- intervals of predictions -----------------------------------------------------------------------------
def coverage_sentence(inside: int, n: int, level: float, interval: Interval) -> str:
    """How often predictive intervals held, and whether that is what they promise."""
    found = (
        f"{number(inside)} of {number(n)} rows ({percent(inside / n, 1)}) lie inside the {percent(level)} predictive "
        f"interval made without them"
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
