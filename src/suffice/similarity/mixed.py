r"""Gower's distance of rows whose columns mean different things (Gower 1971).

d(x, y) = Σₖ wₖ δₖ dₖ / Σₖ wₖ δₖ

nominal            dₖ = 0 for equal values, 1 for others
ordinal            dₖ = |steps between the values| / steps between the lowest and the highest
interval, ratio    dₖ = |xₖ − yₖ| / range of the column
presence           dₖ as nominal, but two absences say nothing: δₖ = 0

δₖ = 0 also where one of the values is missing. Where nothing is left to compare the distance is NaN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.similarity._blocks import BlockPlan, table
from suffice.similarity._cells import CellColumn, span_as_number
from suffice.similarity._columns import Codes, TableColumns, by_column, codes, columns_of

SCALES = ("nominal", "ordinal", "interval", "ratio", "presence")


@dataclass(frozen=True, eq=False)
class ComparableColumn:
    """One column ready to compare: codes of both tables (NaN = missing), the unit of a difference, and its weight."""

    x: np.ndarray
    y: np.ndarray
    unit: float  # a difference of this size counts as one; 0 for columns that are equal or not
    weight: float
    presence: bool


def gower(
    x: Any,
    y: Any = None,
    *,
    scales: Mapping[Any, str] | Sequence[str] | None = None,
    orders: Mapping[Any, Sequence[Any]] | None = None,
    ranges: Mapping[Any, float] | Sequence[float] | None = None,
    weights: Mapping[Any, float] | Sequence[float] | None = None,
) -> Any:
    """Distances between 0 and 1 of rows of mixed tables; missing values are left out pair by pair.

    Two rows give a number, two tables all pairs, one table all pairs of its rows.

    Parameters
    ----------
    x, y
        Frames, arrays, or lists of rows.
    scales
        "nominal", "ordinal", "interval", "ratio" or "presence" by column; where nothing is said numbers and times are
        "interval", columns in `orders` and ordered categories "ordinal", all else "nominal".
    orders
        The values of ordinal columns from the lowest; by default the order of the categories, or the sorted values.
    ranges
        The range of interval and ratio columns; by default that of all rows given. Larger differences count as 1. For
        times it is a length of time, such as numpy.timedelta64(2, "D").
    weights
        What the columns count for; 1 by default.

    Examples
    --------
    >>> from suffice.similarity import gower
    >>> rows = [["red", 1.0, "low"], ["red", 3.0, "high"], ["blue", 5.0, None]]
    >>> gower(rows, scales={2: "ordinal"}, orders={2: ["low", "mid", "high"]}).round(3)
    array([[0.  , 0.5 , 1.  ],
           [0.5 , 0.  , 0.75],
           [1.  , 0.75, 0.  ]])
    """
    left = columns_of(x, "x")
    right = left if y is None else columns_of(y, "y")
    if y is None and left.flat:
        raise InvalidInput("x is one row, which makes no pair; give y, or a table of several rows.")
    out = table(plan(left, right, y is None, scales, orders, ranges, weights))
    out = out[0] if left.flat else out
    out = out[..., 0] if right.flat else out
    return float(out) if np.ndim(out) == 0 else out


def plan(
    left: TableColumns, right: TableColumns, alone: bool, scales: Any, orders: Any, ranges: Any, weights: Any
) -> BlockPlan:
    """How to fill all pairs."""
    if left.names != right.names:
        raise InvalidInput(f"x and y must have the same columns; got {left.names[:8]} and {right.names[:8]}.")
    options = [
        by_column(name, values, left.names)
        for name, values in (("scales", scales), ("orders", orders), ("ranges", ranges), ("weights", weights))
    ]
    settings = [tuple(option.get(name) for option in options) for name in left.names]
    if left.flat and right.flat:
        _check_two(left.columns, right.columns, settings)
    triples = zip(left.columns, right.columns, settings, strict=True)
    alike = [compared(a, b, *words, alone=alone) for a, b, words in triples]
    return BlockPlan(_fill([c for c in alike if c.weight > 0]), left.n, right.n, alone)


def compared(
    a: CellColumn, b: CellColumn, word: Any, order: Any, span: Any, weight: Any, *, alone: bool
) -> ComparableColumn:
    """One column of both tables on its scale."""
    weight = 1.0 if weight is None else weight
    if isinstance(weight, bool) or not isinstance(weight, Real) or not 0 <= float(weight) < np.inf:
        raise InvalidParameter(f"weights must be finite numbers >= 0; got {weight!r} for column {a.name!r}.")
    word = scale_of(a, b, word, order)
    found = codes(a, b, word, order)
    unit = _unit(a.name, word, found, _as_number(a, b, span))
    return ComparableColumn(found.x, found.x if alone else found.y, unit, float(weight), word == "presence")


def scale_of(a: CellColumn, b: CellColumn, word: Any, order: Any = None) -> str:
    """The scale that was told, or the one that the values suggest."""
    if word is not None:
        if word not in SCALES:
            raise InvalidParameter(
                f"scales must be one of {', '.join(SCALES)}; got {word!r} for column {a.name!r}."
            )
        if word not in ("nominal", "presence"):
            _check_alike(a, b)
        return str(word)
    _check_alike(a, b)
    if order is not None or ((a.order or b.order) and _ordered(a) and _ordered(b)):
        return "ordinal"
    kinds = {a.kind, b.kind} - {"empty"}
    return "interval" if kinds <= {"numbers"} or kinds <= {"times"} or kinds <= {"spans"} else "nominal"


def _ordered(column: CellColumn) -> bool:
    return column.order is not None or column.kind == "empty"


def _check_alike(a: CellColumn, b: CellColumn) -> None:
    """Numbers go with numbers, words with words; times with a zone with such times."""
    kinds = {a.kind, b.kind} - {"empty"}
    if len(kinds) > 1 and kinds != {"numbers", "flags"}:
        raise InvalidInput(
            f"Column {a.name!r} holds {a.kind} in x and {b.kind} in y, which never are equal; write them the same way, "
            'or say that it is "nominal" by scales.'
        )
    if kinds == {"times"} and a.zoned != b.zoned and "empty" not in (a.kind, b.kind):
        raise InvalidInput(
            f"Column {a.name!r} has a time zone in {'x' if a.zoned else 'y'} but not in {'y' if a.zoned else 'x'}; "
            "give both one, or none."
        )


def _as_number(a: CellColumn, b: CellColumn, span: Any) -> Any:
    """The range of a column in the unit of its codes."""
    timed = {"times", "spans"} & {a.kind, b.kind}
    if span is None or not timed:
        return span
    if (length := span_as_number(span)) is None:
        raise InvalidParameter(
            f"ranges must give column {a.name!r}, which holds {timed.pop()}, a length of time such as "
            f"numpy.timedelta64(2, 'D'); got {span!r}."
        )
    return length


def _check_two(left: list[CellColumn], right: list[CellColumn], settings: list[tuple[Any, ...]]) -> None:
    """Two rows alone tell neither the range of a column nor its values."""
    for a, b, (word, order, span, _) in zip(left, right, settings, strict=True):
        scale = scale_of(a, b, word, order)
        if scale in ("interval", "ratio") and span is None:
            raise InvalidInput(f"Two rows do not tell the range of column {a.name!r}; give ranges.")
        if scale == "ordinal" and order is None:
            raise InvalidInput(f"Two rows do not tell the values of column {a.name!r}; give orders.")


def _unit(name: Any, word: str, found: Codes, span: Any) -> float:
    """The difference that counts as one."""
    if word in ("nominal", "presence"):
        return 0.0
    if word == "ordinal":
        return float(max(found.levels - 1, 1))
    if span is not None:
        if isinstance(span, bool) or not isinstance(span, Real) or not 0 < float(span) < np.inf:
            raise InvalidParameter(f"ranges must be positive numbers; got {span!r} for column {name!r}.")
        return float(span)
    values = np.concatenate([found.x, found.y])
    values = values[~np.isnan(values)]
    low, high = (values.min(), values.max()) if values.size else (0.0, 0.0)
    if high / 2 - low / 2 >= np.finfo(float).max / 2:
        raise InvalidInput(f"The range of column {name!r} leaves the range of numbers; rescale it.")
    return float(high - low) or 1.0


def _fill(alike: list[ComparableColumn]) -> Any:
    """Sums of weighted differences over sums of weights."""

    def fill(rows: slice, start: int, out: np.ndarray) -> None:
        out[:] = 0.0
        total, gap = np.zeros(out.shape), np.empty(out.shape)
        for column in alike:
            x, y = column.x[rows, None], column.y[start:]
            np.subtract(x, y, out=gap)
            used = ~np.isnan(gap)
            if column.presence:
                used &= (x != 0) | (y != 0)
            np.abs(gap, out=gap)
            if column.unit > 0:
                np.minimum(gap / column.unit, 1.0, out=gap)
            else:
                np.not_equal(gap, 0.0, out=gap)
            np.add(out, column.weight * gap, out=out, where=used)
            np.add(total, column.weight, out=total, where=used)
        nothing = total == 0
        np.divide(out, total, out=out, where=~nothing)
        out[nothing] = np.nan

    return fill
