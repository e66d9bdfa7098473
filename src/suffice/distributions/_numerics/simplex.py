"""Vectors of probabilities: their domain, what they sum to, and their coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.linalg import EPS
from suffice.distributions._checks import frozen, sample_values
from suffice.distributions._numerics.gaussian import coordinates


def normalized(p: np.ndarray, name: str = "probabilities") -> np.ndarray:
    """Probabilities that sum to one up to rounding; dividing again would change nothing."""
    total = p.sum(axis=-1, keepdims=True)
    off = np.abs(total - 1)
    if np.any(off > 1e-8):
        raise InvalidParameter(f"{name} must sum to one; they sum to {total.flat[np.argmax(off)]:.9g}.")
    return frozen(np.where(off > p.shape[-1] * EPS, p / total, p))


def surplus(p: np.ndarray) -> Any:
    """Σ p − 1 of the numbers as they are stored: sums of pairs, with the rounding of each kept."""
    total = np.concatenate([p, np.full((*p.shape[:-1], 1), -1.0)], axis=-1)
    lost = np.zeros(p.shape[:-1])
    while (half := total.shape[-1] // 2) > 0:
        a, b, odd = total[..., :half], total[..., half : 2 * half], total[..., 2 * half :]
        pairs = a + b
        back = pairs - a
        lost += ((a - (pairs - back)) + (b - back)).sum(axis=-1)
        total = np.concatenate([pairs, odd], axis=-1)
    return total[..., 0] + lost


def others(weight: np.ndarray) -> np.ndarray:
    """The sum of all coordinates but one, for each: from below and from above, so that nothing cancels."""
    edge = np.zeros((*weight.shape[:-1], 1))
    below = np.concatenate([edge, np.cumsum(weight, axis=-1)[..., :-1]], axis=-1)
    above = np.concatenate([np.cumsum(weight[..., :0:-1], axis=-1)[..., ::-1], edge], axis=-1)
    return below + above


def on_simplex(x: np.ndarray) -> np.ndarray:
    """Whether the last axis holds numbers ≥ 0 that sum to one up to rounding."""
    with np.errstate(invalid="ignore"):
        return np.all(x >= 0, axis=-1) & (np.abs(x.sum(axis=-1) - 1) <= 1e-8)


def rows_on_simplex(x: Any) -> np.ndarray:
    """A table of points strictly inside the simplex, for a fit."""
    table = sample_values(x, ndim=2)
    bad = ~(on_simplex(table) & np.all(table > 0, axis=1))
    if bad.any():
        row = int(np.argmax(bad))
        raise InvalidInput(
            f"x must hold numbers > 0 that sum to one in every row; row {row} is {table[row].tolist()}."
        )
    return table


def chosen_and_rest(weight: np.ndarray, idx: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """Some coordinates, and the sum (..., 1) of the others; None for it when `idx` is one integer."""
    index = coordinates(idx, weight.shape[-1])
    if index.ndim == 0:
        return weight[..., index], None
    free = np.setdiff1d(np.arange(weight.shape[-1]), index)
    if len(free) == 0 or len(set(index.tolist())) < len(index):
        raise InvalidInput(f"idx must pick some, not all, distinct coordinates; got {idx!r}.")
    return weight[..., index], weight[..., free].sum(axis=-1, keepdims=True)
