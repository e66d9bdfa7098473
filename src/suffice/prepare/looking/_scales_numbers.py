"""Rules for the scale of numbers: what the name says, then what the values say."""

from __future__ import annotations

import numpy as np

from suffice.prepare.looking._lexicon import (
    CLASS,
    CODE,
    COUNT,
    CYCLE,
    IDENTIFIER,
    INTERVAL,
    MEASURE,
    RATING,
    STEPS,
    name_words,
)  # fmt: skip
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking._verdict import FEW, LARGE, Verdict, grid


# -- numbers, by name -------------------------------------------------------------------------------------
def _category(p: Profile) -> Verdict | None:
    if p.category:
        return Verdict("nominal", "The table itself holds these numbers as categories.", "discrete")
    return None


def _seconds(p: Profile) -> Verdict | None:
    if p.values.dtype.kind == "m":
        return Verdict("ratio", "A span of time, in seconds: zero is no time at all.", "continuous")
    return None


def _no_finite(p: Profile) -> Verdict | None:
    if not len(p.finite):
        return Verdict("interval", "There is no finite number to judge by.", "continuous")
    return None


def _number_identifier(p: Profile) -> Verdict | None:
    if not p.whole or p.known < 2:
        return None
    if IDENTIFIER & set(name_words(p.name)):
        seldom = p.n_distinct >= 0.5 * p.known  # a key of another table comes again and again
        why = "The name says identifier: the numbers are names, and arithmetic with them has no meaning."
        return Verdict("nominal", why, "discrete", identifier=seldom)
    if p.known >= 10 and counts_rows(p) and STEPS & set(name_words(p.name)):
        return Verdict(
            "interval", "The numbers count steps of time: where they begin is a convention.", "discrete"
        )
    if p.known >= 10 and counts_rows(p) and not set(name_words(p.name)) & {"year", "years", *CYCLE, *RATING}:
        return Verdict(
            "nominal", "The numbers count the rows: one more in each.", "discrete", identifier=True
        )
    return None


def counts_rows(p: Profile) -> bool:
    """Whether a column is 0, 1, 2 … or 1, 2, 3 … in the order of the rows."""
    v = p.values
    if p.missing or len(v) < 2 or v.dtype.kind not in "iuf" or v[0] not in (0, 1) or np.any(np.diff(v) != 1):
        return False
    return p.beyond is None or bool(p.finite[0] == v[0] and p.finite[-1] - v[0] == p.rows - 1)


def _code(p: Profile) -> Verdict | None:
    if p.whole and CODE & set(name_words(p.name)) and not _says_count(p):
        return Verdict(
            "nominal", "The name says code: written in digits, but sums of it have no meaning.", "discrete"
        )
    return None


def _year(p: Profile) -> Verdict | None:
    words = name_words(p.name)
    inside = (p.finite.min() >= 1000 and p.finite.max() < 3000) or (
        p.finite.min() >= 0 and p.finite.max() < 100
    )
    if p.whole and inside and {"year", "yr"} & set(words) and "age" not in words:
        return Verdict("interval", "A calendar year: where years begin to count is a convention.")
    return None


def _interval_name(p: Profile) -> Verdict | None:
    words = name_words(p.name)
    found = next((w for w in words if w in INTERVAL), None)
    if found is None or "kelvin" in words:
        return None
    reason = INTERVAL[found]
    return Verdict("interval", f"{reason[0].upper()}{reason[1:]}.", "continuous")


def _cycle_of_numbers(p: Profile) -> Verdict | None:
    words = name_words(p.name)
    found = next((w for w in words if w in CYCLE), None)
    if found is None or {"per", *COUNT} & set(words) or not p.whole or p.finite.min() < 0:
        return None
    if p.finite.max() <= CYCLE[found]:
        return Verdict(
            "interval", f"A {found} in its cycle: steps are alike, and where it starts is a convention."
        )
    return None


def _says_count(p: Profile) -> bool:
    words = name_words(p.name)
    return words[:1] == ("n",) or (bool(COUNT & set(words)) and words[-1:] != ("n",))


def _count(p: Profile) -> Verdict | None:
    if p.whole and p.finite.min() >= 0 and _says_count(p):
        return Verdict("ratio", "A count: zero means none.", "discrete")
    return None


def _two_numbers(p: Profile) -> Verdict | None:
    pair = tuple(p.finite[:2])
    if p.n_distinct == 2 and pair in ((0, 1), (-1, 1), (1, 2)):
        return Verdict("nominal", f"{pair[0]:g} and {pair[1]:g} name two groups.")
    return None


def _rating(p: Profile) -> Verdict | None:
    words = set(name_words(p.name))
    if not RATING & words or MEASURE & words or np.abs(p.finite).max() > LARGE:
        return None
    if p.whole or (p.n_distinct <= 20 and bool(np.all(p.finite * 2 % 1 == 0))):
        return Verdict(
            "ordinal", "A rating or a rank: more is more, but steps need not be alike.", "discrete"
        )
    return None


def _class(p: Profile) -> Verdict | None:
    if p.whole and p.n_distinct <= FEW and CLASS & set(name_words(p.name)) and p.finite.min() >= 0:
        return Verdict("nominal", "The name says group: the numbers stand for names.", "discrete")
    return None


def _measure(p: Profile) -> Verdict | None:
    if MEASURE & set(name_words(p.name)) and p.finite.min() >= 0:
        return Verdict("ratio", "A measured amount: zero means none.", "continuous")
    return None


# -- numbers, by value ------------------------------------------------------------------------------------
def _looks_rated(p: Profile) -> Verdict | None:
    v = p.finite
    if p.whole and v[0] == 1 and v[-1] in (5, 7) and len(v) == v[-1] and p.known >= 4 * len(v):
        why = f"Whole numbers from 1 to {v[-1]:g}, all of them met, as in ratings; override it for counts."
        return Verdict("ordinal", why, "discrete")
    return None


def _negative(p: Profile) -> Verdict | None:
    if p.finite.min() < 0:
        return Verdict("interval", "Some values are below zero, so that zero hardly means none.")
    return None


def _positive(p: Profile) -> Verdict | None:
    if p.whole and p.n_distinct <= 10:
        return Verdict(
            "ratio", "Whole numbers, none negative, like counts; override it where they stand for names."
        )
    if p.whole:
        return Verdict("ratio", "Whole numbers, none negative, like counts: zero would mean none.")
    if q := grid(p):
        return Verdict("ratio", f"Multiples of 1/{q}, none negative: zero would mean none.")
    return Verdict("ratio", "No value is negative: zero would mean none.")


NUMBER_RULES = (
    _category, _seconds, _no_finite, _number_identifier, _code, _year, _interval_name, _cycle_of_numbers, _count,
    _two_numbers, _class, _rating, _measure, _looks_rated, _negative, _positive,
)  # fmt: skip
