"""Categories that are too rare for a column of their own, which share one: chosen by how often each occurs.

Counts add, so that the choice after a merge, or after rows are forgotten, is that of one fit to the rows that are left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.records import frozen_array
from suffice.prepare._values import check_count
from suffice.prepare.transforming._value_counts import places
from suffice.statistics import Counts

INFREQUENT = "infrequent_sklearn"  # what scikit-learn calls their column


def check_limits(min_frequency: Any, max_categories: Any) -> None:
    """Raise for limits that no table can meet."""
    if max_categories is not None:
        check_count("max_categories", max_categories)
    if min_frequency is not None and not _is_frequency(min_frequency):
        raise InvalidParameter(
            "min_frequency must be None, a whole number >= 1 (of rows) or a number strictly between 0 and 1 (of their "
            f"share); got {min_frequency!r}."
        )


def _is_frequency(value: Any) -> bool:
    if isinstance(value, int | np.integer):
        return not isinstance(value, bool) and bool(value >= 1)
    return isinstance(value, float | np.floating) and bool(0 < value < 1)


def counts_of(values: np.ndarray, seen: Counts) -> np.ndarray:
    """How often each of some values occurs; zero where it does not."""
    cells = values.astype(object) if values.dtype.kind == "U" else values
    return np.append(seen.counts, [0.0, 0.0])[places(cells, seen.classes)]


def infrequent_places(
    counts: np.ndarray, total: float, min_frequency: float | None, max_categories: int | None
) -> np.ndarray:
    """The places of the infrequent among the categories, in order.

    Those below `min_frequency`, then as many of the rarest as leave `max_categories` columns, the shared one among
    them; of equally rare ones the first.
    """
    rare = np.zeros(len(counts), dtype=bool)
    if min_frequency is not None:
        limit = min_frequency if isinstance(min_frequency, int | np.integer) else total * min_frequency
        rare = counts < limit
    if max_categories is not None and max_categories < len(counts) - rare.sum() + 1:
        rarest = np.argsort(counts, kind="stable")
        rare[rarest[: max(len(counts) - (max_categories - 1), 0)]] = True
    return frozen_array(np.flatnonzero(rare), dtype=int)


def grouped(n: int, infrequent: np.ndarray) -> np.ndarray:
    """The column of each of n categories: those of the frequent ones in order, then the one that the others share."""
    shares = np.zeros(n, dtype=bool)
    shares[infrequent] = True
    return np.where(shares, n - len(infrequent), np.cumsum(~shares) - 1)
