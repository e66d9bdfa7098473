"""Columns that depend on others, in units in which a penalty is weak: the answer or a warning, never noise."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from suffice._core.errors import IllConditioned, RankDeficient
from suffice.evaluation import validate_path
from suffice.generative import LeastSquaresClassifier
from suffice.linear import (
    BayesianLinearRegression,
    BayesianRidge,
    ConjugateLinearRegression,
    LeastAbsoluteDeviations,
    LinearRegression,
    QNormRegression,
    Ridge,
)
from suffice.statistics import Triangle

rng = np.random.default_rng(0)
x, z = rng.standard_normal((2, 40))
Y = x - 0.5 * z + rng.standard_normal(40)
COPIES, ONCE = (
    np.column_stack([x, x, z]),
    np.column_stack([np.sqrt(2) * x, z]),
)  # the same model of the same rows
SHARED = (
    Ridge(1.0),
    Ridge(1e-8),
    Ridge(1e-8, fit_intercept=False),
    BayesianLinearRegression(1.0, noise_precision=2.0),
    BayesianLinearRegression(1e-4, noise_precision=2.0),
    BayesianLinearRegression(),
    ConjugateLinearRegression(),
    BayesianRidge(),
)


def shared(weights: np.ndarray) -> np.ndarray:
    """The weights of copies from that of √2 times the column."""
    return np.array([weights[0] / np.sqrt(2), weights[0] / np.sqrt(2), weights[1]])


@pytest.mark.filterwarnings("ignore:Some columns are combinations")
@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e3, 1e6, 1e9, 1e12, 1e60])
@pytest.mark.parametrize("model", SHARED, ids=repr)
def test_copies_share_their_weight(model, unit):
    copies, once = clone(model).fit(COPIES * unit, Y), clone(model).fit(ONCE * unit, Y)
    expected = shared(once.coef_)
    np.testing.assert_allclose(copies.coef_, expected, atol=1e-9 * np.abs(expected).max())
    if hasattr(model, "log_evidence_"):
        assert copies.log_evidence_ == pytest.approx(once.log_evidence_, abs=1e-8)


@pytest.mark.parametrize("unit", [1.0, 1e6, 1e9])
def test_copies_share_their_weight_along_a_path(unit):
    alphas = np.array([1e-8, 1.0, 1e4])
    path = Triangle.of(COPIES * unit, Y).ridge(alphas).coef
    once = Triangle.of(ONCE * unit, Y).ridge(alphas).coef
    expected = np.array([shared(w) for w in once])
    np.testing.assert_allclose(path, expected, atol=1e-9 * np.abs(expected).max())
    tested = validate_path(Ridge(), COPIES * unit, Y, "alpha", alphas, 5).test
    np.testing.assert_allclose(
        tested, validate_path(Ridge(), ONCE * unit, Y, "alpha", alphas, 5).test, rtol=1e-9
    )


def test_the_posterior_knows_nothing_of_the_difference_of_copies():
    """Its variance there is the prior's, and none of the rounding of larger numbers."""
    for unit in (1.0, 1e6, 1e9):
        cov = (
            BayesianLinearRegression(1.0, noise_precision=2.0).fit(COPIES * unit, Y).posterior_.cov[1:3, 1:3]
        )
        difference = cov[0, 0] + cov[1, 1] - 2 * cov[0, 1]
        assert difference == pytest.approx(2.0, rel=1e-6)


# -- what cannot be told is said ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "model", [Ridge(1e-8, penalize_intercept=True), QNormRegression(1.5, alpha=1.0)], ids=repr
)
def test_a_penalty_that_does_not_share_is_named(model):
    with pytest.warns(IllConditioned, match="combinations of"):
        clone(model).fit(COPIES * 1e9, Y)


@pytest.mark.parametrize(
    "model", [BayesianLinearRegression(1.0, noise_precision=1.0), ConjugateLinearRegression()], ids=repr
)
def test_a_prior_under_which_rounding_speaks_is_named(model):
    with pytest.warns(IllConditioned, match="this rounding widens predictions"):
        clone(model).fit(COPIES * 1e15, Y)


NEARLY = np.column_stack([x, x + 1e-13 / 3 * rng.standard_normal(40), z])


@pytest.mark.parametrize(
    "model",
    [
        LinearRegression(),
        LeastAbsoluteDeviations(),
        LeastSquaresClassifier(),
        Ridge(1e-30),
        BayesianLinearRegression(1e-30, noise_precision=1.0),
        ConjugateLinearRegression(1e-30),
    ],
    ids=repr,
)
def test_a_condition_that_leaves_few_digits_is_named(model):
    y = Y > 0 if isinstance(model, LeastSquaresClassifier) else Y
    with pytest.warns(IllConditioned, match=r"scaled condition [0-9.]+e\+1[34]"):
        clone(model).fit(NEARLY, y)


def test_nothing_is_said_where_a_penalty_helps_or_columns_are_sound():
    """Warnings are errors here."""
    Ridge(1e-8).fit(NEARLY, Y)
    LinearRegression().fit(np.column_stack([x, x + 1e-9 * z]), Y)


def test_exact_copies_are_left_to_the_rank_rule():
    with pytest.warns(RankDeficient, match="are combinations of the others up to rounding"):
        LinearRegression().fit(COPIES * 1e9, Y)
