"""Mixtures of normals: the numbers of scikit-learn from the same start, and input that is bad or at an edge."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture as Theirs

import suffice
from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, SufficeWarning
from suffice.distributions import Dirichlet, MultivariateNormal, Normal, NormalInverseWishart
from suffice.mixtures import GaussianMixture

SHAPES = ("full", "tied", "diag", "spherical")
ALL = (*SHAPES, "identity")
rng = np.random.default_rng(11)
N, D = 60, 3
X = rng.standard_normal((N, D)) @ (np.eye(D) + 0.4) + 5 * rng.integers(0, 2, (N, 1))
UNITS = {
    "full": np.array([np.eye(D)] * 2),
    "tied": np.eye(D),
    "diag": np.ones((2, D)),
    "spherical": np.ones(2),
    "identity": np.ones(2),
}


def start(shape):
    return {
        "covariance_type": shape,
        "weights_init": [0.5, 0.5],
        "means_init": [[0.0] * D, [5.0] * D],
        "precisions_init": UNITS[shape],
    }


# -- scikit-learn's numbers -------------------------------------------------------------------------------
@pytest.mark.parametrize(("tol", "max_iter"), [(0.0, 6), (1e-3, 1), (1e-3, 100), (1e-7, 500)])
@pytest.mark.parametrize("shape", SHAPES)
def test_from_the_same_start_it_is_scikit_learn(shape, tol, max_iter):
    options = start(shape) | {"max_iter": max_iter, "tol": tol}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # neither converges at once
        mine, theirs = GaussianMixture(2, **options).fit(X), Theirs(2, **options).fit(X)
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        np.testing.assert_allclose(getattr(mine, name), getattr(theirs, name), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(mine.score_samples(X), theirs.score_samples(X), rtol=1e-10)
    np.testing.assert_allclose(mine.predict_proba(X), theirs.predict_proba(X), rtol=1e-8, atol=1e-12)
    assert mine.bic(X) == pytest.approx(theirs.bic(X), rel=1e-10)
    assert mine.aic(X) == pytest.approx(theirs.aic(X), rel=1e-10)
    np.testing.assert_allclose(mine.lower_bounds_, theirs.lower_bounds_, rtol=1e-10)
    assert mine.lower_bound_ == pytest.approx(theirs.lower_bound_, rel=1e-10)
    assert (mine.n_iter_, mine.converged_) == (theirs.n_iter_, theirs.converged_)
    assert mine.trace_.objective[-1] / N == pytest.approx(mine.score(X), rel=1e-10)


@pytest.mark.parametrize("shape", ALL)
def test_no_steps_leave_the_start(shape):
    model = GaussianMixture(2, **start(shape), max_iter=0).fit(X)
    np.testing.assert_allclose(model.means_, [[0.0] * D, [5.0] * D])
    np.testing.assert_allclose(model.precisions_, UNITS[shape], rtol=1e-12, atol=1e-12)
    assert model.n_iter_ == 0
    assert not model.converged_


@pytest.mark.parametrize("shape", ALL)
def test_precisions_of_a_start_are_read_in_the_form_in_which_they_are_written(shape):
    model = GaussianMixture(2, covariance_type=shape, random_state=0).fit(X)
    again = GaussianMixture(
        2,
        covariance_type=shape,
        weights_init=model.weights_,
        means_init=model.means_,
        precisions_init=model.precisions_,
        max_iter=0,
    ).fit(X)
    np.testing.assert_allclose(again.covariances_, model.covariances_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(again.score_samples(X), model.score_samples(X), rtol=1e-9)


@pytest.mark.parametrize("shape", ALL)
def test_hard_shares_and_unit_variance_are_k_means(shape):
    model = GaussianMixture(2, **start(shape), hard=True, max_iter=200).fit(X)
    labels = model.predict(X)
    for k in range(2):
        np.testing.assert_allclose(model.means_[k], X[labels == k].mean(axis=0), rtol=1e-10)
        assert model.weights_[k] == pytest.approx(np.mean(labels == k))


@pytest.mark.parametrize("shape", ALL)
def test_units_and_origin_of_columns_do_not_matter(shape):
    """With own variances per column (and nothing added to them), scaling moves only the log density."""
    scale = np.array([1e4, 1e4, 1e4]) if shape in ("spherical", "identity") else np.array([1e-3, 1.0, 1e5])
    if shape == "identity":
        scale = np.ones(3)
    options = {"covariance_type": shape, "reg_covar": 0.0, "random_state": 0, "tol": 1e-8, "max_iter": 500}
    plain, scaled = (
        GaussianMixture(2, **options).fit(X),
        GaussianMixture(2, **options).fit(X * scale + 1e3 * scale),
    )
    np.testing.assert_allclose(scaled.weights_, plain.weights_, rtol=1e-7)
    np.testing.assert_allclose(scaled.means_, plain.means_ * scale + 1e3 * scale, rtol=1e-7)
    np.testing.assert_allclose(scaled.lower_bound_, plain.lower_bound_ - np.log(scale).sum(), rtol=1e-7)


def test_restarts_keep_the_best_and_say_what_each_reached():
    model = GaussianMixture(3, n_init=4, init_params="random", random_state=1, tol=1e-2).fit(X)
    assert model.restarts_.shape == (4,)
    assert model.lower_bound_ == model.restarts_.max()


def test_warm_start_goes_on():
    options = start("full") | {"tol": 1e-9, "max_iter": 500}
    whole = GaussianMixture(2, **options).fit(X)
    pieces = GaussianMixture(2, **(options | {"max_iter": 1}), warm_start=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)
        for _ in range(whole.n_iter_):
            pieces.fit(X)
    np.testing.assert_allclose(pieces.means_, whole.means_, rtol=1e-10)
    with pytest.raises(InvalidParameter, match="warm_start goes on from 2 components of 3 columns"):
        pieces.fit(X[:, :2])


def test_samples_have_the_moments_of_the_mixture():
    model = GaussianMixture(2, random_state=0).fit(X)
    rows, labels = model.sample(20_000, random_state=3)
    d = model.distribution_
    error = np.sqrt(np.diagonal(d.cov) / 20_000)
    assert np.all(np.abs(rows.mean(axis=0) - d.mean) < 5 * error)
    assert abs(labels.mean() - model.weights_[1]) < 5 * 0.5 / np.sqrt(20_000)
    np.testing.assert_allclose(d.log_prob(X), model.score_samples(X), rtol=1e-10)


@pytest.mark.parametrize(
    ("shape", "count"), [("full", 19), ("tied", 13), ("diag", 13), ("spherical", 9), ("identity", 7)]
)
def test_parameters_are_counted(shape, count):
    assert GaussianMixture(2, covariance_type=shape, random_state=0).fit(X).n_parameters_ == count


def test_a_saved_mixture_goes_on(tmp_path):
    model = GaussianMixture(
        2, random_state=0, prior=NormalInverseWishart(X.mean(axis=0), 1.0, np.eye(D), 5.0)
    ).fit(X)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.trace_ == model.trace_
    assert again.mixing_.log_prior == model.mixing_.log_prior


# -- parameters that cannot be ----------------------------------------------------------------------------
WRONG = {
    "no component": ({"n_components": 0}, "n_components must be an integer >= 1; got 0"),
    "a part of one": ({"n_components": 1.5}, "n_components must be an integer >= 1; got 1.5"),
    "a word": ({"n_components": "2"}, "n_components must be an integer >= 1; got '2'"),
    "true": ({"n_components": True}, "n_components must be an integer >= 1; got True"),
    "no start": ({"n_init": 0}, "n_init must be an integer >= 1; got 0"),
    "negative tol": ({"tol": -1.0}, "tol must be .*got -1"),
    "nan tol": ({"tol": np.nan}, "tol must be .*got nan"),
    "negative reg": ({"reg_covar": -1e-6}, "reg_covar must be .*got -1e-06"),
    "infinite reg": ({"reg_covar": np.inf}, "reg_covar must be .*got inf"),
    "max_iter": ({"max_iter": -1}, "max_iter must be an integer >= 0; got -1"),
    "typo": ({"covariance_type": "fulll"}, "covariance_type must be one of 'full'.*got 'fulll'.*full"),
    "init": ({"init_params": "kmean"}, "init_params must be .*got 'kmean'"),
    "flag": ({"hard": "yes"}, "hard must be .*got 'yes'"),
    "random_state": ({"random_state": -3}, "random_state must be >= 0; got -3"),
    "weights shape": ({"weights_init": [1.0]}, r"weights.*shape of \(2,\), but got \(1,\)"),
    "weights sum": ({"weights_init": [0.5, 0.6]}, r"normalized, but got sum\(weights\) = 1.1.*weights_init"),
    "weights range": ({"weights_init": [1.5, -0.5]}, r"range \[0, 1\].*-0.5.*1.5"),
    "weights nan": ({"weights_init": [np.nan, 0.5]}, "weights_init"),
    "weights words": ({"weights_init": ["a", "b"]}, "weights_init must be numbers"),
    "means shape": ({"means_init": [[0.0], [1.0]]}, r"shape of \(2, 3\), but got \(2, 1\)"),
    "means nan": ({"means_init": np.full((2, 3), np.nan)}, "means_init must be finite"),
    "precisions shape": ({"precisions_init": np.eye(3)}, r"shape of \(2, 3, 3\), but got \(3, 3\)"),
    "not positive": ({"precisions_init": -np.array([np.eye(3)] * 2)}, "symmetric, positive-definite"),
    "not symmetric": ({"precisions_init": np.triu(np.ones((2, 3, 3)))}, "symmetric, positive-definite"),
    "prior size": (
        {"prior": NormalInverseWishart([0.0], 1.0, [[1.0]], 3.0)},
        "prior must be of 3 coordinates, one per column of X; got 1",
    ),
    "prior batch": (
        {"prior": Normal([0.0, 1.0], 1.0)},
        r"batch of 3, one per column of X; got the batch \(2,\)",
    ),
    "prior of means": ({"prior": MultivariateNormal([0.0] * 2, np.eye(2))}, "prior must be of 3 coordinates"),
    "another prior": ({"prior": Dirichlet([1.0, 2.0])}, "prior must be None, one NormalInverseWishart"),
    "weights_prior": ({"weights_prior": 0.5}, "weights_prior must be finite and >= 1.*got 0.5"),
    "weights_prior size": ({"weights_prior": [1.0, 2.0, 3.0]}, "weights_prior must be .* 2 components"),
}


@pytest.mark.parametrize(("options", "words"), WRONG.values(), ids=WRONG)
def test_wrong_parameters_are_named(options, words):
    with pytest.raises(InvalidParameter, match=words):
        GaussianMixture(**({"n_components": 2} | options)).fit(X)


def test_a_prior_of_dependent_means_needs_dependent_columns():
    together = MultivariateNormal([0.0] * 3, np.eye(3) + 0.3)
    with pytest.raises(
        InvalidParameter, match="prior must have a diagonal covariance.*covariance_type='full'"
    ):
        GaussianMixture(2, covariance_type="diag", prior=together).fit(X)


# -- tables at the edge -----------------------------------------------------------------------------------
def test_more_components_than_rows():
    with pytest.raises(InvalidInput, match=r"n_samples >= n_components; got n_components=5 and 4 rows"):
        GaussianMixture(5).fit(X[:4])
    with pytest.raises(InvalidInput, match=r"n_components=5 and 4 rows of weight above zero"):
        GaussianMixture(5).fit(X, sample_weight=np.r_[np.ones(4), np.zeros(N - 4)])


@pytest.mark.parametrize("reg_covar", [0.0, 1e-6])
@pytest.mark.parametrize("shape", SHAPES)
def test_identical_rows_warn_and_name_component_and_column(shape, reg_covar):
    rows = np.repeat([[1.0, -2.0, 3.0]], 12, axis=0)
    with pytest.warns(AtBound, match=r"component 0 .*along 'x[012]'"):
        model = GaussianMixture(1, covariance_type=shape, reg_covar=reg_covar, random_state=0).fit(rows)
    np.testing.assert_allclose(model.means_[0], rows[0], rtol=1e-12)
    assert np.isfinite(model.score_samples(X)).all()


@pytest.mark.parametrize("reg_covar", [0.0, 1e-6])
@pytest.mark.parametrize("shape", ["full", "diag", "spherical"])
def test_a_collapsing_component_is_held_up_and_named(shape, reg_covar):
    rows = np.vstack([X, np.repeat([[40.0, 40.0, 40.0]], 5, axis=0)])
    with pytest.warns(AtBound, match=r"component \d \(weight 0.0769\) along 'x[012]'"):
        model = GaussianMixture(3, covariance_type=shape, reg_covar=reg_covar, random_state=0).fit(rows)
    assert np.isfinite(model.lower_bound_)
    assert np.isfinite(model.covariances_).all()
    assert len(np.unique(model.predict(rows[-5:]))) == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_one_row(shape):
    with pytest.warns(AtBound, match="component 0"):
        model = GaussianMixture(1, covariance_type=shape).fit(X[:1])
    np.testing.assert_allclose(model.means_, X[:1])


@pytest.mark.parametrize("shape", ALL)
def test_one_feature(shape):
    model = GaussianMixture(2, covariance_type=shape, random_state=0).fit(X[:, :1])
    assert model.means_.shape == (2, 1)
    assert model.sample(3)[0].shape == (3, 1)


@pytest.mark.parametrize("shape", ALL)
def test_far_from_the_origin(shape):
    near = GaussianMixture(2, **start(shape), max_iter=5, tol=10.0).fit(X)
    options = start(shape) | {"means_init": np.array([[0.0] * D, [5.0] * D]) + 1e8}
    far = GaussianMixture(2, **options, max_iter=5, tol=10.0).fit(X + 1e8)
    np.testing.assert_allclose(far.means_ - 1e8, near.means_, atol=1e-6)
    np.testing.assert_allclose(far.covariances_, near.covariances_, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("scale", "what"), [(1e-160, "vanish"), (1e160, "overflow")])
def test_numbers_whose_squares_do_not_exist(scale, what):
    with pytest.raises(
        InvalidInput, match=f"Column 'x0' has numbers of the order .*, whose squares {what}; rescale it"
    ):
        GaussianMixture(2).fit(X * scale)


@pytest.mark.parametrize("scale", [1e-140, 1e140])
@pytest.mark.parametrize("shape", SHAPES)
def test_numbers_whose_squares_just_exist(shape, scale):
    options = {"covariance_type": shape, "reg_covar": 0.0, "random_state": 0}
    scaled, plain = GaussianMixture(2, **options).fit(X * scale), GaussianMixture(2, **options).fit(X)
    np.testing.assert_allclose(scaled.means_ / scale, plain.means_, rtol=1e-9)
    np.testing.assert_allclose(scaled.predict_proba(X * scale), plain.predict_proba(X), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["constant", "collinear", "wide"])
@pytest.mark.filterwarnings("ignore::suffice._core.errors.AtBound")
def test_degenerate_tables_give_finite_answers(kind, shape):
    tables = {
        "constant": np.c_[X, np.full(N, 7.0)],
        "collinear": np.c_[X, X @ [1.0, -2.0, 0.5]],
        "wide": np.random.default_rng(1).standard_normal((6, 12)),
    }
    table = tables[kind]
    for reg_covar in (0.0, 1e-6):
        model = GaussianMixture(
            2, covariance_type=shape, reg_covar=reg_covar, random_state=0, max_iter=500, tol=1e-2
        )
        model.fit(table)
        assert np.isfinite(model.score_samples(table)).all()
        np.testing.assert_allclose(model.predict_proba(table).sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.filterwarnings(
    "ignore::suffice._core.errors.SufficeWarning"
)  # two distinct rows for three components
def test_an_empty_component_of_a_start_gets_its_share_from_the_prior():
    model = GaussianMixture(3, weights_prior=2.0, random_state=0).fit(np.array([[0.0, 0.0], [1.0, 2.0]] * 15))
    assert model.weights_.min() >= 1 / 33 - 1e-9
    assert np.isfinite(model.trace_.objective).all()


def test_a_constant_column_is_named():
    with pytest.warns(AtBound, match="along 'x3'"):
        GaussianMixture(1, reg_covar=0.0).fit(np.c_[X, np.full(N, 7.0)])


def test_rows_of_which_nothing_is_known():
    model = GaussianMixture(2, random_state=0).fit(X)
    nothing = np.full((1, D), np.nan)
    np.testing.assert_allclose(model.predict_proba(nothing)[0], model.weights_, rtol=1e-13)
    assert model.score_samples(nothing)[0] == pytest.approx(0.0, abs=1e-14)
    assert model.predict(nothing)[0] == np.argmax(model.weights_)


@pytest.mark.parametrize("value", [0, -1, 1.5, "3", True])
def test_how_many_to_draw(value):
    model = GaussianMixture(1).fit(X)
    with pytest.raises(InvalidParameter, match="n_samples"):
        model.sample(value)
