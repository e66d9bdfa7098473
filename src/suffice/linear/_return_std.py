"""What scikit-learn's Bayesian regressions share beside their formulas: `predict(return_std=True)`, and `max_iter`."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter


def check_steps(value: Any) -> None:
    """A whole number of steps, at least one."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise InvalidParameter(f"max_iter must be a whole number >= 1; got {value!r}.")


def with_std(model: Any, X: Any, mean: np.ndarray, noise_precision: Any) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of a new observation, the function's value at the mean of the columns being known.

    `predict_dist` counts the uncertainty of that value too, 1/(n α) of the variance. Both are in the precision of the
    weights, which is that of the table.
    """
    variance = np.asarray(model.predict_dist(X).var)
    constant = 1 / (np.asarray(noise_precision) * model.statistics_.n) if model.fit_intercept else 0.0
    std = np.sqrt(np.maximum(variance - constant, 0.0))
    return mean.astype(model.coef_.dtype), std.astype(model.coef_.dtype)
