"""Identifiers that were given in the order of the target: the rows were sorted by it, then counted."""

from __future__ import annotations

import re

import numpy as np

from suffice.prepare.looking._checks.leaks.case import Case
from suffice.prepare.looking._checks.leaks.evidence import ALONE, Leak, in_all
from suffice.prepare.looking._checks.leaks.numbers import ENOUGH, direction
from suffice.prepare.looking._checks.leaks.orders import TIMES
from suffice.prepare.looking._checks.leaks.predictions import like_a_sample, misplaced
from suffice.prepare.looking._checks.wording import column
from suffice.prepare.looking._lexicon import name_words
from suffice.prepare.looking._profile import Profile

NUMBER = re.compile(r"\D{0,12}(\d{1,15})\D{0,3}")


def in_order_of_target(case: Case, p: Profile) -> Leak | None:
    """An identifier that was given in the order of the target: it counts, and no row is out of order."""
    rows = case.known(p)
    if len(rows) < ENOUGH or len(p.distinct) < 0.99 * p.known or set(name_words(p.name)) & TIMES:
        return None
    places = _places(case, p)
    if places is None:
        return None
    x = places[p.codes[rows]]
    numbers = case.numeric and not case.classes
    order = _sorted_numbers(case, x, rows) if numbers else _sorted_classes(case, x, rows)
    if order is None:
        return None
    message = f"{column(p.name)} numbers the rows in the order of the target: {order}."
    return Leak((p.name,), "error", ALONE, 0.0, message, rows=len(rows))


def _places(case: Case, p: Profile) -> np.ndarray | None:
    """The place of each distinct value if they count: whole numbers, or text with one number, none left out."""
    if p.kind == "numbers" and p.whole:
        return np.arange(len(p.distinct)) if case.types[p.name].identifier or _dense(p.finite) else None
    found = [NUMBER.fullmatch(str(w)) for w in p.distinct] if p.kind == "text" else [None]
    if None in found:
        return None
    numbers = np.array([float(m[1]) for m in found if m is not None])
    return np.argsort(np.argsort(numbers)) if len(np.unique(numbers)) == len(numbers) else None


def _dense(numbers: np.ndarray) -> bool:
    """Whether sorted numbers are nearly all of those between the first and the last."""
    return bool(len(numbers) >= 0.9 * (numbers[-1] - numbers[0] + 1))


def _sorted_numbers(case: Case, x: np.ndarray, rows: np.ndarray) -> str | None:
    y = case.target.standardized[rows]
    sign = direction(x, y)
    if (wrong := misplaced(x, y, sign)) > 0.002 * len(rows) or not like_a_sample(y):
        return None
    return f"{in_all(len(rows) - wrong, len(rows))} are in the same order by both"


def _sorted_classes(case: Case, x: np.ndarray, rows: np.ndarray) -> str | None:
    codes = case.target.codes[rows][np.argsort(x)]
    sizes = np.bincount(codes, minlength=len(case.target.distinct))
    k, few = int(np.count_nonzero(sizes)), len(rows) - int(sizes.max())
    changes = int(np.count_nonzero(np.diff(codes)))
    if few < 5 or changes > k - 1 + 0.002 * len(rows) or changes > 0.2 * few:
        return None
    return f"by it, {len(rows):,} rows have the {k} classes one after the other, with {changes:,} changes of class"
