r"""Means, sums and extremes of the target over groups of rows, the row itself among them.

Rows of one group share the aggregate, so that grouping by the column itself shows it: the mean of the target among rows
with the value v is v (or a line in v), far nearer than the chance of the rows in it allows. With means m_v of n_v rows,
spread s inside the groups and deviations d_v from the line, ρ² = Σ n_v d_v² / (s² (k − 2)) is near 1 or larger for any
column that merely predicts the target; a leak has ρ ≤ 0.05.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.prepare.looking._checks.leaks.case import Case
from suffice.prepare.looking._checks.leaks.evidence import TOGETHER, Leak, as_python, small_share
from suffice.prepare.looking._checks.leaks.predictions import dense
from suffice.prepare.looking._checks.wording import column, quoted
from suffice.prepare.looking._profile import Profile

GROUPS = 7
NEAR = 0.05
CLASSES = 10


def aggregates(case: Case, p: Profile) -> Leak | None:
    """The first aggregate of the target that a column of numbers holds."""
    rows = case.all_rows[~np.isnan(p.numbers[case.all_rows])]
    if p.kind != "numbers" or len(rows) < 20 or not GROUPS <= len(p.distinct) <= 0.7 * len(rows):
        return None
    codes = dense(p.codes[rows])
    sizes = np.bincount(codes)
    several = sizes >= 2
    if several.sum() < GROUPS or sizes[several].sum() < 0.5 * len(rows):
        return None
    values = np.zeros(len(sizes))
    values[codes] = p.standardized[rows]
    return next(_found(case, p, rows, codes, values), None)


def _found(case: Case, p: Profile, rows: np.ndarray, codes: np.ndarray, values: np.ndarray) -> Iterator[Leak]:
    for what, y in _targets(case, rows):
        for word, rho in _ratios(codes, values, y):
            if rho <= NEAR:
                yield _leak(
                    p,
                    rows,
                    word,
                    what,
                    f"they differ from a line in it by {small_share(rho)} of what chance allows",
                    len(values),
                )
    if case.numeric:
        yield from _extremes(case, p, rows, codes)


def _leak(p: Profile, rows: np.ndarray, word: str, what: str, how: str, groups: int) -> Leak:
    message = (
        f"{column(p.name)} is the {word} of {what} among rows with the same value, over {groups:,} values and "
        f"{len(rows):,} rows: {how}."
    )
    return Leak((p.name,), "error", TOGETHER, 0.0, message, rows=len(rows))


def _targets(case: Case, rows: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """The target as numbers, or each class as 0 and 1."""
    if case.numeric:
        yield "the target", case.target.standardized[rows]
    elif case.classes and len(case.target.distinct) <= CLASSES:
        for k, value in enumerate(case.target.distinct):
            yield f"the target being {quoted(as_python(value))}", (case.target.codes[rows] == k).astype(float)


def _ratios(codes: np.ndarray, values: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, float]]:
    """How far means, and sums, are from a line in the values, in what chance allows."""
    sizes = np.bincount(codes)
    sums = np.bincount(codes, y)
    within = y - (sums / sizes)[codes]
    s2 = float(np.sum(within**2)) / max(len(y) - len(sizes), 1)
    if s2 <= 1e-4 * float(np.var(y)) or min(len(y) - np.unique(y, return_counts=True)[1].max(), len(y)) < 10:
        return
    yield "mean", _deviation(values, sums / sizes, sizes / s2)
    if sizes.max() > sizes.min():
        yield "sum", _sum_deviation(values, sums, sizes, s2)
    if len(sizes) >= 2 * GROUPS and sizes.max() > sizes.min():
        yield "mean, drawn to that of all rows,", _drawn_deviation(values, sums / sizes, sizes, s2)


def _deviation(x: np.ndarray, m: np.ndarray, weights: np.ndarray) -> float:
    """Root mean square of weighted deviations from the weighted line."""
    return _off_the_line(np.column_stack([np.ones(len(x)), x]), m, weights)


def _drawn_deviation(x: np.ndarray, m: np.ndarray, sizes: np.ndarray, s2: float) -> float:
    """The same for v = (n m + a m₀) / (n + a), a mean drawn to m₀ by a rows: m is a line in v, v / n and 1 / n."""
    A = np.column_stack([np.ones(len(x)), x, x / sizes, 1 / sizes])
    return _off_the_line(A, m, sizes / s2)


def _sum_deviation(x: np.ndarray, sums: np.ndarray, sizes: np.ndarray, s2: float) -> float:
    """The same for sums; the target is measured from its mean, so that the number of rows takes part in the line."""
    return _off_the_line(np.column_stack([np.ones(len(x)), x, sizes]), sums, 1 / (s2 * sizes))


def _off_the_line(A: np.ndarray, m: np.ndarray, weights: np.ndarray) -> float:
    """Deviations in what chance allows; infinite if x (the second column of A) is not what makes the line fit."""
    root = np.sqrt(weights)

    def left(B: np.ndarray) -> float:
        scaled, b = B * root[:, None], m * root
        return float(
            np.sqrt(
                np.sum((b - scaled @ np.linalg.lstsq(scaled, b, rcond=None)[0]) ** 2)
                / max(len(m) - A.shape[1], 1)
            )
        )

    with_x, without = (
        left(A),
        left(A[:, [0, *range(3, A.shape[1])]] if A.shape[1] == 4 else np.delete(A, 1, axis=1)),
    )
    return with_x if without > 0.2 else np.inf


def _extremes(case: Case, p: Profile, rows: np.ndarray, codes: np.ndarray) -> Iterator[Leak]:
    """The largest, or the least, or the middle value of the target among rows with the same value."""
    x, y = p.numbers[rows], case.target.numbers[rows]
    order = np.lexsort((y, codes))
    start = np.flatnonzero(np.append(True, np.diff(codes[order]) != 0))
    stop = np.append(start[1:], len(order)) - 1
    v, low, high = x[order][start], y[order][start], y[order][stop]
    middle = (y[order][(start + stop) // 2] + y[order][(start + stop + 1) // 2]) / 2
    varied = (stop - start >= 2) & (high > low)
    if varied.sum() < GROUPS:
        return
    near = 1e-9 * float(np.ptp(y))
    for word, found in (("largest value", high), ("least value", low), ("median", middle)):
        if np.all(np.abs(found - v)[varied] <= near):
            yield _leak(p, rows, word, "the target", "equal in each of them", len(v))
