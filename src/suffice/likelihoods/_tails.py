"""Functions of tails that keep their digits where they are small: ratios of the normal, and x/(eˣ − 1)."""

from __future__ import annotations

import numpy as np
from scipy.special import erfcx


def mills(z: np.ndarray) -> np.ndarray:
    """N(z) / Φ(z), from the scaled error function: both vanish below −38."""
    return np.sqrt(2 / np.pi) / erfcx(-np.asarray(z, dtype=float) / np.sqrt(2))


def mills_curvature(z: np.ndarray) -> np.ndarray:
    """r (r + z), r = N(z) / Φ(z): minus the second derivative of log Φ. Far out r + z is lost in the digits of both."""
    r, u = mills(z), 1 / np.minimum(z, -100.0) ** 2
    return np.where(np.asarray(z) < -100, 1 - u + 6 * u**2, r * (r + z))


def bernoulli_ratio(x: np.ndarray) -> np.ndarray:
    """x / (eˣ − 1): one at zero, nothing far out."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(x == 0, 1.0, np.where(x > 700, 0.0, x / np.expm1(np.minimum(x, 700.0))))


def rest_of_ratio(x: np.ndarray) -> np.ndarray:
    """1 − x / (eˣ − 1), which is x/2 − x²/12 near zero, where the difference has no digits."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(x < 1e-3, x / 2 - x**2 / 12 + x**4 / 720, 1 - bernoulli_ratio(x))
