"""Fits that go on from others, parameters that are known, starts from files: what is kept, and what is new."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from suffice import engine
from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, NoInformation, NotConverged
from suffice.distributions import NormalInverseWishart
from suffice.mixtures import BernoulliMixture, GaussianMixture

rng = np.random.default_rng(0)
X = np.vstack([rng.normal(0, 1, (60, 2)), rng.normal(4, 1, (60, 2))])
WARM = GaussianMixture(2, random_state=0, warm_start=True, tol=1e-9, max_iter=1000)
PRIOR = NormalInverseWishart(np.zeros(2), 50.0, np.eye(2) * 300, 40.0)


# -- warm starts ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "changed",
    [{"prior": PRIOR}, {"weights_prior": [1000.0, 1.0]}, {"reg_covar": 0.4}],
    ids=lambda c: next(iter(c)),
)
def test_a_warm_start_follows_the_parameters_of_now(changed):
    warm = clone(WARM).fit(X).set_params(**changed).fit(X)
    fresh = clone(WARM).set_params(**changed, weights_init=[0.5, 0.5], means_init=warm.means_).fit(X)
    assert warm.lower_bound_ == pytest.approx(fresh.lower_bound_, abs=1e-6)
    assert warm.lower_bound_ < clone(WARM).fit(X).lower_bound_ - 0.05


def test_a_warm_start_with_another_shape_is_refused():
    model = clone(WARM).fit(X).set_params(covariance_type="diag")
    with pytest.raises(InvalidParameter, match="covariance_type='full' of the last fit; got 'diag'"):
        model.fit(X)


def test_a_warm_start_takes_the_names_and_the_floor_of_the_new_table():
    model = clone(WARM).set_params(reg_covar=0.0).fit(pd.DataFrame(X, columns=["a", "b"]))
    model.fit(pd.DataFrame(X * 1e-9, columns=["p", "q"]))
    assert model.feature_names_in_.tolist() == ["p", "q"]
    one = GaussianMixture(1, reg_covar=0.0).fit(X * 1e-9)
    assert model.lower_bound_ >= one.lower_bound_  # with the floor of the first table: far below


def test_a_warm_start_goes_on_from_files_too():
    first = clone(WARM).set_params(max_iter=1, init_params="random")
    with pytest.warns(NotConverged, match="did not converge"):
        first.fit(X)
    reached = first.trace_.objective[-1] / len(X)
    on = engine.fit(first.set_params(max_iter=1000), [(X[:70],), (X[70:],)])
    assert on.lower_bound_ > reached
    assert on.trace_.objective[0] / len(X) == pytest.approx(reached, abs=1e-12)


def test_a_start_that_was_only_looked_at_is_no_step():
    model = clone(WARM).set_params(max_iter=0).fit(X).set_params(max_iter=1000).fit(X)
    assert model.n_iter_ > 2
    assert model.lower_bound_ == pytest.approx(clone(WARM).fit(X).lower_bound_, abs=1e-8)


def test_a_warm_start_ends_alike_from_memory_and_from_files():
    first = GaussianMixture(2, random_state=0, warm_start=True, tol=1e-4).fit(X)
    other = engine.fit(copy.deepcopy(first), [(X,)])
    first.fit(X)
    assert first.n_iter_ == other.n_iter_ == 1
    np.testing.assert_allclose(first.means_, other.means_, rtol=1e-10)


def test_the_limit_says_the_same_from_files():
    model = GaussianMixture(3, reg_covar=0.5, random_state=0, max_iter=2, init_params="random")
    for fitted in (lambda: clone(model).fit(X), lambda: engine.fit(clone(model), [(X,)])):
        with pytest.warns(
            ConvergenceWarning, match="The best start did not converge in max_iter=2 iterations"
        ) as shown:
            fitted()
        assert shown[0].filename == __file__


# -- known parameters ---------------------------------------------------------------------------------------
def test_known_parameters_make_a_model():
    covariances = np.array([[[1.0, 0.5], [0.5, 2.0]], np.eye(2)])
    known = GaussianMixture.of([0.3, 0.7], [[0, 0], [4, 4]], covariances, feature_names=["a", "b"])
    assert known.weights_init is None
    assert known.get_params()["n_components"] == 2
    assert known.condition({"a": 1.0}).mean == pytest.approx(known.distribution_.condition([0], [1.0]).mean)
    again = known.set_params(warm_start=True, max_iter=1000, tol=1e-9).fit(
        pd.DataFrame(X, columns=["a", "b"])
    )
    assert again.lower_bound_ == pytest.approx(clone(WARM).fit(X).lower_bound_, abs=1e-6)


def test_known_parameters_get_a_floor_when_fitted_on():
    model = GaussianMixture.of([0.5, 0.5], [[0, 0], [4, 4]], [np.eye(2)] * 2).set_params(
        warm_start=True, reg_covar=0
    )
    with pytest.warns(AtBound, match="The mixture collapses: a floor holds up the variance of component 0"):
        model.fit(np.repeat([[0.0, 0.0], [4.0, 4.0]], 10, axis=0))


@pytest.mark.parametrize(
    ("weights", "means", "covariances", "kind", "match"),
    [
        ([0.5, 0.5], [["a", "b"], [4, 4]], [1, 1], "spherical", "means must be numbers"),
        (
            [0.5, 0.5],
            [1.0, 2.0],
            [1, 1],
            "spherical",
            r"shape of \(components, columns\), but got \(2,\): means",
        ),
        ([0.5, 0.5], [[0.0], [np.nan]], [1, 1], "spherical", "means must be finite"),
        ([0.5, 0.6], [[0.0], [4.0]], [1, 1], "spherical", "normalized, .* = 1.10000; see weights"),
        (
            [0.5, 0.5],
            [[0.0], [4.0]],
            [4, 4],
            "identity",
            "covariances must be ones where .*Choose 'spherical'",
        ),
        ([0.5, 0.5], [[0.0], [4.0]], [1, -1], "spherical", "'spherical covariance' should be positive"),
    ],
)
def test_of_names_what_it_was_given(weights, means, covariances, kind, match):
    with pytest.raises(InvalidParameter, match=match):
        GaussianMixture.of(weights, means, covariances, covariance_type=kind)


def test_unit_variances_are_ones_from_the_start():
    with pytest.raises(
        InvalidParameter, match="precisions_init must be ones where covariance_type='identity'"
    ):
        GaussianMixture(2, covariance_type="identity", precisions_init=[4, 4]).fit(X)


# -- files --------------------------------------------------------------------------------------------------
def test_a_column_may_be_unknown_in_the_first_batch():
    holed = X.copy()
    holed[:60, 1] = np.nan
    model = GaussianMixture(2, random_state=0)
    batches = engine.fit(clone(model), [(holed[i : i + 30],) for i in range(0, 120, 30)])
    np.testing.assert_allclose(batches.means_, clone(model).fit(holed).means_, rtol=1e-10)
    with pytest.raises(InvalidInput, match="Column 'x1' has no known cell in 60 rows"):
        engine.fit(clone(model), [(holed[:30],), (holed[30:60],)])


def test_fewer_rows_than_components_are_named_from_any_source():
    with pytest.raises(InvalidInput, match="n_components=5 and 3 rows .* Choose fewer components"):
        engine.fit(GaussianMixture(5), pd.DataFrame(X[:3]))


def test_a_density_has_no_target():
    with pytest.raises(InvalidParameter, match="GaussianMixture is a density of rows .* target='b'"):
        engine.fit(GaussianMixture(), pd.DataFrame(X, columns=["a", "b"]), "b")


# -- words --------------------------------------------------------------------------------------------------
def test_a_limit_reached_by_falling_blames_what_is_added():
    model = GaussianMixture(
        2, reg_covar=0.3, max_iter=1, means_init=[[0.0], [1.0]], precisions_init=[[[400.0]]] * 2
    )
    narrow = np.r_[rng.normal(0, 0.05, (20, 1)), rng.normal(1, 0.05, (20, 1))]
    with (
        pytest.warns(
            NotConverged, match=r"lowered the log likelihood per row .*\(reg_covar\) is no step upwards"
        ),
        pytest.warns(AtBound, match="reg_covar=0.3 makes up most of the variance of component 0"),
    ):
        model.fit(narrow)


def test_few_different_rows_are_named():
    with pytest.warns(NoInformation, match="n_components=2 components begin from fewer different rows"):
        BernoulliMixture(2, random_state=0).fit(np.tile([[1.0, 0.0]], (6, 1)))


@pytest.mark.parametrize("kind", ["diag", "spherical", "identity"])
def test_wide_tables_of_independent_columns_make_no_matrix(kind, monkeypatch):
    """A matrix of 3,000 columns would have 72 MB per component."""
    wide = rng.normal(size=(20, 3000))
    wide[0, 0] = np.nan
    real = np.eye
    monkeypatch.setattr(
        np, "eye", lambda n, *a, **k: real(n, *a, **k) if n < 100 else pytest.fail("a matrix")
    )
    model = GaussianMixture(2, covariance_type=kind, reg_covar=0.01, random_state=0, max_iter=3).fit(wide)
    assert model.impute(wide).mean == pytest.approx(model.predict_proba(wide[:1])[0] @ model.means_[:, 0])


def test_rows_impossible_everywhere_go_to_the_heaviest_component():
    table = np.repeat([[1.0, 0.0], [0.0, 1.0]], [3, 9], axis=0)
    model = BernoulliMixture(2, hard=True, probabilities_init=[[0.9, 0.1], [0.1, 0.9]]).fit(table)
    with pytest.warns(NoInformation, match="1 row.* impossible under every component"):
        share = model.predict_proba([[1.0, 1.0]])
    np.testing.assert_allclose(share, [model.weights_])
    with pytest.warns(NoInformation, match="impossible under every component"):
        assert model.predict([[1.0, 1.0]]) == [1]


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_draws_have_the_moments_of_the_mixture(kind):
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    drawn, labels = model.sample(20_000, random_state=1)
    joint = model.distribution_
    error = np.sqrt(np.diagonal(joint.cov) / len(drawn))
    assert np.all(np.abs(drawn.mean(axis=0) - joint.mean) < 5 * error)
    # covariances of n rows have standard errors of about √((σ²ᵢσ²ⱼ + kurtosis)/n); five of the largest
    np.testing.assert_allclose(np.cov(drawn.T), joint.cov, atol=5 * np.sqrt(2 / len(drawn)) * joint.cov.max())
    assert np.mean(labels) == pytest.approx(model.weights_[1], abs=0.02)


def test_one_variance_for_all_columns_stops_at_the_floor_of_the_widest():
    table = np.repeat([[0.0, 0.0], [2.0, 2e6]], 5, axis=0)  # variances 1 and 1e12
    model = GaussianMixture(2, covariance_type="spherical", reg_covar=0.0, random_state=0)
    with pytest.warns(AtBound, match="a floor holds up the variance of component 0"):
        model.fit(table)
    np.testing.assert_allclose(model.covariances_, 1e-12 * 1e12, rtol=1e-6)
