r"""Where two fitted lines meet, and how sure that is (FCML §1.2.1, Fig. 1.8).

Crossing     d(x*) = 0,   d(x) = a(x) − b(x) = d₀ + d₁ x
Fieller      {x : d(x)² ≤ t² v(x)},   v(x) the variance of d(x), a parabola

The set is an interval only where the slopes differ significantly, d₁² > t² v₁₁; otherwise it reaches to infinity. The
samples are taken to be independent; t has the Welch–Satterthwaite degrees of freedom at the crossing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import stdtrit

from suffice._core.errors import InvalidParameter, NumericalError, Unsupported, check_fraction, check_number
from suffice._core.records import record
from suffice._estimator import check_is_fitted
from suffice.linear.linear_regression import LinearRegression
from suffice.linear.simple import SimpleLinearRegression

PARALLEL = 1e-12
_THREE = np.array([-1.0, 0.0, 1.0])


@record
class UncertainLine:
    """value + slope (x − center), where value and slope have independent errors of these variances."""

    center: float
    value: float
    slope: float
    value_variance: float
    slope_variance: float
    dof: float
    spread: float

    @classmethod
    def of(cls, name: str, model: Any) -> UncertainLine:
        """The line of a fitted model with one column."""
        if not isinstance(model, SimpleLinearRegression | LinearRegression):
            kind = type(model).__name__
            raise Unsupported(f"{name} must be a SimpleLinearRegression or a LinearRegression; got {kind}.")
        check_is_fitted(model)
        if (
            model.n_features_in_ != 1
            or getattr(model, "basis_", None) is not None
            or np.ndim(model.intercept_)
        ):
            raise InvalidParameter(f"{name} must be a line: one column, no basis, one target.")
        return _of_simple(model) if isinstance(model, SimpleLinearRegression) else _of_triangle(model)

    def __call__(self, x: float) -> float:
        return self.value + self.slope * (x - self.center)

    def variance(self, x: float) -> float:
        """Of the line at x."""
        return self.value_variance + self.slope_variance * (x - self.center) ** 2


def _of_simple(m: SimpleLinearRegression) -> UncertainLine:
    n, s2 = len(m.table_.x), m.noise_variance_
    slope = s2 / m.spread_ if m.spread_ > 0 else 0.0
    return UncertainLine(
        m.center_, m.value_, float(m.coef_[0]), s2 / n, slope, m.dof_, float(np.sqrt(m.spread_ / n))
    )


def _of_triangle(m: LinearRegression) -> UncertainLine:
    f, s2 = m.function_, m.noise_variance_
    at_center = s2 / m.statistics_.n if m.fit_intercept else 0.0
    slope = s2 * float(np.sum(m.solution_.basis[0] ** 2))
    spread = float(m.statistics_.raw_scale()[0])
    return UncertainLine(
        float(f.center[0]), float(f.value[0]), float(f.slope[0, 0]), at_center, slope, m.dof_, spread
    )


@record
class Crossing:
    """Where two lines meet: x, the value y there, and a Fieller interval of x.

    `bounded` is False where the slopes do not differ significantly: then crossings without bound, or none at all,
    agree with the data, and the interval is infinite on both sides.
    """

    x: float
    y: float
    low: float
    high: float
    confidence: float
    a: UncertainLine
    b: UncertainLine

    @property
    def bounded(self) -> bool:
        """Whether the data exclude a crossing far away."""
        return bool(np.isfinite(self.low) and np.isfinite(self.high))

    def next_multiple(self, of: float) -> float:
        """The crossing rounded up to a grid: the first games after it for `of=4`."""
        step = check_number("of", of, low=0, strict=True)
        return float(np.ceil(self.x / step) * step)

    def values_at(self, x: float) -> tuple[float, float]:
        """Both lines at x."""
        return self.a(x), self.b(x)

    def __repr__(self) -> str:
        percent = f"{100 * self.confidence:g} %"
        where = (
            f"{percent} interval {self.low:.6g} to {self.high:.6g}" if self.bounded else f"no {percent} bound"
        )
        return f"Crossing(x={self.x:.6g}, y={self.y:.6g}, {where})"

    def _repr_html_(self) -> str:
        return f"<pre>{self!r}</pre>"


def crossover(a: Any, b: Any, *, confidence: float = 0.95) -> Crossing:
    """Where two fitted lines meet, with Fieller's interval from the uncertainty of both.

    Parameters
    ----------
    a, b
        `SimpleLinearRegression`, or `LinearRegression` with one column and no basis, fitted to different rows.
    confidence
        Of the interval.

    Examples
    --------
    >>> from suffice.datasets import olympic_100m_men, olympic_100m_women
    >>> from suffice.linear import SimpleLinearRegression, crossover
    >>> men, women = olympic_100m_men(), olympic_100m_women()
    >>> lines = [SimpleLinearRegression().fit(d.X, d.y) for d in (men, women)]
    >>> crossing = crossover(*lines)
    >>> crossing
    Crossing(x=2589.25, y=1.89942, no 95 % bound)
    >>> crossing.next_multiple(4)
    2592.0
    """
    check_fraction("confidence", confidence)
    one, two = UncertainLine.of("a", a), UncertainLine.of("b", b)
    if abs(one.slope - two.slope) <= PARALLEL * max(abs(one.slope), abs(two.slope)):
        raise NumericalError(f"Parallel lines do not cross: both slopes are {one.slope:.6g}.")
    middle = (one.center + two.center) / 2
    x = middle - (one(middle) - two(middle)) / (one.slope - two.slope)
    return Crossing(x, one(x), *_fieller(one, two, x, confidence), confidence, one, two)


def _fieller(a: UncertainLine, b: UncertainLine, x: float, confidence: float) -> tuple[float, float]:
    """The x with d(x)² = t² v(x), from the parabola through three points on the scale of the samples."""
    if not (a.dof > 0 and b.dof > 0):
        return -np.inf, np.inf
    va, vb = a.variance(x), b.variance(x)
    if va + vb == 0:
        return x, x
    t = stdtrit((va + vb) ** 2 / (va**2 / a.dof + vb**2 / b.dof), 0.5 + confidence / 2)
    middle = (a.center + b.center) / 2
    unit = max(a.spread, b.spread, abs(a.center - b.center))
    before, here, after = (float(t) ** 2 * (a.variance(p) + b.variance(p)) for p in middle + unit * _THREE)
    d0, d1 = a(middle) - b(middle), (a.slope - b.slope) * unit
    A, B, C = d1**2 - ((after + before) / 2 - here), d0 * d1 - (after - before) / 4, d0**2 - here
    if A <= 0:
        return -np.inf, np.inf
    half = np.sqrt(max(B * B - A * C, 0.0))
    return float(middle + unit * (-B - half) / A), float(middle + unit * (-B + half) / A)
