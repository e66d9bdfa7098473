"""What the transformers share: those that learn from sums over rows, and those that learn nothing but the columns.

Summing   table ─▶ door ─▶ rows, plan ─▶ gather ─▶ statistics ─▶ solve ─▶ state_
Fixed     table ─▶ columns ─▶ state_: the same map whatever the rows are
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import TransformerMixin

from suffice._core.errors import InvalidInput
from suffice._core.table_checks import check_array
from suffice._estimator import (
    AddsRows,
    Estimator,
    FromSums,
    check_is_fitted,
    open_inputs,
    open_table,
    refuse_nonfinite,
    remember_columns,
)
from suffice._estimator.tags import KeepsPrecision
from suffice.tables import requiring
from suffice.tables.requiring import refuse_times_and_text

NUMBERS = [np.float64, np.float32]


class Summing(FromSums, AddsRows, TransformerMixin, Estimator, ABC):
    """A transformer whose fit factors through statistics that add."""

    state_: Any

    @property
    def state_needs_data(self) -> bool:
        """Everything learned is a function of the statistics."""
        return False


@dataclass(eq=False, repr=False)
class Fixed(KeepsPrecision, TransformerMixin, Estimator, ABC):
    """A transformer that does the same to a row whatever the other rows are; missing cells stay missing."""

    state_: Any = field(init=False)

    _input_tags: ClassVar[tuple[str, ...]] = ("allow_nan",)

    @abstractmethod
    def _resolved(self, names: tuple[str, ...]) -> Any:
        """The map for these columns, or an error that names a parameter."""

    @abstractmethod
    def _check_cells(self, X: Any, names: tuple[str, ...], state: Any) -> None:
        """Raise for cells that the map `state` is not defined for."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters against the columns of X; nothing is learned from the rows, and y is ignored."""
        refuse_times_and_text(X)
        X, _, header = open_table(self, X, supervised=False, gaps=True)
        state = self._resolved(header.feature_names)
        self._check_cells(X, header.feature_names, state)
        self.state_ = state
        remember_columns(self, header)
        return self

    def transform(self, X: Any) -> Any:
        """The map of each row; float32 stays float32."""
        refuse_times_and_text(X)
        X = open_inputs(self, X, gaps=True)
        self._check_cells(X, names_in(self), self.state_)
        return self.state_(X)


def names_in(estimator: Any) -> tuple[str, ...]:
    """What the columns of the fit are called."""
    names = getattr(estimator, "feature_names_in_", None)
    return (
        tuple(f"x{j}" for j in range(estimator.n_features_in_)) if names is None else tuple(map(str, names))
    )


def refuse_sparse(estimator: Any, X: Any) -> None:
    """Raise for a sparse table, unless the tags of the transformer say that it takes them."""
    if sparse.issparse(X) and not estimator.__sklearn_tags__().input_tags.sparse:
        requiring.refuse_sparse(
            X, type(estimator).__name__, "sparse tables with these parameters", "their zeros would be filled"
        )


def open_outputs(estimator: Any, Z: Any, width: int, names: tuple[str, ...]) -> np.ndarray:
    """The door of an inverse: a dense table of numbers with as many columns as `transform` gives."""
    check_is_fitted(estimator)
    Z = check_array(Z, dtype=NUMBERS, ensure_all_finite=False)
    if Z.shape[1] != width:
        raise InvalidInput(
            f"X has {Z.shape[1]} columns, but transform of this {type(estimator).__name__} gives {width}."
        )
    refuse_nonfinite("X", Z, names, gaps=True)
    return Z
