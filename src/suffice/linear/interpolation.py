r"""The polynomial through all points (Herbst §1.1): degree N − 1 for N points with different x.

    p(x) = Σ_j y_j ℓ_j(x),   ℓ_j(x) = ∏_{k≠j} (x − x_k) / (x_j − x_k)

It is evaluated in barycentric form,

    p(x) = Σ_j v_j y_j / (x − x_j)  /  Σ_j v_j / (x − x_j),   v_j = 1 / ∏_{k≠j} (x_j − x_k)

which stays accurate where coefficients on powers of x have lost every digit. Noise of size ε in y becomes at
most ε Σ_j |ℓ_j(x)| in p(x): next to nothing between well-placed points, enormous near the ends of many equally
spaced ones (Runge's example).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from suffice._core.errors import IllConditioned, InvalidInput, as_numbers, warn
from suffice._core.frames import to_frame
from suffice._core.numerics import first_nonfinite
from suffice._core.records import frozen_array, record

EPS = float(np.finfo(float).eps)


@record
class Interpolant:
    """The polynomial of least degree through all points; call it with numbers.

    `x` and `y` are the points in rising order of x, `weights` the v_j above, the largest of size 1.
    """

    x: np.ndarray
    y: np.ndarray
    weights: np.ndarray

    @property
    def degree(self) -> int:
        """One less than the number of points; the leading coefficient may be 0."""
        return len(self.x) - 1

    def __call__(self, x: Any) -> Any:
        """The polynomial at each number; at a given point exactly the given value."""
        at = as_numbers("x", x)
        terms, hit = self._terms(at.ravel())
        with np.errstate(all="ignore"):
            values = (terms @ self.y) / terms.sum(axis=1)
        rows, columns = np.nonzero(hit)
        values[rows] = self.y[columns]
        return float(values[0]) if at.ndim == 0 else values.reshape(at.shape)

    def amplification(self, x: Any) -> Any:
        """How much larger than the noise in y the noise of the polynomial can be at each number: Σ |ℓ_j(x)|."""
        at = as_numbers("x", x)
        terms, hit = self._terms(at.ravel())
        with np.errstate(all="ignore"):
            values = np.abs(terms).sum(axis=1) / np.abs(terms.sum(axis=1))
        values[hit.any(axis=1)] = 1.0
        return float(values[0]) if at.ndim == 0 else values.reshape(at.shape)

    def _terms(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """v_j / (x − x_j), in units of the nearest gap, and where x is x_j."""
        with np.errstate(all="ignore"):  # where the number is not finite, the answer is NaN
            gap = at[:, None] - self.x
            hit = gap == 0
            nearest = np.abs(np.where(hit, 1.0, gap)).min(axis=1, keepdims=True)
            return self.weights / np.where(hit, 1.0, gap / nearest), hit

    @cached_property
    def _coefficients(self) -> np.ndarray:
        return frozen_array(coefficients(self.x, self.y))

    @property
    def condition(self) -> float:
        """How much rounding grows when p is evaluated from `coef`: max Σ|c_k x^k| over the points, by max |y|."""
        with np.errstate(all="ignore"):
            powers = np.abs(self.x[:, None]) ** np.arange(len(self.x))
            terms = np.where(self._coefficients == 0, 0.0, np.abs(self._coefficients) * powers)
            total = np.nan_to_num(terms, nan=np.inf, posinf=np.inf).sum(axis=1)
            return max(1.0, float(np.max(total) / (np.max(np.abs(self.y)) or 1.0)))

    @property
    def coef(self) -> np.ndarray:
        """Coefficients on 1, x, x², …: the exact ones, rounded. Warns where they are of no use."""
        if not self.condition * EPS < 1e-6:
            warn(
                f"Evaluated from these coefficients the polynomial is off by about {self.condition * EPS:.1g} of the "
                "largest y: powers of x cancel. Call the interpolant instead, or measure x from its middle.",
                IllConditioned,
            )
        return self._coefficients

    def frame(self, kind: str = "pandas") -> Any:
        """The points, in rising order of x."""
        return to_frame({"x": self.x, "y": self.y}, kind)

    def __str__(self) -> str:
        n, low, high = len(self.x), self.x[0], self.x[-1]
        return f"polynomial of degree {self.degree} through {n} points, x from {low:.6g} to {high:.6g}"

    def __repr__(self) -> str:
        return f"<Interpolant: {self}>"

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>"


def interpolate(x: Any, y: Any) -> Interpolant:
    """The polynomial of degree N − 1 through N points.

    Parameters
    ----------
    x
        Different numbers; a table of one column will do.
    y
        The value at each of them.

    Examples
    --------
    >>> from suffice.linear import interpolate
    >>> p = interpolate([0.0, 1.0, 2.0], [1.0, 2.0, 5.0])
    >>> round(p(3.0), 12), p.degree
    (10.0, 2)
    >>> p.coef
    array([1., 0., 1.])
    """
    x, y = as_numbers("x", x), as_numbers("y", y)
    x = x[:, 0] if x.ndim == 2 and x.shape[1] == 1 else x
    if x.ndim != 1 or y.shape != x.shape or not x.size:
        raise InvalidInput(
            f"x and y must be vectors of one length, at least 1; got shapes {x.shape} and {y.shape}."
        )
    for name, values in (("x", x), ("y", y)):
        if place := first_nonfinite(values):
            raise InvalidInput(f"{name} contains {place}.")
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    if np.any(same := np.diff(x) == 0):
        i = int(np.argmax(same))
        raise InvalidInput(
            f"x contains {x[i]:.6g} twice (rows {order[i]} and {order[i + 1]}); a function has one value there. "
            "Average the rows, or fit a polynomial of lower degree by least squares."
        )
    return Interpolant(frozen_array(x), frozen_array(y), frozen_array(_weights(x)))


def _weights(x: np.ndarray) -> np.ndarray:
    """v_j up to a common factor, exponents apart: products of many small gaps would underflow."""
    x = x / 2 if np.max(np.abs(x)) > 1e300 else x  # gaps between the largest numbers stay finite
    gap = x[:, None] - x
    np.fill_diagonal(gap, 1.0)
    fraction, exponent = np.frexp(gap)
    power = exponent.sum(axis=1)
    weights = np.ldexp(1 / fraction.prod(axis=1), power.min() - power)
    return weights / np.abs(weights).max()


def coefficients(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Coefficients on powers of x, correct to the last digit: with twice as many digits until it changes nothing."""
    digits = 50 + 2 * len(x)
    found = _with_digits(x, y, digits)
    while True:
        digits *= 2
        before, found = found, _with_digits(x, y, digits)
        if np.array_equal(before, found):
            return found


def _with_digits(x: np.ndarray, y: np.ndarray, digits: int) -> np.ndarray:
    """The same in decimal arithmetic; what is left of a sum whose terms cancel to three quarters of the digits is 0."""
    with localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        at, values = [Decimal(v) for v in x.tolist()], [Decimal(v) for v in y.tolist()]
        coef = _expanded(at, values, lambda a, b: a - b)
        sizes = _expanded(list(map(abs, at)), list(map(abs, values)), lambda a, b: a + b, at)
        rounding = Decimal(10) ** (-3 * digits // 4)
        return np.array(
            [float(c) if abs(c) > rounding * s else 0.0 for c, s in zip(coef, sizes, strict=True)]
        )


def _expanded(
    at: list[Decimal], values: list[Decimal], minus: Callable, places: list[Decimal] | None = None
) -> list[Decimal]:
    """Divided differences, then p ← c + (x − a) p from the last point to the first.

    With sums in place of differences these are the sizes of the terms that rounding is relative to.
    """
    newton, places = list(values), at if places is None else places
    for k in range(1, len(at)):
        for i in range(len(at) - 1, k - 1, -1):
            newton[i] = minus(newton[i], newton[i - 1]) / (places[i] - places[i - k])
    coef = [newton[-1]]
    for c, a in zip(newton[-2::-1], at[-2::-1], strict=True):
        coef = [
            minus(c, a * coef[0]),
            *(minus(low, a * high) for low, high in pairwise(coef)),
            coef[-1],
        ]
    return coef
