"""Which fold a row belongs to: decided by its number alone, so that any reader of the source agrees.

The number of a row (its file, its place in the file) is mixed by the finalizer of SplitMix64 and scaled to the number
of folds. Groups are mixed by their values instead: equal values are always in one fold.
"""

from __future__ import annotations

import hashlib

import numpy as np

from suffice.tables.cells import is_missing

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def folds_of_rows(file: int, start: int, n: int, folds: int, seed: int) -> np.ndarray:
    """The folds of n rows of a file, from row `start`.

    >>> folds_of_rows(0, 0, 12, 3, seed=0)
    array([0, 2, 1, 0, 2, 0, 0, 0, 2, 0, 2, 1], dtype=uint8)
    """
    first = (_mixed(seed * GOLDEN + file) + start) & MASK
    return _scaled(np.arange(n, dtype=np.uint64) + np.uint64(first), folds)


def folds_of_groups(values: np.ndarray, folds: int, seed: int) -> np.ndarray:
    """The folds of rows by what their groups are called; all gaps are one group.

    >>> folds_of_groups(np.array([7.0, np.nan, 7.0, np.nan]), 5, seed=1)
    array([0, 1, 0, 1], dtype=uint8)
    """
    if values.dtype.kind in "mM":
        values = values.astype(f"{values.dtype.kind}8[us]")  # files may count days or nanoseconds
    cells = values.tolist()
    mixed = {v: _digest(v, seed) for v in set(cells)}
    return _scaled(np.fromiter((mixed[v] for v in cells), dtype=np.uint64, count=len(cells)), folds)


def _digest(value: object, seed: int) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # 7 and 7.0 are one group
    text = f"{seed}" if is_missing(value) else f"{seed}:{value}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _scaled(x: np.ndarray, folds: int) -> np.ndarray:
    with np.errstate(over="ignore"):
        x = x * np.uint64(GOLDEN)
        x ^= x >> np.uint64(30)
        x *= np.uint64(0xBF58476D1CE4E5B9)
        x ^= x >> np.uint64(27)
        x *= np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
        x >>= np.uint64(32)
        x *= np.uint64(folds)
        x >>= np.uint64(32)
    return x.astype(np.uint8 if folds <= 256 else np.uint32)


def _mixed(x: int) -> int:
    x &= MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)
