r"""The Dirichlet-multinomial distribution: counts whose probabilities are drawn from a Dirichlet.

Probability  P(x) = ∫ Multinomial(x | n, p) Dirichlet(p | α) dp
                  = n! Γ(α₀)/Γ(α₀ + n) · Π Γ(α_k + x_k)/(x_k! Γ(α_k)),  α₀ = Σ α_k
Moments      E x = n m,  cov x = n (diag m − m mᵀ) (α₀ + n)/(α₀ + 1),  m = α/α₀
Mode         units handed out one by one, each to the largest (α_k − 1)/(x_k + 1)
Fit          maximum likelihood over α by quasi-Newton steps: there are no statistics of fixed size
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import digamma, gammaln

from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, NotConverged, warn
from suffice._core.random import streams
from suffice._core.records import record
from suffice.distributions._base import Multivariate
from suffice.distributions._checks import (
    assign,
    common_shape,
    parameter,
    positive_weights,
    sample_shape,
)
from suffice.distributions._kinds import WithoutStatistics, last_axis_of, root_of_variance
from suffice.distributions._numerics.counts import (
    apportion,
    are_counts,
    expected,
    last_axis,
    rows_of_counts,
    whole,
)
from suffice.distributions._numerics.excess import excess, log_gamma_excess
from suffice.distributions._numerics.simplex import chosen_and_rest, others
from suffice.distributions._numerics.special import deviance
from suffice.distributions.multivariate.dirichlet import Dirichlet
from suffice.distributions.univariate.beta_binomial import BetaBinomial


@final
@record
class DirichletMultinomial(WithoutStatistics, Multivariate):
    """Counts of K classes in n trials with probabilities that are themselves unknown.

    Parameters
    ----------
    n
        Number of trials: what the counts sum to.
    alpha
        One number > 0 per class. Large values make it a multinomial, small ones put all trials in few classes.

    Examples
    --------
    >>> from suffice.distributions import DirichletMultinomial
    >>> d = DirichletMultinomial(3, [1.0, 1.0, 1.0])  # all ten vectors are equally probable
    >>> print(f"{d.prob([3, 0, 0]):.3f} {d.prob([1, 1, 1]):.3f}", d.mean)
    0.100 0.100 [1. 1. 1.]
    """

    n: Any
    alpha: Any

    _event_ndim: ClassVar[dict[str, int]] = {"n": 0, "alpha": 1}
    _discrete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        n, alpha = whole("n", self.n), parameter("alpha", self.alpha, low=0.0, strict=True)
        if alpha.ndim == 0 or alpha.shape[-1] < 2:
            raise InvalidParameter(f"alpha must have shape (..., K), K >= 2; got {alpha.shape}.")
        batch = common_shape(n=n.shape, alpha=alpha.shape[:-1])
        alpha = np.broadcast_to(alpha, (*batch, alpha.shape[-1]))
        assign(self, n=np.broadcast_to(n, batch)[()], alpha=alpha)

    dim = last_axis_of("alpha", "Number of classes, K.")

    @property
    def _n(self) -> np.ndarray:
        return np.asarray(self.n)[..., None]

    @property
    def _total(self) -> np.ndarray:
        return self.alpha.sum(axis=-1, keepdims=True)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """n m, with m = α/α₀."""
        return self._n * self.alpha / self._total

    @property
    def var(self) -> Any:
        """n m (1 − m) (α₀ + n)/(α₀ + 1) for each class."""
        rest = others(self.alpha) / self._total
        return self.mean * rest * (self._total + self._n) / (self._total + 1)

    std = root_of_variance

    @property
    def cov(self) -> Any:
        """n (diag m − m mᵀ) (α₀ + n)/(α₀ + 1), (..., K, K)."""
        spread = (self._n * (self._n + self._total))[..., None]
        return Dirichlet(self.alpha).cov * spread

    @property
    def mode(self) -> Any:
        """The most probable counts; one of several. If no α_k exceeds 1, all trials in the largest."""
        top = np.argmax(self.alpha, axis=-1)[..., None] == np.arange(self.dim)
        votes = np.maximum(self.alpha - 1, 0.0)
        corner = votes.sum(axis=-1, keepdims=True) == 0
        return apportion(np.asarray(self.n), np.where(corner, top, votes))

    def entropy(self) -> Any:
        """−E log P: a sum over each class's beta-binomial counts."""
        pairs = zip(np.ravel(self.n), self.alpha.reshape(-1, self.dim), strict=True)
        return np.reshape([_entropy(n, row) for n, row in pairs], self.batch_shape)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log probability; −inf for vectors that are not counts summing to n."""
        x = last_axis(x, self.dim, self.batch_shape)
        inside = are_counts(x, self.n)
        x_in = np.where(inside[..., None], x, self.mode)
        value = np.sum(_log_term(x_in, self.alpha, self._n, self._total), axis=-1)
        value = value + log_gamma_excess(self._total[..., 0]) - _log_rising(self.n, self._total[..., 0])
        return np.where(np.isnan(x).any(axis=-1), np.nan, np.where(inside, value, -np.inf))[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval of each count by itself: (low, high), both (..., K)."""
        return BetaBinomial(self._n, self.alpha, others(self.alpha)).interval(level)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` vectors of counts, shape (n, *batch, K): probabilities first, then counts."""
        first, second = streams(rng, 2)
        p = Dirichlet(self.alpha).sample(n, first)
        return second.multinomial(np.asarray(self.n, dtype=int), p, sample_shape(n, self.batch_shape))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def fit(cls, x: Any, weight: Any = None) -> DirichletMultinomial:
        """Maximum likelihood from a table of counts (N, K) whose rows have the same total, at least 2."""
        table, n = rows_of_counts(x)
        w = positive_weights(weight, len(table))
        if n < 2:
            raise InvalidInput(f"A fit needs rows of at least 2 counts to see them vary; got {n:g}.")
        if np.any(w @ table == 0):
            raise InvalidInput(f"x has no count in column {int(np.argmin(w @ table))}: its alpha would be 0.")
        return cls(n, _fit(table[w > 0], w[w > 0] / w.sum(), n))

    @property
    def n_parameters(self) -> int:
        """K: n is known."""
        return self.dim

    # -- marginals ----------------------------------------------------------------------------------------

    def marginal(self, idx: Any) -> BetaBinomial | DirichletMultinomial:
        """One class against all others, a `BetaBinomial`; a list gives those classes and the rest, last."""
        chosen, rest = chosen_and_rest(self.alpha, idx)
        if rest is None:
            return BetaBinomial(self.n, chosen, others(self.alpha)[..., idx])
        return DirichletMultinomial(self.n, np.concatenate([chosen, rest], axis=-1))


def _log_rising(x: Any, alpha: Any) -> Any:
    """log Γ(α + x)/x! less the leading terms of both."""
    return log_gamma_excess(alpha + x) - excess(x)


def _log_term(x: Any, alpha: Any, n: Any, total: Any) -> Any:
    """What one class adds: its deviances from the pooled split, and its share of the gamma functions."""
    share = (alpha + x) / (total + n)
    leading = deviance(alpha, share * total) + deviance(x, share * n)
    return _log_rising(x, alpha) - log_gamma_excess(alpha) - leading


def _entropy(n: float, alpha: np.ndarray) -> float:
    """−E log P, class by class."""
    total = alpha.sum()
    value = _log_rising(n, total) - log_gamma_excess(total)
    for a, rest in zip(alpha, others(alpha), strict=True):
        counts = BetaBinomial(n, a, rest)
        value -= expected(counts.log_prob, lambda x, a=a: _log_term(x, a, n, total), n)
    return float(value)


def _fit(table: np.ndarray, w: np.ndarray, n: float) -> np.ndarray:
    """α at the maximum, in log α within (1e-8, 1e8)."""
    from scipy.optimize import minimize

    start = np.log(w @ table / n * table.shape[1])
    bounds = [(np.log(1e-8), np.log(1e8))] * table.shape[1]
    options = {"maxiter": 2000, "maxfun": 5000, "ftol": 1e-15, "gtol": 1e-10}
    found = minimize(_loss, start, (table, w, n), "L-BFGS-B", jac=True, bounds=bounds, options=options)
    alpha = np.exp(found.x)
    if alpha.sum() > 1e5 * n or np.any(found.x <= bounds[0][0]):
        warn(
            "DirichletMultinomial.fit ended at the edge of its range: the counts vary no more than those of a "
            "multinomial, or one alpha is zero.",
            AtBound,
        )
    elif np.max(np.abs(found.jac)) > 1e-5:
        warn("DirichletMultinomial.fit found no flat point.", NotConverged)
    return alpha


def _loss(log_alpha: np.ndarray, table: np.ndarray, w: np.ndarray, n: float) -> tuple[float, np.ndarray]:
    """−Σ w log P without the terms free of α, and its gradient in log α; the weights sum to one."""
    alpha = np.exp(log_alpha)
    total, raised = alpha.sum(), alpha + table
    value = gammaln(total) - gammaln(total + n) + w @ (gammaln(raised) - gammaln(alpha)).sum(axis=1)
    slope = digamma(total) - digamma(total + n) + w @ (digamma(raised) - digamma(alpha))
    return -float(value), -alpha * slope
