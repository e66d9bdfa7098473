"""Zeros and ones, whatever the link: what does not depend on it."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np

from suffice.distributions import Bernoulli
from suffice.likelihoods._base import KnownVariance, WithLink, as_targets, refuse, twice_below_saturated


class ZeroOrOne(WithLink, KnownVariance, ABC):
    """A likelihood of two labels, coded 0 and 1."""

    def distribution(self, a: np.ndarray) -> Bernoulli:
        return Bernoulli(self.mean(a))

    def spread(self, a: np.ndarray, dispersion: float) -> Bernoulli:
        """Zeros and ones have the variance of their mean, whatever was estimated."""
        return self.distribution(a)

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return np.zeros(len(y))

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return twice_below_saturated(self, y, a)

    def check(self, y: Any) -> np.ndarray:
        values = as_targets(y)
        bad = (values != 0) & (values != 1)
        refuse(type(self).__name__, values, bad, "0 and 1", "Code the classes so.")
        return values
