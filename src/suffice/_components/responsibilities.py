r"""Responsibilities of components for rows, from log joint densities.

    r_nk = π_k p(x_n | k) / Σ_j π_j p(x_n | j)                                   (FCML 6.18, DTU 19.5)

in logs; `hard` gives a row to its most probable component alone (the lowest of equal ones).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._components import plain
from suffice._core.compiling import loops
from suffice._core.records import record


@record
class Responsibilities:
    """r (N, K) times the weights of rows, Σ w log p(x), and the entropy −Σ w r log r."""

    values: np.ndarray
    likelihood: float
    entropy: float


def kernels() -> Any:
    """The compiled loops, or their twins."""
    return loops("suffice._components._loops") or plain


def responsibilities_of(
    logs: np.ndarray, weight: np.ndarray | None = None, hard: bool = False
) -> Responsibilities:
    """Of log joint densities (N, K), whose array is used up. A row impossible everywhere has none."""
    values = np.ascontiguousarray(logs)
    weight = np.ones(len(values)) if weight is None else weight
    likelihood, entropy = kernels().responsibilities(values, weight, hard)
    return Responsibilities(values, float(likelihood), float(entropy))
