r"""From a text to its terms (DTU §4.2).

text → letters (lower case, one way of writing accents) → words (a pattern) → without stop words → stems → n-grams

Two things make it fast. A word is looked up as it stands in a table that remembers what became of it, so that it is
stemmed once however often it occurs. And in ASCII text the usual pattern, runs of two or more letters, digits or
underscores, is one translation (everything else becomes a blank) and one split.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from array import array
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from numbers import Integral
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_choice, did_you_mean
from suffice._core.frames import require
from suffice._core.records import record
from suffice.prepare.texts._stop_words import STOP_WORDS

WORDS = r"\w\w+"
BLANKS = {c: " " for c in range(128) if not (chr(c).isalnum() or c == ord("_"))}
Find = Callable[[str], list[str]]


@lru_cache(maxsize=1)
def whole_words() -> str:
    """A pattern of words with the apostrophes and hyphens, accents and vowel marks inside them."""
    marks = "".join(chr(c) for c in range(0x300, 0xFE30) if unicodedata.category(chr(c)) in ("Mn", "Mc"))
    letter = rf"[\w{marks}\u200c\u200d]"
    return rf"\w{letter}*(?:['’‐-]{letter}+)*"


@record
class Reader:
    """How a text becomes terms; equal readers find equal terms."""

    pattern: str
    lowercase: bool
    strip_accents: str | Callable[[str], str] | None
    numbers: bool
    stop_words: frozenset[str]
    stem: str | Callable[[str], str] | None
    ngram_range: tuple[int, int]
    tokenizer: Find | None = None
    preprocessor: Callable[[str], str] | None = None
    analyzer: str | Find = "word"

    @property
    def signature(self) -> str:
        """The same for readers that find the same terms: what a statistic remembers of its reader."""
        functions = (self.stem, self.tokenizer, self.preprocessor, self.analyzer, self.strip_accents)
        code = [getattr(f, "__qualname__", f) for f in functions]
        stop = zlib.crc32(" ".join(sorted(self.stop_words)).encode("utf-8", "replace"))
        pattern = "whole words" if self.pattern == whole_words() else self.pattern
        return repr((pattern, self.lowercase, self.numbers, stop, *code, self.ngram_range))

    def letters(self, text: str) -> str:
        """Lower case; composed letters, or letters without their accents; or what a function makes of it."""
        if self.preprocessor is not None:
            return self.preprocessor(text)
        text = text.lower() if self.lowercase else text
        if callable(self.strip_accents):
            return self.strip_accents(text)
        if text.isascii():
            return text
        if self.strip_accents is None:
            return unicodedata.normalize("NFC", text)
        apart = unicodedata.normalize("NFKD", text)
        if self.strip_accents == "ascii":
            return apart.encode("ascii", "ignore").decode("ascii")
        return "".join(c for c in apart if not unicodedata.combining(c))

    def find(self) -> Find:
        """The function that cuts a text into words, as they stand."""
        if callable(self.analyzer):
            return self.analyzer
        if self.analyzer != "word":
            runs = _of_letters if self.analyzer == "char" else _within_words
            return lambda text: runs(self.letters(text), *self.ngram_range)
        if self.tokenizer is not None:
            cut = self.tokenizer
            return lambda text: cut(self.letters(text))
        found = re.compile(self.pattern).findall
        if self.pattern != WORDS:
            return lambda text: found(self.letters(text))
        return lambda text: _split(self.letters(text), found)

    def counts(self, word: str) -> bool:
        """Whether a word is long enough for the usual pattern, no number where those are left out, no stop word."""
        if self.analyzer != "word":
            return True
        long = len(word) > 1 or self.pattern != WORDS or self.tokenizer is not None
        return long and word not in self.stop_words and (self.numbers or any(map(str.isalpha, word)))

    def scan(self, texts: Iterable[str]) -> Scan:
        """Terms of all texts, numbered."""
        find, lexicon = self.find(), _Lexicon(self)
        ids, ends = array("i"), array("q", [0])
        for text in texts:
            ids.extend(map(lexicon.__getitem__, find(text)))
            ends.append(len(ids))
        words = Scan(tuple(lexicon.terms), np.array(ids, dtype=np.int32), np.array(ends, dtype=np.int64))
        return (
            words
            if self.ngram_range == (1, 1) or self.analyzer != "word"
            else words.joined(*self.ngram_range)
        )


def _split(text: str, found: Find) -> list[str]:
    """The words of the usual pattern; in ASCII also those of one letter, which the lexicon drops."""
    return text.translate(BLANKS).split() if text.isascii() else found(text)


def _of_letters(text: str, low: int, high: int) -> list[str]:
    """Runs of letters; white space in a row is one blank."""
    text = re.sub(r"\s\s+", " ", text)
    return [text[a : a + n] for n in range(low, min(high, len(text)) + 1) for a in range(len(text) - n + 1)]


def _within_words(text: str, low: int, high: int) -> list[str]:
    """Runs of letters within words between blanks; a word that is shorter than a run counts once, whole."""
    out = []
    for word in re.sub(r"\s\s+", " ", text).split():
        padded = f" {word} "
        for n in range(low, high + 1):
            out += [padded[a : a + n] for a in range(max(len(padded) - n, 0) + 1)]
            if len(padded) <= n:
                break
    return out


@record
class Scan:
    """Terms; the numbers of those in each text (−1: does not count), end to end."""

    terms: tuple[str, ...]
    ids: np.ndarray
    ends: np.ndarray

    @property
    def rows(self) -> np.ndarray:
        """The text of each number."""
        return np.repeat(np.arange(len(self.ends) - 1), np.diff(self.ends))

    def cells(self, columns: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Counts, columns and row ends of a table; `columns` has the column of each term, −1 for none."""
        place = np.append(columns, -1).astype(np.int64)[self.ids]
        key = np.sort((self.rows * width + place)[place >= 0])
        first = np.flatnonzero(np.diff(key, prepend=-1))
        counts, key = np.diff(np.append(first, len(key))), key[first]
        ends = np.searchsorted(key, np.arange(len(self.ends)) * width)
        small = np.int32 if len(key) < 2**31 else np.int64
        return counts.astype(np.int64), (key % max(width, 1)).astype(small), ends.astype(small)

    def joined(self, low: int, high: int) -> Scan:
        """The same texts with runs of `low` to `high` words as terms; runs that are written alike are one."""
        names = np.array(["", *sorted(self.terms)], dtype=object)
        number = {term: j for j, term in enumerate(names)}
        counts = self.ids >= 0
        word = np.array([number[term] for term in self.terms], dtype=np.int64)[self.ids[counts]]
        runs, rows = _runs(word, self.rows[counts], low, high)
        first, ids = _distinct(runs)
        terms = _Numbers()
        same = np.array([terms[text] for text in _written(runs[first], names)], dtype=np.int32)
        return Scan(tuple(terms), same[ids], np.searchsorted(rows, np.arange(len(self.ends))))


def _runs(word: np.ndarray, row: np.ndarray, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
    """All runs of words within a text, padded with zeros (runs × high), and their texts in order."""
    parts, rows = [np.empty((0, high), np.int64)], [np.empty(0, np.int64)]
    for n in range(low, min(high, len(word)) + 1):
        inside = np.flatnonzero(row[: len(row) - n + 1] == row[n - 1 :])
        part = np.zeros((len(inside), high), np.int64)
        part[:, :n] = word[inside[:, None] + np.arange(n)]
        parts.append(part)
        rows.append(row[inside])
    order = np.argsort(np.concatenate(rows), kind="stable")
    return np.concatenate(parts)[order], np.concatenate(rows)[order]


def _distinct(runs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One place of each distinct run, sorted, and the number of every run; digit by digit, so nothing overflows."""
    number = first = np.zeros(len(runs), np.int64)
    for digit in runs.T:
        key = number * (digit.max(initial=0) + 1) + digit
        _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return first, number


def _written(runs: np.ndarray, names: np.ndarray) -> np.ndarray:
    """Runs as text, with blanks between words."""
    blank = np.array(["", *(f" {name}" for name in names[1:])], dtype=object)
    text = names[runs[:, 0]]
    for digit in runs.T[1:]:
        text = text + blank[digit]
    return text


class _Numbers(dict):
    """A new number for each new term."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


class _Lexicon(dict):
    """From a word as it stands to the number of its term, −1 if it does not count."""

    def __init__(self, reader: Reader):
        self.terms, self.counts = _Numbers(), reader.counts
        self.stem = stemmer(reader.stem) if reader.analyzer == "word" else _as_it_is

    def __missing__(self, word: str) -> int:
        term = self.stem(word) if self.counts(word) else ""
        if not isinstance(term, str):
            raise InvalidParameter(f"stem must give a text for every word; got {term!r} for {word!r}.")
        number = self[word] = self.terms[term] if term else -1
        return number


def _as_it_is(term: Any) -> Any:
    return term


def stemmer(stem: Any) -> Callable[[str], str]:
    """The function that strips endings: none, Snowball's for a language, or one that is given."""
    if stem is None:
        return str
    return stem if callable(stem) else require("snowballstemmer").stemmer(stem).stemWord


# -- at the door --------------------------------------------------------------------------------------
def make_reader(settings: dict[str, Any]) -> Reader:
    """The reader of a vectorizer's parameters, each checked."""
    s = settings
    if not callable(s["strip_accents"]):
        check_choice("strip_accents", s["strip_accents"], (None, "ascii", "unicode"))
    if s["tokenizer"] is not None and not callable(s["tokenizer"]):
        raise InvalidParameter(f"tokenizer must be None or a function of a text; got {s['tokenizer']!r}.")
    lengths = _check_range(s["ngram_range"])
    _check_stem(s["stem"])
    if s["preprocessor"] is not None and not callable(s["preprocessor"]):
        raise InvalidParameter(
            f"preprocessor must be None or a function of a text; got {s['preprocessor']!r}."
        )
    if not callable(s["analyzer"]):
        check_choice("analyzer", s["analyzer"], ("word", "char", "char_wb"))
    names = ("lowercase", "strip_accents", "numbers", "stem", "tokenizer", "preprocessor", "analyzer")
    options = {name: s[name] for name in names}
    plain = Reader(pattern=_pattern(_needed(s)), stop_words=frozenset(), ngram_range=lengths, **options)
    return replace(plain, stop_words=frozenset(map(plain.letters, _stop_words(s["stop_words"]))))


def _needed(s: dict[str, Any]) -> Any:
    """The pattern; with a tokenizer, or terms that are no words, None will do."""
    unused = s["tokenizer"] is not None or s["analyzer"] != "word"
    return "words" if s["token_pattern"] is None and unused else s["token_pattern"]


def _pattern(token_pattern: Any) -> str:
    named: dict[str, Callable[[], str]] = {
        "words": lambda: WORDS,
        r"(?u)\b\w\w+\b": lambda: WORDS,  # how scikit-learn writes it
        "whole words": whole_words,
    }
    if not isinstance(token_pattern, str):
        raise InvalidParameter(f"token_pattern must be a regular expression as text; got {token_pattern!r}.")
    if token_pattern in named:
        return named[token_pattern]()
    try:
        groups = re.compile(token_pattern).groups
    except re.error as error:
        raise InvalidParameter(
            f"token_pattern {token_pattern!r} is no regular expression: {error}."
        ) from None
    if groups > 1:
        raise InvalidParameter(
            f"token_pattern must have at most one group, the word; {token_pattern!r} has {groups}."
        )
    return token_pattern


def _stop_words(stop_words: Any) -> Iterable[str]:
    if stop_words is None:
        return ()
    if isinstance(stop_words, str):
        check_choice("stop_words", stop_words, (*STOP_WORDS, None))
        return STOP_WORDS[stop_words]
    if not isinstance(stop_words, list | tuple | set | frozenset | np.ndarray):
        raise InvalidParameter(
            f"stop_words must be None, 'english' or a list of words; got {stop_words!r:.60}."
        )
    for word in stop_words:
        if not isinstance(word, str):
            raise InvalidParameter(f"stop_words must be words; got {word!r} among them.")
    return stop_words


def _check_stem(stem: Any) -> None:
    if stem is None or callable(stem):
        return
    if not isinstance(stem, str):
        raise InvalidParameter(
            f"stem must be None, a language such as 'english', or a function; got {stem!r}."
        )
    known = require("snowballstemmer").algorithms()
    if stem not in known:
        raise InvalidParameter(f"stem has no language {stem!r}.{did_you_mean(stem, known)}")


def _check_range(ngram_range: Any) -> tuple[int, int]:
    whole = isinstance(ngram_range, tuple | list) and len(ngram_range) == 2
    if not (whole and all(isinstance(n, Integral) and not isinstance(n, bool) for n in ngram_range)):
        raise InvalidParameter(f"ngram_range must be two integers (low, high); got {ngram_range!r}.")
    low, high = map(int, ngram_range)
    if not 1 <= low <= high:
        raise InvalidParameter(f"ngram_range must have 1 <= low <= high; got {ngram_range!r}.")
    return low, high
