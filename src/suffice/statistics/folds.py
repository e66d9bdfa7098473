"""Fold algebra: the statistics of all folds but one, for every fold, by adding only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar


class Additive(Protocol):
    """A value with `+`."""

    def __add__(self, other: Any) -> Any: ...


S = TypeVar("S", bound=Additive)


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
