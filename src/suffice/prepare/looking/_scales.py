r"""Which scale and continuity a column seems to have: rules in order, the first that knows decides, with a reason.

The name is asked first where names are telling (codes, years, temperatures, ratings, counts, measurements), then the
values: text by what its words mean, numbers by their sign, their gaps and how many there are.

Decisions where the text is silent: numbers of a cycle (hour 0–23, month 1–12) are interval, for steps are alike and
the zero is a convention; names of a cycle (Monday, May) are nominal, for < has no meaning where the last is followed by
the first. A measured amount (weight, distance, price) is continuous though rounded to whole units.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from suffice.prepare.looking._decimal_marks import decimal_mark
from suffice.prepare.looking._lexicon import (
    IDENTIFIER,
    YES_NO,
    cycle_words,
    folded,
    name_words,
    ordered_ranges,
    ordered_words,
)  # fmt: skip
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking._scales_numbers import NUMBER_RULES
from suffice.prepare.looking._texts import date_format, number_share
from suffice.prepare.looking._verdict import FEW, Verdict, all_distinct, grid
from suffice.prepare.looking.attributes import Continuity

NUMBERS_AS_TEXT, DATES_AS_TEXT = "Numbers written as text", "Dates written as text"
SHAPED = re.compile(r"^(?=.*\d)[A-Za-z]{0,6}[-_:/]?[0-9A-Fa-f]{2,}(?:[-_:/.][0-9A-Za-z]+)*$")


def judge(p: Profile) -> Verdict:
    """The verdict of the first rule that has one, with its continuity."""
    found = next(v for rule in RULES[p.kind] if (v := rule(p)) is not None)
    return replace(found, continuity=_continuity(p, found))


# -- continuity -------------------------------------------------------------------------------------------
def _continuity(p: Profile, found: Verdict) -> Continuity:
    if p.n_distinct == 2 and not found.identifier:
        return "binary"
    if found.continuity is not None:
        return found.continuity
    if p.kind in ("text", "flags", "nothing") or p.whole or grid(p):
        return "discrete"
    return "continuous"


# -- any kind ---------------------------------------------------------------------------------------------
def _nothing(p: Profile) -> Verdict | None:
    return Verdict("nominal", "There is no value to judge by.")


def _levels(p: Profile) -> Verdict | None:
    """An order that came with the table."""
    if p.levels is None:
        return None
    return Verdict(
        "ordinal", "The table itself says that these categories are ordered.", "discrete", p.levels
    )


def _flags(p: Profile) -> Verdict | None:
    return Verdict("nominal", "True and false are names of two groups.")


# -- text -------------------------------------------------------------------------------------------------
def _words(p: Profile) -> set[str]:
    return set(map(str, p.distinct)) if p.n_distinct <= FEW else set()


def _ordered(p: Profile) -> Verdict | None:
    words = _words(p)
    if order := ordered_words(words):
        return Verdict("ordinal", f"The words have a known order: {' < '.join(order)}.", None, order)
    if order := ordered_ranges(words):
        return Verdict("ordinal", f"Ranges of numbers have an order: {' < '.join(order)}.", None, order)
    return None


def _cycle_of_words(p: Profile) -> Verdict | None:
    if what := cycle_words(_words(p)):
        return Verdict(
            "nominal", f"These are {what}, a cycle: the last is followed by the first, so < has no meaning."
        )
    return None


def _two_words(p: Profile) -> Verdict | None:
    words = {folded(w) for w in _words(p)}
    if len(words) == 2 and words <= YES_NO:
        return Verdict("nominal", "Two opposite words name two groups.")
    return None


def _text_identifier(p: Profile) -> Verdict | None:
    if not all_distinct(p):
        return None
    words = name_words(p.name)
    if IDENTIFIER & set(words) and p.known > 1:
        return Verdict("nominal", "All values differ and the name says identifier.", identifier=True)
    if (
        p.known >= 20
        and all(SHAPED.match(str(w)) for w in p.distinct[:200])
        and date_format(p.distinct) is None
    ):
        if number_share(p.distinct) == 1:
            return None
        return Verdict("nominal", "All values differ and are shaped like identifiers.", identifier=True)
    return None


def _numbers_as_text(p: Profile) -> Verdict | None:
    share = number_share(p.distinct)
    if share == 1:
        remark = decimal_mark(p.distinct.tolist()).remark
        written = f"{NUMBERS_AS_TEXT}: {remark}" if remark else NUMBERS_AS_TEXT
        return Verdict("nominal", f"{written}; make numbers of them to compute with them.")
    if share > 0.5:
        return Verdict("nominal", "Numbers and words are mixed; settle what the words mean first.")
    return None


def _dates_as_text(p: Profile) -> Verdict | None:
    if pattern := date_format(p.distinct):
        return Verdict("nominal", f"{DATES_AS_TEXT} ({pattern}); make times of them to compute with them.")
    return None


def _names(p: Profile) -> Verdict | None:
    if all_distinct(p) and p.known >= 20:
        many = np.mean([len(str(w).split()) for w in p.distinct[:200]]) >= 4
        if many:
            return Verdict("nominal", "Free text: all values differ and most are several words.")
        return Verdict("nominal", "All values differ: the column names its rows.", identifier=True)
    return Verdict("nominal", "Words without a known order are names.")


# -- times ------------------------------------------------------------------------------------------------
def _spans(p: Profile) -> Verdict | None:
    if p.values.dtype.kind == "m":
        return Verdict("ratio", "A span of time: zero is no time at all.", "continuous")
    return None


def _instants(p: Profile) -> Verdict | None:
    days = p.distinct.astype("datetime64[D]")
    whole = bool(np.all(days == p.distinct))
    why = "Dates differ by spans of time, and the first day of the calendar is a convention."
    return Verdict("interval", why, "discrete" if whole else "continuous")


RULES: dict[str, tuple[Callable[[Profile], Verdict | None], ...]] = {
    "nothing": (_nothing,),
    "flags": (_levels, _flags),
    "times": (_spans, _instants),
    "text": (
        _levels, _ordered, _cycle_of_words, _two_words, _dates_as_text, _text_identifier, _numbers_as_text, _names,
    ),
    "numbers": (_levels, *NUMBER_RULES),
}  # fmt: skip
