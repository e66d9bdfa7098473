"""Expectation–maximization never goes down where its step is exact, and where it is not, a fall is written down."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from suffice.distributions import MultivariateNormal, Normal, NormalInverseWishart
from suffice.mixtures import GaussianMixture

SHAPES = ("full", "tied", "diag", "spherical", "identity")
N, D = 40, 3
pytestmark = [
    pytest.mark.filterwarnings("ignore::suffice._core.errors.AtBound"),  # some starts collapse
    pytest.mark.filterwarnings("ignore::suffice._core.errors.NotConverged"),  # tol is zero
]


def table(kind, rng):
    """Three clouds, or something that makes components collapse."""
    X = rng.standard_normal((N, D)) @ (np.eye(D) + 0.5 * rng.standard_normal((D, D)))
    X += 3 * rng.integers(0, 3, (N, 1)) * rng.standard_normal(D)
    if kind == "units":
        X = X * [1e-3, 1.0, 1e4] + [1e3, 0.0, -1e6]
    elif kind == "equal rows":
        X[:12] = X[0]
    elif kind == "collinear":
        X[:, 2] = X[:, 0] - 2 * X[:, 1]
    elif kind == "constant":
        X[:, 1] = 7.0
    return X


def belief(kind, X):
    center, spread = np.nanmean(X, axis=0), np.nanstd(X, axis=0) + 1e-3
    if kind == "mean and covariance":
        return NormalInverseWishart(center, 0.5, np.diag(spread**2), D + 2.0)
    if kind == "means":
        return Normal(center, spread)
    if kind == "means together":
        return MultivariateNormal(center, (np.eye(D) + 0.3) * np.outer(spread, spread))
    return None


ALL = list(itertools.product((0.0, 0.2), (False, True), (None, 1.5), (False, True)))
HALF = [
    c for c in ALL if (bool(c[0]) + c[1] + bool(c[2]) + c[3]) % 2 == 0
]  # any three of the four in all ways


def climbs(kind, shape, prior, seed, ways):
    """Fits with combinations of gaps, weights, a prior on weights, and hard shares."""
    for gaps, weighted, of_weights, hard in ways:
        rng = np.random.default_rng([seed, len(kind), SHAPES.index(shape), weighted, hard])
        X = table(kind, rng)
        if gaps:
            X[rng.random(X.shape) < gaps] = np.nan
            X[3] = np.nan
        model = GaussianMixture(
            3,
            covariance_type=shape,
            reg_covar=0.0,
            tol=0.0,
            max_iter=25,
            init_params=("random", "kmeans")[seed % 2],
            random_state=seed,
            prior=belief(prior, X),
            weights_prior=of_weights,
            hard=hard,
        )
        yield model.fit(X, sample_weight=rng.choice([0.0, 0.5, 1.0, 3.0], N) if weighted else None)


def assert_climbs(fits, bound_tolerance=1e-9):
    for model in fits:
        trace = model.trace_
        unit = np.maximum(np.abs(trace.objective[1:]), N)  # an objective may pass through zero
        assert np.all(np.diff(trace.objective) >= -1e-9 * unit), model
        bound, likelihood = trace.columns["bound"], trace.columns["likelihood"]
        assert np.all(bound <= likelihood + bound_tolerance * np.abs(likelihood)), model


# In the step in which a component gets 1e12 times narrower, its squares are known to eps · 1e12 = 2e-4 of a row's: of
# 40 rows about 4e-3, and the likelihood is some hundreds.
COLLAPSING = 1e-5
PRIORS = ("none", "mean and covariance", "means", "means together")
ONE_BY_ONE = ("diag", "spherical", "identity")  # whose columns are independent: a prior of means must be, too
PAIRS = [(s, p) for s in SHAPES for p in PRIORS if not (s in ONE_BY_ONE and p == "means together")]


@pytest.mark.parametrize(("shape", "prior"), PAIRS)
def test_never_falls(shape, prior):
    assert_climbs(climbs("clouds", shape, prior, 0, HALF[::2]), COLLAPSING)
    assert_climbs(climbs("clouds", shape, prior, 1, HALF[1::2]), COLLAPSING)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["units", "equal rows", "collinear", "constant"])
def test_never_falls_where_components_collapse(kind, shape):
    assert_climbs(climbs(kind, shape, "none", 0, HALF[::2]), COLLAPSING)
    assert_climbs(climbs(kind, shape, "means", 1, HALF[1::2]), COLLAPSING)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["clouds", "units", "equal rows", "collinear", "constant"])
@pytest.mark.parametrize(("shape", "prior"), PAIRS)
def test_never_falls_elsewhere(shape, prior, kind):
    for seed in range(2, 8):
        assert_climbs(climbs(kind, shape, prior, seed, ALL), COLLAPSING)


# -- regularization is no step upwards --------------------------------------------------------------------
def falling(**options):
    """Two narrow clouds that reg_covar makes as wide as their distance: what it adds is no maximum."""
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(0, 0.05, (20, 1)), rng.normal(1, 0.05, (20, 1))]
    start = {
        "weights_init": [0.5, 0.5],
        "means_init": [[0.0], [1.0]],
        "precisions_init": [[[400.0]], [[400.0]]],
    }
    return GaussianMixture(2, reg_covar=0.3, **start, **options), X


def test_a_fall_is_in_the_trace_and_no_reason_to_stop():
    model, X = falling(tol=1e-3, max_iter=500)
    model.fit(X)
    falls = model.trace_.falls()
    assert 1 in falls
    assert model.converged_
    assert len(model.trace_) - 1 not in falls  # the step at which it converged
    for step in falls:
        stopped, _ = falling(tol=1e-3, max_iter=int(step))
        with pytest.warns(match="did not converge"):
            stopped.fit(X)
        assert not stopped.converged_


def test_a_fall_larger_than_tol_allows_does_not_converge_however_large_tol_is():
    model, X = falling(tol=1e3, max_iter=1)
    with pytest.warns(match="did not converge"):
        model.fit(X)
    assert model.trace_.falls().tolist() == [1]
    assert not model.converged_


@pytest.mark.parametrize("shape", SHAPES)
def test_the_last_objective_is_that_of_the_parameters(shape):
    rng = np.random.default_rng(2)
    X, weight = table("clouds", rng), rng.choice([0.0, 1.0, 2.5], N)
    X[rng.random(X.shape) < 0.2] = np.nan
    model = GaussianMixture(3, covariance_type=shape, max_iter=7, tol=0.0, random_state=0, weights_prior=2.0)
    model.fit(X, sample_weight=weight)
    likelihood = weight @ model.score_samples(X)
    assert model.trace_.columns["likelihood"][-1] == pytest.approx(likelihood, rel=1e-12)
    assert model.trace_.objective[-1] == pytest.approx(likelihood + model.mixing_.log_prior, rel=1e-12)
    began_with = model.trace_.objective[:-1] / weight.sum()
    np.testing.assert_allclose(model.lower_bounds_, began_with, rtol=1e-12)
    assert model.lower_bound_ == model.lower_bounds_[-1]
    assert len(model.lower_bounds_) == model.n_iter_ == 7


@pytest.mark.parametrize("shape", SHAPES[:4])
def test_with_a_prior_the_covariances_found_are_the_most_probable(shape):
    """A little wider or narrower, likelihood times prior is lower: the slope along the size of Σ is zero."""
    rng = np.random.default_rng(5)
    X = table("clouds", rng)
    prior = belief("mean and covariance", X)
    model = GaussianMixture(2, covariance_type=shape, prior=prior, reg_covar=0.0, tol=1e-13, max_iter=5000)
    mixing = model.set_params(random_state=0).fit(X).mixing_

    def height(factor):
        normals = mixing.components
        name, power = ("roots", 1) if shape in ("full", "tied") else ("variances", 2)
        wider = replace(normals, **{name: getattr(normals, name) * factor**power})
        moved = replace(mixing, components=wider)
        return np.logaddexp.reduce(moved.joint_logs(X), axis=1).sum() + moved.log_prior

    step = 1e-4
    assert (height(1 + step) - height(1 - step)) / (2 * step) == pytest.approx(0.0, abs=1e-3)
    assert height(1.01) < height(1.0) > height(0.99)
