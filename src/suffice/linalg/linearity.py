r"""Is a function linear? Tried on points, with the counterexample (FCML glossary).

Linear   f(x + y) = f(x) + f(y)   and   f(a x) = a f(x)

Points can refute it, never prove it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, check_function, check_integer, check_number
from suffice._core.random import generator
from suffice._core.records import record


@record
class Linearity:
    """Whether f was linear on the points tried, and the sentence that refutes it."""

    additive: bool
    homogeneous: bool
    counterexample: str | None

    @property
    def holds(self) -> bool:
        """Whether nothing refuted it."""
        return self.additive and self.homogeneous

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        return "<Linearity: holds>" if self.holds else f"<Linearity: {self.counterexample}>"


def check_linear(
    f: Callable[[np.ndarray], Any],
    n_inputs: int = 1,
    *,
    n_points: int = 20,
    tolerance: float = 1e-9,
    random_state: Any = 0,
) -> Linearity:
    """Try f(x + y) = f(x) + f(y) and f(a x) = a f(x) on normal points and factors.

    Parameters
    ----------
    f
        A function of a vector of `n_inputs` numbers that gives a number or a vector.
    tolerance
        The rounding that is forgiven, relative to the largest value of f.

    Examples
    --------
    >>> from suffice.linalg import check_linear
    >>> check_linear(lambda x: 3 * x[0] - x[1], 2)
    <Linearity: holds>
    >>> check_linear(lambda x: 3 * x + 1)  # affine: a line that misses the origin
    <Linearity: f(x + y) = 0.991587 but f(x) + f(y) = 1.99159 at x = [0.12573], y = [-0.128535]>
    """
    check_function("f", f)
    check_integer("n_inputs", n_inputs, 1)
    check_integer("n_points", n_points, 1)
    tolerance = check_number("tolerance", tolerance, low=0.0)
    rng = generator(random_state)
    points, others = rng.normal(size=(2, n_points, n_inputs))
    factors = np.concatenate(([0.0, -1.0, 2.0], rng.normal(size=n_points)))[:n_points]
    at = np.array([_value(f, x) for x in points])
    added = np.array([_value(f, x + y) for x, y in zip(points, others, strict=True)])
    apart = at + np.array([_value(f, y) for y in others])
    scaled = np.array([_value(f, a * x) for a, x in zip(factors, points, strict=True)])
    times = factors.reshape(-1, *[1] * (at.ndim - 1)) * at
    margin = tolerance * max(float(np.max(np.abs(v))) for v in (at, added, apart, scaled))
    sums, products = (_first_gap(*pair, margin) for pair in ((added, apart), (scaled, times)))
    said = None
    if sums is not None:
        left, right = _shown(added[sums]), _shown(apart[sums])
        at_which = f"x = {_shown(points[sums])}, y = {_shown(others[sums])}"
        said = f"f(x + y) = {left} but f(x) + f(y) = {right} at {at_which}"
    elif products is not None:
        left, right = _shown(scaled[products]), _shown(times[products])
        at_which = f"a = {factors[products]:.6g}, x = {_shown(points[products])}"
        said = f"f(a x) = {left} but a f(x) = {right} at {at_which}"
    return Linearity(sums is None, products is None, said)


def _value(f: Callable[[np.ndarray], Any], x: np.ndarray) -> np.ndarray:
    value = np.asarray(f(x), dtype=float)
    if value.ndim == 1 and len(value) == 1:
        value = value[0]
    if not np.isfinite(value).all():
        raise InvalidInput(f"f gives {value} at {_shown(x)}; all its values must be finite.")
    return np.asarray(value)


def _first_gap(left: np.ndarray, right: np.ndarray, margin: float) -> int | None:
    apart = np.abs(left - right).reshape(len(left), -1).max(axis=1)
    return int(np.argmax(apart > margin)) if np.any(apart > margin) else None


def _shown(value: np.ndarray) -> str:
    flat = ", ".join(f"{v:.6g}" for v in np.ravel(value))
    return f"[{flat}]" if np.ndim(value) else flat
