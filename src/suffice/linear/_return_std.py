"""What scikit-learn's Bayesian regressions share beside their formulas: `predict(return_std=True)`, and `max_iter`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Integral
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._estimator import LinearModel
from suffice.distributions import Normal


def check_steps(value: Any) -> None:
    """A whole number of steps, at least one."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise InvalidParameter(f"max_iter must be a whole number >= 1; got {value!r}.")


class ReturnsStd(LinearModel, ABC):
    """A regression whose `predict` may also return standard deviations."""

    fit_intercept: bool
    alpha_: Any  # precision of the noise

    @abstractmethod
    def predict_dist(self, X: Any, *, noise: bool = True) -> Normal:
        """Normal of a new observation, with the weights' uncertainty; `noise=False` for the function alone."""

    @property
    def X_offset_(self) -> np.ndarray:
        """Where the columns are centred: their means, or zero without an intercept."""
        return self.statistics_.mean_x if self.fit_intercept else np.zeros(self.statistics_.n_columns)

    @property
    def X_scale_(self) -> np.ndarray:
        """Ones: columns are not scaled."""
        return np.ones(self.statistics_.n_columns)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The mean of y at each row, and with `return_std` its standard deviation, noise included.

        As in scikit-learn, that deviation takes a flat constant for known; `predict_dist` does not. It counts the
        uncertainty of the function's value at the mean of the columns too, 1/(n α) of the variance. With `return_std`
        both are in the precision of the weights, which is that of the table.
        """
        mean = super().predict(X)
        if not return_std:
            return mean
        constant = 1 / (np.asarray(self.alpha_) * self.statistics_.n) if self.fit_intercept else 0.0
        std = np.sqrt(np.maximum(np.asarray(self.predict_dist(X).var) - constant, 0.0))
        return mean.astype(self.coef_.dtype), std.astype(self.coef_.dtype)
