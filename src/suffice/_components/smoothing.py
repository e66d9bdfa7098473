r"""Parameters of a start that exclude nothing.

    θ_k ← (1 − ε)((1 − s) θ_k + s Σ_j π_j θ_j) + ε θ₀

as if every row belonged a little to all components: a probability of zero at the start would exclude rows for ever, as
no component that excludes a row can become responsible for it. Under θ₀ nothing is impossible.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import frozen_array, record


@record
class Smoothing:
    """s, the part of the mean of all components, and ε, that of parameters under which every cell is possible."""

    of_mean: float
    of_even: float = 0.0

    def applied(self, table: np.ndarray, weights: np.ndarray, even: Any) -> np.ndarray:
        """To parameters (K, D) of components with these weights."""
        nearer = (1 - self.of_mean) * table + self.of_mean * (weights @ table)
        return frozen_array((1 - self.of_even) * nearer + self.of_even * even)


AT_START = Smoothing(0.1)
# of what was fitted to a sample: rows that come later may hold what it does not
AFTER_SAMPLE = Smoothing(0.01, 1e-6)
