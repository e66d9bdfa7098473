r"""Similarities of things that are on or off, through four counts (DTU §4.4).

f₁₁, f₁₀, f₀₁, f₀₀        coordinates that are on in both, in x only, in y only, in none; they add up to D
Simple matching           (f₁₁ + f₀₀) / D                                              (4.22)
Jaccard                   f₁₁ / (f₁₁ + f₁₀ + f₀₁)                                      (4.23)

Their city-block distance is f₁₀ + f₀₁, so that simple matching is 1 − d/D. Jaccard's coefficient of two empty sets is
1: they are equal, and 1 − J stays a metric.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_number
from suffice._core.html_tables import html_table
from suffice._core.records import record
from suffice.similarity._blocks import BlockPlan, table
from suffice.similarity._euclid import products_with
from suffice.similarity._tables import Pair, Rows, pair


@record(repr=True)
class BinaryCounts:
    """How often two binary vectors are on together, apart, and off together; arrays for all pairs of two tables."""

    f11: Any
    f10: Any
    f01: Any
    f00: Any

    @property
    def total(self) -> Any:
        """The number of coordinates."""
        return self.f11 + self.f10 + self.f01 + self.f00

    def _repr_html_(self) -> str:
        if np.ndim(self.f11) == 0:
            return html_table(
                {"": ["x on", "x off"], "y on": [self.f11, self.f01], "y off": [self.f10, self.f00]}
            )
        i, j = np.unravel_index(np.arange(np.size(self.f11)), np.shape(np.atleast_2d(self.f11)))
        cells = {name: np.ravel(getattr(self, name)) for name in ("f11", "f10", "f01", "f00")}
        return html_table({"row of x": i, "row of y": j, **cells})


def binary_counts(x: Any, y: Any = None) -> BinaryCounts:
    """The four counts of two vectors of zeros and ones, or of all pairs of rows.

    Examples
    --------
    >>> from suffice.similarity import binary_counts
    >>> binary_counts([1, 1, 0, 0, 1], [1, 0, 1, 0, 1])
    BinaryCounts(f11=2, f10=1, f01=1, f00=1)
    """
    both = pair(x, y, binary=True)
    on_x, on_y = _count_on(both.x)[:, None], _count_on(both.y)[None]
    f11 = table(_plan(both, lambda f11, *_: None))
    cells = (f11, on_x - f11, on_y - f11, both.x.shape[1] - on_x - on_y + f11)
    return BinaryCounts(*(_whole(both.answer(c)) for c in cells))


def simple_matching(x: Any, y: Any = None) -> Any:
    """The share of coordinates that agree; the same when 0 and 1 change their roles.

    Two vectors give a number, two tables all pairs, one table all pairs of its rows; tables may be sparse.

    Examples
    --------
    >>> from suffice.similarity import simple_matching
    >>> simple_matching([1, 1, 0, 0, 1], [1, 0, 1, 0, 1])
    0.6
    """
    both = pair(x, y, binary=True)
    return both.answer(table(matching_plan(both)))


def jaccard(x: Any, y: Any = None) -> Any:
    """What two sets share, out of all that is in either; coordinates off in both do not count.

    Two empty sets are alike: 1. Tables may be sparse.

    Examples
    --------
    >>> from suffice.similarity import jaccard
    >>> jaccard([1, 1, 0, 0, 1], [1, 0, 1, 0, 1]), jaccard([0, 0], [0, 0])
    (0.5, 1.0)
    """
    both = pair(x, y, binary=True)
    return both.answer(table(jaccard_plan(both)))


def simple_matching_from_cityblock(distance: Any, n_columns: int) -> Any:
    """Simple matching of binary vectors of which only the city-block distance is known.

    Examples
    --------
    >>> from suffice.similarity import simple_matching_from_cityblock
    >>> round(simple_matching_from_cityblock(7, 15), 3)
    0.533
    """
    total = check_number("n_columns", n_columns, low=0, strict=True)
    values = np.asarray(distance, dtype=float)
    if not np.all((values >= 0) & (values <= total)):
        raise InvalidParameter(f"distance must lie between 0 and n_columns = {total:g}; got {distance!r}.")
    out = (total - values) / total
    return float(out) if out.ndim == 0 else out


def matching_plan(both: Pair) -> BlockPlan:
    """(D − |x| − |y| + 2 f₁₁) / D."""
    total = both.x.shape[1]

    def finish(f11: np.ndarray, on_x: np.ndarray, on_y: np.ndarray) -> None:
        f11 *= 2.0
        f11 -= on_x
        f11 += total - on_y
        f11 /= total

    return _plan(both, finish)


def jaccard_plan(both: Pair) -> BlockPlan:
    """f₁₁ / (|x| + |y| − f₁₁)."""

    def finish(f11: np.ndarray, on_x: np.ndarray, on_y: np.ndarray) -> None:
        either = on_x + on_y
        either -= f11
        f11[either == 0] = 1.0
        np.maximum(either, 1.0, out=either)
        f11 /= either

    return _plan(both, finish)


def _plan(both: Pair, finish: Any) -> BlockPlan:
    """f₁₁ of all pairs, exact as products of zeros and ones, then `finish(f11, on_x, on_y)` in its place."""
    on_x, on_y, product = _count_on(both.x), _count_on(both.y), products_with(both.y)

    def fill(rows: slice, start: int, out: np.ndarray) -> None:
        product(both.x[rows], start, out)
        finish(out, on_x[rows, None], on_y[start:])

    return BlockPlan(fill, both.x.shape[0], both.y.shape[0], both.mirrored)


def _count_on(rows: Rows) -> np.ndarray:
    """How many coordinates are on."""
    return np.asarray(rows.sum(axis=1), dtype=float).ravel()


def _whole(counts: Any) -> Any:
    return int(counts) if np.ndim(counts) == 0 else counts.astype(np.int64)
