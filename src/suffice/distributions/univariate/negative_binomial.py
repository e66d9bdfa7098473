r"""The negative binomial distribution: a Poisson whose rate is drawn from a gamma distribution.

Probability  P(X = k) = Γ(a + k)/(k! Γ(a)) qᵃ pᵏ,  q = β/(β + 1),  p = 1/(β + 1)
             = qᵃ pᵏ / (k B(a, k)) for k > 0, with all terms of the beta kernel small where P is large
Tails        P(X > k) = I_p(k + 1, a), the incomplete beta function
Fit          β = a/mean; a by Newton's method for log a, finite where the variance exceeds the mean
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import betainc, betaincc, polygamma

from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, warn
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import (
    assign,
    broadcast,
    check_total,
    parameter,
    positive_parameters,
    probability,
    real,
    sample_shape,
    weights,
)
from suffice.distributions._kinds import FitsFromStatistics, always, root_of_variance
from suffice.distributions._numerics.discrete import first_integer, masked, on_integers, sample_counts, steps
from suffice.distributions._numerics.newton import maximize
from suffice.distributions._numerics.special import (
    digamma_gap,
    log_beta_kernel,
    log_beta_lower,
    log_beta_upper,
)
from suffice.statistics import Counts

_FAR = 1e100  # counts from which tails are geometric
_DIRECT = 2**16  # so many terms of a sum are added one by one
_ENDLESS = 1e6  # times the mean, or 1 if that is less: a shape that no counts tell from a larger one
_LARGE = 30.0  # shapes from which the series of ψ′ has ten digits and more


@final
@record
class NegativeBinomial(FitsFromStatistics, Univariate):
    """Counts of events whose rate is itself unknown: what a gamma belief predicts.

    Parameters
    ----------
    shape
        Shape a of the gamma distribution of the rate. Large values make it a Poisson, small ones a heavy tail.
    rate
        Its rate β: the mean count is a/β.

    Examples
    --------
    >>> from suffice.distributions import NegativeBinomial
    >>> d = NegativeBinomial(shape=3.0, rate=0.5)
    >>> print(f"{d.mean} {d.var} {d.mode} {d.prob(4):.5f} {d.sf(10):.5f}")
    6.0 18.0 3.0 0.10974 0.13873
    >>> NegativeBinomial.from_probability(3, 1 / 3)  # failures before the third success
    NegativeBinomial(shape=3, rate=0.5)
    """

    shape: Any
    rate: Any

    _event_ndim: ClassVar[dict[str, int]] = {"shape": 0, "rate": 0}
    _discrete: ClassVar[bool] = True
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        assign(self, **broadcast(**positive_parameters(self, "shape", "rate")))

    @property
    def _p(self) -> Any:
        return 1 / (self.rate + 1)

    @property
    def _q(self) -> Any:
        return self.rate / (self.rate + 1)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """a/β."""
        return self.shape / self.rate

    @property
    def var(self) -> Any:
        """mean (1 + 1/β)."""
        return self.mean * (1 + 1 / self.rate)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The most probable count, ⌈(a − 1)/β⌉ − 1 but not below 0; the smaller of two."""
        return np.maximum(np.ceil((self.shape - 1) / self.rate) - 1, 0.0)[()]

    def entropy(self) -> Any:
        """−Σ P log P: term by term, and far out by the formula of Euler and Maclaurin."""
        pairs = zip(np.ravel(self.shape), np.ravel(self.rate), strict=True)
        return np.reshape([_entropy(NegativeBinomial(a, b)) for a, b in pairs], self.batch_shape)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """log P(X = x); −inf for what is not a possible count."""
        x = real(x, self.batch_shape)
        k, inside = on_integers(x)
        return masked(_log_mass(k, self.shape, self.rate), inside, x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ k) = I_q(a, k + 1)."""
        return steps(real(x, self.batch_shape), lambda k: self._tail(k, betainc, betaincc), 0.0, 1.0)

    def sf(self, x: Any) -> Any:
        """P(X > k) = I_p(k + 1, a)."""
        return steps(real(x, self.batch_shape), lambda k: self._tail(k, betaincc, betainc), 1.0, 0.0)

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        x = real(x, self.batch_shape)
        return steps(x, lambda k: self._tail(k, log_beta_lower, log_beta_upper), -np.inf, 0.0)

    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        return steps(real(x, self.batch_shape), self._log_upper, 0.0, -np.inf)

    def _log_upper(self, k: Any) -> Any:
        """log P(X > k); beyond all doubt a geometric series, P(X = k)/β."""
        near = self._tail(np.minimum(k, _FAR), log_beta_upper, log_beta_lower)
        far = _log_mass(np.maximum(k, _FAR), self.shape, self.rate) - np.log(self.rate)
        return np.where(k < _FAR, near, far)

    def _tail(self, k: Any, of_q: Any, of_p: Any) -> Any:
        """One function of q or its mirror image of p, whichever of the two is small and so has its digits."""
        a, k, p, q, small = np.broadcast_arrays(self.shape, np.add(k, 1.0), self._p, self._q, self.rate < 1)
        found = np.empty(a.shape)
        found[small] = of_q(a[small], k[small], q[small])
        found[~small] = of_p(k[~small], a[~small], p[~small])
        return found

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest count with P(X ≤ count) ≥ p; infinite for p = 1."""
        p = probability(p, self.batch_shape)
        inside = np.where(p == 1, 0.5, p)
        found = first_integer(lambda k: self.cdf(k) >= inside, -1.0, self._largest_count() + 0 * inside)
        return np.where(p == 1, np.inf, found)[()]

    def _largest_count(self) -> Any:
        """A count that is exceeded with probability below 1e-17."""
        most = np.ceil(self.mean + 8 * self.std) + 8
        while np.any(far := self.sf(most) > 1e-17):
            most = np.where(far, 2 * most, most)
        return most

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch): a rate, then a count."""
        rng, shape = generator(rng), sample_shape(n, self.batch_shape)
        return rng.poisson(rng.standard_gamma(self.shape, shape) / self.rate)

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Counts:
        """How often each count occurred."""
        x = sample_counts(x)
        return Counts.of(x.astype(np.int64), weights(weight, len(x)))

    @classmethod
    def from_statistics(cls, statistics: Counts) -> NegativeBinomial:
        """Maximum likelihood: the mean, and the shape by Newton's method.

        Counts that vary no more than Poisson ones have no such shape; a large one is given in its place.
        """
        check_total(statistics.n)
        seen = statistics.counts > 0
        k, share = statistics.classes[seen].astype(float), statistics.counts[seen] / statistics.n
        mean = float(share @ k)
        if mean == 0:
            raise InvalidInput("x must not be all 0: the likelihood of a rate has no maximum.")
        surplus, most = float(share @ (k - mean) ** 2) - mean, _ENDLESS * max(mean, 1.0)
        shape = min(_best_shape(k, share, mean, mean**2 / surplus), most) if surplus > 0 else most
        if shape == most:
            warn(
                "NegativeBinomial.fit ran off: the counts vary no more than Poisson ones, so the shape has no "
                f"end and was set to {most:.3g}; use Poisson.",
                AtBound,
            )
        return cls(shape, shape / mean)

    n_parameters = always(2, "Shape and rate.")

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_probability(cls, size: Any, p: Any) -> NegativeBinomial:
        """Failures before the success number `size`, each trial succeeding with probability p < 1."""
        p = parameter("p", p, low=0.0, strict=True)
        if np.any(p >= 1):
            raise InvalidParameter(f"p must be < 1; got {p[p >= 1].flat[0]}.")
        return cls(size, p / (1 - p))

    @classmethod
    def from_mean(cls, mean: Any, shape: Any) -> NegativeBinomial:
        """From the mean count and the shape."""
        shape = parameter("shape", shape, low=0.0, strict=True)
        return cls(shape, shape / parameter("mean", mean, low=0.0, strict=True))


def _log_mass(k: Any, a: Any, rate: Any) -> Any:
    """log P(X = k) of integers, and of real numbers between them."""
    p, q = 1 / (rate + 1), rate / (rate + 1)
    positive = np.where(k > 0, k, 1.0)
    value = log_beta_kernel(a, positive, q, p) - np.log(positive)
    return np.where(k > 0, value, -a * np.log1p(1 / rate))


def _best_shape(k: np.ndarray, share: np.ndarray, mean: float, start: float) -> float:
    """The likeliest shape for counts k with their shares, where these vary more than Poisson ones."""

    def likelihood(theta: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
        a = float(np.exp(theta[0]))
        rise, bend = (share @ part for part in _rise(a, k))
        value, slope = share @ _log_mass(k, a, a / mean), rise - np.log1p(mean / a)
        hessian = a * a * (bend + mean / (a * (a + mean))) + a * slope
        return value, np.array([a * slope]), np.array([[hessian]])

    log_start = np.log(np.clip(start, 1e-3, _ENDLESS * max(mean, 1.0)))
    return float(np.exp(maximize(likelihood, [log_start], least_gain=1e-22).theta[0]))


def _rise(a: float, k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """ψ(a + k) − ψ(a) and its slope in a, which for large a are small differences of large numbers."""
    rise = np.log1p(k / a) - (digamma_gap(a + k) - digamma_gap(a))
    if a < _LARGE:
        return rise, polygamma(1, a + k) - polygamma(1, a)
    half = k * (2 * a + k) / (2 * a**2 * (a + k) ** 2)  # of the series 1/x + 1/(2 x²) + 1/(6 x³) − … for ψ′
    return rise, -k / (a * (a + k)) - half + _trigamma_rest(a + k) - _trigamma_rest(a)


def _trigamma_rest(x: Any) -> Any:
    return (1 / 6 - (1 / 30 - (1 / 42 - 1 / (30 * x**2)) / x**2) / x**2) / x**3


def _entropy(d: NegativeBinomial) -> float:
    """−Σ P log P up to where the tail is negligible."""

    def term(k: Any) -> Any:
        logs = _log_mass(k, d.shape, d.rate)
        return -np.exp(logs) * np.maximum(logs, -1e300)

    low, high = max(float(d.quantile(1e-18)) - 1, 0.0), 4 * float(d._largest_count())
    start = low + _DIRECT
    head = float(np.sum(term(np.arange(low, min(start, high) + 1))))
    if start >= high:
        return head
    edges = np.geomspace(start, high, 200)
    x, w = np.polynomial.legendre.leggauss(12)
    half, middle = np.diff(edges)[:, None] / 2, ((edges[1:] + edges[:-1]) / 2)[:, None]
    slope = float(term(start + 1) - term(start - 1)) / 2
    tail = float(np.sum(half * w * term(middle + half * x)))
    return head - float(term(start)) / 2 + tail - slope / 12
