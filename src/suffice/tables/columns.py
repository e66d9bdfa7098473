"""One column of any library as an array, and what its library says of it.

number   int, uint or float; a gap is NaN             flag   bool; with gaps object of True, False, None
time     datetime64, span   timedelta64; gap NaT      text   object of str; a gap is None

`array_of` leaves the cells of objects alone but for their gaps, and times lose their zone (they are told in UTC).
`tidy` makes of objects what is written here, if they all are of a kind; a mixed column stays an array of its cells.
Whole numbers that no machine word holds, or that floats would merge, stay whole.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.records import record
from suffice.tables.cells import EXACT, as_objects, gaps, is_missing, kind_of_type
from suffice.tables.tidying import tidy

LONGEST = 2**63
NESTED = ("struct", "list", "large_list", "fixed_size_list", "map", "array", "null")
CATEGORIES = ("categor", "enum", "dictionary")
WIDE = ("int128", "uint128")  # which numpy does not have


@record
class TableColumn:
    """A column of a table in tidy form.

    `levels` is the order that the table itself gives to the values, from the lowest; `category` says that it holds them
    as categories without an order.
    """

    name: str
    values: np.ndarray
    levels: tuple[str, ...] | None = None
    category: bool = False

    @classmethod
    def of(cls, name: str, column: Any) -> TableColumn:
        """Of a column of any library, an array or a list."""
        held = type_of(column)
        return cls(name, tidy(array_of(column)), levels_of(column), is_category(held))

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Any) -> TableColumn:
        return TableColumn(self.name, self.values[rows], self.levels, self.category)

    @cached_property
    def gaps(self) -> np.ndarray:
        """Where there is no value."""
        return gaps(self.values)

    @cached_property
    def kind(self) -> str:
        """number, flag, time, span, text, mixed; "nothing" where all are gaps."""
        if self.gaps.all():
            return "nothing"
        if self.values.dtype != object:
            return {"b": "flag", "M": "time", "m": "span"}.get(self.values.dtype.kind, "number")
        kinds = {kind_of_type(t) for t in set(map(type, self.values[~self.gaps]))}
        return kinds.pop() if len(kinds) == 1 else "mixed"


# -- what a library says of a column ------------------------------------------------------------------------
def type_of(column: Any) -> Any:
    """What the library calls the type of a column; None for a list."""
    return getattr(column, "dtype", getattr(column, "type", None))


def name_of(column: Any, default: str) -> str:
    """The name of a series that has one."""
    name = getattr(column, "name", None)
    return default if name is None or callable(name) or name == "" else str(name)


def is_ordered(kind: Any) -> bool:
    return getattr(kind, "ordered", False) is True


def levels_of(column: Any) -> tuple[str, ...] | None:
    """The levels of ordered categories of pandas or Arrow, from the lowest."""
    if not is_ordered(kind := type_of(column)):
        return None
    if hasattr(kind, "categories"):
        return tuple(map(str, kind.categories))
    chunks = column.chunks if hasattr(column, "chunks") else [column]
    return common_order([tuple(map(str, chunk.dictionary.to_pylist())) for chunk in chunks])


def common_order(known: list[tuple[str, ...]]) -> tuple[str, ...] | None:
    """The longest of several orders; None where two contradict each other."""
    longest = max(known, key=len, default=None)
    fit = longest is not None and all([w for w in longest if w in part] == list(part) for part in known)
    return longest if fit else None


def is_held_as_category(kind: Any) -> bool:
    """Whether values are held as categories, with an order or without."""
    return str(kind).lower().startswith(CATEGORIES)


def is_category(kind: Any) -> bool:
    """Whether values are held as categories without an order."""
    return is_held_as_category(kind) and not is_ordered(kind)


def knows_zone(kind: Any) -> bool:
    """Whether times know their zone."""
    return bool(getattr(kind, "tz", None) or getattr(kind, "time_zone", None))


def is_arrow(column: Any) -> bool:
    """Whether Arrow holds a column."""
    return hasattr(type(column), "to_pylist")


def is_polars(column: Any) -> bool:
    """Whether polars holds a column."""
    return hasattr(type(column), "to_physical")


def is_series(column: Any) -> bool:
    """Whether a value is a series of pandas, or of a library that has its methods."""
    return hasattr(type(column), "iloc")


# -- to an array --------------------------------------------------------------------------------------------
def array_of(column: Any) -> np.ndarray:
    """One column as an array."""
    if isinstance(column, np.ndarray):
        return _unmasked(column)
    if is_series(column):
        out = _of_pandas(column)
    elif hasattr(type(column), "is_unique") and hasattr(type(column), "to_series"):  # an index of pandas
        out = _of_pandas(column.to_series())
    elif is_arrow(column):
        out = _of_arrow(column)
    elif is_polars(column):
        out = _of_polars(column)
    else:
        return np.asarray(column) if hasattr(type(column), "__array__") else as_objects(list(column))
    return out if out.dtype.kind != "f" else _exactly(column, out)


def arrow_of(column: Any) -> Any:
    """A column as Arrow holds it, which counts faster; None where it does not, or cannot without a loss."""
    if is_arrow(column):
        return column
    if not is_polars(column) or str(column.dtype).lower().startswith(("object", *WIDE)):
        return None
    try:
        return column.to_arrow()
    except ImportError:
        return None


def wall_clock(column: Any) -> np.ndarray:
    """Times with a zone as the clock on the wall showed them."""
    if is_arrow(column):
        return as_objects([None if v is None else v.replace(tzinfo=None) for v in column.to_pylist()])
    if is_polars(column):
        return np.asarray(column.dt.replace_time_zone(None))
    return np.asarray((column.dt if is_series(column) else column).tz_localize(None))


def head_of(column: Any, n: int) -> Any:
    """The first rows of a column of any library."""
    return column.iloc[:n] if is_series(column) else column[:n]


def _unmasked(array: np.ndarray) -> np.ndarray:
    """An array; masked cells are gaps."""
    if not isinstance(array, np.ma.MaskedArray):
        return np.asarray(array)
    out = array.data.astype(object)
    out[np.ma.getmaskarray(array)] = None
    return out


def _of_pandas(column: Any) -> np.ndarray:
    kind = column.dtype
    if getattr(kind, "tz", None) is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    if getattr(kind, "kind", "O") in "iuf" and not isinstance(kind, np.dtype) and hasattr(kind, "na_value"):
        return (
            column.to_numpy(dtype=float, na_value=np.nan) if column.hasnans else np.asarray(column.to_numpy())
        )
    out = np.asarray(column.to_numpy())
    if out.dtype == object and (missing := gaps(out)).any():
        out = out.copy()
        out[missing] = None
    return out


def _of_arrow(column: Any) -> np.ndarray:
    kind = str(column.type)
    if kind.startswith("dictionary"):
        column = column.cast(column.type.value_type)
    if kind.startswith("decimal"):
        column = column.cast("float64")
    if kind.startswith(NESTED):
        return as_objects(column.to_pylist())
    return column.to_numpy() if hasattr(column, "chunks") else column.to_numpy(zero_copy_only=False)


def _of_polars(column: Any) -> np.ndarray:
    kind = str(column.dtype).lower()
    if kind.startswith((*NESTED, *WIDE)):
        return as_objects(column.to_list())
    return np.asarray((column.cast(float) if kind.startswith("decimal") else column).to_numpy())


def _exactly(column: Any, values: np.ndarray) -> np.ndarray:
    """Whole numbers beside gaps, which an array has as floats, as they were where floats would merge them."""
    if "int" not in str(type_of(column)).lower() or not np.nanmax(np.abs(values), initial=0.0) >= EXACT:
        return values
    cells = column.to_pylist() if is_arrow(column) else column.to_list()
    return as_objects([None if is_missing(v) else v for v in cells])
