r"""The Dirichlet distribution of K probabilities.

Density      p(x) = Γ(α₀) / Π Γ(α_k) · Π x_k^(α_k − 1) on the simplex,  α₀ = Σ α_k,
             with respect to dx₁ … dx_{K−1}
Moments      E x = α/α₀ = m,  var x = m (1 − m)/(α₀ + 1),  E log x = ψ(α) − ψ(α₀)
Fit          ψ(α_k) − ψ(α₀) = Σ w log x_k / n, by Newton: the likelihood is concave in α
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from scipy.special import polygamma, xlogy

from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, NumericalError, warn
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Multivariate
from suffice.distributions._checks import assign, check_total, parameter, sample_shape, weights
from suffice.distributions._kinds import FitsFromStatistics, conjugacy, last_axis_of, root_of_variance
from suffice.distributions._numerics.counts import last_axis
from suffice.distributions._numerics.excess import log_gamma_excess
from suffice.distributions._numerics.natural import NaturalMean
from suffice.distributions._numerics.simplex import (
    chosen_and_rest,
    on_simplex,
    others,
    rows_on_simplex,
    surplus,
)
from suffice.distributions._numerics.special import deviance, digamma_gap
from suffice.distributions.univariate.beta import Beta

if TYPE_CHECKING:
    from suffice.distributions.multivariate.dirichlet_multinomial import DirichletMultinomial
    from suffice.distributions.univariate.categorical import Categorical


@final
@record
class Dirichlet(FitsFromStatistics, Multivariate):
    """Probabilities of K classes that are themselves unknown.

    Parameters
    ----------
    alpha
        One number > 0 per class: prior counts. Their ratio sets the mean, their sum how sure it is.

    Examples
    --------
    >>> from suffice.distributions import Dirichlet
    >>> d = Dirichlet([2.0, 3.0, 4.0])
    >>> print(f"{d.prob([0.2, 0.3, 0.5]):.2f}", d.mode)
    7.56 [0.16666667 0.33333333 0.5       ]
    >>> d.marginal(0)
    Beta(a=2, b=7)
    """

    alpha: Any

    _event_ndim: ClassVar[dict[str, int]] = {"alpha": 1}

    def __post_init__(self) -> None:
        alpha = parameter("alpha", self.alpha, low=0.0, strict=True)
        if alpha.ndim == 0 or alpha.shape[-1] < 2:
            raise InvalidParameter(f"alpha must have shape (..., K), K >= 2; got {alpha.shape}.")
        assign(self, alpha=alpha)

    dim = last_axis_of("alpha", "Number of classes, K.")

    @property
    def strength(self) -> Any:
        """α₀ = Σ α_k: how many observations the distribution is worth."""
        return self.alpha.sum(axis=-1)

    @property
    def _total(self) -> np.ndarray:
        return self.alpha.sum(axis=-1, keepdims=True)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """m = α/α₀."""
        return self.alpha / self._total

    @property
    def var(self) -> Any:
        """m (1 − m)/(α₀ + 1) for each class."""
        return self.mean * others(self.alpha) / self._total / (self._total + 1)

    std = root_of_variance

    @property
    def cov(self) -> Any:
        """(diag m − m mᵀ)/(α₀ + 1), (..., K, K)."""
        m = self.mean
        outer = m[..., None] * np.eye(self.dim) - m[..., None] * m[..., None, :]
        return outer / (self._total[..., None] + 1)

    @property
    def mode(self) -> Any:
        """(α − 1)/(α₀ − K); NaN where some α_k < 1, as the density is unbounded; the mean where all are 1."""
        free = self.alpha - 1
        total = free.sum(axis=-1, keepdims=True)
        flat = np.all(free == 0, axis=-1, keepdims=True)
        inside = np.all(free >= 0, axis=-1, keepdims=True) & ~flat
        value = np.where(inside, free / np.where(inside, total, 1.0), np.nan)
        return np.where(flat, self.mean, value)

    @property
    def mean_log(self) -> Any:
        """E log x_k = ψ(α_k) − ψ(α₀)."""
        return np.log(self.mean) - digamma_gap(self.alpha) + digamma_gap(self._total)

    def entropy(self) -> Any:
        """Σ log Γ(α_k) − log Γ(α₀) − Σ (α_k − 1)(ψ(α_k) − ψ(α₀)), rearranged so that nothing cancels."""
        gap = (self.alpha - 1) * digamma_gap(self.alpha) + log_gamma_excess(self.alpha) + np.log(self.alpha)
        total, k = self.strength, self.dim
        constant = log_gamma_excess(total) + k * np.log(total) + (total - k) * digamma_gap(total)
        return gap.sum(axis=-1) - constant

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; −inf off the simplex, inf on a face where some α_k < 1."""
        x = last_axis(x, self.dim, self.batch_shape)
        inside = on_simplex(x)
        x_in = np.where(inside[..., None], x, self.mean)
        value = log_gamma_excess(self.strength) + self.strength * surplus(x_in)
        with np.errstate(invalid="ignore"):  # inf − inf where faces of both kinds meet: NaN
            value = value + np.sum(_log_term(x_in, self.alpha, self._total), axis=-1)
        return np.where(np.isnan(x).any(axis=-1), np.nan, np.where(inside, value, -np.inf))[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval of each probability by itself: (low, high), both (..., K)."""
        return Beta(self.alpha, others(self.alpha)).interval(level)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch, K): gamma draws over their sum, in logs so that none is lost."""
        rng, shape = generator(rng), sample_shape(n, self.batch_shape, (self.dim,))
        small = rng.standard_gamma(self.alpha + 1, shape)  # Gamma(α) = Gamma(α + 1) · U^(1/α)
        log_x = np.log(small) - rng.standard_exponential(shape) / self.alpha
        x = np.exp(log_x - log_x.max(axis=-1, keepdims=True))
        return x / x.sum(axis=-1, keepdims=True)

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> NaturalMean:
        """Total weight and mean of log x."""
        table = rows_on_simplex(x)
        return NaturalMean.of(np.log(table), weights(weight, len(table)))

    @classmethod
    def from_statistics(cls, statistics: NaturalMean) -> Dirichlet:
        """Maximum likelihood: the α whose E log x is the observed mean."""
        check_total(statistics.n)
        return cls(_from_mean_log(statistics.mean))

    @property
    def n_parameters(self) -> int:
        """K."""
        return self.dim

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_mean(cls, mean: Any, strength: Any) -> Dirichlet:
        """From the mean and α₀, the number of observations it is worth."""
        mean = parameter("mean", mean, low=0.0, strict=True)
        strength = parameter("strength", strength, low=0.0, strict=True)
        if mean.ndim == 0 or np.any(np.abs(mean.sum(axis=-1) - 1) > 1e-8):
            raise InvalidParameter(f"mean must sum to one; it sums to {mean.sum(axis=-1).flat[0]:.9g}.")
        return cls(np.asarray(strength)[..., None] * mean)

    @classmethod
    def symmetric(cls, alpha: float, k: int) -> Dirichlet:
        """The same α for each of K classes."""
        return cls(np.full(k, alpha))

    # -- marginals ----------------------------------------------------------------------------------------

    def marginal(self, idx: Any) -> Beta | Dirichlet:
        """One class against all others, a `Beta`; a list gives those classes and the rest, last."""
        chosen, rest = chosen_and_rest(self.alpha, idx)
        if rest is None:
            return Beta(chosen, others(self.alpha)[..., idx])
        return Dirichlet(np.concatenate([chosen, rest], axis=-1))

    # -- conjugacy -------------------------------------------------------------------------------------------

    def posterior(
        self, data: Any = None, weight: Any = None, *, n: Any = None, labels: Any = None, counts: Any = None
    ) -> Dirichlet:
        """After labels 0 … K − 1, their `Counts`, or a table of counts (N, K); `n` is the total of each row.

        K numbers could be labels or counts: `labels=` or `counts=` says which.
        """
        data, weight = self._said(data, weight, labels, counts)
        return conjugacy().posterior(self, data, weight, n=n)

    def log_evidence(
        self, data: Any = None, weight: Any = None, *, n: Any = None, labels: Any = None, counts: Any = None
    ) -> Any:
        """log p(data): of the sequence of labels, or of the rows of counts, coefficients included."""
        data, weight = self._said(data, weight, labels, counts)
        return conjugacy().log_evidence(self, data, weight, n=n)

    def _said(self, data: Any, weight: Any, labels: Any, counts: Any) -> tuple[Any, Any]:
        """Data that cannot be taken for something else, and their weights."""
        from suffice.distributions.conjugate import _counts

        if sum(given is not None for given in (data, labels, counts)) != 1:
            raise InvalidInput("Give the data once: as data, as labels= or as counts=.")
        if labels is not None:
            return _counts.labelled(self, labels, weight), None
        return (data, weight) if counts is None else (np.atleast_2d(counts), weight)

    def predictive(self, *, n: Any = None) -> Categorical | DirichletMultinomial:
        """The next label, a `Categorical`; with `n` the counts of n further labels, a `DirichletMultinomial`."""
        return conjugacy().predictive(self, n=n)


def _log_term(x: np.ndarray, alpha: np.ndarray, total: np.ndarray) -> np.ndarray:
    """−D(α, α₀x) − H(α) − log x, written out as (α − 1) log x + … where D has no digits to lose."""
    with np.errstate(divide="ignore"):
        value = (
            xlogy(alpha - 1, x) - total * x + (alpha * (1 + np.log(total / alpha)) - log_gamma_excess(alpha))
        )
    near = (total > 50) & (np.abs(total * x - alpha) < 0.5 * alpha)
    if not np.any(near):
        return value
    safe = np.where(near, x, alpha / total)
    by_deviance = -deviance(alpha, total * safe) - np.log(safe) - log_gamma_excess(alpha)
    return np.where(near, by_deviance, value)


def _from_mean_log(mean_log: np.ndarray) -> np.ndarray:
    """α with ψ(α_k) − ψ(α₀) = mean_log, by Newton with the step kept inside α > 0."""
    spread = -np.log(np.exp(mean_log).sum())  # zero if all rows are equal, else positive (Jensen)
    if not spread > 1e-13:
        raise NumericalError("A Dirichlet fitted to rows that are all equal has no finite alpha.")
    alpha = np.exp(mean_log + spread) * max(len(mean_log) - 1, 1) / (2 * spread)
    for _ in range(200):
        total = alpha.sum()
        gradient = mean_log - np.log(alpha / total) + digamma_gap(alpha) - digamma_gap(total)
        curvature, shared = polygamma(1, alpha), polygamma(1, total)
        pull = np.sum(gradient / curvature) / (1 / shared - np.sum(1 / curvature))
        step = (gradient + pull) / curvature
        alpha, before = np.maximum(alpha + step, alpha / 10), alpha
        if np.all(np.abs(alpha - before) <= 1e-14 * before):
            return alpha
    if np.max(np.abs(gradient)) > 1e-9:
        warn("Dirichlet.fit did not reach a flat point in 200 Newton steps.", NotConverged)
    return alpha
