"""Probability distributions: frozen values with one set of names, batched over leading dimensions.

How to add one: write `name.py` in its room, with the sections of `univariate/normal.py` in the same order
(density in symbols, parameters, moments, densities and tails, quantiles and sampling, statistics and fitting,
other parametrisations, extras); derive from `Univariate` or `Multivariate`, and from what fits of `_kinds.py`;
override nothing; check parameters with `_checks.parameter`; list it here; give it settings in
`tests/laws/settings_univariate.py` or `settings_multivariate.py`, where every name below must obey the laws, and mpmath
values in `tests/oracle`.
"""

from suffice.distributions import coin_game, decision, information
from suffice.distributions._base import Distribution
from suffice.distributions._numerics.gamma_function import gamma_function, log_gamma
from suffice.distributions.compound.change_of_variables import change_of_variables
from suffice.distributions.compound.gaussian_algebra import (
    linear_gaussian,
    partitioned_inverse,
    product_of_gaussians,
    robbins_monro,
    sequential_mean,
    sum_of_gaussians,
)
from suffice.distributions.compound.mixture_distribution import MixtureDistribution
from suffice.distributions.compound.product_distribution import ProductDistribution
from suffice.distributions.compound.sum_of_independent import sum_of_independent
from suffice.distributions.conjugate.by_quadrature import log_evidence, posterior
from suffice.distributions.conjugate.conjugacy import conjugate_pairs
from suffice.distributions.conjugate.hierarchical import Hierarchical
from suffice.distributions.conjugate.type_two import evidence_grid, fit_prior
from suffice.distributions.demonstrations.balls import ball_volume, shell_volume
from suffice.distributions.demonstrations.central_limit import central_limit
from suffice.distributions.demonstrations.histogram_equalization import histogram_equalize
from suffice.distributions.expectations.divergence import kl, kl_method
from suffice.distributions.expectations.expectation import Expectation, expectation, expectation_with_error
from suffice.distributions.expectations.monte_carlo import monte_carlo
from suffice.distributions.expectations.regions import (
    RegionProbability,
    marginal_density,
    region_probability,
)
from suffice.distributions.multivariate.dirichlet import Dirichlet
from suffice.distributions.multivariate.dirichlet_multinomial import DirichletMultinomial
from suffice.distributions.multivariate.inverse_wishart import InverseWishart
from suffice.distributions.multivariate.multinomial import Multinomial
from suffice.distributions.multivariate.multivariate_empirical import MultivariateEmpirical
from suffice.distributions.multivariate.multivariate_normal import MultivariateNormal
from suffice.distributions.multivariate.multivariate_t import MultivariateT
from suffice.distributions.multivariate.normal_gamma import NormalGamma
from suffice.distributions.multivariate.normal_inverse_wishart import NormalInverseWishart
from suffice.distributions.multivariate.wishart import Wishart
from suffice.distributions.tables.detector import Detector, detector, required_error_rate
from suffice.distributions.tables.inverse_cdf import inverse_cdf_sample
from suffice.distributions.tables.joint_table import JointTable, equally_likely
from suffice.distributions.tables.propositions import (
    Event,
    exhaustive,
    inclusion_exclusion,
    mutually_exclusive,
)
from suffice.distributions.univariate.bernoulli import Bernoulli
from suffice.distributions.univariate.beta import Beta
from suffice.distributions.univariate.beta_binomial import BetaBinomial
from suffice.distributions.univariate.binomial import Binomial
from suffice.distributions.univariate.categorical import Categorical
from suffice.distributions.univariate.discrete import Discrete
from suffice.distributions.univariate.empirical import Empirical
from suffice.distributions.univariate.gamma import Gamma
from suffice.distributions.univariate.generalized_normal import GeneralizedNormal
from suffice.distributions.univariate.histogram import Histogram
from suffice.distributions.univariate.inverse_gamma import InverseGamma
from suffice.distributions.univariate.laplace_distribution import LaplaceDistribution
from suffice.distributions.univariate.negative_binomial import NegativeBinomial
from suffice.distributions.univariate.normal import Normal
from suffice.distributions.univariate.poisson import Poisson
from suffice.distributions.univariate.student_t import StudentT
from suffice.distributions.univariate.truncated_normal import TruncatedNormal
from suffice.distributions.univariate.uniform import Uniform

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
    "RegionProbability",
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
    "gamma_function",
    "histogram_equalize",
    "inclusion_exclusion",
    "information",
    "inverse_cdf_sample",
    "kl",
    "kl_method",
    "linear_gaussian",
    "log_evidence",
    "log_gamma",
    "marginal_density",
    "monte_carlo",
    "mutually_exclusive",
    "partitioned_inverse",
    "posterior",
    "product_of_gaussians",
    "region_probability",
    "required_error_rate",
    "robbins_monro",
    "sequential_mean",
    "shell_volume",
    "sum_of_gaussians",
    "sum_of_independent",
]
