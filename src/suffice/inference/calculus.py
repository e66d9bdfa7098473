r"""Derivatives by differences, Taylor polynomials, stationary points, constrained minima (FCML Comments 4.1–4.3, 5.1).

Central differences at two step sizes, combined so that their leading errors cancel (Richardson):

    D(h) = (f(x + h) − f(x − h)) / 2h,     f' ≈ (4 D(h/2) − D(h)) / 3
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError, as_numbers, check_number
from suffice._core.records import frozen_array, record
from suffice.inference.newton import Optimum, newton

MOST_ORDERS = 12  # of a Taylor polynomial of a function; beyond, digits are lost
CHEBYSHEV = 33  # points on an interval
STEP = 1e-3  # of 1 + |x|: rounding and truncation of the combined difference are alike, about 1e-11


def gradient(f: Callable[[np.ndarray], Any], x: Any) -> np.ndarray:
    """∂f/∂x of a number, or the Jacobian (outputs, inputs) of a vector.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import gradient
    >>> gradient(lambda x: x[0] ** 2 + 3 * x[1], [1.0, 5.0]).round(9)
    array([2., 3.])
    """
    x = _vector(x)
    columns = [_partial(lambda t: np.asarray(f(t), dtype=float), x, j) for j in range(len(x))]
    return np.stack(columns, axis=-1)


def hessian(f: Callable[[np.ndarray], float], x: Any) -> np.ndarray:
    """∂²f/∂x∂xᵀ, symmetric.

    Examples
    --------
    >>> from suffice.inference import hessian
    >>> (hessian(lambda x: x[0] ** 2 * x[1], [1.0, 5.0]).round(6) + 0.0).tolist()
    [[10.0, 2.0], [2.0, 0.0]]
    """
    x = _vector(x)
    d = len(x)
    coarse, fine = (_second(f, x, h * (1 + np.abs(x))) for h in (4 * STEP, 2 * STEP))
    return ((4 * fine - coarse) / 3).reshape(d, d)


def _partial(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, j: int) -> np.ndarray:
    def central(h: float) -> np.ndarray:
        up, down = x.copy(), x.copy()
        up[j] += h
        down[j] -= h
        return (f(up) - f(down)) / (up[j] - down[j])

    h = STEP * (1 + abs(x[j]))
    return (4 * central(h / 2) - central(h)) / 3


def _second(f: Callable[[np.ndarray], float], x: np.ndarray, h: np.ndarray) -> np.ndarray:
    E = np.diag(h)
    middle = float(f(x))
    out = np.empty((len(x), len(x)))
    for i in range(len(x)):
        out[i, i] = (float(f(x + E[i])) - 2 * middle + float(f(x - E[i]))) / h[i] ** 2
        for j in range(i):
            four = [float(f(x + s * E[i] + t * E[j])) for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
            out[i, j] = out[j, i] = (four[0] - four[1] - four[2] + four[3]) / (4 * h[i] * h[j])
    return out


@record
class GradientCheck:
    """How far a gradient is from differences: `error` is the largest gap, in units of its size, at `worst`."""

    given: np.ndarray
    differences: np.ndarray
    error: float
    worst: int
    passed: bool

    def __repr__(self) -> str:
        verdict = "agrees with" if self.passed else "differs from"
        return f"GradientCheck({verdict} differences: error {self.error:.2g} at coordinate {self.worst})"


def check_gradient(
    f: Callable[[np.ndarray], float],
    derivative: Callable[[np.ndarray], Any],
    x: Any,
    *,
    tolerance: float = 1e-6,
) -> GradientCheck:
    """Compare a gradient (or Jacobian) with differences.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import check_gradient
    >>> check_gradient(lambda x: np.sum(x**3), lambda x: 3 * x**2, [1.0, -2.0]).passed
    True
    """
    check_number("tolerance", tolerance, low=0.0, strict=True)
    x = _vector(x)
    given, numeric = np.asarray(derivative(x), dtype=float), gradient(f, x)
    if given.shape != numeric.shape:
        raise InvalidInput(f"The gradient has shape {given.shape}; differences have {numeric.shape}.")
    gap = np.abs(given - numeric)
    error = float(gap.max() / max(1.0, float(np.abs(numeric).max()))) if np.isfinite(given).all() else np.inf
    worst = int(np.argmax(np.where(np.isnan(gap), np.inf, gap).reshape(-1, len(x)).max(axis=0)))
    return GradientCheck(frozen_array(given), frozen_array(numeric), error, worst, error <= tolerance)


def stationary_point(
    f: Callable[[np.ndarray], float],
    start: Any,
    derivative: Callable[[np.ndarray], Any] | None = None,
    second: Callable[[np.ndarray], Any] | None = None,
    *,
    max_iter: int = 100,
) -> Optimum:
    """A point of zero gradient near `start`, by Newton's method without step control: minimum, maximum or saddle.

    `suffice.inference.turning_point` says which it is.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import stationary_point
    >>> stationary_point(lambda x: x[0] ** 2 - x[1] ** 2 + x[0], [3.0, 2.0]).at.round(6) + 0.0
    array([-0.5,  0. ])
    """
    slope = derivative or (lambda x: gradient(f, x))
    bend = second or (lambda x: hessian(f, x))
    return newton(f, start, slope, bend, control="none", max_iter=max_iter)


def taylor(
    derivatives: Sequence[float] | Callable[[Any], Any], at: float = 0.0, *, order: int | None = None
) -> Callable[[Any], Any]:
    """The polynomial Σ f⁽ᵏ⁾(at) (x − at)ᵏ / k!.

    Parameters
    ----------
    derivatives
        Those at the point, the value first; or the function itself, which is then differentiated numerically.
    at
        The point of expansion.
    order
        Of the polynomial; needed for a function.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import taylor
    >>> print(taylor([1.0] * 6)(1.0).round(6))  # e, to the fifth order
    2.716667
    >>> print(taylor(np.exp, order=5)(1.0).round(6))
    2.716667
    """
    at = check_number("at", at)
    if callable(derivatives):
        coefficients = _local_coefficients(derivatives, at, _checked_order(order))
    else:
        values = as_numbers("derivatives", derivatives)
        if values.ndim != 1 or not len(values):
            raise InvalidParameter(
                f"derivatives must be a list of numbers, the value first, or a function; got {derivatives!r}."
            )
        if order is not None and order != len(values) - 1:
            raise InvalidParameter(
                f"order follows from {len(values)} derivatives; leave it out. Got {order!r}."
            )
        coefficients = values / [factorial(k) for k in range(len(values))]

    def polynomial(x: Any) -> Any:
        return np.polynomial.polynomial.polyval(np.asarray(x, dtype=float) - at, coefficients)

    return polynomial


def _checked_order(order: Any) -> int:
    if isinstance(order, bool) or not isinstance(order, int | np.integer) or not 0 <= order <= MOST_ORDERS:
        raise InvalidParameter(
            f"order must be an integer from 0 to {MOST_ORDERS}, the order of the polynomial; got {order!r}."
        )
    return int(order)


def _local_coefficients(f: Callable[[Any], Any], at: float, order: int) -> np.ndarray:
    """f⁽ᵏ⁾(at) / k!, k ≤ order, from the Chebyshev series of f on the widest interval where it ends."""
    nodes = np.polynomial.chebyshev.chebpts1(CHEBYSHEV)
    radius = 8 * (1.0 + abs(at))
    while radius > 1e-6 * (1.0 + abs(at)):
        with np.errstate(all="ignore"):
            values = np.array([float(f(at + radius * t)) for t in nodes])
        if np.isfinite(values).all():
            series = np.polynomial.chebyshev.chebfit(nodes, values, CHEBYSHEV - 1)
            if np.abs(series[-4:]).max() <= 1e-14 * np.abs(series).max():
                power = np.polynomial.chebyshev.cheb2poly(series)[: order + 1]
                return power / radius ** np.arange(len(power))
        radius /= 2
    raise NumericalError(
        f"f has no Taylor polynomial at {at:g}: it jumps, bends or is infinite there or beside it."
    )


@record
class Constrained:
    """A minimum on a surface: f and the constraints at `at`, and the multipliers with ∇f + Σ λ ∇g = 0 there.

    The multipliers of inequalities follow those of equations. They are not negative, and zero where there is room.
    """

    at: np.ndarray
    value: float
    multipliers: np.ndarray
    constraints: np.ndarray

    def __repr__(self) -> str:
        return f"Constrained(at={self.at.round(6).tolist()}, value={self.value:.6g})"


def minimize_subject_to(
    f: Callable[[np.ndarray], float],
    constraints: Sequence[Callable[[np.ndarray], float]],
    start: Any,
    *,
    at_most: Sequence[tuple[Callable[[np.ndarray], float], float]] = (),
) -> Constrained:
    """The minimum of f where constraints hold, with their Lagrange multipliers.

    Parameters
    ----------
    constraints
        Functions that must be zero.
    at_most
        Pairs (g, a) of a function and a number: g(x) ≤ a must hold. In the answer `constraints` has g(x) − a.

    Examples
    --------
    >>> from suffice.inference import minimize_subject_to
    >>> found = minimize_subject_to(lambda x: x[0] ** 2 + x[1] ** 2, [lambda x: x[0] + x[1] - 1], [2.0, 0.0])
    >>> found.at.round(6), found.multipliers.round(6)
    (array([0.5, 0.5]), array([-1.]))
    >>> near = minimize_subject_to(lambda x: (x[0] - 3) ** 2, [], [0.0], at_most=[(lambda x: x[0], 1.0)])
    >>> near.at.round(6), near.multipliers.round(6)
    (array([1.]), array([4.]))
    """
    from scipy.optimize import minimize

    x = _vector(start)
    limits = [(g, check_number("at_most", a)) for g, a in at_most]
    rules: list[dict[str, Any]] = [
        {"type": "eq", "fun": g, "jac": lambda t, g=g: gradient(g, t)} for g in constraints
    ]
    rules += [
        {"type": "ineq", "fun": lambda t, g=g, a=a: a - g(t), "jac": lambda t, g=g: -gradient(g, t)}
        for g, a in limits
    ]
    found = minimize(
        f,
        x,
        jac=lambda t: gradient(f, t),
        constraints=rules,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    equal = np.array([float(g(found.x)) for g in constraints])
    room = np.array([float(g(found.x)) - a for g, a in limits])
    if not found.success or np.any(np.abs(equal) > 1e-6) or np.any(room > 1e-6):
        raise NumericalError(
            f"No minimum was found under the constraints from {x.tolist()}: {found.message}."
        )
    tight = np.abs(room) <= 1e-6
    active = [*constraints, *(g for (g, _), at_end in zip(limits, tight, strict=True) if at_end)]
    multipliers = np.zeros(len(equal) + len(room))
    multipliers[np.r_[np.ones(len(equal), dtype=bool), tight]] = _multipliers(f, active, found.x, len(equal))
    left = np.concatenate([equal, room])
    return Constrained(frozen_array(found.x), float(found.fun), frozen_array(multipliers), frozen_array(left))


def _multipliers(f: Callable, active: Sequence[Callable], x: np.ndarray, n_equal: int) -> np.ndarray:
    """λ with ∇f + Σ λ ∇g = 0, those after the first `n_equal` not negative."""
    from scipy.optimize import lsq_linear

    if not active:
        return np.zeros(0)
    normals = np.column_stack([gradient(g, x) for g in active])
    low = np.where(np.arange(len(active)) < n_equal, -np.inf, 0.0)
    if n_equal == len(active):
        return -np.linalg.lstsq(normals, gradient(f, x), rcond=None)[0]
    return lsq_linear(normals, -gradient(f, x), bounds=(low, np.inf), tol=1e-14).x


def _vector(x: Any) -> np.ndarray:
    values = np.atleast_1d(as_numbers("x", x)).astype(float)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise InvalidParameter(f"x must be a vector of finite numbers; got {x!r}.")
    return values
