"""What columns are for, checked against the names of a table: each exists, once, and has one role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice.tables.cells import is_missing, is_time


def as_names(parameter: str, value: Any) -> tuple[str, ...]:
    """One name or several, as a tuple; none for None."""
    several = isinstance(value, Iterable) and not isinstance(value, str)
    names = () if value is None else tuple(value) if several else (value,)
    if any(not isinstance(n, str) for n in names):
        raise InvalidParameter(f"{parameter} must name columns by text; got {value!r}.")
    if value is not None and not names:
        raise InvalidParameter(f"{parameter} must name at least one column; got {value!r}.")
    return tuple(map(str, names))


def check_names(wanted: Sequence[str], names: Sequence[str]) -> None:
    """Every wanted column exists once in the table."""
    times = Counter(names)
    for name in wanted:
        if not times[name]:
            raise InvalidParameter(f"There is no column {name!r} in the table.{did_you_mean(name, names)}")
        if times[name] > 1:
            raise InvalidInput(
                f"The table has {times[name]} columns called {name!r}; rename them, or leave them out with columns=."
            )


def check_once(targets: Sequence[str], weights: Sequence[str], inputs: Sequence[str]) -> None:
    """No column has two roles, or one of them twice."""
    roles = [
        (n, r) for names, r in ((targets, "target"), (weights, "weight"), (inputs, "columns")) for n in names
    ]
    first: dict[str, str] = {}
    for name, role in roles:
        if name in first:
            both = role if first[name] == role else f"{first[name]} and in {role}"
            raise InvalidParameter(f"Column {name!r} is given twice, in {both}; once is enough.")
        first[name] = role


def check_features(features: Sequence[str]) -> None:
    """There are inputs, and their names differ."""
    if not features:
        raise InvalidParameter("There are no input columns left; a model needs at least one.")
    name, times = Counter(features).most_common(1)[0]
    if times > 1:
        raise InvalidParameter(
            f"Two inputs would be called {name!r}: a column, and a category of another; rename the column."
        )


def listed(name: str, values: Any, inputs: Sequence[str]) -> tuple[str, tuple[Any, ...]]:
    """The categories of a column, checked."""
    if name not in inputs:
        raise InvalidParameter(f"categories: {name!r} is not among the input columns.")
    different = (
        () if isinstance(values, str) else tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    )
    if (
        not different
        or len(set(different)) < len(different)
        or any(is_missing(v) or is_time(v) for v in different)
    ):
        raise InvalidParameter(
            f"The categories of {name!r} must be a list of different texts or numbers, at least one; got {values!r}."
        )
    return name, different
