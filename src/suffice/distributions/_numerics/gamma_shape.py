"""The maximum-likelihood shape of a gamma distribution, from one number."""

from __future__ import annotations

import numpy as np
from scipy.special import polygamma

from suffice._core.errors import InvalidInput
from suffice.distributions._numerics.special import digamma_gap


def positive(x: np.ndarray) -> np.ndarray:
    """Data for a fit, all above zero."""
    if np.any(x <= 0):
        raise InvalidInput(f"x must be > 0; got {x[x <= 0][0]}.")
    return x


def gamma_shape(gap: float) -> float:
    """The root a of log a − ψ(a) = gap, by Newton's method for log(log a − ψ(a)) over log a.

    The curve is close to a line of slope −1, so a handful of steps give all digits.
    """
    if not gap > 0:
        raise InvalidInput("x must vary: the likelihood of equal values grows with the shape without end.")
    a = (3 - gap + np.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
    for _ in range(30):
        value = digamma_gap(a)
        slope = -1.0 if a > 1e6 else (1 - a * polygamma(1, a)) / value
        step = -np.log(value / gap) / slope
        a *= np.exp(step)
        if abs(step) < 1e-15:
            break
    return float(a)
