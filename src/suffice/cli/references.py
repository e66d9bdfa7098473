r"""References to the texts: `PRML Figs 3.5–3.6 and §3.2` as (text, kind, number), in titles, sources and questions.

A number has at least one dot (`3.7`, `1.2.5`, `10.3.3`, `1.G`); a chapter has none. A range `3.6–3.14` means every
number between its ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from suffice._core.records import record

TEXTS = {"prml": "PRML", "fcml": "FCML", "dtu": "DTU", "herbst": "Herbst", "lecture3": "Lecture 3"}
_NAMED = {
    "prml": r"prml|bishop",
    "fcml": r"fcml|rogers(?:\s+(?:&|and)\s+girolami)?",
    "dtu": r"dtu|herlau",
    "herbst": r"herbst(?:\s+(?:&|and)\s+du\s+preez)?",
    "lecture3": r"lecture\s*3",
}
_WORDED = {
    "figure": r"fig(?:ure)?s?\.?",
    "table": r"tab(?:le)?s?\.?",
    "equation": r"eq(?:uation)?s?\.?",
    "section": r"§+|sec(?:tion)?s?\.?",
    "exercise": r"exercises?|ex\.?",
    "example": r"examples?",
    "quiz": r"quiz(?:zes)?|questions?|solutions?",
    "comment": r"comments?",
    "method": r"methods?",
    "note": r"(?:technical\s+)?notes?",
    "box": r"box(?:es)?",
    "chapter": r"ch(?:apter)?s?\.?",
}
_NUMBER = r"\d+(?:\.\d+)*(?:\.[A-Za-z](?![A-Za-z]))?"
_ANY_TEXT = "|".join(rf"(?P<{key}>\b(?:{words}))(?![A-Za-z])" for key, words in _NAMED.items())
_ANY_KIND = "|".join(rf"(?P<{key}>(?<![A-Za-z])(?:{words}))(?![A-Za-z])" for key, words in _WORDED.items())
_SMALL = {"the", "in", "of", "on", "at", "to", "and", "from"}
_TEXT, _KIND = re.compile(_ANY_TEXT, re.I), re.compile(_ANY_KIND, re.I)
_TOKEN = re.compile(f"{_ANY_TEXT}|{_ANY_KIND}", re.I)
_LIST = re.compile(rf"\s*\(?({_NUMBER}(?:(?:\s*(?:,|and|,\s*and|[–-])\s*){_NUMBER})*)", re.I)
_RANGE = re.compile(rf"({_NUMBER})\s*[–-]\s*({_NUMBER})|({_NUMBER})", re.I)


@record
class Reference:
    """A place in a text. `kind` or `number` is None where a question leaves it open."""

    text: str | None
    kind: str | None
    number: str | None

    def __str__(self) -> str:
        words = (TEXTS.get(self.text or "", self.text), self.kind, self.number)
        return " ".join(word for word in words if word)


def references(words: str, text: str) -> tuple[Reference, ...]:
    """Every place that a title names, each once; `text` is the one it speaks of unless it names another."""
    found: dict[Reference, None] = {}
    at = 0
    while (token := _TOKEN.search(words, at)) is not None:
        key, at = str(token.lastgroup), token.end()
        if key in TEXTS:
            text = key
        elif (listed := _LIST.match(words, at)) is not None:
            at = listed.end()
            found |= {Reference(text, key, n): None for n in numbers(listed[1]) if _fits(key, n)}
    return tuple(found)


def _fits(kind: str, number: str) -> bool:
    """Chapters are whole numbers; everything else says its chapter first."""
    return ("." in number) != (kind == "chapter")


def numbers(listed: str) -> Iterator[str]:
    """`3.4 and 3.6–3.8` as 3.4, 3.6, 3.7, 3.8."""
    for low, high, alone in _RANGE.findall(listed):
        yield from ([alone.upper()] if alone else numbers_between(low, high))


def numbers_between(low: str, high: str) -> list[str]:
    """The numbers of a range; its ends alone where they belong to different chapters."""
    start, _, first = low.rpartition(".")
    other, _, last = high.rpartition(".")
    if start != other or not (first.isdigit() and last.isdigit()) or int(first) > int(last):
        return [low, high]
    return [f"{start}.{i}".lstrip(".") for i in range(int(first), int(last) + 1)]


def question(words: str) -> Reference:
    """What somebody asks for: `PRML 3.7`, `Figure 3.7`, `fcml fig 4.5`, `DTU §2`; what is left open is None."""
    named = _TEXT.search(words)
    rest = words if named is None else words[: named.start()] + " " + words[named.end() :]
    worded = next((m for m in _KIND.finditer(rest) if re.match(r"\s*\(?\d", rest[m.end() :])), None)
    number = re.search(_NUMBER, rest if worded is None else rest[worded.end() :])
    return Reference(
        None if named is None else named.lastgroup,
        None if worded is None else worded.lastgroup,
        None if number is None else number[0].upper(),
    )


def unknown_text(words: str) -> str:
    """What a question names beside a kind and a number: `Murphy` of `Murphy fig 3.1`; empty where there is nothing."""
    rest = re.sub(_NUMBER, " ", _KIND.sub(" ", _TEXT.sub(" ", words)))
    return " ".join(w for w in re.findall(r"[^\W\d_]{2,}", rest) if w.lower() not in _SMALL)


def fit_of(query: Reference, place: Reference) -> int:
    """How well a place answers: 2 exactly, 1 from inside the section or chapter that was asked for, 0 not."""
    if query.text not in (None, place.text) or query.number is None or place.number is None:
        return 0
    if place.number == query.number:
        return 2 if query.kind in (None, place.kind) else 0
    if not place.number.startswith(query.number + "."):
        return 0
    if query.kind == "chapter" or (query.kind is None and "." not in query.number):
        return 1
    return int(query.kind == place.kind == "section")
