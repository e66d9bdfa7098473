r"""The mean of the target, whatever the columns say.

y ~ N(μ, σ²),   μ̂ = ȳ,   y* ~ t_{n−1}(ȳ, s² (1 + 1/n))
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, Literal, Self

import numpy as np

from suffice._core.errors import NumericalError
from suffice._core.records import estimator
from suffice._estimator import LinearModel, LinearSmoother, check_not_empty, open_inputs
from suffice.bases import Basis, Polynomial
from suffice.distributions import StudentT
from suffice.statistics import AffineFunction, Triangle
from suffice.statistics.leave_out import LeftOut, Smoother
from suffice.statistics.lstsq import System, system


@estimator
class MeanRegressor(LinearSmoother, LinearModel):
    """Predicts the (weighted) mean of y: a linear model without columns.

    Examples
    --------
    >>> from suffice.baselines import MeanRegressor
    >>> model = MeanRegressor().fit([[1.0], [2.0], [3.0]], [2.0, 4.0, 9.0])
    >>> model.predict([[10.0]])
    array([5.])
    """

    basis: ClassVar[Basis] = Polynomial(0)  # type: ignore[misc]
    weight_kind: ClassVar[Literal["counts"]] = "counts"  # type: ignore[misc]

    mean_: Any = field(init=False)
    noise_variance_: Any = field(init=False)

    def solve(self, statistics: Triangle) -> Self:
        """Write every fitted attribute from the statistics."""
        t = statistics
        check_not_empty(t.n)
        self._publish(
            t, AffineFunction(t.layout, t.mean_x, t.target_means, np.zeros((0, t.header.n_outputs)))
        )
        variance = t.scatter_y / (t.n - 1) if t.n > 1 else np.full_like(t.scatter_y, np.nan)
        single = t.header.n_targets is None
        self.mean_, self.noise_variance_ = (
            (float(t.target_means[0]), float(variance[0])) if single else (t.target_means, variance)
        )
        return self

    def predict_dist(self, X: Any) -> StudentT:
        """Student-t of a new observation."""
        X = open_inputs(self, X)
        mean = self.function_(X)
        n = self.statistics_.n
        if n <= 1:
            raise NumericalError(f"A spread needs a total weight above 1; got {n:g}.")
        scale = np.sqrt(np.broadcast_to(self.noise_variance_, mean.shape) * (1 + 1 / n))
        return StudentT(n - 1, self._shaped(mean), self._shaped(scale))

    @property
    def ignores_scale(self) -> bool:
        return True

    def subset_system(self, statistics: Triangle) -> tuple[System, float]:
        """Least squares without columns."""
        return system(statistics), 0.0

    def _why_hat_varies(self) -> None:
        return None

    def _smoother(self, t: Triangle) -> Smoother:
        return Smoother.of_solution(t.lstsq(), t.n)

    def left_out_dist(self, left: LeftOut, single: bool) -> StudentT:
        """Student-t of each row from the mean and variance of the other folds."""
        n = left.n[left.fold]
        if np.any(n <= 1):
            raise NumericalError(f"Fold {left.fold[np.argmin(n)]} leaves a total weight of {n.min():g}.")
        scale = np.sqrt(left.sse[left.fold] / (n - 1)[:, None] * (1 + left.spread)[:, None])
        mean = left.predictions
        return StudentT(n - 1, mean[:, 0], scale[:, 0]) if single else StudentT((n - 1)[:, None], mean, scale)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # that is what a baseline is for
        return tags
