r"""Columns of categories as zeros and ones: a column per level but the most frequent one."""

from __future__ import annotations

from collections import Counter

import numpy as np

from suffice._core.records import frozen_array, record
from suffice.prepare.looking._decimal_marks import decimal_mark
from suffice.prepare.looking._texts import parse_number
from suffice.prepare.transforming._cell_reading import counted_words, distinct_words, word_of
from suffice.prepare.transforming._code_numbers import names_with_gap


@record
class LevelsCode:
    """Zeros and ones. `levels` begins with the reference, which has no column.

    `rare` are the words that count as one level, "other"; `gap` says whether a missing cell is a level. `shares` are
    those of the levels, then of the rare ones and of gaps. `numbers`: text is read as a number first, for the level 3
    may be written 3.0.
    """

    name: str
    names: tuple[str, ...]
    levels: tuple[str, ...]
    shares: np.ndarray
    rare: tuple[str, ...]
    gap: bool
    numbers: bool

    @property
    def rule(self) -> str:
        return "taken as the average row: the shares of the levels"

    @property
    def reference(self) -> str:
        """The level that the columns are compared with."""
        return self.levels[0]

    def write(self, cells: np.ndarray, out: np.ndarray) -> None:
        here = np.flatnonzero((cells > 0) & (cells <= len(self.names)))
        out[here, cells[here] - 1] = 1.0
        out[cells > len(self.names)] = self.shares[1:]

    def read(self, values: np.ndarray) -> np.ndarray:
        """The place of every cell among the levels; one beyond them for what is unknown."""
        codes, words = self._words(values)
        unknown, other = len(self.names) + 1, len(self.levels)
        place = {level: i for i, level in enumerate(self.levels)} | dict.fromkeys(self.rare, other)
        gone = other + bool(self.rare) if self.gap else unknown
        return np.array([*(place.get(w, unknown) for w in words), gone])[codes]

    def _words(self, values: np.ndarray) -> tuple[np.ndarray, list[str]]:
        codes, words = distinct_words(values)
        if not self.numbers or values.dtype != object:
            return codes, words
        mark = decimal_mark(words).mark
        return codes, words if mark is None else [_canonical(w, mark) for w in words]

    def strangers(self, values: np.ndarray) -> Counter[str]:
        """Levels that the fit has not met."""
        codes, words = self._words(values)
        known, counts = {*self.levels, *self.rare}, np.bincount(codes[codes >= 0], minlength=len(words))
        out: Counter[str] = Counter()
        for word, n in zip(words, counts.tolist(), strict=True):
            if word not in known and n:
                out[word] += n
        return out

    def missing(self, values: np.ndarray) -> int:
        return int(np.sum(distinct_words(values)[0] < 0))


def levels_code(
    name: str, values: np.ndarray, most: int, least: int, counts: Counter[str] | None = None
) -> LevelsCode:
    """The code of a column of categories: the `most` frequent with at least `least` rows; the rest are one level.

    `counts` of the words are made here unless they are known.
    """
    counts = counted_words(values) if counts is None else counts
    missing = len(values) - counts.total()
    ranked = sorted(counts, key=lambda w: (-counts[w], w))
    kept = [w for w in ranked[:most] if counts[w] >= least] or ranked[:1]
    if len(kept) == len(ranked) - 1:
        kept = ranked  # one level alone is called by its name
    rare = tuple(ranked[len(kept) :])
    sizes = [*(counts[w] for w in kept), *([sum(counts[w] for w in rare)] if rare else [])]
    sizes += [missing] if missing else []
    names = [f"{name} = {_shown(w)}" for w in kept[1:]] + ([f"{name} is other"] if rare else [])
    shares = frozen_array(np.array(sizes) / len(values))
    numbers = values.dtype.kind in "iuf"
    return LevelsCode(
        name, names_with_gap(name, names, missing > 0), tuple(kept), shares, rare, missing > 0, numbers
    )


def _canonical(word: str, mark: str) -> str:
    found = parse_number(word, mark)
    return word if found is None else word_of(found)


def _shown(word: str) -> str:
    """A level in a name: in quotes if its blanks would be overlooked."""
    return word if word and word == word.strip() else repr(word)
