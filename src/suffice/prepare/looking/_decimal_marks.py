r"""How a column of text writes its numbers, with a decimal point or a decimal comma: decided once for all its cells.

    point   1.5   1,234.5   1,234,567     only with a decimal point
    comma   1,5   1.234,5   1.234.567     only with a decimal comma; 0,125 too, for no group begins with 0
    open    1,234   1.234                 one number with a point, another with a comma

A word that only one convention can read decides for the column; words of both contradict each other. Open words alone
are settled where the numbers without a mark leave one way of writing them all (`_by_company`). Otherwise a point is a
decimal point, as in every programming language, and a comma is left undecided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, did_you_mean
from suffice._core.records import record
from suffice.prepare.looking._texts import OPEN, parse_number, undressed

COMMA = re.compile(r"^\D*\d[\d.,]*,\d[\d.,]*\D*$")  # a number with a comma, perhaps with a unit
CALLED = {".": "a decimal point", ",": "a decimal comma"}


@record
class DecimalMark:
    """What was decided: "." or ",", "" where no word has a mark, None where it stays open; and an open word, if any."""

    mark: str | None
    open: str = ""
    clash: tuple[str, str] | None = None

    @property
    def remark(self) -> str:
        """For people: how open words are read, or both ways to read them."""
        if self.clash is not None:
            point, comma = self.clash
            return (
                f"numbers with a decimal point ({point!r}) and with a decimal comma ({comma!r}); write them alike, or "
                "say which of them are numbers: decimal='.' or decimal=','"
            )
        if self.mark is None:
            return f"numbers that can be read in two ways: {readings(self.open)}"
        if self.open:
            other = "," if self.mark == "." else "."
            return (
                f"{CALLED[self.mark]}, so that {self.open!r} is {parse_number(self.open, self.mark):.15g} "
                f"(with decimal={other!r} it would be {parse_number(self.open, other):.15g})"
            )
        return "a decimal comma" if self.mark == "," else ""


def readings(word: str) -> str:
    """An open word in both readings, as the option that chooses each."""
    point, comma = (f"{parse_number(word, m):.15g} with decimal={m!r}" for m in (".", ","))
    return f"{word!r} is {point} and {comma}"


def decimal_mark(words: Sequence[Any], given: str | None = None) -> DecimalMark:
    """The decimal mark of the different words of a column; what the user has said comes first."""
    if given is None and _plainly_points(words):
        return DecimalMark(".")
    marked = [w for w in map(undressed, words) if "." in w or "," in w]
    unsure = [w for w in marked if OPEN.match(w)]
    shown = unsure[0] if unsure else ""
    if given is not None:
        return DecimalMark(given, shown)
    point = next((w for w in marked if _only(w, ".")), "")
    comma = next((w for w in marked if _only(w, ",")), "")
    if point and comma:
        return DecimalMark(None, shown, (point, comma))
    if point or comma:
        usual = point and "," not in shown
        return DecimalMark("." if point else ",", "" if usual else shown)
    return _of_open_words(unsure, words)


def _plainly_points(words: Sequence[Any]) -> bool:
    """The usual case: no word has a comma or two points, and one is a number with a point that groups nothing."""
    texts = list(map(str, words))
    if any("," in w or w.count(".") > 1 for w in texts):
        return False
    return any("." in w and not OPEN.match(undressed(w)) and parse_number(w) is not None for w in texts)


def _only(word: str, mark: str) -> bool:
    """Whether a word is a number with this decimal mark and none with the other."""
    other = "," if mark == "." else "."
    return parse_number(word, mark) is not None and parse_number(word, other) is None


def _of_open_words(unsure: list[str], words: Sequence[Any]) -> DecimalMark:
    if not unsure:
        return DecimalMark("")
    commas = [w for w in unsure if "," in w]
    if commas and len(commas) < len(unsure):  # "1,234" beside "1.234"
        return DecimalMark(None, commas[0])
    decimals = _by_company(unsure, words)
    if not commas:
        return DecimalMark("." if decimals is not False else None, unsure[0])
    mark = {True: ",", False: ".", None: None}[decimals]
    return DecimalMark(mark, unsure[0])


def _by_company(unsure: list[str], words: Sequence[Any]) -> bool | None:
    """Whether a mark before three digits is a decimal mark, by the numbers without a mark; None if nobody can tell.

    Groups: numbers from 1000 on have the mark, smaller ones do not. Three decimals for all: every number has the mark.
    Decimals without ending zeros: no word with a mark ends in 0.
    """
    plain = [int(w) for w in map(undressed, words) if w.lstrip("+-").isdigit() and w.isascii()]
    if not plain:
        return None
    groups = all(abs(v) < 1000 for v in plain)
    bare = not any(w.endswith("0") for w in unsure)
    return None if groups == bare else bare


# -- columns ----------------------------------------------------------------------------------------------
def texts_of(values: np.ndarray) -> list[str]:
    """The different texts of a column; cells that are numbers already are none of them."""
    return list(dict.fromkeys(v for v in values.tolist() if isinstance(v, str)))


def with_numbers(values: np.ndarray, mark: str) -> np.ndarray:
    """A column of text with its numbers in place of the words that write them with a mark the user has named."""
    if values.dtype != object:
        return values
    found = {w: parse_number(w, mark) for w in texts_of(values) if "." in w or "," in w}
    if not found or sum(v is not None for v in found.values()) < len(found) / 2:
        return values
    out = values.copy()
    out[:] = [v if not isinstance(v, str) or (n := found.get(v)) is None else n for v in values]
    return out


def check_decimals(values: np.ndarray, what: str) -> None:
    """Refuse a column that must be numbers and can be read in two ways; `what` names it."""
    if values.dtype != object:
        return
    found = decimal_mark(texts_of(values))
    if found.mark is None:
        raise InvalidInput(f"{what} holds {found.remark}.")


def checked_marks(decimal: Any, columns: Iterable[str]) -> dict[str, str]:
    """The decimal mark that the user names, by column."""
    known = list(columns)
    marks = (
        decimal if isinstance(decimal, Mapping) else {} if decimal is None else dict.fromkeys(known, decimal)
    )
    for name, mark in marks.items():
        if name not in known:
            raise InvalidParameter(
                f"decimal must name columns of the table; got {name!r}.{did_you_mean(str(name), known)}"
            )
        check_choice("decimal", mark, tuple(CALLED))
    return dict(marks)
