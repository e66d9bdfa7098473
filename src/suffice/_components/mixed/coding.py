"""What the cells of a table stand for: numbers as they are, categories as their places in a list of values.

table of anything ─▶ encoded ─▶ matrix of numbers, NaN where a cell is missing ─▶ decoded ─▶ table again
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice._components.product import Product
from suffice._core.errors import InvalidInput, InvalidParameter, NoInformation, did_you_mean, warn
from suffice._core.records import frozen_array, record
from suffice._estimator.raw_columns import (
    all_numbers,
    all_text,
    codes_among,
    items_of,
    plain,
    present,
    shown,
    sorted_values,
)
from suffice.tables.giving import framed, library_of
from suffice.tables.typed import TypedTable

WHOLE = ("bernoulli", "poisson", "multinomial", "NegativeBinomial")  # families whose draws are whole numbers


@record
class Coding:
    """The family of each column in a word, its sorted values (None where cells are numbers), and what it was.

    `frame` is the library of the table that draws come back as, or None for an array.
    """

    words: tuple[str, ...]
    values: tuple[Any, ...]
    natural: tuple[str, ...]
    frame: str | None = None

    @property
    def categories(self) -> dict[int, np.ndarray]:
        """What the codes of a column stand for, where it has codes."""
        found = {j: self.listed(j) for j in range(len(self.values))}
        return {j: values for j, values in found.items() if values is not None}

    @property
    def booleans(self) -> frozenset[int]:
        """Which columns were yes or no in the table of the fit."""
        kinds = zip(self.natural, self.words, strict=True)
        return frozenset(j for j, kind in enumerate(kinds) if kind == ("boolean", "bernoulli"))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each column has; 0 where cells are numbers."""
        return tuple(0 if v is None else len(v) for v in self.values)

    def marginal(self, columns: Sequence[int]) -> Coding:
        """That of some columns."""
        words, values, natural = (
            tuple(field[j] for j in columns) for field in (self.words, self.values, self.natural)
        )
        return Coding(words, values, natural, self.frame)

    def encoded(self, table: TypedTable, names: tuple[str, ...], unknown: str) -> np.ndarray:
        """The matrix (N, D); values that are not listed are missing, with a warning, or an error ("raise")."""
        out = np.empty(table.shape)
        for j, (column, values) in enumerate(zip(table.columns, self.values, strict=True)):
            if values is None:
                out[:, j] = numbers(column, names[j], self.words[j])
            else:
                out[:, j] = places(column, values, names[j], unknown)
        return out

    def decoded(self, X: np.ndarray, names: tuple[str, ...]) -> Any:
        """Rows as a table of what the cells stand for."""
        columns = [self.cells(X[:, j], j) for j in range(X.shape[1])]
        if self.frame is not None:
            return framed(dict(zip(names, columns, strict=True)), self.frame)
        if all(v is None for v in self.values):
            return X
        out = np.empty(X.shape, dtype=object)
        for j, column in enumerate(columns):
            out[:, j] = column.tolist()
        return out

    def cells(self, x: np.ndarray, j: int) -> np.ndarray:
        """The cells of column j: its values, booleans, whole numbers or numbers."""
        listed = self.listed(j)
        if listed is not None:
            return listed[x.astype(np.intp)]
        if self.natural[j] == "boolean" and self.words[j] == "bernoulli":
            return x == 1
        return x.astype(np.int64) if self.words[j] in WHOLE else x

    def listed(self, j: int) -> np.ndarray | None:
        """The values of column j as the user wrote them."""
        values = self.values[j]
        if values is None or values.dtype.kind != "f":
            return values
        if self.natural[j] == "boolean":
            return values == 1
        return values.astype(np.int64) if np.array_equal(values, np.round(values)) else values


def coding_of(components: Any) -> Coding:
    """What the cells of components stand for; numbers as they are where nothing else was said."""
    plan = components.plan if isinstance(components, Product) else None
    return Coding((), (), ()) if plan is None else plan.coding


def numbers(column: np.ndarray, name: str, word: str) -> np.ndarray:
    """A column of numbers; text is named with its place."""
    if column.dtype.kind == "f":
        return column
    row = int(np.argmax(present(column)))
    raise InvalidInput(
        f"Column {name!r} is {word} but holds text: {column[row]!r} at row {row}. Make numbers of it, or give it the "
        "family 'categorical'."
    )


def places(column: np.ndarray, values: np.ndarray, name: str, unknown: str) -> np.ndarray:
    """Places of cells among the values, NaN for a gap."""
    codes = codes_among(column, values)
    odd = codes == len(values)
    if odd.any():
        row = int(np.argmax(odd))
        found = f"Column {name!r} holds {shown(column[row])} at row {row}, which is not among its values"
        listed = ", ".join(map(shown, values[:8].tolist())) + (", …" if len(values) > 8 else "")
        if unknown == "raise":
            raise InvalidInput(f"{found} ({listed}). Leave such rows out, or list all values in categories=.")
        warn(f"{found} ({listed}); such cells ({odd.sum()}) are taken as missing.", NoInformation)
    return np.where((codes < 0) | odd, np.nan, codes)


def values_of(column: np.ndarray) -> np.ndarray:
    """The sorted different values of a column."""
    found = np.unique(plain(column[present(column)]))
    return frozen_array(found, dtype=found.dtype)


def listed_values(categories: Any, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Values by column, from a mapping by name or number or a list per column; columns without are left out."""
    if categories is None:
        return {}
    if not isinstance(categories, Mapping):
        lists = items_of(categories)
        if lists is None or len(lists) != len(names):
            raise InvalidParameter(
                f"categories must be a mapping from columns to values, or a list for each of {len(names)} columns; "
                f"got {categories!r:.80}."
            )
        categories = dict(zip(names, lists, strict=True))
    named = {names[place_of(key, names, "categories")]: values for key, values in categories.items()}
    return {name: sorted_values(values, name) for name, values in named.items() if values is not None}


def place_of(key: Any, names: tuple[str, ...], what: str) -> int:
    """The number of a column given by name or number."""
    if isinstance(key, int | np.integer) and not isinstance(key, bool) and 0 <= key < len(names):
        return int(key)
    if key not in names:
        raise InvalidParameter(f"{what} must name columns; {key!r} is none.{did_you_mean(str(key), names)}")
    return names.index(key)


def declared_values(X: Any, table: TypedTable, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Values of categorical columns that the type of the column lists, whether rows show them or not."""
    if library_of(X) not in ("pandas", "polars"):
        return {}
    out = {}
    for j, (name, dtype) in enumerate(zip(names, X.dtypes, strict=True)):
        levels = list(dtype.categories) if str(dtype).startswith(("category", "Enum")) else []
        if table.natural[j] == "category" and levels and (all_text(levels) or all_numbers(levels)):
            out[name] = sorted_values(levels, name)
    return out


def refuse_lazy(X: Any) -> None:
    """Raise for a query that stands for a table."""
    if type(X).__name__ == "LazyFrame":
        raise InvalidInput("X is a LazyFrame, a query that has not run; pass X.collect().")
