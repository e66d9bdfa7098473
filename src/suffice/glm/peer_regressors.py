r"""Doors for those who come with scikit-learn's names: counts and positive numbers with a logarithmic link, and α.

    minimize  (1 / 2 Σ s_n) Σ s_n d(y_n, e^{a_n}) + (α/2) ‖w‖²,   a = b + xᵀ w,   d the deviance

That is a model of this room with the precision α Σ s of its weights, and behind the door is one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import RegressorMixin

from suffice._core.errors import InvalidInput, NotCounts, check_number, hold_warnings, warn
from suffice._core.records import storable
from suffice._estimator import Estimator, check_is_fitted, check_no_effect, check_weight
from suffice._estimator.convergence import AS_PEERS
from suffice.distributions import Distribution
from suffice.glm.glm import GLM
from suffice.glm.poisson_regression import PoissonRegression
from suffice.likelihoods import GammaLog

SOLVERS = ("lbfgs", "newton-cholesky")
GOAL = 1e-14  # what may be left to gain, whatever is asked for


@dataclass(eq=False, repr=False)
class LogLinearRegressor(RegressorMixin, Estimator, ABC):
    """A generalized linear model under scikit-learn's parameters."""

    _: KW_ONLY
    alpha: float = 1.0
    fit_intercept: bool = True
    solver: Literal["lbfgs", "newton-cholesky"] = "lbfgs"
    max_iter: int = 100
    tol: float = 1e-4
    warm_start: bool = False
    verbose: int = 0

    model_: Any = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: float = field(init=False)
    n_iter_: int = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    @abstractmethod
    def _model(self) -> PoissonRegression | GLM:
        """The model behind the door, without its penalty."""

    def _check_parameters(self) -> None:
        check_number("alpha", self.alpha, low=0.0)
        check_number("tol", self.tol, low=0.0)
        check_no_effect(self, "warm_start", "verbose", solver=SOLVERS)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            One number per row.
        sample_weight
            How often each row counts.
        """
        self._check_parameters()
        if y is None:
            raise InvalidInput(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        given = np.asarray(y)
        weight = check_weight(sample_weight, given) if given.ndim else None
        n = float(len(given)) if weight is None and given.ndim else float(np.sum(weight))  # type: ignore[arg-type]
        model = self._model().set_params(
            prior_precision=self.alpha * n,
            fit_intercept=self.fit_intercept,
            max_iter=self.max_iter,
            tol=min(self.tol, GOAL),
        )
        with hold_warnings() as held:
            self.reported(lambda tick: model.fit(X, y, weight))
        for message, category in held:
            if category is not NotCounts:  # a mean is asked for, and for that any numbers do
                warn(message, AS_PEERS.get(category, category))
        self._publish(model, X)
        return self

    def _publish(self, model: PoissonRegression | GLM, X: Any) -> None:
        kind = np.float32 if getattr(X, "dtype", None) == np.float32 else float
        self.model_, self.coef_ = model, model.coef_.astype(kind)
        self.intercept_ = kind(model.intercept_)  # type: ignore[assignment]
        self.n_iter_ = int(np.count_nonzero(model.trace_.columns["step"]))
        self.n_features_in_ = model.n_features_in_
        self.__dict__.pop("feature_names_in_", None)
        if hasattr(model, "feature_names_in_"):
            self.feature_names_in_ = model.feature_names_in_

    def predict(self, X: Any) -> np.ndarray:
        """The mean of y at each row."""
        check_is_fitted(self)
        return self.model_.predict(X)

    def predict_dist(self, X: Any) -> Distribution:
        """p(y | x) at the estimate; without the weights' uncertainty."""
        check_is_fitted(self)
        return self.model_.predict_dist(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """D²: the share of the deviance of the best constant that the model explains."""
        check_is_fitted(self)
        a = self.model_.linear_predictor(X)
        with hold_warnings():  # said, if at all, by the fit
            values, _ = self.model_._open_targets(y, None, None)
        weight = check_weight(sample_weight, values)
        likelihood = self.model_.likelihood_
        constant = likelihood.link(np.atleast_1d(np.average(values, weights=weight)))
        left, all_of_it = (
            np.average(likelihood.deviance(values, at), weights=weight)
            for at in (a, np.broadcast_to(constant, a.shape))
        )
        return float(1 - left / all_of_it)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.positive_only = True
        tags.regressor_tags.poor_score = not self.fit_intercept
        return tags


@storable
@dataclass(eq=False, repr=False)
class PoissonRegressor(LogLinearRegressor):
    """Counts, or any numbers that are not negative, whose log mean is linear, with scikit-learn's parameters.

    Parameters
    ----------
    alpha
        Penalty for half the mean deviance; larger values shrink the weights more.
    fit_intercept
        Whether to add a constant, which is not penalized.
    max_iter
        Steps at most.
    tol
        The fit goes on until what is left to gain is below min(tol, 10⁻¹⁴) (1 + |objective|).
    solver, warm_start, verbose
        Taken for scikit-learn's sake and without effect: Newton's method finds the one minimum.

    Attributes
    ----------
    model_
        The `PoissonRegression` behind: standard errors, deviances, residuals.
    n_iter_
        Steps.

    Examples
    --------
    >>> from suffice.glm import PoissonRegressor
    >>> model = PoissonRegressor(alpha=0.1).fit([[0.0], [1.0], [2.0], [3.0]], [1, 1, 4, 9])
    >>> print(f"{model.intercept_:.4f} {model.coef_[0]:.4f}")
    -0.3211 0.8313
    """

    model_: PoissonRegression = field(init=False)

    def _model(self) -> PoissonRegression:
        return PoissonRegression()


@storable
@dataclass(eq=False, repr=False)
class GammaRegressor(LogLinearRegressor):
    """Positive numbers whose log mean is linear and whose scatter grows with it, with scikit-learn's parameters.

    Parameters
    ----------
    alpha
        Penalty for half the mean deviance; larger values shrink the weights more.
    fit_intercept
        Whether to add a constant, which is not penalized.
    max_iter
        Steps at most.
    tol
        The fit goes on until what is left to gain is below min(tol, 10⁻¹⁴) (1 + |objective|).
    solver, warm_start, verbose
        Taken for scikit-learn's sake and without effect: Newton's method finds the one minimum.

    Attributes
    ----------
    model_
        The `GLM` behind, its dispersion by Pearson: standard errors, deviances, residuals.
    n_iter_
        Steps.

    Examples
    --------
    >>> from suffice.glm import GammaRegressor
    >>> model = GammaRegressor(alpha=0.1).fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 1.5, 4.0, 9.0])
    >>> print(f"{model.intercept_:.4f} {model.coef_[0]:.4f}")
    -0.0441 0.7010
    """

    model_: GLM = field(init=False)

    def _model(self) -> GLM:
        return GLM(GammaLog(1.0), dispersion="pearson")


__all__ = ["GammaRegressor", "PoissonRegressor"]
