r"""The normal-gamma distribution of a mean μ and a precision λ.

Density      p(μ, λ) = N(μ | m, 1/(kλ)) · Gam(λ | a, b),  with respect to dμ dλ
Event        the pair [μ, λ], along the last axis
Marginals    λ ~ Gamma(a, b);  μ ~ StudentT(2a, m, √(b/(ak)))
Mode         μ = m,  λ = (a − ½)/b
Fit          m = Σ w λμ / Σ w λ,  1/k = Σ w λ(μ − m)² / n,  a and b as for the gamma
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.numerics import LOG_2PI
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Multivariate
from suffice.distributions._checks import (
    assign,
    broadcast,
    check_total,
    parameter,
    positive_parameters,
    sample_shape,
    sample_values,
    weights,
)
from suffice.distributions._kinds import FitsFromStatistics, always, conjugacy, root_of_variance
from suffice.distributions._numerics.counts import last_axis
from suffice.distributions._numerics.excess import excess
from suffice.distributions._numerics.gaussian import coordinates
from suffice.distributions._numerics.natural import PrecisionMoments
from suffice.distributions._numerics.special import digamma_gap
from suffice.distributions.multivariate._bartlett import fit_dof
from suffice.distributions.univariate.gamma import Gamma
from suffice.distributions.univariate.student_t import StudentT


@final
@record
class NormalGamma(FitsFromStatistics, Multivariate):
    """What is known about the mean and the precision of a normal distribution.

    `mean` is the parameter m, the mean of μ; `event_mean`, `var`, `std` and `mode` are of the pair [μ, λ].

    Parameters
    ----------
    mean
        Centre of μ.
    strength
        How many observations the mean is worth: k in μ ~ N(m, 1/(kλ)).
    shape, rate
        Of the gamma distribution of λ: 2·shape observations of variance rate/shape.

    Examples
    --------
    >>> from suffice.distributions import NormalGamma
    >>> d = NormalGamma(mean=1.0, strength=2.0, shape=3.0, rate=6.0)
    >>> d.marginal_mean()
    StudentT(dof=6, loc=1, scale=1)
    >>> print(d.event_mean, d.mode, f"{d.log_prob([0.5, 0.4]):.4f}")
    [1.  0.5] [1.         0.41666667] -0.6810
    """

    mean: Any
    strength: Any
    shape: Any
    rate: Any

    _event_ndim: ClassVar[dict[str, int]] = {"mean": 0, "strength": 0, "shape": 0, "rate": 0}

    def __post_init__(self) -> None:
        positive = positive_parameters(self, "strength", "shape", "rate")
        assign(self, **broadcast(mean=parameter("mean", self.mean), **positive))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def event_mean(self) -> Any:
        """[E μ, E λ] = [m, a/b]; NaN for E μ where a ≤ ½."""
        return _pair(self.marginal_mean().mean, self.shape / self.rate)

    @property
    def var(self) -> Any:
        """[b/(k (a − 1)), a/b²]; infinite for μ where ½ < a ≤ 1, NaN below."""
        return _pair(self.marginal_mean().var, self.shape / self.rate**2)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """[m, (a − ½)/b] for a ≥ ½; otherwise NaN, as the density is unbounded."""
        half = np.asarray(self.shape - 0.5)
        return _pair(np.where(half >= 0, self.mean, np.nan), np.where(half >= 0, half, np.nan) / self.rate)

    def entropy(self) -> Any:
        """That of λ, and the expectation of that of μ given λ."""
        a, gap = self.shape, digamma_gap(self.shape)
        precision = excess(a) + (a - 1) * gap - np.log(self.rate)
        mean_log = np.log(a) - gap - np.log(self.rate)  # E log λ
        return (precision + 0.5 * (1 + LOG_2PI - np.log(self.strength) - mean_log))[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density of pairs [μ, λ], (..., 2); −inf where λ ≤ 0."""
        x = last_axis(x, 2, self.batch_shape)
        mean, precision = x[..., 0], x[..., 1]
        inside = (precision > 0) & np.isfinite(precision)
        precision = np.where(inside, precision, 1.0)
        with np.errstate(over="ignore"):
            square = self.strength * precision * (mean - self.mean) ** 2
        normal = 0.5 * (np.log(self.strength * precision) - LOG_2PI - square)
        value = normal + self.marginal_precision().log_prob(precision)
        return np.where(np.isnan(x).any(axis=-1), np.nan, np.where(inside, value, -np.inf))[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central intervals of μ and of λ by themselves: (low, high), both (..., 2)."""
        ends = zip(
            self.marginal_mean().interval(level), self.marginal_precision().interval(level), strict=True
        )
        low, high = (_pair(*pair) for pair in ends)
        return low, high

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` pairs, shape (n, *batch, 2): λ first, then μ given λ."""
        rng, shape = generator(rng), sample_shape(n, self.batch_shape)
        precision = rng.standard_gamma(self.shape, shape) / self.rate
        z = rng.standard_normal(shape)
        with np.errstate(divide="ignore"):
            return _pair(self.mean + z / np.sqrt(self.strength * precision), precision)

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> PrecisionMoments:
        """Sums over pairs (N, 2) of λ and log λ, and centre and scatter of μ weighted by λ."""
        table = sample_values(x, ndim=2)
        if table.shape[1] != 2 or np.any(table[:, 1] <= 0):
            raise InvalidInput(f"x must hold pairs [mean, precision > 0], (N, 2); got shape {table.shape}.")
        mean, precision = table[:, :1], table[:, 1:, None]
        return PrecisionMoments.of(mean, precision, np.log(table[:, 1]), weights(weight, len(table)))

    @classmethod
    def from_statistics(cls, statistics: PrecisionMoments) -> NormalGamma:
        """Maximum likelihood."""
        check_total(statistics.n)
        n, precision = statistics.n, statistics.precision[0, 0] / statistics.n
        shape = fit_dof(np.log(precision) - statistics.log_det / n, 1) / 2
        return cls(statistics.centre[0], n / statistics.scatter, shape, shape / precision)

    n_parameters = always(4, "Mean, strength, shape and rate.")

    # -- marginals and conditionals ----------------------------------------------------------------------

    def marginal(self, idx: Any) -> StudentT | Gamma:
        """0 gives μ, 1 gives λ."""
        index = coordinates(idx, 2)
        if index.ndim:
            raise InvalidInput(f"idx must be 0 (the mean) or 1 (the precision); got {idx!r}.")
        return self.marginal_precision() if index else self.marginal_mean()

    def marginal_mean(self) -> StudentT:
        """μ ~ StudentT(2a, m, √(b/(ak)))."""
        return StudentT(2 * self.shape, self.mean, np.sqrt(self.rate / (self.shape * self.strength)))

    def marginal_precision(self) -> Gamma:
        """λ ~ Gamma(a, b)."""
        return Gamma(self.shape, self.rate)

    # -- conjugacy -------------------------------------------------------------------------------------------

    def posterior(self, data: Any, weight: Any = None) -> NormalGamma:
        """After normal numbers or their `Moments`."""
        return conjugacy().posterior(self, data, weight)

    def log_evidence(self, data: Any, weight: Any = None) -> Any:
        """log p(data) of normal numbers."""
        return conjugacy().log_evidence(self, data, weight)

    def predictive(self) -> StudentT:
        """The next number: StudentT(2a, m, √(b (k + 1)/(a k)))."""
        return conjugacy().predictive(self)


def _pair(first: Any, second: Any) -> np.ndarray:
    return np.stack(np.broadcast_arrays(first, second), axis=-1)
