r"""The uniform distribution on an interval.

Density      p(x) = 1/(h − l) for l ≤ x ≤ h
Fit          the smallest and the largest value of positive weight

l = h is the point mass there: a fit to one value yields it.
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np

from suffice._core.errors import InvalidParameter
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
)
from suffice.distributions._kinds import FitsFromStatistics, always, squared_std
from suffice.distributions._numerics.discrete import masked
from suffice.distributions._numerics.statistics import Range


@final
@record
class Uniform(FitsFromStatistics, Univariate):
    """Every number of an interval alike.

    Parameters
    ----------
    low
        Lower end.
    high
        Upper end, not below the lower one.

    Examples
    --------
    >>> from suffice.distributions import Uniform
    >>> d = Uniform(low=-1.0, high=3.0)
    >>> print(d.mean, d.prob(0.0), d.between(0, 1))
    1.0 0.25 0.25
    >>> Uniform.fit([0.4, 0.1, 0.9])
    Uniform(low=0.1, high=0.9)
    """

    low: Any
    high: Any

    _event_ndim: ClassVar[dict[str, int]] = {"low": 0, "high": 0}
    _smooth: ClassVar[bool] = True

    def __post_init__(self) -> None:
        made = broadcast(low=parameter("low", self.low), high=parameter("high", self.high))
        wrong = np.asarray(made["high"] < made["low"])
        if np.any(wrong):
            low, high = (np.asarray(v)[wrong].flat[0] for v in made.values())
            raise InvalidParameter(f"high must be >= low; got {high} for low = {low}.")
        with np.errstate(over="ignore"):
            parameter("high - low", made["high"] - made["low"])
        assign(self, **made)

    @property
    def _width(self) -> Any:
        return self.high - self.low

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """The middle, (l + h)/2."""
        return self.low + self._width / 2

    var = squared_std("(h − l)²/12.")

    @property
    def std(self) -> Any:
        """(h − l)/√12."""
        return self._width / np.sqrt(12)

    @property
    def mode(self) -> Any:
        """The middle: the density is as high anywhere inside."""
        return self.mean

    def entropy(self) -> Any:
        """log(h − l); −inf for a point mass."""
        with np.errstate(divide="ignore"):
            return np.log(self._width)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """−log(h − l) inside, −inf outside; for a point mass inf at the point."""
        x = real(x, self.batch_shape)
        return masked(-self.entropy(), (x >= self.low) & (x <= self.high), x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x) = (x − l)/(h − l)."""
        x = real(x, self.batch_shape)
        return self._share(x - self.low, x >= self.high)

    def sf(self, x: Any) -> Any:
        """P(X > x) = (h − x)/(h − l)."""
        x = real(x, self.batch_shape)
        return self._share(np.where(x >= self.high, 0.0, self.high - x), x < self.low)

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x)."""
        with np.errstate(divide="ignore"):
            return np.where(self.cdf(x) < 0.5, np.log(self.cdf(x)), np.log1p(-self.sf(x)) + 0.0)[()]

    def log_sf(self, x: Any) -> Any:
        """log P(X > x)."""
        with np.errstate(divide="ignore"):
            return np.where(self.sf(x) < 0.5, np.log(self.sf(x)), np.log1p(-self.cdf(x)) + 0.0)[()]

    def _share(self, length: Any, whole: Any) -> Any:
        """A length as a share of the width; one where it is known to be the whole."""
        part = np.clip(length, 0.0, self._width) / np.where(self._width > 0, self._width, 1.0)
        return np.where(whole, 1.0, part)[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """l + p (h − l), measured from the nearer end."""
        p = probability(p, self.batch_shape)
        return np.where(p < 0.5, self.low + p * self._width, self.high - (1 - p) * self._width)[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        return self.low + self._width * generator(rng).random(sample_shape(n, self.batch_shape))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Range:
        """n and the range of a vector."""
        return of_vector(Range, x, weight)

    @classmethod
    def from_statistics(cls, statistics: Range) -> Uniform:
        """Maximum likelihood: the range."""
        check_total(statistics.n)
        return cls(statistics.low, statistics.high)

    n_parameters = always(2, "Both ends.")
