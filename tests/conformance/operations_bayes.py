"""Operations of the conformance cases about unknown noise and averages over models.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

import numpy as np

from suffice import datasets
from suffice.bases import Polynomial
from suffice.distributions import InverseGamma
from suffice.linear import BayesianLinearRegression, ConjugateLinearRegression, bayesian_model_average


class NormalGammaRegression:
    """A line with unknown noise under a normal–gamma prior; `at` is where to predict."""

    def __init__(
        self, x: list[float], y: list[float], prior_variance: float, shape: float, rate: float, at: float
    ):
        self.model = ConjugateLinearRegression(
            1 / prior_variance, shape=shape, rate=rate, intercept="prior"
        ).fit(np.array(x)[:, None], y)
        self.posterior = self.model.posterior_
        self.predictive = self.model.predict_dist([[at]])[0]

    def mean(self):
        return self.posterior.mean

    def cov(self):
        return self.posterior.cov.ravel()

    def shape(self):
        return self.posterior.shape

    def rate(self):
        return self.posterior.rate

    def dof(self):
        return self.predictive.dof

    def loc(self):
        return self.predictive.loc

    def scale(self):
        return self.predictive.scale

    def log_evidence(self):
        return self.model.log_evidence_


class ModelAverage:
    """Polynomials of several orders, averaged by their evidence."""

    def __init__(
        self, data: str, orders: list[int], prior_precision: float, noise_precision: float, at: float = 0.5
    ):
        table = getattr(datasets, data)()
        models = {
            str(m): BayesianLinearRegression(
                prior_precision, noise_precision=noise_precision, basis=Polynomial(m), intercept="prior"
            )
            for m in orders
        }
        self.average = bayesian_model_average(models, table.X, table.y)
        self.at = np.array([[at]])

    def weights(self):
        return self.average.weights

    def mean(self):
        return self.average.predict_dist(self.at).mean[0]

    def gap_of_total_variance(self):
        d = self.average.predict_dist(self.at)
        parts = [m.predict_dist(self.at) for m in self.average.models]
        within = sum(w * p.var[0] for w, p in zip(self.average.weights, parts, strict=True))
        between = sum(
            w * (p.mean[0] - d.mean[0]) ** 2 for w, p in zip(self.average.weights, parts, strict=True)
        )
        return abs(d.var[0] - within - between)


class NoiseVariance:
    """The inverse gamma posterior of the noise variance for known weights: the limit of a certain prior."""

    def __init__(self, x: list[float], y: list[float], weights: list[float], shape: float, rate: float):
        table, target = np.array(x)[:, None], np.array(y)
        sure = ConjugateLinearRegression(1e12, prior_mean=weights, shape=shape, rate=rate, intercept="prior")
        self.posterior = sure.fit(table, target).posterior_
        residual = target - weights[0] - table[:, 0] * weights[1]
        self.text = InverseGamma(shape + len(y) / 2, rate + 0.5 * residual @ residual)

    def shape(self):
        return self.posterior.shape

    def rate(self):
        return self.posterior.rate

    def gap_to_the_text(self):
        return max(abs(self.posterior.shape - self.text.shape), abs(self.posterior.rate - self.text.scale))


OPERATIONS = {
    "normal_gamma_regression": NormalGammaRegression,
    "model_average": ModelAverage,
    "noise_variance_posterior": NoiseVariance,
}
