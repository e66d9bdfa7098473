r"""A discrete distribution: some numbers, each with its probability.

Probability  P(X = v_k) = π_k,  Σ π_k = 1; equal values are merged and the values sorted
Moments      E X = Σ π v,  Var X = Σ π (v − E X)²
Fit          π_k = n_k / n over the values that occurred
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import entr

from suffice._core.errors import InvalidParameter
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._checks import (
    assign,
    check_total,
    frozen,
    of_vector,
    parameter,
    probability,
    real,
    sample_shape,
)
from suffice.distributions._kinds import FitsFromStatistics, SummedTails, root_of_variance
from suffice.distributions._numerics.discrete import at_rung, log_at_value, rung, sums
from suffice.distributions._numerics.simplex import normalized
from suffice.statistics import Counts


@final
@record
class Discrete(FitsFromStatistics, SummedTails):
    """Numbers with probabilities.

    Parameters
    ----------
    values
        The possible numbers, shared by a batch; equal ones are merged.
    probabilities
        One number per value, summing to one.

    Examples
    --------
    >>> from suffice.distributions import Discrete
    >>> die = Discrete([-2, 1, 1, 4, 4, 10], [1 / 6] * 6)
    >>> print(die.values, f"{die.mean:.1f} {die.var:.1f} {die.prob(4):.4f}")
    [-2.  1.  4. 10.] 3.0 14.0 0.3333
    """

    values: Any
    probabilities: Any

    _event_ndim: ClassVar[dict[str, int]] = {"probabilities": 1}
    _discrete: ClassVar[bool] = True
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        values = parameter("values", self.values)
        p = parameter("probabilities", self.probabilities, low=0.0)
        if values.ndim != 1 or p.ndim == 0 or p.shape[-1:] != values.shape or len(values) == 0:
            raise InvalidParameter(
                f"values must have shape (K,) and probabilities (..., K), K >= 1; got {values.shape} and {p.shape}."
            )
        values, index = np.unique(values, return_inverse=True)
        if len(values) < p.shape[-1] or np.any(np.diff(index) < 0):
            p = np.add.reduceat(
                p[..., np.argsort(index, kind="stable")],
                np.searchsorted(np.sort(index), range(len(values))),
                -1,
            )
        assign(self, values=frozen(values), probabilities=normalized(p))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """Σ π v."""
        return self.probabilities @ self.values

    @property
    def var(self) -> Any:
        """Σ π (v − mean)²."""
        return np.sum(self.probabilities * (self.values - np.asarray(self.mean)[..., None]) ** 2, axis=-1)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The most probable value; the smallest of several."""
        return self.values[np.argmax(self.probabilities, axis=-1)]

    def entropy(self) -> Any:
        """−Σ π log π."""
        return entr(self.probabilities).sum(axis=-1)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """log π of the value x; −inf for what is none of the values."""
        return log_at_value(self.probabilities, self.values, real(x, self.batch_shape))

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""
        return at_rung(sums(self.probabilities)[0], self.values, real(x, self.batch_shape))

    def sf(self, x: Any) -> Any:
        """P(X > x)."""
        return at_rung(sums(self.probabilities)[1], self.values, real(x, self.batch_shape))

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest value with P(X ≤ value) ≥ p; values of probability zero are passed over."""
        below = sums(self.probabilities)[0][..., 1:]
        p = np.asarray(probability(p, self.batch_shape))[..., None]
        return self.values[np.argmax((below >= p) & (below > 0), axis=-1)]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        u = generator(rng).random(sample_shape(n, self.batch_shape))
        return self.values[rung(sums(self.probabilities)[0][..., 1:], u)]

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Counts:
        """Total weight of each value."""
        return of_vector(Counts, x, weight)

    @classmethod
    def from_statistics(cls, statistics: Counts) -> Discrete:
        """Maximum likelihood: the share of each value that has weight."""
        check_total(statistics.n)
        seen = statistics.counts > 0
        return cls(statistics.classes[seen], statistics.counts[seen] / statistics.n)

    @property
    def n_parameters(self) -> int:
        """K − 1: the probabilities sum to one."""
        return len(self.values) - 1

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def equally_likely(cls, values: Any) -> Discrete:
        """Every entry of `values` alike, as the sides of a die; equal ones are merged."""
        k = np.size(values)
        return cls(values, np.full(k, 1 / max(k, 1)))
