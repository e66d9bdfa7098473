"""The door of this room: labels, losses, counts and names, checked once."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_fraction
from suffice._core.numerics import first_nonfinite
from suffice.tables.cells import first_odd, floats, gaps
from suffice.tables.requiring import array_from

Interval = tuple[float, float]


# -- columns --------------------------------------------------------------------------------------
def labels(**columns: Any) -> list[np.ndarray]:
    """Columns of labels, equally long, none missing, all of text or all of numbers."""
    arrays = [_labels(name, values) for name, values in columns.items()]
    same_length(dict(zip(columns, arrays, strict=True)))
    text = {name: a.dtype.kind in "US" for name, a in zip(columns, arrays, strict=True)}
    if len(set(text.values())) > 1:
        words, others = ([n for n, t in text.items() if t is kind] for kind in (True, False))
        raise InvalidInput(
            f"The labels of {' and '.join(words)} are text, those of {' and '.join(others)} are not. "
            "Convert one to the kind of the other."
        )
    return arrays


def _labels(name: str, values: Any) -> np.ndarray:
    array = _column(name, values)
    missing = gaps(array)
    if missing.any():
        raise InvalidInput(f"{name} has no label at row {int(np.argmax(missing))}; drop such rows first.")
    return np.array(array.tolist()) if array.dtype == object else array


def finite(name: str, values: Any) -> np.ndarray:
    """A column of finite numbers as float64."""
    array = numeric(name, _column(name, values))
    bad = first_nonfinite(array)
    if bad is not None:
        raise InvalidInput(f"{name} must be finite; it has {bad}.")
    return array


def numeric(name: str, array: np.ndarray) -> np.ndarray:
    """An array of numbers as float64, NaN for gaps; text among other cells may spell numbers."""
    odd = first_odd(array.ravel())
    try:
        if odd is not None and array.dtype != object:
            raise TypeError
        return floats(array)
    except (TypeError, ValueError):
        cell = array.ravel().tolist()[odd or 0]
        raise InvalidInput(f"{name} must be made of numbers; it holds {cell!r}.") from None


def _column(name: str, values: Any) -> np.ndarray:
    array = array_from(name, values)
    if array.ndim == 0:
        raise InvalidInput(f"{name} must be a column of values; got {values!r}.")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InvalidInput(f"{name} must have one dimension; got shape {array.shape}.")
    if not len(array):
        raise InvalidInput(f"{name} is empty; there is nothing to compare.")
    return array


def same_length(columns: dict[str, np.ndarray]) -> None:
    """Raise unless all columns have the same number of rows."""
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise InvalidInput(f"The columns must have the same number of rows: {found}.")


# -- counts ---------------------------------------------------------------------------------------
def counts(sample_weight: Any, n: int) -> np.ndarray:
    """How many rows each row stands for: ones, or whole numbers that are not all zero."""
    if sample_weight is None:
        return np.ones(n)
    weight = finite("sample_weight", sample_weight)
    same_length({"sample_weight": weight, "the data": np.empty(n)})
    bad = (weight < 0) | (weight != np.round(weight))
    if bad.any():
        row = int(np.argmax(bad))
        raise InvalidInput(
            f"sample_weight says how many rows each row stands for, a whole number >= 0; got {weight[row]:g} "
            f"at row {row}. A test on rows has no meaning for fractions of them."
        )
    if not weight.any():
        raise InvalidInput("sample_weight is zero everywhere; there is nothing to compare.")
    return weight


def whole(name: str, value: Any, low: int = 0) -> int:
    """A whole number at least `low`."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
    if not real or float(value) != np.round(float(value)) or not low <= float(value) < np.inf:
        raise InvalidParameter(f"{name} must be a whole number >= {low}; got {value!r}.")
    return int(value)


# -- words ----------------------------------------------------------------------------------------
def counted(n: int, unit: str) -> str:
    """A number of things.

    >>> counted(1, "row"), counted(8, "row")
    ('1 row', '8 rows')
    """
    return f"{n} {unit}" if n == 1 else f"{n} {unit}s"


def check_names(names: Any) -> tuple[str, str]:
    """Two different names for the sentence."""
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise InvalidParameter(f"names must be two, such as ('A', 'B'); got {names!r}.")
    first, second = map(str, names)
    if first == second:
        raise InvalidParameter(f"names must differ; got {first!r} twice.")
    return first, second


def check_confidence(confidence: Any) -> float:
    """A level strictly between 0 and 1."""
    return check_fraction("confidence", confidence)
