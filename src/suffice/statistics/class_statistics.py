"""One statistic per class: what a model of p(x | class) and p(class) keeps of labelled rows.

Statistics of tables with the same columns add class by class, and their classes are united. A class that is listed but
has no rows yet has the statistic None and the count zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import frozen_array, record, same_columns
from suffice.statistics.counts import Counts, check_same_kind
from suffice.statistics.header import Header
from suffice.statistics.labels import CountedByLabel

GONE = 1e-9  # of a class: what is left of it below that is rounding


@record
class ClassStatistics(CountedByLabel):
    """Columns of the table, the weight of each class, and a statistic of the rows of each.

    Examples
    --------
    >>> from suffice.statistics import ClassStatistics, Moments
    >>> a = ClassStatistics.of([[1.0], [3.0], [9.0]], ["low", "low", "high"], Moments.of)
    >>> b = ClassStatistics.of([[2.0]], ["low"], Moments.of)
    >>> (a + b)["low"].mean, (a + b).counts.counts
    (array([2.]), array([1., 3.]))
    """

    header: Header
    counts: Counts
    parts: tuple[Any, ...]

    @classmethod
    def of(cls, X: Any, y: Any, statistic: Callable[..., Any], sample_weight: Any = None) -> ClassStatistics:
        """`statistic(rows, weight)` of the rows of each label."""
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        if X.ndim != 2 or y.shape != (len(X),):
            raise InvalidInput(
                f"X must be a table and y one label per row; got shapes {X.shape} and {y.shape}."
            )
        counts = Counts.of(y, sample_weight)
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        parts = tuple(
            statistic(X[y == c], None if weight is None else weight[y == c]) for c in counts.classes
        )
        return cls(Header(X.shape[1]), counts, parts)

    def check_loaded(self) -> int:
        """Nothing is made; raises for a class with rows that has no statistic."""
        lost = [
            c
            for c, n, part in zip(self.classes, self.counts.counts, self.parts, strict=True)
            if n and part is None
        ]
        if lost:
            raise InvalidInput(f"Class {lost[0]!r} has rows and no statistic of them.")
        return 0

    def __getitem__(self, label: Any) -> Any:
        """The statistic of a class; None if it has no rows."""
        place = np.flatnonzero(self.classes == label)
        if not len(place):
            raise InvalidInput(f"Unknown class {label!r}; there are {self.classes.tolist()}.")
        return self.parts[place[0]]

    def of_classes_with_rows(self) -> ClassStatistics:
        """The classes that have rows, without those that are only listed."""
        there = self.counts.counts > 0
        if there.all():
            return self
        counts = Counts(
            frozen_array(self.classes[there], dtype=self.classes.dtype),
            frozen_array(self.counts.counts[there]),
            self.rows,
        )
        return ClassStatistics(
            self.header, counts, tuple(p for p, t in zip(self.parts, there, strict=True) if t)
        )

    def with_parts(self, change: Callable[[Any], Any]) -> ClassStatistics:
        """The same with every statistic changed; classes without rows stay without."""
        return ClassStatistics(
            self.header, self.counts, tuple(None if p is None else change(p) for p in self.parts)
        )

    @same_columns
    def __add__(self, other: ClassStatistics) -> ClassStatistics:
        counts = self.counts + other.counts
        mine, theirs = self._by_class(), other._by_class()
        parts = tuple(_added(mine.get(c), theirs.get(c)) for c in counts.classes.tolist())
        return ClassStatistics(self.header, counts, parts)

    @same_columns
    def __sub__(self, other: ClassStatistics) -> ClassStatistics:
        check_same_kind(self.classes, other.classes)
        counts, theirs = self.counts - other.counts, other._by_class()
        gone = counts.counts <= GONE * self.counts.counts
        left = frozen_array(np.where(gone, 0.0, counts.counts))  # what rounding leaves of a class is none
        parts = []
        for label, mine, none in zip(self.classes.tolist(), self.parts, gone.tolist(), strict=True):
            part = theirs.get(label)
            parts.append(None if none else mine if part is None else mine - part)
        return ClassStatistics(self.header, Counts(counts.classes, left, counts.rows), tuple(parts))

    def _by_class(self) -> dict[Any, Any]:
        return dict(zip(self.classes.tolist(), self.parts, strict=True))

    def __repr__(self) -> str:
        return f"ClassStatistics(n={self.n:g}, classes={self.classes.tolist()})"


def _added(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b
