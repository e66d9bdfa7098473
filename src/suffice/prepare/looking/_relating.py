"""What the other columns say of numbers that may be names: codes of groups, and units with several rows each.

Only verdicts that the column alone left open are looked at again. Nothing is left out on such evidence but units that
have few rows each; a code becomes nominal, so each of its values gets a weight of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from suffice.prepare.looking._lexicon import says_unit
from suffice.prepare.looking._order_evidence import (
    PARTNERS,
    OrderEvidence,
    chosen_rows,
    codes_in,
    degree,
    evidence,
    joint_codes,
    rankable,
    ranks_of,
)
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking._scales import judge
from suffice.prepare.looking._verdict import Verdict, numbered

LEAST_ROWS = 30
MOST = 100  # columns that are asked about; hundreds alike are pixels, or counts of words
CODES = (3, 12)  # values that a code may have
UNITS = 20  # values that numbers of units have at least where the name is silent
SURE = 1e-4  # chance of such a lack of fit if the order meant something
UNORDERED, NAMED_UNORDERED = 0.15, 0.4  # of what units tell, explained by their order beyond chance: at most
# of what codes tell: by a curve, and by a line where each unit has each of them once
ZIGZAG, BENT = (
    0.75,
    0.9,
)


def related_verdicts(columns: Mapping[str, Profile]) -> dict[str, Verdict]:
    """Verdicts that the other columns overrule, by name."""
    open_ones = {name: p for name, p in columns.items() if _is_open(p)}
    if not 0 < len(open_ones) <= MOST:
        return {}
    known = [p for p in columns.values() if rankable(p)]
    partners = sorted(known, key=lambda p: (-len(p.distinct), p.name))[: PARTNERS + 1]
    rows = chosen_rows(partners, len(known[0].values))
    ranks = {p.name: ranks_of(p, rows) for p in partners}
    found = {
        name: evidence(p, [r for other, r in ranks.items() if other != name], rows)
        for name, p in open_ones.items()
    }
    units = {n: v for n, p in open_ones.items() if (v := _unit(p, found[n])) is not None}
    held = {n for n, p in open_ones.items() if found[n] is not None and _shared(p, columns.values(), rows)}
    inside = {n for n, p in open_ones.items() if any(_crossed(p, columns[u], rows) for u in units)}
    codes = {
        n: v
        for n, p in open_ones.items()
        if n not in held and (v := _code(p, found[n], n in inside)) is not None
    }
    return codes | units


def _is_open(p: Profile) -> bool:
    if not rankable(p) or p.kind != "numbers" or len(p.finite) < len(p.distinct) or p.known < LEAST_ROWS:
        return False
    return 3 <= p.n_distinct <= 0.5 * p.known and judge(p).open


def _shared(p: Profile, columns: Iterable[Profile], rows: np.ndarray) -> bool:
    """Whether other columns fix this one for several rows at once, so that rows do not count one by one.

    Persons do so with what is asked of them once, and a quantity with the groups that are made of it.
    """
    if not CODES[0] <= len(p.distinct) <= CODES[1]:
        return False
    here = codes_in(p, rows)
    others = [codes_in(q, rows) for q in columns if q is not p and 1 < len(q.distinct) <= 0.5 * p.known]
    return any(_fixes(key, here) for key in (*others, joint_codes(others)))


def _fixes(key: np.ndarray, codes: np.ndarray) -> bool:
    """Whether a key that is met twice on average leaves no choice, though it has many values."""
    k, groups = len(np.unique(codes)), np.unique(key, return_inverse=True)[1]
    n = int(groups.max(initial=0)) + 1
    return 2 * k < n <= 0.5 * len(codes) and len(np.unique(groups * (k + 2) + codes + 1)) <= 1.05 * n


def _crossed(p: Profile, units: Profile, rows: np.ndarray) -> bool:
    """Whether every unit has every value once."""
    pairs = codes_in(units, rows) * (len(p.distinct) + 1) + codes_in(p, rows)
    return len(np.unique(pairs)) == len(rows) == len(p.distinct) * len(units.distinct) and not p.missing


# -- units ------------------------------------------------------------------------------------------------
def _unit(p: Profile, e: OrderEvidence | None) -> Verdict | None:
    """Numbers of persons, firms and the like, in several rows each."""
    named = says_unit(p.name)
    even = p.counts.max() <= 1.5 * p.counts.min()
    loose = _unordered(p, e, NAMED_UNORDERED if named else UNORDERED)
    if named and (numbered(p) or even or p.n_distinct >= UNITS) and (loose or (even and numbered(p))):
        return _units(p, e, "the name says so")
    if numbered(p) and even and p.n_distinct >= UNITS and loose and e is not None and e.related > 1:
        return _units(p, e, "all are in about as many rows")
    return None


def _unordered(p: Profile, e: OrderEvidence | None, most: float) -> bool:
    k = p.n_distinct
    return e is not None and e.share <= most + 1.2 * degree(k) / (k - 1) and e.lack < SURE


def _units(p: Profile, e: OrderEvidence | None, how: str) -> Verdict:
    low, high = p.counts.min(), p.counts.max()
    each = f"{low}" if low == high else f"{low} to {high}"
    why = f"{p.n_distinct:,} numbers, each in {each} rows, seem to name units: {how}{_order(e)}."
    return Verdict("nominal", why, "discrete", repeats=True)


def _order(e: OrderEvidence | None) -> str:
    if e is None or e.lack >= SURE:
        return ""
    what = "another column" if e.related == 1 else f"{e.related} other columns"
    return f", and their order explains {100 * e.share:.0f} % of what they tell about {what}"


# -- codes ------------------------------------------------------------------------------------------------
def _code(p: Profile, e: OrderEvidence | None, inside: bool) -> Verdict | None:
    """A few numbers of which each goes its own way with several other columns; `inside`: once in every unit."""
    if e is None or e.related - e.fixed < 2 or not numbered(p) or not CODES[0] <= p.n_distinct <= CODES[1]:
        return None
    if p.n_distinct > 3 and e.share <= ZIGZAG and e.lack < SURE:
        share = e.share
    elif inside and e.line <= BENT and e.lack_of_line < SURE:
        share = e.line
    else:
        return None
    equal = ", each once in every unit," if inside else ""
    why = (
        f"The numbers {p.finite[0]:g} to {p.finite[-1]:g}{equal} seem to be codes: their order explains "
        f"{100 * share:.0f} % of what they tell about {e.related} other columns."
    )
    return Verdict("nominal", why, "discrete")
