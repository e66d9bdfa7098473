"""What models with a penalty on the size of single weights share: one minimum per target, a Normal around it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from suffice._estimator import LinearModel, check_not_empty
from suffice.distributions import Normal
from suffice.engine import one_blas_thread
from suffice.linear._solvers.unit import UnitSystem, unit_system
from suffice.linear.ridge import _penalties
from suffice.statistics import Triangle


class Shrinking(LinearModel, ABC):
    """Minimum of a squared loss and a sum of functions of |w_j|, target by target."""

    alpha: Any
    fit_intercept: bool
    standardize: bool

    @one_blas_thread()
    def solve(self, statistics: Triangle) -> Self:
        """Write every fitted attribute from the statistics."""
        t = statistics
        check_not_empty(t.n)
        self._check()
        n = self._sample_size(t)
        alphas = _penalties(self.alpha, t.header.n_outputs)
        unit = unit_system(t, self.fit_intercept, self.standardize)
        found = self._minimize(t, unit, alphas)
        weights = np.column_stack([np.zeros((t.n_columns, 0)), *(w for w, _ in found)])
        function = unit.function(weights)
        self._publish(t, function)
        raw = unit.raw(weights)  # exact zeros, which a frame of the basis would blur
        self.coef_ = raw[:, 0] if t.header.n_targets in (None, 1) else raw.T
        self.noise_variance_ml_ = self._one(function.sse(t) / n)
        self.effective_parameters_ = self._one(np.array([e for _, e in found]) + float(self.fit_intercept))
        return self

    @abstractmethod
    def penalty(self, weights: np.ndarray) -> float:
        """What `alpha` multiplies, at these weights: Σ|w|^q, say."""

    @abstractmethod
    def _minimize(self, t: Triangle, unit: UnitSystem, alphas: np.ndarray) -> list[tuple[np.ndarray, float]]:
        """The penalized weights of each target and how many parameters they amount to; writes how it went."""

    @abstractmethod
    def _check(self) -> None:
        """Refuse parameters outside their domains."""

    def _plain(self, t: Triangle, unit: UnitSystem, j: int) -> tuple[np.ndarray, float]:
        """Penalized weights without a penalty, and the rank: least squares, the smallest of all that fit."""
        plain = t.lstsq(fit_intercept=self.fit_intercept, standardize=self.standardize)
        return plain.function.raw()[1][:, j] * unit.scale, float(plain.rank)

    @one_blas_thread()
    def predict_dist(self, X: Any) -> Normal:
        """Normal at the prediction with the residual variance; without the weights' uncertainty."""
        return self._normal(X)
