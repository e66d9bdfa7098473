r"""Conjugate algebra of counts: Beta, Dirichlet and Gamma priors.

Beta         p ~ Beta(a, b),       heads and tails   →  Beta(a + heads, b + tails)
Dirichlet    p ~ Dirichlet(α),     counts c_k        →  Dirichlet(α + c)
Gamma        λ ~ Gamma(a, β),      n counts, Σ x     →  Gamma(a + Σ x, β + n)
Evidence     p(D) = p(D | θ) p(θ) / p(θ | D), the same number for every θ; taken at the posterior mean,
             where no term is much larger than the answer. With m = (α + c)/(α₀ + n)
             log p(D) = log L(m) − Σ D(α_k, α₀ m_k) + H(α₀) − H(α₀ + n) + Σ H(α_k + c_k) − Σ H(α_k)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import xlog1py, xlogy

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError
from suffice.distributions._checks import filled_weights, sample_values, weights
from suffice.distributions._numerics.counts import whole
from suffice.distributions._numerics.discrete import sample_counts
from suffice.distributions._numerics.excess import excess, log_gamma_excess
from suffice.distributions._numerics.special import deviance
from suffice.distributions.conjugate._tally import Tally
from suffice.distributions.multivariate.dirichlet import Dirichlet
from suffice.distributions.multivariate.dirichlet_multinomial import DirichletMultinomial
from suffice.distributions.univariate.bernoulli import Bernoulli
from suffice.distributions.univariate.beta import Beta
from suffice.distributions.univariate.beta_binomial import BetaBinomial
from suffice.distributions.univariate.categorical import Categorical
from suffice.distributions.univariate.gamma import Gamma
from suffice.distributions.univariate.negative_binomial import NegativeBinomial
from suffice.distributions.univariate.poisson import Poisson
from suffice.statistics import Counts, Moments


# -- heads and tails ----------------------------------------------------------------------------------------
def tosses(prior: Beta, x: Any, weight: Any = None) -> Tally:
    """Zeros and ones, or their `Counts`, as a tally of (heads, tails)."""
    if isinstance(x, Tally):
        return _of_size(x, 2)
    counts = Bernoulli.statistics(x if isinstance(x, Counts) else np.atleast_1d(x), weight)
    _no_weight(x, weight)
    tails, heads = _placed(counts, 2)
    return Tally.of(counts.n, [heads, tails], _log_shares(np.array([heads, tails])))


def trials(prior: Beta, x: Any, weight: Any = None, *, n: Any) -> Tally:
    """Successes out of `n` trials each, as a tally of (successes, failures)."""
    if isinstance(x, Tally):
        return _of_size(x, 2)
    each = np.asarray(whole("n", n))
    if isinstance(x, Moments | Counts) and each.ndim:
        raise InvalidParameter(f"n must be one number where x is a statistic; got shape {each.shape}.")
    if isinstance(x, Moments):
        return _from_moments(x, weight, float(each))
    x, w = _values(x, weight)
    if np.shape(each) not in ((), x.shape):
        raise InvalidParameter(f"n must be one number or one per row, {x.shape}; got shape {each.shape}.")
    if np.any(x > each):
        row = int(np.argmax(x > each))
        most = float(np.broadcast_to(each, x.shape)[row])
        raise InvalidInput(f"x must be integers from 0 to n = {most:g}; got {x[row]}.")
    return _pooled(np.column_stack([x, each - x]), w)


def update_beta(prior: Beta, s: Tally, **known: Any) -> Beta:
    """Beta(a + heads, b + tails)."""
    return Beta(prior.a + s.counts[0], prior.b + s.counts[1])


def beta_evidence(prior: Beta, s: Tally, **known: Any) -> Any:
    """log p(D): that of two classes."""
    return _log_evidence(np.stack([prior.a, prior.b], axis=-1), s)


def next_toss(posterior: Beta) -> Bernoulli:
    """Bernoulli(a/(a + b))."""
    return Bernoulli(posterior.mean)


def next_trials(posterior: Beta, *, n: Any) -> BetaBinomial:
    """The number of successes in n further trials."""
    return BetaBinomial(n, posterior.a, posterior.b)


# -- classes ------------------------------------------------------------------------------------------------
def labels(prior: Dirichlet, x: Any, weight: Any = None) -> Tally:
    """Labels 0 … K − 1, their `Counts`, or a table of counts (N, K), as a tally."""
    if isinstance(x, Tally):
        return _of_size(x, prior.dim)
    if not isinstance(x, Counts) and np.ndim(x) == 2:
        return rows(prior, x, weight)
    _no_weight(x, weight)
    if not isinstance(x, Counts):
        _refuse_either(np.atleast_1d(x), prior.dim)
        x = labelled(prior, x, weight)
    counts = _positions(x, prior.dim)
    return Tally.of(counts.sum(), counts, _log_shares(counts))


def labelled(prior: Dirichlet, x: Any, weight: Any = None) -> Counts:
    """Labels that were said to be such."""
    x = sample_counts(np.atleast_1d(x), high=prior.dim - 1)
    return Counts.of(x.astype(int), weights(weight, len(x)), classes=range(prior.dim))


def _refuse_either(x: np.ndarray, dim: int) -> None:
    """As many labels as there are classes might be their counts."""
    if len(x) == dim > 1:
        text = "[" + ", ".join(f"{v:g}" for v in x[:8]) + (", …]" if dim > 8 else "]")
        raise InvalidInput(
            f"{text} could be {dim} labels or the counts of {dim} classes. Write posterior(labels={text}) or "
            f"posterior(counts={text}), and log_evidence alike; in a list of groups Counts.of(x, classes=range({dim})) "
            f"for labels, [{text}] for counts."
        )


def rows(prior: Dirichlet, x: Any, weight: Any = None, *, n: Any = None) -> Tally:
    """A table of counts (N, K), or one row of it, as a tally; `n` is what every row must sum to."""
    if isinstance(x, Tally):
        return _of_size(x, prior.dim)
    table = sample_values(np.atleast_2d(x), ndim=2)
    bad = (table < 0) | (table != np.floor(table))
    if table.shape[1] != prior.dim:
        raise InvalidInput(f"x must have {prior.dim} columns, one per class; got shape {table.shape}.")
    if bad.any():
        raise InvalidInput(f"x must hold integers >= 0; got {table[bad][0]}.")
    totals = table.sum(axis=1)
    if n is not None and np.any(totals != np.asarray(whole("n", n))):
        row = int(np.argmax(totals != np.asarray(n)))
        raise InvalidInput(f"x must hold rows that sum to n = {n}; row {row} sums to {totals[row]:g}.")
    return _pooled(table, filled_weights(weight, len(table)))


def update_dirichlet(prior: Dirichlet, s: Tally, **known: Any) -> Dirichlet:
    """Dirichlet(α + counts)."""
    return Dirichlet(prior.alpha + s.counts)


def dirichlet_evidence(prior: Dirichlet, s: Tally, **known: Any) -> Any:
    """log p(D) for each prior of a batch."""
    return _log_evidence(prior.alpha, s)


def next_label(posterior: Dirichlet) -> Categorical:
    """Categorical(α/α₀)."""
    return Categorical(posterior.mean)


def next_counts(posterior: Dirichlet, *, n: Any) -> DirichletMultinomial:
    """The counts of n further labels."""
    return DirichletMultinomial(n, posterior.alpha)


def _log_evidence(alpha: np.ndarray, s: Tally) -> Any:
    """From likelihood, prior and posterior at the posterior mean."""
    total, after = alpha.sum(axis=-1, keepdims=True), alpha + s.counts
    mean = after / (total + s.n)
    classes = log_gamma_excess(after) - log_gamma_excess(alpha) - deviance(alpha, total * mean)
    whole = log_gamma_excess(total) - log_gamma_excess(total + s.n)
    return _likelihood(s, mean) + np.sum(classes, axis=-1) + whole[..., 0]


# -- events -------------------------------------------------------------------------------------------------
def events(prior: Gamma, x: Any, weight: Any = None) -> Tally:
    """Poisson counts, their `Counts`, or their `Moments` (which leave the evidence unknown), as a tally."""
    if isinstance(x, Tally):
        return _of_size(x, 1)
    if isinstance(x, Moments):
        return _from_moments(x, weight)
    x, w = _values(x, weight)
    n, total = float(w.sum()), float(w @ x)
    return Tally.of(n, [total], _weighed(w, Poisson(total / n if n > 0 else 0.0).log_prob(x)))


def update_gamma(prior: Gamma, s: Tally, **known: Any) -> Gamma:
    """Gamma(a + Σ x, β + n)."""
    return Gamma(prior.shape + s.counts[0], prior.rate + s.n)


def gamma_evidence(prior: Gamma, s: Tally, **known: Any) -> Any:
    """log p(D) from likelihood, prior and posterior at the posterior mean."""
    posterior = update_gamma(prior, s)
    rate = np.maximum(posterior.mean, 1e-300)
    return _likelihood(s, np.asarray(rate)[..., None]) + prior.log_prob(rate) - posterior.log_prob(rate)


def next_count(posterior: Gamma) -> NegativeBinomial:
    """The number of events in a further window."""
    return NegativeBinomial(posterior.shape, posterior.rate)


# -- the door -----------------------------------------------------------------------------------------------
def _of_size(s: Tally, size: int) -> Tally:
    if len(s.counts) != size:
        raise InvalidInput(f"The tally must have {size} counts; it has {len(s.counts)}.")
    return s


def _no_weight(x: Any, weight: Any) -> None:
    if isinstance(x, Counts | Moments) and weight is not None:
        raise InvalidInput("weight goes with data; statistics hold their weights already.")


def _values(x: Any, weight: Any) -> tuple[np.ndarray, np.ndarray]:
    """Different counts and how often each occurred, or all of them with their weights."""
    _no_weight(x, weight)
    if isinstance(x, Counts):
        return sample_counts(x.classes), x.counts
    x = sample_counts(np.atleast_1d(x))
    return x, filled_weights(weight, len(x))


def _positions(counts: Counts, size: int) -> np.ndarray:
    """Counts of exactly K classes in their order, or of some of the classes 0 … K − 1."""
    return np.asarray(counts.counts) if len(counts.classes) == size else _placed(counts, size)


def _placed(counts: Counts, size: int) -> np.ndarray:
    """Counts of the classes 0 … K − 1."""
    numbers = counts.classes.dtype.kind in "biuf"
    known = np.isin(counts.classes, np.arange(size)) if numbers else np.zeros(len(counts.classes), dtype=bool)
    if not np.all(known):
        unknown = counts.classes[~known].tolist()[0]
        raise InvalidInput(f"Counts must be of the classes 0 to {size - 1}; got the class {unknown!r}.")
    out = np.zeros(size)
    out[counts.classes.astype(int)] = counts.counts
    return out


def _likelihood(s: Tally, rates: np.ndarray) -> Any:
    """The log likelihood, where the tally holds it."""
    if np.isnan(s.log_likelihood):
        raise NumericalError(
            "The evidence of counts needs the counts themselves, or Counts of them; moments do not hold it."
        )
    return s.at(rates)


def _weighed(w: np.ndarray, logs: np.ndarray) -> float:
    """Σ w log p over the rows that count: one of weight zero may be impossible."""
    return float(np.sum(w * np.where(w > 0, logs, 0.0)))


def _pooled(table: np.ndarray, w: np.ndarray) -> Tally:
    """Rows of counts (N, K) with weights: their totals, and their likelihood at the pooled shares."""
    totals = table.sum(axis=1)
    made = Tally.of(w @ totals, w @ table, 0.0)
    gaps = excess(table) + deviance(table, totals[:, None] * made.rates)
    return Tally.of(made.n, made.counts, _weighed(w, excess(totals) - gaps.sum(axis=1)))


def _log_shares(counts: np.ndarray) -> float:
    """Σ c_k log(c_k/n): the log likelihood of a sequence at its own frequencies."""
    n = max(counts.sum(), np.finfo(float).tiny)
    large = 2 * counts > n
    others = np.array([np.delete(counts, k).sum() for k in range(len(counts))])
    small = xlogy(counts, np.where(large, 1.0, counts / n))
    return float(np.sum(small + xlog1py(counts, np.where(large, -others / n, 0.0))))


def _from_moments(moments: Moments, weight: Any, n: float | None = None) -> Tally:
    """A tally of moments, with n trials each where given: enough for the posterior, not for the evidence."""
    _no_weight(moments, weight)
    if np.ndim(moments.mean) or not 0 <= moments.mean <= (np.inf if n is None else n):
        most = "" if n is None else f" up to n = {n:g}"
        raise InvalidInput(f"x must be the moments of counts >= 0{most}; their mean is {moments.mean}.")
    total = moments.n * float(moments.mean)
    if n is None:
        return Tally.of(moments.n, [total], np.nan)
    return Tally.of(moments.n * n, [total, moments.n * n - total], np.nan)
