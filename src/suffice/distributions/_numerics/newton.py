"""Newton's method for a few parameters: what the fits without a closed form use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice._core.linalg import eigh

Objective = Callable[[np.ndarray], tuple[Any, np.ndarray, np.ndarray]]


class Maximum(NamedTuple):
    """Where the climb ended, and whether the slope there is flat."""

    theta: np.ndarray
    converged: bool


def maximize(objective: Objective, start: Any, max_iter: int = 200, *, least_gain: float = 1e-26) -> Maximum:
    """Climb to a maximum of value, gradient and Hessian; uphill also where the surface is not concave.

    A step that promises less than `least_gain` is the last.
    """
    theta = np.asarray(start, dtype=float)
    value, gradient, hessian = objective(theta)
    for _ in range(max_iter):
        curvature, axes = eigh(-hessian)
        size = np.maximum(np.abs(curvature), 1e-14 * np.abs(curvature).max() + 1e-300)
        step = axes @ ((axes.T @ gradient) / size)
        step /= max(1.0, np.abs(step).max() / 5)  # at most five units of log parameter at a time
        gain = gradient @ step
        for _ in range(60):
            new = objective(theta + step)
            if new[0] >= value - 1e-15 * abs(value) - 1e-18:
                break
            step = step / 2
        else:
            return Maximum(theta, bool(gain < 1e-10))
        theta, (value, gradient, hessian) = theta + step, new
        if np.all(np.abs(step) <= 1e-13 * np.maximum(1, np.abs(theta))) or gain < least_gain:
            return Maximum(theta, True)
    return Maximum(theta, bool(gain < 1e-10))
