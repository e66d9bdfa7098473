r"""What is wrong with a table, before anything is learned from it (DTU §2.2).

The text names attributes that tell nothing (an ID), impossible values (a safety of −100 where 1 to 5 are legal) and
missing values. To these the audit adds what spoils tables in practice: rows and columns that come twice, columns that
know the target, numbers and dates written as text, one category in several spellings. It changes nothing: what is
removed, and why, is for you to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, did_you_mean
from suffice.prepare.looking._checks.columns import check_column
from suffice.prepare.looking._checks.gaps import check_gaps
from suffice.prepare.looking._checks.leaks import check_balance, check_leaks
from suffice.prepare.looking._checks.names import check_names
from suffice.prepare.looking._checks.rows import check_copies, check_rows
from suffice.prepare.looking._checks.values import check_values
from suffice.prepare.looking._checks.words import check_words
from suffice.prepare.looking._profile import Profile, profiles
from suffice.prepare.looking.attribute_types import AttributeTypes, meanings
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.looking.findings import Audit, AuditFinding, by_gravity, finding
from suffice.tables.opening import Table


def audit(
    table: Any,
    target: str | None = None,
    *,
    overrides: Mapping[str, Any] | None = None,
    names: Sequence[Any] | None = None,
) -> Audit:
    """Look for what spoils a table: the gravest findings first, each with its rows and a next step.

    Parameters
    ----------
    table
        A table of any kind that `attribute_types` takes.
    target
        Name of the column to be predicted. Then columns that know it are looked for, and classes of unequal size.
    overrides
        What is known better about columns, as in `attribute_types`.
    names
        Names of the columns of an array.

    Notes
    -----
    Kinds of findings: `identifier`, `repeated identifier`, `empty`, `constant`, `nearly constant`, `many categories`,
    `rare categories`, `free text`; `infinite`, `impossible`, `lone sign`, `sentinel`, `future`, `outliers`; `missing`,
    `empty rows`, `target missing`, `missing together`, `missing not at random`; `mixed types`, `numbers as text`,
    `dates as text`, `disguised gap`, `spelling variants`, `blanks`, `unprintable`, `nested cells`; `duplicate rows`,
    `duplicate columns`; `leak`, `leak by gaps`, `class imbalance`; `empty name`, `repeated name`, `blanks in name`,
    `unprintable name`, `names alike`; `no columns`, `no rows`.

    A leak is a column, or several together, that predict rows they have not seen nearly perfectly; every row is
    predicted from the others, so that the order of the rows does not matter. Leaks come first among equally grave
    findings. The last of the columns of a leak is the target.

    Rows are counted from zero. Whether gaps depend on another column is asked of the first 200 columns only.

    Examples
    --------
    >>> from suffice.prepare import audit
    >>> cars = {"ID": [1, 2, 3, 3, 4, 5, 6, 7, 142], "Safety": [4, 4, 3, 1, 2, 3, 4, -100, 2],
    ...         "MPG": [18, 28, 26, 29, None, 24, 17.5, 25, 15]}
    >>> report = audit(cars)
    >>> for found in report:
    ...     print(found.severity, "|", found.kind, "|", found.message)
    warning | repeated identifier | Column 'ID' names its rows, but 2 rows share a name with another.
    warning | lone sign | Column 'Safety' is negative in 1 row only (-100).
    note | missing | Column 'MPG' has no value in 1 row of 9 (11.1 %).
    >>> report.of("lone sign")[0].rows
    (7,)
    """
    columns = profiles(opened := Table.of(table, names))
    types = meanings(columns, overrides)
    target = target if target is None or target in columns else str(target)
    if target is not None and target not in columns:
        raise InvalidParameter(
            f"target: there is no column {target!r}.{did_you_mean(target, tuple(columns))}"
        )
    found = _found(list(columns.values()), types, target, opened.given, opened.n)
    return Audit(by_gravity(found), opened.n, tuple(columns))


def _found(
    columns: list[Profile], types: AttributeTypes, target: str | None, names: Sequence[str], n: int
) -> Iterator[AuditFinding]:
    if not columns:
        yield finding("no columns", (), n, "The table has no columns (0 rows).")
        return
    yield from check_names(names, n)
    if not n:
        yield finding("no rows", tuple(types), n, "The table has no rows (0 rows).")
        return
    meaning = {a.name: a for a in types.attributes}
    goal = next((p for p in columns if p.name == target), None)
    if goal is not None:
        yield from check_leaks(columns, meaning, goal)
    now = np.datetime64("now")
    for p in columns:
        yield from _in_column(p, meaning[p.name], now)
    yield from check_rows(columns, meaning, n)
    yield from check_copies([p for p in columns if p.name != target], n)
    yield from check_gaps(columns, target, frozenset(a.name for a in types.attributes if a.identifier))
    if goal is not None:
        yield from check_balance(goal, meaning)


def _in_column(p: Profile, a: Attribute, now: np.datetime64) -> list[AuditFinding]:
    """What one column shows by itself; numbers near the largest may overflow to infinity, which compares well."""
    with np.errstate(over="ignore", invalid="ignore"):
        return [*check_column(p, a), *check_values(p, a, now), *check_words(p)]
