"""Targets, tables and clients that break promises: refused in words, by the right name."""

from __future__ import annotations

import numpy as np
import pytest

from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, UnreadableSource
from suffice.baselines import MeanRegressor, MedianRegressor
from suffice.generative import GaussianNB
from suffice.linear import Ridge
from suffice.prepare import describe

X = np.random.default_rng(0).normal(size=(30, 2))
BIG = np.where(np.arange(30) % 2, np.uint64(2**63), np.uint64(2**63 + 1))


@pytest.mark.parametrize("where", ["memory", "file"])
def test_a_target_of_structs_is_refused(where, tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = pa.table({"x": X[:, 0], "t": pa.array([{"a": i, "b": "x"} for i in range(30)])})
    if where == "file":
        parquet.write_table(table, tmp_path / "t.parquet")
        table = str(tmp_path / "t.parquet")
    with pytest.raises(InvalidInput, match="y must be numbers"):
        engine.fit(Ridge(), table, "t")
    with pytest.raises(InvalidInput, match="labels must be"):
        engine.fit(GaussianNB(), table, "t")


@pytest.mark.parametrize("model", [Ridge(), MeanRegressor(), MedianRegressor()], ids=repr)
def test_whole_numbers_that_are_one_float_are_refused(model):
    with pytest.raises(
        InvalidInput, match="y differs by less than float64 tells apart.*Subtract 9223372036854775808"
    ):
        model.fit(X, BIG)
    assert np.ptp(model.fit(X, BIG - BIG.min()).predict(X)) < 1
    model.fit(X, np.full(30, 2**63, dtype=np.uint64))  # a constant is one


def test_labels_that_are_one_float_stay_two():
    assert GaussianNB().fit(X, BIG).classes_.tolist() == [2**63, 2**63 + 1]


def test_a_short_file_with_an_open_quote_is_not_said_to_be_long(tmp_path):
    path = tmp_path / "s.csv"
    path.write_bytes(b'"a\n1\n2')
    with pytest.raises(UnreadableSource, match="has no end in the file; a quote may be left open"):
        describe(str(path))


def test_a_closed_client_is_refused():
    class Closed:
        status, scheduler_info = "closed", None

    with pytest.raises(InvalidParameter, match="the client is closed; connect a new one"):
        engine.fit(Ridge(), (X, X[:, 0]), executor=Closed())
