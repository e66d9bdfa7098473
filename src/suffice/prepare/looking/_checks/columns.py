"""Columns that say little: empty, constant, nearly constant, identifiers, too many or too rare categories."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.prepare.looking._checks.wording import column, have, listed, percent, quoted, rows
from suffice.prepare.looking._lexicon import IDENTIFIER, name_words
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.looking.findings import AuditFinding, finding

NEARLY = 0.99
ENOUGH = 100
MANY = 50
RARE = 0.01


def check_column(p: Profile, a: Attribute) -> Iterator[AuditFinding]:
    """All of these, for one column."""
    n = len(p.values)
    if not p.known and n:
        yield finding("empty", p.name, n, f"{column(p.name)} has no value in any of {rows(n)}.")
        return
    yield from _constant(p)
    yield from _identifier(p, a)
    if p.kind == "text" and not a.identifier:
        yield from _many(p)
        yield from _rare(p)


def _constant(p: Profile) -> Iterator[AuditFinding]:
    if p.known < 2:
        return
    top = int(np.argmax(p.counts))
    value = quoted(p.distinct[top].item() if hasattr(p.distinct[top], "item") else p.distinct[top])
    share = p.counts[top] / p.known
    if len(p.distinct) == 1:
        where = f"where it is known, in {rows(p.known)}" if p.missing else f"in all {rows(p.known)}"
        yield finding("constant", p.name, p.known, f"{column(p.name)} is {value} {where}.")
    elif share >= NEARLY and p.known >= ENOUGH:
        others = p.rows_of(np.arange(len(p.distinct)) != top)
        message = (
            f"{column(p.name)} is {value} in {percent(share)} of its rows; {have(len(others))} another value."
        )
        yield finding("nearly constant", p.name, others, message)


def _identifier(p: Profile, a: Attribute) -> Iterator[AuditFinding]:
    named = bool(IDENTIFIER & set(name_words(p.name))) and p.known >= 5
    if a.identifier and len(p.distinct) == p.known:
        yield finding(
            "identifier", p.name, p.known, f"{column(p.name)} only names its {rows(p.known)}. {a.why}"
        )
    elif named and len(p.distinct) >= 0.8 * p.known:
        again = p.rows_of(p.counts > 1)
        message = f"{column(p.name)} names its rows, but {rows(len(again))} share a name with another."
        yield finding("repeated identifier", p.name, again, message)


def _many(p: Profile) -> Iterator[AuditFinding]:
    if p.known < ENOUGH or len(p.distinct) <= MANY or len(p.distinct) < 0.2 * p.known:
        return
    if np.mean([len(str(w).split()) for w in p.distinct[:200]]) >= 4:
        message = f"{column(p.name)} looks like free text: {len(p.distinct)} texts in {rows(p.known)}."
        yield finding("free text", p.name, p.known, message)
        return
    message = f"{column(p.name)} has {len(p.distinct)} categories in {rows(p.known)}."
    yield finding("many categories", p.name, p.known, message)


def _rare(p: Profile) -> Iterator[AuditFinding]:
    seldom = p.counts < RARE * p.known
    if p.known < ENOUGH or not 2 < len(p.distinct) <= MANY or not seldom.any():
        return
    found = p.rows_of(seldom)
    message = (
        f"{column(p.name)} has {int(seldom.sum())} rare of {len(p.distinct)} categories, {listed(p.distinct[seldom])}: "
        f"{rows(len(found))} in all."
    )
    yield finding("rare categories", p.name, found, message)
