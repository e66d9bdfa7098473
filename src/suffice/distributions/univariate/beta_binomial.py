r"""The beta-binomial distribution: a binomial whose probability is drawn from a beta distribution.

Probability  P(X = k) = C(n, k) B(a + k, b + n − k) / B(a, b)
             = Bin(k | n, p) Beta(p | a, b) / Beta(p | a + k, b + n − k) for any p; the best one keeps all digits
Tails        sums of probabilities, at a cost of n
Fit          Newton's method for log a and log b, for a given n
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import digamma, entr, polygamma

from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, warn
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import (
    assign,
    broadcast,
    check_total,
    positive_parameters,
    probability,
    real,
    sample_shape,
    weights,
)
from suffice.distributions._kinds import always, root_of_variance
from suffice.distributions._numerics.counts import whole
from suffice.distributions._numerics.discrete import entry_at, masked, on_integers, sample_counts
from suffice.distributions._numerics.newton import maximize
from suffice.distributions._numerics.special import deviance, log_choose, stirling
from suffice.statistics import Counts


@final
@record
class BetaBinomial(Univariate):
    """Successes in n trials that share an unknown probability: what a beta belief predicts.

    Parameters
    ----------
    n
        Number of trials.
    a
        Weight of large probabilities, as in `Beta`.
    b
        Weight of small probabilities, as in `Beta`.

    Examples
    --------
    >>> from suffice.distributions import BetaBinomial
    >>> d = BetaBinomial(n=10, a=2.0, b=3.0)
    >>> print(f"{d.mean} {d.var} {d.prob(4):.5f} {d.cdf(4):.5f}")
    4.0 6.0 0.13986 0.59441
    """

    n: Any
    a: Any
    b: Any

    _event_ndim: ClassVar[dict[str, int]] = {"n": 0, "a": 0, "b": 0}
    _discrete: ClassVar[bool] = True
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        assign(self, **broadcast(n=whole("n", self.n), **positive_parameters(self, "a", "b")))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """n a/(a + b)."""
        return self.n * (self.a / (self.a + self.b))

    @property
    def var(self) -> Any:
        """mean (1 − mean/n) (a + b + n)/(a + b + 1)."""
        s = self.a + self.b
        return self.n * (self.a / s) * (self.b / s) * ((s + self.n) / (s + 1))

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The most probable count, inside or at an end; the smallest of several."""
        size = self.a + self.b - 2
        inner = np.ceil((self.n * (self.a - 1) - (self.b - 1)) / np.where(size > 0, size, 1.0))
        inner = np.clip(np.where(size > 0, inner, 0.0), 0.0, self.n)
        candidates = np.stack([np.zeros(self.batch_shape), inner, self.n + 0 * inner])
        best = np.argmax(self.log_prob(candidates), axis=0)
        return np.take_along_axis(candidates, best[None], axis=0)[0][()]

    def entropy(self) -> Any:
        """−Σ P log P."""
        return entr(self._probabilities()).sum(axis=-1)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """log P(X = x); −inf for what is not a possible count."""
        x = real(x, self.batch_shape)
        k, inside = on_integers(x, self.n)
        return masked(_log_mass(np.minimum(k, self.n), self.n, self.a, self.b), inside, x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""
        return np.exp(self.log_cdf(x))

    def sf(self, x: Any) -> Any:
        """P(X > x)."""
        return np.exp(self.log_sf(x))

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        return self._entry(x, self._log_sums()[0])

    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        return self._entry(x, self._log_sums()[1])

    def _entry(self, x: Any, table: np.ndarray) -> Any:
        x = real(x, self.batch_shape)
        index = np.clip(np.where(np.isnan(x), 0.0, np.floor(x)), -1, self.n).astype(int)
        return np.where(np.isnan(x), np.nan, entry_at(table, index + 1))[()]

    def _logs(self) -> np.ndarray:
        """log P(X = k) for k = 0 … the largest n, (..., K)."""
        support = np.arange(np.max(self.n, initial=0.0) + 1)
        return np.moveaxis(self.log_prob(support.reshape(-1, *[1] * len(self.batch_shape))), 0, -1)

    def _probabilities(self) -> np.ndarray:
        return np.exp(self._logs())

    def _log_sums(self) -> tuple[np.ndarray, np.ndarray]:
        """log P(X < k) and log P(X ≥ k) for k = 0 … K, each from the smaller of the two."""
        logs = self._logs()
        edge = np.full((*logs.shape[:-1], 1), -np.inf)
        below = np.concatenate([edge, np.logaddexp.accumulate(logs, axis=-1)], axis=-1)
        above = np.concatenate([np.logaddexp.accumulate(logs[..., ::-1], axis=-1)[..., ::-1], edge], axis=-1)
        with np.errstate(divide="ignore"):
            return (
                np.where(below < above, below, np.log1p(-np.exp(np.minimum(above, -0.5))) + 0.0),
                np.where(below < above, np.log1p(-np.exp(np.minimum(below, -0.5))) + 0.0, above),
            )

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest count with P(X ≤ count) ≥ p."""
        p = np.asarray(probability(p, self.batch_shape))
        below = np.exp(self._log_sums()[0][..., 1:])
        return np.where(p == 1, self.n, np.minimum(np.argmax(below >= p[..., None], axis=-1), self.n))[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch): a probability, then a count."""
        rng, shape = generator(rng), sample_shape(n, self.batch_shape)
        return rng.binomial(np.asarray(self.n).astype(np.int64), rng.beta(self.a, self.b, shape), shape)

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Counts:
        """How often each count occurred."""
        x = sample_counts(x)
        return Counts.of(x.astype(np.int64), weights(weight, len(x)))

    @classmethod
    def from_statistics(cls, statistics: Counts, n: Any = None) -> BetaBinomial:
        """Maximum likelihood for a given number of trials, by Newton's method for log a and log b."""
        n = _trials(n)
        check_total(statistics.n)
        seen = statistics.counts > 0
        k, share = statistics.classes[seen].astype(float), statistics.counts[seen] / statistics.n
        mean = float(share @ k) / n
        if k.max() > n:
            raise InvalidInput(f"x must be integers from 0 to {n:g}; got {k.max()}.")
        if not 0 < mean < 1:
            raise InvalidInput(f"x must not be all 0 or all {n:g}: the likelihood has no maximum.")

        def likelihood(theta: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
            a, b = np.exp(theta)

            def growth(order: int) -> tuple[Any, Any, Any]:
                f = digamma if order == 0 else (lambda v: polygamma(order, v))
                return share @ f(a + k) - f(a), share @ f(b + n - k) - f(b), f(a + b + n) - f(a + b)

            (g_a, g_b, g), (h_a, h_b, h) = growth(0), growth(1)
            gradient = np.array([a * (g_a - g), b * (g_b - g)])
            hessian = np.array([[a * a * (h_a - h), -a * b * h], [-a * b * h, b * b * (h_b - h)]])
            return share @ _log_mass(k, n, a, b), gradient, hessian + np.diag(gradient)

        size = _moment_size(float(share @ (k / n - mean) ** 2), mean, n)
        a, b = np.exp(maximize(likelihood, np.log([mean * size, (1 - mean) * size])).theta)
        if a + b > 1e6 * n:
            warn(
                "BetaBinomial.fit ran off: the counts vary no more than binomial ones, so a + b has no end; "
                "use Binomial.",
                AtBound,
            )
        return cls(n, a, b)

    @classmethod
    def fit(cls, x: Any, weight: Any = None, n: Any = None) -> BetaBinomial:
        """Maximum likelihood from counts out of `n` ≥ 2 trials each, which must be given."""
        return cls.from_statistics(cls.statistics(x, weight), n)

    n_parameters = always(2, "a and b; n is given.")


def _log_mass(k: Any, n: Any, a: Any, b: Any) -> Any:
    """log P(X = k) through p = (a + k)/(a + b + n), where the third factor is at its mean."""
    m, s = n - k, a + b
    a1, b1, s1 = a + k, b + m, s + n
    p, q = a1 / s1, b1 / s1
    fit = deviance(k, n * p) + deviance(m, n * q) + deviance(a, s * p) + deviance(b, s * q)
    prior = 0.5 * np.log(a / a1) + 0.5 * np.log(b / b1) + 0.5 * np.log(s1 / s)
    corrections = stirling(s) - stirling(a) - stirling(b) - stirling(s1) + stirling(a1) + stirling(b1)
    return log_choose(n, k) + prior + corrections - fit


def _trials(n: Any) -> float:
    if n is None or np.ndim(n):
        raise InvalidParameter(f"n must be given to a fit, one number of trials for all; got {n!r}.")
    if float(whole("n", n)) < 2:
        raise InvalidParameter(f"n must be >= 2 in a fit: one trial cannot tell a + b; got {n!r}.")
    return float(n)


def _moment_size(var: float, mean: float, n: float) -> float:
    """a + b that gives this variance of x/n, kept within reason: a start."""
    excess = var / (mean * (1 - mean)) - 1 / n
    return float(np.clip((1 - 1 / n) / max(excess, 1e-9) - 1, 0.1, 100 * n))
