"""Tables whose columns are of different types, numbers, booleans and text: the door of models that take them all.

A column becomes float64 with NaN for a gap (numbers and booleans), or an array of strings with None for one. What it
was is remembered, as it decides the family of a column when none is given: "number", "boolean" or "category".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.records import frozen_array
from suffice.engine import parallel
from suffice.statistics import Header
from suffice.tables.requiring import same_columns
from suffice.tables.typed import TypedTable, is_text, numbers, one_kind, present, read_cells, text

SMALL = 1024  # numbers below that are looked up, not sorted
NATURAL = {"number": "number", "flag": "boolean", "nothing": "unknown"}


def open_raw(X: Any, owner: str, like: Header | None) -> tuple[TypedTable, Header]:
    """Any table as typed columns, and its header; with `like`, it must have the columns of an earlier one."""
    names, columns, held = read_cells(X, owner)
    known = None if like is None else like.features
    if like is not None:
        same_columns(names, len(columns), known, like.n_features, owner)
    header = Header(len(columns), names or known, None, 0)
    called = header.feature_names
    pairs = parallel(lambda j: _typed(columns[j], called[j], held[j]), range(len(columns)))
    return TypedTable([v for v, _ in pairs], len(columns[0]), tuple(k for _, k in pairs)), header


def _typed(values: np.ndarray, name: str, category: bool) -> tuple[np.ndarray, str]:
    """A column as numbers or as strings, and what it was."""
    if is_text(values, name):
        return values, "category"
    kind = one_kind(values, name)
    if kind == "text":
        return text(values, name), "category"
    return numbers(values, name), "category" if category and kind == "number" else NATURAL[kind]


# -- values and their codes ---------------------------------------------------------------------------------
def plain(values: np.ndarray) -> np.ndarray:
    """Values without gaps as an array that sorts: numbers or text."""
    return values if values.dtype.kind == "f" else np.array(values.tolist(), dtype=str)


def codes_among(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Places of a typed column's values in a sorted list; −1 for a gap, the length of the list for a stranger."""
    there, k = present(values), len(known)
    out = np.full(len(values), -1, dtype=np.intp)
    found = plain(values[there])
    if not k or (found.dtype.kind == "f") != (known.dtype.kind == "f"):
        out[there] = k
        return out
    small, codes = small_codes(known), small_codes(found)
    if small is not None and codes is not None:
        table = np.full(SMALL, k)
        table[small] = np.arange(k)
        out[there] = table[codes]
        return out
    place = np.minimum(np.searchsorted(known, found), k - 1)
    out[there] = np.where(known[place] == found, place, k)
    return out


def small_codes(values: np.ndarray) -> np.ndarray | None:
    """Small whole numbers from 0 as integers; None if there are others, or none at all."""
    if values.dtype.kind != "f" or not len(values) or not (values.min() >= 0 and values.max() < SMALL):
        return None
    codes = values.astype(np.intp)
    return codes if np.array_equal(codes, values) else None


def items_of(values: Any) -> list[Any] | None:
    """What is listed one by one; None for text, and for what lists nothing."""
    if isinstance(values, str):
        return None
    try:
        return list(values)
    except TypeError:
        return None


def sorted_values(values: Any, name: str) -> np.ndarray:
    """The sorted different values that a parameter `categories` lists for a column."""
    listed = list(values) if isinstance(values, str) else items_of(values) or []
    text = all_text(listed)
    if not listed or not (text or all_numbers(listed)):
        raise InvalidParameter(
            f"categories of column {name!r} must be a list of strings or numbers, all of one kind; got {values!r:.80}."
        )
    found = np.unique(np.array(listed, dtype=str if text else float))
    return frozen_array(found, dtype=found.dtype)


def all_text(values: list[Any]) -> bool:
    """Whether every value is a string."""
    return all(isinstance(v, str) for v in values)


def all_numbers(values: list[Any]) -> bool:
    """Whether every value is a number or a boolean."""
    return all(isinstance(v, int | float | np.number | np.bool_) for v in values)


def shown(value: Any) -> str:
    """A value in a message."""
    return repr(int(value)) if isinstance(value, float) and value == int(value) else repr(value)
