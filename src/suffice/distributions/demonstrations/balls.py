r"""Balls in many dimensions: their volume, and the share of it near their surface.

Ball         V_D = π^(D/2) r^D / Γ(D/2 + 1);  the shell 1 − ε … 1 holds the share 1 − (1 − ε)^D ≈ D ε
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln

from suffice._core.errors import InvalidParameter
from suffice.distributions._checks import parameter


def ball_volume(dimension: Any, radius: Any = 1.0) -> Any:
    """Volume of a ball: it vanishes as the dimension grows."""
    d, r = parameter("dimension", dimension, low=0.0), parameter("radius", radius, low=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.exp(d / 2 * np.log(np.pi) - gammaln(d / 2 + 1) + np.where(d == 0, 0.0, d * np.log(r)))[()]


def shell_volume(dimension: Any, epsilon: Any) -> Any:
    """The share of a ball's volume in its outermost shell, of thickness ε times the radius: 1 − (1 − ε)^D.

    Examples
    --------
    >>> from suffice.distributions import shell_volume
    >>> shell_volume([1, 2, 10, 1000], 0.01).round(5)
    array([0.01   , 0.0199 , 0.09562, 0.99996])
    """
    d, e = parameter("dimension", dimension, low=0.0), parameter("epsilon", epsilon, low=0.0)
    if np.any(e > 1):
        raise InvalidParameter(f"epsilon must be in [0, 1]; got {e[e > 1].flat[0]}.")
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.expm1(np.where(d == 0, 0.0, d * np.log1p(-e)))[()]
