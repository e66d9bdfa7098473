r"""The density of a function of a random variable.

Change       y = f(x), x = g(y):  p_y(y) = p_x(g(y)) |g′(y)|, f strictly monotone
Integral     y = F(x) is uniform on [0, 1], so x = F⁻¹(u) draws from F
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar, NoReturn, final

import numpy as np

from suffice._core.errors import InvalidInput, Unsupported
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import assign, frozen, probability, real
from suffice.distributions._kinds import root_of_variance
from suffice.distributions._numerics import one_dimensional
from suffice.distributions.expectations.expectation import expectation

MOST_HALVINGS = 1100  # from the largest double to the smallest


def change_of_variables(
    distribution: Univariate,
    forward: Callable,
    inverse: Callable | None = None,
    derivative: Callable | None = None,
) -> Transformed:
    """The distribution of y = forward(x), strictly monotone.

    Parameters
    ----------
    forward
        A function of an array of values of x, element by element.
    inverse
        x as a function of y; left out, it is found by halving intervals.
    derivative
        That of the inverse, dx/dy as a function of y; left out, it is found by differences, to about nine digits.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.distributions import Normal, change_of_variables
    >>> d = change_of_variables(Normal(0.0, 0.5), np.exp, np.log, lambda y: 1 / y)
    >>> print(f"{d.mean:.6f} {d.mode:.6f} {d.quantile(0.5):.6f}")
    1.133148 0.778801 1.000000
    >>> print(f"{change_of_variables(Normal(0.0, 0.5), np.exp).mode:.6f}")
    0.778801
    """
    if inverse is None:
        one_dimensional.check_single("distribution", distribution, density=True)
        inverse = NumericInverse(distribution, forward)
    derivative = NumericSlope(distribution, forward, inverse) if derivative is None else derivative
    return Transformed(distribution, forward, inverse, derivative)


@final
@record
class Transformed(Univariate):
    """A strictly monotone function of a random variable with a density."""

    distribution: Univariate
    forward: Callable
    inverse: Callable
    derivative: Callable
    _single: Any = field(init=False, repr=False)
    _rising: bool = field(init=False, repr=False)
    _range: tuple[float, float] = field(init=False, repr=False)  # of y

    _event_ndim: ClassVar[dict[str, int]] = {"_single": 0}
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        one_dimensional.check_single("distribution", self.distribution, density=True)
        x = np.unique(self.distribution.quantile(np.linspace(0.005, 0.995, 199)))
        y = np.asarray(self.forward(x), dtype=float)
        steps = np.diff(y) if y.shape == x.shape else np.zeros(1)
        if not (np.all(steps > 0) or np.all(steps < 0)):
            raise InvalidInput(
                "forward must be strictly increasing or strictly decreasing, number by number."
            )
        back = np.asarray(self.inverse(y), dtype=float)
        if not np.allclose(back, x, rtol=1e-6, atol=1e-6 * (x[-1] - x[0])):
            worst = int(np.nanargmax(np.abs(back - x)))
            raise InvalidInput(
                f"inverse(forward(x)) must be x; got {back[worst]:.6g} for x = {x[worst]:.6g}."
            )
        slope, seen = np.abs(self.derivative(y[1:-1])), np.abs((x[2:] - x[:-2]) / (y[2:] - y[:-2]))
        if not np.median(np.abs(slope / seen - 1)) < 0.05:
            raise InvalidInput("derivative must be that of inverse, dx/dy as a function of y.")
        assign(self, _single=frozen(np.zeros(())), _rising=bool(steps[0] > 0), _range=self._ends())

    def _ends(self) -> tuple[float, float]:
        """The smallest and the largest y; infinite where the function does not say."""
        with np.errstate(all="ignore"):
            ends = np.sort(np.asarray(self.forward(self.distribution.quantile([0.0, 1.0])), dtype=float))
        low, high = np.where(np.isnan(ends), [-np.inf, np.inf], ends)
        return float(low), float(high)

    def _back(self, y: Any) -> Any:
        """The x of each y, that of the nearest end for a y out of range."""
        with np.errstate(all="ignore"):
            return self.inverse(np.clip(real(y), *self._range))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """E y, by quadrature."""
        return expectation(self.forward, self.distribution)

    @property
    def var(self) -> Any:
        """E (y − E y)², by quadrature; infinite or NaN where the mean is."""
        mean = self.mean
        if not np.isfinite(mean):
            return np.abs(mean)
        return expectation(lambda x: (self.forward(x) - mean) ** 2, self.distribution)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """Where the density is highest, to about eight digits."""
        grid = np.unique(self.quantile(np.linspace(1e-4, 1 - 1e-4, 501)))
        return one_dimensional.minimum(lambda y: -float(self.log_prob(y)), grid)

    def entropy(self) -> Any:
        """H[x] + E log|dy/dx|."""
        change = expectation(lambda x: np.log(np.abs(self.derivative(self.forward(x)))), self.distribution)
        return self.distribution.entropy() - change

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """log p_x(g(y)) + log|g′(y)|."""
        x = real(x)
        low, high = self._range
        with np.errstate(all="ignore"):
            slope = np.log(np.abs(self.derivative(np.clip(x, low, high))))
            value = self.distribution.log_prob(self._back(x)) + slope
        outside = (x < low) | (x > high) | (((x == low) | (x == high)) & np.isnan(value))
        return np.where(outside, -np.inf, value)[()]

    def cdf(self, x: Any) -> Any:
        """P(Y ≤ y): a tail of x, the upper one where the function falls."""
        d = self.distribution
        return (d.cdf if self._rising else d.sf)(self._back(x))

    def sf(self, x: Any) -> Any:
        """P(Y > y)."""
        d = self.distribution
        return (d.sf if self._rising else d.cdf)(self._back(x))

    def log_cdf(self, x: Any) -> Any:
        """log P(Y ≤ y)."""
        d = self.distribution
        return (d.log_cdf if self._rising else d.log_sf)(self._back(x))

    def log_sf(self, x: Any) -> Any:
        """log P(Y > y)."""
        d = self.distribution
        return (d.log_sf if self._rising else d.log_cdf)(self._back(x))

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The function of the quantile of x."""
        p = probability(p)
        return self.forward(self.distribution.quantile(p if self._rising else 1 - p))

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """The function of draws of x."""
        return self.forward(self.distribution.sample(n, rng))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> NoReturn:
        """Those of x."""
        raise Unsupported("Take the statistics of inverse(y) under the distribution of x.")

    @classmethod
    def fit(cls, x: Any, weight: Any = None) -> NoReturn:
        """That of x."""
        raise Unsupported("Fit the distribution of x to inverse(y), then change variables.")

    @property
    def n_parameters(self) -> int:
        """Those of x."""
        return self.distribution.n_parameters


@record
class NumericInverse:
    """x with forward(x) = y, by halving the range of x that has probability; its ends for a y beyond."""

    distribution: Univariate
    forward: Callable

    def __call__(self, y: Any) -> Any:
        y = real(y)
        ends = np.asarray(self.distribution.quantile([0.0, 1.0]), dtype=float)
        far = np.asarray(self.distribution.quantile([1e-300, 1e-9, 1 - 1e-9]), dtype=float)
        wide = 1e3 * (far[2] - far[1])  # where an end is infinite
        low = np.full(y.shape, ends[0] if np.isfinite(ends[0]) else min(far[0], far[1] - wide))
        high = np.full(y.shape, ends[1] if np.isfinite(ends[1]) else far[2] + wide)
        with np.errstate(all="ignore"):
            rising = float(self.forward(far[2:])[0]) > float(self.forward(far[1:2])[0])
            for _ in range(MOST_HALVINGS):
                middle = low + (high - low) / 2
                open_ = (middle > low) & (middle < high)
                if not np.any(open_):
                    break
                below = (np.asarray(self.forward(middle)) < y) == rising
                low, high = np.where(open_ & below, middle, low), np.where(open_ & ~below, middle, high)
        return (low + (high - low) / 2)[()]


@record
class NumericSlope:
    """dx/dy = 1 / forward′(x) at x = inverse(y), by central differences with two steps (Richardson)."""

    distribution: Univariate
    forward: Callable
    inverse: Callable

    def __call__(self, y: Any) -> Any:
        x = np.asarray(self.inverse(y), dtype=float)
        low, high = (float(end) for end in self.distribution.quantile([0.0, 1.0]))
        room = np.maximum(np.minimum(x - low, high - x), 0.0)
        step = np.minimum(1e-3 * (1 + np.abs(x)), 1e-2 * room)
        with np.errstate(all="ignore"):
            wide, narrow = (
                (np.asarray(self.forward(x + h)) - np.asarray(self.forward(x - h))) / (2 * h)
                for h in (step, step / 2)
            )
            return (3 / (4 * narrow - wide))[()]
