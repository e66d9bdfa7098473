"""Rules for the scale of numbers: what the name says, then what the values say."""

from __future__ import annotations

import numpy as np

from suffice.prepare.looking._lexicon import (
    CLASS,
    CODE,
    COUNT,
    CYCLE,
    INTERVAL,
    MEASURE,
    NON_NEGATIVE,
    NUMBERED,
    RATING,
    STEPS,
    main_word,
    name_words,
    says_identifier,
    says_unit,
)  # fmt: skip
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking._verdict import FEW, LARGE, Verdict, counts_rows, grid


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
    """A name that says identifier, and numbers as identifiers have them."""
    if not p.whole or p.known < 2:
        return None
    if says_identifier(p.name) and main_word(p.name) != "index":
        return _named_identifier(p)
    if (says_unit(p.name) or says_identifier(p.name)) and p.known >= 10 and counts_rows(p):
        why = f"The name says identifier, and the numbers count the rows, {_range(p)} without a hole."
        return Verdict("nominal", why, "discrete", identifier=True)
    return None


def _named_identifier(p: Profile) -> Verdict:
    what = "the numbers are names, and arithmetic with them has no meaning"
    if p.n_distinct >= 0.5 * p.known:  # a key of another table comes again and again
        why = (
            f"The name says identifier, and {p.known:,} rows have {p.n_distinct:,} different numbers: {what}."
        )
        return Verdict("nominal", why, "discrete", identifier=True)
    why = f"The name says identifier, and {p.n_distinct:,} numbers repeat in {p.known:,} rows: {what}."
    return Verdict("nominal", why, "discrete", repeats=True)


def _position(p: Profile) -> Verdict | None:
    """Numbers of the rows that may be steps of time, places or ranks: too good to be left out unasked."""
    words = set(name_words(p.name))
    if p.known < 10 or not counts_rows(p) or words & {"year", "years", *CYCLE, *RATING, *COUNT}:
        return None
    if STEPS & words:
        why = "The numbers count steps of time: where they begin is a convention."
        return Verdict("interval", why, "discrete")
    why = f"Every row has a number of its own, {_range(p)} without a hole: steps or places, or mere names of rows."
    return Verdict("interval", why, "discrete", open=True)


def _range(p: Profile) -> str:
    return f"from {p.finite[0]:g} to {p.finite[-1]:,.0f}"


def _code(p: Profile) -> Verdict | None:
    words = set(name_words(p.name))
    if not p.whole or not _says_code(p) or {*MEASURE, *NON_NEGATIVE} & words or not _digits(p):
        return None
    why = "The name says code, and the numbers look like codes: written in digits, but sums have no meaning."
    return Verdict("nominal", why, "discrete")


def _says_code(p: Profile) -> bool:
    """Whether a code is meant, and not how many there are: `phone number`, but not `phone minutes`."""
    words = name_words(p.name)
    counted = words[:1] == ("n",) or (COUNT - {"number", "num"} & set(words) and words[-1:] != ("n",))
    return not counted and (bool(CODE & set(words)) or main_word(p.name) in NUMBERED)


def _digits(p: Profile) -> bool:
    """Whether numbers are mostly of one length (a leading zero may be lost), or small ones out of a list."""
    v = p.finite
    if v.min() < 0:
        return False
    lengths = np.floor(np.log10(np.maximum(v, 1))) + 1
    alike = np.mean(lengths >= lengths.max() - 1) >= 0.9
    return bool(lengths.max() >= 3 and alike) or bool(v[-1] < 1000 and p.n_distinct <= 0.5 * p.known)


def _year(p: Profile) -> Verdict | None:
    words = name_words(p.name)
    long = p.finite.min() >= 1000 and p.finite.max() < 3000
    short = p.finite.min() >= 0 and p.finite.max() < 100
    if p.whole and (long or short) and {"year", "yr"} & set(words) and "age" not in words:
        why = "A calendar year: where years begin to count is a convention."
        return Verdict("interval", why, calendar=bool(long))
    return None


def _years_by_value(p: Profile) -> Verdict | None:
    v = p.finite
    if not p.whole or p.known < 10 or len(v) < 5 or v.min() < 1600 or v.max() > 2100:
        return None
    if MEASURE & set(name_words(p.name)) or p.n_distinct < 0.8 * (v[-1] - v[0] + 1):
        return None
    why = f"Whole numbers from {v[0]:.0f} to {v[-1]:.0f}, {p.n_distinct} different ones, as calendar years have them."
    return Verdict("interval", why, calendar=True)


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
    words = name_words(p.name)
    if not p.whole or p.n_distinct > FEW or not CLASS & set(words) or p.finite.min() < 0 or not _listed(p):
        return None
    if {*RATING, *COUNT, "size"} & set(words):
        return None
    if {*MEASURE, *NON_NEGATIVE} & set(words):
        return _ordered_groups(words)
    why = f"The name says group, and the numbers are {p.n_distinct} codes {_range(p)}: they stand for names."
    return Verdict("nominal", why, "discrete")


def _ordered_groups(words: tuple[str, ...]) -> Verdict | None:
    """Groups of an amount, as `age group`."""
    if words[-1] not in ("group", "class", "category"):
        return None
    return Verdict("ordinal", "Groups of an amount: more is more, but steps need not be alike.", "discrete")


def _listed(p: Profile) -> bool:
    """Whether numbers are as codes are: from 0 or 1 on with few holes, or few with wide gaps."""
    v = p.finite
    dense = p.n_distinct / (v[-1] - v[0] + 1)
    return (v[0] in (0, 1) and dense >= 0.5) or (dense <= 0.5 and p.known >= 5 * p.n_distinct)


def _measure(p: Profile) -> Verdict | None:
    if MEASURE & set(name_words(p.name)) and p.finite.min() >= 0:
        return Verdict("ratio", "A measured amount: zero means none.", "continuous")
    return None


# -- numbers, by value ------------------------------------------------------------------------------------
def _looks_rated(p: Profile) -> Verdict | None:
    v = p.finite
    if p.whole and v[0] == 1 and v[-1] in (5, 7) and len(v) == v[-1] and p.known >= 4 * len(v):
        why = f"Whole numbers from 1 to {v[-1]:g}, all of them met, as in ratings; override it for counts."
        return Verdict("ordinal", why, "discrete", open=True)
    return None


def _negative(p: Profile) -> Verdict | None:
    if p.finite.min() < 0:
        return Verdict("interval", "Some values are below zero, so that zero hardly means none.")
    return None


def _positive(p: Profile) -> Verdict | None:
    if p.whole and p.n_distinct <= 10:
        return Verdict(
            "ratio",
            "Whole numbers, none negative, like counts; override it where they stand for names.",
            open=True,
        )
    if p.whole:
        why = "Whole numbers, none negative, like counts: zero would mean none."
        return Verdict("ratio", why, open=True)
    if q := grid(p):
        return Verdict("ratio", f"Multiples of 1/{q}, none negative: zero would mean none.")
    return Verdict("ratio", "No value is negative: zero would mean none.")


NUMBER_RULES = (
    _category, _seconds, _no_finite, _number_identifier, _code, _year, _position, _interval_name, _cycle_of_numbers,
    _count, _two_numbers, _years_by_value, _class, _rating, _measure, _looks_rated, _negative, _positive,
)  # fmt: skip
