"""What text says when it is read as numbers or as dates."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import numpy as np

SAMPLE = 2000
GROUPED = re.compile(r"^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$")  # no group begins with 0
PLAIN = re.compile(r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")
# one number with a decimal point, another with a comma
OPEN = re.compile(r"^[+-]?[1-9]\d{0,2}[.,]\d{3}$", re.ASCII)
TRADED = str.maketrans(".,", ",.")
DRESSED = re.compile(r"^[$€£¥]\s*|\s*[%€$£¥]$")
DATE = re.compile(r"^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([T ]\d{1,2}:\d{2}.*)?$")
FORMATS = (
    "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y%m%d", "%d %b %Y", "%b %d, %Y",
    "%d %B %Y", "%B %d, %Y", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%SZ",
    "%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M", "%d.%m.%Y %H:%M", "%Y-%m-%dT%H:%M", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y",
    "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%d %H:%M:%S.%f",
    "%Y-%m-%dT%H:%M:%S.%fZ", "%Y-%m-%dT%H:%M:%S.%f%z",
)  # fmt: skip


def undressed(word: Any) -> str:
    """A word without blanks around it, and without a currency or percent sign."""
    return DRESSED.sub("", str(word).strip())


def parse_number(word: Any, mark: str = ".") -> float | None:
    """The number that a word writes with that decimal mark: signs, groups of digits, a currency or percent sign.

    >>> [parse_number(w) for w in ("12", "1,234.5", "3,5", "€ 7", "12 %", "12a", "1e5")]
    [12.0, 1234.5, None, 7.0, 12.0, None, 100000.0]
    >>> [parse_number(w, ",") for w in ("12", "1.234,5", "3,5", "10,750", "1.5")]
    [12.0, 1234.5, 3.5, 10.75, None]
    """
    text = undressed(word)
    if mark == ",":
        text = text.translate(TRADED)
    if GROUPED.match(text):
        text = text.replace(",", "")
    return float(text) if PLAIN.match(text) and text.isascii() else None


def is_number(word: Any) -> bool:
    """Whether a word is a number, with a decimal point or with a decimal comma."""
    return parse_number(word, ".") is not None or parse_number(word, ",") is not None


def number_share(words: np.ndarray) -> float:
    """Share of (the first) distinct words that read as numbers."""
    some = words[:SAMPLE]
    return float(np.mean([is_number(w) for w in some])) if len(some) else 0.0


def date_format(words: np.ndarray) -> str | None:
    """The format that fits at least nine in ten of (the first) distinct words as dates; None where none does."""
    some = [str(w).strip() for w in words[:200]]
    if not some or not sum(c.isdigit() for w in some for c in w) >= 4 * 0.9 * len(some):
        return None
    hopeful = [f for f in FORMATS if _fit(some[:5], f) >= 0.6]
    shares = {f: _fit(some, f) for f in hopeful}
    best = max(shares, key=lambda f: shares[f], default=None)
    return best if best is not None and shares[best] >= 0.9 else None


def date_formats(words: np.ndarray) -> tuple[str, ...] | None:
    """Formats of (the first) distinct words that are written like dates, nine in ten of them, where no one format fits.

    The most frequent first, until each of the words that can be a date is one; None where fewer than half can.
    """
    some = [str(w).strip() for w in words[:200]]
    if not some or sum(bool(DATE.match(w)) for w in some) < 0.9 * len(some):
        return None
    found: list[str] = []
    rest = some
    while rest and len(found) < 4:
        best = max(FORMATS, key=lambda f: _fit(rest, f))
        if not _fit(rest, best):
            break
        found.append(best)
        rest = [w for w in rest if parse_date(w, best) is None]
    return tuple(found) if len(rest) <= 0.5 * len(some) else None


def _fit(words: list[str], pattern: str) -> float:
    """Share of the words that are dates in a format."""
    return sum(parse_date(w, pattern) is not None for w in words) / len(words)


def parse_date(word: str, pattern: str) -> datetime | None:
    """A date between 1500 and 2500 in that format, or None."""
    if len(word) > 30 or (pattern == "%Y%m%d" and len(word) != 8):
        return None
    try:
        found = datetime.strptime(word, pattern)
    except ValueError:
        return None
    return found if 1500 <= found.year <= 2500 else None
