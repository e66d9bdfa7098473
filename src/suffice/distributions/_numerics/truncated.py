r"""Pieces of the normal density, to all digits however far out they lie.

Distances t are in standard deviations from a reference point, which lies c from the mean. Then

φ(c + t) ∝ exp(−t (c + t/2)),
h(c, b) = ∫₀ᵇ exp(−t (c + t/2)) dt = √(π/2) (erfcx(c/√2) − e^(−b(c + b/2)) erfcx((c + b)/√2)),

c, b ≥ 0: the exponential factor that would underflow has cancelled. Narrow pieces are integrated by a
Gauss rule, where the difference would lose digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import erfcx

_NODES, _WEIGHTS = (a / 2 for a in np.polynomial.legendre.leggauss(8))
_NODES = _NODES + 0.5
_FINE, _FINE_WEIGHTS = (a / 2 for a in np.polynomial.legendre.leggauss(64))
_FINE = _FINE + 0.5


def mass(c: Any, b: Any) -> np.ndarray:
    """h(c, b) for c ≥ 0, 0 ≤ b ≤ ∞."""
    with np.errstate(over="ignore"):
        fall = b * (c + b / 2)
    out = np.sqrt(np.pi / 2) * (erfcx(c / np.sqrt(2)) - np.exp(-fall) * erfcx((c + b) / np.sqrt(2)))
    narrow = fall < 1
    if not np.any(narrow):
        return out
    out, c, b = (np.broadcast_to(v, np.shape(narrow)) for v in (out, c, b))
    out, start, width = out.copy(), c[narrow][..., None], b[narrow]
    t = width[..., None] * _NODES
    out[narrow] = width * (np.exp(-t * (start + t / 2)) @ _WEIGHTS)
    return out


def log_mass(c: Any, low: Any, high: Any, width: Any) -> Any:
    """log ∫ exp(−t (c + t/2)) dt from `low` to `high`, which are `width` apart."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        near = np.clip(-c, low, high)  # the point of the piece that is nearest to the mean
        left = np.where(near == low, 0.0, np.where(near == high, width, near - low))
        right = np.where(near == low, width, np.where(near == high, 0.0, high - near))
        size = np.abs(c + near)
        value = np.log(mass(size, left) + mass(size, right)) - near * (c + near / 2)
    return np.where(width > 0, value, np.where(np.isnan(width), np.nan, -np.inf))


def nodes(c: Any, low: Any, high: Any) -> tuple[np.ndarray, np.ndarray]:
    """Points t (..., 128) and weights that sum to one, for expectations over low ≤ 0 ≤ high."""
    halves = [_half(c, high), _half(-c, -low)]
    w = np.concatenate([half[1] for half in halves], axis=-1)
    t = np.concatenate([halves[0][0], -halves[1][0]], axis=-1)
    return t, w / w.sum(axis=-1, keepdims=True)


def _half(c: Any, b: Any) -> tuple[np.ndarray, np.ndarray]:
    """A Gauss rule from 0 to b, or to where the density has fallen by e⁻⁶⁰."""
    c, b = (np.asarray(v, dtype=float)[..., None] for v in (c, b))
    size = np.maximum(c, 0.0)  # with c < 0 there is nothing on this side
    end = np.minimum(b, 120 / (size + np.sqrt(size**2 + 120)))
    t = end * _FINE
    return t, end * _FINE_WEIGHTS * np.exp(-t * (size + t / 2))
