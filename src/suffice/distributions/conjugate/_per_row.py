r"""Known means and standard deviations that differ from row to row, or from prior to prior of a batch.

One number      for all rows and priors
(N,)            one per row of the data:   x − μ about zero;  weights w/σ² about σ = 1
(..., 1)        a batch: for each element one number for all rows

Evidence        of rows with their own σ: that of the weights w/σ², with Σ w (−½ log 2π − log σ) for the rows
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.numerics import LOG_2PI
from suffice.distributions._checks import filled_weights, parameter, sample_values
from suffice.statistics import Moments

NAMES = ("mean", "std")


def by_row(x: Any, weight: Any, known: dict[str, Any]) -> tuple[Any, Any, dict[str, Any], float]:
    """Data, weights and what is known with one number for all rows, and what the log evidence lacks then."""
    name = next((n for n in NAMES if n in known and np.ndim(known[n]) > 0), None)
    if name is None:
        return x, weight, known, 0.0
    value = np.asarray(known[name])
    if value.shape[-1] == 1 and (value.ndim > 1 or _rows_of(x) != 1):
        return x, weight, {**known, name: value[..., 0]}, 0.0
    if isinstance(x, Moments) or value.shape != (_rows_of(x),):
        raise _neither(name, value.shape, x)
    return _of_means(x, weight, value) if name == "mean" else _of_stds(x, weight, value)


def _of_means(x: Any, weight: Any, mean: np.ndarray) -> tuple[Any, Any, dict[str, Any], float]:
    return sample_values(x, ndim=1) - parameter("mean", mean), weight, {"mean": 0.0}, 0.0


def _of_stds(x: Any, weight: Any, std: np.ndarray) -> tuple[Any, Any, dict[str, Any], float]:
    std = parameter("std", std, low=0.0, strict=True)
    w = filled_weights(weight, len(std))
    precise = w / std**2
    lacking = 0.5 * LOG_2PI * (precise.sum() - w.sum()) - w @ np.log(std)
    return np.atleast_1d(x), precise, {"std": 1.0}, float(lacking)


def _rows_of(x: Any) -> int | None:
    """How many rows there are, where there are rows."""
    return None if isinstance(x, Moments) else len(np.atleast_1d(x))


def _neither(name: str, shape: tuple[int, ...], x: Any) -> InvalidParameter:
    rows = _rows_of(x)
    data = "statistics, which hold no rows" if rows is None else f"{rows} rows"
    return InvalidParameter(
        f"{name} of shape {shape} is neither one number per row nor a batch of {data}: "
        f"give {'the rows themselves with ' if rows is None else ''}{name}={name} of shape (N,) for one per row, "
        f"or {name}={name}[..., None], a last axis of length 1, for one posterior per {name}."
    )
