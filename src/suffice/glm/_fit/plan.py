r"""Where the columns of a fit sit: z = [1, (φ(x) − c) / s], whatever the units of the table.

Functions are a = z(x)ᵀ u. With c and s from a sample of the rows, columns of 1e150 and of 1e-150 are both of order one,
and a column with a huge mean loses no digits. What is reported is about the raw columns: θ = G u.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.numerics import strided_sample
from suffice._core.records import frozen_array, record
from suffice.likelihoods import Likelihood
from suffice.statistics import AffineFunction, Header, Layout
from suffice.statistics.layout import dense

NEAR = 30.0  # how far from one units, and from zero centers, may be for columns to be used as they are
STILL = 1.0  # the unit of a column that does not vary: moved to its center it must be zero to the last digit


@record
class Plan:
    """Columns, their units, the likelihood, the classes that codes refer to, and the constant to begin with."""

    layout: Layout
    scale: np.ndarray
    likelihood: Likelihood
    start: np.ndarray
    classes: Any = None  # sorted labels, or None for numbers

    @classmethod
    def of(
        cls,
        header: Header,
        X: Any,
        weight: np.ndarray | None,
        likelihood: Likelihood,
        start: np.ndarray,
        classes: np.ndarray | None = None,
    ) -> Plan:
        """Centers and units from at most about a thousand evenly spaced rows."""
        layout = Layout.plan(header, X, np.zeros((X.shape[0], 0)), weight)
        rows = strided_sample(X.shape[0])
        sample = X[rows] if weight is None or not np.any(weight[rows] > 0) else X[rows][weight[rows] > 0]
        return cls(layout, frozen_array(_units(layout, sample)), likelihood, frozen_array(start), classes)

    @property
    def header(self) -> Header:
        return self.layout.header

    @property
    def n_columns(self) -> int:
        """Columns of z, the constant among them."""
        return 1 + len(self.scale)

    @property
    def n_functions(self) -> int:
        return self.likelihood.n_functions

    def design(self, X: Any) -> np.ndarray:
        """z of some rows (N, 1 + d), column by column in memory."""
        out = np.empty((X.shape[0], self.n_columns), order="F")
        out[:, 0] = 1.0
        body = out[:, 1:]
        body[:] = self.layout.design(X)
        body -= self.layout.shift_x
        body *= 1 / self.scale
        return out

    def takes_as_is(self, X: Any) -> bool:
        """Whether rows need neither shift nor units: plain columns of order one, not far from zero."""
        return (
            self.header.basis is None
            and isinstance(X, np.ndarray)
            and X.dtype == np.float64
            and bool(np.all((self.scale > 1 / NEAR) & (self.scale < NEAR) & (self.scale != STILL)))
            and bool(np.all(np.abs(self.layout.shift_x) < NEAR * self.scale))
        )

    def units(self) -> np.ndarray:
        """T with z = T [1, x], for plain columns."""
        T = np.diag(np.concatenate([[1.0], 1 / self.scale]))
        T[1:, 0] = -self.layout.shift_x / self.scale
        return T

    def as_is(self, u: np.ndarray) -> np.ndarray:
        """The function of u on [1, x]."""
        return self.units().T @ u

    def first(self) -> np.ndarray:
        """The functions to begin with: the constant alone (1 + d, K)."""
        u = np.zeros((self.n_columns, self.n_functions))
        u[0] = self.start
        return u

    def function(self, u: np.ndarray) -> AffineFunction:
        """a(x) for u (1 + d, K), as a function of the table."""
        return AffineFunction(self.layout, self.layout.shift_x, u[0], u[1:] / self.scale[:, None])

    def functions_of(self, function: AffineFunction) -> np.ndarray:
        """u of a(x)."""
        return np.vstack([function.value, function.slope * self.scale[:, None]])

    def to_raw(self) -> np.ndarray:
        """G with (intercept, weights on the raw columns) = G u."""
        G = self.function(np.zeros((self.n_columns, 1))).to_raw()
        return G * np.concatenate([[1.0], 1 / self.scale])

    def to_terms(self, center: np.ndarray | None) -> np.ndarray:
        """As `to_raw`, with the value at a place z in that of the intercept, which is the value at the origin."""
        G = self.to_raw()
        if center is not None:
            G[0, 1:] = center
        return G


def _units(layout: Layout, sample: Any) -> np.ndarray:
    """Root mean squares about the center, with no square that overflows; one for columns that do not vary."""
    off = layout.design(sample) - layout.shift_x if len(dense(sample)) else np.zeros((0, layout.n_columns))
    with np.errstate(all="ignore"):  # NaN and infinity are the door's to report
        largest = np.abs(off).max(axis=0, initial=0.0)
        largest = np.where((largest > 0) & np.isfinite(largest), largest, STILL)
        size = largest * np.sqrt(np.mean((off / largest) ** 2, axis=0)) if len(off) else largest
    return np.where((size > 0) & np.isfinite(size), size, STILL)
