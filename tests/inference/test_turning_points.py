"""Minimum, maximum or saddle; the signs a quadratic form takes."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.inference import definiteness, turning_point


@pytest.mark.parametrize("seed", range(4))
def test_signs_of_the_quadratic_form(seed):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((4, 4))
    z = rng.standard_normal((4, 500))
    for matrix, word in ((A @ A.T, "positive"), (-A @ A.T, "negative"), (A + A.T, "indefinite")):
        assert definiteness(matrix) == word
        values = np.sum(z * (matrix @ z), axis=0)
        assert {"positive": np.all(values > 0), "negative": np.all(values < 0)}.get(
            word, values.min() < 0 < values.max()
        )


def test_semi_and_zero():
    column = np.array([[1.0, 2.0]])
    assert definiteness(column.T @ column) == "positive semi"
    assert definiteness(-column.T @ column) == "negative semi"
    assert definiteness(np.zeros((2, 2))) == "zero"
    assert definiteness([[1e-300]]) == "positive"


@pytest.mark.parametrize(
    ("function", "at", "kind"),
    [
        (lambda w: 3 + (w - 5) ** 2, 5.0, "minimum"),
        (lambda w: -(w**2) + 4, 0.0, "maximum"),
        (lambda w: w**3, 0.0, "undecided"),
        (lambda w: w**2, 1.0, "none"),
        (lambda w: 7.0, 2.0, "undecided"),
        (lambda w: w[0] ** 2 - w[1] ** 2, [0.0, 0.0], "saddle"),
        (lambda w: w[0] * w[1], [0.0, 0.0], "saddle"),
        (lambda w: (w[0] - 1) ** 2 + 2 * (w[1] + 3) ** 2, [1.0, -3.0], "minimum"),
        (lambda w: (w[0] - 1) ** 2, [1.0, 9.0], "undecided"),
        (lambda w: 1e12 * (w - 5) ** 2, 5.0, "minimum"),
        (lambda w: 1e-12 * (w - 5) ** 2, 5.0, "minimum"),
        (lambda w: (w - 1950) ** 2, 1950.0, "minimum"),
    ],
)
def test_kinds(function, at, kind):
    point = turning_point(function, at)
    assert point.kind == kind
    assert kind in repr(point)


def test_derivatives_of_quadratic_forms():
    """FCML Table 1.4: ∂(wᵀx)/∂w = x, ∂(wᵀw)/∂w = 2w, ∂(wᵀCw)/∂w = 2Cw for symmetric C."""
    C, x, w = np.array([[2.0, 1.0], [1.0, 5.0]]), np.array([3.0, -1.0]), np.array([0.5, 2.0])
    for f, slope in ((lambda w: w @ x, x), (lambda w: w @ w, 2 * w), (lambda w: w @ C @ w, 2 * C @ w)):
        np.testing.assert_allclose(turning_point(f, w).gradient, slope, rtol=1e-7)
    np.testing.assert_allclose(turning_point(lambda w: w @ C @ w, w).hessian, 2 * C, rtol=1e-7)


def test_the_hessian_of_the_log_likelihood_is_negative_definite():
    """FCML 2.38: −XᵀX/σ²."""
    Phi, t, variance = np.array([[1.0, 1.0], [1.0, 3.0], [1.0, 5.0]]), np.array([4.8, 11.3, 17.2]), 0.5
    point = turning_point(lambda w: -0.5 * np.sum((t - Phi @ w) ** 2) / variance, [1.8, 3.1])
    np.testing.assert_allclose(point.hessian, -Phi.T @ Phi / variance, rtol=1e-6)
    assert point.kind == "maximum"
    assert definiteness(point.hessian) == "negative"


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([1.0, 2.0], r"square .* got shape \(2,\)"),
        ([[1.0, 2.0, 3.0]], "square"),
        ([[1.0, 2.0], [0.0, 1.0]], "symmetric; it differs from its transpose by 2"),
        ([[np.nan]], "finite"),
        ([["a"]], "made of numbers"),
    ],
)
def test_bad_matrices(matrix, words):
    with pytest.raises(InvalidParameter, match=words):
        definiteness(matrix)


def test_bad_functions_and_points():
    with pytest.raises(InvalidInput, match="one finite number"):
        turning_point(lambda w: np.array([w, w]), 1.0)
    with pytest.raises(InvalidInput, match="one finite number"):
        turning_point(lambda w: np.nan, 1.0)
    with pytest.raises(InvalidParameter, match="at must be"):
        turning_point(lambda w: 0.0, [[1.0]])
    with pytest.raises(InvalidParameter, match="tolerance must be"):
        turning_point(lambda w: 0.0, 1.0, tolerance=0.0)
