"""Calibration of generative classifiers by simulation.

Under the prior that a fully Bayesian model states, P(c | x, rows) is calibrated however few rows there are: over draws
of parameters, rows and a new row, the mean of (1[y = c] − P(c | x)) g(x) is zero. No other probability has a smaller
expected log loss. Rounds are independent; the spread of their means gives the Monte Carlo error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from suffice.distributions import Beta, Dirichlet, NormalGamma, NormalInverseWishart
from suffice.generative import (
    BernoulliNB,
    GaussianNB,
    LinearDiscriminantAnalysis,
    MultinomialNB,
    QuadraticDiscriminantAnalysis,
)


# -- a true model is calibrated -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "model", [LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()], ids=["LDA", "QDA"]
)
def test_a_true_model_with_many_rows_is_calibrated_in_every_bin(model):
    """Share of the class in a bin against the mean probability there: 5 binomial errors, and 2 % for the fit.

    A log odds of k parameters from n rows errs by about √(k/n) in units of its spread, 0.02 for 10 of 40,000; a
    probability by at most a quarter of that.
    """
    rng = np.random.default_rng(11)
    spread = [1.0, 1.0] if isinstance(model, LinearDiscriminantAnalysis) else [0.8, 1.3]

    def draw(n):
        y = (rng.random(n) < 0.4).astype(int)
        X = rng.standard_normal((n, 3)) * np.array(spread)[y][:, None] + 0.6 * y[:, None]
        return X @ np.array([[1.0, 0.5, 0.0], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]]), y

    p, (X, y) = None, draw(40_000)
    new, truth = draw(40_000)
    p = model.fit(X, y).predict_proba(new)[:, 1]
    bins = np.minimum((10 * p).astype(int), 9)
    full = [b for b in range(10) if np.sum(bins == b) > 200]
    assert len(full) >= 7
    for b in full:
        mine = bins == b
        error = np.sqrt(p[mine].mean() * (1 - p[mine].mean()) / mine.sum())
        assert abs(truth[mine].mean() - p[mine].mean()) < 5 * error + 0.005


@dataclass
class World:
    """A prior, how rows come about under parameters drawn from it, and the models: integrated and plugged in."""

    parameters: Callable[[np.random.Generator], Any]
    rows: Callable[[np.random.Generator, Any, np.ndarray], np.ndarray]
    bayes: Any
    plugged: Any
    each: int = 3


def _two(prior):
    return lambda rng: [prior.sample(rng=rng) for _ in range(2)]


def _covariances(prior, shared: bool):
    """(μ, Σ) of two classes; with a shared Σ the means are drawn given it."""

    def draw(rng):
        pairs = [prior.sample(rng=rng) for _ in range(2)]
        if not shared:
            return pairs
        sigma = pairs[0][1]
        root = np.linalg.cholesky(sigma / prior.strength)
        return [(prior.mean + root @ rng.standard_normal(len(sigma)), sigma) for _ in range(2)]

    return draw


def _normal_rows(rng, pairs, y):
    roots = [np.linalg.cholesky(s) for _, s in pairs]
    z = rng.standard_normal((len(y), len(roots[0])))
    return np.array([pairs[c][0] + roots[c] @ e for c, e in zip(y, z, strict=True)])


def _independent_rows(rng, pairs, y):
    pairs = np.asarray(pairs)  # (classes, columns, 2): mean and precision
    return pairs[y, :, 0] + rng.standard_normal((len(y), pairs.shape[1])) / np.sqrt(pairs[y, :, 1])


def _words(rng, shares, y):
    return np.array([rng.multinomial(8, shares[c]) for c in y], dtype=float)


WISHART = NormalInverseWishart(np.zeros(2), 0.5, 2.0 * np.eye(2), 6.0)
GAMMA = NormalGamma(0.0, 0.4, 2.0, 1.5)
WORDS = Dirichlet(np.full(5, 0.6))
ON = Beta(0.7, 1.2)
WORLDS = {
    "MultinomialNB": World(
        _two(WORDS),
        _words,
        MultinomialNB(prior=WORDS, fully_bayesian=True, class_prior="uniform"),
        MultinomialNB(alpha=0.6, class_prior="uniform"),
    ),
    "GaussianNB": World(
        lambda rng: [[GAMMA.sample(rng=rng) for _ in range(2)] for _ in range(2)],
        _independent_rows,
        GaussianNB(prior=GAMMA, priors="uniform"),
        GaussianNB(priors="uniform", var_smoothing=0.1),
    ),
    "QDA": World(
        _covariances(WISHART, shared=False),
        _normal_rows,
        QuadraticDiscriminantAnalysis(prior=WISHART, priors="uniform"),
        QuadraticDiscriminantAnalysis(priors="uniform", unbiased=True),
        each=4,
    ),
    "LDA": World(
        _covariances(WISHART, shared=True),
        _normal_rows,
        LinearDiscriminantAnalysis(prior=WISHART, priors="uniform"),
        LinearDiscriminantAnalysis(priors="uniform", unbiased=True),
    ),
    "BernoulliNB": World(
        lambda rng: [ON.sample(6, rng=rng) for _ in range(2)],
        lambda rng, shares, y: (rng.random((len(y), 6)) < np.array(shares)[y]).astype(float),
        BernoulliNB(prior=ON, class_prior="uniform"),
        BernoulliNB(alpha=1e-3, class_prior="uniform"),
    ),
}


def rounds(world: World, seed: int, n: int = 250, tests: int = 20):
    """Per round: the mean residual times 1 and times P, and the log losses of both models."""
    rng = np.random.default_rng(seed)
    train = np.repeat([0, 1], world.each)
    out = []
    for _ in range(n):
        theta = world.parameters(rng)
        y = rng.integers(0, 2, tests)
        X, new = world.rows(rng, theta, train), world.rows(rng, theta, y)
        logs = [m.fit(X, train).predict_log_proba(new) for m in (world.bayes, world.plugged)]
        p = np.exp(logs[0][:, 1])
        mine = [log[np.arange(tests), y] for log in logs]
        out.append(
            [
                np.mean(y - p),
                np.mean((y - p) * p),
                np.mean((y - p) * (p - 0.5) ** 3),
                *(-m.mean() for m in mine),
            ]
        )
    return np.array(out)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_fully_bayesian_models_are_calibrated_with_few_rows_and_lose_less(name):
    found = rounds(WORLDS[name], seed=12)
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    assert np.all(np.abs(found[:, :3].mean(axis=0)) < 4.5 * error[:3])
    gain = found[:, 4] - found[:, 3]
    assert gain.mean() > 2 * gain.std(ddof=1) / np.sqrt(
        len(gain)
    )  # one-sided: by luck in 1 of 40 without a gain


@pytest.mark.slow
def test_a_wrong_prior_is_not_calibrated():
    """The test above can fail: too narrow a prior is noticed."""
    world = WORLDS["GaussianNB"]
    wrong = World(
        world.parameters,
        world.rows,
        GaussianNB(prior=NormalGamma(0.0, 0.4, 20.0, 3.0), priors="uniform"),
        world.plugged,
    )
    found = rounds(wrong, seed=12)[:, 2]
    assert abs(found.mean()) > 4.5 * found.std(ddof=1) / np.sqrt(len(found))


def test_many_rows_make_beliefs_agree():
    """The Bayesian and the plugged-in model meet as rows come in."""
    world, far = WORLDS["MultinomialNB"], []
    for n in (5, 50, 5000):
        rng = np.random.default_rng(13)
        theta, y = world.parameters(rng), np.repeat([0, 1], n)
        X, new = world.rows(rng, theta, y), world.rows(rng, theta, np.repeat([0, 1], 50))
        a, b = (m.fit(X, y).predict_proba(new) for m in (world.bayes, world.plugged))
        far.append(np.abs(a - b).max())
    assert far[0] > far[1] > far[2]
    assert far[2] < 2e-3
