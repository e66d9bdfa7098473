r"""Missing values: how many, which rows miss together, and whether a gap depends on another column.

Dependence   on an ordered column, by the rank-sum test: Z_r the standardized mid-ranks of its N known rows, k of them
             where the other column has a gap; z = Σ Z_r / √(k (N−k)/(N−1)) over these
             on categories, by the χ² test of the table gap × category
A pair is told when its p-value times the number of pairs is below 0.001.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.special import chdtrc, ndtr

from suffice.prepare.looking._checks.wording import column, have, listed, percent, quoted, rows
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.findings import AuditFinding, finding

LEVEL = 1e-3
MOST = 200
FEWEST = 5
CATEGORIES = 30


def check_gaps(
    columns: Sequence[Profile], target: str | None, identifiers: frozenset[str]
) -> Iterator[AuditFinding]:
    """All of these, for a table."""
    partly = [p for p in columns if p.missing and p.known]
    if goal := next((p for p in columns if p.name == target and not p.known), None):
        message = f"{column(goal.name)}, the target, has no value in any of {rows(len(goal.values))}."
        where = np.arange(len(goal.values))
        yield finding("target missing", goal.name, where, message, next_step="Choose another target.")
    for p in partly:
        yield _share(p, p.name == target)
    yield from _empty_rows(columns, identifiers)
    yield from _missing_together(partly)
    yield from _depends(partly[:MOST], [p for p in columns if p.known][:MOST])


def _share(p: Profile, is_target: bool) -> AuditFinding:
    share = p.missing / len(p.values)
    message = f"{column(p.name)} has no value in {rows(p.missing)} of {len(p.values)} ({percent(share)})."
    where = np.flatnonzero(p.gaps)
    if is_target:
        return finding("target missing", p.name, where, message)
    if share >= 0.5:
        step = "Drop the column, or model the gaps."
        return finding("missing", p.name, where, message, severity="warning", next_step=step)
    return finding("missing", p.name, where, message)


def _empty_rows(columns: Sequence[Profile], identifiers: frozenset[str]) -> Iterator[AuditFinding]:
    """Rows that have no value but for identifiers."""
    filled = [p for p in columns if p.name not in identifiers and p.known]
    if len(filled) < 2 or not all(p.missing for p in filled):
        return
    empty = np.logical_and.reduce([p.gaps for p in filled])
    if empty.any():
        message = f"{have(int(empty.sum()))} no value in any column."
        names = [p.name for p in filled[:20]]
        yield finding("empty rows", names, np.flatnonzero(empty), message)


def _missing_together(partly: Sequence[Profile]) -> Iterator[AuditFinding]:
    groups: dict[bytes, list[Profile]] = {}
    for p in partly:
        groups.setdefault(np.packbits(p.gaps).tobytes(), []).append(p)
    for group in groups.values():
        if len(group) > 1 and group[0].missing > 1:
            names = [p.name for p in group]
            message = f"Columns {listed(names)} are missing together, in the same {rows(group[0].missing)}."
            yield finding("missing together", names, np.flatnonzero(group[0].gaps), message)


# -- dependence -------------------------------------------------------------------------------------------
def _depends(partly: Sequence[Profile], others: Sequence[Profile]) -> Iterator[AuditFinding]:
    """For each column with gaps the column that its gaps depend on most, where the test leaves no doubt."""
    partly = [p for p in partly if p.missing >= FEWEST and p.known >= FEWEST]
    if not partly:
        return
    ordered = [p for p in others if p.kind in ("numbers", "times", "flags") and len(p.distinct) > 1]
    words = [p for p in others if p.kind == "text" and 2 <= len(p.distinct) <= CATEGORIES]
    masks = np.array([p.gaps for p in partly], dtype=float)
    chance = np.column_stack(
        [_by_rank(masks, p) for p in ordered] + [_by_category(masks, p) for p in words] or [masks[:, 0]]
    )
    names = [p.name for p in (*ordered, *words)]
    if not names:
        return
    for i, p in enumerate(partly):
        mine = [np.inf if name == p.name else c for name, c in zip(names, chance[i], strict=True)]
        best = int(np.argmin(mine))
        if mine[best] * chance.size < LEVEL:
            message = (
                f"Whether {quoted(p.name)} is missing ({rows(p.missing)}) depends on {quoted(names[best])} "
                f"(p = {max(mine[best], 1e-300):.1g})."
            )
            yield finding("missing not at random", (p.name, names[best]), np.flatnonzero(p.gaps), message)


def _by_rank(masks: np.ndarray, p: Profile) -> np.ndarray:
    """p-values of the rank-sum tests between the gaps of each mask and one column."""
    middle = np.cumsum(p.counts) - p.counts / 2
    ranks = np.where(p.gaps, np.nan, middle[p.codes])
    z = np.nan_to_num((ranks - np.nanmean(ranks)) / max(np.nanstd(ranks), 1e-300))
    n, k = p.known, masks @ (~p.gaps).astype(float)
    spread = np.sqrt(k * (n - k) / max(n - 1, 1))
    enough = (k >= FEWEST) & (n - k >= FEWEST)
    return np.where(enough, 2 * ndtr(-np.abs(masks @ z) / np.where(enough, spread, 1)), 1.0)


def _by_category(masks: np.ndarray, p: Profile) -> np.ndarray:
    """p-values of χ² tests between the gaps of each mask and one column of categories."""
    known = ~p.gaps
    return np.array(
        [_chi_square(np.bincount(p.codes[known], m[known], len(p.counts)), p.counts) for m in masks]
    )


def _chi_square(met: np.ndarray, sizes: np.ndarray) -> float:
    """Of the table (met, sizes − met); 1 where too few are met, or expected, to judge."""
    share = met.sum() / sizes.sum()
    expected = sizes * share
    if not 0 < share < 1 or met.sum() < FEWEST or expected.max() < FEWEST:
        return 1.0
    use = expected >= 1
    statistic = np.sum((met - expected)[use] ** 2 / (expected * (1 - share))[use])
    return float(chdtrc(max(int(use.sum()) - 1, 1), statistic))
