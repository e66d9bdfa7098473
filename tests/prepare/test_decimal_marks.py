"""Decimal points and commas in text: decided once for a column, said, and never read cell by cell."""

from __future__ import annotations

import numpy as np
import pytest

import suffice
from suffice.prepare import TableEncoder, attribute_types, audit, describe
from suffice.prepare.looking._decimal_marks import decimal_mark
from suffice.prepare.looking.gathering import _joined, gather_table
from suffice.study import Study
from suffice.study.reading.source import read

COMMAS = ["1,5", "2,25", "0,125", "10,750"]
OPEN = ["1,234", "2,345", "9,876"]
BOTH = r"'1,234' is 1234 with decimal='\.' and 1\.234 with decimal=','"


def column(cells, **options):
    """The encoder of one column, and its first cells as numbers."""
    model = TableEncoder(**options).fit({"v": list(cells) * 9})
    return model, model.transform({"v": cells})[:, 0].tolist()


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (COMMAS, [1.5, 2.25, 0.125, 10.75]),
        (["1.234,5", "1.234", "2.345.678", "7"], [1234.5, 1234, 2345678, 7]),
        (["1,234.5", "10,750", "0.125"], [1234.5, 10750, 0.125]),
        (["1,234,567", "10,750"], [1234567, 10750]),
        (["-0,125", "10,750", "+3,250 €"], [-0.125, 10.75, 3.25]),
        (["1.234", "0.5", "12.345"], [1.234, 0.5, 12.345]),
        (["999", "1,234", "10,750"], [999, 1234, 10750]),  # decimals would be written 999,000 and 10,75
        (["1234", "1,234", "7,891"], [1234, 1.234, 7.891]),  # groups would be written 1,234
        (["1.234", "7.891", "3.125"], [1.234, 7.891, 3.125]),  # a point is a decimal point
    ],
    ids=str,
)
def test_a_column_has_one_decimal_mark(cells, numbers):
    assert column(cells)[1] == numbers


@pytest.mark.parametrize(
    "cells", [OPEN, ["999", "1,234", "7,891"], ["1,234", "1.234"], ["999", "1.250"], ["1.5", "2,25"]], ids=str
)
def test_columns_of_two_readings_stay_text_and_show_both(cells):
    model = TableEncoder(least_rows=1).fit({"v": cells * 9})
    assert model.get_feature_names_out()[0].startswith("v = ")
    assert model.remarks_["v"].startswith("left as text: numbers")
    assert "decimal='.'" in model.remarks_["v"]
    assert "decimal=','" in model.remarks_["v"]


def test_the_user_decides():
    assert column(OPEN, decimal=",")[1] == [1.234, 2.345, 9.876]
    assert column(OPEN, decimal={"v": "."})[1] == [1234, 2345, 9876]
    with pytest.raises(ValueError, match=f"Column 'v' holds numbers that can be read in two ways: {BOTH}"):
        TableEncoder(types={"v": "ratio"}).fit({"v": OPEN * 9})


def test_remarks_say_how_it_was_read():
    said = "a decimal comma, so that '10,750' is 10.75 (with decimal='.' it would be 10750)"
    assert column(COMMAS)[0].remarks_ == {"v": f"numbers written as text with {said}"}
    assert column(["1.5", "1.234"])[0].remarks_ == {"v": "numbers written as text"}


def test_new_tables_are_read_like_the_fit():
    model, _ = column(COMMAS)
    assert model.transform({"v": ["10,750", "1,234"]})[:, 0].tolist() == [10.75, 1.234]
    assert model.mismatch({"v": ["2.5", "3,5"]}).strangers == {"v": {"2.5": 1}}
    plain = TableEncoder().fit({"v": np.linspace(0, 1, 30)})
    assert plain.transform({"v": COMMAS})[:, 0].tolist() == [1.5, 2.25, 0.125, 10.75]
    assert plain.mismatch({"v": OPEN}).strangers == {"v": dict.fromkeys(OPEN, 1)}


def test_marks_are_saved(tmp_path):
    model, _ = column(COMMAS)
    suffice.save(model, tmp_path / "m.suffice")
    assert suffice.load(tmp_path / "m.suffice").transform({"v": ["10,750"]}).tolist() == [[10.75]]


def test_numbers_beside_text_stay_what_they_are():
    cells = np.array([1.5, "2,25", 3, "10,750"] * 9, dtype=object)
    assert TableEncoder().fit_transform({"v": cells})[:4, 0].tolist() == [1.5, 2.25, 3, 10.75]


@pytest.mark.parametrize("seed", range(40))
def test_no_way_of_writing_is_misread(seed):
    """Columns in six styles: what is read are the numbers that were written, or the column stays text."""
    rng = np.random.default_rng(seed)
    size, places = rng.choice([1.0, 30.0, 2e3, 5e5]), int(rng.integers(0, 5))
    values = np.round(rng.normal(size, size, rng.integers(2, 40)), places)
    grouped, stripped, comma = rng.random(3) < 0.5
    words = [f"{v:{',' if grouped else ''}.{places}f}" for v in values]
    if stripped and places:
        words = [w.rstrip("0").rstrip(".") for w in words]
    if comma:
        words = [w.translate(str.maketrans(".,", ",.")) for w in words]
    found = decimal_mark(words)
    if found.mark:
        read = TableEncoder(types={"v": "ratio"}, decimal=found.mark).fit({"v": words + ["?"]})
        if read.state_:
            points_group = comma and not places and grouped
            if points_group and found.mark == ".":  # all of them open, with points: said in the remark
                assert "would be" in found.remark
            else:
                np.testing.assert_allclose(read.transform({"v": words})[:, 0], values, rtol=1e-12)


def test_looking_says_it_too():
    assert describe({"v": COMMAS * 9}).notes == (
        "Column 'v' holds numbers written as text: a decimal comma, so that '10,750' is 10.75 (with decimal='.' it "
        "would be 10750); make numbers of them to compute with them.",
    )
    assert describe({"v": COMMAS * 9}, decimal=",")["v"].mean == pytest.approx(3.65625)
    assert "two ways" in attribute_types({"v": OPEN * 9})["v"].why
    assert "two ways" in str(audit({"v": OPEN * 9, "w": list(range(27))}))
    with pytest.raises(ValueError, match="decimal must be one of"):
        describe({"v": COMMAS}, decimal="·")


def test_files_are_read_alike(tmp_path):
    cells = ["1.234", "2.500", "3,5", "7"] * 20
    (tmp_path / "t.csv").write_text("v;k\n" + "".join(f"{c};a\n" for c in cells))
    found = TableEncoder().fit_transform(gather_table(str(tmp_path / "t.csv")))
    assert found[:4, 0].tolist() == [1234, 2500, 3.5, 7]
    later = np.array(["3,5", "4,25"], dtype=object)
    assert _joined([np.array([1.234, 7.0]), later]).tolist() == ["1.234", 7.0, "3,5", "4,25"]


def test_a_study_refuses_a_target_of_two_readings():
    rng = np.random.default_rng(0)
    y = rng.integers(1001, 9999, 80)
    table = {"x": rng.normal(size=80), "y": [f"{v // 1000},{v % 1000:03d}" for v in y]}
    with pytest.raises(
        ValueError, match="target 'y' holds numbers that can be read in two ways: .*decimal=','"
    ):
        Study(table, "y", models=["linear"], effort="quick").run()
    with pytest.raises(ValueError, match="weights: column 'y' holds numbers that can be read in two ways"):
        Study(table, "x", weights="y", effort="quick").run()
    assert read(table, decimal=",").columns["y"].tolist() == (y / 1000).tolist()
    result = Study(table, "y", models=["linear"], effort="quick", decimal=".").run()
    assert result.model.encoder.decimal == "."
