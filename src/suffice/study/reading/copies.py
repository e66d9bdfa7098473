"""Rows that are copies of others: on both sides of a split they would be tested on what was trained on.

Rows are copies if they are equal in all features, whatever the target; or in all but one column, such as a time stamp
or a counter of visits; or in the target as well; or if one column was measured once for several rows, as a rate of a
year. What tells copies from the ties of coarse columns is in `suffice.prepare.looking._checks.repeats`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from suffice._core.records import record
from suffice.prepare.looking._checks.repeats import are_copies, column_marks, few_repeats, row_marks

WIDEST = 100  # columns that are left out in turn
EARLIER = "an earlier one"
FEWEST = 6  # values of a column that was measured once for several rows
GRID = 0.05


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
    def sentence(self) -> str:
        """The first half of a sentence: how many, and in what."""
        return f"{self.n_repeated:,} of {len(self.marks):,} rows equal {EARLIER} in {self.same}"


def copies(Z: np.ndarray, y: np.ndarray, owners: Sequence[str] | None = None) -> Copies | None:
    """Rows that are copies; None if there are few. `owners` names the column of the table of each column of Z."""
    owners = [str(j) for j in range(Z.shape[1])] if owners is None else owners
    target = column_marks([np.unique(y, return_inverse=True)[1]])[0]
    columns = _by_owner(Z, owners)
    for same, differs, marks, kept in _meanings_of_equal(columns, target):
        if not few_repeats(marks) and are_copies(marks, kept):
            return Copies(np.unique(marks, return_inverse=True)[1].astype(str), same, differs)
    place = _measured_once(Z)
    return None if place is None else Copies(place.astype(str), "all features")


def _measured_once(Z: np.ndarray) -> np.ndarray | None:
    """A number per row, the same for equal rows, where one column was measured once for several rows; else None.

    Such a column tells all different rows apart, its values lie on no grid, as those of a measurement, and rows share
    them unevenly, as those of no experiment do.
    """
    for z in Z.T:
        values, place, counts = np.unique(z, return_inverse=True, return_counts=True)
        if not FEWEST <= len(values) <= len(z) / 3 or np.ptp(counts) == 0 or _on_a_grid(values):
            continue
        first = np.unique(place, return_index=True)[1]
        if np.array_equal(Z, Z[first[place]]):
            return place
    return None


def _on_a_grid(values: np.ndarray) -> bool:
    """Whether three digits write all values, or all steps between them are multiples of the shortest one, nearly."""
    digits = 2 - int(np.floor(np.log10(np.abs(values).max())))
    ratio = np.diff(values) / np.diff(values).min()
    return np.allclose(values, np.round(values, digits), rtol=1e-9) or bool(
        np.all(np.abs(ratio - np.round(ratio)) < GRID)
    )


def _by_owner(Z: np.ndarray, owners: Sequence[str]) -> dict[str, np.ndarray]:
    """One mark per row and column of the table: codes of one column go together."""
    cells = column_marks([np.ascontiguousarray(z + 0.0).view(np.uint64) for z in Z.T])
    found: dict[str, np.ndarray] = {}
    for name, marks in zip(owners, cells, strict=True):
        found[name] = found[name] + marks if name in found else marks
    return found


def _meanings_of_equal(
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


def copies_remark(remarks: Sequence[str]) -> str | None:
    """The remark about copies among those of a problem; None if there is none."""
    return next((r for r in remarks if f"rows equal {EARLIER} in " in r), None)
