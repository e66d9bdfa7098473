"""Text from data as it may be shown: characters that command a terminal or a reader's eye are written as escapes."""

from __future__ import annotations

import html
import re

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
