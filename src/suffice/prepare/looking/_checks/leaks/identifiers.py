"""Identifiers that were given in the order of the target: the rows were sorted by it, then counted."""

from __future__ import annotations

import numpy as np

from suffice.prepare.looking._checks.leaks.case import Case
from suffice.prepare.looking._checks.leaks.evidence import ALONE, Leak, in_all
from suffice.prepare.looking._checks.leaks.numbers import ENOUGH, direction
from suffice.prepare.looking._checks.leaks.orders import TIMES
from suffice.prepare.looking._checks.leaks.predictions import misplaced
from suffice.prepare.looking._checks.telling import column
from suffice.prepare.looking._lexicon import name_words
from suffice.prepare.looking._profile import Profile


def in_order_of_target(case: Case, p: Profile) -> Leak | None:
    """An identifier that was given in the order of the target: it counts, and no row is out of order."""
    rows = case.known(p)
    if p.kind != "numbers" or not p.whole or len(rows) < ENOUGH or len(p.distinct) < 0.99 * p.known:
        return None
    if set(name_words(p.name)) & TIMES or not (case.types[p.name].identifier or _dense(p)):
        return None
    x = p.codes[rows]
    told = (
        _sorted_numbers(case, x, rows)
        if case.numeric and not case.classes
        else _sorted_classes(case, x, rows)
    )
    if told is None:
        return None
    message = f"{column(p.name)} numbers the rows in the order of the target: {told}."
    return Leak((p.name,), "error", ALONE, 0.0, message, rows=len(rows))


def _dense(p: Profile) -> bool:
    """Whether the numbers are nearly all of those between the first and the last."""
    return bool(len(p.finite) >= 0.9 * (p.finite[-1] - p.finite[0] + 1))


def _sorted_numbers(case: Case, x: np.ndarray, rows: np.ndarray) -> str | None:
    y = case.target.standardized[rows]
    sign = direction(x, y)
    if (wrong := misplaced(x, y, sign)) > 0.002 * len(rows) or not _like_a_sorted_sample(x, y):
        return None
    return f"{in_all(len(rows) - wrong, len(rows))} are in the same order by both"


def _like_a_sorted_sample(x: np.ndarray, y: np.ndarray) -> bool:
    """Steps of a sorted sample vary as exponential ones do; those of a smooth growth hardly vary."""
    steps = np.abs(np.diff(y[np.argsort(x)]))
    pairs = steps[:-1] + steps[1:]
    use = pairs > 0
    if use.sum() < 10:
        return False
    share = steps[:-1][use] / pairs[use]  # uniform between 0 and 1 for independent exponential steps
    return float(np.std(share)) > 0.2


def _sorted_classes(case: Case, x: np.ndarray, rows: np.ndarray) -> str | None:
    codes = case.target.codes[rows][np.argsort(x)]
    sizes = np.bincount(codes, minlength=len(case.target.distinct))
    k, few = int(np.count_nonzero(sizes)), len(rows) - int(sizes.max())
    changes = int(np.count_nonzero(np.diff(codes)))
    if few < 5 or changes > k - 1 + 0.002 * len(rows) or changes > 0.2 * few:
        return None
    return f"by it, {len(rows):,} rows have the {k} classes one after the other, with {changes:,} changes of class"
