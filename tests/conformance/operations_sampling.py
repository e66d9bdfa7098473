"""Operations that draw: Metropolis–Hastings on the texts' targets, darts, π by uniform numbers."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.special import expit

from suffice._core.errors import NotConverged
from suffice.distributions import MultivariateNormal, Normal
from suffice.glm import BayesianLogisticRegression
from suffice.inference import MetropolisHastings, dart_score, metropolis_hastings, monte_carlo


def walk(target, start, draws, proposal, random_state, n_chains=1):
    """The texts' sampler: steps of one covariance, nothing learned, nothing thrown away."""
    whiten = np.linalg.inv(np.linalg.cholesky(target.cov)).T

    def log_density(x):  # the target's up to a constant, as it is asked 10,000 times
        return -0.5 * (((x - target.mean) @ whiten) ** 2).sum(axis=1)

    return metropolis_hastings(
        log_density,
        start,
        draws,
        n_chains=n_chains,
        burn_in=0,
        proposal=np.array(proposal),
        adapt=False,
        vectorized=True,
        random_state=random_state,
    )


class Metropolis:
    """The random walk of §4.5.2 on a normal density, whose moments are known."""

    def __init__(self, mean, cov, proposal, draws, start, random_state):
        self.target = MultivariateNormal(mean, cov)
        self.found = walk(self.target, start, draws, proposal, random_state)

    def sample_mean(self):
        return self.found.mean

    def sample_covariance(self):
        return self.found.cov

    def acceptance(self):
        return self.found.acceptance_rate[0]

    def misses(self):
        """Means and second moments about the true mean: how many standard errors they are off."""
        gaps = np.column_stack([self.found.flat, *self._squares().T]) - self._truth()
        mean, error = self.found.expectation(lambda _: gaps)
        return mean / error

    def _squares(self):
        a, b = (self.found.flat - self.target.mean).T
        return np.column_stack([a * a, a * b, b * b])

    def _truth(self):
        return [*self.target.mean, *np.asarray(self.target.cov)[[0, 0, 1], [0, 1, 1]]]


class FirstSteps:
    """How many of the first proposals are rejected, over many chains that start where the target is."""

    def __init__(self, mean, cov, proposal, steps, chains, random_state):
        target = MultivariateNormal(mean, cov)
        starts = target.sample(chains, np.random.default_rng(random_state))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)  # ten steps do not converge
            found = walk(target, starts, steps, proposal, random_state, chains)
        self.rejections = (~found.accepted).sum(axis=1)

    def rejected(self):
        return self.rejections.mean()


class Darts:
    """Scores of darts at some places, in millimetres."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def scores(self):
        return dart_score(self.x, self.y)


class Pi:
    """Four times the share of uniform points in the quarter circle."""

    def __init__(self, draws, random_state):
        self.found = monte_carlo(
            lambda u: (u**2).sum(axis=1) <= 1, lambda rng, n: rng.random((n, 2)), draws, rng=random_state
        )

    def estimate(self):
        return 4 * self.found.estimate

    def covered(self):
        return self.found.interval[0] < np.pi / 4 < self.found.interval[1]


class EvidenceByDraws:
    """log p(y) of a line as the mean likelihood of weights drawn from the prior (PRML 3.68)."""

    def __init__(self, X, y, prior_precision, noise_precision, draws, random_state, exact):
        Phi, std = np.column_stack([np.ones(len(X)), X]), 1 / np.sqrt(noise_precision)
        self.found = [
            monte_carlo(
                lambda w: Normal(w @ Phi.T, std).log_prob(np.array(y)).sum(axis=1),
                MultivariateNormal(np.zeros(2), np.eye(2) / alpha),
                draws,
                rng=random_state,
                log=True,
            )
            for alpha in prior_precision
        ]
        self.exact = np.array(exact)

    def log_evidence(self):
        return [f.estimate for f in self.found]

    def misses(self):
        """How many standard errors they are off."""
        return (np.array(self.log_evidence()) - self.exact) / [f.standard_error for f in self.found]


class LogisticByDraws:
    """The posterior of logistic regression with a constant, by Metropolis–Hastings."""

    def __init__(self, X, y, precision, at, draws, random_state, exact=None, exact_mean=None):
        choice = MetropolisHastings(n_draws=draws, seed=random_state)
        model = BayesianLogisticRegression(precision, intercept="prior", inference=choice)
        self.posterior = model.fit(np.array(X, dtype=float)[:, None], y).posterior_
        self.predicted = model.predict_proba(np.array(at, dtype=float)[:, None])[:, 1]
        self.Phi = np.column_stack([np.ones(len(at)), at])
        self.exact, self.exact_mean = exact, exact_mean

    def probabilities(self):
        return self.predicted

    def misses(self):
        """Probabilities: how many standard errors they are from the exact ones."""
        _, error = self.posterior.expectation(lambda w: expit(w @ self.Phi.T))
        return (self.predicted - np.array(self.exact)) / error

    def misses_of_the_mean(self):
        return (self.posterior.mean - np.array(self.exact_mean)) / self.posterior.mcse


OPERATIONS = {
    "darts": Darts,
    "evidence_by_draws": EvidenceByDraws,
    "first_steps": FirstSteps,
    "logistic_by_draws": LogisticByDraws,
    "metropolis": Metropolis,
    "pi": Pi,
}
