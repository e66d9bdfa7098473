"""Fold algebra: which rows each fold tests, and the statistics of all rows but those, by adding only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import record

Index = np.ndarray | slice
Split = tuple[np.ndarray, np.ndarray]
FEW = 64  # parts that are kept side by side; more are summed again where needed


class Additive(Protocol):
    """A value with `+`."""

    def __add__(self, other: Any) -> Any: ...


S = TypeVar("S", bound=Additive)


@record
class Partition:
    """Folds that test each of some rows once and train on all the others of them.

    `order` holds the rows sorted by fold; fold i tests `order[starts[i] : starts[i + 1]]`. `places` says where each
    of them stands in the table that the folds are of, where that is not the order of their numbers.
    """

    order: np.ndarray
    starts: np.ndarray
    places: np.ndarray | None = None

    @classmethod
    def of_sizes(cls, sizes: Any) -> Partition:
        """Consecutive blocks of these sizes."""
        starts = np.concatenate([[0], np.cumsum(sizes)])
        return cls(np.arange(starts[-1]), starts)

    @classmethod
    def of_tests(cls, tests: Sequence[np.ndarray]) -> Partition:
        """From the test rows of each fold."""
        return cls(np.concatenate(tests), np.concatenate([[0], np.cumsum([len(t) for t in tests])]))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def rows(self) -> int:
        return len(self.order)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Test rows per fold."""
        return np.diff(self.starts)

    @cached_property
    def _consecutive(self) -> bool:
        return bool(np.all(np.diff(self.order) == 1))

    def test(self, i: int) -> Index:
        """The test rows of fold i: a slice where they are consecutive."""
        return self.between(i, i + 1)

    def between(self, a: int, b: int) -> Index:
        """The test rows of folds a … b − 1."""
        rows = self.order[self.starts[a] : self.starts[b]]
        if self._consecutive and len(rows):
            return slice(int(rows[0]), int(rows[-1]) + 1)
        return rows

    def train(self, i: int) -> np.ndarray:
        """The rows that fold i trains on, in the order of the table: some models go by it."""
        rest = self._without(self.order, i)
        if self.places is not None:
            return rest[np.argsort(self._without(self.places, i), kind="stable")]
        return rest if self._consecutive else np.sort(rest)

    def _without(self, values: np.ndarray, i: int) -> np.ndarray:
        return np.concatenate([values[: self.starts[i]], values[self.starts[i + 1] :]])

    def within(self, rows: np.ndarray) -> Partition:
        """The same folds, counting positions among these rows of a larger table."""
        places = self.order if self.places is None else self.places
        return Partition(rows[self.order], self.starts, None if ascending(rows) else places)


@record
class Pairs:
    """Folds given as pairs of training and test rows, in any relation to each other."""

    splits: tuple[Split, ...]

    def __len__(self) -> int:
        return len(self.splits)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Test rows per fold."""
        return np.array([len(test) for _, test in self.splits])

    def test(self, i: int) -> Index:
        return as_slice(self.splits[i][1])

    def train(self, i: int) -> np.ndarray:
        return self.splits[i][0]

    def within(self, rows: np.ndarray) -> Pairs:
        """The same folds, counting positions among these rows of a larger table."""
        return Pairs(tuple((rows[a], rows[b]) for a, b in self.splits))


Folds = Partition | Pairs


def ascending(rows: np.ndarray) -> bool:
    """Whether rows stand in the order of their numbers."""
    return bool(np.all(np.diff(rows) > 0))


def as_slice(rows: np.ndarray) -> Index:
    """A slice where the rows are consecutive: reading it copies nothing."""
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1 and np.all(np.diff(rows) == 1):
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def as_folds(splits: Any, n: int) -> Folds:
    """Folds of n rows from folds or from pairs of training and test rows; a partition where they are one."""
    if isinstance(splits, Partition | Pairs):
        return splits
    pairs = tuple((_rows(a, n), _rows(b, n)) for a, b in splits)
    tests = [b for _, b in pairs]
    once = len(pairs) > 1 and sum(map(len, tests)) == n and _covers(tests, n)
    if once and all(len(a) + len(b) == n and ascending(a) and _covers((a, b), n) for a, b in pairs):
        return Partition.of_tests(tests)
    return Pairs(pairs)


def _rows(index: Any, n: int) -> np.ndarray:
    """Row numbers from numbers or a mask."""
    index = np.asarray(index)
    if index.dtype == bool and len(index) != n:
        raise InvalidInput(f"A mask of a split has {len(index)} entries for {n} rows.")
    index = np.flatnonzero(index) if index.dtype == bool else index
    if index.dtype.kind not in "iu" and index.size:
        raise InvalidInput(f"Splits must be row numbers or masks; got {index.dtype}.")
    if index.ndim != 1:
        raise InvalidInput(f"Splits must be vectors of row numbers; got shape {index.shape}.")
    for row in index[(index < -n) | (index >= n)][:1]:
        raise InvalidInput(f"A split names row {row}, but there are {n} rows.")
    return np.where(index < 0, index + n, index).astype(np.intp)


def _covers(parts: Iterable[np.ndarray], n: int) -> bool:
    seen = np.zeros(n, dtype=bool)
    for part in parts:
        seen[part] = True
    return bool(seen.all())


# -- statistics of everything but one fold ----------------------------------------------------------------
def leave_one_out_merges(parts: Sequence[S]) -> list[S]:
    """For each part the sum of the others, from prefix and suffix sums: 3K additions, no subtraction.

    >>> leave_one_out_merges([1, 10, 100])
    [110, 101, 11]
    """
    prefix, suffix = list(parts), list(parts)
    for i in range(1, len(parts)):
        prefix[i] = prefix[i - 1] + parts[i]
        suffix[-1 - i] = parts[-1 - i] + suffix[-i]
    middle = [prefix[i - 1] + suffix[i + 1] for i in range(1, len(parts) - 1)]
    return [suffix[1], *middle, prefix[-2]]


def leave_out(part: Callable[[int, int], S], k: int) -> Iterator[S]:
    """For each of k folds the sum over the others, where `part(a, b)` is the sum over folds a … b − 1.

    Up to 64 folds are read once. More are split into halves, each half starting from the sum of the
    other: every fold is read log₂(k/64) + 1 times, and only that many sums are alive.

    >>> list(leave_out(lambda a, b: sum(10**i for i in range(a, b)), 3))
    [110, 101, 11]
    """
    yield from _leave_out(part, 0, k, None)


def _leave_out(part: Callable[[int, int], S], a: int, b: int, outside: S | None) -> Iterator[S]:
    if b - a == 1 and outside is not None:
        yield outside
    elif b - a <= FEW:
        parts = [part(i, i + 1) for i in range(a, b)]
        for inside in leave_one_out_merges(parts):
            yield inside if outside is None else outside + inside
    else:
        middle = (a + b) // 2
        for lo, hi, other in ((a, middle, (middle, b)), (middle, b, (a, middle))):
            rest = part(*other)
            yield from _leave_out(part, lo, hi, rest if outside is None else outside + rest)


def atoms(folds: Pairs, n: int, most: int) -> tuple[np.ndarray, list[list[int]], list[list[int]]] | None:
    """Groups of rows that are in the same training and test sets throughout, if there are at most `most`.

    Returns the group of each row, and the groups that make up each training and each test set; None
    if there are too many, or a set repeats a row.
    """
    group = np.zeros(n, dtype=np.intp)
    for pair in folds.splits:
        for rows in pair:
            member = np.zeros(n, dtype=np.intp)
            np.add.at(member, rows, 1)
            if member.max(initial=0) > 1:
                return None
            found, group = np.unique(2 * group + member, return_inverse=True)
            if len(found) > most:
                return None
    sets = ([np.unique(group[rows]).tolist() for rows in side] for side in zip(*folds.splits, strict=True))
    train, test = sets
    return group, train, test
