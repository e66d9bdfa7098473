"""A whole table in memory, from whatever `describe` can read: columns by name in the form of `_columns`."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.engine.sources.arrays import is_table
from suffice.prepare.looking._columns import open_columns, opened_column, unique
from suffice.prepare.looking._summing import columns_of
from suffice.prepare.looking._tidy import as_objects, tidy
from suffice.prepare.looking.describing import opened


def gather_table(table: Any) -> dict[str, np.ndarray]:
    """Every row of a file, a source or a table."""
    if is_table(table):
        return open_columns(table)
    source = opened(table)
    names = tuple(source.names or ())
    parts: list[list[np.ndarray]] = [[] for _ in names]
    for part in source.parts():
        for batch in part.batches():
            columns = list(columns_of(batch))
            if len(columns) != len(names):
                raise InvalidInput(f"{part.name} has {len(columns)} columns where {len(names)} are expected.")
            for name, pieces, column in zip(names, parts, columns, strict=True):
                pieces.append(opened_column(name, column))
    return dict(zip(unique(list(names)), map(_joined, parts), strict=True))


def _joined(pieces: list[np.ndarray]) -> np.ndarray:
    """Batches of one column; a batch of gaps alone says nothing about the kind of the others."""
    told = [p for p in pieces if not _is_blank(p)]
    if not told:
        return np.concatenate(pieces) if pieces else np.empty(0, dtype=object)
    if len({p.dtype.kind for p in told}) == 1 and told[0].dtype != object and len(told) == len(pieces):
        return np.concatenate(pieces)
    return tidy(as_objects([cell for p in pieces for cell in _cells(p)]))


def _is_blank(values: np.ndarray) -> bool:
    return values.dtype == object and all(v is None for v in values)


def _cells(values: np.ndarray) -> list[Any]:
    return list(values) if values.dtype.kind in "mM" else values.tolist()
