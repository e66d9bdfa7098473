"""Gower's distance against its definition, and the checks of axioms."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

from suffice import load, save
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.similarity import blocks, check_metric, check_norm, gower, minkowski, norm

FRAME = pd.DataFrame(
    {
        "color": ["red", "blue", None, "red", "green"],
        "size": [1.0, 4.0, 2.0, math.nan, 5.0],
        "grade": ["low", "high", "mid", "low", None],
        "fever": [1, 0, 0, 0, 1],
    }
)
OPTIONS = {
    "scales": {"grade": "ordinal", "fever": "presence"},
    "orders": {"grade": ["low", "mid", "high"]},
    "weights": {"color": 2.0},
}
STEPS = {"low": 0, "mid": 1, "high": 2}


def by_hand(a, b) -> float:
    total, weight = 0.0, 0.0
    if a["color"] is not None and b["color"] is not None:
        total, weight = total + 2 * (a["color"] != b["color"]), weight + 2
    if not math.isnan(a["size"]) and not math.isnan(b["size"]):
        total, weight = total + abs(a["size"] - b["size"]) / 4, weight + 1
    if a["grade"] is not None and b["grade"] is not None:
        total, weight = total + abs(STEPS[a["grade"]] - STEPS[b["grade"]]) / 2, weight + 1
    if a["fever"] or b["fever"]:
        total, weight = total + (a["fever"] != b["fever"]), weight + 1
    return total / weight if weight else math.nan


def test_gower_is_the_definition():
    records = [
        {k: (None if k in ("color", "grade") and not isinstance(v, str) else v) for k, v in r.items()}
        for r in FRAME.to_dict("records")
    ]
    expected = np.array([[by_hand(a, b) for b in records] for a in records])
    found = gower(FRAME, **OPTIONS)
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert np.array_equal(found, found.T)
    np.testing.assert_allclose(gower(pl.from_pandas(FRAME), **OPTIONS), expected, rtol=1e-14)
    np.testing.assert_allclose(gower(FRAME, FRAME.iloc[:2], **OPTIONS), expected[:, :2], rtol=1e-14)
    parts = np.vstack([b for _, b in blocks(gower, FRAME, rows=2, **OPTIONS)])
    np.testing.assert_allclose(parts, expected, rtol=1e-14)


def test_numbers_alone_are_the_city_block_over_ranges():
    rng = np.random.default_rng(5)
    x = rng.standard_normal((20, 4)) * [1, 10, 1e-8, 1e8]
    np.testing.assert_allclose(gower(x), minkowski(x / np.ptp(x, axis=0), p=1) / 4, rtol=1e-12)
    assert check_metric(gower(x)).holds


def test_a_constant_column_and_a_weight_of_zero():
    x = np.array([[1.0, 5.0, 0.0], [2.0, 5.0, 9.0]])
    assert gower(x).tolist() == [[0, 2 / 3], [2 / 3, 0]]
    assert gower(x, weights=[1, 0, 0]).tolist() == [[0, 1], [1, 0]]
    assert np.isnan(gower(x, weights=[0, 0, 0])).all()


def test_nothing_to_compare_is_nan():
    found = gower([[1.0, None], [None, "a"], [2.0, "a"]])
    assert math.isnan(found[0, 1])
    assert found[0, 2] == 1
    assert found[1, 2] == 0


def test_two_rows_need_ranges_and_orders():
    assert gower(["a", 1.0], ["a", 3.0], ranges={1: 4.0}) == 0.25
    assert gower(["a", 1.0], ["a", 9.0], ranges={1: 4.0}) == 0.5
    assert gower(["a", "b"], ["a", "c"]) == 0.5
    with pytest.raises(InvalidInput, match=r"Two rows do not tell the range of column 1; give ranges"):
        gower(["a", 1.0], ["a", 3.0])
    with pytest.raises(InvalidInput, match=r"Two rows do not tell the values of column 0; give orders"):
        gower(["a"], ["b"], scales=["ordinal"])


def test_times_booleans_and_missing_values_of_pandas():
    frame = pd.DataFrame(
        {
            "day": pd.to_datetime(["2020-01-01", "2020-01-03", None]),
            "flag": pd.array([True, None, True], dtype="boolean"),
            "count": pd.array([1, 2, None], dtype="Int64"),
        }
    )
    found = gower(frame)
    import pyarrow as pa

    assert np.array_equal(gower(pa.Table.from_pandas(frame)), found, equal_nan=True)
    assert found[0, 1] == 1.0
    assert found[0, 2] == 0.0
    assert math.isnan(found[1, 2])


def test_ordinal_numbers_count_steps():
    x = np.array([[1.0], [10.0], [1000.0]])
    assert gower(x, scales=["ordinal"]).tolist() == [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]


def test_what_gower_refuses():
    with pytest.raises(InvalidInput, match=r"x is one row"):
        gower([1.0, "a"])
    with pytest.raises(InvalidInput, match=r"x holds inf in row 1, column 0"):
        gower([[1.0], [math.inf]])
    with pytest.raises(InvalidInput, match=r"same columns; got \['a'\] and \['b'\]"):
        gower(pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [1]}))
    with pytest.raises(InvalidInput, match=r"x has 2 columns called 'a'"):
        gower(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(InvalidInput, match=r"at least one column"):
        gower(np.zeros((3, 0)))
    with pytest.raises(InvalidInput, match=r"rows of the same length"):
        gower([[1, 2], [3]])
    with pytest.raises(
        InvalidParameter, match=r"scales names the column 'colour', which is not there.*'color'"
    ):
        gower(FRAME, scales={"colour": "nominal"})
    with pytest.raises(
        InvalidParameter, match=r"scales must be one of nominal.*got 'real' for column 'size'"
    ):
        gower(FRAME, scales={"size": "real"})
    with pytest.raises(InvalidParameter, match=r"scales must say something of each of the 4 columns; got"):
        gower(FRAME, scales=["nominal"])
    with pytest.raises(InvalidInput, match=r"Column 'color' is ratio but holds values that are not numbers"):
        gower(FRAME, scales={"color": "ratio"})
    with pytest.raises(
        InvalidInput, match=r"Column 'grade' holds 'mid' in row 2, which is not one of 'low', 'high'"
    ):
        gower(FRAME, scales={"grade": "ordinal"}, orders={"grade": ["low", "high"]})
    with pytest.raises(InvalidInput, match=r"Column 'size' holds .* in row 1, which is not one of 0, 1"):
        gower(FRAME, scales={"size": "presence"})
    with pytest.raises(InvalidInput, match=r"values of column 0 have no order; give orders"):
        gower([["a"], [1]], scales=["ordinal"])
    with pytest.raises(
        InvalidParameter, match=r"weights must be finite numbers >= 0; got -1 for column 'size'"
    ):
        gower(FRAME, weights={"size": -1})
    with pytest.raises(InvalidParameter, match=r"ranges must be positive numbers; got 0 for column 'size'"):
        gower(FRAME, ranges={"size": 0})
    with pytest.raises(InvalidInput, match=r"range of column 0 leaves the range of numbers"):
        gower([[1.7e308], [-1.7e308]])


# -- axioms ----------------------------------------------------------------------------------------------------
def test_each_axiom_has_its_counterexample():
    line = np.array([[0.0], [1.0], [3.0]])
    squared = check_metric(lambda a, b: minkowski(a, b) ** 2, line)
    (failure,) = squared.failures
    assert failure.points == (0, 1, 2)
    assert "9 > d(0, 1) + d(1, 2) = 1 + 4" in failure.sentence
    assert not squared.holds
    assert squared["symmetry"]
    assert not squared["triangle inequality"]
    signed = check_metric(lambda a, b: (a - b)[0], line)
    assert {f.axiom for f in signed.failures} >= {"non-negativity", "symmetry"}
    assert not check_metric(lambda a, b: 1.0, line)["identity"]
    blind = check_metric(lambda a, b: abs(a[0] - b[0]), [[0, 1], [0, 2]])
    assert not blind["identity"]
    assert "for different points" in str(blind)
    assert check_metric(lambda a, b: abs(a[0] - b[0]), [[0, 1], [0, 1]])["identity"]


def test_a_check_can_be_shown_tabled_and_saved(tmp_path):
    found = check_metric(lambda a, b: minkowski(a, b) ** 2, [[0.0], [1.0], [3.0]])
    assert found.frame()["holds"].tolist() == [True, True, True, False]
    assert found.frame("polars")["counterexample"][3].startswith("d(0, 2) = 9 > ")
    assert "d(0, 2) = 9 &gt; d(0, 1)" in found._repr_html_()
    save(found, tmp_path / "check.suffice")
    assert load(tmp_path / "check.suffice") == found


def test_norms_that_are_none():
    points = [[1.0, 2.0], [0.0, 0.0], [-1.0, 3.0]]
    assert check_norm(norm, points).holds
    assert not check_norm(lambda x: abs(x[0]), [[0.0, 1.0]])["positivity"]
    assert not check_norm(lambda x: norm(x) + 1, [[1.0, 1.0]])["positivity"]
    assert not check_norm(lambda x: norm(x) ** 2, points)["homogeneity"]
    assert not check_norm(lambda x: norm(x) ** 2, [[1.0], [1.0]])["triangle inequality"]


def test_what_the_checks_refuse():
    with pytest.raises(InvalidInput, match=r"points must hold at least one point"):
        check_metric(minkowski, [])
    with pytest.raises(InvalidInput, match=r"square table; got shape \(2, 3\)"):
        check_metric(np.zeros((2, 3)))
    with pytest.raises(InvalidInput, match=r"distance of points 0 and 1 is nan"):
        check_metric([[0, math.nan], [1, 0]])
    with pytest.raises(InvalidInput, match=r"points must be a table of finite numbers"):
        check_norm(norm, [[math.nan]])
    with pytest.raises(InvalidParameter, match=r"axiom must be one of 'non-negativity'.*got 'unity'"):
        check_metric([[0.0]])["unity"]
