r"""Columns about their means (DTU §2.4).

z = x − m,   m = Σ w x / n        over the cells that are there
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Self, final

import numpy as np
from sklearn.base import OneToOneFeatureMixin

from suffice._core.records import estimator, frozen_array, record
from suffice._estimator import check_weight, open_inputs, open_table, remember_columns
from suffice._estimator.tags import KeepsPrecision
from suffice.engine import Rows, reduce
from suffice.prepare.transforming._shells import Summing, open_outputs, refuse_sparse
from suffice.prepare.transforming.standardizer import _by_chunks, _check_known, _check_seen, _step, scaling
from suffice.statistics import Header
from suffice.statistics.columns import ColumnMoments
from suffice.tables.requiring import refuse_times_and_text


@record
class Centering:
    """z = x − center, column by column, and back."""

    center: np.ndarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """z in the precision of X."""
        return _by_chunks(X, lambda x: x - self.center)

    def inverse(self, Z: np.ndarray) -> np.ndarray:
        """x in the precision of Z."""
        return _by_chunks(Z, lambda z: z + self.center)


@final
@estimator
class Centerer(KeepsPrecision, OneToOneFeatureMixin, Summing):
    """Columns with mean zero in their own units, from statistics that add.

    Notes
    -----
    Missing cells (NaN) are left out of their column's mean and stay missing. A column without any cell at `fit` has
    no mean; values in it at `transform` are an error. Sparse tables are refused, for centering fills their zeros.

    Examples
    --------
    >>> from suffice.prepare import Centerer
    >>> model = Centerer().fit([[1.0, 10.0], [3.0, 10.0]])
    >>> model.state_
    Centering(center=[ 2., 10.])
    >>> model.partial_fit([[8.0, 13.0]]).transform([[4.0, 11.0]])
    array([[0., 0.]])
    """

    statistics_: ColumnMoments = field(init=False)
    state_: Centering = field(init=False)
    mean_: np.ndarray = field(init=False)

    _input_tags = ("allow_nan",)

    @property
    def statistics_key(self) -> None:
        """The parameters do not change what is counted."""

    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Header | None = None
    ) -> tuple[Rows, Header]:
        """Validated rows and their columns; with `like`, the columns of an earlier table."""
        refuse_times_and_text(X)
        X, Y, header = open_table(self, X, supervised=False, like=like, gaps=True)
        refuse_sparse(self, X)
        return Rows(X, Y, check_weight(sample_weight, X)), header

    def plan_of(self, statistics: ColumnMoments) -> Header:
        """The columns."""
        return statistics.header

    def gather(self, rows: Rows, plan: Header) -> ColumnMoments:
        """Statistics of validated rows."""
        return reduce(rows, _step, plan)

    def solve(self, statistics: ColumnMoments) -> Self:
        """Write the means."""
        _check_known(statistics)
        self.mean_ = scaling(statistics, True, False).center
        self.statistics_, self.state_ = statistics, Centering(frozen_array(self.mean_))
        remember_columns(self, statistics.header)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Centered columns; missing cells stay missing, and float32 stays float32."""
        refuse_times_and_text(X)
        X = open_inputs(self, X, gaps=True)
        refuse_sparse(self, X)
        _check_seen(X, self.statistics_, scaling(self.statistics_, True, False))
        return self.state_(X)

    def inverse_transform(self, X: Any) -> np.ndarray:
        """The columns about their means again."""
        Z = open_outputs(self, X, getattr(self, "n_features_in_", 0), ())
        return self.state_.inverse(Z)
