"""The categories of a column: the columns they get, the way back, and the names of what is none of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.records import record
from suffice.prepare._values import is_missing
from suffice.prepare.transforming._typed_table import typed
from suffice.prepare.transforming._value_counts import places


@record
class Categories:
    """The categories of a column in the order of their columns; then one of gaps and one of all other values, if any.

    `dropped` is the place of the category that has no column.
    """

    values: np.ndarray
    gap: bool = False
    other: bool = False
    dropped: int | None = None

    def check_loaded(self) -> int:
        """Nothing is made; raises for a category that is dropped and not there."""
        if self.dropped is not None and self.dropped > self.width:
            raise InvalidParameter(f"dropped must be the place of a category; got {self.dropped}.")
        return 0

    @property
    def labels(self) -> tuple[str, ...]:
        """What the columns stand for."""
        words = [_word(v) for v in self.values.tolist()] + ["nan"] * self.gap + ["other"] * self.other
        return tuple(w for i, w in enumerate(words) if i != self.dropped)

    @property
    def width(self) -> int:
        return len(self.values) + self.gap + self.other - (self.dropped is not None)

    def targets(self, missing: str) -> np.ndarray:
        """The column of each place, of a stranger and of a gap, in this order; −1 for zeros, −2 for an error."""
        k = len(self.values)
        stranger = k + self.gap if self.other else -2
        gap = k if self.gap else -1 if missing == "zeros" else stranger
        out = np.array([*range(k), stranger, gap])
        if self.dropped is not None:
            out = np.where(out == self.dropped, -1, np.where(out > self.dropped, out - 1, out))
        return out

    def decoded(self, Z: np.ndarray) -> list[Any]:
        """The category with the largest entry; None for zeros, gaps and others."""
        words: list[Any] = [*self.values.tolist(), *[None] * (self.gap + self.other)]
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
