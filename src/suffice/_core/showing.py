"""Text from data as it may be shown: characters that command a terminal or a reader's eye are written as escapes."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import Any

# Controls but for the line break; direction marks, which turn the rest of a line round; separators of lines and
# paragraphs; halves of characters; what XML has no place for.
UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def visible(text: str) -> str:
    r"""The text with such characters as `\x1b` or `\u202e`; anything else stays.

    >>> print(visible("a\x1b[31mred"))
    a\x1b[31mred
    """
    return UNSEEN.sub(_escaped, text)


def escape(text: str, quote: bool = True) -> str:
    """The text as HTML shows it."""
    return html.escape(visible(text), quote)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def with_notes(sentence: str, notes: tuple[str, ...]) -> str:
    """A sentence, and below it what is doubtful."""
    return "\n".join([sentence, *(f"Note: {text}" for text in notes)])


class Shown:
    """A record whose repr is its text in angle brackets."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"


class InWords:
    """A record that says itself in a `sentence`; its `notes`, if it has any, are printed below."""

    sentence: Any

    def __str__(self) -> str:
        return with_notes(self.sentence, getattr(self, "notes", ()))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence}>"


class Paragraph(InWords):
    """One that a notebook shows as a paragraph."""

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.sentence)}</p>"


class WithRemarks(InWords):
    """One that a notebook shows with a list of its notes and of what it assumes."""

    notes: tuple[str, ...]
    assumptions: tuple[str, ...]

    def _repr_html_(self) -> str:
        remarks = "".join(f"<li>{escape(text)}</li>" for text in (*self.notes, *self.assumptions))
        return f"<p>{escape(self.sentence)}</p><ul>{remarks}</ul>"


def table_of_texts(head: Sequence[str], rows: Iterable[Sequence[str]], above: str = "") -> str:
    """Rows of texts as a notebook shows them, below a paragraph."""
    lines = [("th", head), *(("td", row) for row in rows)]
    body = "".join(
        f"<tr>{''.join(f'<{tag}>{escape(text)}</{tag}>' for text in row)}</tr>" for tag, row in lines
    )
    return (f"<p>{escape(above)}</p>" if above else "") + f"<table>{body}</table>"
