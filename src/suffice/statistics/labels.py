"""How often each label occurred in a table: `Counts` that remember the columns they were seen with.

Counts of tables with the same columns add, and their classes are united. Labels of different kinds (1 and
"1", True and 1) are never taken for each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from suffice._core.records import frozen_array, record, same_columns
from suffice.statistics.counts import Counts
from suffice.statistics.header import Header


class CountedByLabel:
    """What `counts` of labels say about any statistic that holds them."""

    if TYPE_CHECKING:
        counts: Counts

    @property
    def classes(self) -> np.ndarray:
        return self.counts.classes

    @property
    def n(self) -> float:
        return self.counts.n

    @property
    def rows(self) -> int:
        return self.counts.rows

    @property
    def fingerprint(self) -> tuple:
        """Counts per class that occurred."""
        return self.counts.fingerprint


@record
class LabelCounts(CountedByLabel):
    """Columns of the table, and the counts of its labels.

    Examples
    --------
    >>> from suffice.statistics import Counts, Header
    >>> from suffice.statistics.labels import LabelCounts
    >>> a, b = (LabelCounts(Header(3), Counts.of(y)) for y in (["no", "yes"], ["no", "maybe"]))
    >>> (a + b).classes.tolist(), (a + b).counts.counts.tolist()
    (['maybe', 'no', 'yes'], [1.0, 2.0, 1.0])
    """

    header: Header
    counts: Counts

    @classmethod
    def of_codes(
        cls, header: Header, classes: np.ndarray, codes: np.ndarray, weight: np.ndarray | None = None
    ) -> LabelCounts:
        """From positions in sorted `classes`; a class that no row has keeps its place with count zero."""
        totals = np.bincount(codes, weight, minlength=len(classes)).astype(float)
        rows = len(codes) if weight is None else int(np.count_nonzero(weight))
        return cls(header, Counts(classes, frozen_array(totals), rows))

    @same_columns
    def __add__(self, other: LabelCounts) -> LabelCounts:
        return LabelCounts(self.header, self.counts + other.counts)

    @same_columns
    def __sub__(self, other: LabelCounts) -> LabelCounts:
        return LabelCounts(self.header, self.counts - other.counts)
