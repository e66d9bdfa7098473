"""Words on any terminal: what its encoding lacks is written otherwise, so that no command ends in UnicodeEncodeError.

Signs of our own sentences have a plain spelling (− is -, … is ...); letters of data are escaped, never replaced.
"""

import codecs
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TextIO

WORDS, CELLS = "suffice.words", "suffice.cells"
PLAIN = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "…": "...", "×": "x", "·": ".", "•": "*", "→": "->", "←": "<-", "±": "+/-",
    "≤": "<=", "≥": ">=", "≈": "~", "≠": "!=", "²": "^2", "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "°": " deg",
    "\u00a0": " ", "\u2009": " ", "\u202f": " ", "─": "-", "━": "-", "│": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+",
    "█": "#", "✓": "ok",
    "╸": "-", "╺": "-", "⠋": ".", "⠙": ".", "⠹": ".", "⠸": ".", "⠼": ".", "⠴": ".", "⠦": ".", "⠧": ".", "⠇": ".",
    "⠏": ".",
}  # fmt: skip


def _words(error: UnicodeError) -> tuple[str, int]:
    """Plain spellings, escapes for the rest."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(PLAIN.get(c) or _escaped(c) for c in lacking), error.end


def _escaped(character: str) -> str:
    return character.encode("ascii", "backslashreplace").decode("ascii")


codecs.register_error(WORDS, _words)


@contextmanager
def any_terminal() -> Iterator[None]:
    """What is printed inside the block can be printed, whatever the encoding of the terminal."""
    with ExitStack() as stack:
        for stream in {sys.stdout, sys.stderr}:
            stack.enter_context(_lenient(stream, WORDS))
        yield


@contextmanager
def escaping_cells(stream: TextIO) -> Iterator[list[str]]:
    """Cells of a table are escaped, with the encoding that made it necessary in the list."""
    lacking: list[str] = []

    def cells(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        lacking[:] = [stream.encoding]
        return "".join(map(_escaped, error.object[error.start : error.end])), error.end

    codecs.register_error(CELLS, cells)
    with _lenient(stream, CELLS):
        yield lacking


@contextmanager
def _lenient(stream: Any, errors: str) -> Iterator[None]:
    """A stream that can be told so answers to what it cannot write in this way."""
    change = getattr(stream, "reconfigure", None)
    if change is None:
        yield
        return
    usual = stream.errors
    change(errors=errors)
    try:
        yield
    finally:
        try:
            stream.flush()
        except (OSError, ValueError):  # nobody reads any more, or it is closed
            return
        change(errors=usual)
