"""Bins of probabilities: their edges, and the bin of every row."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_choice


def edges_of(p: np.ndarray, weight: np.ndarray, bins: Any, strategy: str) -> np.ndarray:
    """Edges from 0 to 1, of equal width or with about the same weight between them; equal edges are one."""
    check_choice("strategy", strategy, ("uniform", "quantile"))
    if isinstance(bins, bool) or not isinstance(bins, numbers.Integral) or bins < 1:
        raise InvalidParameter(f"bins must be an integer >= 1; got {bins!r}.")
    levels = np.linspace(0, 1, int(bins) + 1)
    if strategy == "uniform":
        return levels
    inner = np.quantile(p, levels[1:-1], weights=weight, method="inverted_cdf")
    return np.r_[0.0, np.setdiff1d(inner, [0.0, 1.0]), 1.0]


def bin_of(p: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """The bin (a, b] of every probability; 0 belongs to the first."""
    return np.searchsorted(edges[1:-1], p, side="left")
