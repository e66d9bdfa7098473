r"""Intervals that need no resampling.

Jeffreys         Beta(m + ½, n − m + ½) quantiles; 0 where m = 0 and 1 where m = n
Square-and-add   f = Σ w_c p_c of independent p_c with intervals [l_c, u_c]:
                 f − √Σ w_c² (p_c − l_c)²  to  f + √Σ w_c² (u_c − p_c)²        (for w_c < 0 the two ends swap)
Delta method     f(p̃) ± z √(Var g / ñ) on a scale without edges, g = ∂f/∂p, p̃ = (table + a)/ñ half a row added

Where a table has empty cells the delta method sees no variance; the added half row keeps it from claiming certainty.
A table without mistakes has the value of one with as many as Jeffreys' interval of the error allows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit, logit, ndtri, stdtrit

from suffice._core.proportions import jeffreys
from suffice.evaluation.findings import Measured

UNDEFINED = "0/0"
ADDED_ROWS = 0.5  # spread evenly over the cells of a table; of 0.5, 1 and 2 the best coverage near perfection

Scale = tuple[Callable[[Any], Any], Callable[[Any], Any], Callable[[Any], Any]]
UNIT: Scale = (logit, expit, lambda f: 1 / (f * (1 - f)))
CORRELATION: Scale = (np.arctanh, np.tanh, lambda f: 1 / (1 - f * f))


def proportion(m: float, n: float, confidence: float) -> Measured:
    """m of n as a frequency with its Jeffreys interval; 0/0 is NaN without one."""
    if not n > 0:
        return undefined(confidence)
    low, high = jeffreys(m, n, confidence)
    return Measured(float(m / n), (float(low), float(high)), confidence, "Jeffreys")


def undefined(confidence: float, why: str = UNDEFINED) -> Measured:
    """A measure that does not exist for these rows."""
    return Measured(float("nan"), None, confidence, why)


def square_and_add(weights: Any, m: Any, n: Any, confidence: float, bounds: tuple[float, float]) -> Measured:
    """Σ w m/n of independent proportions."""
    w, p = np.asarray(weights, dtype=float), np.asarray(m) / np.asarray(n)
    low, high = jeffreys(m, n, confidence)
    down, up = np.where(w > 0, p - low, high - p), np.where(w > 0, high - p, p - low)
    value = float(w @ p)
    ends = value - float(np.hypot.reduce(w * down)), value + float(np.hypot.reduce(w * up))
    interval = max(ends[0], bounds[0]), min(ends[1], bounds[1])
    return Measured(value, interval, confidence, "square-and-add of Jeffreys intervals")


Form = Callable[[np.ndarray], tuple[float, np.ndarray]]


def delta(form: Form, table: np.ndarray, confidence: float, scale: Scale) -> Measured:
    """A smooth function of the cells of a table; `form` gives its value and gradient for shares that sum to one."""
    n = float(table.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(form(table / n)[0])
    if not np.isfinite(value):
        return undefined(confidence)
    more = table + ADDED_ROWS / table.size
    shares, total = more / more.sum(), float(more.sum())
    center, gradient = form(shares)
    spread = float(np.sqrt((shares * (gradient - (shares * gradient).sum()) ** 2).sum() / total))
    low, high = on_scale(center, spread, confidence, scale)
    if value == 1 and len(table) > 1:
        low, high = float(form(_some_wrong(table / n, n, confidence))[0]), 1.0
    return Measured(value, (min(low, value), max(high, value)), confidence, "delta method")


def _some_wrong(shares: np.ndarray, n: float, confidence: float) -> np.ndarray:
    """A table without mistakes, with as many as Jeffreys' interval allows, spread as the margins would by chance."""
    error = float(jeffreys(0.0, n, confidence)[1])
    chance = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    # one class alone has no margins
    chance = chance if np.trace(chance) < chance.sum() else np.ones_like(chance)
    np.fill_diagonal(chance, 0.0)
    return (1 - error) * shares + error * chance / chance.sum()


def on_scale(
    center: float, spread: float, confidence: float, scale: Scale, degrees: float = np.inf
) -> tuple[float, float]:
    """center ± t·spread with so many degrees of freedom, drawn on a scale without edges and brought back."""
    to, back, slope = scale
    level = 0.5 + confidence / 2
    quantile = ndtri(level) if np.isinf(degrees) else stdtrit(max(degrees, 1.0), level)
    half = quantile * spread * slope(center)
    return float(back(to(center) - half)), float(back(to(center) + half))


def student(mean: float, variance: float, n: float, confidence: float) -> tuple[float, float] | None:
    """Mean ± t·√(variance/n); None where one row hides the spread."""
    if n <= 1:
        return None
    half = float(stdtrit(n - 1, 0.5 + confidence / 2) * np.sqrt(variance / n))
    return mean - half, mean + half
