"""Poisson regressions whose mean stays below the largest count of the fit.

The exponential of a line soon leaves all that was ever seen: one row with an unusual column can be predicted a billion,
and its loss hides what a model does for all others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self, final

import numpy as np

from suffice._core.records import storable
from suffice.distributions import Distribution, MixtureDistribution, Poisson
from suffice.glm import BayesianPoissonRegression, PoissonRegression

TINY = 1e-9  # a mean count that is as good as none


def bounded(rate: np.ndarray, largest: float) -> np.ndarray:
    """Rates between next to nothing and the largest count."""
    return np.clip(rate, TINY, max(largest, TINY))


@final
@storable
@dataclass(eq=False, repr=False)
class BoundedPoissonRegression(PoissonRegression):
    """`PoissonRegression` as a study tries it: `largest_` is the largest count, which no predicted mean exceeds.

    A fit that shares its work with others, as those that choose a penalty do, has no bound.

    Examples
    --------
    >>> from suffice.study.models.bounded_poisson import BoundedPoissonRegression
    >>> model = BoundedPoissonRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1, 1, 4, 9])
    >>> model.predict([[2.0], [30.0]]).round(1)
    array([3.8, 9. ])
    """

    largest_: float = field(init=False, default=np.inf)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Self:
        """As the model without a bound; and keep the largest count."""
        super().fit(X, y, sample_weight, offset)
        self.largest_ = float(np.max(y))
        return self

    def predict(self, X: Any, offset: Any = None) -> np.ndarray:
        """The mean count at each row."""
        return bounded(super().predict(X, offset), self.largest_)

    def predict_dist(self, X: Any, offset: Any = None) -> Distribution:
        """Poisson with that mean."""
        return Poisson(self.predict(X, offset))


@final
@storable
@dataclass(eq=False, repr=False)
class BoundedBayesianPoissonRegression(BayesianPoissonRegression):
    """`BayesianPoissonRegression` as a study tries it, with the same bound on every rate of its posterior."""

    largest_: float = field(init=False, default=np.inf)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Self:
        """As the model without a bound; and keep the largest count."""
        super().fit(X, y, sample_weight, offset)
        self.largest_ = float(np.max(y))
        return self

    def predict(self, X: Any, offset: Any = None) -> np.ndarray:
        """The mean of `predict_dist`."""
        return np.asarray(self.predict_dist(X, offset).mean)

    def predict_dist(self, X: Any, offset: Any = None) -> Distribution:
        """p(y | x, D): a mixture of Poisson distributions over the posterior of the rate."""
        d: Any = super().predict_dist(X, offset)
        return MixtureDistribution(
            d.weights, tuple(Poisson(bounded(part.rate, self.largest_)) for part in d.components)
        )
