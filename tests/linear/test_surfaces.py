"""Surfaces over two weights are Bayes' rule point by point, and their likelihood is that of the rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.bases import Polynomial
from suffice.datasets import olympic_100m_men
from suffice.distributions import MultivariateNormal, Normal
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge, weight_surface

SEEDS = st.integers(0, 2**31)


def draw(seed, n=12, d=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, 1 + X @ rng.standard_normal(d) + 0.4 * rng.standard_normal(n)


def grid_of(surface, pair):
    """(b, a, weights): every weight vector of the surface."""
    a, b = np.meshgrid(surface.first, surface.second)
    out = np.tile(surface.held, (*a.shape, 1))
    out[..., pair[0]], out[..., pair[1]] = a, b
    return out


SETTINGS = {
    "prior on all": ({"intercept": "prior"}, (0, 2)),
    "flat intercept": ({"intercept": "flat"}, (0, 1)),
    "flat, two slopes": ({"intercept": "flat"}, (3, 1)),
    "origin": ({"fit_intercept": False}, (0, 2)),
    "general prior": (
        {
            "intercept": "prior",
            "prior_mean": [1.0, 0.5, -1.0, 0.0],
            "prior_cov": np.diag([2.0, 1.0, 0.5, 3.0]) + 0.2,
        },
        (1, 2),
    ),
    "precisions found": ({"prior_precision": "evidence", "noise_precision": "evidence"}, (1, 2)),
}


@pytest.mark.parametrize(("options", "pair"), SETTINGS.values(), ids=SETTINGS)
def test_posterior_is_the_models_own(options, pair):
    X, y = draw(1)
    model = BayesianLinearRegression(**({"prior_precision": 0.7, "noise_precision": 5.0} | options)).fit(X, y)
    surface = weight_surface(model, pair, points=9)
    expected = model.posterior_.log_prob(grid_of(surface, pair))
    np.testing.assert_allclose(surface.log_posterior, expected, rtol=1e-9, atol=1e-9)


@given(SEEDS)
def test_likelihood_is_the_product_over_rows(seed):
    X, y = draw(seed)
    model = BayesianLinearRegression(0.7, noise_precision=5.0, intercept="prior").fit(X, y)
    surface = weight_surface(model, (1, 3), points=4)
    w = grid_of(surface, (1, 3))
    values = w[..., :1] + w[..., 1:] @ X.T
    expected = Normal(values, 5.0**-0.5).log_prob(y).sum(axis=-1)
    np.testing.assert_allclose(surface.log_likelihood, expected, rtol=1e-9, atol=1e-9)
    prior = MultivariateNormal(np.zeros(4), np.eye(4) / 0.7)
    np.testing.assert_allclose(surface.log_prior, prior.log_prob(w), rtol=1e-9)


def test_least_squares_has_a_likelihood_alone_and_its_peak_is_the_fit():
    data = olympic_100m_men()
    model = LinearRegression().fit(data.X, data.y)
    surface = weight_surface(model, ("intercept", 1), points=5)
    assert surface.log_prior is None
    assert surface.log_posterior is None
    assert surface.log_likelihood[2, 2] == pytest.approx(model.log_likelihood_, rel=1e-10)
    assert surface.peak == (model.intercept_, model.coef_[0])
    assert list(surface.frame().columns) == ["intercept", surface.names[1], "log_likelihood"]
    values = surface.first[None, :, None] + surface.second[:, None, None] * data.X[:, 0]
    expected = Normal(values, model.noise_variance_ml_**0.5).log_prob(data.y).sum(axis=-1)
    np.testing.assert_allclose(surface.log_likelihood, expected, rtol=1e-7)


def test_a_basis_and_raw_years():
    data = olympic_100m_men()
    X = (data.X - 1896) / 40
    model = LinearRegression(basis=Polynomial(3)).fit(X, data.y)
    surface = weight_surface(model, (1, 3), points=6)
    w = grid_of(surface, (1, 3))
    values = w @ np.vander(X[:, 0], 4, increasing=True).T
    expected = Normal(values, model.noise_variance_ml_**0.5).log_prob(data.y).sum(axis=-1)
    np.testing.assert_allclose(surface.log_likelihood, expected, rtol=1e-8)


@pytest.mark.parametrize("kind", ["counts", "precision"])
def test_weights_of_rows_count(kind):
    X, y = draw(3)
    weight = np.arange(1.0, 13.0) / 3 if kind == "precision" else np.arange(12) % 3 + 1.0
    options = {"prior_precision": 0.7, "noise_precision": 5.0, "intercept": "prior", "weight_kind": kind}
    model = BayesianLinearRegression(**options).fit(X, y, sample_weight=weight)
    surface = weight_surface(model, (0, 1), points=4)
    w = grid_of(surface, (0, 1))
    values = w[..., :1] + w[..., 1:] @ X.T
    if kind == "counts":
        expected = (weight * Normal(values, 5.0**-0.5).log_prob(y)).sum(axis=-1)
    else:
        expected = Normal(values, (5.0 * weight) ** -0.5).log_prob(y).sum(axis=-1)
    np.testing.assert_allclose(surface.log_likelihood, expected, rtol=1e-9)
    np.testing.assert_allclose(surface.log_posterior, model.posterior_.log_prob(w), rtol=1e-8, atol=1e-8)


def test_other_rows_change_the_likelihood_alone():
    X, y = draw(4, d=1)
    model = BayesianLinearRegression.book(2.0, 25.0).fit(X, y)
    ends = {"first": (-1.0, 2.0), "second": (-2.0, 2.0), "points": 7}
    whole, newest = weight_surface(model, **ends), weight_surface(model, rows=(X[-1:], y[-1:]), **ends)
    np.testing.assert_array_equal(whole.log_posterior, newest.log_posterior)
    np.testing.assert_array_equal(whole.log_prior, newest.log_prior)
    earlier = weight_surface(model, rows=(X[:-1], y[:-1]), **ends)
    np.testing.assert_allclose(
        earlier.log_likelihood + newest.log_likelihood, whole.log_likelihood, rtol=1e-9, atol=1e-9
    )


def test_names_of_columns():
    X, y = draw(5, d=2)
    table = pd.DataFrame(X, columns=["height", "age"])
    model = BayesianLinearRegression.book(1.0, 4.0).fit(table, y)
    surface = weight_surface(model, ("age", "intercept"), points=3)
    assert surface.names == ("age", "intercept")
    assert surface.peak == (model.coef_[1], model.intercept_)
    assert repr(surface).startswith("<WeightSurface: 3 × 3 values of age and intercept around (")
    assert "&lt;WeightSurface" in surface._repr_html_()
    assert set(surface.frame("polars").columns) >= {"age", "intercept", "log_posterior"}


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_move_the_grid_and_nothing_else(scale):
    X, y = draw(6, d=1)
    plain, scaled = (LinearRegression().fit(X * s, y) for s in (1.0, scale))
    a, b = weight_surface(plain, points=5), weight_surface(scaled, points=5)
    np.testing.assert_allclose(a.log_likelihood, b.log_likelihood, rtol=1e-9)
    np.testing.assert_allclose(b.second * scale, a.second, rtol=1e-9, atol=1e-12)


# -- what cannot be drawn -------------------------------------------------------------------------------
FITTED = LinearRegression().fit(*draw(7))


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"weights": (0, 0)}, "weights must be two of"),
        ({"weights": (0, 4)}, "weights must be two of"),
        ({"weights": (0, -1)}, "weights must be two of"),
        ({"weights": (0, True)}, "weights must be two of"),
        ({"weights": ("intercept", "weight")}, "weights must be two of"),
        ({"weights": "x0"}, "weights must be two of"),
        ({"weights": (0,)}, "weights must be two of"),
        ({"first": (1.0, 1.0)}, "first must be finite numbers"),
        ({"second": (0.0, np.nan)}, "second must be finite numbers"),
        ({"second": (0.0, np.inf)}, "second must be finite numbers"),
        ({"first": [3.0, 2.0, 1.0]}, "first must be finite numbers"),
        ({"first": "wide"}, "first"),
        ({"points": 1}, "points must be a number >= 2"),
        ({"rows": 3}, "rows must be a pair"),
        ({"rows": (np.ones((2, 2)), [1.0, 2.0])}, "2"),
        ({"rows": (np.full((2, 3), np.nan), [1.0, 2.0])}, "NaN"),
    ],
)
def test_bad_arguments(options, match):
    with pytest.raises((ValueError, TypeError), match=match):
        weight_surface(FITTED, **options)


def test_models_without_a_surface():
    X, y = draw(8)
    with pytest.raises(TypeError, match="needs a fitted LinearRegression or BayesianLinearRegression"):
        weight_surface(Ridge().fit(X, y))
    with pytest.raises(ValueError, match="not fitted"):
        weight_surface(LinearRegression())
    with pytest.raises(TypeError, match="one target"):
        weight_surface(LinearRegression().fit(X, np.column_stack([y, y])))
    with pytest.raises(TypeError, match="standardize X beforehand"):
        weight_surface(BayesianLinearRegression(standardize=True).fit(X, y))
    exact = LinearRegression().fit([[0.0], [1.0], [2.0]], [0.0, 0.0, 0.0])
    with pytest.raises(TypeError, match="leaves no residuals"):
        weight_surface(exact, first=(-1, 1), second=(-1, 1))


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
def test_undetermined_weights_need_ends():
    X, y = draw(9, d=1)
    model = LinearRegression().fit(np.hstack([X, X]), y)
    with pytest.raises(ValueError, match="give second="):
        weight_surface(model, (0, 1))
    surface = weight_surface(model, (1, 2), first=(-1, 1), second=(-1, 1), points=3)
    # equal columns: the likelihood knows the sum of their weights alone
    assert surface.log_likelihood[0, 2] == pytest.approx(surface.log_likelihood[2, 0], rel=1e-10)
    assert surface.log_likelihood[1, 1] == pytest.approx(surface.log_likelihood[0, 2], rel=1e-10)
