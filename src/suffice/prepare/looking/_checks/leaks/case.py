"""What every check for leaks starts from: the different rows that have a target, and the other columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from suffice._core.records import record
from suffice.prepare.looking._checks.leaks.evidence import Leak
from suffice.prepare.looking._checks.leaks.orders import Order, orders_of
from suffice.prepare.looking._checks.repeats import are_copies, column_marks, few_repeats, row_marks
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.attributes import Attribute

FEWEST = 10
CLASSES = 50
NUMBERS = ("numbers", "times", "flags")


@record
class Case:
    """A target, the columns that may know it, and the rows to judge by: of copies one, for they prove nothing."""

    target: Profile
    columns: tuple[Profile, ...]
    types: dict[str, Attribute]
    rows: np.ndarray
    orders: tuple[Order, ...]

    @property
    def classes(self) -> bool:
        return is_classes(self.target)

    @property
    def numeric(self) -> bool:
        return self.target.kind in NUMBERS and self.target.values.dtype != object

    @cached_property
    def time_error(self) -> float:
        """Error of the target, in its spread, if a row is predicted from those before and after it in time."""
        y = self.target.standardized
        return min((order.error(y) for order in self.orders), default=np.inf) if self.numeric else np.inf

    def without(self, leaks: Collection[Leak]) -> Case:
        """The case without columns that leak already."""
        taken = {name for leak in leaks for name in leak.columns}
        return replace(self, columns=tuple(p for p in self.columns if p.name not in taken))

    def without_orders(self, names: Collection[str]) -> Case:
        """The case without orders that are made of the target."""
        return replace(self, orders=tuple(o for o in self.orders if not set(o.names) & set(names)))

    @property
    def all_rows(self) -> np.ndarray:
        """Rows with a target, copies too."""
        target = self.target
        return np.flatnonzero(~(np.isnan(target.numbers) if target.kind in NUMBERS else target.gaps))

    def known(self, p: Profile) -> np.ndarray:
        """Rows in use where a column has a value, as a number if it holds numbers."""
        gaps = np.isnan(p.numbers) if p.kind in NUMBERS else p.gaps
        return self.rows[~gaps[self.rows]]


def case_of(columns: Sequence[Profile], types: dict[str, Attribute], target: Profile) -> Case:
    """The rows with a target, without copies; identifiers do not make rows different."""
    others = tuple(p for p in columns if p.name != target.name)
    compared = [target, *(p for p in others if not types[p.name].identifier)]
    has = ~np.isnan(target.numbers) if target.kind in NUMBERS else ~target.gaps
    rows = np.flatnonzero(has & _first_of_copies(compared, len(has)))
    return Case(target, others, types, rows, orders_of(others, types, rows))


def _first_of_copies(columns: Sequence[Profile], n: int) -> np.ndarray:
    """Where a row is no copy of an earlier one; all rows, where equal ones are but ties."""
    cells = column_marks([p.codes for p in columns])
    marks = row_marks(cells)
    first = np.ones(n, dtype=bool)
    if not few_repeats(marks) and are_copies(marks, cells):
        first[:] = False
        first[np.unique(marks, return_index=True)[1]] = True
    return first


def is_classes(target: Profile) -> bool:
    """Words, flags, or whole numbers, with few values that come again."""
    few = len(target.distinct) <= CLASSES and target.known >= 5 * len(target.distinct)
    return few and (target.kind in ("text", "flags") or (target.kind == "numbers" and target.whole))
