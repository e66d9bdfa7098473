"""Compiled loops and their twins in NumPy give the same numbers, one by one and in whole fits."""

from __future__ import annotations

import numpy as np
import pytest

from suffice._components import plain, responsibilities
from suffice._components.normal import columns, dense, gaps
from suffice._components.normal.gaps import Runs
from suffice._core.compiling import loops
from suffice.mixtures import GaussianMixture

pytest.importorskip("numba")
SIZES = {
    "one of one": (9, 1, 1),
    "one component": (12, 1, 3),
    "one column": (15, 4, 1),
    "several": (30, 3, 4),
}
sizes = pytest.mark.parametrize(("n", "K", "D"), SIZES.values(), ids=SIZES)


@pytest.fixture(scope="module")
def compiled():
    return loops("suffice._components._loops")


def rows(n, D, seed=0, missing=0.3):
    rng = np.random.default_rng([seed, n, D])
    X = rng.standard_normal((n, D))
    X[rng.random(X.shape) < missing] = np.nan
    X[0], X[1] = np.nan, 0.5  # nothing known, everything known
    return X


def parameters(K, D):
    rng = np.random.default_rng([1, K, D])
    A = rng.standard_normal((K, D, D + 2))
    return rng.standard_normal((K, D)), A @ np.swapaxes(A, 1, 2)


def both(compiled, name, inputs, outputs):
    """What each of the two returns and writes."""
    made = []
    for module in (compiled, plain):
        written = [a.copy() for a in outputs]
        made.append((getattr(module, name)(*inputs(written)), written))
    return made


def assert_equal(pair, tolerance=1e-12):
    (mine, written), (twin, expected) = pair
    if twin is not None:
        np.testing.assert_allclose(mine, twin, rtol=tolerance, atol=tolerance)
    for a, b in zip(written, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@sizes
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("impossible", ["none", "without weight", "with weight"])
def test_shares(compiled, n, K, D, hard, impossible):
    rng = np.random.default_rng([K, n])
    logs, weight = 30 * rng.standard_normal((n, K)), rng.choice([0.0, 0.5, 3.0], n)
    logs[3, 0] = -np.inf  # for this component alone, where there are others
    logs[4] = logs[4, 0]  # equal
    weight[3] = 0.0 if K == 1 else 2.0
    if impossible != "none":
        logs[5], weight[5] = -np.inf, float(impossible == "with weight")
    pair = both(compiled, "responsibilities", lambda out: (out[0], weight, hard), [logs])
    assert_equal(pair)
    likelihood = pair[0][0][0]
    assert np.isfinite(likelihood) == (impossible != "with weight")
    np.testing.assert_allclose(
        pair[0][1][0].sum(axis=1), np.where(logs.max(axis=1) > -np.inf, weight, 0.0), rtol=1e-12
    )


@sizes
@pytest.mark.parametrize("shared", [False, True], ids=["own", "one covariance"])
def test_whitened_and_weighed(compiled, n, K, D, shared):
    rng = np.random.default_rng(2)
    given = (
        rng.standard_normal((n, D)),
        rng.standard_normal((1 if shared else K, D, D)),
        rng.standard_normal((K, D)),
        rng.standard_normal(K),
    )
    empty = [np.empty((K, n, D)), np.empty((n, K))]
    assert_equal(both(compiled, "whitened", lambda o: (*given, *o), empty))
    r = rng.random((n, K)) * rng.integers(0, 2, (n, 1))
    out = [rng.standard_normal((K, n, D)), np.zeros((K, D)), np.empty((K, D, D))]
    assert_equal(both(compiled, "weighed", lambda o: (o[0], r, *o[1:]), out))


@sizes
def test_columns(compiled, n, K, D):
    X, (means, covariances) = rows(n, D), parameters(K, D)
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    inverse, constant = 1 / np.sqrt(variances), -0.5 * np.log(2 * np.pi * variances)
    pair = both(compiled, "column_logs", lambda o: (X, means, inverse, constant, *o), [np.empty((n, K))])
    assert_equal(pair)
    assert np.all(pair[0][1][0][0] == 0)  # nothing is known
    r = np.random.default_rng(3).random((n, K)) * np.r_[np.ones(n - 3), np.zeros(3)][:, None]
    assert_equal(both(compiled, "column_sums", lambda o: (X, means, inverse, r, *o), [np.ones((K, D))] * 3))


@pytest.mark.parametrize("shared", [False, True], ids=["own", "one covariance"])
@pytest.mark.parametrize(("n", "K", "D"), [*SIZES.values(), (12, 2, 70)], ids=[*SIZES, "wide"])
def test_gaps(compiled, n, K, D, shared):
    X, (means, covariances) = rows(n, D), parameters(K, D)
    covariances = covariances[:1] if shared else covariances
    runs = Runs.of(X)
    assert len(np.unique(np.isnan(X), axis=0)) == len(runs.known)
    ordered = np.ascontiguousarray(X[runs.places])
    where = runs.starts, runs.orders, runs.known
    out = [np.zeros((len(runs.known), len(covariances), D, D)), np.zeros((n, K, D)), np.empty((n, K))]
    pair = both(compiled, "gap_logs", lambda o: (ordered, *where, means, covariances, *o), out)
    assert_equal(pair, 1e-9)
    roots, Z, _ = pair[1][1]
    r = np.random.default_rng(4).random((n, K)) * np.r_[np.ones(n - 3), np.zeros(3)][:, None]
    sums = [np.ones((K, D)), np.ones((K, D, D))]
    assert_equal(both(compiled, "gap_sums", lambda o: (*where, roots, Z, r, *o), sums), 1e-9)


@pytest.mark.parametrize("D", [1, 62, 63, 70])
def test_patterns_of_any_width(D):
    missing = np.random.default_rng(D).random((40, D)) < 0.02
    missing[7], missing[8] = True, False
    codes = gaps.pattern_codes(missing)
    same = (missing[:, None] == missing[None]).all(axis=2)
    assert np.array_equal(codes[:, None] == codes[None], same)


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical", "identity"])
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_fits_without_a_compiler_are_the_same(monkeypatch, kind, hard, missing):
    rng = np.random.default_rng(6)
    X = rng.standard_normal((60, 3)) + 4 * rng.integers(0, 2, (60, 1))
    X[rng.random(X.shape) < missing] = np.nan
    weight = rng.choice([0.0, 1.0, 2.5], 60)
    model = GaussianMixture(2, covariance_type=kind, hard=hard, tol=1e-6, max_iter=200, random_state=0)
    mine = model.fit(X, sample_weight=weight)
    found = mine.trace_.objective, mine.means_, mine.covariances_, mine.predict_proba(X)
    for module in (responsibilities, columns, dense, gaps):
        monkeypatch.setattr(module, "kernels", lambda: plain)
    twin = model.fit(X, sample_weight=weight)
    for a, b in zip(
        found, (twin.trace_.objective, twin.means_, twin.covariances_, twin.predict_proba(X)), strict=True
    ):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
