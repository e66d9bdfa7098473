"""Noise, bias² and variance: exact identities, closed forms of linear smoothers, and what bootstrap sets can say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsRegressor

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.baselines import MeanRegressor
from suffice.bases import GaussianBasis, Polynomial
from suffice.datasets import diabetes, sinusoid
from suffice.evaluation import bias_variance, bias_variance_path, bootstrap_variance, cross_validate
from suffice.evaluation._curves.decomposition import BiasVariance
from suffice.linear import LinearRegression, Ridge

GRID = np.linspace(0, 1, 25)[:, None]
NOISE = 0.3


def truth(X):
    return np.sin(2 * np.pi * np.asarray(X)[:, 0])


def on_grid(rng):
    return GRID, truth(GRID) + NOISE * rng.standard_normal(25)


def anywhere(rng):
    x = rng.random((25, 1))
    return x, truth(x) + NOISE * rng.standard_normal(25)


# -- identities -----------------------------------------------------------------------------------------
@given(st.integers(0, 10_000), st.integers(2, 7), st.integers(1, 9))
def test_parts_add_up_exactly(seed, sets, points):
    rng = np.random.default_rng(seed)
    fits, h, y = rng.standard_normal((sets, points)), rng.standard_normal(points), rng.standard_normal(points)
    parts = BiasVariance(None, fits, y, h, 0.37)
    assert parts.error == pytest.approx(0.37 + np.mean((fits - h) ** 2), rel=1e-12)
    assert parts.error == pytest.approx(parts.noise + parts.bias2 + parts.variance, rel=1e-12)
    assert parts.test_error == pytest.approx(np.mean((fits - y) ** 2), rel=1e-12)
    assert parts.test_error == pytest.approx(parts.misfit + parts.variance, rel=1e-12)
    np.testing.assert_allclose(parts.mean_prediction, [np.mean(c) for c in fits.T], rtol=1e-12)
    np.testing.assert_allclose(
        parts.point_variance, [np.mean((c - np.mean(c)) ** 2) for c in fits.T], rtol=1e-12
    )
    np.testing.assert_allclose(parts.point_bias2, (fits.mean(axis=0) - h) ** 2, rtol=1e-12)


@pytest.mark.parametrize(
    "model", [MeanRegressor(), LinearRegression(basis=Polynomial(3)), KNeighborsRegressor(1)]
)
def test_parts_of_fits_add_up_exactly(model):
    parts = bias_variance(model, anywhere, truth, n_sets=20, test=50, random_state=0)
    assert parts.predictions.shape == (20, 50)
    assert parts.error == pytest.approx(parts.noise + parts.bias2 + parts.variance, rel=1e-12)
    assert parts.test_error == pytest.approx(parts.misfit + parts.variance, rel=1e-12)
    assert parts.noise == pytest.approx(np.mean((parts.targets - truth(parts.X)) ** 2), rel=1e-12)


def test_predictions_are_those_of_refits():
    model = Ridge(0.1, basis=Polynomial(4))
    parts = bias_variance(model, anywhere, truth, n_sets=5, test=GRID, noise=0.09, random_state=3)
    streams = np.random.default_rng(3).spawn(6)
    for rng, row in zip(streams[1:], parts.predictions, strict=True):
        X, y = anywhere(rng)
        np.testing.assert_allclose(row, Ridge(0.1, basis=Polynomial(4)).fit(X, y).predict(GRID), rtol=1e-10)
    assert parts.noise == 0.09
    assert np.isnan(parts.test_error)


# -- closed forms ---------------------------------------------------------------------------------------
def smoother(model):
    """The hat matrix of a model that is linear in its targets, from its fits to unit vectors."""
    return model.fit(GRID, np.eye(25)).predict(GRID).T


@pytest.mark.long_for("polynomial")
@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        pytest.param(MeanRegressor(), marks=pytest.mark.long),
        LinearRegression(basis=Polynomial(5)),
        pytest.param(
            Ridge.book(np.exp(-0.31), "prml", basis=GaussianBasis(np.linspace(0, 1, 24), 0.1)),
            marks=pytest.mark.long,
        ),
    ],
    ids=["mean", "polynomial", "gaussians"],
)
def test_a_linear_smoother_has_known_bias_and_variance(model):
    """bias² = mean (Hh − h)², variance = σ² tr(HHᵀ)/N on a fixed design.

    With L sets the variance has relative error about √(2/(Lν)), ν ≥ 1 its degrees of freedom, and bias² carries
    1/L of the variance: five of the former and that term are allowed.
    """
    sets, h = 2000, truth(GRID)
    H = smoother(model)
    bias2, variance = np.mean((H @ h - h) ** 2), NOISE**2 * np.trace(H @ H.T) / 25
    parts = bias_variance(model, on_grid, truth, n_sets=sets, test=GRID, noise=NOISE**2, random_state=0)
    assert parts.variance == pytest.approx(variance, rel=5 * np.sqrt(2 / sets))
    spread = 2 * np.sqrt(bias2 * variance / sets) + variance / sets  # of the squared mean of L fits
    assert abs(parts.bias2 - bias2) < 5 * spread


@pytest.mark.slow
def test_error_foretells_the_error_on_new_data():
    """`error` and `test_error` estimate the same; they differ by 2 (y − h)(h − f̄), zero on average."""
    parts = bias_variance(LinearRegression(), anywhere, truth, n_sets=200, test=20_000, random_state=1)
    cross = 2 * (parts.targets - parts.truth) * (parts.truth - parts.mean_prediction)
    assert parts.test_error - parts.error == pytest.approx(cross.mean(), rel=1e-9)
    assert abs(cross.mean()) < 5 * cross.std() / np.sqrt(len(cross))
    assert parts.noise == pytest.approx(NOISE**2, rel=5 * np.sqrt(2 / 20_000))


@pytest.mark.slow
def test_stiff_models_are_biased_and_flexible_ones_vary():
    stiff, right, loose = (
        bias_variance(
            LinearRegression(basis=Polynomial(k)), on_grid, truth, test=GRID, noise=0.09, random_state=0
        )
        for k in (1, 4, 15)
    )
    assert stiff.bias2 > 5 * right.bias2
    assert loose.variance > 2 * right.variance > 2 * stiff.variance
    assert right.error < min(stiff.error, loose.error)


# -- the path -------------------------------------------------------------------------------------------
BASIS = GaussianBasis(np.linspace(0, 1, 24), 0.1)


@pytest.mark.parametrize("model", [Ridge(1.0, basis=BASIS), Ridge.book(1.0, "prml", basis=BASIS)])
def test_a_path_is_its_single_models(model):
    values = [0.02, 0.7, 20.0]
    options = {"n_sets": 6, "test": 40, "random_state": 2}
    path = bias_variance_path(model, anywhere, truth, "alpha", values, **options)
    for value, part in zip(values, path.parts, strict=True):
        single = bias_variance(model.set_params(alpha=value), anywhere, truth, **options)
        np.testing.assert_allclose(part.predictions, single.predictions, rtol=1e-9, atol=1e-9)
        assert part.noise == single.noise


def test_a_path_of_refits():
    path = bias_variance_path(
        KNeighborsRegressor(), anywhere, truth, "n_neighbors", [1, 5, 25], n_sets=20, test=100, random_state=0
    )
    assert np.all(np.diff(path.variance) < 0)  # claim 2 of DTU ch. 12: more neighbours, less variance
    assert path.bias2[2] > 10 * path.bias2[0]  # and all of them: the mean
    assert path.best == 5
    frame = path.frame()
    assert frame["n_neighbors"].tolist() == [1, 5, 25]
    np.testing.assert_allclose(frame["error"], path.parts[0].noise + path.bias2 + path.variance, rtol=1e-12)
    assert "smallest error at n_neighbors=5: error" in str(path)
    assert "n_neighbors=5" in repr(path)


def test_best_where_the_noise_is_unknown():
    path = bias_variance_path(
        Ridge(basis=BASIS), anywhere, truth, "alpha", [1e-6, 1.0, 1e4], n_sets=20, test=GRID, random_state=0
    )
    assert np.isnan(path.error).all()
    assert path.best == 1.0


@pytest.mark.slow
def test_figure_3_6():
    """PRML Fig. 3.6: variance falls and bias² rises with ln λ; their sum has its minimum inside, near −0.31.

    The width and the design are not printed. On a grid with s = 1/24 the exact minimum is at −0.30; 100 sets
    scatter by about ±0.1 around it.
    """
    model = Ridge.book(1.0, "prml", basis=GaussianBasis(np.linspace(0, 1, 24), 1 / 24))
    logs = np.linspace(-3, 2, 51)
    test = sinusoid(1000, NOISE, random_state=1)
    path = bias_variance_path(
        model, on_grid, truth, "alpha", np.exp(logs), test=(test.X, test.y), noise=0.09, random_state=0
    )
    assert np.all(np.diff(path.variance) < 0)
    assert np.all(np.diff(path.bias2[logs > -1]) > 0)
    best = np.log(path.best)
    assert -0.31 - 0.4 < best < -0.31 + 0.4
    assert abs(logs[np.argmin(path.test_error)] - best) < 0.5  # claim 13
    loose = path.parts[0]
    assert loose.bias2 < 0.05 * loose.variance  # claim 12: the mean of 100 wild fits is close to the truth


# -- training sets from one table -----------------------------------------------------------------------
def test_bootstrap_sets_are_judged_on_the_rows_they_left_out():
    data = diabetes()
    parts = bootstrap_variance(LinearRegression(), data.X, data.y, n_sets=20, random_state=5)
    for rng, row in zip(np.random.default_rng(5).spawn(20), parts.predictions, strict=True):
        drawn = rng.integers(442, size=442)
        out = np.setdiff1d(np.arange(442), drawn)
        assert np.array_equal(np.flatnonzero(~np.isnan(row)), out)
        expected = LinearRegression().fit(data.X[drawn], data.y[drawn]).predict(data.X[out])
        np.testing.assert_allclose(row[out], expected, rtol=1e-9)
    assert parts.error == parts.test_error == pytest.approx(parts.misfit + parts.variance, rel=1e-12)
    assert np.isnan(parts.bias2)
    assert np.isnan(parts.noise)
    assert str(parts).startswith("error ")
    assert "noise and bias²" in str(parts)


def test_bootstrap_error_is_near_cross_validation_and_above():
    data = diabetes()
    error = bootstrap_variance(LinearRegression(), data.X, data.y, random_state=0).error
    folds = cross_validate(LinearRegression(), data.X, data.y).estimate
    assert folds < error < 1.05 * folds  # bootstrap sets hold 63 % of the rows


@pytest.mark.long
@pytest.mark.slow
def test_bootstrap_variance_is_the_variance_of_the_fit():
    """Its mean over tables, against the variance over tables: about p σ²/N; the bootstrap's is larger (see Notes)."""
    rng = np.random.default_rng(0)

    def table(r):
        X = r.standard_normal((200, 4))
        return X, X.sum(axis=1) + r.standard_normal(200)

    test = rng.standard_normal((200, 4))
    real = bias_variance(LinearRegression(), table, n_sets=400, test=test, random_state=0).variance
    found = np.mean(
        [
            bootstrap_variance(LinearRegression(), *table(rng), n_sets=60, random_state=s).variance
            for s in range(20)
        ]
    )
    # divisor L_n ≈ 22 fits per row takes 4 % away; 20 tables leave about 7 %
    assert 0.9 < found / real < 1.35


def test_weights_of_the_bootstrap_count():
    data = diabetes()
    zero = np.where(np.arange(442) % 2, 1.0, 0.0)
    parts = bootstrap_variance(
        LinearRegression(), data.X, data.y, n_sets=25, sample_weight=zero, random_state=1
    )
    drawn = np.random.default_rng(1).spawn(25)[0].integers(442, size=442)
    kept = drawn[zero[drawn] > 0]
    out = np.flatnonzero(~np.isnan(parts.predictions[0]))
    expected = LinearRegression().fit(data.X[kept], data.y[kept]).predict(data.X[out])
    np.testing.assert_allclose(parts.predictions[0, out], expected, rtol=1e-9)


# -- inputs ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_tables_keep_their_columns(make):
    def simulate(rng):
        X, y = anywhere(rng)
        return make({"x": X[:, 0]}), y

    options = {"n_sets": 4, "test": 60, "random_state": 0}
    parts = bias_variance(LinearRegression(), simulate, lambda X: truth(X.to_numpy()), **options)
    plain = bias_variance(LinearRegression(), anywhere, truth, **options)
    assert list(parts.X.columns) == ["x"]
    np.testing.assert_allclose(parts.predictions, plain.predictions, rtol=1e-12)


def test_same_seed_same_sets():
    a, b, c = (
        bias_variance(LinearRegression(), anywhere, truth, n_sets=3, test=5, random_state=s)
        for s in (1, 1, 2)
    )
    assert a == b
    assert not np.array_equal(a.predictions, c.predictions)


def test_without_truth_bias_and_noise_stay_together():
    parts = bias_variance(LinearRegression(), anywhere, n_sets=10, test=50, random_state=0)
    assert np.isnan(parts.bias2)
    assert np.isnan(parts.noise)
    assert parts.error == parts.test_error
    assert "noise and bias²" in repr(parts)
    assert parts._repr_html_() == f"<p>{parts}</p>"
    assert list(parts.frame().columns) == ["mean_prediction", "truth", "bias2", "variance"]


@pytest.mark.parametrize("size", [1e-100, 1e100])
def test_units_of_the_target(size):
    def scaled(rng):
        X, y = anywhere(rng)
        return X, size * y

    options = {"n_sets": 5, "test": 30, "random_state": 0}
    a = bias_variance(LinearRegression(), anywhere, truth, **options)
    b = bias_variance(LinearRegression(), scaled, lambda X: size * truth(X), **options)
    np.testing.assert_allclose(b.error / size**2, a.error, rtol=1e-9)
    np.testing.assert_allclose(b.variance / size**2, a.variance, rtol=1e-9)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n_sets": 1}, InvalidParameter, "n_sets must be an integer >= 2; got 1"),
        ({"n_sets": 2.5}, InvalidParameter, "n_sets must be an integer >= 2; got 2.5"),
        ({"test": 0}, InvalidParameter, "test must be a positive number of rows, .*; got 0"),
        ({"test": True}, InvalidParameter, "test must be a positive number of rows"),
        (
            {"test": (GRID, np.ones(3))},
            InvalidInput,
            r"y must have one number per row, shape \(25,\); got shape \(3,\)",
        ),
        ({"noise": -1.0}, InvalidParameter, "noise must be a number >= 0; got -1.0"),
        ({"truth": lambda X: X}, InvalidInput, r"truth\(X\) must have one number per row"),
        (
            {"truth": lambda X: np.full(len(X), np.nan)},
            InvalidInput,
            r"truth\(X\) must be finite; it is nan at row 0",
        ),
        ({"truth": lambda X: ["a"] * len(X)}, InvalidParameter, r"truth\(X\) must be made of numbers"),
        (
            {"simulate": (GRID, np.ones(25))},
            InvalidParameter,
            "simulate must be a function .*; got tuple. For one table",
        ),
        ({"truth": np.ones(9)}, InvalidParameter, "truth must be a function of X, or None; got ndarray"),
        ({"model": "ridge"}, InvalidParameter, "model must be an estimator, .*; got 'ridge'"),
        ({"simulate": lambda rng: GRID}, InvalidInput, r"simulate must return a pair \(X, y\); got ndarray"),
        ({"simulate": lambda rng: (GRID[:0], [])}, InvalidInput, "simulate returned no rows"),
        (
            {"simulate": lambda rng: (GRID, np.full(25, np.inf))},
            InvalidInput,
            "y must be finite; it is inf at row 0",
        ),
        (
            {"model": DummyClassifier()},
            Unsupported,
            "Squared error has these parts; DummyClassifier predicts classes",
        ),
        (
            {"random_state": "x"},
            InvalidParameter,
            "random_state must be None, an integer or a Generator; got 'x'",
        ),
    ],
)
def test_bad_arguments(options, error, message):
    arguments = {
        "model": LinearRegression(),
        "simulate": anywhere,
        "truth": truth,
        "n_sets": 3,
        "test": 9,
    } | options
    with pytest.raises(error, match=message):
        bias_variance(**arguments)


def test_bad_arguments_of_the_path():
    for values in ((), 3.0, "abc"):
        with pytest.raises(
            InvalidParameter, match="values must be a sequence of values of 'alpha' to try; got"
        ):
            bias_variance_path(Ridge(), anywhere, truth, "alpha", values)
    with pytest.raises(Unsupported, match="DummyClassifier predicts classes"):
        bias_variance_path(DummyClassifier(), anywhere, truth, "constant", [1])
    with pytest.raises(ValueError, match="Invalid parameter 'degree'"):
        bias_variance_path(LinearRegression(), anywhere, truth, "degree", [1], n_sets=2, test=5)


@pytest.mark.parametrize(
    ("X", "y", "options", "error", "message"),
    [
        (GRID, np.ones(24), {}, ValueError, "inconsistent numbers of samples"),
        (
            GRID,
            np.where(np.arange(25) == 4, np.nan, 1.0),
            {},
            InvalidInput,
            "y must be finite; it is nan at row 4",
        ),
        (GRID, np.ones((25, 2)), {}, InvalidInput, "y must have one number per row"),
        (GRID, ["a"] * 25, {}, InvalidParameter, "y must be made of numbers"),
        (
            GRID[:2],
            np.ones(2),
            {"n_sets": 2},
            InvalidInput,
            "was drawn into all 2 training sets; use n_sets=12",
        ),
        (GRID, np.ones(25), {"n_sets": 0}, InvalidParameter, "n_sets must be an integer >= 2; got 0"),
    ],
)
def test_bad_tables_of_the_bootstrap(X, y, options, error, message):
    with pytest.raises(error, match=message):
        bootstrap_variance(MeanRegressor(), X, y, **{"random_state": 0, **options})
