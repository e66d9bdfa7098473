"""Tables whose columns are of different types: numbers, booleans, text. Their door, and rows taken from all columns.

A column becomes float64 with NaN for a gap (numbers and booleans), or an array of strings with None for one. What it
was is remembered, as it decides the family of a column when none is given: "number", "boolean" or "category".
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import HeaderMismatch, InvalidInput
from suffice._core.frames import NamedArray
from suffice._core.numerics import first_nonfinite
from suffice.engine import parallel
from suffice.engine.sources.arrays import is_table
from suffice.engine.values import array, column, gaps, names_of
from suffice.statistics import Header

SMALL = 1024  # numbers below that are looked up, not sorted


class RawTable:
    """Columns side by side, and what each was before it became an array of numbers or of strings."""

    ndim = 2

    def __init__(self, columns: list[np.ndarray], natural: tuple[str, ...], n_rows: int):
        self.columns, self.natural, self.shape = columns, natural, (n_rows, len(columns))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> RawTable:
        """Some of the rows, by a slice or by their numbers."""
        n = len(np.arange(len(self))[rows])
        return RawTable([c[rows] for c in self.columns], self.natural, n)


def open_raw(X: Any, owner: str, like: Header | None) -> tuple[RawTable, Header]:
    """Any table as typed columns, and its header; with `like`, it must have the columns of an earlier one."""
    names, columns, natural, n = _read(X, owner)
    table = RawTable(columns, natural, n)
    known = None if like is None else like.features
    if like is not None:
        _check_columns(names, table.shape[1], like, owner)
    names = names or known
    header = Header(table.shape[1], names, None, 0)
    for j, values in enumerate(columns):
        if values.dtype.kind == "f" and np.isinf(values).any():
            place = first_nonfinite(np.where(np.isnan(values), 0.0, values))
            where = str(place).partition(" (")[0]
            raise InvalidInput(
                f"X contains {where}, column {header.feature_names[j]!r}. Remove or correct such rows first."
            )
    return table, header


def _read(X: Any, owner: str) -> tuple[tuple[str, ...] | None, list[np.ndarray], tuple[str, ...], int]:
    """Names, columns, what they were, and the number of rows."""
    if sparse.issparse(X):
        raise InvalidInput(
            f"{owner} does not take sparse tables, whose columns are all numbers; pass X.toarray()."
        )
    if isinstance(X, NamedArray):
        names, X = X.names, np.asarray(X)
        return names, [X[:, j] for j in range(X.shape[1])], ("number",) * X.shape[1], X.shape[0]
    if is_table(X):
        names = names_of(X)
        _refuse_empty(len(next(iter(_arrays(X, names[:1])), [])), len(names))
        pairs = [
            _typed(a, f"column {n!r}", _is_category(column(X, n)))
            for a, n in zip(_arrays(X, names), names, strict=True)
        ]
        return _as_text(X, names), [v for v, _ in pairs], tuple(k for _, k in pairs), len(pairs[0][0])
    table = _matrix(X)
    pairs = parallel(lambda j: _typed(table[:, j], f"column 'x{j}'", False), range(table.shape[1]))
    return None, [v for v, _ in pairs], tuple(k for _, k in pairs), len(table)


def _arrays(X: Any, names: tuple[str, ...]) -> list[np.ndarray]:
    return [array(X, n) for n in names]


def _as_text(X: Any, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """Names that are text; a frame with numbered columns has none, as in scikit-learn."""
    given = getattr(X, "columns", names)
    return names if hasattr(X, "schema") or all(isinstance(n, str) for n in given) else None


def _is_category(values: Any) -> bool:
    kind = str(getattr(values, "dtype", getattr(values, "type", "")))
    return kind.startswith(("category", "Categorical", "Enum", "dictionary"))


def _matrix(X: Any) -> np.ndarray:
    """Two dimensions, of whatever type."""
    try:
        table = np.asarray(X)
    except ValueError:
        table = np.asarray(X, dtype=object)
    if table.dtype.kind == "U" and not hasattr(X, "dtype"):  # of lists, in which numbers must not become text
        table = np.asarray(X, dtype=object)
    if table.dtype.kind == "c":
        raise InvalidInput("Complex data not supported: X must hold real numbers, booleans or text.")
    if table.ndim != 2:
        raise InvalidInput(
            f"Expected 2D array, got {table.ndim}D array instead: X must have a row per observation. "
            "Reshape your data with X.reshape(-1, 1) if it has a single column."
        )
    _refuse_empty(*table.shape)
    return table


def _refuse_empty(n: int, d: int) -> None:
    if not d:
        raise InvalidInput(f"0 feature(s) (shape=({n}, 0)) while a minimum of 1 is required.")
    if not n:
        raise InvalidInput(f"Found array with 0 sample(s) (shape=(0, {d})) while a minimum of 1 is required.")


def _typed(values: np.ndarray, name: str, category: bool) -> tuple[np.ndarray, str]:
    """A column as numbers or as strings, and what it was."""
    if values.dtype.kind in "iuf":
        return values.astype(float), "category" if category else "number"
    if values.dtype.kind == "b":
        return values.astype(float), "boolean"
    if values.dtype.kind in "UT":
        return values.astype(object), "category"
    missing = gaps(values)
    there = values[~missing]
    if values.dtype != object or any(isinstance(v, list | dict | np.ndarray) for v in there):
        raise InvalidInput(
            f"X has {name} of type {values.dtype} ({there[0]!r:.40}); make numbers or text of it, or leave it out."
        )
    kinds = {_kind(v) for v in there}
    if (kinds <= {"boolean"} and len(there)) or kinds == {"number"} or not kinds:
        out = np.full(len(values), np.nan)
        out[~missing] = there.astype(float)
        kind = next(iter(kinds), None) or "unknown"
        return out, "category" if category and kind == "number" else kind
    if kinds != {"category"}:
        first = next(v for v in there if _kind(v) != _kind(there[0]))
        raise InvalidInput(
            f"X mixes types in {name}: {there[0]!r:.40} and {first!r:.40}. The argument must be a string or a real "
            "number throughout a column; write all values of a column the same way."
        )
    text = values.copy()
    text[missing] = None
    return text, "category"


def _kind(value: Any) -> str | None:
    if isinstance(value, str):
        return "category"
    if isinstance(value, bool | np.bool_):
        return "boolean"
    try:
        float(value)
    except (TypeError, ValueError):
        return None
    return "number"


def _check_columns(names: tuple[str, ...] | None, d: int, like: Header, owner: str) -> None:
    known = like.features
    if names is not None and known is not None and names != known:
        odd = next((n for n in names if n not in known), next((n for n in known if n not in names), names[0]))
        word = "unknown" if odd not in known else "missing" if odd not in names else "in another place"
        raise HeaderMismatch(
            f"The feature names should match those of the fit, {known[:8]!r}; got {names[:8]!r}: {odd!r} is {word}."
        )
    if d != like.n_features:
        raise HeaderMismatch(
            f"X has {d} features, but {owner} is expecting {like.n_features} features as input."
        )


# -- values and their codes ---------------------------------------------------------------------------------
def present(values: np.ndarray) -> np.ndarray:
    """Where a typed column has a value."""
    return ~np.isnan(values) if values.dtype.kind == "f" else np.not_equal(values, np.array(None))


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


def shown(value: Any) -> str:
    """A value in a message."""
    return repr(int(value)) if isinstance(value, float) and value == int(value) else repr(value)


__all__ = ["RawTable", "codes_among", "open_raw", "plain", "present", "shown", "small_codes"]
