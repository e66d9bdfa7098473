"""What models share whose fit factors through sums over rows.

table ─▶ door ─▶ rows, plan ─▶ gather ─▶ statistics that add ─▶ solve ─▶ fitted attributes
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from suffice._core.errors import InvalidInput, NotFinite
from suffice._estimator.estimator import refuse_nonfinite
from suffice.engine import Rows, one_blas_thread


@dataclass(eq=False, repr=False)
class FromSums(ABC):
    """Fits from statistics that add, all at once or in pieces. An estimator adds how rows are counted and solved."""

    statistics_: Any = field(init=False)

    reported: ClassVar[Callable[..., Any]]  # that of the estimator
    gaps_show: ClassVar[bool] = False  # whether statistics show NaN in X, so that the door need not look
    _weights_in_precision_of_X: ClassVar[tuple[str, ...]] = ()  # what is float32 for a float32 table

    # -- what a model says ------------------------------------------------------------------------
    @property
    @abstractmethod
    def state_needs_data(self) -> bool:
        """Whether the door takes more from the rows than their columns, such as centers or knots."""

    @property
    @abstractmethod
    def statistics_key(self) -> Hashable:
        """Models with equal keys collect equal statistics."""

    @abstractmethod
    def door(self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Any = None) -> tuple[Rows, Any]:
        """Validated rows and a plan of their columns; with `like`, the plan of an earlier table."""

    @abstractmethod
    def plan_of(self, statistics: Any) -> Any:
        """The plan under which rows are counted so that they add to these statistics."""

    @abstractmethod
    def gather(self, rows: Rows, plan: Any) -> Any:
        """Statistics of validated rows."""

    @abstractmethod
    def solve(self, statistics: Any) -> Self:
        """Write every fitted attribute from the statistics."""

    # -- fits -------------------------------------------------------------------------------------
    def collect(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Any = None, **options: Any
    ) -> Any:
        """Statistics of a table; writes nothing to the model. With `like`, they add to earlier ones."""
        plan = None if like is None else self.plan_of(like)
        options |= {"finite": False} if self.gaps_show else {}
        with one_blas_thread():
            rows, plan = self.door(X, y, sample_weight, like=plan, **options)
            try:
                return self.gather(rows, plan)
            except NotFinite:  # a sum has shown that some cell is NaN; the rows say which
                refuse_nonfinite("X", rows.X, plan.header.feature_names)
                raise

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            What is to be predicted: a target, several in columns, or labels. Transformers ignore it.
        sample_weight
            How often each row counts.
        """
        return self.reported(lambda tick: self._fit(X, y, sample_weight))._rounded_as(X)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        return self.solve(self.collect(X, y, sample_weight))

    def _rounded_as(self, X: Any) -> Self:
        """Weights of a float32 table are given in float32, as scikit-learn's are; predictions keep all digits.

        Losses read off statistics equal those of refits to 1e-9, which float32 predictions would not.
        """
        if getattr(X, "dtype", None) == np.float32:
            for name in self._weights_in_precision_of_X:
                if name in self.__dict__:
                    setattr(self, name, getattr(self, name).astype(np.float32))
        return self


class AddsRows:
    """`partial_fit` of what is fitted from sums, but for classifiers (`LabelledRows` has theirs)."""

    fit: Callable[..., Self]  # these are those of `FromSums`
    collect: Callable[..., Any]
    solve: Callable[..., Self]

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to those already seen; the same as fitting all of them at once."""
        earlier = getattr(self, "statistics_", None)
        if earlier is None:
            return self.fit(X, y, sample_weight)
        return self.solve(earlier + self.collect(X, y, sample_weight, like=earlier))


def check_not_empty(total_weight: float) -> None:
    """A model needs a row."""
    if not total_weight > 0:
        raise InvalidInput("There are no rows with positive weight; a fit needs at least one.")
