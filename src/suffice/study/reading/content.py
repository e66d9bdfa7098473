"""Rows in an order that depends on what they hold, not on where they stand.

A file may be sorted, shuffled, or have its columns in any order: folds, draws and so every result stay the same. The
number of a row mixes the numbers of its cells, each with the name of its column, and sums them, so no order matters.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np

from suffice.prepare.looking._checks.rows import mixed


def content_numbers(columns: dict[str, np.ndarray]) -> np.ndarray:
    """A number per row, the same for equal rows and spread evenly over 64 bits."""
    total = np.zeros(len(next(iter(columns.values()))), dtype=np.uint64)
    for name, values in columns.items():
        key = mixed(np.array([crc32(name.encode("utf-8", "surrogatepass"))], dtype=np.uint64))
        total += mixed(_bits(values) ^ key)
    return mixed(total)


def _bits(values: np.ndarray) -> np.ndarray:
    """64 bits per cell that tell values apart; of texts their rank among the texts of the column."""
    if values.dtype.kind in "iufb":
        x = values.astype(float) + 0.0
        return np.where(np.isnan(x), np.nan, x).view(np.uint64)
    if values.dtype.kind in "mM":
        return values.astype(np.int64).view(np.uint64)
    words = np.array([repr(v) for v in values.tolist()])
    return np.unique(words, return_inverse=True)[1].astype(np.uint64)
