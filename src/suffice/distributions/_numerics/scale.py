"""Location and scale, with scale zero as the point mass."""

from __future__ import annotations

from typing import Any

import numpy as np


def standardized(x: Any, loc: Any, scale: Any) -> Any:
    """z = (x − loc)/scale; for scale zero a step: −inf below the point, inf on it and above."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        z = x - loc
        z /= scale
    if np.any(scale == 0):
        z = np.where((scale == 0) & (x == loc), np.inf, z)[()]
    return z


def log_density_at_scale(value: Any, x: Any, loc: Any, scale: Any) -> Any:
    """`value`, but for scale zero the log density of a point mass."""
    if not np.any(scale == 0):
        return value
    point = np.where(x == loc, np.inf, np.where(np.isnan(x), np.nan, -np.inf))
    return np.where(scale == 0, point, value)[()]


def at_scale(z: Any, loc: Any, scale: Any) -> Any:
    """loc + scale z; the point itself for scale zero, also where z is infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        x = loc + scale * z
    if np.any(scale == 0):
        x = np.where(scale == 0, loc, x)[()]
    return x
