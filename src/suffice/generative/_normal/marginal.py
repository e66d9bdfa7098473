r"""Rows with missing cells under normal densities that are known: what is missing is integrated out, or expected.

p(x_o) = N(x_o | μ_o, Σ_oo)      E[x | x_o] = μ + (x_o − μ_o) Σ_oo⁻¹ Σ_o·      o: the cells that are known
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice._components.normal.gaps import pattern_codes
from suffice.generative._normal.whitener import ClassWhitener, LiftedWhitener


def has_gaps(X: Any) -> bool:
    """Whether a cell is missing."""
    data = getattr(X, "data", X) if hasattr(X, "tocsr") else X
    return bool(np.isnan(data).any())


def patterns(known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows of a table of flags, and which of them each row is."""
    _, first, which = np.unique(pattern_codes(known), return_index=True, return_inverse=True)
    return known[first], which


def by_pattern(X: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Known columns, and the rows in which exactly these are known."""
    masks, which = patterns(~np.isnan(X))
    for p, mask in enumerate(masks):
        yield np.flatnonzero(mask), np.flatnonzero(which == p)


def lacks_cells(X: Any) -> bool:
    """Whether a table as it was given, before the door, has missing cells."""
    if hasattr(X, "tocsr"):
        return has_gaps(X)
    if hasattr(X, "isna"):  # missing cells of pandas are not always NaN
        return bool(np.asarray(X.isna()).any())
    try:
        return bool(np.isnan(np.asarray(X, dtype=float)).any())
    except (TypeError, ValueError):  # the door says what is wrong
        return False


def known_log_density(
    X: np.ndarray, center: np.ndarray, whitener: ClassWhitener | LiftedWhitener
) -> np.ndarray:
    """log N(x_o | center_o, Σ_oo) of every row; zero where nothing is known."""
    out = np.zeros(len(X))
    for columns, rows in by_pattern(X):
        if len(columns):
            out[rows] = whitener.restricted(columns).log_density(X[np.ix_(rows, columns)] - center[columns])
    return out


def filled(X: np.ndarray, means: np.ndarray, whitener: ClassWhitener | LiftedWhitener) -> np.ndarray:
    """Rows with their missing cells at E[x | x_o], given a mean for every row."""
    out, root = X.copy(), whitener.root
    for columns, rows in by_pattern(X):
        near, known = whitener.restricted(columns), np.ix_(rows, columns)
        weights = near.slopes(near.whiten(X[known] - means[known]))
        expected = means[rows] + (weights @ root[:, columns].T) @ root
        out[rows] = np.where(np.isnan(X[rows]), expected, X[rows])
    return out
