"""The categories of a column: the columns they get, the way back, and the names of what is none of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.records import frozen_array, record
from suffice.prepare.transforming._infrequent import INFREQUENT, grouped
from suffice.prepare.transforming._value_counts import places
from suffice.tables.cells import is_missing
from suffice.tables.typed import typed


@record
class Categories:
    """The categories of a column in the order of their columns; then one of gaps and one of all other values, if any.

    `infrequent` are the places of those that share one column, which stands behind the frequent ones; `dropped` is the
    place of the column that is left out.
    """

    values: np.ndarray
    gap: bool = False
    other: bool = False
    dropped: int | None = None
    infrequent: np.ndarray = field(default_factory=lambda: frozen_array([], dtype=int))

    def check_loaded(self) -> int:
        """Nothing is made; raises for a category that is dropped or infrequent and not there."""
        places = self.infrequent
        if len(places) and (places[-1] >= len(self.values) + self.gap or np.any(np.diff(places) <= 0)):
            raise InvalidParameter("infrequent must be sorted places of categories.")
        if self.dropped is not None and self.dropped > self.width:
            raise InvalidParameter(f"dropped must be the place of a category; got {self.dropped}.")
        return 0

    @property
    def groups(self) -> int:
        """How many columns values and gaps have before one is dropped."""
        rare = len(self.infrequent)
        return len(self.values) + self.gap - rare + (rare > 0)

    @property
    def width(self) -> int:
        return self.groups + self.other - (self.dropped is not None)

    @property
    def labels(self) -> tuple[str, ...]:
        """What the columns stand for."""
        return tuple(self._kept(self._grouped([*map(_word, self.values.tolist()), *["nan"] * self.gap])))

    @property
    def entries(self) -> list[Any]:
        """What the columns stand for, values as they are."""
        return self._kept(self._grouped(with_gap(self).tolist()))

    @property
    def left_out(self) -> Any:
        """What the column that is left out stands for."""
        return None if self.dropped is None else self._grouped(with_gap(self).tolist())[self.dropped]

    @property
    def first_dropped(self) -> int | None:
        """The place of the first category whose column is left out."""
        if self.dropped is None:
            return None
        columns = grouped(len(self.values) + self.gap, self.infrequent)
        return int(np.argmax(columns == self.dropped))

    def _grouped(self, words: list[Any], other: Any = "other") -> list[Any]:
        """The words of all columns, given those of the values and of a gap."""
        rare = set(self.infrequent.tolist())
        frequent = [w for i, w in enumerate(words) if i not in rare]
        return [*frequent, *[INFREQUENT] * bool(rare), *[other] * self.other]

    def _kept(self, words: list[Any]) -> list[Any]:
        return [w for i, w in enumerate(words) if i != self.dropped]

    def targets(self, missing: str, share: bool = False) -> np.ndarray:
        """The column of each place, of a stranger and of a gap, in this order; −1 for zeros, −2 for an error.

        With `share`, a stranger gets the column of the infrequent ones, if there are some.
        """
        k, groups = len(self.values), self.groups
        columns = grouped(k + self.gap, self.infrequent)
        shared = groups - 1 if share and len(self.infrequent) else -2
        stranger = groups if self.other else shared
        gap = columns[k] if self.gap else -1 if missing == "zeros" else stranger
        out = np.array([*columns[:k], stranger, gap])
        if self.dropped is not None:
            out = np.where(out == self.dropped, -1, np.where(out > self.dropped, out - 1, out))
        return out

    def decoded(self, Z: np.ndarray) -> list[Any]:
        """The category with the largest entry; None for zeros, gaps and others."""
        words = self._grouped([*self.values.tolist(), *[None] * self.gap], None)
        zeros = None if self.dropped is None else words.pop(self.dropped)
        if not words:
            return [zeros] * len(Z)
        best = np.argmax(Z, axis=1)
        empty = ~(np.take_along_axis(Z, best[:, None], axis=1)[:, 0] > 0)
        return [zeros if e else words[b] for b, e in zip(best.tolist(), empty.tolist(), strict=True)]


def listed(categories: Any, names: tuple[str, ...]) -> list[tuple[np.ndarray, bool]]:
    """The given categories of each column, and whether a gap is among them."""
    if isinstance(categories, Mapping):
        odd = next((n for n in [*categories, *names] if n not in names or n not in categories), None)
        if odd is not None:
            raise InvalidParameter(
                f"categories must have an entry for every column and no other; {odd!r} differs."
            )
        categories = [categories[n] for n in names]
    if not isinstance(categories, list | tuple | np.ndarray) or len(categories) != len(names):
        raise InvalidParameter(
            f"categories must be 'auto' or a list for each of the {len(names)} columns; got {categories!r:.60}."
        )
    return [_given(values, name) for values, name in zip(categories, names, strict=True)]


def _given(values: Any, name: str) -> tuple[np.ndarray, bool]:
    cells = None if isinstance(values, str) or not hasattr(values, "__iter__") else list(values)
    there = [] if cells is None else [v for v in cells if not is_missing(v)]
    if not cells or len(set(there)) < len(there):
        raise InvalidParameter(
            f"categories of column {name!r} must be a list of different values, at least one; got {values!r:.60}."
        )
    if not there:
        return np.empty(0), True
    column = np.empty(len(there), dtype=object)
    column[:] = there
    array = typed(column, name)
    return np.array(there, dtype=str) if array.dtype == object else array, len(there) < len(cells)


def refuse_strangers(seen: np.ndarray, known: np.ndarray, name: str) -> None:
    column = seen.astype(object) if seen.dtype.kind == "U" else seen
    odd = np.flatnonzero(places(column, known) == len(known))
    if len(odd):
        raise _stranger(seen[odd[0]].item(), "", known, name)


def unknown(values: np.ndarray, row: int, known: Categories, name: str) -> InvalidInput:
    value = values[row] if values.dtype == object else values[row].item()
    return _stranger(value, f" at row {row}", known.values, name)


def _stranger(value: Any, where: str, known: np.ndarray, name: str) -> InvalidInput:
    more = f" and {len(known) - 8} more" if len(known) > 8 else ""
    what = "a gap" if is_missing(value) else repr(value)
    return InvalidInput(
        f"Column {name!r} holds {what}{where}, which is not among its categories {known[:8].tolist()}{more}. "
        "List it in categories=, leave such rows out, or choose handle_unknown='ignore' or 'other'"
        + (" or missing='zeros'." if is_missing(value) else ".")
    )


def with_gap(known: Categories) -> np.ndarray:
    values = known.values.astype(object) if known.values.dtype.kind in "Ub" else known.values
    if not known.gap:
        return values
    return np.append(values, np.array([None if values.dtype == object else np.nan]))


def _word(value: Any) -> str:
    """A value in a name: 4.0 is "4"."""
    return (
        str(int(value))
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53
        else str(value)
    )
