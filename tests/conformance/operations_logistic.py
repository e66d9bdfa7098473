"""Operations on models with a link: logistic and Poisson regression, their normal approximations, Newton's steps."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.special import expit

from suffice._core.errors import NotConverged
from suffice.distributions import Binomial
from suffice.glm import (
    GLM,
    BayesianLogisticRegression,
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
    SoftmaxRegression,
)
from suffice.inference import LaplaceApproximation, Quadrature, laplace, newton
from suffice.likelihoods import BernoulliLogit, PoissonLog, Softmax
from suffice.linear import BayesianLinearRegression, LinearRegression


def columns(X, powers=None) -> np.ndarray:
    """A table from rows or numbers; with `powers`, those of its columns, one power after the other."""
    X = np.asarray(X, dtype=float)
    X = X[:, None] if X.ndim == 1 else X
    return X if powers is None else np.hstack([X**k for k in range(1, powers + 1)])


class Joint:
    """log p(y | X, w) + log N(w; 0, I / precision), with its derivatives; the constant is the first column."""

    def __init__(self, likelihood, Phi, y, precision):
        self.likelihood, self.Phi, self.y, self.precision = likelihood, Phi, np.asarray(y), precision

    def value(self, w):
        d, a = len(w), self.precision
        prior = 0.5 * d * np.log(a / (2 * np.pi)) - 0.5 * a * w @ w if a > 0 else -0.5 * a * w @ w
        return float(self.likelihood.log_prob(self.y, self.Phi @ w).sum() + prior)

    def gradient(self, w):
        return self.Phi.T @ self.likelihood.gradient(self.y, self.Phi @ w) - self.precision * w

    def hessian(self, w):
        v = self.likelihood.curvature(self.y, self.Phi @ w)
        return -(self.Phi.T * v) @ self.Phi - self.precision * np.eye(len(w))

    def newton(self, **options):
        start = np.zeros(self.Phi.shape[1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)  # whether it did is the answer
            return newton(
                self.value, start, self.gradient, self.hessian, maximize=True, control="none", **options
            )


class Fitted:
    """A fitted model, its weights (the constant first), and the Bayesian one with the same prior."""

    likelihood, kind, bayesian = BernoulliLogit(), LogisticRegression, BayesianLogisticRegression

    def __init__(self, X, y, precision=0.0, intercept=True, powers=None, at=None):
        self.X, self.y, self.precision = columns(X, powers), np.asarray(y), precision
        self.at = None if at is None else columns(at, powers)
        self.intercept = intercept
        self.model = self.kind(
            prior_precision=precision, fit_intercept=intercept, penalize_intercept=intercept
        ).fit(self.X, self.y)
        self.joint = Joint(self.likelihood, self._design(self.X), self.y, precision)

    def _design(self, X):
        return np.column_stack([np.ones(len(X)), X]) if self.intercept else X

    def weights(self):
        w = np.ravel(self.model.coef_)
        return np.concatenate([np.ravel(self.model.intercept_), w]) if self.intercept else w

    def covariance(self):
        return self.model.cov_params_

    def hessian(self):
        return self.joint.hessian(self.weights())

    def log_likelihood(self):
        return self.model.log_likelihood_

    def error(self):
        """Cross-entropy."""
        return -self.model.log_likelihood_

    def log_joint(self):
        return self.joint.value(self.weights())

    def largest_gradient(self):
        return np.abs(self.joint.gradient(self.weights())).max()

    def _bayesian(self, inference=LaplaceApproximation()):
        options = {"intercept": "prior", "fit_intercept": self.intercept, "inference": inference}
        return self.bayesian(self.precision, **options).fit(self.X, self.y)

    def laplace_evidence(self):
        """log p(y) from mode and curvature."""
        return self._bayesian().log_evidence_

    def evidence(self):
        """log p(y) by quadrature."""
        return self._bayesian(Quadrature()).log_evidence_

    def posterior_mean(self):
        return self._bayesian(Quadrature()).posterior_.mean

    def posterior_covariance(self):
        """Of Laplace's posterior."""
        return self._bayesian().posterior_.cov


class Logistic(Fitted):
    """Logistic regression with one precision for all weights, and its predictions."""

    def probabilities(self):
        return self.model.predict_proba(self.at)[:, 1]

    def log_odds(self):
        return self.model.decision_function(self.at)

    def guess(self):
        return self.model.predict(self.at)

    def averaged(self):
        """E[σ(a)] under the normal approximation."""
        return self._bayesian().compare_predictions(self.at).quadrature

    def moderated(self):
        """σ(m / √(1 + π s² / 8))."""
        return self._bayesian().compare_predictions(self.at).probit

    def exact(self):
        """E[σ(a)] under the posterior, by quadrature."""
        return self._bayesian(Quadrature()).predict_proba(self.at)[:, 1]

    def boundary(self):
        """x with P = ½, of one column."""
        b, w = self.weights()
        return -b / w

    def at_boundary(self):
        return self.model.predict_proba([[self.boundary()]])[0, 1]


class Poisson(Fitted):
    """Poisson regression with one precision for all weights."""

    likelihood, kind, bayesian = PoissonLog(), PoissonRegression, BayesianPoissonRegression


class NewtonSteps:
    """The whole steps of the text from zero, for logistic regression."""

    def __init__(self, X, y, precision=0.0, intercept=True, steps=100, powers=None):
        X = columns(X, powers)
        Phi = np.column_stack([np.ones(len(X)), X]) if intercept else X
        self.found = Joint(BernoulliLogit(), Phi, y, precision).newton(max_iter=steps)

    def path(self):
        return self.found.path

    def slopes(self):
        """The last weight after each step."""
        return self.found.path[1:, -1]

    def slope(self):
        return self.found.at[-1]

    def converged(self):
        return self.found.converged

    def steps(self):
        return len(self.found.path) - 1


class Clouds:
    """Two clouds on either side of the origin, as in FCML's figure 4.1, and a point far from both."""

    def __init__(self, prior_variance, at, random_state, n=25, center=1.5):
        rng = np.random.default_rng(random_state)
        X = rng.standard_normal((2 * n, 2)) + center * np.repeat([[1.0], [-1.0]], n, axis=0)
        y = np.repeat([0, 1], n)
        self.fit = Logistic(X, y, 1 / prior_variance, intercept=False, at=[at])
        self.steps = NewtonSteps(X, y, 1 / prior_variance, intercept=False, steps=15)

    def converged(self):
        return self.steps.converged()

    def largest_gap(self):
        """Between where the text's steps and the library's end."""
        return np.abs(self.steps.found.at - self.fit.weights()).max()

    def averaged_is_nearer_to_half(self):
        return bool(abs(self.fit.averaged()[0] - 0.5) < abs(self.fit.probabilities()[0] - 0.5))

    def exact_is_nearer_to_half(self):
        return bool(abs(self.fit.exact()[0] - 0.5) < abs(self.fit.probabilities()[0] - 0.5))


class LaplaceOfLine:
    """The normal approximation of the posterior of a line, and the exact one."""

    def __init__(self, X, y, precision, noise_precision=1.0):
        X, y = columns(X), np.asarray(y, dtype=float)
        Phi = np.column_stack([np.ones(len(X)), X])
        self.model = BayesianLinearRegression.book(precision, noise_precision).fit(X, y)

        def log_joint(w):
            r = y - Phi @ w
            return -0.5 * noise_precision * r @ r - 0.5 * precision * w @ w

        self.found = laplace(
            log_joint,
            np.zeros(2),
            lambda w: noise_precision * Phi.T @ (y - Phi @ w) - precision * w,
            lambda w: -noise_precision * Phi.T @ Phi - precision * np.eye(2),
        )

    def mean(self):
        return self.found.mode

    def covariance(self):
        return self.found.cov

    def largest_gap(self):
        """From the exact posterior."""
        d = self.model.posterior_
        return max(np.abs(self.found.mode - d.mean).max(), np.abs(self.found.cov - d.cov).max())


class LaplaceOfSkewed:
    """exp(−z²/2) σ(slope z + shift)."""

    def __init__(self, slope, shift):
        self.found = laplace(
            lambda z: float(-0.5 * z[0] ** 2 - np.logaddexp(0.0, -slope * z[0] - shift)),
            [0.0],
            lambda z: -z + slope * expit(-slope * z - shift),
            lambda z: np.diag(-1 - slope**2 * expit(slope * z + shift) * expit(-slope * z - shift)),
        )

    def mode(self):
        return self.found.mode[0]

    def precision(self):
        return 1 / self.found.cov[0, 0]

    def log_normalizer(self):
        return self.found.log_normalizer


class LogisticFunction:
    """σ, its slope, and the link whose inverse it is."""

    def __init__(self, at):
        self.at = np.asarray(at, dtype=float)

    def values(self):
        return BernoulliLogit().mean(self.at)

    def slopes(self):
        return BernoulliLogit().curvature(np.zeros(len(self.at)), self.at)

    def link_of_values(self):
        return BernoulliLogit().link(self.values())


class FromLogOdds:
    """Rows that occur in both classes as often as given weights say, what a fit finds in them, and its answers."""

    def __init__(self, weights, at, products=False, random_state=0):
        w = np.asarray(weights, dtype=float)
        d = np.asarray(at).shape[1]
        X = self._columns(np.random.default_rng(random_state).standard_normal((40, d)), products)
        p = expit(w[0] + X @ w[1:])
        rows, share = np.vstack([X, X]), np.concatenate([p, 1 - p])
        self.model = LogisticRegression(prior_precision=0).fit(rows, np.repeat([1, 0], len(X)), share)
        self.at = self._columns(np.asarray(at, dtype=float), products)

    @staticmethod
    def _columns(X, products):
        return np.column_stack([X, X[:, 0] * X[:, 1]]) if products else X

    def weights(self):
        return np.concatenate([self.model.intercept_, self.model.coef_[0]])

    def probabilities(self):
        return self.model.predict_proba(self.at)[:, 1]

    def guess(self):
        return self.model.predict(self.at)


class SoftmaxOf:
    """Functions of C classes, or of C − 1 with the last at zero, to probabilities."""

    def __init__(self, functions):
        self.a = np.atleast_2d(np.asarray(functions, dtype=float))

    def full(self):
        return Softmax(self.a.shape[1]).mean(self.a)[0]

    def reduced(self):
        return Softmax(self.a.shape[1] + 1, reduced=True).mean(self.a)[0]

    def gradient(self):
        """Of log P(first class), in every function."""
        return Softmax(self.a.shape[1]).gradient(np.zeros(1, dtype=int), self.a)[0]


class TwoClassSoftmax:
    """Softmax regression of two classes beside logistic regression; weights of the first class."""

    def __init__(self, X, y, precision):
        self.X, y = columns(X), np.asarray(y)
        self.reduced = SoftmaxRegression(
            prior_precision=precision, parametrization="reduced", penalize_intercept=True
        ).fit(self.X, y)
        self.logistic = LogisticRegression(prior_precision=precision, penalize_intercept=True).fit(self.X, y)

    def weights(self):
        return np.concatenate([self.reduced.intercept_, self.reduced.coef_[0]])

    def logistic_weights(self):
        """Of the second class, with the sign turned."""
        return -np.concatenate([self.logistic.intercept_, self.logistic.coef_[0]])

    def largest_gap(self):
        gap = self.reduced.predict_proba(self.X) - self.logistic.predict_proba(self.X)
        return np.abs(gap).max()


class Multinomial:
    """Softmax regression; a row of weights (the constant first) per function."""

    def __init__(self, X, y, precision, parametrization="full", penalize_intercept=False, at=None):
        self.at = None if at is None else columns(at)
        self.model = SoftmaxRegression(
            prior_precision=precision, parametrization=parametrization, penalize_intercept=penalize_intercept
        ).fit(columns(X), y)

    def weights(self):
        return np.column_stack([self.model.intercept_, self.model.coef_])

    def log_likelihood(self):
        return self.model.log_likelihood_

    def probabilities(self):
        return self.model.predict_proba(self.at)


COSTS = {
    "squared": (lambda a: a, lambda y, t: (y - t) ** 2),
    "cross-entropy": (expit, lambda y, t: -y * np.log(t) - (1 - y) * np.log1p(-t)),
}


class PlugIns:
    """DTU's general linear model with an inverse link and a cost; and the model by its own name."""

    def __init__(self, X, y, cost):
        self.plugged = GLM.book(*COSTS[cost]).fit(columns(X), y)
        own = {"squared": LinearRegression(), "cross-entropy": LogisticRegression(prior_precision=0)}[cost]
        self.own = own.fit(columns(X), y)

    def weights(self):
        return [self.plugged.intercept_, *self.plugged.coef_]

    def own_weights(self):
        return np.concatenate([np.ravel(self.own.intercept_), np.ravel(self.own.coef_)])


class HeadsInTosses:
    """The likelihood of EX 4.2."""

    def __init__(self, heads, tosses, r):
        self.heads, self.coin = heads, Binomial(tosses, r)

    def likelihood(self):
        return float(np.exp(self.coin.log_prob(self.heads)))


OPERATIONS = {
    "clouds": Clouds,
    "from_log_odds": FromLogOdds,
    "heads_in_tosses": HeadsInTosses,
    "laplace_line": LaplaceOfLine,
    "laplace_skewed": LaplaceOfSkewed,
    "logistic": Logistic,
    "logistic_function": LogisticFunction,
    "multinomial": Multinomial,
    "newton_steps": NewtonSteps,
    "plug_ins": PlugIns,
    "poisson": Poisson,
    "softmax_of": SoftmaxOf,
    "two_class_softmax": TwoClassSoftmax,
}
