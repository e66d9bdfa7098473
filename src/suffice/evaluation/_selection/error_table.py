"""Errors of models on subsets of columns, written down beforehand (DTU Tables 10.1, 10.5, 10.7 and 10.10)."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.evaluation._selection.subsets import Subset


class ErrorTable:
    """Answers for subsets from a table; one fold, in which every subset counts once.

    The subset without columns may be missing: then it has no error. Any other must be there when asked for.
    """

    sizes = np.ones(1)
    how = "table"

    def __init__(self, errors: Mapping[Any, Any]):
        if not errors:
            raise InvalidInput("The table of errors is empty; give at least one subset of columns.")
        split = _splitter(errors)
        keyed = [(frozenset(split(key)), key, value) for key, value in errors.items()]
        self.labels = _ordered({label for subset, *_ in keyed for label in subset})
        position = {label: i for i, label in enumerate(self.labels)}
        self.errors: dict[Subset, float] = {}
        for subset, key, value in keyed:
            columns = tuple(sorted(position[label] for label in subset))
            if self.errors.setdefault(columns, _number(key, value)) != value:
                raise InvalidInput(
                    f"The table of errors holds two values for the subset {self._named(columns)}."
                )

    @property
    def notes(self) -> tuple[str, ...]:
        return () if () in self.errors else ("the table has no error for the subset without columns",)

    def subset_losses(self, subsets: Sequence[Subset]) -> np.ndarray:
        """(n, 1): the errors of some subsets; NaN for the one without columns where it is missing."""
        return np.array([[self._error(s)] for s in subsets])

    def _error(self, subset: Subset) -> float:
        if subset and subset not in self.errors:
            raise InvalidInput(
                f"The table has no error for the subset {self._named(subset)}; add it, or leave out the columns "
                "that are not covered."
            )
        return self.errors.get(subset, np.nan)

    def _named(self, subset: Subset) -> str:
        return repr(tuple(self.labels[j] for j in subset))


def _number(key: Any, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
        raise InvalidInput(f"The error of the subset {key!r} must be a finite number; got {value!r}.")
    return float(value)


def _splitter(errors: Mapping[Any, Any]) -> Any:
    """How keys name columns: a string is split at commas, blanks and plus signs if any key has one, else into
    characters; beside keys that are tuples or sets it is one label, like any other single value."""
    words = all(isinstance(key, str) for key in errors)
    marked = words and any(re.search(r"[\s,+]", key) for key in errors)

    def split(key: Any) -> Iterable[Hashable]:
        if isinstance(key, tuple | frozenset) or key == "":
            return key
        if not words:
            return (key,)
        return filter(None, re.split(r"[\s,+]+", key)) if marked else key

    return split


def _ordered(labels: set[Hashable]) -> tuple[Hashable, ...]:
    try:
        return tuple(sorted(labels))  # type: ignore[type-var]
    except TypeError:
        return tuple(sorted(labels, key=lambda label: (type(label).__name__, repr(label))))
