"""What the predictions are worth to somebody who acts on them: outcomes by decile, gain and cost of two classes."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from suffice._core.proportions import jeffreys
from suffice.study.numbers import number, percent
from suffice.study.sections import CostCurve, Deciles, GainCurve, Thresholds

PARTS, FEWEST, MOST_POINTS = 10, 5, 200


def deciles(
    predicted: np.ndarray,
    observed: np.ndarray,
    weight: np.ndarray,
    what: str,
    confidence: float,
    *,
    share: bool = False,
    independent: bool = True,
) -> Deciles | None:
    """Rows in the order of their prediction, in ten parts of equal weight, fewer of small tables; equal ones together.

    The interval of a part is Jeffreys' for a share and Student's for a mean. None where there are no two parts.
    """
    order = np.argsort(predicted, kind="stable")
    p, y, w = predicted[order], observed[order].astype(float), weight[order]
    part = _parts(p, w, int(np.clip(len(p) // FEWEST, 1, PARTS)))
    if part[-1] < 1:
        return None
    groups = [np.flatnonzero(part == k) for k in range(part[-1] + 1)]
    means = [(np.average(p[g], weights=w[g]), np.average(y[g], weights=w[g])) for g in groups]
    ends = [_interval(y[g], w[g], confidence, share) if independent else (np.nan, np.nan) for g in groups]
    counts = np.array([w[g].sum() for g in groups])
    (forecast, found), (low, high) = np.array(means).T, np.array(ends).T
    return Deciles(what, forecast, found, low, high, counts)


def _parts(p: np.ndarray, w: np.ndarray, parts: int) -> np.ndarray:
    """The part of every row of a sorted list, numbered without gaps; rows with equal predictions share one."""
    middle = (np.cumsum(w) - w / 2) / w.sum()
    part = np.minimum((middle * parts).astype(int), parts - 1)
    start = np.concatenate([[True], p[1:] != p[:-1]])
    part = part[np.flatnonzero(start)[np.cumsum(start) - 1]]
    return np.unique(part, return_inverse=True)[1].reshape(-1)


def _interval(y: np.ndarray, w: np.ndarray, confidence: float, share: bool) -> tuple[float, float]:
    n, mean = float(w.sum()), float(np.average(y, weights=w))
    if share:
        low, high = jeffreys(float(w @ y), n, confidence)
        return float(low), float(high)
    if n <= 1:
        return np.nan, np.nan
    error = float(np.sqrt(w @ (y - mean) ** 2 / (n - 1) / n))
    reach = float(stdtrit(n - 1, 0.5 + confidence / 2)) * error
    return mean - reach, mean + reach


# -- two classes ---------------------------------------------------------------------------------------------------
def gain_curve(positive: np.ndarray, p: np.ndarray, w: np.ndarray, label: str) -> GainCurve | None:
    """Positive rows found among those with the highest probability; None where the rows hold one class only."""
    if not 0 < positive.sum() < len(positive):
        return None
    order = np.argsort(-p, kind="stable")
    # rows of equal probability are taken together
    last = np.append(np.flatnonzero(np.diff(p[order])), len(p) - 1)
    taken = np.concatenate([[0.0], np.cumsum(w[order])[last] / w.sum()])
    found = np.concatenate([[0.0], np.cumsum((w * positive)[order])[last] / float(w @ positive)])
    tenth = float(np.interp(0.1, taken, found))
    sentence = (
        f"The tenth of the rows with the highest probability of {label!r} holds {percent(tenth)} of all rows of that "
        f"class, {number(10 * tenth, 1)} times as many as a tenth drawn at random."
    )
    kept = np.unique(np.linspace(0, len(taken) - 1, min(len(taken), MOST_POINTS)).round().astype(int))
    return GainCurve(label, taken[kept], found[kept], sentence)


def cost_curve(t: Thresholds) -> CostCurve:
    """The cost per row of deciding by the model at every threshold, beside that of calling all rows alike."""
    c, n = np.asarray(t.threshold, dtype=float), float(t.true_positive[0] + t.false_negative[0])
    total = n + float(t.false_positive[0] + t.true_negative[0])
    cost = (c * t.false_positive + (1 - c) * t.false_negative) / total
    everyone, nobody = c * (total - n) / total, (1 - c) * n / total
    return CostCurve(
        t.positive, c, cost, everyone, nobody, _describe_worth(c, cost, np.minimum(everyone, nobody), t)
    )


def _describe_worth(c: np.ndarray, cost: np.ndarray, alike: np.ndarray, t: Thresholds) -> str:
    """For which costs the model is cheaper than calling all rows alike."""
    inner = (c > 0) & (c < 1)
    cheaper = inner & (cost < alike)
    if not cheaper.any():
        return f"Whatever a missed {t.positive!r} costs, it is no dearer to call all rows alike than to use the model."
    if cheaper[inner].all():
        return "Whatever the two mistakes cost, deciding by the model is cheaper than calling all rows alike."
    low, high = float(c[cheaper].min()), float(c[cheaper].max())
    if low < 0.5 < high:
        return (
            f"Deciding by the model is cheaper than calling all rows alike, unless a false alarm costs more than "
            f"{_ratio(1 - high)} times as much as a missed {t.positive!r}, or a missed one more than {_ratio(low)} "
            "times as much as a false alarm."
        )
    ends = dict.fromkeys((_ratio(high), _ratio(low)))
    return (
        f"Deciding by the model is cheaper than calling all rows alike where a missed {t.positive!r} costs "
        f"{'from ' if len(ends) > 1 else ''}{' to '.join(ends)} times as much as a false alarm."
    )


def _ratio(c: float) -> str:
    """How many false alarms a missed row is worth, in two digits."""
    return f"{float(f'{(1 - c) / c:.2g}'):g}"
