r"""Areas under curves from a tally, with the variance of each (DeLong's components and influence functions).

AUC            θ = P(s⁺ > s⁻) + ½ P(s⁺ = s⁻) = mean of V₁₀ over positives = mean of V₀₁ over negatives
               V₁₀ = share of negatives below a positive, V₀₁ = share of positives above a negative (ties ½)
               Var θ = Var(V₁₀)/m + Var(V₀₁)/n
Precision      AP = mean over positives of P(s) = A/(A + B), A and B the positives and negatives at or above s;
               a row at score s moves AP by [P(s) + Σ_{t ≤ s} B/(A+B)² − AP]/m if positive,
               by −Σ_{t ≤ s} A/(A+B)²/m if not, sums over positives t
Few mistakes   |θ̂ − θ| = z √V(θ), V(θ) = θ(1−θ)[1 + k (1−θ)/(2−θ) + k θ/(1+θ)]/(mn), k = (m+n)/2 − 1, solved for θ

The last is an interval of score type for exponential scores (Newcombe 2006), whose width is not zero for a perfect
ranking. It widens DeLong's where fewer than eight rows of a class are out of order.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaincinv, ndtri

from suffice._core.records import record
from suffice.evaluation.measures._intervals import UNIT, on_scale
from suffice.evaluation.measures._tally import Scored, ScoreTally

FEW = 8
BLOCK, MOST_ROWS = 1 << 14, 20_000_000  # squares of ranks summed over a block fit 63 bits
Interval = tuple[float, float]


def components(tally: ScoreTally) -> tuple[np.ndarray, np.ndarray]:
    """V₁₀ of a positive and V₀₁ of a negative at each score."""
    up_to = tally.below
    v10 = (up_to[1] - 0.5 * tally.negatives) / tally.n_negative
    v01 = 1 - (up_to[0] - 0.5 * tally.positives) / tally.n_positive
    return v10, v01


def spread(weight: np.ndarray, values: np.ndarray) -> float:
    """Variance of the mean of weighted values, the weights being counts; NaN for a single row."""
    n = float(weight.sum())
    if n <= 1:
        return float("nan")
    mean = float(weight @ values) / n
    return max(float(weight @ (values - mean) ** 2) / (n - 1) / n, 0.0)


@record
class AreaMoments:
    """An area, its variance, and how many rows of either class have one of the other class on the wrong side."""

    theta: float
    variance: float
    n_positive: float
    n_negative: float
    out_of_order: float


def moments_of(rows: Scored) -> AreaMoments:
    """By sorting alone where no two scores are equal and rows have no weights; else from the tally."""
    quick = _without_ties(rows.positive, rows.score) if rows.weight is None else None
    return quick or _of_tally(rows.tally)


def _of_tally(tally: ScoreTally) -> AreaMoments:
    v10, v01 = components(tally)
    theta = min(max(float(tally.positives @ v10 / tally.n_positive), 0.0), 1.0)
    variance = spread(tally.positives, v10) + spread(tally.negatives, v01)
    wrong = (v10 < 1, v01 < 1) if theta >= 0.5 else (v10 > 0, v01 > 0)
    misplaced = float(min(tally.positives @ wrong[0], tally.negatives @ wrong[1]))
    return AreaMoments(theta, variance, tally.n_positive, tally.n_negative, misplaced)


def _without_ties(positive: np.ndarray, score: np.ndarray) -> AreaMoments | None:
    """One sort of the scores, whose last bit is replaced by the class; then sums of whole numbers, which are exact.

    None when two rows share all other bits: then scores are equal, or so near that the last bit decides.
    """
    if len(score) > MOST_ROWS:
        return None
    keys = (score + 0.0).view(np.int64)  # a copy, in which −0 is 0
    keys &= -2
    keys |= positive
    keys.view(float).sort()
    of_positives, of_negatives = RankSums(), RankSums()
    for start in range(0, len(keys), BLOCK):
        block = keys[start : start + BLOCK + 1]
        if ((block[1:] ^ block[:-1]).view(np.uint64) <= 1).any():
            return None
        hits = (block[:BLOCK] & 1).astype(bool)
        of_positives.add(start + np.flatnonzero(hits))
        of_negatives.add(start + np.flatnonzero(~hits))
    return _of_ranks(of_positives, of_negatives)


class RankSums:
    """Sums over the rows of a class of how many rows of the other class lie below each, block by block."""

    def __init__(self) -> None:
        self.n = self.total = self.squares = 0
        self.first = self.last = -1

    def add(self, ranks: np.ndarray) -> None:
        """Ranks among all rows, in increasing order, after those already added."""
        if len(ranks):
            below = ranks - np.arange(self.n, self.n + len(ranks))
            self.first, self.last = int(ranks[0]) if self.n == 0 else self.first, int(ranks[-1])
            self.n += len(ranks)
            self.total += int(below.sum())
            self.squares += int(np.einsum("i,i", below, below))

    def spread(self, others: int) -> float:
        """Variance of the mean share of the other class below."""
        if self.n < 2:
            return float("nan")
        return (self.n * self.squares - self.total**2) / (self.n**2 * others**2 * (self.n - 1))


def _of_ranks(p: RankSums, q: RankSums) -> AreaMoments:
    theta, end = p.total / (p.n * q.n), p.n + q.n - 1
    if theta >= 0.5:
        wrong = q.n - p.first, p.n - (end - q.last)
    else:
        wrong = p.n - q.first, q.n - (end - p.last)
    return AreaMoments(theta, p.spread(q.n) + q.spread(p.n), float(p.n), float(q.n), float(min(wrong)))


def interval_of(found: AreaMoments, confidence: float) -> Interval:
    """DeLong's interval on the logit scale, widened where few rows are out of order."""
    theta, low, high = found.theta, found.theta, found.theta
    if found.variance > 0 and 0 < theta < 1:
        low, high = on_scale(theta, float(np.sqrt(found.variance)), confidence, UNIT)
    if low == high or found.out_of_order < FEW:
        wide = few_mistakes(theta, found.n_positive, found.n_negative, confidence)
        low, high = min(low, wide[0]), max(high, wide[1])
    return low, high


def few_mistakes(theta: float, m: float, n: float, confidence: float) -> Interval:
    """The ends where θ̂ is z standard errors away."""
    z, k = float(ndtri(0.5 + confidence / 2)), max((m + n) / 2 - 1, 0.0)

    def size(t: float) -> float:
        return z * z * (1 + k * (1 - t) / (2 - t) + k * t / (1 + t)) / (m * n)

    def excess(t: float) -> float:
        return (theta - t) ** 2 - t * (1 - t) * size(t)

    if theta in (0.0, 1.0):  # one factor cancels: 1 − t = t·size(t), and the mirror image for 0
        end = float(brentq(lambda t: 1 - t - t * size(t), 0.0, 1.0))
        return (end, 1.0) if theta == 1 else (0.0, 1 - end)
    return float(brentq(excess, 0.0, theta)), float(brentq(excess, theta, 1.0))


# -- part of the area ---------------------------------------------------------------------------------------------
def partial(tally: ScoreTally, low: float, high: float, confidence: float) -> tuple[float, Interval]:
    """∫ TPR dFPR from low to high, its variance from the same two kinds of components."""
    right = 1 - np.concatenate([[0.0], tally.below[1][:-1]]) / tally.n_negative  # FPR just below each score
    left = 1 - tally.below[1] / tally.n_negative
    v10 = high - _mean_clipped(left, right, low, high)
    inside = _share_inside(left, right, low, high) * tally.positives
    v01 = -(np.cumsum(inside) - 0.5 * inside) / tally.n_positive
    value, width = float(tally.positives @ v10 / tally.n_positive), high - low
    share = min(max(value / width, 0.0), 1.0)
    variance = (spread(tally.positives, v10) + spread(tally.negatives, v01)) / width**2
    if variance > 0 and 0 < share < 1:
        ends = on_scale(share, float(np.sqrt(variance)), confidence, UNIT)
    else:
        ends = few_mistakes(share, tally.n_positive, max(tally.n_negative * width, 1.0), confidence)
    return value, (width * ends[0], width * ends[1])


def _mean_clipped(left: np.ndarray, right: np.ndarray, low: float, high: float) -> np.ndarray:
    """The mean of clip(u, low, high) for u between left and right."""

    def integral(u: np.ndarray) -> np.ndarray:
        inner = np.clip(u, low, high)
        return low * np.minimum(u, low) + (inner**2 - low**2) / 2 + high * np.maximum(u - high, 0.0)

    wide = right > left
    width = np.where(wide, right - left, 1.0)
    return np.where(wide, (integral(right) - integral(left)) / width, np.clip(left, low, high))


def _share_inside(left: np.ndarray, right: np.ndarray, low: float, high: float) -> np.ndarray:
    wide = right > left
    width = np.where(wide, right - left, 1.0)
    overlap = np.clip(right, low, high) - np.clip(left, low, high)
    return np.where(wide, overlap / width, (left > low) & (left < high))


# -- precision and recall -----------------------------------------------------------------------------------------
def average_precision(tally: ScoreTally, confidence: float) -> tuple[float, Interval]:
    """AP with the interval of its influence function on the logit scale, rows drawn at random from both classes."""
    hits, alarms = tally.above[0][:-1], tally.above[1][:-1]
    rows, m = hits + alarms, tally.n_positive
    precision = hits / rows
    value = min(float(tally.positives @ precision) / m, 1.0)
    of_positive = (precision + np.cumsum(tally.positives * alarms / rows**2) - value) / m
    of_negative = -np.cumsum(tally.positives * hits / rows**2) / m
    variance = float(tally.positives @ of_positive**2 + tally.negatives @ of_negative**2)
    low, high = value, value
    if variance > 0 and value < 1:
        low, high = on_scale(value, float(np.sqrt(variance)), confidence, UNIT, m - 1)
    if low == high or min(float(tally.negatives @ (components(tally)[1] < 1)), m) < FEW:
        low = min(low, float(betaincinv(m * value + 0.5, m * (1 - value) + 0.5, (1 - confidence) / 2)))
        high = max(high, float(betaincinv(m * value + 0.5, m * (1 - value) + 0.5, (1 + confidence) / 2)))
    return value, (low, high if value < 1 else 1.0)
