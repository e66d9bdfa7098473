r"""The multinomial distribution: how often each of K classes occurs in n independent trials.

Probability  P(x) = n! / (x₁! … x_K!) · Π p_k^x_k,  Σ x_k = n
             log P = −Σ D(x_k, n p_k) + E(n) − Σ E(x_k), free of cancellation
Moments      E x = n p,  cov x = n (diag p − p pᵀ)
Mode         units handed out one by one, each to the largest p_k/(x_k + 1)
Fit          p_k = Σ w x_k / Σ w n
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import xlog1py, xlogy

from suffice._core.errors import InvalidParameter
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Multivariate
from suffice.distributions._checks import assign, check_total, common_shape, parameter, sample_shape, weights
from suffice.distributions._kinds import FitsFromStatistics, last_axis_of, root_of_variance
from suffice.distributions._numerics.counts import (
    apportion,
    are_counts,
    expected,
    last_axis,
    rows_of_counts,
    whole,
)
from suffice.distributions._numerics.excess import excess
from suffice.distributions._numerics.natural import NaturalMean
from suffice.distributions._numerics.simplex import chosen_and_rest, normalized, surplus
from suffice.distributions._numerics.special import deviance
from suffice.distributions.univariate.binomial import Binomial


@final
@record
class Multinomial(FitsFromStatistics, Multivariate):
    """Counts of K classes in n trials.

    Parameters
    ----------
    n
        Number of trials: what the counts sum to.
    probabilities
        One number per class, summing to one.

    Examples
    --------
    >>> from suffice.distributions import Multinomial
    >>> d = Multinomial(6, [0.5, 0.3, 0.2])
    >>> print(f"{d.prob([3, 2, 1]):.3f}", d.mean, d.mode)
    0.135 [3.  1.8 1.2] [3. 2. 1.]
    >>> Multinomial.fit([[3, 1], [2, 2]])
    Multinomial(n=4, probabilities=[0.625, 0.375])
    """

    n: Any
    probabilities: Any

    _event_ndim: ClassVar[dict[str, int]] = {"n": 0, "probabilities": 1}
    _discrete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        n, p = whole("n", self.n), parameter("probabilities", self.probabilities, low=0.0)
        if p.ndim == 0 or p.shape[-1] == 0:
            raise InvalidParameter(f"probabilities must have shape (..., K), K >= 1; got {p.shape}.")
        batch = common_shape(n=n.shape, probabilities=p.shape[:-1])
        p = np.broadcast_to(normalized(p), (*batch, p.shape[-1]))
        assign(self, n=np.broadcast_to(n, batch)[()], probabilities=p)

    dim = last_axis_of("probabilities", "Number of classes, K.")

    @property
    def _n(self) -> np.ndarray:
        return np.asarray(self.n)[..., None]

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """n p."""
        return self._n * self.probabilities

    @property
    def var(self) -> Any:
        """n p (1 − p) for each class."""
        return self.mean * (1 - self.probabilities)

    std = root_of_variance

    @property
    def cov(self) -> Any:
        """n (diag p − p pᵀ), (..., K, K)."""
        p = self.probabilities
        return self._n[..., None] * (p[..., None] * np.eye(self.dim) - p[..., None] * p[..., None, :])

    @property
    def mode(self) -> Any:
        """The most probable counts; one of several."""
        return apportion(np.asarray(self.n), self.probabilities)

    def entropy(self) -> Any:
        """Σ_k E[D(x_k, n p_k) + E(x_k)] − E(n): a sum over each class's binomial counts."""
        pairs = zip(np.ravel(self.n), self.probabilities.reshape(-1, self.dim), strict=True)
        sums = [sum(_surprise(n, p) for p in row if p > 0) - excess(n) for n, row in pairs]
        return np.reshape(sums, self.batch_shape)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log probability; −inf for vectors that are not counts summing to n."""
        x = last_axis(x, self.dim, self.batch_shape)
        inside = are_counts(x, self.n)
        x_in = np.where(inside[..., None], x, self.mode)
        value = excess(self.n) - np.sum(excess(x_in) + deviance(x_in, self.mean), axis=-1)
        value = value + self.n * surplus(self.probabilities) - self._rounding(x_in)
        return np.where(np.isnan(x).any(axis=-1), np.nan, np.where(inside, value, -np.inf))[()]

    def _rounding(self, x: np.ndarray) -> np.ndarray:
        """What Σ D(x, n p) misses where n p is rounded to a double: felt from a billion trials on."""
        lost = np.asarray(np.longdouble(self._n) * self.probabilities - self.mean, dtype=float)
        slope = 1 - np.divide(
            x, self.mean, out=np.ones(np.broadcast_shapes(x.shape, lost.shape)), where=self.mean > 0
        )
        return np.sum(lost * slope, axis=-1)

    # -- quantiles and sampling ----------------------------------------------------------------------

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval of each count by itself: (low, high), both (..., K)."""
        return Binomial(self._n, self.probabilities).interval(level)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` vectors of counts, shape (n, *batch, K)."""
        shape = sample_shape(n, self.batch_shape)
        return generator(rng).multinomial(np.asarray(self.n, dtype=int), self.probabilities, shape)

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> NaturalMean:
        """Total weight and mean counts of rows that sum to the same number of trials."""
        table, _ = rows_of_counts(x)
        return NaturalMean.of(table, weights(weight, len(table)))

    @classmethod
    def from_statistics(cls, statistics: NaturalMean) -> Multinomial:
        """Maximum likelihood: mean counts over the number of trials."""
        check_total(statistics.n)
        n = np.round(total := statistics.mean.sum(), 9)
        if n == 0:
            raise InvalidParameter("probabilities cannot be fitted to rows without a single count.")
        return cls(n, statistics.mean / total)

    @property
    def n_parameters(self) -> int:
        """K − 1: the probabilities sum to one, and n is known."""
        return self.dim - 1

    # -- marginals and conditionals ----------------------------------------------------------------------

    def marginal(self, idx: Any) -> Binomial | Multinomial:
        """One class against all others, a `Binomial`; a list gives those classes and the rest, last."""
        chosen, rest = chosen_and_rest(self.probabilities, idx)
        if rest is None:
            return Binomial(self.n, chosen)
        return Multinomial(self.n, np.concatenate([chosen, rest], axis=-1))


def _surprise(n: float, p: float) -> float:
    """E[D(x, np) + E(x)] for x ~ Binomial(n, p)."""
    if p == 1 or n == 0:
        return float(excess(n))

    def log_prob(x: np.ndarray) -> np.ndarray:
        return xlogy(x, p) + xlog1py(n - x, -p) + log_choose(n, x)

    def log_choose(n: float, x: np.ndarray) -> np.ndarray:
        return excess(n) - excess(x) - excess(n - x) - xlogy(x, x / n) - xlogy(n - x, 1 - x / n)

    return expected(log_prob, lambda x: deviance(x, n * p) + excess(x), n, n * p, np.sqrt(n * p * (1 - p)))
