"""Operations of the conformance cases about classes with normal densities.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.distributions import MultivariateNormal
from suffice.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis


def rows_with(mean: Any, cov: Any) -> np.ndarray:
    """2 D rows whose mean and covariance (divisor n) are these: the mean plus and minus √D times the columns of L."""
    root = np.linalg.cholesky(np.asarray(cov, dtype=float)) * np.sqrt(len(mean))
    return np.asarray(mean) + np.vstack([root.T, -root.T])


class NormalClasses:
    """Classes given by their rows, or by means and covariances that rows are made for."""

    def __init__(
        self,
        at: list[float],
        classes: Any = None,
        means: Any = None,
        covs: Any = None,
        priors: Any = None,
        text: str = "fcml",
    ):
        rows = [rows_with(*pair) for pair in zip(means, covs, strict=True)] if classes is None else classes
        X = np.concatenate([np.asarray(r, dtype=float) for r in rows])
        y = np.repeat(np.arange(len(rows)), [len(r) for r in rows])
        self.at = [at]
        self.linear = LinearDiscriminantAnalysis("lsqr", priors=priors).fit(X, y)
        self.quadratic = QuadraticDiscriminantAnalysis.book(text, priors=priors).fit(X, y)
        self.independent = QuadraticDiscriminantAnalysis.book(text, priors=priors, covariance="diagonal").fit(
            X, y
        )

    def shared_covariance(self):
        return self.linear.covariance_

    def own_covariance(self):
        return self.quadratic.conditionals_[0].cov

    def independent_variances(self):
        return [np.diag(d.cov) for d in self.independent.conditionals_]

    def weights(self):
        """Of the first class against the second."""
        return -self.linear.coef_[0]

    def constant(self):
        return -self.linear.intercept_[0]

    def posterior(self):
        return self.linear.predict_proba(self.at)[0, 0]

    def quadratic_posterior(self):
        return self.quadratic.predict_proba(self.at)[0]


class ParameterCounts:
    """Of K classes in D columns."""

    def __init__(self, K: int, D: int):
        X = np.vstack([np.eye(D), -np.eye(D), np.ones((1, D))])
        X = np.concatenate([X + k for k in range(K)])
        y = np.repeat(np.arange(K), 2 * D + 1)
        self.models = (
            QuadraticDiscriminantAnalysis(),
            LinearDiscriminantAnalysis(),
            QuadraticDiscriminantAnalysis(covariance="diagonal"),
        )
        self.models = [m.fit(X, y) for m in self.models]

    def counts(self):
        """Separate covariances, a shared one, independent columns."""
        return [m.n_parameters_ for m in self.models]


class BelievedMeans:
    """Normal classes of known covariance whose means have a normal prior."""

    def __init__(self, classes: Any, mean: Any, cov: Any, covariance: Any, at: list[float]):
        X = np.concatenate([np.asarray(r, dtype=float) for r in classes])
        y = np.repeat(np.arange(len(classes)), [len(r) for r in classes])
        prior = MultivariateNormal(np.asarray(mean), np.asarray(cov))
        self.model = QuadraticDiscriminantAnalysis(prior=prior, covariance=np.asarray(covariance)).fit(X, y)
        self.at = np.asarray(at)

    def posterior_mean(self):
        return self.model.posteriors_[0].mean

    def posterior_cov(self):
        return self.model.posteriors_[0].cov

    def predictive(self):
        return self.model.conditionals_[0].prob(self.at)


OPERATIONS = {
    "normal_classes": NormalClasses,
    "normal_class_parameters": ParameterCounts,
    "believed_means": BelievedMeans,
}
