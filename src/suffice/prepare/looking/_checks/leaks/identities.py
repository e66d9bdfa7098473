r"""Several columns that determine the target together: sums and differences, products and ratios.

Sums         y = c + Σ a_j x_j with an error of at most 1 % of the spread on rows not seen (of two columns, 2 %)
Products     the same of logarithms, where all are positive
Pairs        a ± b, a b, a / b, a / (a + b) for all pairs of columns

What is good by degrees is no identity: smooth series and many noisy measurements of one thing come close as well. An
identity breaks when a column is left out, so that the error must then be fifteen times as large.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from suffice._core.records import record
from suffice.prepare.looking._checks.leaks.case import Case
from suffice.prepare.looking._checks.leaks.evidence import TOGETHER, Leak, names, unseen
from suffice.prepare.looking._checks.leaks.formulas import power_formula, sum_formula
from suffice.prepare.looking._checks.leaks.pairs import of_pairs
from suffice.prepare.looking._checks.leaks.predictions import line_error
from suffice.prepare.looking._checks.leaks.subsets import sufficient

BEYOND_TIME = 0.3
WIDEST = 100
ENOUGH = 15
LIMIT = 3


@record
class NumberColumns:
    """Columns of numbers over rows without gaps in them: (N, D), scaled to at most 1; and the target."""

    names: tuple[str, ...]
    X: np.ndarray
    y: np.ndarray
    scales: np.ndarray

    def only(self, chosen: np.ndarray) -> NumberColumns:
        """Some of the columns."""
        kept = tuple(n for n, c in zip(self.names, chosen, strict=True) if c)
        return replace(
            self, names=kept, X=self.X[:, chosen], scales=np.append(self.scales[:-1][chosen], self.scales[-1])
        )


def identities(case: Case) -> Iterator[Leak]:
    """Up to three, each of other columns."""
    table = _numbers(case) if case.numeric else None
    for _ in range(LIMIT):
        if table is None or len(table.names) < 2 or len(table.y) < ENOUGH:
            return
        found = _sum(case, table) or _product(case, table) or _pair(case, table)
        if found is None:
            return
        yield found
        table = table.only(np.array([n not in found.columns for n in table.names]))


def _numbers(case: Case) -> NumberColumns | None:
    """Columns of numbers, those with the fewest gaps first, as long as half of the rows have them all."""
    use = [p for p in case.columns if p.kind in ("numbers", "flags") and not case.types[p.name].identifier]
    rows, kept, y = case.rows, [], case.target.standardized
    for p in sorted((p for p in use if len(p.distinct) > 1), key=lambda p: (p.missing, p.name)):
        left = rows[~np.isnan(p.numbers[rows])]
        if len(left) >= max(ENOUGH, 0.5 * len(case.rows)) and np.ptp(y[left]) > 0:
            rows = left
            kept.append(p)
    kept = [p for p in kept if np.ptp(p.standardized[rows]) > 1e-9]
    strongest = sorted(kept, key=lambda p: (-_strength(p.standardized[rows], y[rows]), p.name))
    kept = sorted(strongest[:WIDEST], key=lambda p: p.name)
    if len(kept) < 2:
        return None
    columns = [p.numbers[rows] for p in (*kept, case.target)]
    scales = np.array([np.abs(c).max() or 1.0 for c in columns])
    X = np.column_stack([c / s for c, s in zip(columns, scales, strict=True)])
    varies = np.append(X[:, :-1].std(axis=0) > 1e-12, True)
    names = tuple(p.name for p, v in zip(kept, varies[:-1], strict=True) if v)
    return NumberColumns(names, X[:, varies][:, :-1], X[:, -1], scales[varies])


def _strength(x: np.ndarray, y: np.ndarray) -> float:
    spread = float(np.std(x) * np.std(y))
    return round(abs(float(np.mean((x - x.mean()) * (y - y.mean())))) / spread, 9) if spread > 0 else 0.0


def _told(
    case: Case, table: NumberColumns, chosen: list[int], error: float, formula: str, n: int
) -> Leak | None:
    if error > BEYOND_TIME * case.time_error:
        return None
    parts = tuple(table.names[j] for j in chosen)
    message = (
        f"Columns {names(parts)} determine the target together: {formula} {unseen(n, error, len(table.y))}."
    )
    return Leak(parts, "error", TOGETHER, error, message, rows=len(table.y))


def _sum(case: Case, table: NumberColumns) -> Leak | None:
    if (found := sufficient(table.X, table.y)) is None:
        return None
    chosen, kept = found
    A, y = table.X[kept][:, chosen], table.y[kept]
    raw = table.scales[-1] / table.scales[:-1][chosen]
    formula = sum_formula([table.names[j] for j in chosen], A, y, raw, table.scales[-1])
    return _told(case, table, chosen, line_error(_standard(A), y), formula, int(kept.sum()))


def _standard(A: np.ndarray) -> np.ndarray:
    return (A - A.mean(axis=0)) / A.std(axis=0)


def _product(case: Case, table: NumberColumns) -> Leak | None:
    """A sum of logarithms, of the columns that are positive throughout."""
    positive = np.flatnonzero(np.all(table.X > 0, axis=0))
    if len(positive) < 2 or not (np.all(table.y > 0) or np.all(table.y < 0)):
        return None
    X, y = np.log(table.X[:, positive]), np.log(np.abs(table.y))
    varies = X.std(axis=0) > 1e-9
    positive, X = positive[varies], X[:, varies]
    if len(positive) < 2 or not y.std() > 0 or (found := sufficient(X, y)) is None:
        return None
    chosen, kept = found
    A, y = X[kept][:, chosen], y[kept]
    there = [int(positive[j]) for j in chosen]
    formula = power_formula([table.names[j] for j in there], A, y)
    return _told(case, table, there, line_error(_standard(A), y), formula, int(kept.sum()))


def _pair(case: Case, table: NumberColumns) -> Leak | None:
    found = of_pairs(table.X * (table.scales[:-1] / table.scales[:-1].max()), table.y, table.names)
    return None if found is None else _told(case, table, *found, len(table.y))
