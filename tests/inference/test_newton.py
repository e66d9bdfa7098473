"""Newton's method, with and without step control; gradient descent; roots."""

import numpy as np
import pytest
from scipy.optimize import minimize

from suffice._core.errors import InvalidParameter, NotConverged, NumericalError
from suffice.inference import gradient_descent, newton, newton_root
from suffice.likelihoods import BernoulliLogit

rng = np.random.default_rng(0)
X = rng.standard_normal((60, 3)) * [1.0, 3.0, 0.2]
Y = (X @ [1.0, -1.0, 2.0] + rng.logistic(size=60) > 0).astype(float)
LOGIT = BernoulliLogit()


def log_joint(w, scale=1.0, precision=0.1):
    a = scale * X @ w
    return float(LOGIT.log_prob(Y, a).sum() - 0.5 * precision * w @ w)


def slope(w, scale=1.0, precision=0.1):
    return scale * X.T @ LOGIT.gradient(Y, scale * X @ w) - precision * w


def bend(w, scale=1.0, precision=0.1):
    Z = scale * X
    return -(Z.T * LOGIT.curvature(Y, Z @ w)) @ Z - precision * np.eye(3)


def test_a_maximum_against_a_general_optimizer():
    found = newton(log_joint, np.zeros(3), slope, bend, maximize=True)
    best = minimize(lambda w: -log_joint(w), np.zeros(3), jac=lambda w: -slope(w), tol=1e-12)
    assert found.converged
    np.testing.assert_allclose(found.at, best.x, rtol=1e-5)
    assert np.linalg.norm(found.gradient) < 1e-4
    assert found.value == pytest.approx(log_joint(found.at), rel=1e-15)
    assert np.all(np.diff(found.trace.objective) >= 0)
    np.testing.assert_array_equal(found.path[-1], found.at)
    assert len(found.trace) == len(found.path)


def test_the_texts_newton_diverges_where_step_control_does_not():
    """FCML's update from a start far away: the curvature vanishes there, so the step is enormous (erratum E21)."""
    start = np.array([8.0, 8.0, 8.0])
    with pytest.warns(NotConverged, match="use control='line'"):
        wild = newton(log_joint, start, lambda w: slope(w, precision=1e-3), lambda w: bend(w, precision=1e-3),
                      maximize=True, control="none", max_iter=20)  # fmt: skip
    tame = newton(log_joint, start, slope, bend, maximize=True)
    assert tame.converged
    assert not wild.converged
    assert np.abs(wild.path).max() > 100 * np.abs(tame.path).max()


def test_saddles_are_left_with_control_and_found_without():
    def f(x):
        return x[0] ** 2 - x[1] ** 2 + 0.25 * x[1] ** 4

    def g(x):
        return np.array([2 * x[0], -2 * x[1] + x[1] ** 3])

    def h(x):
        return np.diag([2.0, -2 + 3 * x[1] ** 2])

    low = newton(f, [1.0, 0.1], g, h)
    assert low.value == pytest.approx(-1.0, rel=1e-9)
    saddle = newton(f, [1.0, 0.1], g, h, control="none")
    np.testing.assert_allclose(saddle.at, 0.0, rtol=0, atol=1e-5)


def test_what_cannot_be_iterated_is_said():
    with pytest.raises(InvalidParameter, match="f must be finite at the start"):
        newton(lambda x: np.inf, [0.0], lambda x: x, lambda x: np.eye(1))
    with pytest.raises(InvalidParameter, match="control must be one of 'line', 'none'"):
        newton(lambda x: 0.0, [0.0], lambda x: x, lambda x: np.eye(1), control="trust")
    with pytest.raises(InvalidParameter, match="start must be a vector of finite numbers"):
        newton(lambda x: 0.0, [np.nan], lambda x: x, lambda x: np.eye(1))
    with pytest.raises(NumericalError, match="Derivatives are not finite"):
        newton(lambda x: float(x[0]), [0.0], lambda x: np.array([np.nan]), lambda x: np.eye(1))
    with pytest.raises(NumericalError, match="Hessian is zero"):
        newton(lambda x: float(x[0]), [0.0], lambda x: np.ones(1), lambda x: np.zeros((1, 1)), control="none")


def test_roots():
    trace = newton_root(lambda x: np.cos(x) - x, 1.0, lambda x: -np.sin(x) - 1)
    assert trace.objective[-1] == pytest.approx(0.7390851332151607, rel=1e-14)
    assert trace.converged
    gaps = np.abs(trace.objective[:-1] - trace.objective[-1])
    assert np.all(gaps[2:][gaps[1:-1] < 0.1] <= 2 * gaps[1:-1][gaps[1:-1] < 0.1] ** 2 + 1e-15)  # quadratic
    with pytest.raises(NumericalError, match="slope of g is 0"):
        newton_root(lambda x: x**2 + 1, 0.0, lambda x: 2 * x)
    with pytest.warns(NotConverged, match="stopped after 30 steps"):
        newton_root(lambda x: x**2 + 1, 0.3, lambda x: 2 * x, max_iter=30)


def test_descent_finds_the_same_place():
    found = newton(log_joint, np.zeros(3), slope, bend, maximize=True)
    trace = gradient_descent(lambda w: -log_joint(w), np.zeros(3), lambda w: -slope(w), tol=1e-7)
    assert trace.converged
    at = [trace.columns[f"x{j}"][-1] for j in range(3)]
    np.testing.assert_allclose(at, found.at, rtol=1e-4)
    assert np.all(np.diff(trace.objective) <= 0)


def test_a_fixed_step_converges_below_and_diverges_above_twice_the_inverse_curvature():
    def f(x):
        return float(np.sum([2.0, 0.5] * x**2))

    def g(x):
        return np.array([4.0, 1.0]) * x

    assert gradient_descent(f, [1.0, 1.0], g, step=0.45).converged
    with pytest.raises(NumericalError, match="choose a smaller step"):
        gradient_descent(f, [1.0, 1.0], g, step=0.55)


def test_every_start_ends_at_the_same_place():
    """The stopping rule promises f; the last step squares the distance that is left in x."""
    starts = [np.zeros(3), [1.0, -1.0, 0.5], [-2.0, 0.3, 3.0], [0.1, 0.2, -1.0], [3.0, -2.0, 4.0]]
    for control in ("line", "none"):
        ends = [
            newton(log_joint, s, slope, bend, maximize=True, control=control)
            for s in (starts if control == "line" else starts[:1])
        ]
        assert np.ptp([e.at for e in ends], axis=0).max() < 1e-9
        assert all(np.linalg.norm(e.gradient) < 1e-7 for e in ends)
        assert all(len(e.trace) == len(e.path) for e in ends)
