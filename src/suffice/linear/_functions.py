"""Regression functions drawn from a prior or a posterior (PRML Figs 3.7 and 3.9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import frozen_array, record
from suffice.bases import Basis
from suffice.bases._base import as_table
from suffice.statistics import AffineFunction, Header, Layout


@record
class RegressionFunctions:
    """Sampled regression functions; call with a table to get one row of values per function."""

    functions: tuple[AffineFunction, ...]
    squeeze: bool

    @classmethod
    def of_weights(cls, weights: np.ndarray, basis: Basis | None, n_features: int) -> RegressionFunctions:
        """From rows (intercept, weights on the raw columns), one per function."""
        d = weights.shape[1] - 1
        layout = Layout(Header(n_features, None, basis), frozen_array(np.zeros(d + 1)))
        return cls(tuple(AffineFunction(layout, np.zeros(d), w[:1], w[1:, None]) for w in weights), True)

    def __call__(self, X: Any) -> np.ndarray:
        X = as_table(X)
        values = np.stack([f(X) for f in self.functions])
        return values[..., 0] if self.squeeze else values

    def __len__(self) -> int:
        return len(self.functions)
