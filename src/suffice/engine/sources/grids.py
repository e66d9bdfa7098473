"""Rows that are read one by one (spreadsheets, databases, lines of JSON), gathered into columns of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, final

from suffice._core.errors import UnreadableSource
from suffice._core.records import record
from suffice.tables.adapters import FrameAdapter
from suffice.tables.cells import as_objects
from suffice.tables.columns import array_of, type_of

BATCH_CELLS = 500_000


@final
class Grid(FrameAdapter):
    """A table of columns, each an array or an Arrow array; names need not differ."""

    def __init__(self, names: Sequence[str], columns: Sequence[Any], rows: int | None = None):
        super().__init__(None)
        self._labels, self.columns = list(names), list(columns)
        self._n = (len(self.columns[0]) if self.columns else 0) if rows is None else rows

    @property
    def labels(self) -> list[Any]:
        return self._labels

    @property
    def n(self) -> int:
        return self._n

    @property
    def types(self) -> list[Any]:
        return [type_of(column) for column in self.columns]

    def column(self, j: int) -> Any:
        return self.columns[j]

    def take(self, rows: Any) -> Grid:
        return Grid(self.labels, [array_of(c)[rows] for c in self.columns], len(rows))

    def cut(self, rows: slice) -> Grid:
        return Grid(self.labels, [c[rows] for c in self.columns], len(range(*rows.indices(self.n))))

    def select(self, places: Sequence[int]) -> Grid:
        return Grid([self.labels[j] for j in places], [self.columns[j] for j in places], self.n)


@record
class GridPart:
    """One file, sheet or table; `read` yields grids."""

    path: str
    read: Callable[[], Iterator[Grid]]
    file: int = 0
    start: int = 0

    @property
    def name(self) -> str:
        return repr(self.path)

    def batches(self) -> Iterator[Grid]:
        return self.read()


@record
class GridSource:
    """Files that a reader of grids understands, with the same columns in each."""

    names: tuple[str, ...]
    readers: tuple[tuple[str, Callable[[], Iterator[Grid]]], ...]
    again: bool = True

    @property
    def n_parts(self) -> int:
        return len(self.readers)

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[GridPart]:
        for i, (path, read) in enumerate(self.readers):
            yield GridPart(path, read, i)


def gathered(names: Sequence[str], rows: Iterable[Sequence[Any]], path: str) -> Iterator[Grid]:
    """Rows as grids of some thousand rows; at least one, so that a table without rows keeps its columns.

    The header is row 1.
    """
    rows, width, first, start = iter(rows), len(names), True, 2
    while (block := list(islice(rows, max(1, BATCH_CELLS // max(width, 1))))) or first:
        for i, row in enumerate(block):
            if len(row) != width:
                raise UnreadableSource(
                    f"{path!r} cannot be read: row {start + i} has {len(row)} cells, the header {width}."
                )
        yield Grid(names, [as_objects([row[j] for row in block]) for j in range(width)], len(block))
        first, start = False, start + len(block)


def told_apart(names: Iterable[Any]) -> tuple[str, ...]:
    """Names as text; an empty one becomes `column 3`, one met again `x (2)`."""
    out: list[str] = []
    taken: set[str] = set()
    again: dict[str, int] = {}
    for j, given in enumerate(names):
        stem = str(given).strip() if given is not None and str(given).strip() else f"column {j + 1}"
        name = stem
        while name in taken:
            again[stem] = again.get(stem, 1) + 1
            name = f"{stem} ({again[stem]})"
        taken.add(name)
        out.append(name)
    return tuple(out)
