"""What normal components of any shape have in common: means, the rule they are fitted by, densities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np

from suffice._components.normal.rule import Rule
from suffice._components.smoothing import Smoothing
from suffice.distributions import MultivariateNormal


class NormalComponents(ABC):
    """K normal densities of D columns."""

    means: np.ndarray
    rule: Rule

    @property
    @abstractmethod
    def covariances(self) -> np.ndarray:
        """Σ_k, one per component."""

    @property
    def n_components(self) -> int:
        return len(self.means)

    @property
    def n_columns(self) -> int:
        return self.means.shape[1]

    @property
    def n_parameters(self) -> int:
        return self.means.size + self.rule.shape.n_parameters(*self.means.shape)

    def densities(self) -> tuple[MultivariateNormal, ...]:
        pairs = zip(self.means, self.covariances, strict=True)
        return tuple(MultivariateNormal(mean, covariance) for mean, covariance in pairs)

    def with_rule_of(self, base: Any) -> Self:
        return replace(self, rule=base.rule)  # type: ignore[type-var]

    def smoothed(self, weights: np.ndarray, smoothing: Smoothing) -> Self:
        return self
