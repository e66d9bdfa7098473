r"""Conjugacy as algebra: a posterior is its prior plus statistics.

A pair (prior, likelihood) is conjugate if the posterior stays in the family of the prior. Then

posterior       p(θ | D) ∝ p(D | θ) p(θ)                 parameters plus statistics of D
evidence        p(D) = ∫ p(D | θ) p(θ) dθ                 a ratio of normalisers
predictive      p(x | D) = ∫ p(x | θ) p(θ | D) dθ         a known distribution

and data that come in pieces give the same answers as data that come at once, because statistics add. The
table below holds one `ConjugatePair` per row: pure functions of a prior and statistics. The methods
`posterior`, `log_evidence` and `predictive` of the priors look their row up by what is known about the
likelihood: the number of trials, a mean, a standard deviation, a covariance.

How to add a pair: write its four functions beside those of `_counts.py` or `_normal.py`,
add a row, and give it random settings in `tests/laws/test_conjugacy.py`, which walks this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from suffice._core.errors import InvalidParameter, Unsupported
from suffice.distributions._base import Distribution
from suffice.distributions.conjugate import _counts as counts
from suffice.distributions.conjugate import _normal as normal
from suffice.distributions.conjugate._per_row import by_row
from suffice.distributions.multivariate.dirichlet import Dirichlet
from suffice.distributions.multivariate.dirichlet_multinomial import DirichletMultinomial
from suffice.distributions.multivariate.multinomial import Multinomial
from suffice.distributions.multivariate.multivariate_normal import MultivariateNormal
from suffice.distributions.multivariate.multivariate_t import MultivariateT
from suffice.distributions.multivariate.normal_gamma import NormalGamma
from suffice.distributions.multivariate.normal_inverse_wishart import NormalInverseWishart
from suffice.distributions.univariate.bernoulli import Bernoulli
from suffice.distributions.univariate.beta import Beta
from suffice.distributions.univariate.beta_binomial import BetaBinomial
from suffice.distributions.univariate.binomial import Binomial
from suffice.distributions.univariate.categorical import Categorical
from suffice.distributions.univariate.gamma import Gamma
from suffice.distributions.univariate.inverse_gamma import InverseGamma
from suffice.distributions.univariate.negative_binomial import NegativeBinomial
from suffice.distributions.univariate.normal import Normal
from suffice.distributions.univariate.poisson import Poisson
from suffice.distributions.univariate.student_t import StudentT


@dataclass(frozen=True)
class ConjugatePair:
    """A prior, the likelihood it is conjugate to, and the algebra of the two.

    `known` names what must be given about the likelihood. The functions take a prior and, where there are
    data, their statistics; the known quantities go by keyword.
    """

    prior: type[Distribution]
    likelihood: type[Distribution]
    predictive: type[Distribution]
    known: tuple[str, ...]
    unknown: str
    statistics: Callable[..., Any]
    update: Callable[..., Any]
    log_evidence: Callable[..., Any]
    predict: Callable[..., Any]

    def __str__(self) -> str:
        given = f", known {', '.join(self.known)}" if self.known else ""
        return f"{self.prior.__name__} for {self.unknown} of {self.likelihood.__name__}{given}"

    def __repr__(self) -> str:
        return f"<ConjugatePair: {self}>"


# fmt: off
_PAIRS = (
    ConjugatePair(Beta, Bernoulli, Bernoulli, (), "p", counts.tosses,
                  counts.update_beta, counts.beta_evidence, counts.next_toss),
    ConjugatePair(Beta, Binomial, BetaBinomial, ("n",), "p", counts.trials,
                  counts.update_beta, counts.beta_evidence, counts.next_trials),
    ConjugatePair(Dirichlet, Categorical, Categorical, (), "the probabilities", counts.labels,
                  counts.update_dirichlet, counts.dirichlet_evidence, counts.next_label),
    ConjugatePair(Dirichlet, Multinomial, DirichletMultinomial, ("n",), "the probabilities", counts.rows,
                  counts.update_dirichlet, counts.dirichlet_evidence, counts.next_counts),
    ConjugatePair(Gamma, Poisson, NegativeBinomial, (), "the rate", counts.events,
                  counts.update_gamma, counts.gamma_evidence, counts.next_count),
    ConjugatePair(Normal, Normal, Normal, ("std",), "the mean", normal.numbers,
                  normal.update_normal, normal.normal_evidence, normal.next_number),
    ConjugatePair(Gamma, Normal, StudentT, ("mean",), "the precision", normal.numbers,
                  normal.update_precision, normal.precision_evidence, normal.next_given_precision),
    ConjugatePair(InverseGamma, Normal, StudentT, ("mean",), "the variance", normal.numbers,
                  normal.update_variance, normal.variance_evidence, normal.next_given_variance),
    ConjugatePair(NormalGamma, Normal, StudentT, (), "the mean and the precision", normal.numbers,
                  normal.update_normal_gamma, normal.normal_gamma_evidence, normal.next_given_normal_gamma),
    ConjugatePair(MultivariateNormal, MultivariateNormal, MultivariateNormal, ("cov",), "the mean",
                  normal.vectors, normal.update_multivariate_normal, normal.multivariate_normal_evidence,
                  normal.next_vector),
    ConjugatePair(NormalInverseWishart, MultivariateNormal, MultivariateT, (), "the mean and the covariance",
                  normal.vectors, normal.update_normal_inverse_wishart,
                  normal.normal_inverse_wishart_evidence, normal.next_given_normal_inverse_wishart),
)
# fmt: on


def conjugate_pairs() -> tuple[ConjugatePair, ...]:
    """Every pair of prior and likelihood that this room knows to be conjugate.

    Examples
    --------
    >>> from suffice.distributions import conjugate_pairs
    >>> for pair in conjugate_pairs()[:3]:
    ...     print(pair, "→", pair.predictive.__name__)
    Beta for p of Bernoulli → Bernoulli
    Beta for p of Binomial, known n → BetaBinomial
    Dirichlet for the probabilities of Categorical → Categorical
    """
    return _PAIRS


# -- what the methods of the priors call --------------------------------------------------------------------
def statistics(prior: Any, data: Any, weight: Any = None, **known: Any) -> Any:
    """What the pair needs of the data: a value that adds, and that stands for the data everywhere.

    Of rows with their own mean or standard deviation it is that of x − mean, about 0, or of weights/std², with 1.
    """
    return _gathered(prior, data, weight, known)[2]


def posterior(prior: Any, data: Any, weight: Any = None, **known: Any) -> Any:
    """The prior after the data, or after statistics of them; none leave it as it is."""
    pair, known, found, _ = _gathered(prior, data, weight, known)
    return pair.update(prior, found, **known)


def log_evidence(prior: Any, data: Any, weight: Any = None, **known: Any) -> Any:
    """log p(D) for each prior of a batch."""
    pair, known, found, lacking = _gathered(prior, data, weight, known)
    return pair.log_evidence(prior, found, **known) + lacking + 0.0  # never −0.0


def predictive(belief: Any, **known: Any) -> Any:
    """What a belief about the parameters says about the next observation."""
    pair, known = _pair(belief, known)
    return pair.predict(belief, **known)


def _gathered(prior: Any, data: Any, weight: Any, known: dict[str, Any]) -> tuple[Any, dict, Any, float]:
    """The pair, what is known for all rows alike, statistics of the data, and what their log evidence lacks."""
    pair, known = _pair(prior, known)
    data, weight, known, lacking = by_row(data, weight, known)
    return pair, known, pair.statistics(prior, data, weight, **known), lacking


def _pair(prior: Any, known: dict[str, Any]) -> tuple[ConjugatePair, dict[str, Any]]:
    """The row of the table for a prior and what is known, without the keywords left at None."""
    known = {name: value for name, value in known.items() if value is not None}
    rows = [pair for pair in _PAIRS if pair.prior is type(prior)]
    if not rows:
        names = ", ".join(sorted({pair.prior.__name__ for pair in _PAIRS}))
        raise Unsupported(f"prior must be one of {names}; got {_kind(prior)}.")
    for pair in rows:
        if set(pair.known) == set(known):
            return pair, known
    options = " or ".join(" and ".join(f"{k}=" for k in pair.known) or "nothing" for pair in rows)
    raise InvalidParameter(f"{type(prior).__name__} needs {options} to be known; got {sorted(known)}.")


def _kind(prior: Any) -> str:
    return type(prior).__name__ if isinstance(prior, Distribution) else repr(prior)
