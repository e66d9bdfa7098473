r"""The continuous ranked probability score where no closed form is known: sums over counts, integrals over numbers.

Score        ∫ (F(x) − [x ≥ y])² dx = ∫_{−∞}^{y} F² dx + ∫_{y}^{∞} (1 − F)² dx
Panels       between quantiles and y, Gauss's rule on each; a panel that its two halves contradict is halved
Tails        the last panels grow eightfold until what is left cannot matter
Counts       F is constant between integers, so the integral is a sum

Outside the window that holds all but 1e-16 of the probability F is taken for 0 or 1 (counts).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.distributions._base import Univariate

TOLERANCE = 1e-11  # of a panel, in units of the spread of the distribution
DEPTH, GROWTH, MOST_GROWN = 60, 8.0, 120
AT_ONCE = 2_000_000  # numbers held at a time
_TAILS = 10.0 ** -np.array([15.0, 12, 10, 8, 6, 5, 4, 3, 2])
_LEVELS = np.r_[_TAILS, np.arange(0.05, 0.96, 0.05), 1 - _TAILS[::-1]]
_NODES, _WEIGHTS = (a / 2 for a in np.polynomial.legendre.leggauss(16))


# -- integrals ------------------------------------------------------------------------------------------
def crps_integral(d: Univariate, y: np.ndarray) -> np.ndarray:
    """The score of every row by adaptive quadrature, for one distribution or one per row."""
    flat, rows = np.ravel(y), max(1, AT_ONCE // (40 * len(_NODES)))
    whole = d._mapped(lambda a, ndim: a.reshape(-1, *a.shape[a.ndim - ndim :])) if d.batch_shape else d
    parts = [slice(i, i + rows) for i in range(0, len(flat), rows)]
    out = [_adaptive(whole[part] if d.batch_shape else d, flat[part]) for part in parts]
    return np.concatenate(out).reshape(np.shape(y))


def _adaptive(d: Univariate, y: np.ndarray) -> np.ndarray:
    ends, spread = _breaks(d, y)
    row = np.broadcast_to(np.arange(len(y)), (len(ends) - 1, len(y)))
    keep = ends[1:] > ends[:-1]
    row, a, b = row[keep], ends[:-1][keep], ends[1:][keep]
    total, value = np.zeros(len(y)), _gauss(d, y, row, a, b)
    for depth in range(DEPTH):
        middle = a + (b - a) / 2
        left, right = _gauss(d, y, row, a, middle), _gauss(d, y, row, middle, b)
        done = np.abs(left + right - value) <= TOLERANCE * spread[row]
        done |= (middle <= a) | (middle >= b) | (depth == DEPTH - 1)
        np.add.at(total, row[done], (left + right)[done])
        go = ~done
        if not go.any():
            break
        row, value = np.r_[row[go], row[go]], np.r_[left[go], right[go]]
        a, b = np.r_[a[go], middle[go]], np.r_[middle[go], b[go]]
    return total


def _breaks(d: Univariate, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends of panels (J, N) in increasing order, y among them, and the spread of each distribution."""
    levels = _LEVELS.reshape(-1, *[1] * len(d.batch_shape))
    q = np.broadcast_to(np.asarray(d.quantile(levels)).reshape(len(_LEVELS), -1), (len(_LEVELS), len(y)))
    spread = q[-10] - q[9]  # the quantiles 0.05 and 0.95
    spread = np.where(spread > 0, spread, np.maximum(np.abs(q[len(q) // 2]), np.finfo(float).tiny))
    middle = q[len(q) // 2]
    tails = [*_tail(d, middle, q[0], spread, -1), *_tail(d, middle, q[-1], spread, 1)]
    return np.sort(np.vstack([q, y[None], *tails]), axis=0), spread


def _tail(
    d: Univariate, middle: np.ndarray, start: np.ndarray, spread: np.ndarray, side: int
) -> list[np.ndarray]:
    """Further ends, each panel eight times as wide, until the square of the tail times the width is nothing."""
    out, width, end = [], np.maximum(np.abs(start - middle), spread), start
    for _ in range(MOST_GROWN):
        mass = np.asarray(d.sf(end) if side > 0 else d.cdf(end))
        if np.all(mass**2 * width <= TOLERANCE * spread):
            break
        end, width = end + side * width, GROWTH * width
        out.append(end)
    return out


def _gauss(d: Univariate, y: np.ndarray, row: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The integral over panels that lie on one side of their y."""
    x = a + (b - a) * (_NODES[:, None] + 0.5)
    tail, below = np.empty(x.shape), b <= y[row]
    for side, name in ((below, "cdf"), (~below, "sf")):
        part = d[row[side]] if d.batch_shape else d
        tail[:, side] = getattr(part, name)(x[:, side])
    return (b - a) * (_WEIGHTS @ tail**2)


# -- sums -----------------------------------------------------------------------------------------------
def crps_counts(d: Univariate, y: np.ndarray) -> np.ndarray:
    """The score of distributions on the integers."""
    low, high = (np.broadcast_to(np.floor(d.quantile(p)), y.shape) for p in (1e-16, 1 - 1e-16))
    out = np.maximum(low - y, 0.0) + np.maximum(y - high, 0.0)
    width, step = int(np.max(high - low, initial=0)), max(1, AT_ONCE // max(y.size, 1))
    for begin in range(0, width, step):
        k = low + np.arange(begin, min(begin + step, width)).reshape(-1, *[1] * y.ndim)
        out = out + np.sum(np.where(k < high, _unit(d, y, k), 0.0), axis=0)
    return out


def _unit(d: Univariate, y: np.ndarray, k: np.ndarray) -> Any:
    """The integral from k to k + 1."""
    below = np.clip(y - k, 0.0, 1.0)
    return below * d.cdf(k) ** 2 + (1 - below) * d.sf(k) ** 2


def crps_table(
    values: np.ndarray, p: np.ndarray, y: np.ndarray, fair: float | np.ndarray = 1.0
) -> np.ndarray:
    """E|X − y| − ½ E|X − X′| for sorted values (..., K); `fair` multiplies the second term."""
    below = np.minimum(np.cumsum(p, axis=-1), 1.0)[..., :-1]
    half = np.sum(below * (1 - below) * np.diff(values, axis=-1), axis=-1)
    return np.sum(p * np.abs(values - y[..., None]), axis=-1) - fair * half
