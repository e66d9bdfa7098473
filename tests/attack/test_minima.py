"""What the linear program says about minimizers of a sum of absolute values, beside closed forms."""

import numpy as np
import pytest

from suffice.linear import ElasticNet, Lasso, LeastAbsoluteDeviations, QNormRegression

from .minima import Asked, width, width_of_medians

rng = np.random.default_rng(2)
x = rng.standard_normal(20)
y = 3 * x + rng.standard_normal(20)
NEW = np.array([[1.0, 1.0], [1.0, -1.0], [0.0, 2.0]])


def widths(model, X, new=NEW):
    return width(Asked(model.fit(X, y), X, y, None, new))


@pytest.mark.parametrize("model", [Lasso(0.1), Lasso(0.1, positive=True), Lasso(0.1, fit_intercept=False)])
def test_copies_share_a_weight_in_any_way(model):
    """(s, 0) and (0, s) are the ends: a row with x₁ ≠ x₂ is predicted between s x₁ and s x₂."""
    found = widths(model, np.column_stack([x, x]))
    s = model.coef_.sum()
    away = np.abs(model.predict(NEW) - y.mean())
    unit = np.maximum(away, np.std(y))
    np.testing.assert_allclose(found, np.abs(s * (NEW[:, 0] - NEW[:, 1])) / unit, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("model", "X"),
    [
        (Lasso(0.1), np.column_stack([x, -3.7 * x])),  # the larger column is cheaper
        (Lasso(1e6), np.column_stack([x, x])),  # all weights are zero
        (ElasticNet(0.1, l1_ratio=0.5), np.column_stack([x, x])),  # squares share a weight equally
        (QNormRegression(1.5, 1.0), np.column_stack([x, x])),
        (Lasso(0.1), np.column_stack([x, x**2])),
    ],
)
def test_one_minimizer_leaves_no_choice(model, X):
    assert np.all(widths(model, X) < 1e-9)


def test_medians_between_two_rows_are_all_smallest():
    """A constant alone: any number between the middle two targets. Scaled columns say it in their units."""
    two = np.array([[0.0], [0.0], [1e3], [1e3]])
    t = np.array([1.0, 4.0, 2.0, 3.0])
    model = LeastAbsoluteDeviations().fit(two, t)
    found = width_of_medians(Asked(model, two, t, None, np.array([[0.0], [1e3], [500.0]])))
    np.testing.assert_allclose(found, np.array([3.0, 1.0, 2.0]) / 3, atol=1e-6)


def test_medians_of_an_odd_number_are_one_and_worse_fits_are_no_minimizers():
    two = np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]])
    t = np.array([1.0, 2.0, 4.0, 5.0, 6.0, 9.0])
    model = LeastAbsoluteDeviations().fit(two, t)
    assert np.all(width_of_medians(Asked(model, two, t, None, two)) < 1e-6)
    even, t = two[[0, 1, 3, 4]], t[[0, 1, 3, 4]]
    worse = LeastAbsoluteDeviations(fit_intercept=False).fit(even, t)
    worse.fit_intercept = True
    assert not width_of_medians(Asked(worse, even, t, None, even)).any()
