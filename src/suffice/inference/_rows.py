"""The door of k-means: rows near the origin, with what each of them counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.compiling import loops
from suffice._core.errors import InvalidInput, NumericalError, as_numbers
from suffice._core.records import record
from suffice.inference import _twins

LOOPS = "suffice.inference._loops"
MANY = 2**21  # products of rows, columns and centers after which it pays to start the compiled loops


@record
class ShiftedRows:
    """Rows less `shift`; NaN where a cell is not known, and `weight` 0 where none is. `mean` is that of the columns."""

    values: np.ndarray
    weight: np.ndarray
    shift: np.ndarray
    mean: np.ndarray
    holes: bool

    def variance(self) -> float:
        """The mean over the columns of their variance."""
        gap = self.values - self.mean
        share = self.weight[:, None] * ~np.isnan(gap)
        return float(np.mean(np.nansum(share * gap**2, axis=0) / np.sum(share, axis=0)))

    def as_centers(self, values: np.ndarray) -> np.ndarray:
        """A copy of some points with the mean where a cell is not known."""
        return np.where(np.isnan(values), self.mean, values)

    def squares(self, centers: np.ndarray) -> np.ndarray:
        """‖x − c‖² over the known cells, (centers, rows)."""
        out = np.empty((len(centers), len(self.values)))
        with np.errstate(over="ignore"):
            loops_for(self.values, centers).squares(self.values, self.holes, centers, out)
        return out


def loops_for(X: np.ndarray, centers: np.ndarray) -> Any:
    """The compiled loops where there is enough to do, else their twins."""
    return (loops(LOOPS) if X.size * len(centers) >= MANY else None) or _twins


def open_rows(X: Any, weight: Any = None) -> ShiftedRows:
    """Check and move rows. The origin goes to a round number: whole numbers stay whole, and ties remain ties."""
    X = as_table("X", X)
    if not X.size:
        raise InvalidInput(f"X must have at least one row and one column; got shape {X.shape}.")
    low, high = np.min(X, axis=0), np.max(X, axis=0)
    holes = bool(np.isnan(low).any())
    weight = _weights(weight, len(X))
    if holes:
        low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
        weight = np.where(np.isnan(X).all(axis=1), 0.0, weight)
    _refuse_infinite(low, high)
    mean = _means(X, weight, holes)
    with np.errstate(over="ignore", invalid="ignore"):
        unit = 2.0 ** np.frexp(high - low)[1]
        shift = unit * np.round(mean / unit)
        values = X - shift if shift.any() else X
    return ShiftedRows(values, weight, shift, mean - shift, holes)


def as_table(name: str, value: Any) -> np.ndarray:
    """Numbers in rows and columns, in the order of rows."""
    array = np.asarray(value)
    array = np.ascontiguousarray(array if array.dtype == np.float64 else as_numbers(name, value))
    if array.ndim != 2:
        raise InvalidInput(f"{name} must have rows and columns; got shape {np.shape(value)}.")
    return array


def as_objective(value: float) -> float:
    """A sum of squares that fits into a number."""
    if not np.isfinite(value):
        raise NumericalError(
            f"The sum of squared distances is {value:g}: the values are too large to square. Divide the columns "
            "by their scale."
        )
    return float(value)


def _weights(weight: Any, n: int) -> np.ndarray:
    if weight is None:
        return np.ones(n)
    weight = as_numbers("weight", weight)
    if weight.shape != (n,):
        raise InvalidInput(f"weight must have one number per row; got shape {weight.shape} for {n} rows.")
    bad = ~(np.isfinite(weight) & (weight >= 0))
    if bad.any():
        raise InvalidInput(f"weight must be finite and >= 0; got {weight[bad][0]:g} in row {np.argmax(bad)}.")
    if not weight.any():
        raise InvalidInput("weight is 0 for every row; give at least one of them a positive weight.")
    return weight


def _refuse_infinite(low: np.ndarray, high: np.ndarray) -> None:
    for j in np.flatnonzero(np.isinf(low) | np.isinf(high))[:1]:
        value = low[j] if np.isinf(low[j]) else high[j]
        raise InvalidInput(f"Column x{j} of X contains {value:g}; put a number or NaN (not known) there.")


def _means(X: np.ndarray, weight: np.ndarray, holes: bool) -> np.ndarray:
    """Means of the known cells; a column without any is named."""
    if not holes:
        return np.dot(weight / weight.sum(), X)
    seen = ~np.isnan(X)
    known = np.dot(weight, seen)
    for j in np.flatnonzero(known == 0)[:1]:
        raise InvalidInput(f"Column x{j} of X has no known value in a row of positive weight; leave it out.")
    return np.array([np.dot(weight[s], x[s]) for x, s in zip(X.T, seen.T, strict=True)]) / known
