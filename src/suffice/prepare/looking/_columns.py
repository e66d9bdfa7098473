"""The door of everything that looks at a table: its columns as arrays, whatever kind of table it is.

    open_columns(table)  ->  {name: array}

numbers   int, uint or float64; a gap is NaN             flags   bool; with gaps object of True, False, None
times     datetime64 or timedelta64; a gap is NaT        words   object of str; a gap is None

A column of several kinds stays an object array of its cells; bytes are decoded, decimals become floats, numbers too
long for a machine word stay whole. Names are text; a name met again gets its number, `x`, `x (2)`.
`ordered_levels(table)` are the levels of ordered categories, from the lowest, by column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import InvalidInput
from suffice.engine import values as engine_values
from suffice.prepare.looking._tidy import as_objects, tidy

DENSE = 50_000_000


# -- the door ---------------------------------------------------------------------------------------------
def open_columns(table: Any, names: Sequence[Any] | None = None) -> dict[str, np.ndarray]:
    """Columns by name. `names` are for an array or a list of rows, which have none."""
    found = _pairs(table, names)
    sizes = {len(values) for _, values in found}
    if len(sizes) > 1:
        told = ", ".join(f"{name!r}: {len(values)}" for name, values in found[:12])
        raise InvalidInput(f"The columns of a table must have as many rows each; got {told}.")
    return dict(zip(unique([n for n, _ in found]), [v for _, v in found], strict=True))


def column_names(table: Any, names: Sequence[Any] | None = None) -> tuple[str, ...]:
    """Names as the table has them, repeated ones included."""
    return tuple(name for name, _ in _pairs(table, names))


def unique(names: Sequence[str]) -> list[str]:
    """Names, a repeated one with its number."""
    taken, out = set(names), []
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = number = seen.get(name, 0) + 1
        while number > 1 and f"{name} ({number})" in taken:
            number += 1
        out.append(name if number == 1 else f"{name} ({number})")
        taken.add(out[-1])
    return out


def ordered_levels(table: Any) -> dict[str, tuple[str, ...]]:
    """Levels of the columns that are ordered categories of pandas, from the lowest."""
    return {
        n: tuple(map(str, k.categories)) for n, k in _kinds(table) if getattr(k, "ordered", False) is True
    }


def category_columns(table: Any) -> frozenset[str]:
    """Names of the columns that the table itself holds as categories without an order."""
    words = ("categor", "enum", "dictionary")
    return frozenset(
        n
        for n, k in _kinds(table)
        if str(k).lower().startswith(words) and getattr(k, "ordered", False) is not True
    )


def _kinds(table: Any) -> list[tuple[str, Any]]:
    """Names and what the table's own library calls their types; nothing for tables that have no types by column."""
    if isinstance(table, Mapping):
        found = [(name, getattr(v, "dtype", getattr(v, "type", None))) for name, v in table.items()]
    elif engine_values.is_arrow(table):
        found = [(field.name, field.type) for field in table.schema]
    elif hasattr(table, "dtypes") and hasattr(table, "columns"):
        found = list(zip(table.columns, table.dtypes, strict=True))
    else:
        found = [(_series_name(table), getattr(table, "dtype", None))]
    return list(zip(unique([str(n) for n, _ in found]), [k for _, k in found], strict=True))


def gaps(values: np.ndarray) -> np.ndarray:
    """Where a column that was opened has no value."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind in "mM":
        return np.isnat(values)
    if values.dtype == object:
        return np.fromiter((v is None for v in values), dtype=bool, count=len(values))
    return np.zeros(len(values), dtype=bool)


# -- kinds of tables --------------------------------------------------------------------------------------
def _pairs(table: Any, names: Sequence[Any] | None) -> list[tuple[str, np.ndarray]]:
    if isinstance(table, str | bytes) or hasattr(table, "__fspath__"):
        raise InvalidInput(f"A table is needed; got {table!r:.80}. Read the file first.")
    if hasattr(table, "collect") or hasattr(table, "compute"):
        raise InvalidInput(f"A table in memory is needed; got {type(table).__name__}. Collect it first.")
    if isinstance(table, Mapping):
        return [(str(name), opened_column(str(name), column)) for name, column in table.items()]
    if all(hasattr(table, a) for a in ("X", "y", "feature_names", "target_name")):
        return _dataset(table)
    if engine_values.is_arrow(table) or hasattr(table, "columns"):
        return _frame(table)
    if sparse.issparse(table):
        return _matrix(_dense(table), names)
    if hasattr(table, "__array__") or isinstance(table, list | tuple):
        return _array(table, names)
    raise InvalidInput(
        f"A table is needed: a frame, an array or a dict of columns; got {type(table).__name__}."
    )


def _frame(table: Any) -> list[tuple[str, np.ndarray]]:
    """Columns by place, for names may repeat."""
    return [(name, _framed(_alone(table, j))) for j, name in enumerate(engine_values.names_of(table))]


def _alone(table: Any, j: int) -> Any:
    if engine_values.is_arrow(table):
        return table.column(j)
    return table.iloc[:, j] if hasattr(type(table), "iloc") else table.to_series(j)


def _framed(column: Any) -> np.ndarray:
    """One column of a frame: times lose their zone (they are told in UTC), gaps among words become None."""
    if hasattr(type(column), "iloc"):
        if getattr(column.dtype, "tz", None) is not None:
            column = column.dt.tz_convert("UTC").dt.tz_localize(None)
        return tidy(np.asarray(column.to_numpy()))
    if hasattr(column, "is_null") and hasattr(column, "to_list"):
        return tidy(_polars(column))
    return tidy(_arrow(column))


def _polars(column: Any) -> np.ndarray:
    kind = str(column.dtype)
    if kind.startswith(("Decimal", "Int128", "UInt128")):
        column = column.cast(float)
    return as_objects(column.to_list()) if kind.startswith(("Struct", "Array", "List")) else column.to_numpy()


def _arrow(column: Any) -> np.ndarray:
    kind = str(column.type)
    if kind.startswith("dictionary"):
        column = column.cast(column.type.value_type)
    if kind.startswith(("struct", "list", "large_list", "fixed_size_list", "map", "null", "decimal")):
        return as_objects(column.to_pylist())
    return column.to_numpy() if hasattr(column, "chunks") else column.to_numpy(zero_copy_only=False)


def _dataset(table: Any) -> list[tuple[str, np.ndarray]]:
    matrix = np.asarray(table.X)
    columns = [(str(name), tidy(matrix[:, j])) for j, name in enumerate(table.feature_names)]
    time = [("time", tidy(np.asarray(table.time)))] if hasattr(table, "time") else []
    return [*time, *columns, (str(table.target_name), tidy(np.asarray(table.y)))]


def _dense(table: Any) -> np.ndarray:
    if table.shape[0] * table.shape[1] > DENSE:
        raise InvalidInput(
            f"A sparse table of {table.shape} cells is too large to open; choose some columns."
        )
    return table.toarray()


def _array(table: Any, names: Sequence[Any] | None) -> list[tuple[str, np.ndarray]]:
    if isinstance(table, list | tuple) and table and all(isinstance(row, Mapping) for row in table):
        keys = list(dict.fromkeys(key for row in table for key in row))
        return [(str(k), tidy(as_objects([row.get(k) for row in table]))) for k in keys]
    array = _unmasked(table) if hasattr(table, "__array__") else _rows(table)
    if array.dtype.names:
        return [(str(name), opened_column(str(name), array[name])) for name in array.dtype.names]
    return _matrix(array, names if array.ndim != 1 or names is not None else [_series_name(table)])


def _rows(rows: Sequence[Any]) -> np.ndarray:
    """A list of rows, or of the cells of one column."""
    lists = [isinstance(row, list | tuple | np.ndarray) for row in rows]
    if not any(lists):
        return as_objects(rows)
    widths = {len(row) if many else 1 for row, many in zip(rows, lists, strict=True)}
    if len(widths) > 1 or not all(lists):
        raise InvalidInput(f"The rows of a table must have as many cells each; got {sorted(widths)}.")
    out = np.empty((len(rows), widths.pop()), dtype=object)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            out[i, j] = cell
    return out


def _matrix(array: np.ndarray, names: Sequence[Any] | None) -> list[tuple[str, np.ndarray]]:
    if array.ndim not in (1, 2):
        raise InvalidInput(f"A table has rows and columns; got an array of shape {array.shape}.")
    array = array[:, None] if array.ndim == 1 else array
    names = [f"x{j}" for j in range(array.shape[1])] if names is None else list(names)
    if len(names) != array.shape[1]:
        raise InvalidInput(f"names must have one name per column ({array.shape[1]}); got {len(names)}.")
    return [(str(name), tidy(array[:, j])) for j, name in enumerate(names)]


def _series_name(table: Any) -> str:
    name = getattr(table, "name", None)
    return "x0" if name is None or callable(name) or name == "" else str(name)


def opened_column(name: str, column: Any) -> np.ndarray:
    """A column of a dict: a series, an index, an array or a list."""
    if hasattr(column, "to_series") and hasattr(column, "is_unique"):  # an index of pandas
        column = column.to_series()
    if hasattr(column, "dtype") and (hasattr(type(column), "iloc") or hasattr(column, "to_list")):
        return _framed(column)
    if hasattr(column, "to_pylist"):
        return tidy(_arrow(column))
    if isinstance(column, str | bytes) or not (hasattr(column, "__len__") or hasattr(column, "__array__")):
        raise InvalidInput(f"Column {name!r} must be a vector; got {column!r:.80}.")
    if isinstance(column, set | frozenset | Mapping):
        raise InvalidInput(
            f"Column {name!r} must be a vector; got a {type(column).__name__}, which has no order."
        )
    array = _unmasked(column) if hasattr(column, "__array__") else as_objects(list(column))
    if array.ndim != 1:
        raise InvalidInput(f"Column {name!r} must be a vector; got shape {array.shape}.")
    return tidy(array)


def _unmasked(array: Any) -> np.ndarray:
    """An array; masked cells are gaps."""
    if not np.ma.isMaskedArray(array):
        return np.asarray(array)
    out = array.data.astype(object)
    out[np.ma.getmaskarray(array)] = None
    return out
