r"""What a column has of the present and the future of the target, in the order of time.

A column x_t is predicted by a line, first from its own past and that of the target, (x_{t−1}, y_{t−1}, y_{t−2}), then
with the target of now and of later beside them, (y_t, y_{t+1}, y_{t+2}). If hardly anything is left then, and much was
left before, the column was made of what it should predict: the next value, a running sum, an average around the row.
The order of the file proves nothing; an equality along it is only a note.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.prepare.looking._checks.leaks.case import Case
from suffice.prepare.looking._checks.leaks.evidence import TOGETHER, Leak, in_all, names, small_share, wrong
from suffice.prepare.looking._checks.leaks.numbers import equal
from suffice.prepare.looking._checks.leaks.orders import Order
from suffice.prepare.looking._checks.wording import column
from suffice.prepare.looking._profile import Profile

LEFT = 0.03
ENOUGH = 25


def in_time(case: Case) -> list[Leak]:
    """At most one per column; that of the first order in which there is one."""
    found: dict[str, Leak] = {}
    for order in case.orders:
        for p in case.columns:
            if p.name in order.names or p.name in found:
                continue
            if (leak := _in_order(case, order, p)) is not None:
                found[p.name] = leak
    return list(found.values())


def _in_order(case: Case, order: Order, p: Profile) -> Leak | None:
    if case.classes:
        return _class_later(case, order, p)
    if not case.numeric or p.kind not in ("numbers", "flags"):
        return None
    return _equal_later(case, order, p) or _made_of_target(case, order, p)


def _class_later(case: Case, order: Order, p: Profile) -> Leak | None:
    """A column whose values are the classes of the next row, one for one, also where the class changes."""
    if len(p.distinct) > 2 * len(case.target.distinct) or p.missing > 0.1 * len(p.values):
        return None
    x, y = p.codes[order.rows], case.target.codes[order.rows]
    at = order.inside[(x[order.inside] >= 0) & (y[order.inside + 1] >= 0)]
    now, later = y[at], y[at + 1]
    if np.count_nonzero(now != later) < 10:
        return None
    table = np.zeros((len(p.distinct), len(case.target.distinct)))
    np.add.at(table, (x[at], later), 1)
    right = table.argmax(axis=1)[x[at]] == later
    one = len(set(table.argmax(axis=1)[table.any(axis=1)].tolist())) == np.count_nonzero(table.any(axis=1))
    if not one or right.mean() < 0.99 or right[now != later].mean() < 0.95:
        return None
    message = (
        f"{column(p.name)} is the target of the row after in the order of {names(order.names)}: its class "
        f"{wrong(int(np.count_nonzero(~right)), len(at))}."
    )
    return Leak((p.name,), "error", TOGETHER, 0.0, message, rows=len(at))


def _equal_later(case: Case, order: Order, p: Profile) -> Leak | None:
    """A column that equals the target of the row before or after."""
    if len(case.target.distinct) <= 10:
        return None
    at = order.inside
    x, y = p.numbers[order.rows], case.target.numbers[order.rows]
    for word, step in (("after", 1), ("before", -1)):
        use = at[~np.isnan(x[at] + y[at + step])]
        same = int(np.count_nonzero(x[use] == y[use + step]))
        if len(use) >= ENOUGH - 5 and same >= 0.99 * len(use):
            message = (
                f"{column(p.name)} is the target of the row {word} in the order of {names(order.names)}, in "
                f"{in_all(same, len(use))}."
            )
            return Leak(
                (p.name,), "error" if word == "after" else "note", TOGETHER, 0.0, message, rows=len(use)
            )
    return None


def _made_of_target(case: Case, order: Order, p: Profile) -> Leak | None:
    x, y = p.standardized[order.rows], case.target.standardized[order.rows]
    known = ~(np.isnan(p.numbers) | np.isnan(case.target.numbers))[order.rows]
    at = _places(order, known)
    if len(at) < ENOUGH or len(p.distinct) < 10 or len(case.target.distinct) < 10:
        return None
    one = np.ones(len(at))
    past = np.column_stack([one, x[at - 1], y[at - 1], y[at - 2]])
    before, own = _residual(past, x[at]), _residual(past[:, [0, 2, 3]], y[at])
    if before <= 1e-7 * float(np.std(x)) or own <= 0.01 * float(np.std(y[at])) or before <= 1e-9:
        return _running_mean(case, order, p, known)
    after = _residual(np.column_stack([past, y[at], y[at + 1], y[at + 2]]), x[at])
    if after > LEFT * before:
        return _running_mean(case, order, p, known)
    message = (
        f"{column(p.name)} follows from the target of its own and later rows, in the order of {names(order.names)}: "
        f"adding them to the past leaves {small_share(after / before)} of the error, over {len(at):,} rows."
    )
    return Leak((p.name,), "error", TOGETHER, after / before, message, rows=len(at))


def _places(order: Order, known: np.ndarray) -> np.ndarray:
    """Places with two rows before and two after them in the same series, all known."""
    whole, n = ~order.start, len(order.rows)
    at = np.arange(2, n - 2)
    joined = whole[at - 1] & whole[at] & whole[at + 1] & whole[at + 2]
    return at[joined & known[at - 2] & known[at - 1] & known[at] & known[at + 1] & known[at + 2]]


def _residual(A: np.ndarray, x: np.ndarray) -> float:
    """Root mean square that least squares leaves, for each parameter used one row less."""
    left = x - A @ np.linalg.lstsq(A, x, rcond=None)[0]
    return float(np.sqrt(np.sum(left**2) / max(len(x) - A.shape[1], 1)))


def _running_mean(case: Case, order: Order, p: Profile, known: np.ndarray) -> Leak | None:
    """The mean of the target from the first row of its series to this one."""
    if not known.all():
        return None
    y = case.target.numbers[order.rows]
    first = np.flatnonzero(order.start)
    place = np.arange(len(y)) - np.repeat(first, np.diff(np.append(first, len(y))))
    total = np.cumsum(y)
    base = np.repeat(total[first] - y[first], np.diff(np.append(first, len(y))))
    mean = (total - base) / (place + 1)
    near = np.abs(p.numbers[order.rows] - mean) <= 1e-6 * float(np.std(y))
    if near.mean() < 0.99:
        return None
    message = (
        f"{column(p.name)} is the mean of the target up to and with its own row, in the order of {names(order.names)}, "
        f"in {in_all(int(near.sum()), len(y))}."
    )
    return Leak((p.name,), "error", TOGETHER, 0.0, message, rows=len(y))


# -- the file ---------------------------------------------------------------------------------------------
def next_in_file(case: Case) -> Iterator[Leak]:
    """Columns that equal the target of the line before or after, if no column orders the rows: notes."""
    if case.orders or len(case.target.distinct) <= 10 or len(case.target.values) < 20:
        return
    y = case.target.values
    for p in case.columns:
        if p.kind != case.target.kind:
            continue
        for word, a, b in (("after", p.values[:-1], y[1:]), ("before", p.values[1:], y[:-1])):
            if float(equal(a[:200], b[:200]).mean()) > 0.9 and (same := int(equal(a, b).sum())) > 0.99 * len(
                a
            ):
                message = (
                    f"{column(p.name)} is the target of the row {word} in the order of the file, in "
                    f"{in_all(same, len(a))}; no column says that this is an order of time."
                )
                yield Leak((p.name,), "note", TOGETHER, 0.0, message, rows=len(a))
                break
