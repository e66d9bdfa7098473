r"""The cells of a column as words, as numbers or as moments, however they were written.

A column comes as `tables` opens it. Text is read by its distinct words, each once, so that a million cells
with ten levels cost ten readings.

words     whole numbers without a point, truths as true and false; None for a gap
numbers   NaN for gaps, infinities, and words that are no numbers; spans of time in days
moments   microseconds; NaT for gaps and for words that are no dates
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime, time
from itertools import count
from typing import Any

import numpy as np

from suffice.prepare.looking._decimal_marks import decimal_mark
from suffice.prepare.looking._lexicon import ABSENT
from suffice.prepare.looking._texts import parse_date, parse_number

DAY = 86_400_000_000  # microseconds
EXACT = 2.0**53
DIGITS = frozenset("0123456789.+-eE")
TRUTHS = {"true": 1.0, "false": 0.0}
ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)\d*\s?(Z|[+-]\d\d(?::?\d\d)?)?)?"
)
FIRST, LAST = np.datetime64("1500-01-01", "us"), np.datetime64("2501-01-01", "us")


# -- words ------------------------------------------------------------------------------------------------
def distinct_words(values: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Per cell the place of its word among the distinct ones, −1 for a gap; and these words."""
    kind = values.dtype.kind
    if kind == "b":
        return values.astype(np.int64), ["false", "true"]
    if kind == "O":
        return _numbered(_texts(values))
    missing = _gone(values)
    found, places = np.unique(values[~missing], return_inverse=True)
    codes = np.full(len(values), -1)
    codes[~missing] = places
    cells = found.astype(f"{kind}8[us]").tolist() if kind in "mM" else found.tolist()
    return codes, [word_of(cell) for cell in cells]


def as_words(values: np.ndarray) -> np.ndarray:
    """A column as text, None for gaps and infinities; whole numbers without a point."""
    codes, words = distinct_words(values)
    table = np.empty(len(words) + 1, dtype=object)
    table[: len(words)] = words
    return table[codes]


def word_of(value: Any) -> str:
    """One cell as a word: 3.0 and 3 are the same one."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating):
        number = float(value)
        whole = number.is_integer() and abs(number) < EXACT
        return str(int(number)) if whole else repr(number)
    if isinstance(value, datetime) and value.time() == time(0):
        return str(value.date())
    return str(value)


def counted_words(values: np.ndarray) -> Counter[str]:
    """How often each word occurs; gaps are left out."""
    codes, words = distinct_words(values)
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    return Counter({word: int(n) for word, n in zip(words, counts, strict=True) if n})


def is_absent(word: str) -> bool:
    """Whether a word among numbers or dates stands for none: blank, "NA", "?" …"""
    return word.strip().casefold() in ABSENT


def _texts(values: np.ndarray) -> list[str | None]:
    cells = values.tolist()
    if set(map(type, cells)) <= {str, type(None)}:
        return cells
    return [None if v is None or v != v or v in ENDLESS else word_of(v) for v in map(_plain, cells)]


ENDLESS = (float("inf"), float("-inf"))


def _plain(cell: Any) -> Any:
    """A cell that may be compared: nested ones become their text."""
    return cell if cell is None or np.isscalar(cell) else str(cell)


def _numbered(cells: list[str | None]) -> tuple[np.ndarray, list[str]]:
    """Words numbered as they appear, by a dictionary that hands out the numbers."""
    places: defaultdict[Any, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(places.__getitem__, cells), np.int64, len(cells))
    if None not in places:
        return codes, list(places)
    gap = places[None]
    codes = np.where(codes == gap, -1, codes - (codes > gap))
    return codes, [w for w in places if w is not None]


def _gone(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind in "mM":
        return np.isnat(values)
    return ~np.isfinite(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)


# -- numbers ----------------------------------------------------------------------------------------------
def as_numbers(values: np.ndarray, truths: bool = False, mark: str | None = None) -> np.ndarray:
    """A column as floats; with `truths`, the words true and false are 1 and 0.

    `mark` is the decimal mark of its text. Without one the column decides, and where it cannot (`check_decimals`
    refuses such columns) words with a mark are no numbers.
    """
    kind = values.dtype.kind
    if kind == "M":
        return np.full(len(values), np.nan)
    if kind == "m":
        spans = values.astype("m8[us]")
        return np.where(np.isnat(spans), np.nan, spans.astype(np.int64) / DAY)
    if kind == "O":
        return _of_objects(values, truths, mark)
    x = values.astype(float)
    return np.where(np.isfinite(x), x, np.nan) if kind == "f" else x


def _of_objects(values: np.ndarray, truths: bool, mark: str | None) -> np.ndarray:
    """Cells that are numbers stay what they are, whatever the mark of the text beside them."""
    kinds = set(map(type, values.tolist()))
    if kinds <= {str, type(None)}:
        codes, words = distinct_words(values)
        return np.append(read_numbers(words, truths, mark or decimal_mark(words).mark), np.nan)[codes]
    text = np.fromiter((isinstance(v, str) for v in values), bool, len(values))
    codes, words = distinct_words(values[~text])
    out = np.empty(len(values))
    out[~text] = np.append(read_numbers(words, truths, "."), np.nan)[codes]
    out[text] = _of_objects(values[text], truths, mark) if text.any() else []
    return out


def read_numbers(words: Sequence[str], truths: bool = False, mark: str | None = ".") -> np.ndarray:
    """The number that each word writes with a decimal mark, NaN for none; None: words that have a mark are none."""
    if mark != "," and words and set("".join(words)) <= (DIGITS if mark else DIGITS - {"."}):
        try:
            return _finite(np.array(words, dtype=str).astype(float))
        except ValueError:
            pass
    return _finite(np.array([_number(w, truths, mark) for w in words], dtype=float))


def _number(word: str, truths: bool, mark: str | None) -> float:
    if truths and (known := TRUTHS.get(word.strip().casefold())) is not None:
        return known
    found = None if mark is None and ("." in word or "," in word) else parse_number(word, mark or ".")
    return np.nan if found is None else found


def _finite(x: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(x), x, np.nan)


# -- moments ----------------------------------------------------------------------------------------------
def as_moments(values: np.ndarray, pattern: str | None = None) -> np.ndarray:
    """A column of times in microseconds; spans of time count from the epoch. Text is ISO 8601, or of a pattern."""
    kind = values.dtype.kind
    if kind == "m":
        return values.astype("m8[us]").astype(np.int64).view("M8[us]")
    if kind == "M":
        return values.astype("M8[us]")
    if kind == "O":
        codes, words = distinct_words(values)
        return np.append(read_moments(words, pattern), np.datetime64("NaT"))[codes]
    return np.full(len(values), np.datetime64("NaT"), dtype="M8[us]")


def read_moments(words: Sequence[str], pattern: str | None = None) -> np.ndarray:
    """The moment that each word writes, between the years 1500 and 2500, in UTC where it has a zone; NaT for none."""
    out = np.full(len(words), np.datetime64("NaT"), dtype="M8[us]")
    plain, offsets, at = [], [], []
    for i, word in enumerate(words):
        text = word.strip()
        if pattern is not None and (found := parse_date(text, pattern)) is not None:
            out[i] = np.datetime64(found, "us")
        elif (m := ISO.fullmatch(text)) is not None:
            plain.append(m[1] if m[2] is None else f"{m[1]}T{m[2]}")
            offsets.append(_offset(m[3]))
            at.append(i)
    if at:
        out[at] = _calendar(plain) - np.array(offsets, dtype="m8[m]")
    return np.where((out >= FIRST) & (out < LAST), out, np.datetime64("NaT"))


def _calendar(texts: list[str]) -> np.ndarray:
    """Dates without a zone, all at once if all of them exist."""
    try:
        return np.array(texts, dtype="M8[us]")
    except ValueError:
        return np.array([_existing(t) for t in texts], dtype="M8[us]")


def _existing(text: str) -> np.datetime64:
    try:
        return np.datetime64(text, "us")
    except ValueError:  # the 30th of February
        return np.datetime64("NaT")


def _offset(zone: str | None) -> int:
    """Minutes east of Greenwich."""
    if zone is None or zone == "Z":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return (-1 if zone[0] == "-" else 1) * (60 * int(digits[:2]) + int(digits[2:]))
