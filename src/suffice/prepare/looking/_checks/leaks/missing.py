"""Gaps, or one value, where the target has one value, and only there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import gammaln

from suffice.prepare.looking._checks.leaks.case import Case
from suffice.prepare.looking._checks.leaks.evidence import ALONE, PARTLY, Leak, as_python
from suffice.prepare.looking._checks.leaks.numbers import mid_ranks
from suffice.prepare.looking._checks.leaks.orders import Order
from suffice.prepare.looking._checks.wording import column, quoted, rows
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.findings import Severity

CHANCE = np.log(1e-8)
FEWEST = 5


def by_gaps(case: Case, p: Profile) -> Iterator[Leak]:
    """Gaps in one class only, or at one end of a target of numbers, where chance does not explain it."""
    if not p.missing or not p.known:
        return
    gaps, has = p.gaps & _known(case), _known(case)
    n = int(gaps.sum())
    if n < FEWEST or n > has.sum() - FEWEST or any(_one_stretch(order, p.gaps) for order in case.orders):
        return
    found = _in_class(case, p, gaps) if case.classes else _at_one_end(case, p, gaps, has)
    if found is not None:
        yield found


def _known(case: Case) -> np.ndarray:
    return ~np.isnan(case.target.numbers) if case.numeric else ~case.target.gaps


def _in_class(case: Case, p: Profile, gaps: np.ndarray) -> Leak | None:
    """Gaps that mark a class: exactly, but for a few rows, or only there though not always."""
    target = case.target
    met = np.bincount(target.codes[gaps], minlength=len(target.distinct))
    top, n = int(np.argmax(met)), int(gaps.sum())
    whole, share = int(target.counts[top]), target.counts[top] / target.known
    wrong = int(whole + n - 2 * met[top])
    limit = min(whole, target.known - whole)
    marks, only = wrong <= 0.15 * limit and limit >= 20, met[top] == n and n * np.log(share) < CHANCE
    if not (marks or only or (wrong == 0 and limit >= FEWEST)):
        return None
    value = quoted(as_python(target.distinct[top]))
    if met[top] == n:
        exact = "and only there" if n == whole else f"though not always ({rows(n)} of {whole:,})"
    else:
        exact = f"and hardly elsewhere: {wrong:,} of {target.known:,} rows differ"
    message = f"{column(p.name)} is missing where the target is {value}, {exact}: {rows(n)}."
    exactly = wrong <= 0.02 * limit
    severity: Severity = "error" if exactly else "warning"
    rank = ALONE if exactly else PARTLY
    return Leak(
        (p.name,), severity, rank, wrong / target.known, message, "leak by gaps", np.flatnonzero(gaps)
    )


def _at_one_end(case: Case, p: Profile, gaps: np.ndarray, has: np.ndarray) -> Leak | None:
    """Gaps above, or below, nearly all other values of the target: the area under the ROC curve."""
    if not case.numeric:
        return None
    y, n, k = case.target.numbers, int(has.sum()), int(gaps.sum())
    inside, outside = y[gaps], y[has & ~gaps]
    area = _area(inside, outside)
    chance = gammaln(k + 1) + gammaln(n - k + 1) - gammaln(n + 1)
    if max(area, 1 - area) < 0.985 or (max(area, 1 - area) < 1 and min(k, n - k) < 10) or chance > CHANCE:
        return None
    above, exact = area > 0.5, area in (0.0, 1.0)
    cut = (inside.min() if above else inside.max()) if exact else float(np.median(inside))
    end = f"at {'least' if above else 'most'} {quoted(float(cut))}" if exact else "high" if above else "low"
    how_sure = "and only there" if exact else f"(area under the ROC curve {max(area, 1 - area):.3f})"
    message = f"{column(p.name)} is missing where the target is {end}, {how_sure}: {rows(k)} of {n:,}."
    severity: Severity = "error" if exact else "warning"
    return Leak(
        (p.name,), severity, PARTLY, 1 - max(area, 1 - area), message, "leak by gaps", np.flatnonzero(gaps)
    )


def _area(inside: np.ndarray, outside: np.ndarray) -> float:
    """How often a value of the first is above one of the second; ties count half."""
    ranks = mid_ranks(np.concatenate([inside, outside]))[: len(inside)] + (len(inside) + len(outside)) / 2
    return float((ranks.sum() - len(inside) ** 2 / 2) / (len(inside) * len(outside)))


def _one_stretch(order: Order, gaps: np.ndarray) -> bool:
    """Whether gaps come in a few stretches of time, as where a series begins late."""
    return order.changes(gaps.astype(int)) <= 2 + 0.02 * len(order.rows)


def by_one_value(case: Case, p: Profile) -> Leak | None:
    """A column with one value in one class, and others in the others: an amount that is there after the fact."""
    rows_ = case.known(p)
    if not case.classes or len(rows_) < 20 or len(p.distinct) < 10 or case.types[p.name].identifier:
        return None
    codes, y = p.codes[rows_], case.target.codes[rows_]
    counts = np.bincount(codes)
    most = int(counts.argmax())
    met = np.bincount(y[codes == most], minlength=len(case.target.distinct))
    top, here = int(met.argmax()), np.bincount(y, minlength=len(case.target.distinct))
    n = int(counts[most])
    if met[top] < n or n < here[top] or min(n, len(rows_) - n) < 10:
        return None
    value, other = quoted(as_python(p.distinct[most])), quoted(as_python(case.target.distinct[top]))
    message = f"{column(p.name)} is {value} where the target is {other}, and only there, in all {len(rows_):,} rows."
    whole = len(case.target.distinct) == 2
    return Leak(
        (p.name,), "error" if whole else "warning", ALONE if whole else PARTLY, 0.0, message, rows=len(rows_)
    )
