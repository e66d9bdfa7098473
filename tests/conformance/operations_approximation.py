"""Operations on approximations: Laplace, Taylor, Newton."""

from __future__ import annotations

import warnings

import numpy as np

from suffice._core.errors import NotConverged
from suffice.inference import laplace, newton, taylor
from suffice.likelihoods import BernoulliLogit


class LaplaceOfGamma:
    """The normal approximation of a Gamma density, by differences."""

    def __init__(self, shape, rate):
        def log_density(y):
            return (shape - 1) * np.log(y[0]) - rate * y[0] if y[0] > 0 else -np.inf

        self.found = laplace(
            log_density,
            [shape / rate],
            lambda y: (shape - 1) / y - rate,
            lambda y: np.diag(-(shape - 1) / y**2),
        )

    def mean(self):
        return self.found.mode[0]

    def variance(self):
        return self.found.cov[0, 0]


class LaplaceOfBeta:
    """The normal approximation of a Beta posterior."""

    def __init__(self, prior, heads, tosses):
        self.a, self.b = prior[0] + heads - 1, prior[1] + tosses - heads - 1
        self.found = laplace(self.log_density, [0.5], self.slope, self.bend)

    def log_density(self, r):
        return self.a * np.log(r[0]) + self.b * np.log1p(-r[0]) if 0 < r[0] < 1 else -np.inf

    def slope(self, r):
        return self.a / r - self.b / (1 - r)

    def bend(self, r):
        return np.diag(-self.a / r**2 - self.b / (1 - r) ** 2)

    def mean(self):
        return self.found.mode[0]

    def variance(self):
        return self.found.cov[0, 0]


class TaylorOfExponential:
    """Partial sums of the series of exp about zero."""

    def __init__(self, at, orders):
        self.sums = [taylor([1.0] * (k + 1))(at) for k in orders]

    def partial_sums(self):
        return self.sums


class NewtonOnLogistic:
    """FCML's logistic posterior on overlapping points of ours, from several starts."""

    def __init__(self, starts, prior_variance, control, max_iter):
        rng = np.random.default_rng(0)
        t = np.arange(100) % 2
        X = rng.standard_normal((100, 2)) + np.where(t[:, None], 0.4, -0.4)
        logit, tau = BernoulliLogit(), 1 / prior_variance

        def log_joint(w):
            return float(logit.log_prob(t, X @ w).sum() - 0.5 * tau * w @ w)

        def slope(w):
            return X.T @ logit.gradient(t, X @ w) - tau * w

        def bend(w):
            return -(X.T * logit.curvature(t, X @ w)) @ X - tau * np.eye(2)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)  # whether it did is the answer
            self.found = [
                newton(log_joint, s, slope, bend, maximize=True, control=control, max_iter=max_iter)
                for s in starts
            ]

    def converged(self):
        return [f.converged for f in self.found]

    def spread(self):
        """The largest distance between the places reached."""
        at = np.array([f.at for f in self.found])
        return float(np.abs(at - at[0]).max())


OPERATIONS = {
    "laplace_gamma": LaplaceOfGamma,
    "laplace_beta": LaplaceOfBeta,
    "taylor_exponential": TaylorOfExponential,
    "newton_logistic": NewtonOnLogistic,
}
