"""What a gap may be filled with, from sums over rows: moments of numbers, and how often each value occurred."""

from __future__ import annotations

import numpy as np

from suffice._core.records import frozen_array, record, same_kind
from suffice.prepare.transforming._value_counts import ValueCounts, count_values
from suffice.statistics import ColumnMoments, Counts, Header
from suffice.statistics.columns import gather_columns
from suffice.tables.typed import TypedTable, present

COUNTING = ("mode", "median", "most_frequent")  # rules from how often each value occurs


@record
class CellStatistics:
    """Moments of columns of numbers and the weight of cells that are not whole; or values, where they are counted."""

    moments: ColumnMoments
    values: ValueCounts
    broken: np.ndarray

    @property
    def header(self) -> Header:
        return self.moments.header

    @property
    def n(self) -> float:
        return self.moments.weight

    @property
    def rows(self) -> int:
        return self.moments.rows

    @property
    def fingerprint(self) -> tuple[int, float]:
        """Rows and total weight: there are no targets to tell apart."""
        return self.moments.fingerprint

    @same_kind
    def __add__(self, other: CellStatistics) -> CellStatistics:
        moments, values = self.moments + other.moments, self.values + other.values
        return CellStatistics(moments, values, frozen_array(self.broken + other.broken))

    @same_kind
    def __sub__(self, other: CellStatistics) -> CellStatistics:
        moments, values = self.moments - other.moments, self.values - other.values
        left = self.broken - other.broken
        return CellStatistics(moments, values, frozen_array(np.where(left > 1e-9 * self.n, left, 0.0)))


def median(counts: Counts) -> float:
    """The value at half of the weight; halfway to the next where it is reached exactly."""
    reached, half = np.cumsum(counts.counts), counts.n / 2
    i = int(np.searchsorted(reached, half * (1 - 1e-12)))
    low, exact = float(counts.classes[i]), np.isclose(reached[i], half, rtol=1e-12, atol=0)
    return low / 2 + float(counts.classes[i + 1]) / 2 if exact and i + 1 < len(reached) else low


def gather_cells(
    cells: TypedTable, weight: np.ndarray | None, header: Header, chosen: tuple[str, ...]
) -> CellStatistics:
    """Moments of numbers, or the values of columns whose rule needs them."""
    if weight is not None and not np.all(weight > 0):
        cells, weight = cells[weight > 0], weight[weight > 0]
    w = np.ones(len(cells)) if weight is None else weight
    counted = [c.dtype == object or rule in COUNTING for c, rule in zip(cells.columns, chosen, strict=True)]
    numbers = np.column_stack(
        [
            np.full(len(cells), np.nan) if k else c.astype(float)
            for c, k in zip(cells.columns, counted, strict=True)
        ]
    )
    there = [present(c) for c in cells.columns]
    columns = tuple(
        count_values(c[p if k else []], w[p if k else []])
        for c, p, k in zip(cells.columns, there, counted, strict=True)
    )
    gap = frozen_array([w[~p].sum() for p in there])
    broken = w @ (np.isfinite(numbers) & (numbers != np.floor(numbers)))
    values = ValueCounts(header, columns, gap, len(cells), float(w.sum()))
    return CellStatistics(gather_columns(header, numbers, w), values, frozen_array(broken))
