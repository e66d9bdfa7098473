r"""The mean of counts, whatever the columns say: what a model of counts has to beat.

y ~ NB(μ, α),   μ̂ = ȳ,  α̂ = max((s² (1 + 1/n) − ȳ) / ȳ², 0)        (moments)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice._core.records import storable
from suffice._estimator import open_inputs
from suffice.baselines import MeanRegressor
from suffice.distributions import NegativeBinomial
from suffice.statistics import Layout, Triangle

LEAST = 1e-6  # dispersion that no counts tell from that of Poisson


@storable
@dataclass(eq=False, repr=False)
class MeanCount(MeanRegressor):
    """Predicts the mean count; where all are zero, half a count in all rows, so that no count is impossible.

    It differs from `MeanRegressor`, which validation knows as a baseline, in this and in its distribution: whole
    numbers from 0 on.

    Examples
    --------
    >>> from suffice.study.models.mean_count import MeanCount
    >>> model = MeanCount().fit([[0.0], [1.0], [2.0]], [2, 0, 7])
    >>> low, high = model.predict_dist([[5.0]]).interval(0.9)
    >>> float(model.predict([[5.0]])[0]), float(low[0]), float(high[0])
    (3.0, 0.0, 11.0)
    """

    def solve(self, statistics: Triangle) -> Self:
        """Write every fitted attribute from the statistics."""
        super().solve(statistics)
        if self.mean_ == 0:
            self.mean_ = 0.5 / statistics.n
            self.function_ = self.function_.replaced(np.array([self.mean_]), self.function_.slope)
        return self

    def predict_dist(self, X: Any) -> NegativeBinomial:  # type: ignore[override]
        """Negative binomial with the mean and the variance of the counts, as near to Poisson as they are."""
        n, count = self.statistics_.n, np.full(open_inputs(self, X).shape[0], self.mean_)
        surplus = (self.noise_variance_ * (1 + 1 / n) if n > 1 else 0.0) - self.mean_
        return NegativeBinomial.from_mean(count, 1 / max(surplus / self.mean_**2, LEAST))

    def left_out_pays(self, folds: Any, layout: Layout) -> bool:
        """Never: a fold without any count is a case of its own."""
        return False
