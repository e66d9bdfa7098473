"""Missing cells are part of the model: integrated out, expected where sums need them, and never imputed before."""

from __future__ import annotations

import numpy as np
import pytest

from suffice._components.normal import dense
from suffice._components.normal.gaps import Runs
from suffice._core.errors import InvalidInput
from suffice.distributions import NormalInverseWishart
from suffice.mixtures import GaussianMixture

SHAPES = ("full", "tied", "diag", "spherical", "identity")
N, D = 80, 3
rng = np.random.default_rng(8)
X = rng.standard_normal((N, D)) @ (np.eye(D) + 0.4) + 4 * rng.integers(0, 2, (N, 1))
HOLES = np.where(rng.random(X.shape) < 0.25, np.nan, X)
WEIGHT = rng.choice([0.0, 1.0, 2.0, 0.5], N)
UNITS = {
    "full": np.array([np.eye(D)] * 2),
    "tied": np.eye(D),
    "diag": np.ones((2, D)),
    "spherical": np.ones(2),
    "identity": np.ones(2),
}


def mixture(shape, **options):
    """From a given start, so that nothing is drawn."""
    start = {
        "means_init": [[0.0] * D, [4.0] * D],
        "weights_init": [0.5, 0.5],
        "precisions_init": UNITS[shape],
    }
    return GaussianMixture(2, covariance_type=shape, **(start | {"tol": 1e-6, "max_iter": 5000} | options))


def assert_same_fit(a, b, tolerance=1e-10):
    np.testing.assert_allclose(a.trace_.objective, b.trace_.objective, rtol=tolerance)
    for name in ("weights_", "means_", "covariances_"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=tolerance, atol=tolerance)


def all_gaps(X):
    """Runs of rows in which nothing is missing: the path of gaps, forced."""
    n, D = X.shape
    return Runs(np.arange(n), np.array([0, n]), np.arange(D)[None], np.array([D]))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("shape", ["full", "tied"])
def test_without_gaps_the_two_ways_are_one(monkeypatch, shape, hard):
    plain = mixture(shape, hard=hard).fit(X, sample_weight=WEIGHT)

    class Forced:
        of = staticmethod(all_gaps)

    monkeypatch.setattr(dense, "Runs", Forced)
    assert_same_fit(mixture(shape, hard=hard).fit(X, sample_weight=WEIGHT), plain)


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_of_which_nothing_is_known_change_nothing_but_the_count(shape):
    """Their shares are the weights, so weights, means and covariances stay where a fit without them ends."""
    more = np.vstack([X, np.full((7, D), np.nan)])
    with_them, without = mixture(shape, tol=1e-13).fit(more), mixture(shape, tol=1e-13).fit(X)
    np.testing.assert_allclose(with_them.weights_, without.weights_, rtol=1e-5)
    np.testing.assert_allclose(with_them.means_, without.means_, rtol=1e-4, atol=1e-5)
    empty = np.full((2, D), np.nan)
    np.testing.assert_allclose(without.predict_proba(empty), [without.weights_] * 2, rtol=1e-13)
    np.testing.assert_allclose(without.score_samples(empty), 0.0, atol=1e-14)
    assert with_them.lower_bound_ == pytest.approx(without.lower_bound_ * N / (N + 7), rel=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_order_of_rows_does_not_matter(shape):
    order = np.random.default_rng(0).permutation(N)
    a = mixture(shape).fit(HOLES, sample_weight=WEIGHT)
    b = mixture(shape).fit(HOLES[order], sample_weight=WEIGHT[order])
    assert_same_fit(a, b)
    np.testing.assert_allclose(
        a.predict_proba(HOLES)[order], b.predict_proba(HOLES[order]), rtol=1e-8, atol=1e-12
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_a_weight_is_a_count(shape):
    times = np.random.default_rng(1).integers(0, 4, N)
    weighted = mixture(shape).fit(HOLES, sample_weight=times)
    repeated = mixture(shape).fit(np.repeat(HOLES, times, axis=0))
    kept = mixture(shape).fit(HOLES[times > 0], sample_weight=times[times > 0])
    assert_same_fit(weighted, repeated, 1e-9)
    assert_same_fit(weighted, kept)


def test_one_component_is_the_maximum_of_the_likelihood_of_pairs_of_columns():
    """With independent columns, the mean and variance of the known cells."""
    model = GaussianMixture(1, covariance_type="diag", reg_covar=0.0).fit(HOLES)
    np.testing.assert_allclose(model.means_[0], np.nanmean(HOLES, axis=0), rtol=1e-12)
    np.testing.assert_allclose(model.covariances_[0], np.nanvar(HOLES, axis=0), rtol=1e-12)


def test_a_monotone_pattern_has_a_closed_form():
    """x0 always known, x1 sometimes: the regression of x1 on x0 comes from the complete rows (Anderson 1957)."""
    table = X[:, :2].copy()
    table[50:, 1] = np.nan
    model = GaussianMixture(1, reg_covar=0.0, tol=1e-15, max_iter=5000).fit(table)
    mean, variance = table[:, 0].mean(), table[:, 0].var()
    known = table[:50]
    slope = np.cov(known.T, bias=True)[0, 1] / known[:, 0].var()
    rest = np.mean((known[:, 1] - known[:, 1].mean() - slope * (known[:, 0] - known[:, 0].mean())) ** 2)
    expected_mean = known[:, 1].mean() + slope * (mean - known[:, 0].mean())
    np.testing.assert_allclose(model.means_[0], [mean, expected_mean], rtol=1e-6)
    cross = slope * variance
    np.testing.assert_allclose(
        model.covariances_[0], [[variance, cross], [cross, rest + slope**2 * variance]], rtol=1e-6
    )


def test_a_column_without_a_known_cell_is_named():
    holes = X.copy()
    holes[:, 1] = np.nan
    with pytest.raises(InvalidInput, match="Column 'x1' has no known cell in .* rows; leave it out"):
        mixture("full").fit(holes)
    with pytest.raises(InvalidInput, match="Column 'x0' has no known cell"):
        mixture("diag").fit(
            np.c_[np.r_[X[:1, 0], np.full(N - 1, np.nan)], X[:, 1:]], sample_weight=np.arange(N)
        )


@pytest.mark.parametrize("shape", SHAPES)
def test_a_prior_keeps_its_say_where_little_is_known(shape):
    little = np.where(np.random.default_rng(3).random(X.shape) < 0.9, np.nan, X)
    strong = NormalInverseWishart([1.0, 2.0, 3.0], 1e6, np.eye(D), D + 2.0)
    model = mixture(shape, prior=strong, reg_covar=0.0).fit(little)
    np.testing.assert_allclose(model.means_, [[1.0, 2.0, 3.0]] * 2, rtol=1e-3)
    assert model.trace_.falls().size == 0


def test_wide_tables_with_gaps():
    """More columns than fit into the bits of an integer."""
    wide = np.random.default_rng(4).standard_normal((150, 70))
    holes = wide.copy()
    holes[::3, 65], holes[1::3, :2] = np.nan, np.nan
    model = GaussianMixture(1, reg_covar=1e-3, tol=1e-3, max_iter=1000).fit(holes)
    assert model.converged_
    np.testing.assert_allclose(model.means_[0, 2:65], wide[:, 2:65].mean(axis=0), rtol=1e-9)
