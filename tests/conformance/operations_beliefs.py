"""Operations of the conformance cases about presets of the texts, surfaces over two weights and the evidence.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from suffice import datasets
from suffice.bases import GaussianBasis
from suffice.distributions import Uniform, expectation
from suffice.linear import (
    BayesianLinearRegression,
    LinearRegression,
    evidence_path,
    large_sample_precisions,
    weight_surface,
)


def rows(data: str | None = None, X: Any = None, y: Any = None, subtract: float = 0, divide: float = 1):
    """X and y by name or by value, X moved and scaled."""
    if data is not None:
        record = getattr(datasets, data)()
        X, y = record.X, record.y
    X = np.asarray(X, dtype=float)
    return (X.reshape(len(X), -1) - subtract) / divide, np.asarray(y, dtype=float)


class LeastSquaresBook:
    """Least squares with the noise variance that a text plugs in."""

    def __init__(self, text: str, data: str, at: list[float] | None = None):
        self.model = LinearRegression.book(text).fit(*rows(data))
        self.at = None if at is None else np.array(at, dtype=float)[:, None]

    def cov_params(self):
        return self.model.cov_params_

    def mean_variance(self):
        return self.model.predict_dist(self.at, noise=False).var

    def predictions(self):
        return self.model.predict_dist(self.at).mean

    def standard_errors(self):
        return self.model.summary().std_error


class BayesBook:
    """Bayesian regression with the prior and the noise as a text writes them."""

    def __init__(self, text: str, prior: Any, noise: float, at: list[float] | None = None, **data: Any):
        self.model = BayesianLinearRegression.book(prior, noise, text=text)
        self.moved = {k: data.get(k, d) for k, d in (("subtract", 0), ("divide", 1))}
        self.data, self.at = data, at

    @cached_property
    def _fitted(self):
        return self.model.fit(*rows(**self.data))

    def prior_precision(self):
        return self.model.prior_precision

    def noise_precision(self):
        return self.model.noise_precision

    def mean(self):
        return self._fitted.posterior_.mean

    def log_evidence(self):
        return self._fitted.log_evidence_

    def _predictive(self):
        x = (np.array(self.at, dtype=float)[:, None] - self.moved["subtract"]) / self.moved["divide"]
        return self._fitted.predict_dist(x)

    def predictive_mean(self):
        return self._predictive().mean

    def predictive_variance(self):
        return self._predictive().var


class Surface:
    """Log densities over intercept and slope at a point, and their slopes there by central differences."""

    def __init__(
        self, at: list[float], prior: Any = None, noise: Any = None, text: str = "prml", **data: Any
    ):
        X, y = rows(**data)
        model = (
            LinearRegression() if prior is None else BayesianLinearRegression.book(prior, noise, text=text)
        )
        self.model, self.n = model.fit(X, y), len(y)
        a, b = at
        self.surface = weight_surface(self.model, first=[a - 1, a, a + 1], second=[b - 1, b, b + 1])

    def _slopes(self, log: np.ndarray):
        return np.array([log[1, 2] - log[1, 0], log[2, 1] - log[0, 1]]) / 2

    def log_prior(self):
        return self.surface.log_prior[1, 1]

    def log_likelihood(self):
        return self.surface.log_likelihood[1, 1]

    def log_posterior(self):
        return self.surface.log_posterior[1, 1]

    def gradient(self):
        """Of the log likelihood (PRML 3.13)."""
        return self._slopes(self.surface.log_likelihood)

    def loss_gradient(self):
        """Of the average squared loss (FCML eqs 1.6 and 1.7)."""
        return -2 * self.model.noise_variance_ml_ / self.n * self.gradient()


class EvidenceAlong:
    """Evidence of polynomials by order, in a text's convention."""

    def __init__(self, orders: list[int], prior: float, noise: float, **data: Any):
        model = BayesianLinearRegression.book(prior, noise)
        self.path = evidence_path(model, *rows(**data), "order", orders)

    def log_evidence(self):
        return self.path.log_evidence

    def best(self):
        return self.path.best


class LargeSample:
    """The large-sample shortcut on more and more points of the sine, nine Gaussians and a bias."""

    def __init__(self, sizes: list[int], width: float, noise_std: float, random_state: int):
        basis = GaussianBasis(np.linspace(0, 1, 9), width=width)
        sets = [datasets.sinusoid(n, noise_std, random_state=random_state) for n in sizes]
        fits = [BayesianLinearRegression.book(basis=basis).fit(d.X, d.y) for d in sets]
        self.gamma = [m.well_determined_parameters_ for m in fits]
        self.found = [large_sample_precisions(m) for m in fits]

    def determined_rises(self):
        return bool(np.all(np.diff(self.gamma) > 0))

    def prior_error_falls(self):
        return bool(np.all(np.diff([f.prior_error for f in self.found]) < 0))

    def noise_error_falls(self):
        return bool(np.all(np.diff([f.noise_error for f in self.found]) < 0))

    def last_effective_parameters(self):
        return self.gamma[-1]

    def last_prior_precisions(self):
        return [self.found[-1].full_prior_precision, self.found[-1].prior_precision]

    def last_noise_precisions(self):
        return [self.found[-1].full_noise_precision, self.found[-1].noise_precision]


class Area:
    """The area under a line between two ends: its mean there times their distance."""

    def __init__(self, slope: float, low: float, high: float):
        self.value = (high - low) * expectation(lambda x: slope * x, Uniform(low, high))

    def area(self):
        return self.value


OPERATIONS = {
    "area": Area,
    "bayes_book": BayesBook,
    "evidence_along": EvidenceAlong,
    "large_sample": LargeSample,
    "least_squares_book": LeastSquaresBook,
    "surface": Surface,
}
