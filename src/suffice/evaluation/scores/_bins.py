"""Bins of probabilities: their edges, and the bin of every row."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import check_choice, check_integer


def edges_of(p: np.ndarray, weight: np.ndarray, bins: Any, strategy: str) -> np.ndarray:
    """Edges from 0 to 1, of equal width or with about the same weight between them; equal edges are one."""
    check_choice("strategy", strategy, ("uniform", "quantile"))
    check_integer("bins", bins, 1)
    levels = np.linspace(0, 1, int(bins) + 1)
    if strategy == "uniform":
        return levels
    inner = np.quantile(p, levels[1:-1], weights=weight, method="inverted_cdf")
    return np.r_[0.0, np.setdiff1d(inner, [0.0, 1.0]), 1.0]


def bin_of(p: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """The bin (a, b] of every probability; 0 belongs to the first."""
    return np.searchsorted(edges[1:-1], p, side="left")
