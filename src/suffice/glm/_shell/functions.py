"""Functions drawn from a prior or a posterior, and the boundaries where they are zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, Unsupported, as_numbers
from suffice._core.records import frozen_array, record
from suffice.bases import Basis
from suffice.bases._base import as_table
from suffice.statistics import AffineFunction, Header, Layout


@record
class Functions:
    """Draws of a(x) = b + φ(x)ᵀw; call with a table to get one row of values per draw.

    For two classes a(x) = 0 is the boundary between them.
    """

    function: AffineFunction

    @classmethod
    def of_weights(cls, weights: np.ndarray, basis: Basis | None, n_features: int) -> Functions:
        """From rows (intercept, weights on the raw columns), one per function."""
        d = weights.shape[1] - 1
        layout = Layout(Header(n_features, None, basis), frozen_array(np.zeros(d + 1)))
        return cls(AffineFunction(layout, np.zeros(d), weights[:, 0], weights[:, 1:].T))

    @property
    def weights(self) -> np.ndarray:
        """(draws, 1 + d): intercept and weights on the raw columns."""
        intercept, weights = self.function.raw()
        return np.column_stack([intercept, weights.T])

    def __len__(self) -> int:
        return len(self.function.value)

    def __call__(self, X: Any) -> np.ndarray:
        """a(x): (draws, rows)."""
        return self.function(as_table(X)).T

    def lines(self, x: Any) -> np.ndarray:
        """The boundaries as lines over the first of two plain columns: x₂ = −(b + w₁x₁)/w₂, (draws, values of x)."""
        header = self.function.layout.header
        if header.n_features != 2 or header.basis is not None:
            raise Unsupported(
                f"Lines need two plain columns; there are {header.n_features}"
                f"{'' if header.basis is None else ' and a basis'}. Call with a table for the values a(x)."
            )
        x = as_numbers("x", x)
        if x.ndim != 1:
            raise InvalidInput(f"x must be a vector of values of the first column; got shape {x.shape}.")
        b, w1, w2 = self.weights.T
        with np.errstate(divide="ignore", invalid="ignore"):
            return -(b[:, None] + w1[:, None] * x) / w2[:, None]

    def __repr__(self) -> str:
        return f"Functions({len(self)} draws of {self.weights.shape[1]} weights)"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>"
