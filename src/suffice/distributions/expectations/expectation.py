r"""Expectations E f(X), by adaptive quadrature with an estimate of the error.

Densities    panels between quantiles, halved where two rules disagree; what lies beyond the last double is added
             by the law that the tail follows, or found to be infinite (`_axis`, `_panels`)
Values       the sum over all of them; where there is no largest one, until the rest is a geometric series that
             does not count, or one that does not fall
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InaccurateIntegral, InvalidInput, warn
from suffice._core.linalg import EPS
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._numerics import one_dimensional
from suffice.distributions.expectations._axis import EDGE, Axis, End, tail_integral
from suffice.distributions.expectations._jumps import jumps
from suffice.distributions.expectations._panels import Sum, integrate, points

_ROUNDING = 1e-12  # of E |f|: densities and quantiles are good to about twelve digits
_GOOD = 1e-8  # of E |f|: larger errors are warned about
_MOST_TERMS = 10_000_000


@record
class Expectation:
    """E f(X) and an estimate of its error.

    `value` may be infinite, and is NaN where the two tails are infinite with opposite signs. `error` is infinite
    where it could not be settled whether the value is finite. `size` is E |f(X)|, of the part that was summed.
    """

    value: float
    error: float
    size: float

    def __repr__(self) -> str:
        return f"Expectation({self.value:.10g} ± {self.error:.1g})"


def expectation(f: Callable[[Any], Any], distribution: Univariate, *, breaks: Sequence[float] = ()) -> Any:
    """E f(X) by adaptive quadrature, or by summing over the values of a discrete distribution.

    It is infinite where a tail is, and NaN, with a warning, where both are and differ in sign. Where its error
    may exceed 1e-8 of E |f(X)| a warning says by how much; `expectation_with_error` returns it.

    Parameters
    ----------
    f
        A function of an array of values, element by element.
    distribution
        A single distribution of a number.
    breaks
        Where f jumps, bends or has a pole. Jumps and corners are found without, unless f differs from its
        surroundings on less than about 1/10,000 of the probability only.

    Examples
    --------
    >>> from suffice.distributions import Normal, StudentT, expectation
    >>> print(f"{expectation(lambda x: x**4, Normal(0, 1)):.10f}")
    3.0000000000
    >>> print(f"{expectation(lambda x: x > 1.96, Normal(0, 1)):.10f}")
    0.0249978951
    >>> print(f"{expectation(lambda x: x**2, StudentT(2.1)):.8f}", expectation(lambda x: x**2, StudentT(1.5)))
    21.00000000 inf
    """
    found = expectation_with_error(f, distribution, breaks=breaks)
    _warn_of(found)
    return np.float64(found.value)


def expectation_with_error(
    f: Callable[[Any], Any], distribution: Univariate, *, breaks: Sequence[float] = ()
) -> Expectation:
    """E f(X) with an estimate of its error, as a record; nothing is warned about.

    Examples
    --------
    >>> from suffice.distributions import Uniform, expectation_with_error
    >>> found = expectation_with_error(lambda x: abs(x - 0.3), Uniform(0, 1))
    >>> print(f"{found.value:.12f}", found.error < 1e-11)
    0.290000000000 True
    """
    one_dimensional.check_single("distribution", distribution)
    with np.errstate(all="ignore"):
        if one_dimensional.has_atoms(distribution):
            return _summed(f, distribution)
        return _integrated(f, distribution, _break_points(breaks))


def _warn_of(found: Expectation) -> None:
    value = f"E f(X) = {found.value:.6g}"
    if np.isnan(found.value):
        warn("E f(X) is undefined: it is infinite on both sides, with opposite signs.", InaccurateIntegral)
    elif np.isinf(found.error):
        warn(
            f"{value} leaves out a far tail of which it could not be settled whether it is finite.",
            InaccurateIntegral,
        )
    elif np.isfinite(found.value) and found.error > _GOOD * found.size:
        warn(
            f"{value} may be off by {found.error:.2g}; name the places where f jumps, bends or has a pole: "
            "expectation(f, d, breaks=[…]).",
            InaccurateIntegral,
        )


# -- densities ----------------------------------------------------------------------------------------------
def _integrated(f: Callable[[Any], Any], d: Univariate, breaks: np.ndarray) -> Expectation:
    """Less its value at the begin of a far end, f integrates to less there; the share of an end is exact."""
    axis = Axis.of(d)
    low, high = (_offset(f, end) for end in (axis.lower, axis.upper))
    below, above = (
        tail_integral(lambda x: _values(f, x) - low, axis.lower),
        tail_integral(lambda x: _values(f, x) - high, axis.upper),
    )
    rest = below.value + above.value
    if not np.isfinite(rest):
        return Expectation(rest, 0.0 if np.isinf(rest) else np.nan, np.inf)

    def g(t: np.ndarray) -> np.ndarray:
        x, log_weight = axis.at(t)
        values = _checked(f, x, log_weight) - np.where(t < 0, low, np.where(t > 1, high, 0.0))
        return np.where(
            np.isneginf(log_weight), 0.0, np.sign(values) * np.exp(np.log(np.abs(values)) + log_weight)
        )

    edges = axis.edges(below.edges, above.edges, axis.place(breaks))
    hidden = jumps(lambda x: _values(f, x), axis.at(points(edges))[0])
    body = integrate(g, axis.edges(below.edges, above.edges, axis.place(np.r_[breaks, hidden])))
    size = abs(below.value) + abs(above.value) + EDGE * (abs(low) + abs(high))
    return _assembled(body, rest + EDGE * (low + high), below.error + above.error, size)


def _offset(f: Callable[[Any], Any], end: End) -> float:
    """f where a far end begins; 0 for ends that need none."""
    start = _values(f, end.at(np.zeros(1))[0])[0]
    return float(start) if end.unbounded and np.isfinite(start) else 0.0


def _assembled(body: Sum, rest: float, error: float, size: float) -> Expectation:
    size = body.size + size
    return Expectation(body.value + rest, body.error + error + _ROUNDING * size + 4 * EPS * body.peak, size)


def _values(f: Callable[[Any], Any], x: np.ndarray) -> np.ndarray:
    return np.broadcast_to(np.asarray(f(x), dtype=float), x.shape)


def _checked(f: Callable[[Any], Any], x: np.ndarray, log_weight: np.ndarray) -> np.ndarray:
    """f(x), 0 at a single pole, or an error where it is not finite although there is probability."""
    values = _values(f, x)
    bad = ~np.isfinite(values) & (log_weight > -np.inf)
    if not bad.any():
        return values
    if np.isnan(values[bad]).any():
        raise InvalidInput(f"f gave NaN at {x[np.isnan(values) & bad][0]:.6g}.")
    step = np.maximum(1e-9 * np.abs(x[bad]), 1e-150)
    if not np.isfinite(_values(f, np.r_[x[bad] - step, x[bad] + step])).any():
        raise InvalidInput(f"f is infinite around {x[bad][0]:.6g}, which has probability.")
    return np.where(bad, 0.0, values)


def _break_points(breaks: Sequence[float]) -> np.ndarray:
    points = np.atleast_1d(np.asarray(breaks, dtype=float))
    if points.ndim != 1 or not np.isfinite(points).all():
        raise InvalidInput(f"breaks must be a list of finite numbers; got {breaks!r}.")
    return points


# -- values -------------------------------------------------------------------------------------------------
def _summed(f: Callable[[Any], Any], d: Univariate) -> Expectation:
    x, w = one_dimensional.nodes(d)
    values = _checked(f, x, np.log(w))
    terms = w * np.where(w > 0, values, 0.0)
    size = float(np.abs(terms).sum())
    body = Sum(float(terms.sum()), size, _lumped(x, w, values), float(np.abs(terms).max()))
    if not (one_dimensional.lumpy(d) and np.isposinf(d.quantile(1.0))):
        return _assembled(body, 0.0, 0.0, 0.0)
    rest, error = _series(f, d, float(x[-1]), size)
    if not np.isfinite(rest):
        return Expectation(rest, error, np.inf)
    return _assembled(body, rest, error, abs(rest))


def _lumped(x: np.ndarray, w: np.ndarray, values: np.ndarray) -> float:
    """How far values that stand for their neighbours may be off; none do where all values were found."""
    if len(x) < one_dimensional.MOST_ATOMS or bool(np.all(np.diff(x) == 1)):
        return 0.0
    return float(w[1:] @ np.abs(np.diff(values)))


def _series(f: Callable[[Any], Any], d: Univariate, last: float, size: float) -> tuple[float, float]:
    """The sum over whole numbers after `last`, until what is left does not count: its value and error."""
    total, n = 0.0, 64
    while n < _MOST_TERMS:
        x = last + np.arange(1.0, n + 1)
        values, logs = _values(f, x), np.asarray(d.log_prob(x))
        finite = np.isfinite(values) | np.isneginf(logs)
        used = n if finite.all() else int(np.argmin(finite))
        logs = np.where(np.isneginf(logs), -np.inf, np.log(np.abs(values)) + logs)[:used]
        total += float(np.sum(np.sign(values[:used]) * np.exp(logs)))
        last, size = last + used, max(size, abs(total))
        if used == 0 or logs[-1] == -np.inf or logs[-1] + np.log(n) < np.log(size) - 45:
            return total, 1e-15 * size
        if used < n or n * 2 >= _MOST_TERMS:
            break
        n *= 2
    return _geometric(total, logs, float(np.sign(values[used - 1])))


def _geometric(total: float, logs: np.ndarray, sign: float) -> tuple[float, float]:
    """What is left of a series at its last terms: infinite, a geometric series, or not settled."""
    half = max(len(logs) // 2, 1)
    outer, inner = (
        (logs[-1] - logs[-half]) / max(half - 1, 1),
        (logs[-half] - logs[0]) / max(len(logs) - half, 1),
    )
    if min(outer, inner) >= -1e-12:
        return sign * np.inf, 0.0
    if not outer < 0 or abs(outer - inner) > 0.5 * abs(outer):
        return total, np.inf
    rest = float(np.exp(logs[-1]) * np.exp(outer) / -np.expm1(outer))
    return total + sign * rest, 10 * rest * abs(outer - inner) / abs(outer)
