r"""Newton's method, for roots and for optima (FCML Comment 4.1, eq. 4.6; Lecture 3).

    root      x ← x − g(x) / g'(x)
    optimum   x ← x − s H⁻¹ ∇f,      s = 1, ½, ¼, … until f improves enough (control="line")

Without control (the texts' version) the step is always whole, and far from the optimum it can overshoot without end.
With it, a Hessian that points the wrong way is made definite by its eigenvalues first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from suffice._core.errors import (
    InvalidParameter,
    NotConverged,
    NumericalError,
    as_numbers,
    check_choice,
    check_integer,
    check_number,
    warn,
)
from suffice._core.linalg import eigh, solve_triangle, try_cholesky
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace

SUFFICIENT = 1e-4  # of the improvement that the gradient promises
SMALLEST = 2.0**-40
ROUNDING = 1e-8


@record
class Optimum:
    """Where an iteration ended, with value, gradient and Hessian there; the trace has value, step and ‖gradient‖."""

    at: np.ndarray
    value: float
    gradient: np.ndarray
    hessian: np.ndarray
    trace: Trace
    path: np.ndarray

    @property
    def converged(self) -> bool:
        return self.trace.converged

    def __repr__(self) -> str:
        state = "converged" if self.converged else "not converged"
        return f"Optimum({state} after {len(self.trace) - 1} steps, value={self.value:.6g})"


def newton(
    f: Callable[[np.ndarray], float],
    start: Any,
    gradient: Callable[[np.ndarray], Any],
    hessian: Callable[[np.ndarray], Any],
    *,
    maximize: bool = False,
    control: Literal["line", "none"] = "line",
    tol: float = 1e-12,
    max_iter: int = 100,
) -> Optimum:
    """The optimum of f near `start`.

    Parameters
    ----------
    f, gradient, hessian
        Functions of a vector.
    maximize
        Look for the highest point in place of the lowest.
    control
        "line" halves a step until it improves f; "none" takes every step whole, as the texts do.
    tol
        Stop when half the Newton decrement, an estimate of what is left to gain, is below tol (1 + |f|); the step
        that would gain it is taken.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import newton
    >>> found = newton(lambda x: np.sum(x**4) + x[0], [1.0, 2.0], lambda x: 4 * x**3 + [1, 0],
    ...                lambda x: np.diag(12 * x**2))
    >>> found.at.round(2) + 0.0, found.converged
    (array([-0.63,  0.  ]), True)
    """
    check_choice("control", control, ("line", "none"))
    check_number("tol", tol, low=0.0)
    check_limit(max_iter)
    sign = -1.0 if maximize else 1.0
    x = start_of(start)
    value = sign * float(f(x))
    if not np.isfinite(value):
        raise InvalidParameter(f"f must be finite at the start {x.tolist()}; got {sign * value}.")
    records, path, done = [], [x], False
    for _ in range(max_iter + 1):
        g, H = sign * np.asarray(gradient(x), dtype=float), sign * np.asarray(hessian(x), dtype=float)
        if not (np.isfinite(g).all() and np.isfinite(H).all()):
            raise NumericalError(f"Derivatives are not finite at {x.tolist()}; start nearer to the optimum.")
        step = direction(H, g, control == "line")
        records.append((sign * value, np.linalg.norm(g), 0.0))
        left = abs(float(g @ step)) / 2
        done = left <= tol * (1 + abs(value))
        if done:
            x, value, g, H = _last_step(f, gradient, hessian, sign, (x, value, g, H), step)
            if x is not path[-1]:
                records[-1] = (*records[-1][:2], 1.0)
                records.append((sign * value, np.linalg.norm(g), 0.0))
                path.append(x)
            break
        if len(path) > max_iter:
            break
        scale, x, value = step_down(lambda t: sign * float(f(t)), x, value, g, step, control == "line")
        records[-1] = (*records[-1][:2], scale)
        path.append(x)
        if scale == 0:
            done = left <= ROUNDING * (1 + abs(value))  # nothing more can be gained in these digits
            break
    if not done:
        warn(
            f"Newton's method stopped after {len(path) - 1} steps with a gradient of {records[-1][1]:.3g}; raise "
            "max_iter, start elsewhere, or use control='line'.",
            NotConverged,
        )
    objective, size, steps = map(np.array, zip(*records, strict=True))
    trace = Trace(objective, done, {"gradient": size, "step": steps})
    return Optimum(
        frozen_array(x),
        sign * value,
        frozen_array(sign * g),
        frozen_array(sign * H),
        trace,
        frozen_array(path),
    )


def _last_step(
    f: Callable, gradient: Callable, hessian: Callable, sign: float, at: tuple[Any, ...], step: np.ndarray
) -> tuple[Any, ...]:
    """The step that the stopping rule was about: it squares the distance to the optimum. Taken where it helps."""
    x, value, g, _ = at
    with np.errstate(over="ignore", invalid="ignore"):
        there = x + step
        new, slope = sign * float(f(there)), sign * np.asarray(gradient(there), dtype=float)
        bend = sign * np.asarray(hessian(there), dtype=float)
    better = new <= value and np.linalg.norm(slope) < np.linalg.norm(g) and bool(np.isfinite(bend).all())
    return (there, new, slope, bend) if better else at


def direction(H: np.ndarray, g: np.ndarray, definite: bool) -> np.ndarray:
    """−H⁻¹ g; with `definite`, by |eigenvalues|, so that it goes down even where H does not curve up."""
    values, vectors = eigh((H + H.T) / 2)
    largest = np.abs(values).max(initial=0.0)
    if largest == 0:
        if definite and np.any(g):
            return -g
        if not np.any(g):
            return np.zeros_like(g)
        raise NumericalError("The Hessian is zero where the gradient is not; Newton's step is not defined.")
    floor = 1e-10 * largest
    size = np.maximum(np.abs(values), floor)
    values = size if definite else np.where(np.abs(values) < floor, floor, values)
    return -vectors @ (vectors.T @ g / values)


def ascent_direction(H: np.ndarray, g: np.ndarray) -> np.ndarray:
    """H⁻¹ g in the units of H's diagonal, for H ≥ 0 (minus the Hessian of something to maximize).

    Directions in which H is flat are left alone; those in which it bends the wrong way are turned.
    """
    size = np.sqrt(np.abs(np.diagonal(H)))
    size = np.where((size > 0) & np.isfinite(size), size, 1.0)
    scaled, pull = H / size / size[:, None], g / size
    L, found = try_cholesky(scaled[None])
    if found[0] and np.diagonal(L[0]).min(initial=1.0) > 1e-5:
        return solve_triangle(L[0], solve_triangle(L[0], pull, lower=True), lower=True, transpose=True) / size
    values, vectors = eigh((scaled + scaled.T) / 2)
    flat = np.abs(values) <= 1e-13 * np.abs(values).max(initial=0.0)
    inverse = np.where(flat, 0.0, 1 / np.where(flat, 1.0, np.abs(values)))
    return vectors @ (inverse * (vectors.T @ pull)) / size


def step_down(
    f: Callable[[np.ndarray], float],
    x: np.ndarray,
    value: float,
    g: np.ndarray,
    step: np.ndarray,
    control: bool,
) -> tuple[float, np.ndarray, float]:
    """How much of the step was taken, where it led, and the value there; nothing if no part of it improves f."""
    scale = 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        while scale >= SMALLEST:
            there = x + scale * step
            new = f(there)
            if not control:
                return scale, there, new
            if new <= value + SUFFICIENT * scale * float(g @ step):
                return scale, there, new
            scale /= 2
    return 0.0, x, value


def newton_root(
    g: Callable[[float], float],
    start: float,
    derivative: Callable[[float], float],
    *,
    tol: float = 1e-12,
    max_iter: int = 100,
) -> Trace:
    """A root of g by x ← x − g/g'; the objective of the trace is x, its column `value` is g(x).

    Examples
    --------
    >>> from suffice.inference import newton_root
    >>> trace = newton_root(lambda x: x**2 - 2, 1.0, lambda x: 2 * x)
    >>> trace.objective[-1].round(12), trace.converged, len(trace)
    (np.float64(1.414213562373), True, 6)
    """
    x = check_number("start", start)
    check_limit(max_iter)
    places, values, done = [x], [float(g(x))], False
    while not done and len(places) <= max_iter:
        slope = float(derivative(x))
        if slope == 0 or not np.isfinite(slope):
            raise NumericalError(
                f"The slope of g is {slope} at {x:g}, so a step is not defined; start elsewhere."
            )
        step = values[-1] / slope
        x -= step
        places.append(x)
        values.append(float(g(x)))
        if not np.isfinite(values[-1]):
            raise NumericalError(
                f"g is {values[-1]} at {x:g}: the iteration ran away; start nearer to the root."
            )
        done = abs(step) <= tol * (1 + abs(x)) or values[-1] == 0
    if not done:
        warn(
            f"Newton's method stopped after {max_iter} steps at {x:g}; raise max_iter or start elsewhere.",
            NotConverged,
        )
    return Trace(np.array(places), done, {"value": np.array(values)})


def start_of(start: Any) -> np.ndarray:
    x = np.atleast_1d(as_numbers("start", start)).astype(float)
    if x.ndim != 1 or not np.isfinite(x).all():
        raise InvalidParameter(f"start must be a vector of finite numbers; got {start!r}.")
    return x


def check_limit(max_iter: Any, least: int = 1) -> None:
    check_integer("max_iter", max_iter, least)
