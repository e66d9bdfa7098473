"""Whole numbers from 0, or listed values, as codes: the door of models of categories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NoInformation, check_choice, warn
from suffice._core.records import record
from suffice._estimator.raw_columns import codes_among, items_of, open_raw, shown, sorted_values
from suffice.statistics.header import Header

MOST = 10_000_000  # values of a column, above which a number is hardly a code


@record
class Unknown:
    """The first value that a fitted model has no count for, and how many cells hold one."""

    column: str
    value: str
    cells: int


def codes_of_numbers(X: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """Numbers as codes, −1 for NaN; a fraction is cut, as in scikit-learn, with a warning."""
    missing = np.isnan(X)
    values = np.where(missing, 0.0, X)
    if np.any(values < 0) or np.any(values >= MOST):
        row, j = np.argwhere((values < 0) | (values >= MOST))[0].tolist()
        word = (
            "Negative values in data passed to CategoricalNB (input X)"
            if values[row, j] < 0
            else "A value too large for a code"
        )
        raise InvalidInput(
            f"{word}: {values[row, j]:g} at row {row}, column {names[j]!r}; codes are whole numbers 0, 1, 2, … "
            "List the values of the columns with categories= if they are not."
        )
    codes = np.asarray(values, dtype=np.intp)
    broken = codes != values
    if broken.any():
        row, j = np.argwhere(broken)[0].tolist()
        warn(
            f"Column {names[j]!r} holds {values[row, j]:g}, which is no whole number; such values are cut to whole "
            "numbers. Sort them into bins first, or use GaussianNB.",
            NoInformation,
        )
    codes[missing] = -1
    return codes


def plain_codes(X: Any, like: Header | None) -> np.ndarray | None:
    """A matrix of integers that are codes already, as it is; None for anything that needs a closer look."""
    if type(X) is not np.ndarray or X.dtype.kind not in "iu" or X.ndim != 2 or not X.size:
        return None
    if like is not None and (like.features is not None or X.shape[1] != like.n_features):
        return None
    return X.astype(np.intp, copy=False) if X.min() >= 0 and X.max() < MOST else None


def listed_values(categories: Any, names: tuple[str, ...]) -> tuple[np.ndarray, ...]:
    """Sorted values of each column, from a list per column or a mapping by name."""
    if isinstance(categories, Mapping):
        absent = [n for n in names if n not in categories]
        if absent or len(categories) != len(names):
            odd = absent[0] if absent else next(n for n in categories if n not in names)
            raise InvalidParameter(
                f"categories must list the values of every column; column {odd!r} differs."
            )
        categories = [categories[n] for n in names]
    lists = items_of(categories)
    if lists is None or len(lists) != len(names):
        raise InvalidParameter(
            f"categories must have one list of values per column, {len(names)} in all; got {categories!r:.80}."
        )
    return tuple(sorted_values(values, name) for values, name in zip(lists, names, strict=True))


def listed_codes(
    X: Any, categories: Any, owner: str, like: Header | None
) -> tuple[np.ndarray, Header, Unknown | None]:
    """Any table as codes among listed values, −1 for a gap; its header; and the first value that is not listed."""
    table, header = open_raw(X, owner, like)
    known = listed_values(categories, header.feature_names)
    codes = np.column_stack([codes_among(c, k) for c, k in zip(table.columns, known, strict=True)])
    sizes = np.array([len(k) for k in known])
    odd = first_unknown(codes, sizes, header.feature_names, lambda i, j: table.columns[j][i])
    return codes, header, odd


def first_unknown(codes: np.ndarray, sizes: np.ndarray, names: tuple[str, ...], read: Any) -> Unknown | None:
    """Where a code is beyond the values of its column; `read(row, column)` is the value itself."""
    beyond = codes >= sizes
    if not beyond.any():
        return None
    row, j = np.argwhere(beyond)[0].tolist()
    return Unknown(names[j], shown(read(row, j)), int(beyond.sum()))


def ruled(codes: np.ndarray, sizes: np.ndarray, odd: Unknown | None, rule: str) -> np.ndarray:
    """Codes beyond the values of their column, by the rule for them: missing, kept for smoothing, or an error."""
    if odd is None:
        return codes
    found = f"Column {odd.column!r} holds {odd.value}, which was not among the values of the fit"
    if rule == "raise":
        raise InvalidInput(f"{found}. Leave such rows out, or choose unknown='missing' or 'smooth'.")
    if rule == "smooth":
        return np.minimum(codes, sizes)
    warn(f"{found}; such cells ({odd.cells}) are taken as missing.", NoInformation)
    return np.where(codes >= sizes, -1, codes)


def check_unknown(rule: Any) -> None:
    check_choice("unknown", rule, ("missing", "smooth", "raise"))
