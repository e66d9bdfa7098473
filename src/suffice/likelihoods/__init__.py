"""p(y | a) for models that are linear in their weights: each knows its logarithm, gradient, curvature and mean."""

from suffice.likelihoods._base import Likelihood
from suffice.likelihoods.bernoulli_logit import BernoulliLogit
from suffice.likelihoods.bernoulli_probit import BernoulliProbit
from suffice.likelihoods.binomial_logit import BinomialLogit
from suffice.likelihoods.custom import CustomLikelihood
from suffice.likelihoods.gamma_log import GammaLog
from suffice.likelihoods.gaussian_identity import GaussianIdentity
from suffice.likelihoods.linked import Linked, linked
from suffice.likelihoods.links import (
    ComplementaryLogLog,
    Identity,
    Link,
    Log,
    Logit,
    Probit,
    Reciprocal,
    SquareRoot,
)
from suffice.likelihoods.negative_binomial_log import NegativeBinomialLog
from suffice.likelihoods.poisson_log import PoissonLog
from suffice.likelihoods.softmax import Softmax

__all__ = [
    "BernoulliLogit",
    "BernoulliProbit",
    "BinomialLogit",
    "ComplementaryLogLog",
    "CustomLikelihood",
    "GammaLog",
    "GaussianIdentity",
    "Identity",
    "Likelihood",
    "Link",
    "Linked",
    "Log",
    "Logit",
    "NegativeBinomialLog",
    "PoissonLog",
    "Probit",
    "Reciprocal",
    "Softmax",
    "SquareRoot",
    "linked",
]
