"""p(y | a) for models that are linear in their weights: each knows its logarithm, gradient, curvature and mean."""

from suffice.likelihoods._base import Likelihood
from suffice.likelihoods.bernoulli_logit import BernoulliLogit
from suffice.likelihoods.bernoulli_probit import BernoulliProbit
from suffice.likelihoods.custom import CustomLikelihood
from suffice.likelihoods.gaussian_identity import GaussianIdentity
from suffice.likelihoods.poisson_log import PoissonLog
from suffice.likelihoods.softmax import Softmax

__all__ = [
    "BernoulliLogit",
    "BernoulliProbit",
    "CustomLikelihood",
    "GaussianIdentity",
    "Likelihood",
    "PoissonLog",
    "Softmax",
]
