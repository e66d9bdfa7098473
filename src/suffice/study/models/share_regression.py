r"""Shares whose log odds are linear: the binomial model of trials, or the same without their number.

Model        E y = p,  log p/(1 − p) = b + xᵀ w,  var y = φ p (1 − p) / m      (m trials; 1 where they are not known)
Estimate     logistic regression of every row as m y ones and m (1 − y) zeros;  φ = Σ m (y − p)² / (p (1 − p)) / (n − k)
Predictive   Beta with the mean p and the variance φ p (1 − p) / m + (p (1 − p))² s², s² that of b + xᵀ w
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self, final

import numpy as np
from scipy.special import ndtri
from sklearn.base import RegressorMixin

from suffice._core.errors import InvalidInput
from suffice._core.records import storable
from suffice._estimator import Estimator, check_is_fitted, check_weight, open_table, remember_columns
from suffice.distributions import Beta
from suffice.glm import LogisticRegression

LEAST = 1e-6  # distance of a predicted share from 0 and 1
WORTH_OF_A_ROW = 1.0  # precision of the weights of standardized columns


@final
@storable
@dataclass(eq=False, repr=False)
class ShareRegression(RegressorMixin, Estimator):
    """Numbers from 0 to 1 by logistic regression, each row weighed by its trials where their number is known.

    Parameters
    ----------
    trials
        The position of the column with the number of trials; None where each row counts the same.

    Attributes
    ----------
    dispersion_
        φ, in units of the variance of binomial shares.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.study.models.share_regression import ShareRegression
    >>> rng = np.random.default_rng(0)
    >>> x, m = rng.normal(size=500), rng.integers(20, 200, 500)
    >>> y = rng.binomial(m, 1 / (1 + np.exp(-x))) / m
    >>> model = ShareRegression(trials=1).fit(np.column_stack([x, m]), y)
    >>> print(f"weight {model.coef_[0]:.2f}, dispersion {model.dispersion_:.2f}")
    weight 1.02, dispersion 1.00
    """

    trials: int | None = None

    model_: LogisticRegression = field(init=False)
    dispersion_: float = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to a table of shares; `sample_weight` counts rows."""
        X, Y, header = open_table(self, X, y)
        weight, y = check_weight(sample_weight, X), Y[:, 0]
        if not np.all((y >= 0) & (y <= 1)):
            raise InvalidInput(f"Shares lie between 0 and 1; got {y.min():g} to {y.max():g}.")
        w = self._trials(X) * (1.0 if weight is None else weight)
        used = np.concatenate([w * y, w * (1 - y)])
        rows, labels = np.vstack([X, X])[used > 0], np.repeat([1, 0], len(y))[used > 0]
        model = LogisticRegression(prior_precision=WORTH_OF_A_ROW, standardize=True)
        self.model_ = model.fit(rows, labels, sample_weight=used[used > 0])
        p = np.clip(self.model_.predict_proba(X)[:, 1], LEAST, 1 - LEAST)
        left = (len(y) if weight is None else float(weight.sum())) - X.shape[1] - 1
        self.dispersion_ = float(np.sum(w * (y - p) ** 2 / (p * (1 - p)))) / max(left, 1.0)
        remember_columns(self, header)
        return self

    def _trials(self, X: Any) -> np.ndarray:
        X = np.asarray(X, dtype=float)
        return np.ones(len(X)) if self.trials is None else np.maximum(X[:, self.trials], 1.0)

    @property
    def coef_(self) -> np.ndarray:
        """Weights of the log odds."""
        return self.model_.coef_.ravel()

    def summary(self, confidence: float = 0.95) -> Any:
        """Weights, with standard errors grown by the root of the dispersion."""
        s = self.model_.summary(confidence)
        error = np.sqrt(self.dispersion_) * s.std_error
        half = float(ndtri(0.5 + confidence / 2)) * error
        return replace(s, std_error=error, low=s.estimate - half, high=s.estimate + half)

    def predict(self, X: Any) -> np.ndarray:
        """The expected share."""
        check_is_fitted(self)
        return np.clip(self.model_.predict_proba(X)[:, 1], LEAST, 1 - LEAST)

    def predict_dist(self, X: Any) -> Beta:
        """Beta, with the weights' uncertainty in its variance."""
        p = self.predict(X)
        round_ = p * (1 - p)
        lines = np.column_stack([np.ones(len(p)), np.asarray(X, dtype=float)]) @ self.model_.root_
        unsure = self.dispersion_ * np.nan_to_num(np.sum(lines**2, axis=1))
        size = 1 / np.clip(self.dispersion_ / self._trials(X) + round_ * unsure, LEAST, 1 - LEAST) - 1
        return Beta(p * size, (1 - p) * size)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")
