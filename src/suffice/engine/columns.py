"""Which columns of a table are inputs, target and weight, which rows count, and how a batch becomes numbers.

A batch is an Arrow table or record batch, or a pandas or polars frame. A text column is an input only with its
categories: it becomes one 0/1 column for each but the first.

    names ─▶ Columns.of ─▶ matrix(batch), outcome(batch), weights(batch) ─▶ the door of a model
                           rows(batch): which of them count              complaint(batch): what the door refused
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.frames import Columnar
from suffice._core.records import record
from suffice.engine.conditions import Condition, as_conditions, holds
from suffice.engine.roles import as_names, check_features, check_names, check_once, listed
from suffice.engine.values import array, n_rows, numbers, place
from suffice.tables.cells import gaps, word
from suffice.tables.columns import array_of
from suffice.tables.frames import frame_of

Category = tuple[str, tuple[Any, ...]]


@record
class Columns:
    """Names of inputs, target (one, several or none) and weight; categories of text columns; conditions on rows.

    Examples
    --------
    >>> import polars as pl
    >>> from suffice.engine import Columns
    >>> table = pl.DataFrame({"city": ["Oslo", "Rome", "Rome"], "area": [50, 70, 90], "price": [5.0, 4.0, 6.0]})
    >>> columns = Columns.of(table.columns, target="price", categories={"city": ["Oslo", "Rome"]})
    >>> columns.features
    ('city=Rome', 'area')
    >>> columns.matrix(table)
    array([[ 0., 50.],
           [ 1., 70.],
           [ 1., 90.]])
    """

    inputs: tuple[str, ...]
    target: str | tuple[str, ...] | None = None
    weight: str | None = None
    categories: tuple[Category, ...] = ()
    where: tuple[Condition, ...] = ()
    groups: str | None = None
    rest: bool = False  # whether the inputs are all columns that nothing else was said about

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        target: Any = None,
        columns: Sequence[str] | None = None,
        weight: str | None = None,
        categories: Mapping[str, Sequence[Any]] | None = None,
        where: Sequence[Condition] | None = None,
    ) -> Columns:
        """Checked against the names of a table; inputs are all others unless given."""
        targets = as_names("target", target)
        weights = as_names("weight", weight)
        if len(weights) > 1:
            raise InvalidParameter(f"weight must be the name of one column; got {weight!r}.")
        if isinstance(columns, str):
            raise InvalidParameter(
                f"columns must be a list of names, such as [{columns!r}]; got {columns!r}."
            )
        taken = (*targets, *weights)
        given = tuple(n for n in names if n not in taken) if columns is None else as_names("columns", columns)
        conditions = as_conditions(where)
        check_names((*taken, *given, *(categories or {}), *(c[0] for c in conditions)), names)
        check_once(targets, weights, given)
        known = tuple(listed(name, values, given) for name, values in (categories or {}).items())
        whole = target if target is None or isinstance(target, str) else targets
        weight = weights[0] if weights else None
        out = cls(given, whole, weight, known, conditions, rest=columns is None)
        check_features(out.features)
        return out

    @property
    def targets(self) -> tuple[str, ...]:
        return () if self.target is None else (self.target,) if isinstance(self.target, str) else self.target

    @property
    def needed(self) -> list[str]:
        """Every column to read."""
        others = (*self.targets, self.weight, self.groups, *(c[0] for c in self.where))
        return list(dict.fromkeys((*self.inputs, *(n for n in others if n is not None))))

    def with_groups(self, groups: str) -> Columns:
        """The same with a column of groups to read; it is an input only if it was named as one."""
        inputs = tuple(n for n in self.inputs if n != groups) if self.rest else self.inputs
        categories = tuple(c for c in self.categories if c[0] in inputs)
        return replace(self, inputs=inputs, categories=categories, groups=groups)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the columns of X."""
        known = dict(self.categories)
        return tuple(
            name
            for column in self.inputs
            for name in ([f"{column}={c}" for c in known[column][1:]] if column in known else [column])
        )

    # -- numbers --------------------------------------------------------------------------------------
    def rows(self, batch: Any) -> np.ndarray | None:
        """Positions of the rows that fulfil the conditions; None if there are none to fulfil."""
        if not self.where:
            return None
        keep = np.ones(n_rows(batch), dtype=bool)
        for name, symbol, value in self.where:
            keep &= holds(array(batch, name), name, symbol, value)
        return np.flatnonzero(keep)

    def matrix(self, batch: Any, rows: np.ndarray | None = None, start: int = 0) -> np.ndarray:
        """The inputs as numbers, a column after the other in memory; some rows, or all.

        Messages count rows from `start`, the place of the batch in its file.
        """
        return np.asarray(self.columnar(batch, rows, start))

    def columnar(self, batch: Any, rows: np.ndarray | None = None, start: int = 0) -> Columnar:
        """The same, not yet put side by side: numbers stay where they are."""
        known, frame = dict(self.categories), frame_of(batch)
        assert frame is not None
        out: list[np.ndarray] = []
        for name in self.inputs:
            values = _taken(array_of(frame.named(name)), rows)
            if name in known:
                out += _marks(_codes(values, name, known[name], rows, start), len(known[name]))
            else:
                out.append(numbers(values, name, "an input", rows, start))
        return Columnar(out, n_rows(batch) if rows is None else len(rows))

    def outcome(self, batch: Any, rows: np.ndarray | None = None, start: int = 0) -> np.ndarray | None:
        """The target as it is, or several as a matrix; None without one."""
        if self.target is None:
            return None
        if isinstance(self.target, str):
            return _taken(array(batch, self.target), rows)
        several = (numbers(_taken(array(batch, t), rows), t, "a target", rows, start) for t in self.targets)
        return np.column_stack(list(several))

    def weights(self, batch: Any, rows: np.ndarray | None = None, start: int = 0) -> np.ndarray | None:
        """The weight of each row; None without a column of weights."""
        if self.weight is None:
            return None
        return numbers(_taken(array(batch, self.weight), rows), self.weight, "the weight", rows, start)

    def complaint(self, batch: Any, start: int = 0) -> str | None:
        """The first cell that no model takes, among the rows that count; None if there is none."""
        rows = self.rows(batch)
        for letter, names in (("y", self.targets), ("weight", (self.weight,)), ("X", self.inputs)):
            for name in names:
                found = None if name is None else _unusable(_taken(array(batch, name), rows), letter)
                if found is not None:
                    value, i = found
                    return f"{letter} contains {value} at row {place(i, rows, start)}, column {name!r}. " + (
                        "Weights must be finite and zero or more."
                        if letter == "weight"
                        else f"Fill it in first, or leave such rows out: where=[({name!r}, {BEYOND[value]})]."
                    )
        return None


BEYOND = {
    "NaN": "'<', float('inf')",
    "inf": "'<', float('inf')",
    "-inf": "'>', -float('inf')",
    "a gap": "'in', [...]",
}


def _unusable(values: np.ndarray, letter: str) -> tuple[str, int] | None:
    """The first gap or infinity of a column, or negative weight, in words, and where it is."""
    if values.dtype.kind == "f":
        bad = ~np.isfinite(values)
    else:
        bad = gaps(values)
    if letter == "weight" and values.dtype.kind in "if":
        bad |= values < 0
    if not bad.any():
        return None
    i = int(np.argmax(bad))
    if values.dtype.kind not in "if":
        return "a gap", i
    return ("NaN" if np.isnan(values[i]) else f"{values[i]:g}"), i


# -- cells ----------------------------------------------------------------------------------------------------
def _taken(values: np.ndarray, rows: np.ndarray | None) -> np.ndarray:
    return values if rows is None else values[rows]


def _codes(
    values: np.ndarray, name: str, categories: tuple[Any, ...], rows: np.ndarray | None, start: int
) -> np.ndarray:
    """The position of each value among the categories."""
    lookup = {c: i for i, c in enumerate(categories)}
    try:
        codes = np.fromiter((lookup.get(v, -1) for v in values.tolist()), dtype=np.intp, count=len(values))
    except TypeError:  # lists and dicts cannot be looked up
        codes = np.full(len(values), -1)
    if len(codes) and codes.min() < 0:
        i = int(np.argmin(codes))
        raise InvalidInput(
            f"Column {name!r} holds {word(values[i])} at row {place(i, rows, start)}, which is not among its "
            f"categories {shown(categories)}. Add it there, or leave such rows out with where=."
        )
    return codes


def _marks(codes: np.ndarray, n: int) -> list[np.ndarray]:
    """A 0/1 column for every code but the first."""
    return [(codes == c).astype(float) for c in range(1, n)]


def shown(values: Sequence[Any], most: int = 12) -> str:
    """A list in a message."""
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return f"{list(values[:most])!r}{more}"
