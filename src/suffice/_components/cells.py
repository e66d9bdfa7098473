r"""Tables of counts, sparse or not: log densities and sums in which only known cells count.

    logs   Σ_{d known} (x_nd u_kd + v_kd) = X u_k + Σ_d v_kd − Σ_{d missing} v_kd        u per unit, v per cell
    sums   Σ_n r_nk,  Σ_n r_nk x_nd over known cells,  Σ_n r_nk over missing ones

A table of words has tens of thousands of columns of which a row uses a few dozen. It is only ever multiplied with
matrices of one column per component, and never made dense.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from suffice._components.sums import FieldSums
from suffice._core.records import record

ROUNDING = 1e-12  # of a sum: what is left below that, after something was taken out, is nothing
CELLS = 1 << 22  # of a dense block, which is copied where cells are missing
SMALL = gammaln(np.arange(1.0, 1025.0))  # log x! of most counts


@record
class Terms:
    """What a cell adds to a log density for each unit of its value, and merely by being known: (D, K) each."""

    per_unit: np.ndarray
    per_cell: Any = None

    @classmethod
    def of(cls, per_unit: np.ndarray, per_cell: np.ndarray | None = None) -> Terms:
        """From tables (K, D), turned into the order in which sparse rows are multiplied with them."""
        known = None if per_cell is None else np.ascontiguousarray(per_cell.T)
        return cls(np.ascontiguousarray(per_unit.T), known)

    @classmethod
    def of_zeros(cls, table: np.ndarray) -> Terms | None:
        """One for each unit where a parameter is zero; None where none is."""
        zero = table == 0
        return cls.of(zero * 1.0) if zero.any() else None

    @cached_property
    def all_known(self) -> Any:
        """Σ_d v_kd."""
        return 0.0 if self.per_cell is None else self.per_cell.sum(axis=0)


@record
class CellSums(FieldSums):
    """Weight (K,), weighted sums of known cells (K, D), and the weight of missing ones (K, D), or zero."""

    n: np.ndarray
    total: np.ndarray
    missing: Any = 0.0

    @property
    def known(self) -> np.ndarray:
        """The weight of known cells, (K, D) or (K, 1)."""
        return self.without(self.missing)

    def without(self, gone: Any) -> np.ndarray:
        """Weight less what is gone."""
        return remaining(self.n[:, None], gone)


@record
class Cells:
    """A table with zeros in place of missing cells, and these as a table of 0 and 1; None where none is missing."""

    values: Any
    gaps: Any = None

    @classmethod
    def of(cls, X: Any) -> Cells:
        return cls(*without_gaps(X))

    def logs(self, terms: Terms) -> np.ndarray:
        """Σ x u + v over the known cells, (N, K)."""
        out = times(self.values, terms.per_unit) + terms.all_known
        if self.gaps is None or terms.per_cell is None:
            return out
        return out - times(self.gaps, terms.per_cell)

    def sums(self, responsibilities: np.ndarray) -> CellSums:
        """Under responsibilities (N, K)."""
        missing = 0.0 if self.gaps is None else times(self.gaps.T, responsibilities).T
        return CellSums(responsibilities.sum(axis=0), times(self.values.T, responsibilities).T, missing)


def times(table: Any, matrix: np.ndarray) -> np.ndarray:
    """Their product; `np.dot` gives up the interpreter's lock, `@` of dense tables does not."""
    return table @ matrix if sparse.issparse(table) else np.dot(table, matrix)


def remaining(whole: np.ndarray, gone: Any) -> np.ndarray:
    """whole − gone, where a rest of pure rounding is zero."""
    rest = whole - gone
    return np.where(rest > ROUNDING * whole, rest, 0.0)


def canonical(X: Any) -> Any:
    """Every cell stored once; thresholds and factorials are not sums, so parts of a cell would not do."""
    if sparse.issparse(X) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def without_gaps(X: Any) -> tuple[Any, Any]:
    """The table with zeros in place of missing cells, and where these are, as a table of 0 and 1 or None."""
    data = X.data if sparse.issparse(X) else X
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isnan(data.sum()):  # one pass and no copy where nothing is missing
            return X, None
    gaps = np.isnan(data)
    if not gaps.any():
        return X, None
    return with_data(X, np.where(gaps, 0.0, data)), with_data(X, gaps.astype(float))


def with_data(X: Any, data: np.ndarray) -> Any:
    """Other values in the same cells."""
    return sparse.csr_array((data, X.indices, X.indptr), shape=X.shape) if sparse.issparse(X) else data


def block_of(n_columns: int) -> int:
    """Rows at a time: few enough to copy, and enough to be worth the sums (K, D) of a block."""
    return int(np.clip(CELLS // max(n_columns, 1), 1024, 8192))


def log_factorials(values: Any) -> np.ndarray:
    """Σ_d log x_nd! of rows without gaps, (N,)."""
    data = values.data if sparse.issparse(values) else values
    small = data.max(initial=0.0) < len(SMALL)
    logs = SMALL[data.astype(np.intp)] if small else gammaln(data + 1)
    return times(with_data(values, logs), np.ones(values.shape[1]))


def possible(logs: np.ndarray) -> np.ndarray:
    """Logarithms with zero in place of −inf, which is counted apart: 0 · log 0 = 0."""
    return np.where(np.isneginf(logs), 0.0, logs)


def log_of(values: np.ndarray) -> np.ndarray:
    """log, −inf at zero."""
    with np.errstate(divide="ignore"):
        return np.log(values)
