r"""A linear model of the logarithm of a positive target, which predicts the target itself.

Model        log y = b + xᵀ w + ε
Mean         E y = e^{b + xᵀ w} E e^ε, with the mean of e^ε over the rows of the fit (Duan's smearing): no normal ε is
             assumed
Predictive   log-normal, with the mean and the standard deviation that the model states for the logarithm

An exponential of a line soon leaves all that was ever seen, so b + xᵀ w counts as no more than the largest log y.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self, final

import numpy as np
from sklearn.base import RegressorMixin, clone

from suffice._core.errors import InvalidInput
from suffice._core.records import storable
from suffice._estimator import Estimator, check_is_fitted, check_weight, open_table, remember_columns
from suffice.study.models.log_normal import LogNormal


@final
@storable
@dataclass(eq=False, repr=False)
class LogScale(RegressorMixin, Estimator):
    """Fits a model to the logarithms of the targets, and predicts their mean on the scale they came in.

    Parameters
    ----------
    model
        A regressor with `predict_dist`.

    Attributes
    ----------
    model_
        The model of the logarithms.
    smearing_
        The mean of e^residual: by how much the mean exceeds e to the mean logarithm.
    largest_
        The largest logarithm of the targets, which no predicted one exceeds.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.linear import LinearRegression
    >>> from suffice.study.models.log_scale import LogScale
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(2000, 1))
    >>> y = np.exp(1.0 + 0.5 * x[:, 0] + 0.8 * rng.normal(size=2000))
    >>> model = LogScale(LinearRegression()).fit(x, y)
    >>> print(f"{model.predict([[0.0]])[0]:.2f}; the mean is {np.exp(1.0 + 0.8**2 / 2):.2f}")
    3.75; the mean is 3.74
    """

    model: Any

    model_: Any = field(init=False)
    smearing_: float = field(init=False)
    largest_: float = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to the logarithms; `sample_weight` counts rows."""
        X, Y, header = open_table(self, X, y)
        weight, y = check_weight(sample_weight, X), Y[:, 0]
        if not np.all(y > 0):
            row = int(np.argmin(y))
            raise InvalidInput(f"A logarithm needs targets above 0; got {y[row]:g} at row {row}.")
        self.model_ = clone(self.model).fit(
            X, np.log(y), **({} if weight is None else {"sample_weight": weight})
        )
        self.largest_ = float(np.log(y.max()))
        residual = np.log(y) - self.model_.predict(X)
        self.smearing_ = float(np.average(np.exp(residual), weights=weight))
        remember_columns(self, header)
        return self

    @property
    def coef_(self) -> np.ndarray:
        """Weights of the logarithm."""
        return self.model_.coef_

    @property
    def intercept_(self) -> float:
        """Constant of the logarithm."""
        return self.model_.intercept_

    def predict(self, X: Any) -> np.ndarray:
        """The mean of every row."""
        check_is_fitted(self)
        return self.smearing_ * np.exp(np.minimum(self.model_.predict(X), self.largest_))

    def predict_dist(self, X: Any) -> LogNormal:
        """Log-normal; its mean is that of `predict` as far as the residuals are normal."""
        check_is_fitted(self)
        d = self.model_.predict_dist(X)
        return LogNormal(np.minimum(d.mean, self.largest_), d.std)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")
