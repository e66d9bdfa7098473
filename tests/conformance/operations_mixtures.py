"""Operations of the conformance cases about mixtures: known ones, draws from them, and steps of EM.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.special import xlogy

from suffice._core.errors import NotConverged
from suffice.distributions import Beta, MixtureDistribution, MultivariateNormal, Normal
from suffice.inference import gradient, lloyd
from suffice.mixtures import BernoulliMixture, GaussianMixture, PoissonMixture


def stepped(model: Any, X: Any) -> Any:
    """Fitted, though so few steps do not converge."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        return model.fit(X)


class KnownMixture:
    """Weights (equal ones if none are given), means and covariances, and points to ask about."""

    def __init__(self, means: Any, covariances: Any, weights: Any = None, at: Any = None):
        self.weights = np.full(len(means), 1 / len(means)) if weights is None else weights
        self.means, self.covariances = np.asarray(means, dtype=float), np.asarray(covariances, dtype=float)
        self.model = GaussianMixture.of(self.weights, self.means, self.covariances)
        self.at = at

    def density(self):
        return np.exp(self.log_density())

    def log_density(self):
        return self.model.score_samples(self.at)

    def distribution_density(self):
        """The same by `MixtureDistribution`."""
        parts = [MultivariateNormal(m, c) for m, c in zip(self.means, self.covariances, strict=True)]
        return MixtureDistribution(self.weights, parts).prob(np.asarray(self.at, dtype=float))

    def log_likelihood(self):
        return self.log_density().sum()

    def responsibilities(self):
        return self.model.predict_proba(self.at)

    def components(self):
        """The most probable one of each row, counted from one as in the texts."""
        return 1 + self.model.predict(self.at)

    def choice(self):
        """p(z): the shares of components in a row of which nothing is known."""
        return self.model.predict_proba(np.full((1, self.means.shape[1]), np.nan))[0]

    def mean(self):
        return self.model.distribution_.mean

    def covariance(self):
        return self.model.distribution_.cov

    def gradient(self):
        """∂L/∂μ, by differences."""
        shape = self.means.shape

        def total(means: np.ndarray) -> float:
            moved = GaussianMixture.of(self.weights, means.reshape(shape), self.covariances)
            return float(moved.score_samples(self.at).sum())

        return gradient(total, self.means.ravel()).reshape(shape)


class CollapsingMixture:
    """Equal parts of two normal densities, the first of which becomes narrower and narrower."""

    def __init__(self, X: Any, means: Any, narrow: list[float], wide: float):
        self.X = np.asarray(X, dtype=float)[:, None]
        self.models = [GaussianMixture.of([0.5, 0.5], means, [[[n**2]], [[wide**2]]]) for n in narrow]

    def log_likelihoods(self):
        return [m.score_samples(self.X).sum() for m in self.models]


class MixtureDraws(KnownMixture):
    """Rows drawn from a known mixture."""

    def __init__(self, draws: int, random_state: int, options: Any = (), **inputs: Any):
        super().__init__(**inputs)
        self.X, self.z = self.model.sample(draws, random_state=random_state)
        self.options = [GaussianMixture.of(self.weights, self.means, c) for c in options]

    def moment_misses(self):
        """How far shares, means and covariances of the draws are from the truth, in standard errors."""
        D = self.means.shape[1]
        gap = self.X - self.mean()
        products = np.stack([gap[:, i] * gap[:, j] for i in range(D) for j in range(i, D)], axis=1)
        wanted = self.covariance()[np.triu_indices(D)]
        terms = np.hstack([np.eye(len(self.weights))[self.z] - self.weights, gap, products - wanted])
        return terms.mean(axis=0) / (terms.std(axis=0) / np.sqrt(len(terms)))

    def scores(self):
        """The mean log density of the draws by every option."""
        return [option.score(self.X) for option in self.options]

    def best(self):
        """The likeliest option, counted from one."""
        return 1 + int(np.argmax(self.scores()))


class MixtureRecovery(MixtureDraws):
    """EM on such draws, from a given start, against the truth."""

    def __init__(self, start: Any, spread: float, shape: str = "full", **inputs: Any):
        super().__init__(**inputs)
        K, D = np.shape(start)
        precisions = (
            np.full((K, D), 1 / spread) if shape == "diag" else np.tile(np.eye(D) / spread, (K, 1, 1))
        )
        options = {"means_init": start, "precisions_init": precisions, "weights_init": np.full(K, 1 / K)}
        self.fitted = GaussianMixture(K, covariance_type=shape, tol=1e-9, **options).fit(self.X)

    def largest_miss(self):
        """In standard errors of rows whose components are known, of weights, means and covariances."""
        w, S = np.asarray(self.weights), self.covariances
        found, n = self.fitted.covariances_, w * len(self.X)
        variances = np.diagonal(S, axis1=1, axis2=2)
        if found.ndim == 2:  # independent columns
            spread = (found - variances) / (variances * np.sqrt(2 / n)[:, None])
        else:
            error = np.sqrt((variances[:, :, None] * variances[:, None, :] + S**2) / n[:, None, None])
            spread = (found - S) / error
        weights = (self.fitted.weights_ - w) / np.sqrt(w * (1 - w) / len(self.X))
        means = (self.fitted.means_ - self.means) / np.sqrt(variances / n[:, None])
        return max(np.abs(part).max() for part in (weights, means, spread))


class EMSteps:
    """Some steps of EM for normal components, from a given start."""

    def __init__(
        self,
        X: Any,
        means: Any,
        covariances: Any,
        weights: Any = (0.5, 0.5),
        shape: str = "full",
        steps: int = 1,
        reg_covar: float = 0.0,
        prior: Any = None,
        at: Any = None,
    ):
        X = np.asarray(X, dtype=float)
        self.X, self.at = X[:, None] if X.ndim == 1 else X, at
        precisions = np.linalg.inv(covariances)
        form = {
            "full": precisions,
            "tied": precisions[0],
            "diag": np.diagonal(precisions, axis1=1, axis2=2),
        }.get(shape, precisions[:, 0, 0])
        options = {
            "covariance_type": shape,
            "reg_covar": reg_covar,
            "tol": 0.0,
            "prior": None if prior is None else Normal(prior["mean"], prior["std"]),
            "weights_init": weights,
            "means_init": means,
            "precisions_init": form,
        }
        self.start = stepped(GaussianMixture(len(means), max_iter=0, **options), self.X)
        self.model = stepped(GaussianMixture(len(means), max_iter=steps, **options), self.X)

    def responsibilities(self):
        """Of the start: the first E-step."""
        return self.start.predict_proba(self.X)

    def weights(self):
        return self.model.weights_

    def means(self):
        return self.model.means_

    def covariances(self):
        return self.model.covariances_

    def log_likelihoods(self):
        """Of the start and after every step."""
        return self.model.trace_.columns["likelihood"]

    def log_likelihood(self):
        return self.log_likelihoods()[-1]

    def objectives(self):
        """The same with the log prior."""
        return self.model.trace_.objective

    def bounds(self):
        """B after every M-step, with the responsibilities before it."""
        return self.model.trace_.columns["bound"][1:]

    def gap(self):
        """L − B after the last M-step, a KL divergence."""
        return self.log_likelihood() - self.bounds()[-1]

    def test_log_likelihood(self):
        return self.model.score_samples(self.at).sum()


class BinarySteps:
    """Steps of EM for rows of zeros and ones."""

    def __init__(self, X: Any, probabilities: Any, prior: Any = None, steps: int = 1):
        K = len(probabilities)
        options = {"probabilities_init": probabilities, "weights_init": np.full(K, 1 / K), "tol": 0.0}
        prior = None if prior is None else Beta(*prior)
        self.X = np.asarray(X, dtype=float)
        self.start = BernoulliMixture(K, max_iter=0, **options).fit(self.X)
        self.model = stepped(BernoulliMixture(K, max_iter=steps, prior=prior, **options), self.X)

    def responsibilities(self):
        """Of the first component, in the first E-step."""
        return self.start.predict_proba(self.X)[:, 0]

    def weights(self):
        return self.model.weights_

    def probabilities(self):
        return self.model.probabilities_

    def least(self):
        return self.model.probabilities_.min()

    def most(self):
        return self.model.probabilities_.max()

    def log_likelihoods(self):
        return self.model.trace_.columns["likelihood"]

    def objectives(self):
        return self.model.trace_.objective


class CountSteps:
    """Steps of EM for counts."""

    def __init__(self, X: list[int], rates: list[float], steps: int = 1):
        K = len(rates)
        options = {"rates_init": np.array(rates)[:, None], "weights_init": np.full(K, 1 / K), "tol": 0.0}
        self.model = stepped(PoissonMixture(K, max_iter=steps, **options), np.array(X, dtype=float)[:, None])

    def weights(self):
        return self.model.weights_

    def rates(self):
        return self.model.rates_[:, 0]

    def log_likelihoods(self):
        return self.model.trace_.columns["likelihood"]


class MixtureParameters:
    """How many numbers describe K components of M columns."""

    def __init__(self, K: int, M: int):
        X = np.random.default_rng(0).standard_normal((3 * (M + 1), K, M)) + 20.0 * np.arange(K)[:, None]
        self.K, self.X = K, X.reshape(-1, M)
        start = {"max_iter": 0, "random_state": 0}
        self.count = {
            shape: GaussianMixture(K, covariance_type=shape, **start).fit(self.X).n_parameters_
            for shape in ("full", "diag", "spherical", "identity")
        }

    def counts(self):
        """Full covariances, independent columns, k-means."""
        centers = lloyd(self.X, self.X[: self.K], max_iter=300).centers
        return [self.count["full"], self.count["diag"], centers.size]

    def per_covariance(self):
        """Full, independent columns, isotropic."""
        return [
            (self.count[shape] - self.count["identity"]) / self.K for shape in ("full", "diag", "spherical")
        ]


class Derivatives:
    """What the updates of §6.3.3 are derived with, by differences."""

    def __init__(self, a: list[float], C: Any, left: list[float], right: list[float]):
        self.a, self.C = np.array(a), np.array(C, dtype=float)
        self.left, self.right = np.array(left), np.array(right)

    def product_rule(self):
        return np.diagonal(gradient(lambda a: xlogy(a, a), self.a))

    def quadratic_form(self):
        return gradient(lambda w: w @ self.C @ w, self.left)

    def log_determinant(self):
        return self._of_matrix(lambda C: np.linalg.slogdet(C)[1])

    def inverse_form(self):
        return self._of_matrix(lambda C: self.left @ np.linalg.solve(C, self.right))

    def _of_matrix(self, f: Any) -> np.ndarray:
        shape = self.C.shape
        return gradient(lambda c: f(c.reshape(shape)), self.C.ravel()).reshape(shape)


OPERATIONS = {
    "binary_steps": BinarySteps,
    "collapsing_mixture": CollapsingMixture,
    "count_steps": CountSteps,
    "em_steps": EMSteps,
    "known_mixture": KnownMixture,
    "mixture_derivatives": Derivatives,
    "mixture_draws": MixtureDraws,
    "mixture_parameters": MixtureParameters,
    "mixture_recovery": MixtureRecovery,
}
