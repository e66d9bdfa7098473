"""What can be asked of any frame: names, rows, columns; and, of those of a library, changed copies and new frames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, did_you_mean

# by column: rows, values, and whether its type stays
Changes = Mapping[int, tuple[np.ndarray, np.ndarray, bool]]


class FrameAdapter(ABC):
    """A table of named columns, whatever library holds it."""

    def __init__(self, table: Any):
        self.table = table

    @property
    @abstractmethod
    def labels(self) -> list[Any]:
        """What the table calls its columns."""

    @property
    @abstractmethod
    def types(self) -> list[Any]:
        """What the library calls the types of the columns."""

    @property
    @abstractmethod
    def n(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def column(self, j: int) -> Any:
        """One column as the library holds it."""

    @abstractmethod
    def take(self, rows: Any) -> Any:
        """Rows by their numbers."""

    @abstractmethod
    def cut(self, rows: slice) -> Any:
        """Rows that follow one another, without a copy."""

    @abstractmethod
    def select(self, places: Sequence[int]) -> Any:
        """Some of the columns."""

    @property
    def names(self) -> tuple[str, ...]:
        """The labels as text."""
        return tuple(map(str, self.labels))

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where a column of a name stands; of a name that comes twice, minus how often."""
        names = self.names
        times = Counter(names)
        return {name: j if times[name] == 1 else -times[name] for j, name in enumerate(names)}

    def named(self, name: str) -> Any:
        """The column of a name, as text."""
        return self.column(self.place(name))

    def place(self, name: str) -> int:
        """Where the column of a name stands."""
        place = self._places.get(name)
        if place is None:
            raise InvalidInput(f"There is no column {name!r} in this batch.{did_you_mean(name, self.names)}")
        if place < 0:
            raise InvalidInput(f"There are {-place} columns called {name!r} in this batch; rename them.")
        return place

    @property
    def shape(self) -> tuple[int, int]:
        return self.n, len(self.labels)

    @property
    def worded(self) -> bool:
        """Whether columns have names, not the numbers that a frame gives them where nobody named them."""
        return all(isinstance(label, str) for label in self.labels)


class LibraryFrame(FrameAdapter):
    """A frame of a library, of which changed copies and new ones can be made."""

    library: str

    @abstractmethod
    def inserted(self, j: int, name: str, values: np.ndarray) -> Any:
        """A copy with one column more, at place j."""

    @abstractmethod
    def filled(self, changes: Changes) -> Any:
        """A copy with other values in some rows of some columns."""

    @property
    @abstractmethod
    def index(self) -> Any:
        """What the rows are called; None in libraries where rows have no names."""

    @abstractmethod
    def like(self, columns: Mapping[Any, Any]) -> Any:
        """A frame of the same library with other columns."""
