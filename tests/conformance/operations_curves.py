"""Operations of the conformance cases about curves: penalties, likelihoods and the choice of a penalty or an order.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import LeaveOneOut

from suffice import datasets
from suffice.bases import Polynomial
from suffice.distributions import Normal
from suffice.evaluation import validate_path
from suffice.evaluation.occam import occam
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge


def rows(data: str | None = None, X: Any = None, y: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets of a case, by name or by value; a list of numbers is one column."""
    if data is not None:
        table = getattr(datasets, data)()
        return table.X, table.y
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    return (X[:, None] if X.ndim == 1 else X), y


class PenalizedCurve:
    """Ridge in a text's convention, on powers or on the columns themselves."""

    def __init__(self, lam: float, text: str, degree: int | None = None, **inputs: Any):
        self.X, self.y = rows(**inputs)
        self.basis = None if degree is None else Polynomial(degree)
        self.model = Ridge.book(lam, text=text, basis=self.basis).fit(self.X, self.y)

    @property
    def _columns(self):
        return self.X if self.basis is None else self.basis(self.X)

    @property
    def _residual(self):
        return self.y - self.model.predict(self.X)

    def weights(self):
        return np.r_[self.model.intercept_, self.model.coef_]

    def half_sum_of_squares(self):
        return np.sum(self._residual**2) / 2

    def at_the_means(self):
        """The constant w₀ of standardized columns: the prediction where all of them are zero."""
        return self.model.intercept_ + self._columns.mean(axis=0) @ self.model.coef_

    def pull_over_weight(self):
        """X̂ᵀ(ŷ − X̂w)/w, column by column, with X̂ standardized (divisor N − 1): λ at the minimum of eq. 14.3."""
        spread = self._columns.std(axis=0, ddof=1)
        scaled = (self._columns - self._columns.mean(axis=0)) / spread
        return scaled.T @ self._residual / (self.model.coef_ * spread)


class LikelihoodAround:
    """What the log likelihood loses when one weight at a time leaves its maximum."""

    def __init__(self, degree: int, step: float, **inputs: Any):
        self.X, self.y = rows(**inputs)
        self.model = LinearRegression(basis=Polynomial(degree)).fit(self.X, self.y)
        self.degree, self.step = degree, step

    def _log_likelihood(self, move: Any) -> float:
        at = self.model.predict(self.X) + move
        return float(np.sum(Normal(at, np.sqrt(self.model.noise_variance_ml_)).log_prob(self.y)))

    def change(self):
        powers = (self.X[:, 0] ** j for j in range(self.degree + 1))
        return [self._log_likelihood(self.step * p) - self.model.log_likelihood_ for p in powers]


class OccamTerms:
    """The two terms of the log evidence by order: the fit of the best weights, and the price of their freedom."""

    def __init__(self, orders: list[int], prior_precision: float, noise_precision: float, **inputs: Any):
        options = {"noise_precision": noise_precision, "intercept": "prior"}
        models = [BayesianLinearRegression(prior_precision, basis=Polynomial(k), **options) for k in orders]
        self.terms = [occam(m.fit(*rows(**inputs))) for m in models]

    def fit(self):
        return [t.log_likelihood for t in self.terms]

    def price(self):
        return [t.log_factor for t in self.terms]

    def fit_ends_higher(self):
        return self.fit()[-1] > self.fit()[0]


class PenaltyChoice:
    """A degree and several penalties: loss on the training rows, leave-one-out loss, and the best penalty."""

    def __init__(self, degree: int, lam: list[float], text: str, **inputs: Any):
        self.X, self.y = rows(**inputs)
        self.lam, self.model = lam, Ridge.book(1.0, text=text, basis=Polynomial(degree))

    @cached_property
    def _path(self):
        return validate_path(self.model, self.X, self.y, "alpha", self.lam, cv=LeaveOneOut())

    def training(self):
        fits = [clone(self.model).set_params(alpha=a).fit(self.X, self.y) for a in self.lam]
        return [f.noise_variance_ml_ for f in fits]

    def leave_one_out(self):
        return self._path.test

    def best(self):
        return self._path.best


OPERATIONS: dict[str, Callable] = {
    "likelihood_around": LikelihoodAround,
    "occam_terms": OccamTerms,
    "penalized_curve": PenalizedCurve,
    "penalty_choice": PenaltyChoice,
}
