"""Which columns of a table are inputs, target and weight, which rows count, and how a batch becomes numbers.

A batch is an Arrow table or record batch, or a pandas or polars frame. A text column is an input only with its
categories: it becomes one 0/1 column for each but the first.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice._core.records import record

Category = tuple[str, tuple[Any, ...]]
Condition = tuple[str, str, Any]
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "in": lambda values, listed: _among(values, listed),
    "not in": lambda values, listed: ~_among(values, listed),
}  # fmt: skip


def _among(values: np.ndarray, listed: Iterable[Any]) -> np.ndarray:
    out = np.zeros(len(values), dtype=bool)
    for value in listed:
        out |= np.asarray(values == value, dtype=bool)
    return out


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
        targets = () if target is None else (target,) if isinstance(target, str) else tuple(target)
        taken = {*targets, *(() if weight is None else (weight,))}
        if isinstance(columns, str):
            raise InvalidParameter(f"columns must be a list of names; got {columns!r}.")
        inputs = tuple(n for n in names if n not in taken) if columns is None else tuple(columns)
        conditions = tuple(_condition(c) for c in where or ())
        for name in (*targets, *inputs, *taken, *(categories or {}), *(c[0] for c in conditions)):
            if name not in names:
                raise InvalidParameter(
                    f"There is no column {name!r} in the table.{did_you_mean(name, names)}"
                )
        if twice := sorted(set(inputs) & taken) or sorted(n for n in inputs if inputs.count(n) > 1):
            raise InvalidParameter(f"Column {twice[0]!r} is given twice: as an input and as something else.")
        listed = tuple((name, _listed(name, values)) for name, values in (categories or {}).items())
        whole = target if target is None or isinstance(target, str) else targets
        return cls(inputs, whole, weight, listed, conditions)

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
        return Columns(self.inputs, self.target, self.weight, self.categories, self.where, groups)

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
            keep &= _holds(array(batch, name), name, symbol, value)
        return np.flatnonzero(keep)

    def matrix(self, batch: Any, rows: np.ndarray | None = None) -> np.ndarray:
        """The inputs as numbers, a column after the other in memory; some rows, or all."""
        known = dict(self.categories)
        X = np.empty((n_rows(batch) if rows is None else len(rows), len(self.features)), order="F")
        j = 0
        for name in self.inputs:
            values = array(batch, name)
            codes = _codes(values, known[name], name) if name in known else [numbers(values, name)]
            for code in codes:
                _put(code, rows, X[:, j])
                j += 1
        return X

    def outcome(self, batch: Any, rows: np.ndarray | None = None) -> np.ndarray | None:
        """The target as it is, or several as a matrix; None without one."""
        if self.target is None:
            return None
        if isinstance(self.target, str):
            values = array(batch, self.target)
            return values if rows is None else values[rows]
        out = np.column_stack([numbers(array(batch, t), t) for t in self.targets])
        return out if rows is None else out[rows]

    def weights(self, batch: Any, rows: np.ndarray | None = None) -> np.ndarray | None:
        """The weight of each row; None without a column of weights."""
        if self.weight is None:
            return None
        values = numbers(array(batch, self.weight), self.weight)
        return values if rows is None else values[rows]


def _put(values: np.ndarray, rows: np.ndarray | None, out: np.ndarray) -> None:
    if rows is None:
        out[:] = values
    elif values.dtype == out.dtype:
        np.take(values, rows, out=out, mode="clip")  # with a mode, and only then, there is no copy in between
    else:
        out[:] = values[rows]


def _condition(condition: Any) -> Condition:
    try:
        name, symbol, value = condition
    except (TypeError, ValueError):
        raise InvalidParameter(
            f"where must be a list of (column, operator, value), such as ('age', '>=', 18); got {condition!r}."
        ) from None
    if symbol not in OPERATORS:
        raise InvalidParameter(f"The operator of {condition!r} must be one of {', '.join(OPERATORS)}.")
    return name, symbol, tuple(value) if symbol in ("in", "not in") else value


def _listed(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    listed = tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    if not listed or len(set(listed)) < len(listed):
        raise InvalidParameter(
            f"The categories of {name!r} must be different values, at least one; got {listed!r}."
        )
    return listed


def _holds(values: np.ndarray, name: str, symbol: str, value: Any) -> np.ndarray:
    """Where a condition is true; a gap fulfils none."""
    present = ~gaps(values)
    out = np.zeros(len(values), dtype=bool)
    try:
        out[present] = OPERATORS[symbol](values[present], value)
    except TypeError as error:
        raise InvalidParameter(
            f"where: column {name!r} cannot be compared by {symbol!r} with {value!r}."
        ) from error
    return out


def _codes(values: np.ndarray, categories: tuple[Any, ...], name: str) -> list[np.ndarray]:
    out = [np.asarray(values == c, dtype=bool) for c in categories]
    known = np.logical_or.reduce(out)
    if not known.all():
        row = int(np.argmin(known))
        raise InvalidInput(
            f"Column {name!r} holds {_word(values[row])} at row {row}, which is not among its categories "
            f"{list(categories)!r}."
        )
    return out[1:]


# -- columns of a batch -----------------------------------------------------------------------------------
def n_rows(batch: Any) -> int:
    """Rows of a table or of a tuple of arrays; zero for a batch of no known kind, whose rows have no numbers."""
    first = batch[0] if isinstance(batch, tuple) and batch else batch
    if hasattr(first, "num_rows"):
        return first.num_rows
    shape = getattr(first, "shape", ())
    return shape[0] if shape else len(first) if isinstance(first, list) else 0


def names_of(batch: Any) -> tuple[str, ...]:
    """Column names of a frame, an Arrow table or batch."""
    names = batch.schema.names if hasattr(batch, "num_rows") else batch.columns
    return tuple(map(str, names))


def array(batch: Any, name: str) -> np.ndarray:
    """One column as an array; a gap is NaN among numbers and None among others."""
    if not hasattr(batch, "num_rows"):
        return np.asarray(batch[name].to_numpy())
    values = batch.column(name)
    kind = str(values.type)
    if kind.startswith("decimal"):
        values = values.cast("float64")
    elif kind.startswith("dictionary"):
        values = values.cast(values.type.value_type)
    return values.to_numpy() if hasattr(values, "chunks") else values.to_numpy(zero_copy_only=False)


def numbers(values: np.ndarray, name: str) -> np.ndarray:
    """A column of numbers; gaps among booleans become NaN, anything else is named."""
    if values.dtype.kind in "iufb":
        return values
    if values.dtype == object and all(
        v is None or isinstance(v, bool | int | float | np.number) for v in values
    ):
        return np.array([np.nan if v is None else float(v) for v in values])
    bad = next((v for v in values if not isinstance(v, int | float | np.number)), None)
    raise InvalidInput(
        f"Column {name!r} holds {_word(bad)}, not numbers. Leave it out with columns=, or name it in categories=."
    )


def gaps(values: np.ndarray) -> np.ndarray:
    """Where a column has no value."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype == object:
        return np.array([v is None or v != v for v in values], dtype=bool)
    return np.isnat(values) if values.dtype.kind in "mM" else np.zeros(len(values), dtype=bool)


def _word(value: Any) -> str:
    return "a gap" if value is None or value != value else f"{str(value)!r}"
