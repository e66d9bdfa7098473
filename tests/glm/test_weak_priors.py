"""A prior gives every search an end, however weak it is and however far from the data the end lies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import log_ndtr
from sklearn.base import clone

from suffice._core.errors import Separated
from suffice.evaluation import validate_path
from suffice.glm import LogisticRegression, PoissonRegression, ProbitRegression

X = np.array([
    [69.91954113701225, 4.867066294974044, 0.0, 0.0018085262797305724],
    [190.38113747537648, 2.8739917041585, 4.432846570553221, 0.0019323385838602622],
    [183.98918526097904, 2.5130608996808577, 4.432846570553221, 0.0015692665235943887],
])  # fmt: skip
Y, WEIGHT = np.array([0, 1, 0]), np.array([1.0, 1e6, 1.0])


def pulls(model, X, y, weight):
    """Gradients of the log likelihood and of minus the penalty, in standardized columns."""
    mean = np.average(X, axis=0, weights=weight)
    spread = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weight))
    theta = np.append(model.intercept_ + mean @ model.coef_[0], model.coef_[0] * spread)
    A, sign = np.column_stack([np.ones(len(X)), (X - mean) / spread]), 2 * y - 1
    a = A @ theta
    slope = sign * np.exp(-0.5 * a**2 - 0.5 * np.log(2 * np.pi) - log_ndtr(sign * a))
    return A.T @ (weight * slope), model.prior_precision * theta


@pytest.mark.parametrize("precision", [1e-3, 1e-6, 1e-9])
def test_separated_rows_have_the_maximum_that_a_weak_prior_gives_them(precision):
    model = ProbitRegression(prior_precision=precision, penalize_intercept=True, standardize=True)
    up, down = pulls(model.fit(X, Y, WEIGHT), X, Y, WEIGHT)
    np.testing.assert_allclose(up, down, rtol=1e-6, atol=1e-7 * np.abs(down).max())


def test_a_wild_row_that_is_right_by_far_leaves_no_search_without_end():
    """The maximum is that of mpmath with 50 digits; the columns differ by a constant."""
    x = [-0.75414339055, 4.1588828957, 0.10321346736, 5.1016008535, -0.025750490476, -1.5303482747, 3.819948427,
         1.1662219703, 2.5706832963, 0.28211823614, -0.046292408803, 1.1151621450,
         999999999.0, 0.90759792067]  # fmt: skip
    Z = np.column_stack([x, np.add(x, 1e4)])
    y = [0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1]
    model = ProbitRegression(prior_precision=2.0).fit(Z, y)
    np.testing.assert_allclose(model.coef_, 0.094307327303, rtol=1e-6)


@pytest.mark.parametrize("cls", [ProbitRegression, LogisticRegression])
def test_refits_from_elsewhere_end_where_a_fit_ends(cls):
    rng = np.random.default_rng(5)
    Z = rng.standard_normal((20, 8))
    y = (Z @ rng.standard_normal(8) > 0).astype(int)
    splits = [(np.arange(20) % 4 != i, np.arange(20) % 4 == i) for i in range(4)]
    model = cls(standardize=True, penalize_intercept=True)
    path = validate_path(model, Z, y, "prior_precision", [1e-8, 1e-6], cv=splits, loss="log")
    for value, loss in zip(path.values, path.test, strict=True):
        fits = [clone(model).set_params(prior_precision=value).fit(Z[a], y[a]) for a, _ in splits]
        own = [-m.predict_dist(Z[b]).log_prob(y[b]) for m, (_, b) in zip(fits, splits, strict=True)]
        np.testing.assert_allclose(loss, np.concatenate(own).mean(), rtol=1e-8)


def test_a_constant_without_a_prior_may_still_have_no_end():
    with pytest.warns(Separated, match="of the constant"):
        PoissonRegression(prior_precision=1.0).fit(np.arange(6.0)[:, None], np.zeros(6))
