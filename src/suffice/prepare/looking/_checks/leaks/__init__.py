r"""Columns that know the target: what a model would learn from them is not there when it is needed.

A column, or a few together, *determine* the target if they predict rows that they have not seen nearly perfectly.
Every row is predicted from all others, so that neither the order of the file nor that of the columns matters.

    case         what every check starts from: different rows with a target
    orders       columns that order the rows in time; in a series a column must tell more than the time does
    numbers      one column and a target of numbers: equal, linear, rounded, monotone, by its values
    identifiers  numbers of rows that were given in the order of the target
    classes      one column and a target of classes
    identities   several columns: sums, differences, products, ratios
    aggregates   means, sums and extremes of the target over groups of rows
    others       means of the target over the other rows of a group
    series       what a column has of the present and the future of the target, in the order of time
    texts        words that contain the target
    missing      gaps, or one value, where the target has one value and only there
    evidence     the record of a leak, its gravity, and its words
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from suffice.prepare.looking._checks.leaks.aggregates import aggregates
from suffice.prepare.looking._checks.leaks.balance import check_balance
from suffice.prepare.looking._checks.leaks.case import FEWEST, Case, case_of
from suffice.prepare.looking._checks.leaks.classes import by_class
from suffice.prepare.looking._checks.leaks.evidence import Leak, in_order
from suffice.prepare.looking._checks.leaks.identifiers import in_order_of_target
from suffice.prepare.looking._checks.leaks.identities import identities
from suffice.prepare.looking._checks.leaks.missing import by_gaps, by_one_value
from suffice.prepare.looking._checks.leaks.numbers import by_number, copy
from suffice.prepare.looking._checks.leaks.others import of_others
from suffice.prepare.looking._checks.leaks.series import in_time, next_in_file
from suffice.prepare.looking._checks.leaks.texts import in_text
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.looking.findings import AuditFinding

__all__ = ["check_balance", "check_leaks"]


def check_leaks(
    columns: Sequence[Profile], types: dict[str, Attribute], target: Profile
) -> Iterator[AuditFinding]:
    """At most one leak per column, the plainest; then identities of several; the gravest first."""
    if target.known < FEWEST or len(target.distinct) < 2:
        return
    with np.errstate(all="ignore"):
        found = list(_leaks(case_of(columns, types, target)))
    yield from (leak.finding(target.name) for leak in in_order(found))


def _leaks(case: Case) -> Iterator[Leak]:
    numbered = _first(case, (in_order_of_target,))
    case = case.without_orders({name for leak in numbered for name in leak.columns})
    alone = [*numbered, *_first(case.without(numbered), (copy, by_number, by_class, by_one_value))]
    rest = case.without(alone)
    more = [*_first(rest, (aggregates, in_text)), *of_others(rest), *in_time(rest)]
    yield from alone
    yield from more
    yield from identities(rest.without([leak for leak in more if leak.severity == "error"]))
    yield from (leak for p in case.columns for leak in by_gaps(case, p))
    taken = {name for leak in (*alone, *more) for name in leak.columns}
    yield from (leak for leak in next_in_file(case) if not taken & set(leak.columns))


def _first(case: Case, checks: Iterable) -> list[Leak]:
    """The first leak of each column that has one."""
    found = (next((leak for c in checks if (leak := c(case, p)) is not None), None) for p in case.columns)
    return [leak for leak in found if leak is not None]
