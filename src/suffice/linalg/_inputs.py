"""Doors: matrices whose columns are vectors, vectors, symmetric matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, as_numbers
from suffice._core.linalg import check_symmetric


def columns(name: str, value: Any) -> np.ndarray:
    """A matrix (n, k) of k vectors; a vector is a matrix of one column."""
    a = _finite(name, value)
    if a.ndim == 1:
        a = a[:, None]
    if a.ndim != 2 or not len(a):
        raise InvalidInput(f"{name} must be a matrix whose columns are vectors; got shape {a.shape}.")
    return a


def rows_like(name: str, value: Any, length: int) -> np.ndarray:
    """A vector of the given length, or a matrix with as many rows."""
    a = _finite(name, value)
    if a.ndim not in (1, 2) or len(a) != length:
        raise InvalidInput(
            f"{name} must have {length} rows, as the vectors that span the space; got shape {a.shape}."
        )
    return a


def symmetric(name: str, value: Any) -> np.ndarray:
    """A square symmetric matrix, both halves made the same to the last bit."""
    a = _finite(name, value)
    check_symmetric(a, name)
    if a.ndim != 2 or not len(a):
        raise InvalidInput(f"{name} must be one square matrix; got shape {a.shape}.")
    return (a + a.T) / 2


def _finite(name: str, value: Any) -> np.ndarray:
    a = np.asarray(as_numbers(name, value), dtype=float)
    if not np.isfinite(a).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(a))[0])
        raise InvalidInput(f"{name} must be finite; {name}{list(place)} is {a[place]}.")
    return a
