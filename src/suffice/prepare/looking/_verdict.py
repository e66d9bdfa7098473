"""What a rule about a column concludes, and questions that several rules ask."""

from __future__ import annotations

import numpy as np

from suffice._core.records import record
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.attributes import Continuity, Scale

FEW = 30
LARGE = 1e6
GRID = (2, 3, 4, 8)


@record
class Verdict:
    """What a rule concluded. Continuity None: as the values say. Open: the other columns may overrule it."""

    scale: Scale
    why: str
    continuity: Continuity | None = None
    order: tuple[str, ...] | None = None
    identifier: bool = False
    repeats: bool = False
    calendar: bool = False
    open: bool = False


def all_distinct(p: Profile) -> bool:
    """Whether no value is met twice."""
    return p.n_distinct == p.known > 0


def numbered(p: Profile) -> bool:
    """Whether the values are 0, 1, …, k−1 or 1, 2, …, k without a hole, as numbers are that somebody gave out."""
    v = p.finite
    return p.whole and len(v) > 1 and v[0] in (0, 1) and v[-1] - v[0] == p.n_distinct - 1


def counts_rows(p: Profile) -> bool:
    """Whether every row has a number of its own and no number from 0 or 1 on is left out, in any order."""
    return not p.missing and all_distinct(p) and numbered(p)


def grid(p: Profile) -> int | None:
    """q where all values are multiples of 1/q and few: {0, ¼, ½, ¾, 1} is discrete (§2.1.1); else None."""
    v, n = p.finite, p.known
    if not 2 < len(v) <= 12 or np.abs(v).max() > LARGE:
        return None
    for q in GRID:
        steps = v * q
        if np.allclose(steps, np.round(steps), rtol=0, atol=1e-9):
            complete = len(v) == round(steps[-1] - steps[0]) + 1
            return q if n >= 2 * len(v) or complete else None
    return None
