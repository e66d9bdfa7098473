r"""What the missing cells of a table may be: a distribution for each, given the known cells of its row.

What stands in for a cell is its mean, or its most probable value where a column is discrete. Such a table looks more
certain than it is; completed tables that are drawn (multiple imputation) vary as the cells do. Categories have no
order, so they have no mean, spread or interval (NaN), but a most probable one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._components.conditionals import Answer, RowsWithGaps
from suffice._components.holes import Holes
from suffice._core.errors import InvalidInput, InvalidParameter, check_integer, did_you_mean
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice._core.threads import one_blas_thread
from suffice.distributions import Categorical, MixtureDistribution
from suffice.distributions._base import check_level
from suffice.distributions.compound._mixture import lumpy

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
        Mean and standard deviation of every missing cell, (M,); NaN for categories.
    probability
        Of the most probable value, (M,); NaN where a column has a density.

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
    probability: np.ndarray
    best: np.ndarray
    names: tuple[str, ...]
    given: RowsWithGaps
    holes: Holes

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        n = len(np.unique(self.cells[:, 0]))
        return f"Imputation({len(self.cells)} missing cells in {n} rows)"

    # -- single cells ----------------------------------------------------------------------------------------
    def __getitem__(self, cell: tuple[int, str | int]) -> Answer:
        """The distribution of one missing cell, by the number of its row and the name or number of its column."""
        if not isinstance(cell, tuple) or len(cell) != 2:
            raise InvalidParameter(f"Ask for a cell by imputed[row, column]; got imputed[{cell!r}].")
        row, j = self._row(cell[0]), column_place(cell[1], self.names)
        place = np.flatnonzero(self.cells[self.cells[:, 1] == j, 0] == row)
        if not len(place):
            raise InvalidInput(f"Row {row!r} has no missing cell in column {self.names[j]!r}; see .cells.")
        return self.given.columns[j][int(place[0])]

    def _row(self, row: Any) -> int:
        """The number of a row; raises for labels, and numbers that count from the end."""
        n = len(self.given.X)
        if isinstance(row, int | np.integer) and not isinstance(row, bool) and 0 <= row < n:
            return int(row)
        labels = [] if self.holes.labels is None else self.holes.labels.tolist()
        hint = f" The label {row!r} is that of row {labels.index(row)}." if row in labels else ""
        raise InvalidParameter(f"Rows are called by their number, from 0 to {n - 1}; got {row!r}.{hint}")

    # -- all cells -------------------------------------------------------------------------------------------
    def of(self, column: str | int) -> Answer:
        """The missing cells of one column, by name or number: a batch in the order of rows."""
        j = column_place(column, self.names)
        if not np.any(self.cells[:, 1] == j):
            raise InvalidInput(f"Column {self.names[j]!r} has no missing cell.")
        return self.given.columns[j]

    @one_blas_thread()
    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """The central interval of every missing cell: (low, high), both (M,); NaN for categories."""
        check_level(level)
        low, high = np.full((2, len(self)), np.nan)
        for j, d in self.given.columns.items():
            if not isinstance(d, Categorical):
                at = self.cells[:, 1] == j
                low[at], high[at] = d.interval(level)
        return low, high

    @one_blas_thread()
    def sample(self, n: int = 1, rng: Any = None) -> list[Any]:
        """`n` completed tables (multiple imputation): the cells of a row are drawn together, given its known ones."""
        check_integer("n", n, 1)
        return [self.holes.filled(values) for values in self.given.drawn(int(n), rng)]

    def frame(self, level: float = 0.95, kind: str = "pandas") -> Any:
        """A row per missing cell: where it is, its mean, standard deviation and central interval.

        Rows of a pandas table that have labels are called by these as well. Where columns are discrete there is also
        the most probable value and its probability.
        """
        rows, columns = self.cells.T
        low, high = self.interval(level)
        labels = self.holes.labels
        out = {"row": rows} | ({} if labels is None else {"label": labels[rows]})
        out |= {"column": np.array(self.names, dtype=object)[columns]}
        out |= {"mean": self.mean, "std": self.std, "low": low, "high": high}
        if not np.isnan(self.probability).all():
            out |= {"most_probable": self._most_probable(kind), "probability": self.probability}
        return to_frame(out, kind)

    def _most_probable(self, kind: str) -> list[Any]:
        """The most probable value of cells that have one, in words of the fit; as text where polars needs one type."""
        out: list[Any] = [None] * len(self)
        for j in self.given.columns:
            at = np.flatnonzero((self.cells[:, 1] == j) & ~np.isnan(self.probability))
            for m, value in zip(at, self.holes.decoded(j, self.best[at].astype(int)).tolist(), strict=True):
                out[m] = value
        mixed = kind == "polars" and len({type(value) for value in out if value is not None}) > 1
        return [None if value is None else str(value) for value in out] if mixed else out


@one_blas_thread()
def imputation(
    given: RowsWithGaps, table: Any, names: tuple[str, ...], booleans: frozenset[int]
) -> Imputation:
    """Of the missing cells of rows, which `table` held in its own way; some of its columns are yes or no."""
    cells = frozen_array(np.argwhere(np.isnan(given.X)), dtype=int)
    described = np.empty((4, len(cells)))
    for j, d in given.columns.items():
        described[:, cells[:, 1] == j] = _describe(d)
    holes = Holes(table, cells, given.categories, booleans)
    best, probability, mean, std = map(frozen_array, described)
    return Imputation(holes.filled(best), cells, mean, std, probability, best, names, given, holes)


def _describe(d: Answer) -> np.ndarray:
    """What stands in for the cells of a column, its probability, mean and standard deviation, (4, N)."""
    none = np.full(d.batch_shape, np.nan)
    if isinstance(d, Categorical):
        p = d.probabilities
        return np.array([np.argmax(p, axis=-1), np.max(p, axis=-1), none, none])
    if lumpy(d.components[0]):
        return np.array([*most_probable(d), d.mean, d.std])
    return np.array([d.mean, none, d.mean, d.std])


def most_probable(d: MixtureDistribution) -> tuple[np.ndarray, np.ndarray]:
    """The most probable value of every element of a batch of mixtures of whole numbers, and its probability.

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
    return best, np.exp(top)


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
