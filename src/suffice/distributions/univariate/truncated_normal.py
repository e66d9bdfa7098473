r"""The normal distribution cut off below, above, or on both sides.

Density      p(x) = φ(z) / (s (Φ(β) − Φ(α))) for low ≤ x ≤ high,  z = (x − m)/s,  α, β the bounds in the same units
Positive     N⁺(m, s²), low = 0:  E X = m + s φ(m/s)/Φ(m/s);  N⁻, high = 0:  E X = m − s φ(m/s)/Φ(−m/s)
Fit          maximum likelihood for given bounds: mean and variance are those of the data

Everything is measured from the point of the interval nearest to m, where the density is highest, so bounds
a thousand standard deviations out cost no digits. m and s belong to the normal before it is cut; `mean` and
`std` to what is left.
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import ndtr, ndtri

from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, warn
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import (
    assign,
    broadcast,
    check_total,
    of_vector,
    parameter,
    probability,
    real,
    sample_shape,
    sample_values,
)
from suffice.distributions._kinds import always, squared_std
from suffice.distributions._numerics.discrete import masked
from suffice.distributions._numerics.newton import maximize
from suffice.distributions._numerics.truncated import log_mass, nodes
from suffice.statistics import Moments

_NEAR = 5.0  # bounds within so many standard deviations of the mean: the normal cdf and its inverse serve


@final
@record
class TruncatedNormal(Univariate):
    """A normal variable of which only values between two bounds are kept.

    Parameters
    ----------
    loc
        Mean of the normal before it is cut.
    scale
        Standard deviation of the normal before it is cut.
    low
        Lower bound.
    high
        Upper bound.

    Examples
    --------
    >>> from suffice.distributions import TruncatedNormal
    >>> d = TruncatedNormal.positive(mean=0.5, std=2.0)
    >>> print(f"{d.mean:.5f} {d.mode} {d.prob(-0.1)}")
    1.79168 0.5 0.0
    >>> far = TruncatedNormal(0, 1, low=50, high=51)
    >>> print(f"{far.mean:.6f} {far.std:.6f} {far.log_sf(50.5):.4f}")
    50.019984 0.019976 -25.1349
    """

    loc: Any
    scale: Any
    low: Any = -np.inf
    high: Any = np.inf

    _event_ndim: ClassVar[dict[str, int]] = {"loc": 0, "scale": 0, "low": 0, "high": 0}
    _smooth: ClassVar[bool] = True

    def __post_init__(self) -> None:
        loc, scale = parameter("loc", self.loc), parameter("scale", self.scale, low=0.0, strict=True)
        low, high = (parameter(k, getattr(self, k), finite=False) for k in ("low", "high"))
        made = broadcast(loc=loc, scale=scale, low=low, high=high)
        wrong = np.asarray(made["low"] >= made["high"])
        if np.any(wrong):
            bounds = [np.asarray(made[k])[wrong].flat[0] for k in ("low", "high")]
            raise InvalidParameter(f"high must be > low; got {bounds[1]} for low = {bounds[0]}.")
        assign(self, **made)

    @property
    def _ends(self) -> tuple[Any, Any, Any]:
        """c, and the bounds in standard deviations from the mode."""
        r = self.mode
        return (r - self.loc) / self.scale, (self.low - r) / self.scale, (self.high - r) / self.scale

    @property
    def _log_total(self) -> Any:
        return log_mass(*self._ends, (self.high - self.low) / self.scale)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """E X, by a Gauss rule: the textbook ratio loses all digits far out."""
        t, w = nodes(*self._ends)
        return self.mode + self.scale * np.sum(w * t, axis=-1)

    var = squared_std("Var X, by the same rule.")

    @property
    def std(self) -> Any:
        """√var."""
        t, w = nodes(*self._ends)
        gap = t - np.sum(w * t, axis=-1, keepdims=True)
        return self.scale * np.sqrt(np.sum(w * gap**2, axis=-1))

    @property
    def mode(self) -> Any:
        """The point of the interval that is nearest to loc."""
        return np.clip(self.loc, self.low, self.high)

    def entropy(self) -> Any:
        """−E log p(X)."""
        t, w = nodes(*self._ends)
        bend = np.sum(w * t * (np.asarray(self._ends[0])[..., None] + t / 2), axis=-1)
        return (bend + np.log(self.scale) + self._log_total)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; −inf outside the bounds."""
        x = real(x, self.batch_shape)
        inside = (x >= self.low) & (x <= self.high) & np.isfinite(x)
        with np.errstate(over="ignore"):
            t = (np.where(inside, x, self.mode) - self.mode) / self.scale
            value = -t * (self._ends[0] + t / 2) - np.log(self.scale) - self._log_total
        return masked(value, inside, x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""
        return np.exp(self.log_cdf(x))

    def sf(self, x: Any) -> Any:
        """P(X > x)."""
        return np.exp(self.log_sf(x))

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        return self._log_tails(x)[0][()]

    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        return self._log_tails(x)[1][()]

    def _log_tails(self, x: Any) -> tuple[Any, Any]:
        """Both log tails, each from its complement where it is near zero."""
        x = np.clip(real(x, self.batch_shape), self.low, self.high)
        lower, upper = (self._log_piece(x, below) - self._log_total for below in (True, False))
        lower, upper = _complete(lower, upper), _complete(upper, lower)
        first, last = x == self.low, x == self.high  # also where both a bound and x are infinite
        lower = np.where(first, -np.inf, np.where(last, 0.0, lower))
        upper = np.where(first, 0.0, np.where(last, -np.inf, upper))
        return np.where(np.isnan(x), np.nan, lower), np.where(np.isnan(x), np.nan, upper)

    def _log_piece(self, x: Any, below: Any) -> Any:
        """log of the mass below x, or above it, relative to the density at the mode."""
        (c, a, b), t = self._ends, (x - self.mode) / self.scale
        with np.errstate(invalid="ignore"):
            width = np.where(below, x - self.low, self.high - x) / self.scale
        return log_mass(c, np.where(below, a, t), np.where(below, t, b), width)

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The x with P(X ≤ x) = p: a first guess, then Newton's method for the log of the smaller tail."""
        return self._inverse(probability(p, self.batch_shape), rounds=8)

    def _inverse(self, p: Any, rounds: int) -> Any:
        x = np.clip(self.mode + self.scale * _guess(p, *self._ends), self.low, self.high)
        below = p < 0.5
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            log_p = np.where(below, np.log(p), np.log1p(-p))
            end = np.where(below, self.low, self.high)
            inward = np.where(below, 1.0, -1.0)
            near = end + inward * np.exp(log_p - self.log_prob(end))  # where the guess fell on the bound
            total = self._log_total
            for _ in range(rounds):
                tail = self._log_piece(x, below) - total
                step = inward * (tail - log_p) * np.exp(tail - self.log_prob(x))
                x = np.where(np.isfinite(step), x - step, np.where(np.isfinite(near), near, x))
                x = np.clip(x, self.low, self.high)
                if np.all(np.abs(step) <= 2 * np.spacing(x) + 1e-15 * np.exp(tail - self.log_prob(x))):
                    break
        return np.where(p == 0, self.low, np.where(p == 1, self.high, x))[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch), by the inverse of the cdf."""
        u = generator(rng).random(sample_shape(n, self.batch_shape))
        return self._inverse(u, rounds=0 if np.all(np.abs(self._ends[0]) <= _NEAR) else 4)

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Moments:
        """n, mean and scatter of a vector."""
        return of_vector(Moments, x, weight)

    @classmethod
    def from_statistics(
        cls, statistics: Moments, low: float = -np.inf, high: float = np.inf
    ) -> TruncatedNormal:
        """Maximum likelihood for given bounds, by Newton's method for m/s² and log 1/s²."""
        check_total(statistics.n)
        mean, std = float(statistics.mean), float(np.sqrt(statistics.variance))
        if not std > 0:
            raise InvalidInput("x must vary: the likelihood of equal values grows without end.")
        bounds = (low - mean) / std, (high - mean) / std

        def model(theta: np.ndarray) -> TruncatedNormal:
            precision = np.exp(theta[1])
            return cls(theta[0] / precision, precision**-0.5, *bounds)

        def likelihood(theta: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
            d, precision = model(theta), np.exp(theta[1])
            t, w = nodes(*d._ends)
            y = d.mode + d.scale * t
            square = y * y / 2
            value = (
                -precision / 2 - np.log(d.scale) - d._log_total - precision * d.mode * (d.loc - d.mode / 2)
            )
            gradient = np.array([-(w @ y), precision * (w @ square - 0.5)])
            gap, gap2 = y - w @ y, square - w @ square
            across = precision * (w @ (gap * gap2))
            hessian = np.array(
                [[-(w @ gap**2), across], [across, gradient[1] - precision**2 * (w @ gap2**2)]]
            )
            return value, gradient, hessian

        found = maximize(likelihood, [0.0, 0.0])
        if not found.converged or found.theta[1] < -15:
            warn(
                "TruncatedNormal.fit ran off: the data spread as much as the bounds allow, "
                "so the likelihood has no maximum at a finite loc and scale.",
                AtBound,
            )
        best = model(found.theta)
        return cls(mean + std * best.loc, std * best.scale, low, high)

    @classmethod
    def fit(cls, x: Any, weight: Any = None, low: float = -np.inf, high: float = np.inf) -> TruncatedNormal:
        """Maximum likelihood from a vector that lies between given bounds; weight 2 counts a row twice."""
        x = sample_values(x, ndim=1)
        outside = (x < low) | (x > high)
        if outside.any():
            raise InvalidInput(f"x must lie between {low:g} and {high:g}; got {x[outside][0]}.")
        return cls.from_statistics(cls.statistics(x, weight), low, high)

    n_parameters = always(2, "loc and scale; the bounds are given.")

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def positive(cls, mean: Any, std: Any) -> TruncatedNormal:
        """N⁺: only positive values are kept. `mean` and `std` belong to the normal before it is cut."""
        return cls(mean, std, low=0.0)

    @classmethod
    def negative(cls, mean: Any, std: Any) -> TruncatedNormal:
        """N⁻: only negative values are kept."""
        return cls(mean, std, high=0.0)


def _complete(value: Any, other: Any) -> Any:
    """A log probability, from its complement where it is near zero."""
    with np.errstate(invalid="ignore"):
        return np.where(value > -0.5, np.log1p(-np.exp(np.minimum(other, -0.5))) + 0.0, value)


def _guess(p: Any, c: Any, a: Any, b: Any) -> Any:
    """A start for the quantile: exact for an uncut normal, close to an exponential far out."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        upper = ndtr(-(c + b)) + (1 - p) * (ndtr(-(c + a)) - ndtr(-(c + b)))
        lower = ndtr(c + a) + p * (ndtr(c + b) - ndtr(c + a))
        normal = np.where(lower < 0.5, ndtri(lower), -ndtri(upper)) - c
        size = np.maximum(np.abs(c), 1.0)
        q, length = np.where(c > 0, p, 1 - p), np.where(c > 0, b, -a)
        exponential = -np.log1p(q * np.expm1(-size * length)) / size
        guess = np.where(np.abs(c) > _NEAR, np.sign(c) * exponential, normal)
    return np.clip(guess, a, b)
