r"""How one column of a table becomes numbers: a code per kind of column, learned once and then fixed.

NumberCode   the number (spans of time in days); a gap becomes the median, and a second column says where
RankCode     the place of a word in a known order, 0, 1, …; gaps as for numbers
LevelsCode   a column of zeros and ones per level but the most frequent one, the reference; rare levels are one level
TimeCode     days since the first moment, and the turn of the year, week and day as cosine and sine

Every code has `name`, `names` (of what it gives) and `gap` (whether the fit met gaps). `read(values)` is a number, a
place or a moment per cell, and `write(cells, out)` puts what was read into columns of zeros; `strangers(values)` are
the cells it has not been prepared for, `missing(values)` is how many cells have no value. What a code cannot place is
met by the *average* row: the median, or the shares of the levels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from suffice.prepare.transforming._cell_reading import as_moments, as_numbers, as_words
from suffice.prepare.transforming._code_levels import LevelsCode, levels_code
from suffice.prepare.transforming._code_numbers import NumberCode, RankCode, number_code, rank_code
from suffice.prepare.transforming._code_times import TimeCode, time_code

__all__ = [
    "Code", "LevelsCode", "NumberCode", "RankCode", "TimeCode", "as_moments", "as_numbers", "as_words", "joined",
    "levels_code", "number_code", "rank_code", "time_code",
]  # fmt: skip


BLOCK = 8192  # rows that are written at a time, so that they stay in the cache while their columns are filled


class Code(Protocol):
    """What an encoder asks of the code of a column."""

    @property
    def name(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def gap(self) -> bool: ...
    @property
    def rule(self) -> str: ...
    def read(self, values: np.ndarray) -> np.ndarray: ...
    def write(self, cells: np.ndarray, out: np.ndarray) -> None: ...
    def strangers(self, values: np.ndarray) -> Counter[str]: ...
    def missing(self, values: np.ndarray) -> int: ...


def joined(codes: Sequence[Code], columns: Sequence[np.ndarray], n: int) -> np.ndarray:
    """The columns of all codes side by side."""
    ends = np.cumsum([0, *(len(code.names) for code in codes)])
    out = np.zeros((n, int(ends[-1])))
    cells = [code.read(values) for code, values in zip(codes, columns, strict=True)]
    for start in range(0, n, BLOCK):
        rows = slice(start, start + BLOCK)
        for code, read, a, b in zip(codes, cells, ends[:-1], ends[1:], strict=True):
            code.write(read[rows], out[rows, a:b])
    return out
