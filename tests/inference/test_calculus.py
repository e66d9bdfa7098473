"""Derivatives by differences, Taylor polynomials, Lagrange multipliers."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError
from suffice.inference import (
    check_gradient,
    definiteness,
    gradient,
    hessian,
    minimize_subject_to,
    stationary_point,
    taylor,
)


def f(x):
    return float(np.exp(0.3 * x[0]) * np.sin(x[1]) + x[0] * x[2] ** 3)


def f_gradient(x):
    e = np.exp(0.3 * x[0])
    return np.array([0.3 * e * np.sin(x[1]) + x[2] ** 3, e * np.cos(x[1]), 3 * x[0] * x[2] ** 2])


def f_hessian(x):
    e = np.exp(0.3 * x[0])
    a, b, c = 0.09 * e * np.sin(x[1]), 0.3 * e * np.cos(x[1]), 3 * x[2] ** 2
    return np.array([[a, b, c], [b, -e * np.sin(x[1]), 0.0], [c, 0.0, 6 * x[0] * x[2]]])


POINTS = [[0.3, -1.0, 2.0], [-4.0, 2.0, 0.1], [1e3 / 300, 0.0, -1.0]]


@pytest.mark.parametrize("x", POINTS)
def test_differences_are_derivatives(x):
    np.testing.assert_allclose(gradient(f, x), f_gradient(x), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(hessian(f, x), f_hessian(np.array(x)), rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(hessian(f, x), hessian(f, x).T)


def test_a_jacobian_has_a_row_per_output():
    A = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(gradient(lambda x: A @ x, [1.0, 2.0, 3.0]), A, rtol=1e-10, atol=1e-10)


def test_a_wrong_gradient_is_found_at_its_coordinate():
    assert check_gradient(f, f_gradient, POINTS[0]).passed
    wrong = check_gradient(f, lambda x: f_gradient(x) + [0, 1e-3, 0], POINTS[0])
    assert not wrong.passed
    assert wrong.worst == 1
    assert not check_gradient(f, lambda x: np.full(3, np.nan), POINTS[0]).passed
    with pytest.raises(InvalidInput, match=r"shape \(2,\); differences have \(3,\)"):
        check_gradient(f, lambda x: np.zeros(2), POINTS[0])


@pytest.mark.parametrize(("g", "kind"), [(lambda x: x[0] ** 2 + x[1] ** 2 + x[0] * x[1] - x[0], "positive"),
                                         (lambda x: x[0] * x[1] + x[0], "indefinite")])  # fmt: skip
def test_stationary_points_of_every_kind(g, kind):
    found = stationary_point(g, [0.4, 0.9])
    np.testing.assert_allclose(gradient(g, found.at), 0.0, rtol=0, atol=1e-8)
    assert definiteness(found.hessian, tolerance=1e-6) == kind


def test_taylor_of_the_exponential():
    """FCML Comment 4.3: each order is nearer, and exact at the point of expansion."""
    x = np.linspace(-1, 1, 21)
    errors = [np.abs(taylor([1.0] * (n + 1))(x) - np.exp(x)).max() for n in range(8)]
    assert np.all(np.diff(errors) < 0)
    assert taylor([2.0, 5.0, 3.0], at=4.0)(4.0) == 2.0
    bounds = [np.e / np.prod(np.arange(1.0, n + 2)) for n in range(8)]  # Lagrange's remainder
    assert np.all(np.array(errors) <= bounds)
    with pytest.raises(InvalidParameter, match="the value first"):
        taylor([])


@pytest.mark.parametrize("at", [0.0, 0.7, -2.0])
def test_taylor_of_a_function_finds_its_derivatives(at):
    """The derivatives of e^{x/2} sin x are known: those of the imaginary part of e^{(1/2 + i) x}."""
    z = (0.5 + 1j) ** np.arange(9) * np.exp((0.5 + 1j) * at)
    x = at + np.linspace(-1, 1, 21)
    given, found = taylor(z.imag, at), taylor(lambda x: np.exp(x / 2) * np.sin(x), at, order=8)
    np.testing.assert_allclose(found(x), given(x), rtol=0, atol=1e-10)


def test_taylor_near_a_pole_and_of_what_has_none():
    near = taylor(np.log, 0.01, order=4)  # log is not defined at −0.99 … 0
    x = np.linspace(0.008, 0.012, 5)
    np.testing.assert_allclose(near(x), np.log(x), atol=1e-3)
    np.testing.assert_allclose(near(0.01), np.log(0.01), rtol=1e-12)
    with pytest.raises(NumericalError, match=r"f has no Taylor polynomial at 0: it jumps, bends"):
        taylor(np.abs, 0.0, order=2)
    with pytest.raises(InvalidParameter, match="order must be an integer from 0 to 12"):
        taylor(np.exp)
    with pytest.raises(InvalidParameter, match="order follows from 2 derivatives"):
        taylor([1.0, 2.0], order=4)


def test_inequalities_have_multipliers_that_are_not_negative():
    """The nearest point of a disc and a half-plane; the second constraint has room."""
    target = np.array([3.0, 4.0])
    found = minimize_subject_to(
        lambda x: float(np.sum((x - target) ** 2)),
        [],
        [0.1, 0.2],
        at_most=[(lambda x: float(x @ x), 1.0), (lambda x: float(x[0]), 5.0)],
    )
    np.testing.assert_allclose(found.at, target / 5, rtol=1e-6)
    np.testing.assert_allclose(found.multipliers, [4.0, 0.0], atol=1e-5)  # 2 (x − t) + 2 λ x = 0
    assert np.all(found.constraints <= 1e-8)
    both = minimize_subject_to(
        lambda x: float(x @ x),
        [lambda x: float(x.sum() - 2)],
        [3.0, 0.0],
        at_most=[(lambda x: float(x[0]), 0.5)],
    )
    np.testing.assert_allclose(both.at, [0.5, 1.5], rtol=1e-7)
    np.testing.assert_allclose(both.multipliers, [-3.0, 2.0], rtol=1e-5)
    inside = minimize_subject_to(
        lambda x: float(x @ x), [], [0.3, 0.1], at_most=[(lambda x: float(x[0]), 1.0)]
    )
    np.testing.assert_allclose(inside.multipliers, [0.0])


def test_lagrange_multipliers_balance_the_gradients():
    def g(x):
        return float((x[0] - 1) ** 2 + 2 * x[1] ** 2 + x[2] ** 2)

    rules = [lambda x: float(x @ x - 4.0), lambda x: float(x[0] + x[1] + x[2])]
    found = minimize_subject_to(g, rules, [1.0, -1.0, 0.3])
    np.testing.assert_allclose(found.constraints, 0.0, rtol=0, atol=1e-9)
    normals = np.column_stack([gradient(r, found.at) for r in rules])
    np.testing.assert_allclose(gradient(g, found.at) + normals @ found.multipliers, 0.0, rtol=0, atol=1e-5)


def test_the_projection_on_a_plane_in_closed_form():
    w, b, x0 = np.array([1.0, -2.0, 0.5]), 3.0, np.array([2.0, 1.0, 1.0])
    found = minimize_subject_to(lambda x: 0.5 * np.sum((x - x0) ** 2), [lambda x: float(w @ x + b)], x0)
    np.testing.assert_allclose(found.at, x0 - (w @ x0 + b) / (w @ w) * w, rtol=1e-7)
    np.testing.assert_allclose(found.multipliers, (w @ x0 + b) / (w @ w), rtol=1e-6)


def test_constraints_that_cannot_hold():
    with pytest.raises(NumericalError, match="No minimum was found under the constraints"):
        minimize_subject_to(lambda x: float(x @ x), [lambda x: float(x @ x + 1.0)], [1.0, 1.0])


def test_points_must_be_numbers():
    with pytest.raises(InvalidParameter, match="x must be made of numbers"):
        gradient(f, ["a"])
    with pytest.raises(InvalidParameter, match="x must be a vector of finite numbers"):
        hessian(f, [np.inf, 0.0, 0.0])
