"""Training and test statistics of every fold: from parts that are gathered once, or from whitened rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from suffice._core.records import record
from suffice.statistics.folds import FEW, Folds, Index, Pairs, Partition, atoms, leave_out
from suffice.statistics.whitened import Gram, Whitened


@record
class FoldStatistics:
    """Gathers parts of the rows with `gather(rows)` and adds them up.

    Rows that are in the same sets throughout are read once where that leaves few parts (partitions,
    time series); otherwise each training set is read by itself.
    """

    gather: Callable[[Index], Any]
    n: int

    def pairs(self, folds: Folds) -> Iterator[tuple[Any, Any]]:
        """One (training, test) pair of statistics per fold."""
        if isinstance(folds, Partition):
            yield from _partition(self.gather, folds)
            return
        found = atoms(folds, self.n, 2 * len(folds) + 2)
        if found is None:
            yield from _nested(self.gather, folds)
            return
        group, *sets = found
        parts = [self.gather(np.flatnonzero(group == g)) for g in range(int(group.max()) + 1)]
        for train, test in zip(*sets, strict=True):
            yield _sum([parts[g] for g in train]), _sum([parts[g] for g in test])


@record
class WhitenedStatistics:
    """The same from whitened rows; a fold whose training set determines too little is gathered from its rows.

    So are its test rows: in units of a wild value that is in neither set, products of other rows have no digits left.
    """

    whitened: Whitened
    gather: Callable[[Index], Any]

    def pairs(self, folds: Folds) -> Iterator[tuple[Any, Any]]:
        """One (training, test) pair per fold; tests are cross-products."""
        for i, (train, test) in enumerate(self._grams(folds)):
            triangle = self.whitened.triangle(train)
            if triangle is None:
                yield self.gather(folds.train(i)), self.gather(folds.test(i))
            else:
                yield triangle, test

    def _grams(self, folds: Folds) -> Iterator[tuple[Gram, Gram]]:
        if isinstance(folds, Partition):
            return _partition(self.whitened.gram, folds)
        return _nested(self.whitened.gram, folds)


def _nested(gather: Callable[[Index], Any], folds: Pairs) -> Iterator[tuple[Any, Any]]:
    """Each training set by itself; one that begins with the one before, as in a learning curve, adds its rest."""
    train: Any = np.empty(0, dtype=np.intp)
    test, kept, tested = train, None, None
    for i in range(len(folds)):
        old, train = train, folds.train(i)
        kept = kept + gather(train[len(old) :]) if _begins(train, old) else gather(train)
        last, test = test, folds.splits[i][1]
        tested = tested if _begins(test, last) and len(test) == len(last) else gather(folds.test(i))
        yield kept, tested


def _begins(rows: np.ndarray, old: np.ndarray) -> bool:
    """Whether `rows` is the memory of `old` and on: a longer slice of the same array."""
    same = (
        rows.__array_interface__["data"][0] == old.__array_interface__["data"][0]
        and rows.strides == old.strides
    )
    return same and 0 < len(old) <= len(rows)


def _partition(gather: Callable[[Index], Any], folds: Partition) -> Iterator[tuple[Any, Any]]:
    kept: dict[int, Any] = {}

    def part(a: int, b: int) -> Any:
        value = gather(folds.between(a, b))
        if b - a == 1 and len(folds) <= FEW:
            kept[a] = value
        return value

    for i, train in enumerate(leave_out(part, len(folds))):
        yield train, kept[i] if i in kept else part(i, i + 1)


def _sum(parts: list[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
