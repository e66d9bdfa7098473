"""Rows that are copies of others: on both sides of a split they would be tested on what was trained on.

Rows are copies if they are equal in all features, whatever the target; or in all but one column, such as a time stamp
or a counter of visits; or in the target as well. What tells them from the ties of coarse columns is in
`suffice.prepare.looking._checks.repeats`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from suffice._core.records import record
from suffice.prepare.looking._checks.repeats import are_copies, column_marks, few_repeats, row_marks

WIDEST = 100  # columns that are left out in turn


@record
class Copies:
    """Rows that go together: a mark per row, in what they are equal, and the one column in which they may differ."""

    marks: np.ndarray
    same: str
    differs: str | None = None

    @property
    def n_repeated(self) -> int:
        """Rows that equal an earlier one."""
        return len(self.marks) - self.n_different

    @property
    def n_different(self) -> int:
        return len(np.unique(self.marks))

    @property
    def told(self) -> str:
        """The first half of a sentence: how many, and in what."""
        return f"{self.n_repeated:,} of {len(self.marks):,} rows equal an earlier one in {self.same}"


def copies(Z: np.ndarray, y: np.ndarray, owners: Sequence[str] | None = None) -> Copies | None:
    """Rows that are copies; None if there are few. `owners` names the column of the table of each column of Z."""
    owners = [str(j) for j in range(Z.shape[1])] if owners is None else owners
    target = column_marks([np.unique(y, return_inverse=True)[1]])[0]
    columns = _by_owner(Z, owners)
    for same, differs, marks, kept in _ways(columns, target):
        if not few_repeats(marks) and are_copies(marks, kept):
            return Copies(np.unique(marks, return_inverse=True)[1].astype(str), same, differs)
    return None


def _by_owner(Z: np.ndarray, owners: Sequence[str]) -> dict[str, np.ndarray]:
    """One mark per row and column of the table: codes of one column go together."""
    cells = column_marks([np.ascontiguousarray(z + 0.0).view(np.uint64) for z in Z.T])
    found: dict[str, np.ndarray] = {}
    for name, marks in zip(owners, cells, strict=True):
        found[name] = found[name] + marks if name in found else marks
    return found


def _ways(
    columns: dict[str, np.ndarray], target: np.ndarray
) -> Iterator[tuple[str, str | None, np.ndarray, list[np.ndarray]]]:
    """In what rows may be equal: all features, all with the target, all features but one."""
    whole = row_marks(list(columns.values()))
    yield "all features", None, whole, list(columns.values())
    yield "all features and the target", None, whole + target, [*columns.values(), target]
    if not 3 <= len(columns) <= WIDEST:
        return
    for name, marks in columns.items():
        rest = [m for other, m in columns.items() if other != name]
        yield f"all features but {name!r:.60}", name, whole - marks, rest
