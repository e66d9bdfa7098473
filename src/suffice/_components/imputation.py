r"""What the missing cells of a table may be: a distribution for each, given the known cells of its row.

What stands in for a cell is its mean, or its most probable value where a column is discrete. Such a table looks more
certain than it is; completed tables that are drawn (multiple imputation) vary as the cells do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._components.conditionals import Given
from suffice._components.holes import Holes
from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice._core.threads import one_blas_thread
from suffice.distributions import MixtureDistribution
from suffice.distributions._base import check_level
from suffice.distributions._mixture import lumpy

SEARCHED = 4096  # values among which the most probable is looked for one by one


@record
class Imputation:
    """Every missing cell of a table as a distribution.

    Attributes
    ----------
    table
        The table with each missing cell at its mean, or at its most probable value where a column is discrete.
    cells
        Row and column of every missing cell, (M, 2), row by row.
    mean, std
        Mean and standard deviation of every missing cell, (M,).

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.mixtures import GaussianMixture
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> X = np.column_stack([x, 2 * x + rng.normal(size=500)])
    >>> X[0, 1] = np.nan
    >>> imputed = GaussianMixture().fit(X).impute(X)
    >>> low, high = imputed.interval(0.9)
    >>> print(f"{2 * x[0]:.2f} {imputed.table[0, 1]:.2f} ({low[0]:.2f} to {high[0]:.2f})")
    0.25 0.18 (-1.36 to 1.72)
    >>> print(f"{imputed[0, 1].sf(0.0):.3f}", len(imputed.sample(5, rng=1)))
    0.576 5
    """

    table: Any
    cells: np.ndarray
    mean: np.ndarray
    std: np.ndarray
    names: tuple[str, ...]
    given: Given
    holes: Holes

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        n = len(np.unique(self.cells[:, 0]))
        return f"Imputation({len(self.cells)} missing cells in {n} rows)"

    # -- single cells ----------------------------------------------------------------------------------------
    def __getitem__(self, cell: tuple[int, str | int]) -> MixtureDistribution:
        """The distribution of one missing cell, by its row and the name or number of its column."""
        if not isinstance(cell, tuple) or len(cell) != 2:
            raise InvalidParameter(f"Ask for a cell by imputed[row, column]; got imputed[{cell!r}].")
        row, j = cell[0], column_place(cell[1], self.names)
        place = np.flatnonzero(self.cells[self.cells[:, 1] == j, 0] == row)
        if not len(place):
            raise InvalidInput(f"Row {row!r} has no missing cell in column {self.names[j]!r}; see .cells.")
        return self.given.columns[j][int(place[0])]

    # -- all cells -------------------------------------------------------------------------------------------
    def of(self, column: str | int) -> MixtureDistribution:
        """The missing cells of one column, by name or number: a batch in the order of rows."""
        j = column_place(column, self.names)
        if not np.any(self.cells[:, 1] == j):
            raise InvalidInput(f"Column {self.names[j]!r} has no missing cell.")
        return self.given.columns[j]

    @one_blas_thread()
    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """The central interval of every missing cell: (low, high), both (M,)."""
        check_level(level)
        low, high = np.empty((2, len(self)))
        for j in np.unique(self.cells[:, 1]):
            at = self.cells[:, 1] == j
            low[at], high[at] = self.given.columns[int(j)].interval(level)
        return low, high

    @one_blas_thread()
    def sample(self, n: int = 1, rng: Any = None) -> list[Any]:
        """`n` completed tables (multiple imputation): the cells of a row are drawn together, given its known ones."""
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise InvalidParameter(f"n must be an integer >= 1; got {n!r}.")
        return [self.holes.filled(values) for values in self.given.drawn(int(n), rng)]

    def frame(self, kind: str = "pandas") -> Any:
        """A row per missing cell: where it is, its mean and standard deviation."""
        rows, columns = self.cells.T
        names = np.array(self.names, dtype=object)[columns]
        return to_frame({"row": rows, "column": names, "mean": self.mean, "std": self.std}, kind)


@one_blas_thread()
def imputation(given: Given, table: Any, names: tuple[str, ...], words: dict[int, np.ndarray]) -> Imputation:
    """Of the missing cells of rows, which `table` held in its own way."""
    cells = frozen_array(np.argwhere(np.isnan(given.X)), dtype=int)
    mean, std, best = np.empty((3, len(cells)))
    for j, d in given.columns.items():
        at = cells[:, 1] == j
        mean[at], std[at] = d.mean, d.std
        best[at] = most_probable(d) if lumpy(d.components[0]) else mean[at]
    holes = Holes(table, cells, words)
    return Imputation(holes.filled(best), cells, frozen_array(mean), frozen_array(std), names, given, holes)


def most_probable(d: MixtureDistribution) -> np.ndarray:
    """The most probable value of every element of a batch of mixtures of whole numbers.

    Looked for between the ends of the components, or their modes where there is no end; among the modes alone where
    too many lie between.
    """
    ends = np.array([[c.quantile(0.0), c.quantile(1.0)] for c in d.components], dtype=float)
    modes = np.array([c.mode for c in d.components], dtype=float)
    spots = np.where(np.isfinite(ends), ends, modes[:, None])
    low, high = int(spots.min()), int(spots.max())
    values = np.arange(low, high + 1) if high - low < SEARCHED else np.unique(modes)
    best, top = np.full(d.batch_shape, float(values[0])), np.full(d.batch_shape, -np.inf)
    for value in values:
        logs = d.log_prob(value)
        best, top = np.where(logs > top, float(value), best), np.maximum(logs, top)
    return best


def column_place(column: Any, names: tuple[str, ...]) -> int:
    """The number of a column that is called by name or number."""
    if isinstance(column, str):
        if column in names:
            return names.index(column)
        raise InvalidParameter(f"There is no column {column!r}.{did_you_mean(column, names)}")
    if isinstance(column, bool | np.bool_) or not isinstance(column, int | np.integer):
        raise InvalidParameter(f"A column is called by its name or number; got {column!r}.")
    if not 0 <= column < len(names):
        raise InvalidParameter(f"Columns have the numbers 0 to {len(names) - 1}; got {column}.")
    return int(column)
