"""A model of some columns of a table; the others have no say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self, final

import numpy as np
from sklearn.base import RegressorMixin, clone

from suffice._core.errors import InvalidInput
from suffice._core.records import storable
from suffice._estimator import Estimator, check_is_fitted, check_weight, open_table, remember_columns


@final
@storable
@dataclass(eq=False, repr=False)
class OnColumns(RegressorMixin, Estimator):
    """Fits a model to some columns, by their places, and predicts from these.

    Parameters
    ----------
    model
        A regressor with `predict_dist`.
    columns
        Places of the columns it sees; none for a fit to all.

    Attributes
    ----------
    model_
        The model of these columns.

    Examples
    --------
    >>> from suffice.linear import LinearRegression
    >>> from suffice.study.models.on_columns import OnColumns
    >>> model = OnColumns(LinearRegression(), columns=(1,)).fit([[5.0, 1], [1.0, 2], [7.0, 4]], [2.0, 4.0, 8.0])
    >>> float(model.predict([[100.0, 3.0]])[0].round(6))
    6.0
    """

    model: Any
    columns: tuple[int, ...] = ()

    model_: Any = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    def check_loaded(self) -> int:
        """Nothing is made; raises for places of columns that are not there."""
        seen = len(self.columns) or self.n_features_in_
        if max(self.columns, default=-1) >= self.n_features_in_ or self.model_.n_features_in_ != seen:
            raise InvalidInput(f"columns {self.columns!r:.80} are not those that the model was fitted to.")
        return 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to the columns; `sample_weight` counts rows."""
        X, Y, header = open_table(self, X, y)
        weight = check_weight(sample_weight, X)
        counted = {} if weight is None else {"sample_weight": weight}
        self.model_ = clone(self.model).fit(self._seen(X), Y[:, 0], **counted)
        remember_columns(self, header)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """What the model predicts from its columns."""
        check_is_fitted(self)
        return self.model_.predict(self._seen(np.asarray(X, dtype=float)))

    def predict_dist(self, X: Any) -> Any:
        """What the model states from its columns."""
        check_is_fitted(self)
        return self.model_.predict_dist(self._seen(np.asarray(X, dtype=float)))

    def _seen(self, X: np.ndarray) -> np.ndarray:
        return X[:, list(self.columns)] if self.columns else X

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")
