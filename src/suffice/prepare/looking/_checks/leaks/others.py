"""Means of the target over the other rows of a group: within a group they tell the row's own target, turned round."""

from __future__ import annotations

import numpy as np

from suffice.prepare.looking._checks.leaks.case import Case
from suffice.prepare.looking._checks.leaks.evidence import TOGETHER, Leak, in_all
from suffice.prepare.looking._checks.wording import column, quoted
from suffice.prepare.looking._profile import Profile

MOST = 20  # grouping columns that are tried
NEAR = 1e-6


def of_others(case: Case) -> list[Leak]:
    """Columns of numbers that hold the mean of the target over the other rows of a group; at most one each."""
    if not case.numeric:
        return []
    found: dict[str, Leak] = {}
    rows = case.all_rows
    some = [p for p in case.columns if p.kind == "numbers" and len(p.distinct) >= 10]
    for g in [g for g in case.columns if _groups(g, len(rows))][:MOST]:
        guess = _mean_of_others(g.codes[rows] + 1, case.target.numbers[rows])
        for p in some:
            if p.name not in found and p.name != g.name and (leak := _equal(p, g, rows, guess)) is not None:
                found[p.name] = leak
    return list(found.values())


def _groups(g: Profile, n: int) -> bool:
    return 2 <= len(g.distinct) <= n / 2 and (
        g.kind in ("text", "flags") or (g.kind == "numbers" and g.whole)
    )


def _mean_of_others(codes: np.ndarray, y: np.ndarray) -> np.ndarray:
    sizes, sums = np.bincount(codes), np.bincount(codes, y)
    return np.where(sizes[codes] > 1, (sums[codes] - y) / np.maximum(sizes[codes] - 1, 1), np.nan)


def _equal(p: Profile, g: Profile, rows: np.ndarray, guess: np.ndarray) -> Leak | None:
    x = p.numbers[rows]
    known = ~(np.isnan(x) | np.isnan(guess))
    n = int(known.sum())
    if n < 20 or not np.std(guess[known]) > 0:
        return None
    near = np.abs(x - guess)[known] <= NEAR * float(np.std(guess[known])) + _half_unit(p)
    if near.mean() < 0.99 or _half_unit(p) > 0.05 * float(np.std(guess[known])):
        return None
    message = (
        f"{column(p.name)} is the mean of the target over the other rows of the same {quoted(g.name)}, in "
        f"{in_all(int(near.sum()), n)}; with {quoted(g.name)} it reveals the row's own target."
    )
    return Leak((p.name,), "error", TOGETHER, 0.0, message, rows=n)


def _half_unit(p: Profile) -> float:
    """Half of the last digit that a column is written with, if that is at most the sixth."""
    for digits in range(7):
        scaled = p.finite * 10.0**digits
        if np.all(np.abs(scaled - np.round(scaled)) < 1e-6):
            return 0.51 * 10.0**-digits
    return 0.0
