r"""Text that holds numbers or dates, read as such before anything else is asked about a column.

Where at least 95 in 100 cells of text are numbers, or dates, the column is taken for them, and what is left are gaps;
cells that say none ("", "NA", "?" …) are gaps as well and do not count. Codes with leading zeros, such as 007, stay
words, and so do dates whose day and month could be exchanged, and numbers whose decimal mark nobody can tell
(`_decimal_marks`). Infinite numbers are gaps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.prepare.looking._checks.wording import listed
from suffice.prepare.looking._decimal_marks import decimal_mark, texts_of
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking._texts import SAMPLE, date_format, is_number
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.transforming._cell_reading import (
    as_moments,
    as_numbers,
    is_absent,
    read_moments,
    read_numbers,
)

ENOUGH = 0.95
MANY = 20_000  # different words, from which on half of a sample must fit before all of them are read
LEFT = "left as text: "
DIGITS = 15  # that every float keeps


@record
class Settled:
    """A column after its text was read; `pattern` and `mark` are how dates and numbers were written, `remark` what
    was done."""

    values: np.ndarray
    pattern: str | None = None
    remark: str = ""
    mark: str = ""


def settled(p: Profile, meaning: Any, decimal: str | None = None) -> Settled:
    """A column as it is taken; `said` is what the user says it means, `decimal` the mark in its numbers."""
    found = _settled(p, meaning, decimal)
    return found if found.mark or decimal is None else replace(found, mark=decimal)


def _settled(p: Profile, meaning: Any, decimal: str | None) -> Settled:
    values = p.values
    if values.dtype.kind == "f" and (endless := int(np.isinf(values).sum())):
        remark = f"{_cells(endless)} infinite and taken as missing"
        return Settled(np.where(np.isinf(values), np.nan, values), remark=remark)
    wanted = _wanted(meaning)
    if p.kind != "text" or wanted == "words" or p.levels is not None or p.category:
        return Settled(values)
    words = [str(w) for w in p.distinct]
    known = np.array([not is_absent(w) for w in words])
    if not known.any():
        return Settled(values)
    times, numbers = (0.5, 0.0) if wanted == "numbers" else (ENOUGH, ENOUGH)
    found = _as_times(p, words, known, times) or _as_numbers(p, words, known, numbers, decimal)
    if found is not None and found.remark.startswith(LEFT) and wanted == "numbers":
        raise InvalidInput(f"Column {p.name!r} holds {found.remark.removeprefix(LEFT)}.")
    return found or Settled(values)


def _wanted(meaning: Any) -> str | None:
    """Whether the user wants words or numbers of a column; None if that is left open."""
    if isinstance(meaning, Mapping):
        meaning = meaning.get("order") or (
            "identifier" if meaning.get("identifier") else meaning.get("scale")
        )
    elif isinstance(meaning, Attribute):
        meaning = meaning.scale
    if isinstance(meaning, list | tuple) or meaning in ("nominal", "ordinal", "identifier"):
        return "words"
    return "numbers" if meaning in ("interval", "ratio", "continuous") else None


def _as_numbers(
    p: Profile, words: list[str], known: np.ndarray, enough: float, decimal: str | None
) -> Settled | None:
    if any(map(_padded, words)):
        return None
    if len(words) > MANY:
        some = [words[i] for i in _spread(np.flatnonzero(known), SAMPLE)]
        if not np.mean([is_number(w) for w in some]) >= 0.5:
            return None
    found = decimal_mark(_written(p, words), decimal)
    if found.mark is None:
        likely = np.array([is_number(w) for w in words])
        return (
            Settled(p.values, remark=f"{LEFT}{found.remark}") if _mostly(p, likely, known, enough) else None
        )
    values = as_numbers(p.values, mark=found.mark)
    numbers = _by_word(p, words, values, found.mark)
    fits = ~np.isnan(numbers)
    if not _mostly(p, fits, known, enough) or _too_long(words, numbers):
        return None
    return Settled(values, None, _remark("numbers", p, words, fits, known, found.remark), found.mark)


def _written(p: Profile, words: list[str]) -> list[str]:
    """The different texts: a number beside them has no decimal mark."""
    return words if set(map(type, p.values)) <= {str, type(None)} else texts_of(p.values)


def _by_word(p: Profile, words: list[str], values: np.ndarray, mark: str) -> np.ndarray:
    """The number of every different word."""
    if set(map(type, p.values)) <= {str, type(None)}:
        return read_numbers(words, mark=mark)
    out, read = np.full(len(words), np.nan), ~np.isnan(values)
    out[p.codes[read]] = values[read]
    return out


def _as_times(p: Profile, words: list[str], known: np.ndarray, enough: float) -> Settled | None:
    some = [words[i] for i in _spread(np.flatnonzero(known), 200)]
    pattern = date_format(np.array(some, dtype=object))
    iso = pattern is None or pattern.startswith("%Y-%m-%d")
    if iso and len(words) > MANY and np.mean(np.isnat(read_moments(some))) > 0.5:
        return None
    pattern = None if iso else pattern
    fits = ~np.isnat(read_moments(words, pattern))
    if not _mostly(p, fits, known, enough):
        return None
    if pattern is not None and _either(pattern, words, fits):
        why = "dates written as text whose day and month cannot be told apart; write them as 2020-12-31"
        return Settled(p.values, remark=why)
    return Settled(as_moments(p.values, pattern), pattern, _remark("dates", p, words, fits, known))


def _spread(places: np.ndarray, most: int) -> np.ndarray:
    """Some of the places, from the first to the last: a short look that spares a long one."""
    return places[:: max(len(places) // most, 1)]


def _either(pattern: str, words: list[str], fits: np.ndarray) -> bool:
    """Whether day and month could as well be exchanged: then nobody can tell which date is meant."""
    swapped = pattern.replace("%d", "%?").replace("%m", "%d").replace("%?", "%m")
    if "%d" not in pattern or "%m" not in pattern or pattern.startswith(("%Y", "%d.")):
        return False
    return bool(np.all(~np.isnat(read_moments(words, swapped))[fits]))


def _mostly(p: Profile, fits: np.ndarray, known: np.ndarray, enough: float) -> bool:
    share = p.counts[fits & known].sum() / max(p.counts[known].sum(), 1)
    return bool(share >= enough and share > 0)


def _padded(word: str) -> bool:
    """A leading zero: a code, not a number."""
    text = word.strip()
    return len(text) > 1 and text[0] == "0" and text.isdigit()


def _too_long(words: list[str], numbers: np.ndarray) -> bool:
    """Whether whole numbers have so many digits that different ones would become the same."""
    long = [i for i, word in enumerate(words) if len(word) > DIGITS and word.strip("+- ").isdigit()]
    return bool(long) and len(np.unique(numbers[long])) < len(long)


def _remark(
    what: str, p: Profile, words: list[str], fits: np.ndarray, known: np.ndarray, how: str = ""
) -> str:
    """What was read, and how many cells are gaps by it."""
    odd = np.flatnonzero(known & ~fits)
    absent = int(p.counts[~known].sum())
    written = f"{what} written as text{f' with {how}' if how else ''}"
    remarks = [written] if str in set(map(type, p.values)) else []
    if len(odd):
        examples = listed([words[i] for i in odd])
        remarks.append(f"{_cells(int(p.counts[odd].sum()))} none of them ({examples}) and taken as missing")
    if absent:
        remarks.append(f"{_cells(absent)} marked as missing")
    return "; ".join(remarks)


def _cells(n: int) -> str:
    return f"{n} cell is" if n == 1 else f"{n} cells are"
