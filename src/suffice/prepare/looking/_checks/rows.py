r"""Rows and columns that come twice.

Rows      D rows equal an earlier one; rows that are independent in every column would give E = n(n−1)/2 Π_j P_j
          equal pairs, P_j = Σ_k c_jk (c_jk − 1) / n(n−1) from the counts c_jk of the values of column j.
          Told when D exceeds what chance explains, E + 5 √E
Columns   equal up to a linear map x → a x + b, or up to the names of their categories
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from suffice.prepare.looking._checks.wording import listed, rows
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.looking.findings import AuditFinding, finding

LEVELS = 50
CLOSE = 1e-8
MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0x9E3779B97F4A7C15))


# -- rows -------------------------------------------------------------------------------------------------
def check_rows(columns: Sequence[Profile], types: dict[str, Attribute], n: int) -> Iterator[AuditFinding]:
    """Rows that equal an earlier one, in all columns or in all but the identifiers."""
    if n < 2 or not columns:
        return
    again = _repeated(columns, n)
    yield from _told(columns, again, n, "equal an earlier row")
    rest = [p for p in columns if not types[p.name].identifier]
    if rest and len(rest) < len(columns) and len(rest) > 1:
        besides = _repeated(rest, n) & ~again
        yield from _told(rest, besides, n, "equal an earlier row in all but the identifier")


def _told(columns: Sequence[Profile], again: np.ndarray, n: int, what: str) -> Iterator[AuditFinding]:
    found, expected = np.flatnonzero(again), _by_chance(columns, ~again)
    if len(found) == n - 1 and len(columns) > 1:
        expected = 0.0  # one row over and over: chance explains nothing
    if len(found) > expected + 5 * np.sqrt(expected):
        names = tuple(p.name for p in columns[:20])
        one = what.replace("equal", "equals", 1) if len(found) == 1 else what
        message = f"{rows(len(found))} {one} (the first is row {found[0]})."
        yield finding("duplicate rows", names, found, message)


def _by_chance(columns: Sequence[Profile], first: np.ndarray) -> float:
    """Pairs of equal rows to be expected if columns were independent."""
    n = len(first)
    with np.errstate(divide="ignore"):
        logs = [np.log(_collisions(p, first)) for p in columns]
    return float(n * (n - 1) / 2 * np.exp(np.sum(logs)))


def _collisions(p: Profile, first: np.ndarray) -> float:
    """How often two rows agree in a column; of columns with many values only first rows are asked, not their copies."""
    counts = np.append(p.counts, p.missing).astype(float)
    if len(p.distinct) > max(2, len(first) / 4):
        counts = np.bincount(p.codes[first] + 1).astype(float)
    n = counts.sum()
    return float(np.sum(counts * (counts - 1)) / max(n * (n - 1), 1))


def _repeated(columns: Sequence[Profile], n: int) -> np.ndarray:
    """Where a row equals an earlier one, by 64-bit fingerprints."""
    marks = np.zeros(n, dtype=np.uint64)
    for j, p in enumerate(columns):
        place = np.uint64(int(MIX[2]) * (j + 1) % 2**64)
        marks = mixed(marks ^ mixed(_bits(p) ^ place))
    first = np.unique(marks, return_index=True)[1]
    again = np.ones(n, dtype=bool)
    again[first] = False
    return again


def _bits(p: Profile) -> np.ndarray:
    if p.kind == "numbers" and p.values.dtype.kind == "f":
        bits = (p.values + 0.0).view(np.uint64)  # −0 and 0 are one number
        return np.where(p.gaps, MIX[0], bits)
    if p.values.dtype.kind in "iuM" and p.values.dtype.itemsize == 8 and not p.missing:
        return p.values.view(np.uint64)
    return p.codes.astype(np.uint64)


def mixed(x: np.ndarray) -> np.ndarray:
    """Bits stirred so that near numbers get unlike marks (the finalizer of splitmix64)."""
    with np.errstate(over="ignore"):
        x = (x ^ (x >> np.uint64(30))) * MIX[0]
        x = (x ^ (x >> np.uint64(27))) * MIX[1]
        return x ^ (x >> np.uint64(31))


# -- columns ----------------------------------------------------------------------------------------------
def check_copies(columns: Sequence[Profile], n: int) -> Iterator[AuditFinding]:
    """Groups of columns that carry the same numbers or the same categories."""
    if n < 4:
        return
    linear = list(_linear(columns, n))
    for group in linear:
        same = all(np.array_equal(group[0].numbers, p.numbers, equal_nan=True) for p in group)
        yield _copies(group, n, "hold the same values" if same else "are linear functions of one another")
    taken = {frozenset(p.name for p in group) for group in linear}
    for group in _renamed(columns):
        if not any({p.name for p in group} <= names for names in taken):
            yield _copies(group, n, "divide the rows into the same groups")


def _copies(group: Sequence[Profile], n: int, what: str) -> AuditFinding:
    names = [p.name for p in group]
    return finding("duplicate columns", names, n, f"Columns {listed(names)} {what}, in all {rows(n)}.")


def _linear(columns: Sequence[Profile], n: int) -> Iterator[list[Profile]]:
    """Neighbours by the size of their projection onto one random direction, then checked row by row."""
    usable = [p for p in columns if p.kind in ("numbers", "times") and len(p.finite) > 2 and p.known > 3]
    direction = np.random.default_rng(0).standard_normal(n)
    marks = np.array([abs(float(direction @ p.standardized)) for p in usable])
    order = np.argsort(marks, kind="stable")
    group: list[int] = []
    for j in order:
        if group and marks[j] - marks[group[-1]] < CLOSE * n and _alike(usable[group[0]], usable[j]):
            group.append(int(j))
            continue
        if len(group) > 1:
            yield [usable[i] for i in sorted(group)]
        group = [int(j)]
    if len(group) > 1:
        yield [usable[i] for i in sorted(group)]


def _alike(a: Profile, b: Profile) -> bool:
    if not np.array_equal(a.gaps, b.gaps):
        return False
    x, y = a.standardized, b.standardized
    return bool(min(np.max(np.abs(x - y)), np.max(np.abs(x + y))) < CLOSE) and bool(x.any())


def _renamed(columns: Iterable[Profile]) -> list[list[Profile]]:
    """Groups of columns with the same partition of the rows, one of them not numbers."""
    groups: dict[bytes, list[Profile]] = {}
    for p in columns:
        if 1 < len(p.distinct) <= LEVELS and 4 * len(p.distinct) <= p.known:
            groups.setdefault(_partition(p), []).append(p)
    return [g for g in groups.values() if len(g) > 1 and any(p.kind != "numbers" for p in g)]


def _partition(p: Profile) -> bytes:
    """Per row the number of its group, groups numbered as they appear; −1 for a gap."""
    codes = p.codes
    levels, first = np.unique(codes[codes >= 0], return_index=True)
    renamed = np.empty(len(p.distinct) + 1, dtype=np.int16)
    renamed[levels[np.argsort(first)]] = np.arange(len(levels))
    renamed[-1] = -1
    return renamed[codes].tobytes()
