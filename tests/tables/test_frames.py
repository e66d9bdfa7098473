"""Frames of every library answer alike, and so do the columns and the rows that are taken from them."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from suffice._core.errors import InvalidInput
from suffice.engine.sources.grids import Grid
from suffice.tables.columns import array_of
from suffice.tables.frames import frame_of, labels_of, library_frame
from suffice.tables.giving import appended, framed, inserted, library_of, like, take_rows
from suffice.tables.opening import Table

CELLS = {"n": [1, None, 3], "word": ["a", None, "b"], "x": [0.5, 1.5, 2.5]}
FRAMES = {
    "pandas": lambda: pd.DataFrame(CELLS, index=[5, 6, 7]),
    "polars": lambda: pl.DataFrame(CELLS),
    "pyarrow": lambda: pa.table(CELLS),
    "batch": lambda: pa.RecordBatch.from_pydict(CELLS),
    "grid": lambda: Grid(list(CELLS), [np.array(cells, dtype=object) for cells in CELLS.values()]),
}


def cells_of(frame):
    return {name: Table.of({name: array_of(frame.named(name))}).arrays[name].tolist() for name in frame.names}


@pytest.mark.parametrize("kind", FRAMES)
def test_names_rows_and_columns(kind):
    frame = frame_of(FRAMES[kind]())
    assert (frame.names, frame.n, frame.shape, frame.worded) == (tuple(CELLS), 3, (3, 3), True)
    assert len(frame.types) == 3
    part = cells_of(frame_of(frame.take(np.array([2, 0]))))
    assert part == {"n": [3, 1], "word": ["b", "a"], "x": [2.5, 0.5]}
    assert cells_of(frame_of(frame.cut(slice(0, 1)))) == {"n": [1], "word": ["a"], "x": [0.5]}
    assert frame_of(frame.select([2, 0])).names == ("x", "n")
    with pytest.raises(InvalidInput, match="There is no column 'wort' in this batch. Did you mean 'word'"):
        frame.named("wort")


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "batch"])
def test_changed_copies_are_of_the_same_library(kind):
    table = FRAMES[kind]()
    frame = library_frame(table)
    more = frame_of(inserted(table, 1, "new", np.array([7.0, 8.0, 9.0])))
    assert more.names == ("n", "new", "word", "x")
    assert array_of(more.named("new")).tolist() == [7.0, 8.0, 9.0]
    assert frame_of(appended(table, {"j": np.ones(3), "k": np.zeros(3)})).names == (*CELLS, "j", "k")
    full = frame_of(frame.filled({1: (np.array([1]), np.array(["c"]), True)}))
    assert array_of(full.named("word")).tolist() == ["a", "c", "b"]
    assert array_of(frame.named("word")).tolist()[1] is None  # the table itself is as it was
    assert frame_of(like(table, np.eye(3))).names == tuple(CELLS)
    assert library_of(framed({"a": np.ones(2)}, library_of(table))) == library_of(table)
    assert (frame.index is None) == (kind != "pandas")


def test_what_is_no_frame():
    for value in (np.eye(2), [[1]], {"a": [1]}, pd.Series([1]), pl.Series([1]), sparse.eye(2), None, 3):
        assert frame_of(value) is None
        assert library_of(value) is None
    assert labels_of(pd.Series([1, 2], index=["a", "b"])) == ["a", "b"]
    assert labels_of(pd.Series([1, 2])) is None
    np.testing.assert_array_equal(take_rows(pd.Series([1, 2, 3], index=[3, 2, 1]), np.array([0, 2])), [1, 3])
    np.testing.assert_array_equal(inserted(np.eye(2), 1, "x", np.zeros(2)), [[1, 0, 0], [0, 0, 1]])
    assert appended(sparse.eye(2), {"a": np.ones(2)}).toarray().tolist() == [[1, 0, 1], [0, 1, 1]]


def test_a_frame_is_not_asked_for_its_columns():
    """A column may be called as an attribute of another library."""
    names = ["num_rows", "iloc", "schema", "get_columns", "collect"]
    table = Table.of(pd.DataFrame(np.eye(5), columns=names))
    assert table.names == tuple(names)


def test_a_table_has_slices_of_rows_and_columns_know_what_they_are():
    day, span = dt.datetime(2020, 1, 31), dt.timedelta(hours=1)
    table = Table.of(
        {
            "n": [1, 2, 3],
            "gap": [1.5, None, 2.0],
            "flag": [True, None, False],
            "day": [day] * 3,
            "span": [span] * 3,
        }
        | {"word": ["a", None, "b"], "mixed": [1, "a", None], "none": [None] * 3, "huge": [2**70, 1, 2]}
    )
    kinds = ["number", "number", "flag", "time", "span", "text", "mixed", "nothing", "number"]
    assert [c.kind for c in table.columns] == kinds
    assert table.columns[1].gaps.tolist() == [False, True, False]
    assert (table.n, table[1:].n, len(table[[0]])) == (3, 2, 1)
    assert table[1:].arrays["huge"].tolist() == [1, 2]
    assert table.arrays["huge"].tolist() == [2**70, 1, 2]
