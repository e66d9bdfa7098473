r"""Probabilities of regions of the plane and marginals, by integrating a joint density (DTU eqs 6.1, 6.2, A.2, A.3).

Region      P((x, y) ∈ A) = ∫∫_A p(x, y) dy dx,     A = {a ≤ x ≤ b, l(x) ≤ y ≤ u(x)}
Marginal    p(x) = ∫ p(x, y) dy

Whether a function is a density shows in the `region_probability` of the whole plane.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from suffice._core.errors import InaccurateIntegral, InvalidInput, check_number, warn
from suffice._core.records import record
from suffice.distributions._base import Distribution

_GOOD = 1e-6  # absolute; larger estimated errors are warned about
_SUBINTERVALS = 200

End = float | Callable[[float], float]


@record
class RegionProbability:
    """A probability and an estimate of its error."""

    value: float
    error: float

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"RegionProbability({self.value:.10g} ± {self.error:.1g})"


def region_probability(
    density: Distribution | Callable[[Any, Any], Any],
    x: tuple[float, float],
    y: tuple[End, End],
    *,
    tolerance: float = 1e-8,
) -> RegionProbability:
    """The probability that x lies between two numbers and y between two others, or between two functions of x.

    Parameters
    ----------
    density
        A distribution over the plane, or a function p(x, y) of two numbers.
    x
        The ends of x, which may be infinite.
    y
        The ends of y: numbers, or functions of x.
    tolerance
        The absolute error that is aimed at.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.distributions import MultivariateNormal, region_probability
    >>> disc = (lambda x: -np.sqrt(1 - x * x), lambda x: np.sqrt(1 - x * x))
    >>> found = region_probability(MultivariateNormal([0, 0], [[1, 0], [0, 1]]), (-1, 1), disc)
    >>> print(f"{float(found):.10f} {1 - np.exp(-0.5):.10f}")  # in closed form
    0.3934693403 0.3934693403
    """
    p = _joint(density)
    a, b = _ends("x", x)
    low, high = (end if callable(end) else _constant(_end("y", end)) for end in _pair("y", y))
    tolerance = check_number("tolerance", tolerance, low=0.0, strict=True)

    def strip(at: float) -> float:
        return _integral(lambda v: p(at, v), float(low(at)), float(high(at)), tolerance)[0]

    return _checked("The probability", *_integral(strip, a, b, tolerance))


def marginal_density(
    density: Distribution | Callable[[Any, Any], Any],
    at: Any,
    *,
    over: str = "y",
    between: tuple[float, float] = (-np.inf, np.inf),
    tolerance: float = 1e-8,
) -> Any:
    """The density of one variable, with the other integrated out.

    Parameters
    ----------
    density
        A distribution over the plane, or a function p(x, y) of two numbers.
    at
        Where it is asked for: a number or an array.
    over
        The variable that is integrated out, "y" or "x".
    between
        The ends of that variable; name them where the density is zero outside.

    Examples
    --------
    >>> from suffice.distributions import marginal_density
    >>> p = lambda x, y: x + y  # on the unit square; the marginal is x + 1/2
    >>> marginal_density(p, [0.0, 0.25, 1.0], between=(0, 1)).round(10).tolist()
    [0.5, 0.75, 1.5]
    """
    p = _joint(density)
    if over not in ("x", "y"):
        raise InvalidInput(f"over must be 'x' or 'y', the variable that is integrated out; got {over!r}.")
    a, b = _ends("between", between)
    tolerance = check_number("tolerance", tolerance, low=0.0, strict=True)
    points = np.asarray(at, dtype=float)
    along = (lambda t: lambda v: p(t, v)) if over == "y" else (lambda t: lambda v: p(v, t))
    found = [_integral(along(t), a, b, tolerance) for t in points.ravel()]
    values = [_checked("The density", *pair).value for pair in found]
    return np.reshape(values, points.shape)[()]


def _joint(density: Any) -> Callable[[float, float], float]:
    if isinstance(density, Distribution):
        if np.shape(density.mean) != (2,):
            raise InvalidInput(
                f"density must be over the plane; a sample of {type(density).__name__} has shape "
                f"{np.shape(density.mean)}. Take the marginal of two of its variables first."
            )
        return lambda x, y: float(density.prob(np.array([x, y])))
    if not callable(density):
        raise InvalidInput(f"density must be a distribution or a function p(x, y); got {density!r:.60}.")
    return lambda x, y: _not_negative(float(density(x, y)), x, y)


def _not_negative(value: float, x: float, y: float) -> float:
    if not value >= 0:
        raise InvalidInput(f"A density is not negative; p({x:.6g}, {y:.6g}) = {value:.6g}.")
    return value


def _pair(name: str, ends: Any) -> tuple[Any, Any]:
    try:
        low, high = ends
    except (TypeError, ValueError):
        raise InvalidInput(f"{name} must be a pair of ends, the lower one first; got {ends!r:.60}.") from None
    return low, high


def _end(name: str, value: Any) -> float:
    """A number, which may be infinite."""
    if isinstance(value, bool | str) or not isinstance(value, int | float | np.number) or np.isnan(value):
        raise InvalidInput(f"An end of {name} must be a number or a function of x; got {value!r:.60}.")
    return float(value)


def _ends(name: str, ends: Any) -> tuple[float, float]:
    low, high = (_end(name, e) for e in _pair(name, ends))
    if not low <= high:
        raise InvalidInput(f"{name} must be a pair of ends, the lower one first; got {ends!r:.60}.")
    return low, high


def _constant(value: float) -> Callable[[float], float]:
    return lambda x: value


def _integral(f: Callable[[float], float], a: float, b: float, tolerance: float) -> tuple[float, float]:
    """∫ f and the estimate of its error; nothing where the ends cross."""
    if not a < b:
        return 0.0, 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", integrate.IntegrationWarning)  # the estimated error says it
        return integrate.quad(f, a, b, epsabs=tolerance, epsrel=1e-12, limit=_SUBINTERVALS)[:2]


def _checked(what: str, value: float, error: float) -> RegionProbability:
    if not np.isfinite(value):
        raise InvalidInput(f"{what} is {value}: the density has no finite integral there.")
    if error > _GOOD * max(1.0, abs(value)):
        warn(
            f"{what}, {value:.6g}, may be off by {error:.2g}; split the region where the density jumps.",
            InaccurateIntegral,
        )
    return RegionProbability(value, error)
