"""No table makes the door, the types or the audit fail in a way that is not theirs."""

import datetime as dt
import time
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from suffice.prepare import attribute_types, audit

CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6), st.binary(max_size=4),
    st.decimals(allow_nan=True), st.dates(), st.datetimes(), st.timedeltas(), st.complex_numbers(),
    st.lists(st.integers(0, 3), max_size=2), st.sampled_from(["NA", "12", "2020-01-01", " a", "A", "low", "high"]),
    st.sampled_from([0, 1, -999, 1e308, 5e-324, 10**40, float("inf"), Decimal("1e400"), dt.time(3)]),
)  # fmt: skip
ALIKE = st.sampled_from([
    st.floats(), st.integers(-5, 5), st.text(max_size=4), st.booleans(), st.integers(), st.dates(),
    st.sampled_from(["a", "b", None]), st.sampled_from([0.0, 1.0, float("nan")]),
])  # fmt: skip


@st.composite
def tables(draw):
    n = draw(st.integers(0, 25))
    kinds = draw(st.lists(st.one_of(st.just(CELLS), ALIKE), max_size=4))
    names = st.text(max_size=5)
    return {draw(names): draw(st.lists(kind, min_size=n, max_size=n)) for kind in kinds}


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(tables(), st.randoms(use_true_random=False))
def test_never_crashes_on_any_table(table, random):
    types = attribute_types(table)
    assert list(types) == list(table)
    target = random.choice([None, *table])
    report = audit(table, target)
    n = len(next(iter(table.values()), []))
    for found in report:
        assert all(0 <= row < n for row in found.rows)
        assert found.n_rows <= n
    assert repr(types) and repr(report) and types._repr_html_() and report._repr_html_()  # noqa: PT018
    assert repr(types).isprintable() or "\n" in repr(types)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=20))
def test_a_frame_of_anything(rows):
    frame = pd.DataFrame(rows, columns=["a", "a", "b"]) if rows else pd.DataFrame(columns=["a", "a", "b"])
    assert len(attribute_types(frame)) == 3
    audit(frame)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.floats(allow_nan=True), min_size=1, max_size=60), st.integers(0, 2))
def test_numbers_of_any_size(values, k):
    x = np.array(values)
    audit({"x": x, "y": np.arange(len(x)) % 2, "z": np.roll(x, k)}, "y")
    audit({"x": x, "y": x[::-1]}, "y")


@pytest.mark.long
def test_five_thousand_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5000))
    X[rng.random(X.shape) < 0.05] = np.nan
    start = time.perf_counter()
    report = audit(X, "x0")
    assert time.perf_counter() - start < 20
    assert len(report.of("missing", "target missing")) == 5000
    assert len(report.of("outliers", "leak", "duplicate columns", "missing not at random")) < 25


def test_quotes_and_newlines_stay_in_their_line():
    report = audit({"a\nb": ["x\ny"] * 30, "c": ['"q"'] * 30})
    assert repr(report).count("\n") == len(report)


def test_half_a_surrogate_pair():
    table = {"a\ud800": ["\ud800", "b", "\ud800"]}
    for made in (attribute_types(table), audit(table)):
        for text in (repr(made), made._repr_html_(), *made.frame().astype(str).to_numpy().ravel()):
            text.encode()
