r"""The density of a sum of independent variables.

Sum          z = x + y:  p_z(z) = ∫ p_x(z − u) p_y(u) du, by convolution on a grid
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, NoReturn, final

import numpy as np
from scipy.special import entr

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported, check_integer
from suffice._core.linalg import EPS
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import assign, frozen, parameter, probability, real, sample_shape
from suffice.distributions._kinds import SummedTails, always, root_of_variance
from suffice.distributions._numerics import one_dimensional


def sum_of_independent(
    a: Univariate, b: Univariate, points: int = 32768, tail: float = 1e-13
) -> TabulatedDensity:
    """The distribution of a + b by numerical convolution on a grid of `points` steps per variable.

    The probabilities of the steps are convolved, so the error falls with the square of the step, also where a
    density jumps. A grid cannot hold very heavy tails: `tail` is the probability left out at each open end.

    Examples
    --------
    >>> from suffice.distributions import Normal, sum_of_independent
    >>> z = sum_of_independent(Normal(1.0, 3.0), Normal(2.0, 4.0))
    >>> print(f"{z.mean:.3f} {z.std:.3f} {z.prob(3.0):.6f} {Normal(3.0, 5.0).prob(3.0):.6f}")
    3.000 5.000 0.079788 0.079788
    """
    for name, d in (("a", a), ("b", b)):
        one_dimensional.check_single(name, d, density=True)
    check_integer("points", points, 16)
    ranges = [_range(d, tail) for d in (a, b)]
    step = max(high - low for low, high in ranges) / points
    _check_step("a", a, step)
    _check_step("b", b, step)
    masses = [np.diff(d.cdf(_edges(low, high, step))) for d, (low, high) in zip((a, b), ranges, strict=True)]
    total = np.maximum(_convolve(*masses), 0.0)
    x = ranges[0][0] + ranges[1][0] + step * np.arange(len(total) + 2)
    return TabulatedDensity(x, np.r_[0.0, total / (total.sum() * step), 0.0])


@final
@record
class TabulatedDensity(SummedTails):
    """A density given at equally spaced points and linear in between.

    Parameters
    ----------
    x
        Equally spaced, rising points.
    density
        The density there; zero outside. It must integrate to one by the trapezoid rule.
    """

    x: Any
    density: Any
    _single: Any = field(init=False, repr=False)
    _below: Any = field(init=False, repr=False)  # P(X ≤ x) at the points
    _above: Any = field(init=False, repr=False)  # P(X > x), summed from the other end

    _event_ndim: ClassVar[dict[str, int]] = {"_single": 0}
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        x, p = parameter("x", self.x), parameter("density", self.density, low=0.0)
        if x.ndim != 1 or x.shape != p.shape or len(x) < 2:
            raise InvalidParameter(f"x and density must be vectors of one length; got {x.shape}, {p.shape}.")
        step = (x[-1] - x[0]) / (len(x) - 1)
        if not step > 0 or not np.allclose(np.diff(x), step, rtol=1e-6, atol=4 * EPS * np.max(np.abs(x))):
            raise InvalidParameter("x must be equally spaced and rising.")
        mass = step * (p[:-1] + p[1:]) / 2
        if abs(mass.sum() - 1) > 1e-8:
            raise InvalidParameter(f"density must integrate to one; got {mass.sum():.9g}.")
        below = np.minimum(np.r_[0.0, np.cumsum(mass)], 1.0)
        above = np.minimum(np.r_[np.cumsum(mass[::-1])[::-1], 0.0], 1.0)
        single = frozen(np.zeros(()))
        assign(self, x=x, density=p, _single=single, _below=frozen(below), _above=frozen(above))

    @property
    def _step(self) -> float:
        return float((self.x[-1] - self.x[0]) / (len(self.x) - 1))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """∫ x p."""
        return self.x[0] + self._step * self._moment(np.arange(len(self.x)))

    @property
    def var(self) -> Any:
        """∫ (x − mean)² p, with the h²/6 of the line between two points."""
        return self._moment((self.x - self.mean) ** 2) + self._step**2 / 6

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The point with the highest density."""
        return self.x[np.argmax(self.density)]

    def entropy(self) -> Any:
        """−∫ p log p by the trapezoid rule."""
        return float(np.trapezoid(entr(self.density), self.x))

    def _moment(self, f: np.ndarray) -> Any:
        """Σ h p f over the inner points: what ∫ p f is for linear f."""
        return self._step * (self.density @ f)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density, −inf outside the table."""
        with np.errstate(divide="ignore"):
            return np.log(np.interp(real(x), self.x, self.density, left=0.0, right=0.0))

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""
        i, part, p = self._cell(x)
        return np.clip(self._below[i] + part * (self.density[i] + p) / 2, 0.0, 1.0)[()]

    def sf(self, x: Any) -> Any:
        """P(X > x)."""
        i, part, p = self._cell(x)
        return np.clip(self._above[i + 1] + (self._step - part) * (self.density[i + 1] + p) / 2, 0.0, 1.0)[()]

    def _cell(self, x: Any) -> tuple[Any, Any, Any]:
        """The step that holds x, how far into it x lies, and the density there."""
        x = np.clip(real(x), self.x[0], self.x[-1])
        i = np.clip(np.searchsorted(self.x, x, side="right") - 1, 0, len(self.x) - 2)
        return i, x - self.x[i], np.interp(x, self.x, self.density)

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest x with P(X ≤ x) ≥ p: a quadratic inside its step."""
        p = probability(p)
        i = np.clip(np.searchsorted(self._below, p, side="left") - 1, 0, len(self.x) - 2)
        start, rise = self.density[i], (self.density[i + 1] - self.density[i]) / self._step
        rest = np.maximum(p - self._below[i], 0.0)
        root = start + np.sqrt(np.maximum(start**2 + 2 * rise * rest, 0.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(root > 0, 2 * rest / root, 0.0)
        return (self.x[i] + np.minimum(part, self._step))[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws: quantiles of uniform draws."""
        return self.quantile(generator(rng).random(sample_shape(n)))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> NoReturn:
        """There are none."""
        raise Unsupported("A tabulated density is computed, not fitted.")

    @classmethod
    def fit(cls, x: Any, weight: Any = None) -> NoReturn:
        """Not defined."""
        raise Unsupported("A tabulated density is computed, not fitted.")

    n_parameters = always(0, "None is free.")


def _range(d: Univariate, tail: float) -> tuple[float, float]:
    """The support, cut at probability `tail` where it is open."""
    tail = float(parameter("tail", tail, low=0.0, strict=True))
    low, high = float(d.quantile(0.0)), float(d.quantile(1.0))
    return (
        low if np.isfinite(low) else float(d.quantile(tail)),
        high if np.isfinite(high) else float(d.quantile(1 - tail)),
    )


def _check_step(name: str, d: Univariate, step: float) -> None:
    quartiles = d.quantile(0.75) - d.quantile(0.25)
    if quartiles < 8 * step:
        raise InvalidInput(
            f"The grid is too coarse for {name}: its quartiles are {quartiles:.3g} apart, a step is {step:.3g}. "
            "Take more points, or a larger tail for heavy tails."
        )


def _edges(low: float, high: float, step: float) -> np.ndarray:
    return low + step * np.arange(int(np.ceil((high - low) / step - 1e-9)) + 1)


def _convolve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    n = len(a) + len(b) - 1
    return np.fft.irfft(np.fft.rfft(a, n) * np.fft.rfft(b, n), n)
