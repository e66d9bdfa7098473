r"""Which columns go together: correlations of amounts, and of ranks where a column has an order only.

amounts      r of the values
ranks        r of the ranks (Spearman), where one of the two columns is ordinal: it asks for more with more, no line
beyond chance   Fisher's z, whose variance is 1.06 times larger for ranks, with Bonferroni's correction
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from suffice._core.records import record
from suffice.prepare import Attribute, Description
from suffice.study.sections import Related
from suffice.tables.cells import gaps

LEVEL = 0.05  # chance that any pair is called related though none is
RANKS = 1.06  # variance of z for ranks, to that for values


@record
class Associations:
    """A matrix of correlations over some columns, which of these are by rank, and in how many rows both are known."""

    names: tuple[str, ...]
    matrix: np.ndarray | None
    ordinal: np.ndarray
    rows: np.ndarray

    def related(self, most: int) -> tuple[Related, ...]:
        """Pairs beyond chance, the strongest first."""
        if self.matrix is None:
            return ()
        i, j = np.triu_indices(len(self.names), 1)
        r, rows, ranks = self.matrix[i, j], self.rows[i, j], self.ordinal[i] | self.ordinal[j]
        spread = np.sqrt(np.where(ranks, RANKS, 1.0) / np.maximum(rows - 3, 1e-9))
        critical = np.tanh(stats.norm.isf(LEVEL / 2 / len(i)) * spread)
        sure = np.flatnonzero((np.abs(r) > critical) & (rows > 4))
        ranked = sure[np.argsort(-np.abs(r[sure]), kind="stable")][:most]
        return tuple(Related(self.names[i[k]], self.names[j[k]], float(r[k]), bool(ranks[k])) for k in ranked)


def associable(a: Attribute, has_spread: bool) -> bool:
    """Whether a column takes part: amounts, and levels whose order is known."""
    return (a.kind == "numbers" and has_spread) or is_ordered(a)


def is_ordered(a: Attribute) -> bool:
    """Whether a column has an order and no more."""
    return a.scale == "ordinal" and (a.kind == "numbers" or a.order is not None) and a.distinct > 1


def associations(found: Description, columns: dict[str, np.ndarray]) -> Associations:
    """Correlations of all columns of a description that have amounts or an order."""
    chosen = [
        c.attribute for c in found if c.name in found.correlated or associable(c.attribute, c.std is not None)
    ]
    names = tuple(a.name for a in chosen)
    if len(names) < 2:
        return Associations((), None, np.zeros(0, dtype=bool), np.zeros((0, 0)))
    ordinal = np.array([is_ordered(a) for a in chosen])
    cells = np.column_stack([_numbers(a, columns[a.name]) for a in chosen])
    known = np.isfinite(cells).astype(float)
    matrix = _pairwise(_ranked(cells), known) if ordinal.any() else np.eye(len(names))
    at = np.flatnonzero(~ordinal)
    if len(at) > 1 and found.correlation is not None:
        places = [found.correlated.index(names[j]) for j in at]
        matrix[np.ix_(at, at)] = found.correlation[np.ix_(places, places)]
    return Associations(names, matrix, ordinal, known.T @ known)


def _numbers(a: Attribute, values: np.ndarray) -> np.ndarray:
    """A number per row, that of its level where the levels are words; NaN for a gap."""
    if a.order is None:
        out = values.astype(float)
        return np.where(np.isfinite(out), out, np.nan)
    missing = gaps(values)
    place = {_level(a, level): float(i) for i, level in enumerate(a.order)}
    return np.array(
        [np.nan if gone else place.get(_level(a, v), np.nan) for v, gone in zip(values, missing, strict=True)]
    )


def _level(a: Attribute, value: object) -> object:
    return float(value) if a.kind == "numbers" else str(value)  # type: ignore[arg-type]


def _ranked(cells: np.ndarray) -> np.ndarray:
    """Ranks in each column, from 0 mean; 0 for a gap."""
    ranks = stats.rankdata(cells, axis=0, nan_policy="omit")
    return np.nan_to_num(ranks - np.nanmean(ranks, axis=0))


def _pairwise(x: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Correlations of columns, each pair over the rows where both are known."""
    n, sums = known.T @ known, x.T @ known
    squares = (x**2).T @ known
    spread = np.maximum(n * squares - sums**2, 0)
    size = np.sqrt(spread * spread.T)
    r = np.divide(
        n * (x.T @ x) - sums * sums.T, size, out=np.zeros_like(size), where=size > 1e-9 * np.max(size)
    )
    np.fill_diagonal(r, 1.0)
    return np.clip(r, -1.0, 1.0)


def kept_names(names: Sequence[str], matrix: np.ndarray, target: str | None, most: int) -> list[int]:
    """Places of at most so many columns: the target and those that go with it most, or with any other."""
    if len(names) <= most:
        return list(range(len(names)))
    size = np.abs(np.nan_to_num(matrix - np.eye(len(names))))
    goal = names.index(target) if target in names else None
    strength = size.max(axis=1) if goal is None else size[goal] + (np.arange(len(names)) == goal) * 2.0
    return np.sort(np.argsort(-strength, kind="stable")[:most]).tolist()
