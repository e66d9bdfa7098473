r"""The numbers behind pictures of a table: bins, boxes, correlations, gaps (DTU §7.1).

Bins     K equal widths from the smallest to the largest value; the counts sum to N
Box      quartiles l₂₅ l₅₀ l₇₅, interpolated at p = (i − ½)/N                                (4.5)
Fences   from max(l₂₅ − 1.5 (l₇₅ − l₂₅), v₁) to min(l₇₅ + 1.5 (l₇₅ − l₂₅), v_N)       (7.1, 7.2)
Deciles  l₁₀ and l₉₀ in their place, as in quiz 7.2

A fence is a number, not a value of the data: other packages end a whisker at the last value inside it. Values that are
missing or infinite are left out, and counted apart from each other. Numbers are divided by the largest before they are
subtracted, so that a table of 1e308 has bins too.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice
from suffice._core.html_tables import Tabular
from suffice._core.records import frozen_array, record
from suffice.tables.cells import gaps
from suffice.tables.opening import open_columns

Whiskers = Literal["fences", "deciles"]
REACH = 1.5  # of the distance between the quartiles
FLAT = 1e-12  # of the largest value; a smaller range has no digits to divide


# -- records ----------------------------------------------------------------------------------------------
@record
class Bins(Tabular):
    """Counts of the values between `edges`, of which there is one more; `missing` and `infinite` ones are in no bin.

    `frame()` has a row per bin: its ends and its count.
    """

    edges: np.ndarray
    counts: np.ndarray
    missing: int = 0
    infinite: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "edges", frozen_array(self.edges))
        object.__setattr__(self, "counts", frozen_array(self.counts, dtype=int))

    def _columns(self) -> dict[str, Any]:
        return {"from": self.edges[:-1], "to": self.edges[1:], "count": self.counts}

    _title = ""


@record
class BoxStatistics(Tabular):
    """The box from `lower` to `upper` quartile, its whiskers from `low` to `high`, and the values beyond them.

    `frame()` has one row with all numbers, and how many values lie beyond the whiskers.
    """

    lower: float
    median: float
    upper: float
    low: float
    high: float
    outliers: np.ndarray
    rows: int
    missing: int = 0
    infinite: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "outliers", frozen_array(self.outliers))

    def _columns(self) -> dict[str, Any]:
        names = ("low", "lower", "median", "upper", "high", "rows", "missing", "infinite")
        return {**{n: [getattr(self, n)] for n in names}, "outliers": [len(self.outliers)]}

    _title = ""


@record
class CorrelationTable(Tabular):
    """Correlations of all pairs of columns, each from the rows that have both as finite numbers.

    NaN where a column is constant or has no number there. `infinite` counts the cells that are left out as such.
    `frame()` has a row per pair: both names, the correlation, and the rows it is from.
    """

    names: tuple[str, ...]
    values: np.ndarray
    rows: np.ndarray
    infinite: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen_array(self.values))
        object.__setattr__(self, "rows", frozen_array(self.rows, dtype=int))

    def _columns(self) -> dict[str, Any]:
        i, j = np.triu_indices(len(self.names), 1)
        pairs = {"first": [self.names[a] for a in i], "second": [self.names[b] for b in j]}
        return {**pairs, "correlation": self.values[i, j], "rows": self.rows[i, j]}

    @property
    def _title(self) -> str:
        return _left_out(self.infinite)


@record
class MissingCells(Tabular):
    """Which cells of a table are empty: (rows, columns).

    `frame()` has a row per column: how many cells are empty, and which share that is.
    """

    names: tuple[str, ...]
    cells: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", frozen_array(self.cells, dtype=bool))

    @property
    def shares(self) -> np.ndarray:
        """Of each column."""
        return self.cells.mean(axis=0)

    def _columns(self) -> dict[str, Any]:
        return {"column": list(self.names), "missing": self.cells.sum(axis=0), "share": self.shares}

    @property
    def _title(self) -> str:
        return f"{int(self.cells.sum())} of {self.cells.size} cells are empty"


# -- functions --------------------------------------------------------------------------------------------
def equal_bins(values: Any, bins: int = 16) -> Bins:
    """Counts of numbers in bins of equal width, from the smallest to the largest.

    Examples
    --------
    >>> from suffice.prepare import equal_bins
    >>> equal_bins([1, 2, 2, 3, 5], bins=4).counts.tolist()
    [1, 2, 1, 1]
    """
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1:
        raise InvalidParameter(f"bins must be a positive integer; got {bins!r}.")
    numbers, missing, infinite = _finite(values)
    size = _size(numbers)
    scaled = numbers / size
    low, high = scaled.min(), scaled.max()
    room = 0.0 if high - low > FLAT * bins else 0.5
    edges = np.linspace(low - room, high + room, bins + 1)
    return Bins(_back(edges, size), np.histogram(scaled, edges)[0], missing, infinite)


def box_statistics(values: Any, whiskers: Whiskers = "fences") -> BoxStatistics:
    """Quartiles and whiskers of numbers; what lies beyond the whiskers need not be wrong.

    `whiskers` are "fences" (eqs 7.1 and 7.2) or "deciles", the 10th and the 90th percentile.

    Examples
    --------
    >>> from suffice.prepare import box_statistics
    >>> box = box_statistics([1, 2, 3, 4, 5, 6, 20])
    >>> box.lower, box.median, box.upper, box.high, box.outliers.tolist()
    (2.25, 4.0, 5.75, 11.0, [20.0])
    """
    check_choice("whiskers", whiskers, ("fences", "deciles"))
    numbers, missing, infinite = _finite(values)
    size = _size(numbers)
    scaled = np.sort(numbers / size)
    l10, l25, l50, l75, l90 = np.quantile(scaled, [0.1, 0.25, 0.5, 0.75, 0.9], method="hazen")
    reach = REACH * (l75 - l25)
    fences = max(l25 - reach, scaled[0]), min(l75 + reach, scaled[-1])  # (7.2), (7.1)
    low, high = fences if whiskers == "fences" else (l10, l90)
    beyond = (scaled < low) | (scaled > high)
    lower, median, upper, bottom, top = _back(np.array([l25, l50, l75, low, high]), size).tolist()
    outliers = np.sort(numbers)[beyond]
    return BoxStatistics(lower, median, upper, bottom, top, outliers, len(numbers), missing, infinite)


def correlation_table(table: Any) -> CorrelationTable:
    """Correlations of the columns of numbers of a table, pair by pair.

    Examples
    --------
    >>> from suffice.prepare import correlation_table
    >>> found = correlation_table({"a": [1, 2, 3, None], "b": [3, 2, 1, 9], "word": ["x", "y", "z", "w"]})
    >>> found.names, float(found.values[0, 1]), int(found.rows[0, 1])
    (('a', 'b'), -1.0, 3)
    """
    columns = number_columns(open_columns(table))
    if not columns:
        raise InvalidInput("The table has no column of numbers; there are no correlations.")
    cells = np.column_stack(list(columns.values()))
    known, infinite = np.isfinite(cells), int(np.isinf(cells).sum())
    cells = np.where(known, cells, 0.0)
    cells = cells / np.maximum(np.abs(cells).max(axis=0, initial=0.0), np.finfo(float).tiny)
    d = len(columns)
    values = np.array([[_correlation(cells[:, i], cells[:, j], known[:, i] & known[:, j]) if i <= j else 0.0
                        for j in range(d)] for i in range(d)])  # fmt: skip
    values = np.triu(values) + np.triu(values, 1).T
    return CorrelationTable(tuple(columns), values, known.T.astype(int) @ known.astype(int), infinite)


def missing_cells(table: Any) -> MissingCells:
    """Which cells of a table are empty; NaN, None and "not a time" are, an empty word is not.

    Examples
    --------
    >>> from suffice.prepare import missing_cells
    >>> missing_cells({"a": [1.0, float("nan")], "b": ["x", None]}).shares.tolist()
    [0.5, 0.5]
    """
    columns = open_columns(table)
    if not columns or not len(next(iter(columns.values()))):
        raise InvalidInput("The table has no cells; there are none to be missing.")
    return MissingCells(tuple(columns), np.column_stack([gaps(c) for c in columns.values()]))


# -- columns ----------------------------------------------------------------------------------------------
def number_columns(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Those that hold numbers or flags, as floats."""
    return {name: c.astype(float) for name, c in columns.items() if c.dtype.kind in "biuf"}


def _left_out(infinite: int) -> str:
    return f"{infinite} infinite cell{'s are' if infinite > 1 else ' is'} left out" if infinite else ""


def _finite(values: Any) -> tuple[np.ndarray, int, int]:
    """The finite numbers of a column, and how many of the others are missing and infinite."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidInput(f"values must be one column of numbers; got shape {array.shape}.")
    try:
        numbers = array.astype(float)
    except (TypeError, ValueError):
        raise InvalidInput(f"values must be numbers; got {array[:3].tolist()!r:.60}.") from None
    kept = numbers[np.isfinite(numbers)]
    if not len(kept):
        raise InvalidInput(f"None of the {len(numbers)} values is a finite number; there is nothing to draw.")
    infinite = int(np.isinf(numbers).sum())
    return kept, len(numbers) - len(kept) - infinite, infinite


def _size(numbers: np.ndarray) -> float:
    """A power of two near the largest number, so that to divide by it loses no digit."""
    _, exponent = np.frexp(np.abs(numbers).max())
    return float(2.0 ** np.clip(exponent, -1021, 1023))


def _back(scaled: np.ndarray, size: float) -> np.ndarray:
    """To the scale of the data, inside of what a float can hold."""
    top = np.finfo(float).max
    with np.errstate(over="ignore"):
        return np.clip(scaled * size, -top, top)


def _correlation(a: np.ndarray, b: np.ndarray, both: np.ndarray) -> float:
    """Of the rows that have both; NaN if one does not vary there."""
    a, b = a[both], b[both]
    if not len(a) or np.ptp(a) == 0 or np.ptp(b) == 0:
        return np.nan
    a, b = a - a.mean(), b - b.mean()
    return float(np.clip((a / np.sqrt(a @ a)) @ (b / np.sqrt(b @ b)), -1.0, 1.0))
