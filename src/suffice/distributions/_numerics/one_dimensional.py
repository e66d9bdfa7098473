"""One-dimensional numerics for any univariate distribution: expectations, sign changes, minima."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit

from suffice._core.errors import InvalidInput, Unsupported
from suffice._core.linalg import EPS
from suffice.distributions._base import Univariate

MOST_ATOMS = 100_000
_MOST_WHOLE = 1_000_000  # whole numbers, all of which are looked at
_LAST_WHOLE = 2.0**53  # from here on not all integers are doubles


def check_single(name: str, d: Any, *, density: bool = False) -> None:
    """One univariate distribution, not a batch; with `density`, one without lumps of probability."""
    if not isinstance(d, Univariate):
        raise Unsupported(f"{name} must be a univariate distribution; got {d!r}.")
    if d.batch_shape:
        raise InvalidInput(f"{name} must be a single distribution; got a batch {d.batch_shape}.")
    if density and has_atoms(d):
        raise Unsupported(f"{name} must have a density; {d!r} has not.")


def lumpy(d: Any) -> bool:
    """Whether numbers of this kind have probabilities in place of a density, however many values there are."""
    return bool(d._discrete)


def has_atoms(d: Univariate) -> bool:
    """Whether single values have probability: true for discrete distributions and point masses."""
    return lumpy(d) or _point_mass(d)


def _point_mass(d: Univariate) -> bool:
    """Whether one double at the median holds what a density would spread: its scale is zero, or too small to tell."""
    middle = float(d.quantile(0.5))
    return bool(d.cdf(middle) - d.cdf(np.nextafter(middle, -np.inf)) > 1e-3)


def nodes(d: Univariate, low: float = 0.0, high: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Points x and weights w with Σ w f(x) ≈ E f(X): the atoms, or a double-exponential rule in u = F(x).

    `low` and `high` restrict it to a range of u; the rule clusters at its ends, where f may have a corner. The
    whole range is split at the median, where symmetric densities such as Laplace's have one.
    """
    if (low, high) == (0.0, 1.0):
        return _atoms(d) if has_atoms(d) else _halves(d)
    t = np.linspace(-3.15, 3.15, 401)
    v, rest = expit(np.pi * np.sinh(t)), expit(-np.pi * np.sinh(t))
    w = np.pi * np.cosh(t) * v * rest
    u = np.where(v < 0.5, low + (high - low) * v, high - (high - low) * rest)
    inside = (u > 0) & (u < 1)
    return d.quantile(u[inside]), (w * (high - low) / w.sum())[inside]


def _halves(d: Univariate) -> tuple[np.ndarray, np.ndarray]:
    x, w = np.hstack([nodes(d, 0.0, 0.5), nodes(d, 0.5, 1.0)])
    return x, w


def _atoms(d: Univariate) -> tuple[np.ndarray, np.ndarray]:
    """Every value of a discrete distribution, up to a remainder of about 1e-15.

    They are whole numbers in a row, or quantiles find most; the value after each known one is added until none is new.
    """
    if lumpy(d) and (whole := _whole_atoms(d)) is not None:
        return whole
    tail = np.geomspace(1e-16, 1e-3, 400)
    x = np.empty(0)
    found = np.asarray(d.quantile(np.r_[tail, np.linspace(1e-3, 1 - 1e-3, 8001), 1 - tail]), dtype=float)
    while len(found) and len(x) < MOST_ATOMS:
        x = np.union1d(x, found)
        reached = d.cdf(x)
        after = np.asarray(d.quantile(np.nextafter(reached[reached < 1 - 1e-15], 1.0)), dtype=float)
        found = np.setdiff1d(after, x)
    return x, np.diff(np.r_[0.0, d.cdf(x[:-1]), 1.0])


def _whole_atoms(d: Univariate) -> tuple[np.ndarray, np.ndarray] | None:
    """The values of a distribution of whole numbers that are not too many; None where there are others."""
    low, high = (float(p) for p in d.quantile([1e-17, 1 - EPS / 2]))
    if low != np.floor(low) or not high - low < _MOST_WHOLE or high > _LAST_WHOLE:
        return None
    x = np.arange(low, high + 1)
    reached = d.cdf(x)
    if np.any(d.cdf(np.nextafter(x[1:], -np.inf)) != reached[:-1]):
        return None
    x = x[np.diff(reached, prepend=0.0) != 0]
    mass = np.exp(d._log_prob_of_rows(x))  # which differences of the cdf know to fewer digits
    return x, mass / mass.sum()


def spread_grid(*distributions: Univariate) -> np.ndarray:
    """Points from far below to far above: dense in the body of each distribution, thin in its tails."""
    parts = []
    for d in distributions:
        low, middle, high = (float(d.quantile(p)) for p in (0.25, 0.5, 0.75))
        parts.append(middle + (high - low) * np.sinh(np.linspace(-40, 40, 4001)))
        parts.append(d.quantile(np.linspace(1e-6, 1 - 1e-6, 2001)))
    return np.unique(np.concatenate(parts))


def sign_changes(
    f: Callable[[np.ndarray], np.ndarray], noise: Callable[[np.ndarray], np.ndarray], grid: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where f changes sign on the range of the grid, and its signs in between (one more).

    Points where |f| is no larger than its rounding `noise` say nothing about the sign.
    """
    value = f(grid)
    known = np.abs(value) > noise(grid)  # false for NaN
    x, sign = grid[known], np.sign(value[known])
    if len(x) == 0:
        return np.empty(0), np.empty(0)
    turns = np.flatnonzero(sign[1:] != sign[:-1])
    return _bisect(f, x[turns], x[turns + 1], sign[turns]), sign[np.r_[turns, len(sign) - 1]]


def _bisect(f: Callable, low: np.ndarray, high: np.ndarray, sign: np.ndarray) -> np.ndarray:
    """Zeros between points with `sign` at the lower one, to the last digit."""
    while True:
        middle = low + (high - low) / 2
        open_ = (middle > low) & (middle < high)
        if not np.any(open_):
            return middle
        left = np.sign(f(middle)) == sign
        low, high = np.where(left & open_, middle, low), np.where(~left & open_, middle, high)


def rounding(*logs: np.ndarray) -> np.ndarray:
    """How far rounding may move a difference of these log densities."""
    with np.errstate(invalid="ignore"):
        size = np.sum([np.where(np.isfinite(a), np.abs(a), 0.0) for a in logs], axis=0)
    return 64 * EPS * (1 + size)


def minimum(f: Callable[[float], float], grid: np.ndarray) -> float:
    """Where f is smallest: the best point of the grid, then golden sections between its neighbours."""
    values = [f(x) for x in grid]
    best = int(np.argmin(values))
    low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, len(grid) - 1)])
    shrink = (np.sqrt(5) - 1) / 2
    a, b = high - shrink * (high - low), low + shrink * (high - low)
    fa, fb = f(a), f(b)
    for _ in range(100):
        if high - low <= 1e-12 * (abs(low) + abs(high)):
            break
        if fa <= fb:
            high, b, fb = b, a, fa
            a = high - shrink * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + shrink * (high - low)
            fb = f(b)
    found = (low + high) / 2
    return found if f(found) <= values[best] else float(grid[best])
