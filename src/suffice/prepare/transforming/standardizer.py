r"""Columns in units of their own spread (DTU §2.4).

z = (x − m) / s,   m = Σ w x / n,   s² = Σ w (x − m)² / n        over the cells that are there

The divisor is n, as in scikit-learn and in `standardize=True` of every model here; the text divides by n − 1,
which makes every z smaller by the same factor √((n − 1)/n).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Self, final

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin

from suffice._core.errors import InvalidInput, check_flags
from suffice._core.numerics import first_nonfinite
from suffice._core.records import estimator, frozen_array, record
from suffice._core.table_checks import check_array, validate_data
from suffice._estimator import (
    check_is_fitted,
    check_not_empty,
    check_weight,
    open_table,
    remember_columns,
)
from suffice._estimator.tags import KeepsPrecision
from suffice.engine import Rows, parallel, reduce
from suffice.engine.reduce import CHUNK
from suffice.prepare.transforming._shells import NUMBERS, Summing
from suffice.statistics import Header
from suffice.statistics.columns import ColumnMoments, gather_columns
from suffice.tables.requiring import refuse_times_and_text


@record
class Scaling:
    """z = (x − center) / scale, column by column, and back."""

    center: np.ndarray
    scale: np.ndarray

    def __call__(self, X: Any) -> Any:
        """z of a dense or CSR table, in the precision of X."""
        if sparse.issparse(X):
            return _with_data(X, X.data / self.scale[X.indices])
        return _by_chunks(X, lambda x: (x - self.center) / self.scale)

    def inverse(self, Z: Any) -> Any:
        """x of a dense or CSR table, in the precision of Z."""
        if sparse.issparse(Z):
            return _with_data(Z, Z.data * self.scale[Z.indices])
        return _by_chunks(Z, lambda z: z * self.scale + self.center)


def scaling(m: ColumnMoments, with_mean: bool, with_std: bool) -> Scaling:
    """Means and standard deviations; 1 for a constant column, NaN for one without cells."""
    unseen = np.where(m.n > 0, 0.0, np.nan)
    center = unseen + m.mean if with_mean else np.zeros_like(m.mean)
    scale = unseen + np.where(m.constant, 1.0, m.std) if with_std else np.ones_like(m.norm)
    return Scaling(frozen_array(center), frozen_array(scale))


def _with_data(X: Any, data: np.ndarray) -> Any:
    return type(X)((data.astype(X.dtype), X.indices.copy(), X.indptr.copy()), shape=X.shape)


def _by_chunks(X: np.ndarray, function: Any) -> np.ndarray:
    """`function` of some rows at a time, over threads, into an array like X."""
    out = np.empty_like(X)

    def one(a: int) -> None:
        out[a : a + CHUNK] = function(X[a : a + CHUNK])

    parallel(one, range(0, len(X), CHUNK))
    return out


@final
@estimator
class Standardizer(KeepsPrecision, OneToOneFeatureMixin, Summing):
    """Columns with mean zero and standard deviation one, from statistics that add.

    Parameters
    ----------
    with_mean
        Whether to subtract the mean of each column. Not possible for sparse tables, which it would fill.
    with_std
        Whether to divide by the standard deviation of each column (divisor n).

    Notes
    -----
    Missing cells (NaN) are left out of their column's mean and standard deviation, and stay missing.
    A column that does not vary (spread within 16 eps of its size) is divided by 1. A column without any
    cell at `fit` has no mean; values in it at `transform` are an error.

    `state_` holds what was learned: `center` and `scale`, whatever the parameters. `mean_`, `var_` and
    `scale_` are scikit-learn's names for it, and None where scikit-learn's are.

    Examples
    --------
    >>> from suffice.prepare import Standardizer
    >>> model = Standardizer().fit([[1.0, 10.0], [3.0, 10.0]])
    >>> model.state_
    Scaling(center=[ 2., 10.], scale=[1., 1.])
    >>> model.partial_fit([[8.0, 13.0]]).transform([[4.0, 11.0]])
    array([[0., 0.]])
    """

    _: KW_ONLY
    with_mean: bool = True
    with_std: bool = True

    statistics_: ColumnMoments = field(init=False)
    state_: Scaling = field(init=False)
    mean_: np.ndarray | None = field(init=False)
    var_: np.ndarray | None = field(init=False)
    scale_: np.ndarray | None = field(init=False)
    n_samples_seen_: Any = field(init=False)

    # -- statistics -------------------------------------------------------------------------------
    @property
    def statistics_key(self) -> None:
        """The parameters do not change what is counted."""

    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Header | None = None
    ) -> tuple[Rows, Header]:
        """Validated rows and their columns; with `like`, the columns of an earlier table."""
        refuse_times_and_text(X)
        X, Y, header = open_table(self, X, supervised=False, like=like, finite=False)
        self._check_cells(X, header.feature_names)
        return Rows(X, Y, check_weight(sample_weight, X)), header

    def gather(self, rows: Rows, plan: Header) -> ColumnMoments:
        """Statistics of validated rows."""
        return reduce(rows, _step, plan)

    def plan_of(self, statistics: ColumnMoments) -> Header:
        """The columns."""
        return statistics.header

    def solve(self, statistics: ColumnMoments) -> Self:
        """Write every fitted attribute from the statistics."""
        m = statistics
        check_flags(self, "with_mean", "with_std")
        _check_known(m)
        state = scaling(m, self.with_mean, self.with_std)
        self.statistics_, self.state_ = m, state
        self.mean_ = scaling(m, True, False).center if self.with_mean or self.with_std else None
        self.var_ = m.variance if self.with_std else None
        self.scale_ = state.scale if self.with_std else None
        self.n_samples_seen_ = float(m.n[0]) if np.all(m.n == m.n[0]) else m.n
        remember_columns(self, m.header)
        return self

    # -- transformation ---------------------------------------------------------------------------
    def transform(self, X: Any) -> Any:
        """Standardized columns; missing cells stay missing, and float32 stays float32."""
        check_is_fitted(self)
        refuse_times_and_text(X)
        X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=NUMBERS, ensure_all_finite=False)
        self._check_cells(X, self.statistics_.header.feature_names)
        _check_seen(X, self.statistics_, self.state_)
        return self.state_(X)

    def inverse_transform(self, X: Any) -> Any:
        """The columns in their original units."""
        check_is_fitted(self)
        Z = check_array(X, accept_sparse="csr", dtype=NUMBERS, ensure_all_finite=False)
        if Z.shape[1] != self.n_features_in_:
            raise InvalidInput(
                f"X has {Z.shape[1]} columns, but this Standardizer was fitted to {self.n_features_in_}."
            )
        self._check_cells(Z, self.statistics_.header.feature_names)
        return self.state_.inverse(Z)

    def _check_cells(self, X: Any, names: tuple[str, ...]) -> None:
        """No infinity anywhere, and nothing sparse to be centred."""
        if sparse.issparse(X) and self.with_mean:
            raise InvalidInput(
                "Cannot center sparse matrices, which would fill their zeros; use with_mean=False or a dense table."
            )
        _refuse_infinite(X, names)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = not self.with_mean
        return tags


def _step(rows: Rows, header: Header) -> ColumnMoments:
    return gather_columns(header, rows.X, rows.weight)


# -- refusals -----------------------------------------------------------------------------------------
def _refuse_infinite(X: Any, names: tuple[str, ...]) -> None:
    data = X.data if sparse.issparse(X) else X
    if any(parallel(lambda a: _has_infinity(data[a : a + CHUNK]), range(0, len(data), CHUNK))):
        X = X.toarray() if sparse.issparse(X) else X
        place = first_nonfinite(np.where(np.isnan(X), 0.0, X), names)
        raise InvalidInput(f"X contains {place}. Remove such rows, or mark the cell as missing (NaN).")


def _has_infinity(values: np.ndarray) -> bool:
    """A finite sum has only finite terms; the converse needs a second look."""
    with np.errstate(all="ignore"):
        return not np.isfinite(np.sum(values)) and bool(np.isinf(values).any())


def _check_known(m: ColumnMoments) -> None:
    check_not_empty(m.weight)
    large = ~(np.isfinite(m.mean) & np.isfinite(m.norm))
    if large.any():
        name = m.header.feature_names[int(np.argmax(large))]
        raise InvalidInput(f"Column {name!r} has numbers too large to be summed; rescale it.")


def _check_seen(X: Any, m: ColumnMoments, state: Scaling) -> None:
    """A value where the fit had none has no place on the scale."""
    for j in np.flatnonzero(np.isnan(state.center + state.scale)):
        there = ~np.isnan(X[:, [j]].toarray() if sparse.issparse(X) else X[:, j])
        if there.any():
            raise InvalidInput(
                f"Column {m.header.feature_names[j]!r} had no cell at fit, so its value at row "
                f"{int(np.argmax(there))} cannot be standardized; fit rows that have it, or drop the column."
            )
