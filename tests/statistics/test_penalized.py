"""Penalized least squares where columns are far apart in length: every weight to its last digits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from suffice._core.errors import IllConditioned
from suffice.evaluation import validate_path
from suffice.generative import RidgeClassifier
from suffice.linear import BayesianLinearRegression, Ridge

SCALES = ([1e-108, 1e-108, 1.0], [1e-12, 1.0, 1.0], [1e12, 1.0, 1e6], [1e9, 1e-9, 10.0], [10.0, 1e-30, 1e-60])


def exact_weights(X, y, alpha):
    """(XᵀX + α I) w = Xᵀy by elimination in fractions."""
    rows = [[Fraction(v) for v in row] for row in X.tolist()]
    y, d = [Fraction(v) for v in y.tolist()], X.shape[1]
    A = [
        [sum(r[i] * r[j] for r in rows) + (i == j) * Fraction(alpha) for j in range(d)]
        + [sum(r[i] * t for r, t in zip(rows, y, strict=True))]
        for i in range(d)
    ]
    for i in range(d):
        for k in range(d):
            if k != i:
                A[k] = [a - b * A[k][i] / A[i][i] for a, b in zip(A[k], A[i], strict=True)]
    return np.array([float(A[i][d] / A[i][i]) for i in range(d)])


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 30.0])
@pytest.mark.parametrize("scales", SCALES)
def test_weights_of_columns_that_a_penalty_holds_keep_their_digits(scales, alpha):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 3)) * scales, np.where(rng.random(12) < 0.5, 1.0, -1.0)
    expected = exact_weights(X, y, alpha)
    for model in (
        Ridge(alpha, fit_intercept=False),
        RidgeClassifier(alpha, fit_intercept=False),
        BayesianLinearRegression(alpha, noise_precision=1.0, fit_intercept=False),
    ):
        np.testing.assert_allclose(np.ravel(model.fit(X, y).coef_), expected, rtol=1e-9)


@pytest.mark.parametrize("scales", SCALES)
def test_paths_of_columns_that_are_far_apart_keep_their_digits(scales):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 3)) * scales, rng.normal(size=20)
    largest = int(np.argmax(scales))
    X[12:, largest] = 0.0  # what is predicted there are the weights of the others
    y[12:] = 0.0
    alphas = [1e-3, 1.0]
    folds = [(np.arange(12), np.arange(12, 20))]
    found = validate_path(Ridge(fit_intercept=False), X, y, "alpha", alphas, folds, loss="absolute")
    by_hand = [np.abs(X[12:] @ exact_weights(X[:12], y[:12], a)).mean() for a in alphas]
    np.testing.assert_allclose(np.ravel(found.fold_test), by_hand, rtol=1e-9)


def test_a_ridge_classifier_shares_weights_among_copies_in_large_units():
    rng = np.random.default_rng(3)
    X = 1e40 * rng.normal(size=(28, 3))
    y, copies = X[:, 0] + 1e40 * rng.normal(size=28) > 0, np.column_stack([X, X.sum(axis=1), X[:, 0]])
    model = RidgeClassifier(30.0, fit_intercept=False).fit(copies, y)
    scaled = RidgeClassifier(30.0 * 1e-80, fit_intercept=False).fit(copies / 1e40, y)
    np.testing.assert_allclose(model.coef_ * 1e40, scaled.coef_, rtol=1e-9)
    assert np.abs(scaled.coef_).max() < 10


@pytest.mark.parametrize("alpha", [0.0, 1e-30])
def test_a_ridge_classifier_says_that_columns_are_nearly_copies(alpha):
    rng = np.random.default_rng(4)
    x = rng.normal(size=15)
    X, y = np.column_stack([x, x + 1e-13 * rng.normal(size=15)]), x + rng.normal(size=15) > 0
    with pytest.warns(IllConditioned, match="nearly combinations of each other"):
        RidgeClassifier(alpha).fit(X, y)
