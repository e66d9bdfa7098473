"""Rows in an order that depends on what they hold, not on where they stand.

A file may be sorted, shuffled, or have its columns in any order: folds, draws and so every result stay the same. The
number of a row mixes the numbers of its cells, each with the name of its column, and sums them, so no order matters.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np

from suffice.prepare.looking._checks.rows import mixed


def content_numbers(columns: dict[str, np.ndarray]) -> np.ndarray:
    """A number per row, the same for equal rows and spread evenly over 64 bits; it does not change with the units."""
    total = np.zeros(len(next(iter(columns.values()))), dtype=np.uint64)
    for name, values in columns.items():
        key = mixed(np.array([crc32(name.encode("utf-8", "surrogatepass"))], dtype=np.uint64))
        total += mixed(_bits(values) ^ key)
    return mixed(total)


def _bits(values: np.ndarray) -> np.ndarray:
    """The rank of each cell among the values of its column, so that neither units nor the order of rows matter."""
    if values.dtype == object:
        values = np.array([repr(v) for v in values.tolist()])
    return np.unique(values, return_inverse=True)[1].astype(np.uint64)
