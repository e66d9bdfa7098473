"""Files that shrink, grow or are replaced while they are read are refused in words, and kill nothing."""

import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from suffice import engine
from suffice._core.errors import HeaderMismatch, InvalidInput, UnreadableSource
from suffice.engine.reduce import Rows
from suffice.engine.same_rows import RowsFingerprint
from suffice.engine.sources import as_source
from suffice.glm import LogisticRegression
from suffice.mixtures import GaussianMixture

rng = np.random.default_rng(8)
X = rng.normal(size=(900, 3))
Y = np.where(X[:, 0] + rng.normal(size=900) > 0, "yes", "no")


def write(path, seed=0, rows=6000):
    table = pa.table({f"x{j}": np.random.default_rng(seed + j).normal(size=rows) for j in range(2)})
    pq.write_table(table, path, row_group_size=1000, compression="none", use_dictionary=False)


SHRINKING = """
import os, sys
import pyarrow.parquet as pq
from suffice import engine
from suffice._core.errors import UnreadableSource
from suffice.linear import LinearRegression
read = pq.ParquetFile.read_row_groups
def cut_and_read(file, *args, **options):
    os.truncate(sys.argv[1], 40_000)
    return read(file, *args, **options)
pq.ParquetFile.read_row_groups = cut_and_read
try:
    engine.fit(LinearRegression(), sys.argv[1], "x1", executor="serial")
except UnreadableSource as error:
    print(error)
"""


@pytest.mark.slow
def test_a_file_that_shrinks_while_it_is_read_does_not_kill_the_process(tmp_path):
    write(tmp_path / "a.parquet")
    words = [sys.executable, "-c", SHRINKING, str(tmp_path / "a.parquet")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "a.parquet' cannot be read" in done.stdout


def test_a_file_replaced_by_one_of_the_same_size_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    write(path)
    size, parts = path.stat().st_size, list(as_source(str(path)).parts())
    assert sum(b.num_rows for part in parts for b in part.batches()) == 6000
    write(path, seed=5)
    os.utime(path, ns=(1, 1))
    assert path.stat().st_size == size
    with pytest.raises(UnreadableSource, match=r"a\.parquet' cannot be read: it has been written to since"):
        list(parts[0].batches())


# -- passes again and again -----------------------------------------------------------------------------------------
class Changing:
    """Batches that are others from some pass on."""

    def __init__(self, before, after, passes):
        self.before, self.after, self.left = before, after, passes

    def __iter__(self):
        self.left -= 1
        return iter(self.before if self.left >= 0 else self.after)


def batches(X, y=None, pieces=3):
    tables = (X,) if y is None else (X, y)
    return list(zip(*(np.array_split(t, pieces) for t in tables), strict=True))


def changed(i, j, value):
    other = X.copy()
    other[i, j] = value
    return other


def swapped():
    """The cells of a column in other rows: every column holds what it held."""
    other = X.copy()
    other[[3, 4], 1] = other[[4, 3], 1]
    return other


OTHERS = {
    "a cell": (changed(700, 2, 0.25), Y, "other values"),
    "cells of a column swapped": (swapped(), Y, "other values"),
    "a label": (X, np.where(np.arange(900) == 5, np.where(Y == "yes", "no", "yes"), Y), "other values"),
    "fewer rows": (X[:-1], Y[:-1], "899 rows, the first 900"),
    "more rows": (np.vstack([X, X[:2]]), np.append(Y, Y[:2]), "902 rows, the first 900"),
}


@pytest.mark.parametrize("other", OTHERS)
def test_rows_that_change_between_two_passes_are_refused(other):
    table, labels, words = OTHERS[other]
    source = Changing(batches(X, Y), batches(table, labels), 6)
    with pytest.raises(InvalidInput, match=f"rows changed between two passes .*this one saw {words}"):
        engine.fit(LogisticRegression(), source, executor="serial")
    if other != "a label":
        source = Changing(batches(X), batches(table), 4)
        with pytest.raises(InvalidInput, match=f"rows changed between two passes .*this one saw {words}"):
            engine.fit(GaussianMixture(2, random_state=0, max_iter=20, tol=0.0), source, executor="serial")


def test_the_same_rows_in_another_order_and_other_pieces_are_the_same():
    order = rng.permutation(900)
    source = Changing(batches(X, Y), batches(X[order], Y[order], 5), 6)
    model = engine.fit(LogisticRegression(), source, executor="serial")
    assert source.left < 0
    np.testing.assert_allclose(model.coef_, LogisticRegression().fit(X, Y).coef_, rtol=1e-6)


@pytest.mark.filterwarnings("ignore:The best start did not converge")
@pytest.mark.parametrize("other", ["a cell", "cells of a column swapped", "fewer rows"])
def test_a_checkpoint_of_other_rows_is_refused(tmp_path, other):
    model, path = GaussianMixture(2, random_state=0, max_iter=3, tol=0.0), tmp_path / "here.suffice"
    engine.fit(model, batches(X), resume=path)
    before = path.read_bytes()
    with pytest.raises(
        HeaderMismatch, match="other rows: it counted 900, and the source holds (900 with|899)"
    ):
        engine.fit(model, batches(OTHERS[other][0]), resume=path)
    assert path.read_bytes() == before
    longer = GaussianMixture(2, random_state=0, max_iter=4, tol=0.0)
    assert engine.fit(longer, batches(X), resume=path).n_iter_ == 4


# -- fingerprints ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "kind", [np.asarray, sparse.csr_array, lambda a: a.astype(np.float32), np.asfortranarray]
)
def test_fingerprints_add_in_any_order_and_tell_every_cell(kind):
    cells = np.round(X * 4) / 4
    weight, target = np.arange(900.0), np.arange(900)[:, None]
    whole = RowsFingerprint.of(Rows(kind(cells), target, weight))
    order = rng.permutation(900)
    parts = [
        RowsFingerprint.of(Rows(kind(cells[i]), target[i], weight[i])) for i in np.split(order, [0, 100, 101])
    ]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert total == whole
    for i, j in ((0, 0), (899, 2), (450, 1)):
        other = cells.copy()
        other[i, j] += 0.25
        assert RowsFingerprint.of(Rows(kind(other), target, weight)) != whole
    assert RowsFingerprint.of(Rows(kind(cells), target[::-1], weight)) != whole
    assert RowsFingerprint.of(Rows(kind(cells), target, weight[::-1])) != whole
