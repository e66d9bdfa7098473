"""Some rows of a source to begin an iteration with: chosen by their numbers, so that any reader of the source agrees.

The rows whose mixed numbers (`hashing.py`) are smallest are a sample at random; of two parts, the smallest of both are
those of the whole. All rows are kept where they are few.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.records import record
from suffice.engine.door import Entering
from suffice.engine.hashing import folds_of_rows
from suffice.engine.reduce import Rows
from suffice.engine.values import n_rows

ENOUGH = 8192  # rows that an iteration begins from
KEYS = 1 << 32


@record
class SampledRows:
    """Validated rows in the order in which they were read, their keys, and how many there were in all."""

    keys: np.ndarray
    rows: Rows
    n: int

    def __add__(self, other: SampledRows) -> SampledRows:
        keys = np.concatenate([self.keys, other.keys])
        first = smallest(keys)
        return SampledRows(keys[first], _joined(self.rows, other.rows)[first], self.n + other.n)

    @property
    def whole(self) -> bool:
        """Whether it holds every row."""
        return self.n == len(self.keys)


@record
class Sampling:
    """The sample of a batch."""

    enter: Entering

    def __call__(self, batch: Any, file: int, start: int) -> SampledRows | None:
        chosen = self.enter.rows(batch, file, start)
        opened = self.enter(batch, chosen, start=start)
        if opened is None:
            return None
        keys = folds_of_rows(file, start, n_rows(batch), KEYS, seed=0)
        keys = keys if chosen is None else keys[chosen]
        rows = opened[0]
        counts = np.flatnonzero(np.ones(len(rows)) if rows.weight is None else rows.weight)
        first = counts[smallest(keys[counts])]
        return SampledRows(keys[first], rows[first], len(counts))


def smallest(keys: np.ndarray) -> np.ndarray:
    """Where the smallest keys are, in the order of reading; the earlier of equal ones."""
    return np.sort(np.argsort(keys, kind="stable")[:ENOUGH])


def _joined(a: Rows, b: Rows) -> Rows:
    weight = None if a.weight is None or b.weight is None else np.concatenate([a.weight, b.weight])
    X = sparse.vstack([a.X, b.X], format="csr") if sparse.issparse(a.X) else np.concatenate([a.X, b.X])
    return Rows(X, np.concatenate([a.Y, b.Y]), weight)
