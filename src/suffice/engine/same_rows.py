"""Passes that must see the same rows: each leaves their fingerprint, which adds like the statistics.

A file that is written to or replaced between two passes, or other data behind a checkpoint, would give a model of no
data at all, without a sign of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.engine.reduce import Rows

_ODD = 0x9E3779B97F4A7C15  # 2⁶⁴ over the golden ratio
_WRAP = (1 << 64) - 1


@record
class RowsFingerprint:
    """Of validated rows, however split and in any order: their number, and the sum of a mixed number of each."""

    n: int
    mixed: int

    @classmethod
    def of(cls, rows: Rows) -> RowsFingerprint:
        tables = [rows.X, rows.Y, *([] if rows.weight is None else [rows.weight])]
        with np.errstate(over="ignore"):
            keys = sum(_keys(np.uint64(_ODD * (2 * i + 1) & _WRAP), table) for i, table in enumerate(tables))
            return cls(len(rows), int(np.sum(_stirred(np.uint64(len(rows) > 0) * keys), dtype=np.uint64)))

    def __add__(self, other: RowsFingerprint) -> RowsFingerprint:
        return RowsFingerprint(self.n + other.n, (self.mixed + other.mixed) & _WRAP)


@record
class PassResult:
    """What a pass gathered, and which rows it saw."""

    value: Any
    rows: RowsFingerprint

    def __add__(self, other: PassResult) -> PassResult:
        return PassResult(self.value + other.value, self.rows + other.rows)


class SameRows:
    """The passes of one fit: all must see the rows that the first saw."""

    def __init__(self, known: RowsFingerprint | None = None):
        self.known = known

    def of(self, seen: PassResult) -> Any:
        """What a pass gathered; raises where it saw other rows."""
        if self.known is None:
            self.known = seen.rows
        if seen.rows != self.known:
            other = (
                "other values"
                if seen.rows.n == self.known.n
                else f"{seen.rows.n:,} rows, the first {self.known.n:,}"
            )
            raise InvalidInput(
                f"The rows changed between two passes over the source: this one saw {other}. Fit again when nothing "
                "writes to it."
            )
        return seen.value


def _keys(seed: np.uint64, table: Any) -> Any:
    """A number per row that depends on the bits and the places of its cells."""
    if sparse.issparse(table):
        return _sparse_keys(seed, sparse.csr_array(table))
    if not isinstance(table, np.ndarray) or table.dtype.kind not in "fiub":
        return np.uint64(0)
    bits = _bits(table if table.ndim == 2 else table[:, None])
    places = seed * (2 * np.arange(bits.shape[1], dtype=np.uint64) + np.uint64(1))
    return np.einsum("ij,j->i", bits, places)


def _sparse_keys(seed: np.uint64, table: Any) -> np.ndarray:
    cells = _stirred(_bits(table.data) * (seed + 2 * table.indices.astype(np.uint64)))
    ends = np.concatenate([[np.uint64(0)], np.cumsum(cells, dtype=np.uint64)])
    return ends[table.indptr[1:]] - ends[table.indptr[:-1]]


def _bits(numbers: np.ndarray) -> np.ndarray:
    """Numbers as unsigned ones, different where they are."""
    if numbers.dtype == np.float64:
        return numbers.view(np.uint64) if numbers.flags.c_contiguous else numbers.copy().view(np.uint64)
    if numbers.dtype.kind == "f":
        return _bits(numbers.astype(np.float64))
    return numbers.astype(np.int64).view(np.uint64)


def _stirred(keys: Any) -> Any:
    """Each bit of a number spread over all of it, so that sums of them hide nothing."""
    keys = (keys ^ (keys >> np.uint64(32))) * np.uint64(_ODD)
    return keys ^ (keys >> np.uint64(29))
