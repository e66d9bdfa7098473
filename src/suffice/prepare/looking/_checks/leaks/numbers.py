r"""One column and a target of numbers.

Equal        the same value in 999 of 1,000 rows, and where the target is not its most frequent value
Linear       error of the line on rows not seen ≤ 1 % of the spread (a warning up to 2 %)
Rounded      the values of the target under neighbouring values of x do not overlap, where noise of the same size would
             make at least four rows do so: x is a cut through the target, not a cause of it
Monotone     a larger x never has a smaller y, though no line fits, and the target does not grow step by step
Function     the mean of the neighbours in x has an error ≤ 2 %
Levels       few values, within which the target does not vary: error ≤ 1 %

In a series the error must also be below a third of what the neighbours in time leave.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from suffice.prepare.looking._checks.leaks.case import NUMBERS, Case
from suffice.prepare.looking._checks.leaks.evidence import ALONE, PARTLY, Leak, in_all, unseen
from suffice.prepare.looking._checks.leaks.orders import Order
from suffice.prepare.looking._checks.leaks.predictions import (
    agreeing,
    dense,
    level_error,
    like_a_sample,
    line_error,
    line_residuals,
    misplaced,
    neighbour_error,
    serial_correlation,
)
from suffice.prepare.looking._checks.wording import column, quoted
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.findings import Severity

SURE, SUSPICIOUS = 0.01, 0.02
BEYOND_TIME = 0.3
LEVELS = 50
ENOUGH = 20
OVERLAPS = 4.0
EXACT, DRIFT, OFTEN = 1e-4, 0.5, 0.1


# -- copies -----------------------------------------------------------------------------------------------
def copy(case: Case, p: Profile) -> Leak | None:
    """A column that holds the target itself."""
    rows = case.rows[~p.gaps[case.rows]]
    if len(rows) < 10 or len(p.distinct) > len(case.target.distinct) + max(5, 0.001 * len(rows)):
        return None
    same = equal(p.values[rows], case.target.values[rows])
    wrong, often = int(np.count_nonzero(~same)), case.target.codes[rows]
    seldom = len(rows) - int(np.bincount(often).max())
    if wrong > min(0.001 * len(rows), 0.02 * seldom) or seldom < 3:
        return None
    message = f"{column(p.name)} equals the target in {in_all(len(rows) - wrong, len(rows))}."
    return Leak((p.name,), "error", ALONE, 0.0, message, rows=len(rows))


def equal(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Where cells are the same; cells of different kinds never are."""
    if (a.dtype == object) != (b.dtype == object) or a.dtype.kind in "Mm" or b.dtype.kind in "Mm":
        return a == b if a.dtype.kind == b.dtype.kind else np.zeros(len(a), dtype=bool)
    if a.dtype == object:
        pairs = zip(a, b, strict=True)
        return np.fromiter(
            (type(x) is type(y) and x is not None and str(x) == str(y) for x, y in pairs), bool, len(a)
        )
    return a == b


# -- numbers ----------------------------------------------------------------------------------------------
def by_number(case: Case, p: Profile) -> Leak | None:
    """The plainest way in which a column of numbers, or of few levels, determines a target of numbers."""
    if not case.numeric:
        return None
    rows = case.known(p)
    y = case.target.standardized[rows]
    if len(rows) < ENOUGH or len(case.target.distinct) < 3 or not np.ptp(y) > 0:
        return None
    number, names = p.kind in NUMBERS, case.types[p.name].identifier
    checks: list[Callable[..., Leak | None]] = [_linear, _rounded] if number else []
    checks += [_monotone, _function] if number and not names else []
    found = (leak for check in (*checks, _levels) if (leak := check(case, p, rows, y)) is not None)
    return next(found, None)


def _linear(case: Case, p: Profile, rows: np.ndarray, y: np.ndarray) -> Leak | None:
    x = p.standardized[rows]
    spread = float(np.std(x))
    if not spread > 0 or abs(_correlation(x, y)) < 0.98:
        return None
    kept = agreeing(x[:, None], y)
    error, r, n = line_error(x[:, None], y, kept), _correlation(x[kept], y[kept]), int(kept.sum())
    if error > SUSPICIOUS or error > BEYOND_TIME * case.time_error or _drifts(x, y, kept, error):
        return None
    severity: Severity = "error" if error <= SURE else "warning"
    how = "determines the target" if error <= SURE else "nearly determines the target"
    evidence = f"with correlation {np.sign(r) * min(abs(r), 1.0):.5f}, it {unseen(n, error, len(rows))}"
    message = f"{column(p.name)} {how}: {evidence}."
    rank = ALONE if error <= SURE else PARTLY
    return Leak((p.name,), severity, rank, error, message, rows=len(rows))


def _drifts(x: np.ndarray, y: np.ndarray, kept: np.ndarray, error: float) -> bool:
    """Whether two series share a trend: what a line leaves goes up and down slowly, or the target grows steadily."""
    errors = line_residuals(x[kept][:, None], y[kept])
    return error > EXACT and (serial_correlation(errors, y[kept]) > DRIFT or not like_a_sample(y))


def _apart_from_most(case: Case, rows: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Without rows that have the most frequent value of the target, where that is frequent: ties show no order."""
    target = case.target
    if target.counts.max() <= OFTEN * target.known:
        return rows, y
    other = target.codes[rows] != int(target.counts.argmax())
    return rows[other], y[other]


def _rounded(case: Case, p: Profile, rows: np.ndarray, y: np.ndarray) -> Leak | None:
    """The target cut into intervals, each value of x one of them."""
    rows, y = _apart_from_most(case, rows, y)
    if len(rows) < ENOUGH:
        return None
    x = p.codes[rows]
    k = int(np.count_nonzero(np.bincount(x)))
    if not 2 <= k <= len(rows) / 3 or _along_time(case, p):
        return None
    sign = direction(x, y)
    wrong, seldom = misplaced(x, y, sign), len(rows) - int(np.bincount(x).max())
    if wrong > 0.002 * seldom or (expected := overlaps_expected(x, sign * y)) < max(OVERLAPS, 20 * wrong):
        return None
    message = (
        f"{column(p.name)} is the target in {k:,} steps: its values cut the target into intervals that do not overlap "
        f"in {in_all(len(rows) - wrong, len(rows))}, where noise would make about {expected:,.0f} overlap."
    )
    return Leak((p.name,), "error", ALONE, 0.0, message, rows=len(rows))


def overlaps_expected(codes: np.ndarray, y: np.ndarray) -> float:
    """Rows that would lie beyond the middle between their value and the next if they scattered normally.

    Causes scatter, so that rows with neighbouring values overlap; cuts do not, however wide they are.
    """
    codes = dense(codes)
    order = np.lexsort((y, codes))
    start = np.flatnonzero(np.append(True, np.diff(codes[order]) != 0))
    sizes = np.diff(np.append(start, len(y)))
    low, high = y[order][start], y[order][start + sizes - 1]
    mean = np.bincount(codes, y) / sizes
    spread = np.sqrt(np.bincount(codes, (y - mean[codes]) ** 2) / np.maximum(sizes - 1, 1))
    use = (sizes >= 3) & (spread > 0)
    cut = (high[:-1] + low[1:]) / 2
    above, below = np.append(cut, np.inf) - mean, mean - np.append(-np.inf, cut)
    scale = np.where(use, spread, 1.0)
    over = np.where(use, sizes * ndtr(-above / scale), 0.0)
    under = np.where(use, sizes * ndtr(-below / scale), 0.0)
    return float(2 * np.sum(np.sqrt(over[:-1] * under[1:])))


def _monotone(case: Case, p: Profile, rows: np.ndarray, y: np.ndarray) -> Leak | None:
    """A number that grows, or falls, with the target all along: a function of it, though no straight one."""
    rows, y = _apart_from_most(case, rows, y)
    if len(rows) < ENOUGH:
        return None
    x, ranks = p.codes[rows], case.target.codes[rows]
    few = min(len(p.distinct), len(case.target.distinct)) < max(ENOUGH, 0.3 * len(rows))
    if few or abs(_correlation(x, ranks)) < 0.95 or _along_time(case, p):
        return None
    sign = direction(x, y)
    if (wrong := misplaced(x, y, sign)) > 0.001 * len(rows) or not like_a_sample(y):
        return None
    r = rank_correlation(x, y)
    message = (
        f"{column(p.name)} determines the target: it has rank correlation {r:.5f} with it, and "
        f"{in_all(len(rows) - wrong, len(rows))} are in the same order by both."
    )
    return Leak((p.name,), "error", ALONE, wrong / len(rows), message, rows=len(rows))


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size > 0 else 0.0


def _function(case: Case, p: Profile, rows: np.ndarray, y: np.ndarray) -> Leak | None:
    error = neighbour_error(p.codes[rows], y)
    if error > min(SUSPICIOUS, BEYOND_TIME * case.time_error) or _along_time(case, p) or not like_a_sample(y):
        return None
    evidence = f"by its neighbours in {quoted(p.name)}, it {unseen(len(rows), error)}"
    message = f"{column(p.name)} determines the target: {evidence}."
    return Leak((p.name,), "error", ALONE, error, message, rows=len(rows))


def _levels(case: Case, p: Profile, rows: np.ndarray, y: np.ndarray) -> Leak | None:
    """A column of few values within each of which a numeric target does not vary."""
    k = len(p.distinct)
    if not 2 <= k <= LEVELS or len(rows) < 5 * k:
        return None
    error = level_error(p.codes[rows], y)
    if error > SURE or error > BEYOND_TIME * case.time_error:
        return None
    message = f"The {k} values of {quoted(p.name)} determine the target: the mean of each {unseen(len(rows), error)}."
    return Leak((p.name,), "error", ALONE, error, message, rows=len(rows))


# -- ranks ------------------------------------------------------------------------------------------------
def direction(x: np.ndarray, y: np.ndarray) -> float:
    """Whether y grows or falls with x, by the lower and the upper half of x."""
    upper = x > np.median(x) if (x > np.median(x)).any() else x >= np.median(x)
    return 1.0 if upper.all() or y[upper].mean() >= y[~upper].mean() else -1.0


def rank_correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Spearman's: the correlation of mid-ranks."""
    a, b = (mid_ranks(v) for v in (x, y))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0 else 0.0


def mid_ranks(x: np.ndarray) -> np.ndarray:
    """Ranks less their mean; equal values share the middle of theirs."""
    _, places, counts = np.unique(x, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - counts / 2)[places] - len(x) / 2


# -- orders -----------------------------------------------------------------------------------------------
def _along_time(case: Case, p: Profile) -> bool:
    """Whether a column is a time, or hardly ever turns in the order of one: then it knows the time, not the target."""
    return any(p.name in order.names or _turns(order, p.numbers) < 0.1 for order in case.orders)


def _turns(order: Order, x: np.ndarray) -> float:
    """Share of steps against the way that x goes in time, among those that go anywhere."""
    steps = np.diff(x[order.rows])[~order.start[1:]]
    up, down = np.count_nonzero(steps > 0), np.count_nonzero(steps < 0)
    return min(int(up), int(down)) / max(int(up + down), 1)
