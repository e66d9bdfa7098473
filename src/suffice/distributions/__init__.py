"""Probability distributions: frozen values with one set of names, batched over leading dimensions.

How to add one: write `name.py` with the sections of `normal.py` in the same order (density in symbols,
parameters, moments, densities and tails, quantiles and sampling, statistics and fitting, other
parametrisations, extras); derive from `Univariate` or `Multivariate`, override nothing; check parameters
with `_checks.parameter`; list it here; give it settings in `tests/laws/test_distributions.py`, where every
name below must obey the laws, and mpmath values in `tests/oracle`.
"""

from suffice.distributions._base import Distribution
from suffice.distributions.categorical import Categorical
from suffice.distributions.multivariate_normal import MultivariateNormal
from suffice.distributions.normal import Normal
from suffice.distributions.student_t import StudentT

__all__ = ["Categorical", "Distribution", "MultivariateNormal", "Normal", "StudentT"]
