r"""One column and a target of classes.

Renamed      each value of x has one class, and each class one value
Levels       the class that most other rows of the same value have; a lone row counts as wrong
Thresholds   rows sorted by x have their classes one after the other; rows of one x count as one, whatever their order

With e errors in n rows the share of errors among new rows is below (e + 3) / n at 95 %. A column is called a leak if
that is below 3 % of the share that the most frequent class gets wrong; or if no row is wrong and the
classes lie far apart, by more than they are wide.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from suffice.prepare.looking._checks.leaks.case import NUMBERS, Case
from suffice.prepare.looking._checks.leaks.evidence import ALONE, PARTLY, Leak, in_all, wrong
from suffice.prepare.looking._checks.leaks.predictions import dense
from suffice.prepare.looking._checks.wording import column, quoted
from suffice.prepare.looking._profile import Profile

SURE = 0.03
FEW = 5
ENOUGH = 20


def by_class(case: Case, p: Profile) -> Leak | None:
    """The plainest way in which a column determines classes."""
    if not case.classes:
        return None
    rows = case.known(p)
    y = case.target.codes[rows]
    sizes = np.bincount(y, minlength=1)
    seldom = len(rows) - int(sizes.max(initial=0))
    if len(rows) < ENOUGH or seldom < FEW:
        return None
    names = case.types[p.name].identifier
    checks: list[Callable[..., Leak | None]] = [_thresholds] if names else [_renamed, _levels, _thresholds]
    return next((leak for c in checks if (leak := c(case, p, rows, y, seldom)) is not None), None)


def _table(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How often each value of x meets each class; values and classes that are met only."""
    x, y = dense(x), dense(y)
    k = int(y.max()) + 1
    return np.bincount(x * k + y, minlength=(int(x.max()) + 1) * k).reshape(-1, k)


def _renamed(case: Case, p: Profile, rows: np.ndarray, y: np.ndarray, seldom: int) -> Leak | None:
    if len(p.distinct) > 2 * len(case.target.distinct):
        return None
    table = _table(p.codes[rows], y)
    pure = table.shape[0] == table.shape[1] and int(np.count_nonzero(table)) == table.shape[0]
    if not pure:
        return None
    evidence = f"each of its {len(table)} values has one class, in all {len(rows):,} rows"
    message = f"{column(p.name)} determines the target: {evidence}."
    return Leak((p.name,), "error", ALONE, 0.0, message, rows=len(rows))


def _levels(case: Case, p: Profile, rows: np.ndarray, y: np.ndarray, seldom: int) -> Leak | None:
    if len(p.distinct) > len(rows) / 5:
        return None
    errors = level_errors(_table(p.codes[rows], y))
    if not sure(errors, seldom) or _in_stretches(case, p):
        return None
    evidence = f"the class of its value {wrong(errors, len(rows))} it has not seen"
    message = f"{column(p.name)} determines the target: {evidence}."
    return Leak((p.name,), "error", ALONE, errors / seldom, message, rows=len(rows))


def level_errors(table: np.ndarray) -> int:
    """Rows whose class is not that of most others with the same value; ties are wrong."""
    top = table.max(axis=1)
    tied = np.count_nonzero(table == top[:, None], axis=1) > 1
    lone = table.sum(axis=1) == 1
    close = (
        (np.sort(table, axis=1)[:, -2] == top - 1) if table.shape[1] > 1 else np.zeros(len(table), dtype=bool)
    )
    errors = table.sum(axis=1) - top + np.where(tied | lone | close, top, 0)
    return int(errors.sum())


def sure(errors: int, seldom: int) -> bool:
    """Whether so few errors show that hardly any new row is wrong."""
    return errors + 3 <= SURE * seldom


def _thresholds(case: Case, p: Profile, rows: np.ndarray, y: np.ndarray, seldom: int) -> Leak | None:
    if p.kind not in NUMBERS or len(p.distinct) < 2 * len(case.target.distinct) or _in_stretches(case, p):
        return None
    table = _table(p.codes[rows], y)
    errors = threshold_errors(table)
    if sure(errors, seldom):
        how = f"{column(p.name)} determines the target: with thresholds on it, the class {wrong(errors, len(rows))}."
        return Leak((p.name,), "error", ALONE, errors / seldom, how, rows=len(rows))
    if errors or len(rows) < 30 or seldom < 10 or (gap := _room(p.numbers[rows], y)) < 1:
        return None
    message = (
        f"{column(p.name)} separates the classes in {in_all(len(rows), len(rows))}, with gaps {gap:.2g} times as wide "
        f"as a class: check whether {quoted(p.name)} is known before the target."
    )
    return Leak((p.name,), "warning", PARTLY, 0.0, message, rows=len(rows))


def threshold_errors(table: np.ndarray) -> int:
    """Rows on the wrong side if each class has one stretch of x: half of the changes of class that are too many."""
    top = table.argmax(axis=1)
    impure = int((table.sum(axis=1) - table.max(axis=1)).sum())
    changes = int(np.count_nonzero(np.diff(top)))
    return impure + -(-max(changes - (table.shape[1] - 1), 0) // 2)


def _room(x: np.ndarray, y: np.ndarray) -> float:
    """The least room between neighbouring classes, in the widest of their middle nine tenths; 0 if they overlap."""
    parts = sorted((x[y == c] for c in np.unique(y)), key=np.median)
    gaps = [b.min() - a.max() for a, b in pairwise(parts)]
    wide = max(float(np.diff(np.quantile(part, [0.05, 0.95]))[0]) for part in parts)
    return float(min(gaps)) / wide if wide > 0 else np.inf if min(gaps) > 0 else 0.0


def _in_stretches(case: Case, p: Profile) -> bool:
    """Whether in time the classes come in a few stretches, and the column hardly changes from row to row."""
    for order in case.orders:
        if p.name in order.names:
            return True
        calm = order.changes(case.target.codes) <= 0.05 * len(order.rows)
        if calm and (
            order.error(p.standardized) < 0.5
            if p.kind in NUMBERS
            else order.changes(p.codes) <= 0.05 * len(order.rows)
        ):
            return True
    return False
