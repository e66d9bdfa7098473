r"""Tomorrow is like today: the value of one column, taken as it is (DTU §10.3.3).

y | x ~ N(x_j, σ²),   σ̂² = Σ w (y − x_j)² / n

On a table of lags (`suffice.prepare.embed`) column j is the newest value of the series, and a model that
does not beat it has learned nothing from the past.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field
from typing import Any, Self

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.records import estimator, record
from suffice._estimator import (
    AddsRows,
    Estimator,
    FromSums,
    check_is_fitted,
    check_not_empty,
    check_weight,
    open_inputs,
    open_table,
    remember_columns,
)
from suffice.bases._base import Frameless
from suffice.distributions import Normal
from suffice.engine import Rows, reduce
from suffice.statistics import Frame, Header, Layout, Triangle, gather


@record
class Column(Frameless):
    """One of the input columns, so that statistics see no other."""

    position: int

    @property
    def needs_data(self) -> bool:
        return False

    def resolve(self, X: np.ndarray) -> Column:
        return self

    def design(self, X: np.ndarray, frame: Frame | None) -> np.ndarray:
        return X[:, [self.position]]

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        return (features[self.position],)

    def size(self, n_features: int) -> int:
        if self.position >= n_features:
            raise InvalidInput(f"There is no column {self.position}; there are {n_features}.")
        return 1

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        return ((self.position,),)


@estimator
class LastValue(FromSums, AddsRows, MultiOutputMixin, RegressorMixin, Estimator):
    """Predicts the value of one column: for a table of lags, that nothing changes.

    The prediction needs no data; fitting finds how far it is off. `predict_dist` is a Normal at the value with
    the mean square of these errors as its variance.

    Parameters
    ----------
    column
        Position of the column, negative ones counted from the end, or its name. `Embedding.newest` is the
        position of the newest lag. Several targets are all predicted by it.

    Examples
    --------
    >>> from suffice.baselines import LastValue
    >>> from suffice.prepare import embed
    >>> table = embed([10, 11, 13, 16, 20], p=2)
    >>> model = LastValue().fit(table.X, table.y)
    >>> model.predict([[16, 20]]), round(model.noise_variance_ml_, 4)
    (array([20.]), 9.6667)
    """

    column: int | str = -1

    statistics_: Triangle = field(init=False)
    column_: int = field(init=False)
    noise_variance_ml_: Any = field(init=False)

    # -- statistics -------------------------------------------------------------------------------
    @property
    def state_needs_data(self) -> bool:
        """No: the column is known before the rows are."""
        return False

    @property
    def statistics_key(self) -> Hashable:
        """Models of the same column collect the same statistics."""
        return self.column

    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Layout | None = None
    ) -> tuple[Rows, Layout]:
        """Validated rows and where their columns sit; with `like`, the columns of an earlier table."""
        X, Y, header = open_table(self, X, y, like=None if like is None else like.header)
        basis = Column(position(self.column, header))
        header = Header(header.n_features, header.features, basis, header.n_targets)
        weight = check_weight(sample_weight, X)
        return Rows(X, Y, weight), Layout.plan(header, X, Y, weight)

    def gather(self, rows: Rows, layout: Layout) -> Triangle:
        """Statistics of validated rows."""
        return reduce(rows, _step, layout)

    def plan_of(self, statistics: Triangle) -> Layout:
        """Where the column and the targets of a triangle sit."""
        return statistics.layout

    def solve(self, statistics: Triangle) -> Self:
        """Write every fitted attribute from the statistics."""
        t = statistics
        check_not_empty(t.n)
        self.statistics_, self.column_ = t, t.header.basis.position
        variance = squared_changes(t) / t.n
        self.noise_variance_ml_ = float(variance[0]) if t.header.n_targets is None else variance
        remember_columns(self, t.header)
        return self

    # -- prediction ---------------------------------------------------------------------------------
    def predict(self, X: Any) -> np.ndarray:
        """The value of the column."""
        check_is_fitted(self)
        header = self.statistics_.header
        values = self.statistics_.layout.design(open_inputs(self, X))  # (N, 1)
        return values[:, 0] if header.n_targets is None else np.repeat(values, header.n_outputs, axis=1)

    def predict_dist(self, X: Any) -> Normal:
        """Normal at the value, with the mean square of the errors seen."""
        mean = self.predict(X)
        return Normal(mean, np.sqrt(np.broadcast_to(self.noise_variance_ml_, mean.shape)))

    def squared_error(self, statistics: Triangle) -> float:
        """Total squared error on the rows of a statistic, mean over targets, without seeing the rows."""
        return float(squared_changes(statistics).mean())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.regressor_tags.poor_score = True  # the checks' columns are no lags of their targets
        return tags


def squared_changes(t: Triangle) -> np.ndarray:
    """Σ w (y − x_j)² per target: the squared error of the slope one through the origin."""
    k = t.header.n_outputs
    return t.squared_error(np.ones((1, k)), t.layout.shift_x - t.layout.shift_y)


def position(column: Any, header: Header) -> int:
    """Where the column stands, counted from zero."""
    d, names = header.n_features, header.features
    if isinstance(column, str):
        if names is None or column not in names:
            known = "X has no column names" if names is None else f"X has {', '.join(names)}"
            raise InvalidParameter(
                f"column must be the name of a column or a position; got {column!r}, but {known}."
            )
        return names.index(column)
    if isinstance(column, bool) or not isinstance(column, int | np.integer):
        raise InvalidParameter(f"column must be a position or the name of a column; got {column!r}.")
    if not -d <= column < d:
        raise InvalidParameter(
            f"column must lie between {-d} and {d - 1}, as X has n_features = {d}; got {column!r}."
        )
    return int(column) % d


def _step(rows: Rows, layout: Layout) -> Triangle:
    return gather(layout, rows.X, rows.Y, rows.weight)
