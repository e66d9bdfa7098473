"""Tables of any size a batch at a time, each as columns by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.cli.describing import opened
from suffice.prepare import Mismatch
from suffice.prepare.looking import describing
from suffice.prepare.looking._summing import columns_of
from suffice.tables.opening import open_column, open_columns, unique

ROWS = 50_000  # of a batch at most

Columns = dict[str, np.ndarray]


@contextmanager
def batches(data: list[str]) -> Iterator[tuple[tuple[str, ...], Iterator[Columns]]]:
    """The names of the columns, and the batches of the files in their order; at least one, perhaps without rows."""
    with opened(data) as (table, _):
        source = describing.opened(table)
        names = tuple(unique(list(source.names or ())))
        if not names:
            raise InvalidInput(f"{', '.join(data)}: the table has no columns.")
        yield names, read(source, names)


def read(source: Any, names: tuple[str, ...]) -> Iterator[Columns]:
    """Batches of a source, not longer than `ROWS`."""
    none = True
    for part in source.parts():
        for batch in part.batches():
            columns = list(columns_of(batch))
            if len(columns) != len(names):
                raise InvalidInput(f"{part.name} has {len(columns)} columns where {len(names)} are expected.")
            pairs = zip(names, columns, strict=True)
            for piece in cut({name: open_column(name, c).values for name, c in pairs}):
                none = False
                yield piece
    if none:
        yield open_columns({name: np.empty(0, dtype=object) for name in names})


def cut(columns: Columns) -> Iterator[Columns]:
    """Slices of at most `ROWS` rows; one even where there are none."""
    n = len(next(iter(columns.values())))
    for start in range(0, max(n, 1), ROWS):
        yield {name: values[start : start + ROWS] for name, values in columns.items()}


def added(a: Mismatch | None, b: Mismatch) -> Mismatch:
    """What is unlike in both batches together."""
    if a is None:
        return b
    strangers = {
        name: dict((Counter(a.strangers.get(name, {})) + Counter(b.strangers.get(name, {}))).most_common())
        for name in {**a.strangers, **b.strangers}
    }
    gaps = {name: a.gaps.get(name, 0) + b.gaps.get(name, 0) for name in {**a.gaps, **b.gaps}}
    far = {name: b.far[name].with_those(a.far.get(name)) for name in b.far}
    return Mismatch(a.absent, a.extra, strangers, gaps, {**a.rules, **b.rules}, {**a.far, **far})
