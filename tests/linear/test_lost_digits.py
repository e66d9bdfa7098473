"""Where a number cannot hold an answer, or a system has none, a sentence says so."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from suffice._components.normal.prior import ScatterMoments, as_prior
from suffice._core.errors import IllConditioned, NumericalError
from suffice._core.linalg import solve_square
from suffice.bases import Polynomial
from suffice.distributions import Normal
from suffice.evaluation import cross_validate, validate_path
from suffice.glm import LogisticRegression, PoissonRegression
from suffice.linear import BayesianLinearRegression, Lasso, LinearRegression, Ridge
from suffice.prepare import Centerer, Whitener

rng = np.random.default_rng(0)
X = rng.standard_normal((40, 2))
Y = X @ [1.0, -2.0] + rng.standard_normal(40)


def test_weights_below_the_smallest_number_are_named():
    with pytest.warns(IllConditioned, match=r"weights of 'x0\^2', 'x1\^2' are smaller"):
        Ridge(basis=Polynomial(2)).fit(X * 1e140, Y * 1e-80)


def test_zeros_are_no_underflow():
    """Warnings are errors here."""
    assert Lasso(100.0, basis=Polynomial(2), standardize=True).fit(X, Y).coef_.tolist() == [0.0] * 4
    LinearRegression().fit(X, np.ones(40))


def test_a_system_without_an_answer_has_a_name():
    with pytest.raises(NumericalError, match=r"^The map is singular up to rounding: .* divide columns"):
        solve_square(np.zeros((2, 2)), np.eye(2), "The map")
    assert solve_square(np.full((1, 1), 2.0), np.ones((1, 1)), "The map") == 0.5


def test_means_whose_scatter_is_singular_are_refused_in_words():
    """No error of NumPy's comes through."""
    prior = as_prior(Normal(0.0, 1e-200), 2)
    scatter = np.ones((1, 2, 2))
    with pytest.raises(NumericalError, match="The covariance of a mean and its prior is singular"):
        prior.posterior(ScatterMoments(np.ones((1, 2)), scatter, np.ones(1)), scatter, False)


def test_directions_that_are_stretched_are_named():
    nearly = np.column_stack([X[:, 0], X[:, 0] + 1e-11 * X[:, 1]])
    with pytest.warns(IllConditioned, match="stretched to the spread of all others"):
        Whitener("cholesky").fit(nearly)
    Whitener().fit(np.column_stack([X[:, 0], X[:, 0] + 1e-6 * X[:, 1]]))


@pytest.mark.parametrize("model", [LogisticRegression(C=1e30), PoissonRegression()], ids=repr)
def test_inflated_variances_of_linked_models_are_named(model):
    y = np.round(np.exp(0.2 * Y)) if isinstance(model, PoissonRegression) else Y > 0
    with pytest.warns(IllConditioned, match="a variance is inflated"):
        model.fit(np.column_stack([X, X[:, 0] + 1e-8 * rng.standard_normal(40)]), y)


@pytest.mark.parametrize("model", [LogisticRegression(C=1e30), PoissonRegression()], ids=repr)
def test_large_weights_that_cancel_are_not_taken_for_separated_targets(model):
    """The maximum is that of the columns whose difference is written out, and its last step is rounding."""
    y = np.round(np.exp(0.2 * Y)) if isinstance(model, PoissonRegression) else Y > 0
    for seed in range(20):
        z = np.random.default_rng(seed).standard_normal(40)
        with pytest.warns(IllConditioned, match="a variance is inflated"):
            near = model.fit(np.column_stack([X, X[:, 0] + 1e-8 * z]), y).log_likelihood_
        apart = model.fit(np.column_stack([X, z]), y).log_likelihood_
        np.testing.assert_allclose(near, apart, rtol=1e-7)


def test_powers_beyond_numbers_are_refitted():
    """The affine map of raw powers would lose their weights."""
    model = make_pipeline(Centerer(), Ridge(1e-3, basis=Polynomial(2)))
    with pytest.warns(IllConditioned, match="fold 0 was refitted: its powers are of a size"):
        found = cross_validate(model, X * 1e80, Y, cv=4)
    assert found.how == "refit"
    assert "a size whose weights a number cannot hold" in found.notes[0]


@pytest.mark.parametrize(
    "model",
    [
        Ridge(10.0, basis=Polynomial(3, interactions=True), standardize=True),
        BayesianLinearRegression(10.0, noise_precision=1.0, basis=Polynomial(3, interactions=True)),
    ],
    ids=repr,
)
def test_weights_of_products_with_a_far_constant_are_named(model):
    """Copies in units of 10¹⁰ and 10²⁰, whose sizes are differences of what they are about the center."""
    with pytest.warns(IllConditioned, match="nearly combinations of each other"):
        model.fit(np.column_stack([X, np.full(40, -1e10)]), Y)
    model.fit(np.column_stack([X, np.full(40, -10.0)]), Y)  # says nothing


def test_paths_name_products_with_a_far_constant():
    model, far = Ridge(basis=Polynomial(3, interactions=True)), np.column_stack([X, np.full(40, -1e10)])
    with pytest.warns(IllConditioned, match="nearly combinations of each other"):
        validate_path(model, far, Y, "alpha", [0.1, 10.0], 4)
