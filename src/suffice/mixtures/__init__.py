"""Mixture models: rows that come from one of several components, nobody knows which."""

from suffice._components.imputation import Imputation
from suffice.mixtures.alignment import align
from suffice.mixtures.bernoulli_mixture import BernoulliMixture
from suffice.mixtures.categorical_mixture import CategoricalMixture
from suffice.mixtures.gaussian_mixture import GaussianMixture
from suffice.mixtures.gibbs_gaussian_mixture import GibbsGaussianMixture
from suffice.mixtures.mixture_model import MixtureModel
from suffice.mixtures.multinomial_mixture import MultinomialMixture
from suffice.mixtures.poisson_mixture import PoissonMixture
from suffice.mixtures.select_components import ComponentSelection, select_components

__all__ = [
    "BernoulliMixture",
    "CategoricalMixture",
    "ComponentSelection",
    "GaussianMixture",
    "GibbsGaussianMixture",
    "Imputation",
    "MixtureModel",
    "MultinomialMixture",
    "PoissonMixture",
    "align",
    "select_components",
]
