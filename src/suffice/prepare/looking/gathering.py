"""A whole table in memory, from whatever `describe` can read: columns by name in the form of `_columns`."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.prepare.looking._decimal_marks import COMMA, texts_of
from suffice.prepare.looking._summing import columns_of
from suffice.prepare.looking.describing import opened
from suffice.tables.cells import EXACT, as_objects
from suffice.tables.frames import is_frame
from suffice.tables.opening import open_column, open_columns, unique
from suffice.tables.tidying import tidy


def gather_table(table: Any) -> dict[str, np.ndarray]:
    """Every row of a file, a source or a table."""
    if is_frame(table):
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
                pieces.append(open_column(name, column).values)
    return dict(zip(unique(list(names)), map(_joined, parts), strict=True))


def _joined(pieces: list[np.ndarray]) -> np.ndarray:
    """Batches of one column; a batch of gaps alone says nothing about the kind of the others."""
    if not pieces:
        return np.empty(0, dtype=object)
    kinds = {p.dtype.kind for p in pieces}
    if kinds <= set("iuf") and all(p.dtype.kind == "f" or _exact(p) for p in pieces):
        return np.concatenate(pieces)
    if len(kinds) == 1:
        whole = np.concatenate(pieces)
        return tidy(whole) if kinds == {"O"} else whole
    cells = [_cells(p) for p in pieces]
    if "f" in kinds and any(COMMA.match(v) for p in pieces if p.dtype == object for v in texts_of(p)):
        cells = [_as_written(c) if p.dtype.kind == "f" else c for c, p in zip(cells, pieces, strict=True)]
    return tidy(np.concatenate(cells))


def _as_written(cells: np.ndarray) -> np.ndarray:
    """Numbers with a point as text again: other batches have commas, so the point may group digits."""
    return as_objects([v if v != v or float(v).is_integer() else repr(float(v)) for v in cells])


def _exact(values: np.ndarray) -> bool:
    """Whether floats can hold whole numbers."""
    return not len(values) or bool(values.max() <= EXACT and values.min() >= -EXACT)


def _cells(values: np.ndarray) -> np.ndarray:
    """Cells one by one; times keep their unit, which objects of Python would not."""
    return as_objects(list(values)) if values.dtype.kind in "mM" else values.astype(object)
