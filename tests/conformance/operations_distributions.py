"""Operations of the conformance cases about distributions, conjugate priors and the coin game.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from suffice import distributions
from suffice._core.errors import AtBound
from suffice.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    GeneralizedNormal,
    Multinomial,
    MultivariateNormal,
    Normal,
    TruncatedNormal,
    coin_game,
    evidence_grid,
    fit_prior,
    kl,
    partitioned_inverse,
    robbins_monro,
    sequential_mean,
)
from suffice.distributions._numerics.one_dimensional import nodes


# -- distributions ----------------------------------------------------------------------------------------
class One:
    """A distribution by name and parameters, and what it says at some points."""

    def __init__(
        self,
        kind: str,
        parameters: list,
        at: Any = None,
        p: Any = None,
        between: Any = None,
        level: Any = None,
    ):
        self.d = getattr(distributions, kind)(*parameters)
        self.at, self.p, self.ends, self.level = at, p, between, level

    def prob(self):
        return self.d.prob(self.at)

    def log_prob(self):
        return self.d.log_prob(self.at)

    def cdf(self):
        return self.d.cdf(self.at)

    def sf(self):
        return self.d.sf(self.at)

    def quantile(self):
        return self.d.quantile(self.p)

    def interval(self):
        return self.d.interval(self.level)

    def between(self):
        return self.d.between(*self.ends)

    def mean(self):
        return self.d.mean

    def var(self):
        return self.d.var

    def peak(self):
        return self.d.prob(self.d.mode)


class Shares:
    """Successes over trials: the average of tosses."""

    def __init__(self, n: list, p: float):
        self.d, self.n = Binomial(n, p), np.array(n)

    def mean(self):
        return self.d.mean / self.n

    def var(self):
        return self.d.var / self.n**2


class Sequence:
    """A sequence of tosses: its likelihood, and the most likely coin."""

    def __init__(self, heads: int, n: int, p: float | None = None):
        self.best = Bernoulli.fit([1, 0], [heads, n - heads])
        self.d = self.best if p is None else Bernoulli(p)
        self.heads, self.n = heads, n

    def estimate(self):
        return self.best.p

    def likelihood(self):
        counts = np.array([self.heads, self.n - self.heads])
        logs = self.d.log_prob([1, 0])
        return np.exp(np.sum(counts * np.where(counts > 0, logs, 0.0)))

    def information(self):
        """Expected squared score at p: Σ P(x) (∂ log P(x)/∂p)², by central differences."""
        p, h = float(self.d.p), 1e-4
        score = (Bernoulli(p + h).log_prob([0, 1]) - Bernoulli(p - h).log_prob([0, 1])) / (2 * h)
        return self.d.prob([0, 1]) @ score**2


class Estimates:
    """Every estimate that n tosses can give."""

    def __init__(self, n: int):
        self.n = n

    def possible(self):
        return [Bernoulli.fit([1, 0], [k, self.n - k]).p for k in range(self.n + 1)]


class Gaussian:
    """A multivariate normal distribution and its conditionals and maps."""

    def __init__(
        self, mean: list, cov: list, at: Any = None, seen: Any = None, values: Any = None, A: Any = None
    ):
        self.d = MultivariateNormal(mean, cov)
        self.at, self.A, self.values = at, A, values
        self.given = None if seen is None else [self.d.condition(seen, v) for v in values]

    def prob(self):
        return self.d.prob(self.at)

    def conditional_mean(self):
        return [g.mean[0] for g in self.given]

    def conditional_var(self):
        return [g.cov[0, 0] for g in self.given]

    def conditional_from_precision(self):
        """Mean and variance of the first of two given the second, from Λ = Σ⁻¹, at the first value."""
        precision, (a, b) = partitioned_inverse(self.d.cov, 1), self.d.mean
        var = 1 / precision.aa[0, 0]
        return [a - var * precision.ab[0, 0] * (self.values[0] - b), var]

    def mapped_mean(self):
        return self.d.affine(self.A).mean

    def mapped_cov(self):
        return self.d.affine(self.A).cov


class Divergence:
    """Two categorical distributions: how far each is from the other, in nats."""

    def __init__(self, p: list, q: list):
        self.p, self.q = Categorical(p), Categorical(q)

    def forward(self):
        return kl(self.p, self.q)

    def backward(self):
        return kl(self.q, self.p)


class Halves:
    """A normal distribution cut at zero."""

    def __init__(self, mean: float, std: float, at: float = 0.5):
        self.whole, self.at = Normal(mean, std), at
        self.up, self.down = TruncatedNormal.positive(mean, std), TruncatedNormal.negative(mean, std)

    def positive_mean(self):
        return self.up.mean

    def negative_mean(self):
        return self.down.mean

    def heights(self):
        return [self.whole.prob(self.at), self.up.prob(self.at), self.down.prob(0.0)]


class Variance:
    """The average maximum-likelihood variance of N normal numbers, exactly, by Gauss's rule."""

    def __init__(self, n: int, variance: float):
        x, w = np.polynomial.hermite_e.hermegauss(3)
        grids = np.meshgrid(*[x] * n, indexing="ij"), np.meshgrid(*[w / w.sum()] * n, indexing="ij")
        self.rows = np.sqrt(variance) * np.stack([g.ravel() for g in grids[0]], axis=1)
        self.weights = np.prod([g.ravel() for g in grids[1]], axis=0)

    def expected(self):
        return self.weights @ [Normal.fit(row).var for row in self.rows]


class PowerPrior:
    """One observation of a weight with a generalized normal prior: p(w | t) ∝ N(t | w, 1) p(w)."""

    def __init__(self, q: float, t: float = 1.0, precision: float = 1.0):
        self.prior = GeneralizedNormal.from_precision(precision, q)
        self.t = t

    def normalizer(self):
        return self.prior.prob(0.0)

    def mean(self):
        """By quadrature on either side of zero, where the prior has a corner."""
        w, weight = np.hstack([nodes(self.prior, 0.0, 0.5), nodes(self.prior, 0.5, 1.0)])
        weight = weight * Normal(w, 1).prob(self.t)
        return weight @ w / weight.sum()

    def mode(self):
        def loss(w):
            return -float(self.prior.log_prob(w) + Normal(w, 1).log_prob(self.t))

        found = minimize_scalar(loss, bounds=(1e-3, 1), method="bounded", options={"xatol": 1e-10})
        return found.x


# -- conjugate priors -------------------------------------------------------------------------------------
class Conjugate:
    """A prior, data and what is known: posterior, evidence and prediction."""

    def __init__(self, prior: str, parameters: list, data: Any, known: dict | None = None, at: Any = None):
        self.known, self.at = known or {}, at
        self.prior = getattr(distributions, prior)(*parameters)
        self.data = np.asarray(data)
        self.after = self.prior.posterior(self.data, **self.known)

    def parameters(self):
        return [np.asarray(getattr(self.after, name)).tolist() for name in self.after._event_ndim]

    def alpha(self):
        return self.after.alpha

    def mode(self):
        return self.after.mode

    def mean(self):
        return self.after.mean

    def var(self):
        return self.after.var

    def cov(self):
        return self.after.cov

    def evidence(self):
        return np.exp(self.prior.log_evidence(self.data, **self.known))

    def predicted(self):
        return self.after.predictive(**self.known).prob(self.at)

    def one_by_one(self):
        belief = self.prior
        for row in self.data:
            belief = belief.posterior(row[None], **self.known)
        return [belief.mean, belief.var]


class Words:
    """Counts of words with a symmetric Dirichlet prior, and a new document."""

    def __init__(self, rows: list, alpha: float, new: list):
        self.rows, self.new = np.array(rows), np.array(new)
        self.prior = Dirichlet.symmetric(alpha, self.rows.shape[1])
        self.after = self.prior.posterior(self.rows)

    def maximum_likelihood(self):
        counts = self.rows.sum(axis=0)
        return Multinomial.fit(counts[None]).probabilities

    def maximum_posterior(self):
        return self.after.mode

    def posterior(self):
        return self.after.alpha

    def expected(self):
        return self.after.predictive(n=int(self.new.sum())).prob(self.new)

    def plug_in(self):
        return Multinomial(int(self.new.sum()), self.after.mode).prob(self.new)


class RunningMean:
    """The mean, one observation at a time: as a running mean, and by the scores of a known variance."""

    def __init__(self, x: list, variance: float = 1.0):
        self.x, self.variance = x, variance

    def last(self):
        return sequential_mean(self.x)[-1]

    def by_scores(self):
        v = self.variance
        return robbins_monro(lambda mean, x: (mean - x) / v, 0.0, self.x, lambda n: v / n)[-1]


class TypeTwo:
    """The prior with the largest evidence: on a grid, and between its points."""

    def __init__(self, heads: int, n: int, most: list):
        self.grid = evidence_grid(
            Beta, heads, n=n, axes={"a": range(1, most[0] + 1), "b": range(1, most[1] + 1)}
        )
        with pytest.warns(AtBound, match="bound of a"):
            self.found = fit_prior(Beta, heads, n=n, bounds={"a": (0.1, most[0]), "b": (0.1, most[1])})

    def best(self):
        return list(self.grid.best.values())

    def evidence(self):
        return self.grid.evidence

    def continuous(self):
        return list(self.found.values)

    def continuous_evidence(self):
        return self.found.evidence


# -- the coin game ----------------------------------------------------------------------------------------
class Play:
    """The game with a known coin."""

    def __init__(self, r: float):
        self.game, self.r = coin_game.CoinGame(), r

    def win(self):
        return self.game.win(self.r)

    def returns(self):
        return self.game.returns(self.win())

    def profit(self):
        return self.game.profit(self.win())

    def profit_of_100(self):
        return 100 * self.profit()


class Belief:
    """A belief about the coin after some tosses: a sequence, or heads out of n."""

    def __init__(
        self, prior: list, tosses: str = "", heads: int | None = None, n: int | None = None, at: Any = None
    ):
        self.prior, self.game, self.at = Beta(*prior), coin_game.CoinGame(), at
        self.tosses = coin_game.heads(tosses)
        self.heads, self.n = (self.tosses.sum(), len(tosses)) if heads is None else (heads, n)
        self.after = self.prior.posterior(self.tosses) if n is None else self.prior.posterior(heads, n=n)

    def posterior(self):
        return [self.after.a, self.after.b]

    def prior_mean(self):
        return self.prior.mean

    def mean(self):
        return self.after.mean

    def var(self):
        return self.after.var

    def ratio(self):
        """Of the densities at two coins."""
        first, second = self.after.prob(self.at)
        return first / second

    def prior_prob(self):
        return self.prior.prob(self.at)

    def between(self):
        return self.after.between(*self.at)

    def expected_win(self):
        return self.game.expected_win(self.after)

    def expected_loss(self):
        return 1 - self.expected_win()

    def plug_in_win(self):
        return self.game.plug_in_win(self.after)

    def expected_profit(self):
        return self.game.profit(self.expected_win())

    def gap(self):
        return abs(self.expected_win() - self.plug_in_win())

    def next_heads(self):
        return self.after.predictive().p

    def evidence(self):
        """Of the number of heads."""
        return np.exp(self.prior.log_evidence(int(self.heads), n=self.n))

    def means_by_toss(self):
        return coin_game.evolution(self.prior, self.tosses).mean[1:]

    def variances_by_toss(self):
        return coin_game.evolution(self.prior, self.tosses).var[1:]

    def rise_at_toss_7(self):
        return np.diff(coin_game.evolution(self.prior, self.tosses).var)[6]


OPERATIONS: dict[str, Callable] = {
    "belief": Belief,
    "conjugate": Conjugate,
    "distribution": One,
    "divergence": Divergence,
    "estimates": Estimates,
    "gaussian": Gaussian,
    "halves": Halves,
    "play": Play,
    "power_prior": PowerPrior,
    "running_mean": RunningMean,
    "sequence": Sequence,
    "shares": Shares,
    "type_two": TypeTwo,
    "variance": Variance,
    "words": Words,
}
