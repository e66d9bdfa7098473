r"""The empirical distribution of a sample, possibly weighted.

Probability  P(X = x) = Σ w over the observations equal to x, over Σ w
Quantiles    by the inverse of the distribution function: always one of the observations
Fit          the sample itself
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, final

import numpy as np
from scipy.special import entr

from suffice._core.errors import InvalidParameter
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._checks import (
    assign,
    check_total,
    common_shape,
    frozen,
    of_vector,
    parameter,
    probability,
    real,
    sample_shape,
)
from suffice.distributions._kinds import FitsFromStatistics, SummedTails, root_of_variance
from suffice.distributions._numerics.discrete import at_rung, entry_at, log_at_value, rung, sums
from suffice.statistics import Counts


@final
@record
class Empirical(FitsFromStatistics, SummedTails):
    """The observations themselves, each as probable as its weight.

    Parameters
    ----------
    values
        Observations, one or more per distribution along the last axis. They are sorted; a single sample
        also has equal ones merged and those of weight zero dropped.
    weight
        How often each was seen, once unless given.

    Examples
    --------
    >>> from suffice.distributions import Empirical
    >>> d = Empirical([3.0, 1.0, 2.0, 2.0])
    >>> print(d.values, d.weight, d.mean, d.quantile([0.25, 0.5, 0.9]))
    [1. 2. 3.] [1. 2. 1.] 2.0 [1. 2. 3.]
    """

    values: Any
    weight: Any = None
    # probabilities (..., N), the whole mass on the first of equals
    _share: Any = field(init=False, repr=False)

    _event_ndim: ClassVar[dict[str, int]] = {"values": 1, "weight": 1}
    _discrete: ClassVar[bool] = True
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        values = parameter("values", self.values)
        if values.ndim == 0 or values.shape[-1] == 0:
            raise InvalidParameter(f"values must have shape (..., N), N >= 1; got {values.shape}.")
        weight = np.ones(values.shape) if self.weight is None else parameter("weight", self.weight, low=0.0)
        if weight.shape[-1:] != values.shape[-1:]:
            raise InvalidParameter(
                f"weight must have one number per value; got {weight.shape} for {values.shape}."
            )
        shape = (*common_shape(values=values.shape[:-1], weight=weight.shape[:-1]), values.shape[-1])
        values, weight = np.broadcast_to(values, shape), np.broadcast_to(weight, shape)
        if np.any(weight.sum(axis=-1) <= 0):
            raise InvalidParameter("weight must have a positive sum; got zero.")
        order = np.argsort(values, axis=-1, kind="stable")
        values, weight = (np.take_along_axis(v, order, axis=-1) for v in (values, weight))
        total = _on_first_of_equals(values, weight)
        if values.ndim == 1:
            values, weight = values[total > 0], total[total > 0]
            total = weight
        share = frozen(total / total.sum(axis=-1, keepdims=True))
        assign(self, values=frozen(values), weight=frozen(weight), _share=share)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """Σ w x / Σ w."""
        return np.sum(self._share * self.values, axis=-1)

    @property
    def var(self) -> Any:
        """Σ w (x − mean)² / Σ w."""
        return np.sum(self._share * (self.values - np.asarray(self.mean)[..., None]) ** 2, axis=-1)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The most frequent value; the smallest of several."""
        return entry_at(self.values, np.argmax(self._share, axis=-1))[()]

    def entropy(self) -> Any:
        """−Σ π log π over the different values."""
        return entr(self._share).sum(axis=-1)

    @property
    def _below(self) -> np.ndarray:
        """Shares up to each value, after a zero; of counts to the last digit, so that their quantiles are exact."""
        if self.values.ndim > 1:
            return sums(self._share)[0]
        up_to = np.cumsum(self.weight)
        return np.concatenate([[0.0], up_to / up_to[-1]])

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log share of the observations equal to x; −inf where there are none."""
        return log_at_value(self._share, self.values, real(x, self.batch_shape))

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x): the share of observations up to x."""
        return at_rung(self._below, self.values, real(x, self.batch_shape))

    def sf(self, x: Any) -> Any:
        """P(X > x): the share of observations above x."""
        return at_rung(sums(self._share)[1], self.values, real(x, self.batch_shape))

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest observation with P(X ≤ observation) ≥ p."""
        below = self._below[..., 1:]
        p = np.asarray(probability(p, self.batch_shape))
        if self.values.ndim == 1:
            return self.values[np.searchsorted(below, p)]
        return entry_at(self.values, np.argmax((below >= p[..., None]) & (below > 0), axis=-1))

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws with replacement, shape (n, *batch)."""
        u = generator(rng).random(sample_shape(n, self.batch_shape))
        return entry_at(self.values, rung(self._below[..., 1:], u))[()]

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Counts:
        """Total weight of each value: as much as the sample itself."""
        return of_vector(Counts, x, weight)

    @classmethod
    def from_statistics(cls, statistics: Counts) -> Empirical:
        """The values and their weights."""
        check_total(statistics.n)
        return cls(statistics.classes, statistics.counts)

    @property
    def n_parameters(self) -> int:
        """One less than there are values."""
        return self.values.shape[-1] - 1


def _on_first_of_equals(values: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weights of sorted values (..., N), those of equal values summed on the first of them."""
    out = np.zeros(weight.shape)
    rows = (a.reshape(-1, values.shape[-1]) for a in (values, weight, out))
    for v, w, total in zip(*rows, strict=True):
        first = np.flatnonzero(np.r_[True, v[1:] != v[:-1]])
        total[first] = np.add.reduceat(w, first)
    return out
