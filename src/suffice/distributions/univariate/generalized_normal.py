r"""The generalized normal distribution: exponent |z|^q instead of z².

Density      p(x) = q / (2 s Γ(1/q)) · exp(−|z|^q),  z = (x − m)/s
Text         p(w | α) = (q/2) (α/2)^(1/q) / Γ(1/q) · exp(−(α/2) |w|^q)      (PRML 3.56),  s = (2/α)^(1/q)
Tails        P(X > x) = ½ Q(1/q, z^q) for z ≥ 0
Sampling     |z| = U g^(1/q),  g ~ Gamma(1 + 1/q, 1),  U uniform: the same as a power of Gamma(1/q, 1)
Fit          s^q = q Σ w |x − m|^q / n, then m and q by search

q = 1 is the Laplace, q = 2 the normal distribution; large q is nearly uniform. s = 0 is the point mass at m.
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import gammainccinv, gammaincinv, gammaln

from suffice._core.errors import AtBound, InvalidParameter, warn
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._checks import (
    assign,
    broadcast,
    parameter,
    positive_weights,
    probability,
    real,
    sample_shape,
    sample_values,
)
from suffice.distributions._kinds import AboutCentre, WithoutStatistics, always, squared_std
from suffice.distributions._numerics.scale import at_scale, log_density_at_scale, standardized
from suffice.distributions._numerics.special import gamma_lower, gamma_upper, log_gamma_upper
from suffice.distributions.univariate.empirical import Empirical

_LOG_2 = float(np.log(2))
_VANISHED = 1e-290  # an exponent that changes no density, and has lost digits or soon will
_POWERS = (1.0, 100.0)  # range of the fit


@final
@record
class GeneralizedNormal(WithoutStatistics, AboutCentre):
    """A family from sharp peaks (small power) over the normal to a box (large power).

    Parameters
    ----------
    loc
        Centre: mean, median and mode.
    scale
        Spread s; √2 standard deviations when power is 2. Zero makes a point mass.
    power
        Exponent q of the distance.

    Examples
    --------
    >>> from suffice.distributions import GeneralizedNormal, Normal
    >>> d = GeneralizedNormal(loc=0.0, scale=1.0, power=4.0)
    >>> print(f"{d.std:.4f} {d.prob(0.0):.4f} {d.log_sf(10.0):.3f}")
    0.5814 0.5516 -10008.889
    >>> prior = GeneralizedNormal.from_precision(precision=4.0, power=2)
    >>> print(f"{prior.log_prob(0.3) - Normal(0, 0.5).log_prob(0.3):.1f}")
    0.0
    """

    loc: Any = 0.0
    scale: Any = 1.0
    power: Any = 2.0

    _event_ndim: ClassVar[dict[str, int]] = {"loc": 0, "scale": 0, "power": 0}
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        loc, scale = parameter("loc", self.loc), parameter("scale", self.scale, low=0.0)
        power = parameter("power", self.power, low=0.0, strict=True)
        assign(self, **broadcast(loc=loc, scale=scale, power=power))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """The centre."""
        return self.loc

    var = squared_std("s² Γ(3/q)/Γ(1/q).")

    @property
    def std(self) -> Any:
        """√var."""
        return self.scale * np.exp(0.5 * (gammaln(3 / self.power) - gammaln(1 / self.power)))

    def entropy(self) -> Any:
        """1/q + log(2 s Γ(1 + 1/q)); −inf for a point mass."""
        with np.errstate(divide="ignore"):
            return 1 / self.power + _LOG_2 + gammaln(1 + 1 / self.power) + np.log(self.scale)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; for a point mass inf at the point and −inf elsewhere."""
        x = real(x, self.batch_shape)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            value = -(np.abs(standardized(x, self.loc, self.scale)) ** self.power)
            value -= _LOG_2 + gammaln(1 + 1 / self.power) + np.log(self.scale)
        return log_density_at_scale(value, x, self.loc, self.scale)

    def _upper(self, z: Any) -> Any:
        """P(Z > z) of the standard distribution."""
        t, flat, log_body = self._exponent(z)
        tail = np.where(flat, -np.expm1(log_body), gamma_upper(1 / self.power, t))
        body = np.where(flat, np.exp(log_body), gamma_lower(1 / self.power, t))
        return np.where(z < 0, 0.5 * (1 + body), 0.5 * tail)[()]

    def _log_upper(self, z: Any) -> Any:
        t, flat, log_body = self._exponent(z)
        with np.errstate(divide="ignore"):
            log_tail = (
                np.where(flat, np.log(-np.expm1(log_body)), log_gamma_upper(1 / self.power, t)) - _LOG_2
            )
        return np.where(z < 0, np.log1p(-np.exp(log_tail)) + 0.0, log_tail)[()]

    def _exponent(self, z: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """|z|^q, where it vanishes, and log P(|Z| ≤ |z|) there: of a flat density, |z|/Γ(1 + 1/q)."""
        with np.errstate(over="ignore", divide="ignore"):
            t, log_size = np.abs(z) ** self.power, np.log(np.abs(z))
        flat = t < _VANISHED
        return t, flat, np.where(flat, log_size - gammaln(1 + 1 / self.power), -np.inf)

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The x with P(X ≤ x) = p."""
        p = probability(p, self.batch_shape)
        tail, shape = 2 * np.minimum(p, 1 - p), 1 / self.power
        t = np.where(tail < 0.5, gammainccinv(shape, tail), gammaincinv(shape, np.abs(2 * p - 1)))
        flat = np.abs(2 * p - 1) * np.exp(gammaln(1 + shape))  # z where the density is flat up to it
        size = np.where(flat**self.power < _VANISHED, flat, t**shape)
        return at_scale((np.sign(p - 0.5) * size)[()], self.loc, self.scale)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch): a distance and a random sign."""
        rng, shape = generator(rng), sample_shape(n, self.batch_shape)
        g = rng.standard_gamma(1 + 1 / self.power, shape)
        return at_scale(rng.uniform(-1.0, 1.0, shape) * g ** (1 / self.power), self.loc, self.scale)

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def fit(cls, x: Any, weight: Any = None, power: float | None = None) -> GeneralizedNormal:
        """Maximum likelihood from a vector, over powers from 1 to 100 unless `power` is given.

        Below 1 the likelihood has a peak at every observation, so such powers are not fitted.
        """
        x = sample_values(x, ndim=1)
        w = positive_weights(weight, len(x))
        if power is not None and not power >= 1:
            raise InvalidParameter(f"power must be >= 1 in a fit; got {power!r}.")
        x, w = x[w > 0], w[w > 0] / w.sum()
        unit = float(np.ptp(x)) / 2
        if unit == 0:
            return cls(x[0], 0.0, 2.0 if power is None else power)
        middle = float(x.min()) + unit
        z = (x - middle) / unit  # in [−1, 1]
        q = float(power) if power is not None else _best_power(z, w)
        if power is None and (q < 1.001 or q > 99.9):
            warn(f"GeneralizedNormal.fit ended at the edge of its range, power = {q:.4g}.", AtBound)
        centre, scale = _profile(z, w, q)
        return cls(middle + unit * centre, unit * scale, q)

    n_parameters = always(3, "Centre, scale and power.")

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_precision(cls, precision: Any, power: Any, loc: Any = 0.0) -> GeneralizedNormal:
        """p ∝ exp(−(α/2) |w|^q) of the text: scale (2/α)^(1/q)."""
        precision = parameter("precision", precision, low=0.0, strict=True)
        return cls(loc, (2 / precision) ** (1 / parameter("power", power, low=0.0, strict=True)), power)

    @classmethod
    def from_variance(cls, mean: Any, var: Any, power: Any) -> GeneralizedNormal:
        """From the variance s² Γ(3/q)/Γ(1/q)."""
        power = parameter("power", power, low=0.0, strict=True)
        unit = np.exp(0.5 * (gammaln(3 / power) - gammaln(1 / power)))
        return cls(mean, np.sqrt(parameter("var", var, low=0.0)) / unit, power)


def _profile(x: np.ndarray, w: np.ndarray, q: float) -> tuple[float, float]:
    """The best centre and scale for a power q ≥ 1; the weights sum to one."""
    centre = _centre(x, w, q)
    return centre, float(q * (w @ np.abs(x - centre) ** q)) ** (1 / q)


def _centre(x: np.ndarray, w: np.ndarray, q: float) -> float:
    """The root of Σ w sign(x − m) |x − m|^(q−1), which falls in m: the median for q = 1, the mean for q = 2."""
    if q == 1:
        return float(Empirical(x, w).quantile(0.5))
    from scipy.optimize import brentq

    def pull(m: float) -> float:
        return float(w @ (np.sign(x - m) * np.abs(x - m) ** (q - 1)))

    return float(brentq(pull, x.min(), x.max(), xtol=1e-15, rtol=1e-15))


def _best_power(x: np.ndarray, w: np.ndarray) -> float:
    """The q of the highest peak of the profile likelihood: a grid of log q, then a search between neighbours.

    A small sample may also be likely under a box around it, q → ∞: that end counts only if there is no peak.
    """
    from scipy.optimize import minimize_scalar

    def loss(log_q: float) -> float:
        q = float(np.exp(log_q))
        return float(np.log(_profile(x, w, q)[1]) + gammaln(1 + 1 / q) + 1 / q)

    grid = np.linspace(np.log(_POWERS[0]), np.log(_POWERS[1]), 24)
    values = np.array([loss(g) for g in grid])
    peaks = 1 + np.flatnonzero((values[1:-1] <= values[:-2]) & (values[1:-1] <= values[2:]))
    best = int(peaks[np.argmin(values[peaks])] if len(peaks) else np.argmin(values))
    bounds = (grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)])
    return float(np.exp(minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-10}).x))
