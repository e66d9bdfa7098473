r"""Negative binomial regression: counts with more scatter than Poisson's, whose amount each fit finds.

Model        y ~ NB(μ, α),  log μ = b + xᵀ w,  var y = μ + α μ²
Estimate     w and α in turn: w maximizes Σ log p(y | w, α) − (λ/2) ‖w‖² of standardized columns,
             α maximizes Σ log p(y | w, α) − ½ log |XᵀVX|,  V = diag μ/(1 + α μ)      (Cox and Reid: w was fitted too)
Mean         μ, but no more than the largest count of the fit: exponentials of lines soon leave all that was seen
Predictive   NB with the variance μ + α μ² + (1 + α)(e^{s²} − 1) μ², where s² is the variance of b + xᵀ w
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self, final

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.base import RegressorMixin

from suffice._core.errors import check_number
from suffice._core.records import storable
from suffice._estimator import Estimator, check_is_fitted, check_weight, open_table, remember_columns
from suffice.distributions import NegativeBinomial
from suffice.glm import GLM, PoissonRegression
from suffice.likelihoods import NegativeBinomialLog
from suffice.study.models.bounded_poisson import bounded

ROUNDS, CLOSE = 12, 1e-4  # of fitting weights and dispersion in turn; the relative change that ends them
LEAST, MOST = 1e-6, 1e3  # dispersions: from as good as Poisson to counts that are nearly all zero
FEW_ROWS, FEW_COLUMNS = 50, 50  # rows per weight, and weights, up to which their number is allowed for
WIDEST = 5.0  # a variance of a logarithm beyond which e^s² is a number without a meaning


@final
@storable
@dataclass(eq=False, repr=False)
class NegativeBinomialRegression(RegressorMixin, Estimator):
    """Counts whose log mean is linear, and whose variance grows with the square of the mean.

    Parameters
    ----------
    prior_precision
        Precision of the weights of standardized columns; 1 is worth about one row, 0 is maximum likelihood.

    Attributes
    ----------
    dispersion_
        α: the variance of the rates of equal rows in units of the squared mean.
    model_
        The generalized linear model with that dispersion.
    largest_
        The largest count, which no predicted mean exceeds.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.study.models.negative_binomial import NegativeBinomialRegression
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(4000, 1))
    >>> mean = np.exp(1.0 + 0.5 * x[:, 0])
    >>> y = rng.poisson(mean * rng.gamma(2.0, 0.5, 4000))
    >>> model = NegativeBinomialRegression().fit(x, y)
    >>> print(f"weight {model.coef_[0]:.2f}, dispersion {model.dispersion_:.2f}")
    weight 0.51, dispersion 0.49
    """

    prior_precision: float = 1.0

    dispersion_: float = field(init=False)
    model_: GLM = field(init=False)
    largest_: float = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Weights and dispersion in turn, from those of a Poisson law on; `sample_weight` counts rows."""
        check_number("prior_precision", self.prior_precision, low=0.0)
        X, Y, header = open_table(self, X, y)
        weight = check_weight(sample_weight, X)
        y, w = Y[:, 0], np.ones(len(Y)) if weight is None else weight
        shrunk: dict[str, Any] = {"prior_precision": self.prior_precision, "standardize": True}
        model: Any = PoissonRegression(**shrunk).fit(X, y, w)
        last = np.inf
        for _ in range(ROUNDS):
            alpha = likeliest_dispersion(y, model.linear_predictor(X), w, X)
            if abs(alpha - last) <= CLOSE * alpha:
                break
            model, last = GLM(NegativeBinomialLog(alpha), **shrunk).fit(X, y, w), alpha
        self.model_, self.dispersion_, self.largest_ = model, last, float(y.max())
        remember_columns(self, header)
        return self

    @property
    def coef_(self) -> np.ndarray:
        """The weights."""
        return self.model_.coef_

    @property
    def intercept_(self) -> float:
        """The constant."""
        return self.model_.intercept_

    def summary(self, confidence: float = 0.95) -> Any:
        """Weights and standard errors, at the dispersion found."""
        return self.model_.summary(confidence)

    def predict(self, X: Any) -> np.ndarray:
        """The mean count of every row."""
        check_is_fitted(self)
        return bounded(self.model_.predict(X), self.largest_)

    def predict_dist(self, X: Any) -> NegativeBinomial:
        """Negative binomial, with the weights' uncertainty in its variance."""
        mean, alpha = self.predict(X), self.dispersion_
        unsure = np.expm1(np.minimum(self._variance(X), WIDEST))
        return NegativeBinomial.from_mean(mean, 1 / (alpha + (1 + alpha) * unsure))

    def _variance(self, X: Any) -> np.ndarray:
        """That of the linear part of every row, from the rows of the fit; zero where these do not tell."""
        lines = np.column_stack([np.ones(len(X)), np.asarray(X, dtype=float)]) @ self.model_.root_
        return np.nan_to_num(np.sum(lines**2, axis=1), nan=0.0, posinf=WIDEST)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")


def likeliest_dispersion(y: np.ndarray, a: np.ndarray, weight: np.ndarray, X: np.ndarray) -> float:
    """α with the highest likelihood of counts y whose log means are a, allowing for the weights fitted where they are
    many for the rows."""
    lines = np.column_stack([np.ones(len(y)), X - np.average(X, axis=0, weights=weight)])
    lines = lines[:, np.linalg.norm(lines, axis=0) > 0]
    lines = lines / np.linalg.norm(lines, axis=0)
    many = weight.sum() < FEW_ROWS * lines.shape[1] and lines.shape[1] <= FEW_COLUMNS

    def cost(log_alpha: float) -> float:
        alpha = float(np.exp(log_alpha))
        fitted = 0.5 * _log_information(lines, a, alpha, weight) if many else 0.0
        return fitted - float(weight @ NegativeBinomialLog(alpha).log_prob(y, a))

    found = minimize_scalar(
        cost, bounds=(np.log(LEAST), np.log(MOST)), method="bounded", options={"xatol": 1e-6}
    )
    return float(np.exp(found.x))


def _log_information(lines: np.ndarray, a: np.ndarray, alpha: float, weight: np.ndarray) -> float:
    """log |XᵀVX|, with a little of the identity for columns that depend on each other."""
    v = weight / (np.exp(-a) + alpha)
    gram = lines.T @ (v[:, None] * lines)
    return float(np.linalg.slogdet(gram + 1e-9 * np.trace(gram) * np.eye(len(gram)))[1])
