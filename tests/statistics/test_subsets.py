"""The algebra of column subsets against fits to the columns themselves."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, TimeSeriesSplit

from suffice._core.errors import RankDeficient
from suffice.baselines import MeanRegressor
from suffice.bases import Polynomial
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.statistics.subsets import FoldColumns

N, D = 60, 4
MODELS = {
    "least squares": LinearRegression(),
    "standardized": LinearRegression(standardize=True),
    "origin": LinearRegression(fit_intercept=False),
    "origin, standardized": LinearRegression(fit_intercept=False, standardize=True),
    "ridge": Ridge(2.0),
    "no penalty": Ridge(0.0, penalize_intercept=True),
    "tiny penalty": Ridge(1e-6),
    "mean": Ridge(0.3, penalty_scale="mean", standardize=True),
    "precision": Ridge(0.3, penalty_scale="unbiased", weight_kind="precision"),
    "all penalized": Ridge(5.0, penalize_intercept=True),
    "all penalized, standardized": Ridge(5.0, penalize_intercept=True, standardize=True),
    "origin, penalized": Ridge(5.0, fit_intercept=False),
    "bayes": BayesianLinearRegression(2.0, noise_precision=3.0),
    "bayes, all": BayesianLinearRegression(2.0, noise_precision=3.0, intercept="prior"),
}
GROUPS = np.arange(N) % 7
SPLITS = {
    "blocks": KFold(4),
    "shuffled": KFold(3, shuffle=True, random_state=1),
    "random": ShuffleSplit(4, test_size=0.3, random_state=2),
    "series": TimeSeriesSplit(3),
    "groups": GroupKFold(3),
}
SEEDS = st.integers(0, 2**31)


def draw(seed, targets=1, weights=True, n=N, d=D):
    """Correlated columns with means and scales, targets as a matrix, and counts with zeros among them."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) @ rng.uniform(-1, 1, (d, d)) + rng.uniform(-5, 5, d)
    X *= 10.0 ** rng.integers(-2, 3, d)
    Y = (X / X.std(axis=0)) @ rng.standard_normal((d, targets)) + rng.standard_normal((n, targets))
    return X, Y, rng.integers(0, 3, n).astype(float) if weights else np.ones(n)


def splits_of(name, X):
    return list(SPLITS[name].split(X, groups=GROUPS if name == "groups" else None))


def columns_of(model, X, Y, w, splits) -> FoldColumns:
    """From the rows of each set, read one by one."""
    folds = []
    for train, test in splits:
        t, u = (model.collect(X[i], Y[i], w[i]) for i in (train, test))
        folds.append((*model.subset_system(t), u))
    return FoldColumns.of(folds)


def refitted(model, X, Y, w, splits, S) -> np.ndarray:
    """The weighted squared error, mean over targets, of a fit to the columns themselves."""
    out = []
    for train, test in splits:
        fitted = clone(model).fit(X[train][:, S], Y[train], w[train])
        out.append((w[test] @ (Y[test] - fitted.predict(X[test][:, S])) ** 2).mean())
    return np.array(out)


def subsets(d=D):
    return [[j for j in range(d) if code >> j & 1] for code in range(1, 2**d)]


def assert_close(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=0)


def check_every_way(model, X, Y, w, splits):
    d = X.shape[1]
    c = columns_of(model, X, Y, w, splits)
    known = {tuple(S): refitted(model, X, Y, w, splits, S) for S in subsets(d)}
    all_of_them = c.all_subsets()
    for code, S in enumerate(subsets(d), start=1):
        assert_close(c.errors(S), known[tuple(S)])
        assert_close(all_of_them[code], known[tuple(S)].sum())
        swept = c
        for j in S:
            swept = swept.swept(j)
        assert_close(swept.error(), known[tuple(S)])
        for j in set(range(d)) - set(S):
            assert_close(swept.additions()[j], known[tuple(sorted([*S, j]))])
        for i, j in enumerate(S if len(S) > 1 else []):
            assert_close(c.removals(S)[i], known[tuple(k for k in S if k != j)])


@pytest.mark.slow
@given(
    name=st.sampled_from(sorted(MODELS)),
    seed=SEEDS,
    split=st.sampled_from(sorted(SPLITS)),
    targets=st.sampled_from([1, 2]),
)
def test_every_way_to_a_subset_is_the_fit_to_its_columns(name, seed, split, targets):
    X, Y, w = draw(seed, targets, d=3)
    check_every_way(MODELS[name], X, Y, w, splits_of(split, X))


@pytest.mark.parametrize("name", MODELS)
def test_every_way_for_every_model(name):
    X, Y, w = draw(11, 2, d=3)
    check_every_way(MODELS[name], X, Y, w, splits_of("shuffled", X))


@pytest.mark.long
@pytest.mark.slow
@settings(max_examples=settings.default.max_examples // 3)  # each is many fits
@given(name=st.sampled_from(sorted(MODELS)), seed=SEEDS, split=st.sampled_from(sorted(SPLITS)))
def test_every_way_with_more_columns(name, seed, split):
    X, Y, w = draw(seed, 2, d=5)
    check_every_way(MODELS[name], X, Y, w, splits_of(split, X))


@given(seed=SEEDS)
def test_the_order_of_sweeping_does_not_matter(seed):
    X, Y, w = draw(seed)
    c = columns_of(LinearRegression(), X, Y, w, splits_of("blocks", X))
    a, b = c.swept(0).swept(2).swept(3), c.swept(3).swept(0).swept(2)
    assert_close(a.error(), b.error())
    assert_close(a.additions()[1], b.additions()[1])


@pytest.mark.parametrize("name", ["least squares", "ridge", "all penalized, standardized", "origin"])
@pytest.mark.parametrize("interactions", [False, True])
def test_columns_of_a_basis_are_dropped_with_their_inputs(name, interactions):
    X, Y, w = draw(3, d=3)
    basis = Polynomial(2, interactions=interactions)
    model, splits = clone(MODELS[name]).set_params(basis=basis), splits_of("blocks", X)
    c, owners = columns_of(model, X, Y, w, splits), basis.owners(3)
    for S in subsets(3):
        mine = [i for i, needs in enumerate(owners) if set(needs) <= set(S)]
        assert_close(c.errors(mine), refitted(model, X, Y, w, splits, S))


# -- columns that say little ----------------------------------------------------------------------------
def test_a_copy_of_a_column_changes_nothing():
    X, Y, w = draw(1)
    X[:, 3] = 7 - 2 * X[:, 1]
    c = columns_of(LinearRegression(), X, Y, w, splits_of("blocks", X))
    assert_close(c.swept(1).additions()[3], c.errors([1]))
    assert_close(c.swept(1).swept(3).additions()[0], c.errors([0, 1]))
    assert_close(c.all_subsets()[0b1011], c.errors([0, 1]).sum())
    assert np.isnan(c.errors([1, 3])).all()
    assert np.isnan(c.removals([0, 1, 3])).all()


@pytest.mark.parametrize("size", [1e-12, 1e-8, 1e-7])
def test_nearly_dependent_columns_are_left_to_the_model(size):
    X, Y, w = draw(1)
    unit = X[:, 1].std()
    X[:, 3] = X[:, 1] + size * unit * np.random.default_rng(0).standard_normal(N)
    c = columns_of(LinearRegression(), X, Y, w, splits_of("blocks", X))
    assert np.isnan(c.swept(1).additions()[3]).all()
    assert np.isnan(c.swept(1).swept(3).additions()).all()
    assert np.isnan(c.errors([1, 3])).all()
    assert np.isnan(c.removals([0, 1, 3])).all()
    codes = np.arange(2**D)
    np.testing.assert_array_equal(np.isnan(c.all_subsets()), codes & 0b1010 == 0b1010)


def test_a_doubtful_column_spoils_what_it_is_in():
    X, Y, w = draw(1)
    c = columns_of(LinearRegression(), X, Y, w, splits_of("blocks", X))
    doubtful = np.zeros_like(c.doubtful)
    doubtful[2, 1] = True
    c = replace(c, doubtful=doubtful)
    np.testing.assert_array_equal(np.isnan(c.additions()), doubtful)
    np.testing.assert_array_equal(np.isnan(c.swept(2).error()), [False, True, False, False])
    np.testing.assert_array_equal(np.isnan(c.errors([1, 2])), [False, True, False, False])
    np.testing.assert_array_equal(np.isnan(c.removals([1, 2]))[0], [False, True, False, False])
    np.testing.assert_array_equal(np.isnan(c.all_subsets()), np.arange(2**D) & 0b100 > 0)


def test_a_column_may_depend_on_those_after_it():
    rng = np.random.default_rng(0)
    a, u, v = (rng.standard_normal(N) for _ in range(3))
    X = np.column_stack(
        [a, a + 1e-4 * u, u + 1e-4 * v, rng.standard_normal(N)]
    )  # each new beside those before
    Y, w = rng.standard_normal((N, 1)), np.ones(N)
    c = columns_of(LinearRegression(), X, Y, w, splits_of("blocks", X))
    assert np.isnan(c.removals([0, 1, 2])).all()  # but the first is nearly a combination of the other two
    assert not np.isnan(c.removals([0, 1, 3])).any()


def test_a_dependence_that_test_rows_break_is_left_to_the_model():
    X, Y, w = draw(1, weights=False)
    X[:40, 3] = X[:40, 1]
    c = columns_of(LinearRegression(), X, Y, w, [(np.arange(40), np.arange(40, N))])
    assert np.isnan(c.swept(1).additions()[3]).all()
    assert not np.isnan(c.additions()).any()


@pytest.mark.parametrize("name", ["least squares", "standardized", "no penalty", "ridge", "all penalized"])
def test_a_column_that_is_constant_in_training_alone(name):
    X, Y, w = draw(1, weights=False)
    X[:40, 2] = 3.0
    splits = [(np.arange(40), np.arange(40, N)), (np.arange(20, N), np.arange(20))]
    model = MODELS[name]
    c = columns_of(model, X, Y, w, splits)
    warns = isinstance(model, LinearRegression) or name == "no penalty"
    with pytest.warns(RankDeficient) if warns else contextlib.nullcontext():
        theirs = {S: refitted(model, X, Y, w, splits, list(S)) for S in [(2,), (0, 2), (0, 1, 2)]}
    assert_close(c.errors([0, 2]), theirs[0, 2])
    assert_close(c.swept(0).additions()[2], theirs[0, 2])
    assert_close(c.swept(2).swept(0).additions()[1], theirs[0, 1, 2])
    assert_close(c.removals([0, 1, 2])[1], theirs[0, 2])
    assert_close(c.all_subsets()[0b0111], theirs[0, 1, 2].sum())


@pytest.mark.parametrize("scale", [1e-120, 1e120])
def test_units_do_not_matter(scale):
    X, Y, w = draw(5)
    c = columns_of(LinearRegression(), X, Y, w, splits_of("blocks", X))
    X[:, 1] *= scale
    other = columns_of(LinearRegression(), X, Y, w, splits_of("blocks", X))
    assert_close(other.swept(0).additions()[1:], c.swept(0).additions()[1:])
    assert_close(other.removals(range(D)), c.removals(range(D)))
    assert_close(other.all_subsets(), c.all_subsets())


def test_huge_means_cost_nothing():
    rng = np.random.default_rng(0)
    whole = np.round(rng.standard_normal((N, D)) * 1000)  # exact beside the mean
    Y, w = whole @ rng.standard_normal((D, 1)) + 100 * rng.standard_normal((N, 1)), np.ones(N)
    splits = list(KFold(4).split(whole))
    near, far = (columns_of(LinearRegression(), whole + m, Y, w, splits) for m in (0.0, 1e11))
    assert_close(far.swept(1).additions(), near.swept(1).additions())
    assert_close(far.removals(range(D)), near.removals(range(D)))


def test_no_columns_at_all():
    X, Y, w = draw(2)
    splits = splits_of("blocks", X)
    c = columns_of(MeanRegressor(), X, Y, w, splits)
    assert c.n_columns == 0
    assert c.additions().shape == (0, 4)
    means = [np.average(Y[a, 0], weights=w[a]) for a, _ in splits]
    assert_close(c.errors([]), [w[b] @ (Y[b, 0] - m) ** 2 for m, (_, b) in zip(means, splits, strict=True)])
    assert_close(c.error(), c.errors([]))
