"""Probability distributions: frozen values with one set of names, batched over leading dimensions.

How to add one: write `name.py` with the sections of `normal.py` in the same order (density in symbols,
parameters, moments, densities and tails, quantiles and sampling, statistics and fitting, other
parametrisations, extras); derive from `Univariate` or `Multivariate`, override nothing; check parameters
with `_checks.parameter`; list it here; give it settings in `tests/laws/settings_univariate.py` or
`settings_multivariate.py`, where every name below must obey the laws, and mpmath values in `tests/oracle`.
"""

from suffice.distributions import coin_game, decision, information
from suffice.distributions._base import Distribution
from suffice.distributions.bernoulli import Bernoulli
from suffice.distributions.beta import Beta
from suffice.distributions.beta_binomial import BetaBinomial
from suffice.distributions.binomial import Binomial
from suffice.distributions.categorical import Categorical
from suffice.distributions.change_of_variables import change_of_variables
from suffice.distributions.conjugacy import conjugate_pairs
from suffice.distributions.demonstrations import (
    ball_volume,
    central_limit,
    shell_volume,
)
from suffice.distributions.detector import Detector, detector, required_error_rate
from suffice.distributions.dirichlet import Dirichlet
from suffice.distributions.dirichlet_multinomial import DirichletMultinomial
from suffice.distributions.discrete import Discrete
from suffice.distributions.divergence import kl, kl_method
from suffice.distributions.empirical import Empirical
from suffice.distributions.expectation import Expectation, expectation, expectation_with_error
from suffice.distributions.gamma import Gamma
from suffice.distributions.gaussian_algebra import (
    linear_gaussian,
    partitioned_inverse,
    product_of_gaussians,
    robbins_monro,
    sequential_mean,
    sum_of_gaussians,
)
from suffice.distributions.generalized_normal import GeneralizedNormal
from suffice.distributions.hierarchical import Hierarchical
from suffice.distributions.histogram import Histogram
from suffice.distributions.inverse_cdf import inverse_cdf_sample
from suffice.distributions.inverse_gamma import InverseGamma
from suffice.distributions.inverse_wishart import InverseWishart
from suffice.distributions.joint_table import JointTable, equally_likely
from suffice.distributions.laplace_distribution import LaplaceDistribution
from suffice.distributions.mixture_distribution import MixtureDistribution
from suffice.distributions.monte_carlo import monte_carlo
from suffice.distributions.multinomial import Multinomial
from suffice.distributions.multivariate_empirical import MultivariateEmpirical
from suffice.distributions.multivariate_normal import MultivariateNormal
from suffice.distributions.multivariate_t import MultivariateT
from suffice.distributions.negative_binomial import NegativeBinomial
from suffice.distributions.normal import Normal
from suffice.distributions.normal_gamma import NormalGamma
from suffice.distributions.normal_inverse_wishart import NormalInverseWishart
from suffice.distributions.poisson import Poisson
from suffice.distributions.product_distribution import ProductDistribution
from suffice.distributions.propositions import Event, exhaustive, inclusion_exclusion, mutually_exclusive
from suffice.distributions.student_t import StudentT
from suffice.distributions.sum_of_independent import sum_of_independent
from suffice.distributions.transforms import histogram_equalize
from suffice.distributions.truncated_normal import TruncatedNormal
from suffice.distributions.type_two import evidence_grid, fit_prior
from suffice.distributions.uniform import Uniform
from suffice.distributions.wishart import Wishart

__all__ = [
    "Bernoulli",
    "Beta",
    "BetaBinomial",
    "Binomial",
    "Categorical",
    "Detector",
    "Dirichlet",
    "DirichletMultinomial",
    "Discrete",
    "Distribution",
    "Empirical",
    "Event",
    "Expectation",
    "Gamma",
    "GeneralizedNormal",
    "Hierarchical",
    "Histogram",
    "InverseGamma",
    "InverseWishart",
    "JointTable",
    "LaplaceDistribution",
    "MixtureDistribution",
    "Multinomial",
    "MultivariateEmpirical",
    "MultivariateNormal",
    "MultivariateT",
    "NegativeBinomial",
    "Normal",
    "NormalGamma",
    "NormalInverseWishart",
    "Poisson",
    "ProductDistribution",
    "StudentT",
    "TruncatedNormal",
    "Uniform",
    "Wishart",
    "ball_volume",
    "central_limit",
    "change_of_variables",
    "coin_game",
    "conjugate_pairs",
    "decision",
    "detector",
    "equally_likely",
    "evidence_grid",
    "exhaustive",
    "expectation",
    "expectation_with_error",
    "fit_prior",
    "histogram_equalize",
    "inclusion_exclusion",
    "information",
    "inverse_cdf_sample",
    "kl",
    "kl_method",
    "linear_gaussian",
    "monte_carlo",
    "mutually_exclusive",
    "partitioned_inverse",
    "product_of_gaussians",
    "required_error_rate",
    "robbins_monro",
    "sequential_mean",
    "shell_volume",
    "sum_of_gaussians",
    "sum_of_independent",
]
