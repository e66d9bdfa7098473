"""Mixture models: rows that come from one of several components, nobody knows which."""

from suffice.mixtures.gaussian_mixture import GaussianMixture

__all__ = ["GaussianMixture"]
