"""Sentences. Each says what was found, how sure it is, and no more."""

from __future__ import annotations

from suffice.study._numbers import number, percent, span, within
from suffice.study._sections import Compared, Comparison, Difference, Interval


def against(title: str, other: str, d: Difference, confidence: float) -> str:
    """One model against another, from a paired interval of the difference in squared error."""
    low, high = d.interval
    size, level = within(abs(d.estimate), d.interval), percent(confidence)
    sure = f"({level} interval of the difference {span(d.interval)})"
    if low == high == 0:
        return f"{title} and {other} made the same errors."
    if high < 0:
        return f"{title} predicts better than {other}: its mean squared error is lower by {size} {sure}."
    if low > 0:
        return f"{title} predicts worse than {other}: its mean squared error is higher by {size} {sure}."
    side = "lower" if d.estimate < 0 else "higher"
    return (
        f"The rows do not settle whether {title} predicts better or worse than {other}: its mean squared error "
        f"is {side} by {size}, but zero is within the {level} interval of the difference, {span(d.interval)}."
    )


def baseline_sentence(title: str, mean_squared: float, interval: Interval, confidence: float) -> str:
    """What the baseline leaves unexplained."""
    size, level = within(mean_squared, interval), percent(confidence)
    return f"{title} is the baseline: its mean squared error is {size} ({level} interval {span(interval)})."


def coverage_sentence(inside: int, n: int, level: float, interval: Interval) -> str:
    """How often predictive intervals held, and whether that is what they promise."""
    found = (
        f"{inside} of {n} rows ({percent(inside / n, 1)}) lie inside the {percent(level)} predictive interval "
        f"made without them"
    )
    low, high = interval
    if high < level:
        verdict = f"fewer than promised: the intervals are too narrow (plausible share {_share(interval)})"
    elif low > level:
        verdict = (
            f"more than promised: the intervals are wider than needed (plausible share {_share(interval)})"
        )
    else:
        verdict = f"as many as promised (plausible share {_share(interval)})"
    return f"{found}: {verdict}."


def _share(interval: Interval) -> str:
    return f"{percent(interval[0], 1)} to {percent(interval[1], 1)}"


def headline(target: str, best: Compared, c: Comparison) -> str:
    """Which model, and how good."""
    baseline = c.of(c.baseline)
    if best.name == c.baseline:
        return f"None of the models predicts {target} better than its mean."
    typical = f"a typical error of {number(best.rmse)}, against {number(baseline.rmse)} for the mean alone"
    return f"{best.title} predicts {target} best, with {typical}."


def how_sure(best: Compared, c: Comparison) -> tuple[str, ...]:
    """Whether the gain is real, and which other models are as good."""
    if best.name == c.baseline:
        return ("With these models, the columns in use have not been shown to help.",) if c.models[1:] else ()
    rivals = [m for m in c.models if m.to_best is not None and m.to_best.interval[0] <= 0]
    names = [m.title for m in rivals if m.name != c.baseline]
    if not names:
        return (best.sentence,)
    other = "it may" if len(names) == 1 else "any of them may"
    return best.sentence, f"Its lead over {_listed(names)} is within chance: {other} be used instead."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
