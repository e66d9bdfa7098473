r"""Positive numbers whose logarithm is normal.

x = e^a, a ~ N(m, s²):   p(x) = N(log x | m, s²) / x,   E x = e^{m + s²/2},   var x = (e^{s²} − 1) (E x)²
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np

from suffice._core.records import record
from suffice.distributions import Normal
from suffice.distributions._base import Univariate
from suffice.statistics import Moments


@final
@record
class LogNormal(Univariate):
    """The distribution of e^a for a normal a with mean `log_mean` and standard deviation `log_std`.

    Examples
    --------
    >>> from suffice.study.models.log_normal import LogNormal
    >>> d = LogNormal(0.0, 0.5)
    >>> low, high = d.interval(0.9)
    >>> print(f"{d.mean:.4f} {d.mode:.4f} {low:.4f} {high:.4f}")
    1.1331 0.7788 0.4394 2.2760
    """

    log_mean: Any
    log_std: Any

    _event_ndim: ClassVar[dict[str, int]] = {"log_mean": 0, "log_std": 0}
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        log = Normal(self.log_mean, self.log_std)
        object.__setattr__(self, "log_mean", log.mean)
        object.__setattr__(self, "log_std", log.std)

    @property
    def log(self) -> Normal:
        """The distribution of the logarithm."""
        return Normal(self.log_mean, self.log_std)

    # -- moments -------------------------------------------------------------------------------------------------
    @property
    def mean(self) -> Any:
        """e^{m + s²/2}."""
        return np.exp(self.log_mean + self.log_std**2 / 2)

    @property
    def var(self) -> Any:
        """(e^{s²} − 1) E²."""
        return self.std**2

    @property
    def std(self) -> Any:
        """E √(e^{s²} − 1)."""
        return self.mean * np.sqrt(np.expm1(self.log_std**2))

    @property
    def mode(self) -> Any:
        """e^{m − s²}."""
        return np.exp(self.log_mean - self.log_std**2)

    def entropy(self) -> Any:
        """That of the logarithm, plus m."""
        return self.log.entropy() + self.log_mean

    # -- densities and tails ---------------------------------------------------------------------------------------
    def log_prob(self, x: Any) -> Any:
        """Log density; −∞ at and below zero."""
        a, inside = _logarithm(x)
        return np.where(
            inside, self.log.log_prob(np.where(inside, a, 0.0)) - np.where(inside, a, 0.0), -np.inf
        )[()]

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""
        return self.log.cdf(_logarithm(x)[0])

    def sf(self, x: Any) -> Any:
        """P(X > x)."""
        return self.log.sf(_logarithm(x)[0])

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x)."""
        return self.log.log_cdf(_logarithm(x)[0])

    def log_sf(self, x: Any) -> Any:
        """log P(X > x)."""
        return self.log.log_sf(_logarithm(x)[0])

    # -- quantiles, sampling, fitting ----------------------------------------------------------------------------
    def quantile(self, p: Any) -> Any:
        """e to the quantile of the logarithm."""
        return np.exp(self.log.quantile(p))

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        return np.exp(self.log.sample(n, rng))

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Moments:
        """n, mean and scatter of the logarithms."""
        return Normal.statistics(np.log(x), weight)

    @classmethod
    def fit(cls, x: Any, weight: Any = None) -> LogNormal:
        """Maximum likelihood from positive numbers; weight 2 counts a row twice."""
        found = Normal.from_statistics(cls.statistics(x, weight))
        return cls(found.mean, found.std)

    @property
    def n_parameters(self) -> int:
        """Mean and standard deviation of the logarithm."""
        return 2


def _logarithm(x: Any) -> tuple[np.ndarray, np.ndarray]:
    """log x, −∞ at and below zero; and where it is finite from below."""
    x = np.asarray(x, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x > 0, np.log(x), -np.inf), x > 0
