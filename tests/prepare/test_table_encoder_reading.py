"""How TableEncoder reads cells: words, numbers and dates written as text, mixtures; and tables that come in batches."""

from __future__ import annotations

import datetime as dt
import sqlite3
import time
from decimal import Decimal

import numpy as np
import pytest

from suffice.prepare import TableEncoder
from suffice.prepare.looking.gathering import _joined, gather_table
from suffice.prepare.transforming._cell_reading import (
    as_moments,
    as_numbers,
    as_words,
    distinct_words,
    read_moments,
    read_numbers,
)


def objects(*cells) -> np.ndarray:
    out = np.empty(len(cells), dtype=object)
    out[:] = cells
    return out


# -- cells ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "words"),
    [
        (np.array([1.0, np.nan, 2.5, np.inf, -0.0, 1234567.0]), ["1", None, "2.5", None, "0", "1234567"]),
        (np.array([3, -1, 3]), ["3", "-1", "3"]),
        (np.array([True, False]), ["true", "false"]),
        (objects("a", None, "b", "a"), ["a", None, "b", "a"]),
        (
            objects(1, 1.0, "1", True, None, (1, 2), Decimal("2.50")),
            ["1", "1", "1", "true", None, "(1, 2)", "2.50"],
        ),
        (np.array(["2020-01-02", "NaT"], dtype="M8[ns]"), ["2020-01-02", None]),
        (np.array([90], dtype="m8[m]"), ["1:30:00"]),
        (np.array([1e300, 0.1]), ["1e+300", "0.1"]),
    ],
    ids=str,
)
def test_words(values, words):
    assert as_words(values).tolist() == words
    codes, distinct = distinct_words(values)
    assert [None if c < 0 else distinct[c] for c in codes] == words


def test_numbers_of_words():
    words = [
        "12",
        "1,234.5",
        "3,5",
        "€ 7",
        "12 %",
        "12a",
        "1e5",
        "",
        "nan",
        "inf",
        "1_000",
        "1e999",
        "true",
        " 4 ",
    ]
    expected = [12, 1234.5, np.nan, 7, 12, np.nan, 1e5, *[np.nan] * 6, 4]
    np.testing.assert_array_equal(read_numbers(words), expected)
    np.testing.assert_array_equal(
        read_numbers(["1.234,5", "3,5", "10,750", "1.5"], mark=","), [1234.5, 3.5, 10.75, np.nan]
    )
    plain = [str(v) for v in np.random.default_rng(0).normal(size=50)]
    np.testing.assert_array_equal(read_numbers(plain), [float(w) for w in plain])
    np.testing.assert_array_equal(read_numbers(["1", "-", "2e"]), [1, np.nan, np.nan])
    np.testing.assert_array_equal(as_numbers(objects("true", False, "x"), truths=True), [1, 0, np.nan])
    np.testing.assert_array_equal(as_numbers(np.array(["2020"], dtype="M8[Y]")), [np.nan])


def test_moments_of_words_are_those_of_python():
    zone = dt.timezone(dt.timedelta(hours=5, minutes=30))
    told = [
        dt.datetime(2020, 2, 29),
        dt.datetime(1999, 12, 31, 23, 59, 58, 123456),
        dt.datetime(2021, 5, 6, 7, 8, tzinfo=zone),
        dt.datetime(2021, 5, 6, 7, 8, tzinfo=dt.UTC),
    ]
    words = (
        [m.isoformat() for m in told]
        + [m.isoformat(" ") for m in told]
        + ["2021-05-06T07:08Z", "2021-05-06 01:38-0530"]
    )
    utc = [m.astimezone(dt.UTC).replace(tzinfo=None) if m.tzinfo else m for m in told]
    expected = [*utc, *utc, utc[3], utc[3]]
    assert read_moments(words).tolist() == expected


def test_what_is_no_moment():
    words = [
        "2021-02-30",
        "0000-00-00",
        "now",
        "today",
        "2020",
        "2020-13-01",
        "9999-12-31",
        "",
        "20-01-01",
        "12:30",
    ]
    assert np.isnat(read_moments(words)).all()
    found = read_moments(["31.12.2020", "2020-12-31", "12/31/2020"], "%d.%m.%Y")
    assert found.astype("M8[D]").astype(str).tolist() == ["2020-12-31", "2020-12-31", "NaT"]
    assert np.isnat(as_moments(np.array([1.0, 2.0]))).all()


# -- text that holds something else -----------------------------------------------------------------------
def test_numbers_with_a_few_words_are_numbers():
    cells = [str(i) for i in range(10, 106)] + ["n/a", "?", "broken", "broken", "worse"]
    model = TableEncoder().fit({"v": cells})
    Z = model.transform({"v": cells})
    np.testing.assert_array_equal(Z[:96, 0], np.arange(10, 106))
    assert Z[96:, 0].tolist() == [57.5] * 5
    assert Z[:, 1].sum() == 5
    assert model.remarks_["v"] == (
        "numbers written as text; 3 cells are none of them ('broken', 'worse') and taken as missing; "
        "2 cells are marked as missing"
    )
    assert model.mismatch({"v": cells}).strangers == {"v": {"broken": 2, "worse": 1}}


def test_the_bar_is_ninety_five_cells_of_a_hundred():
    def names(odd: int) -> list[str]:
        cells = [str(i % 7) for i in range(100 - odd)] + [f"word{i}" for i in range(odd)]
        return list(TableEncoder().fit({"v": cells}).get_feature_names_out())

    assert names(5) == ["v", "v is missing"]
    assert names(6)[-1] == "v is other"


def test_codes_with_leading_zeros_stay_words():
    assert TableEncoder().fit({"v": ["007", "12", "7", "12"] * 9}).get_feature_names_out().tolist() == [
        "v = 007",
        "v = 7",
    ]


def test_numbers_too_long_to_be_floats_stay_words():
    cells = [10**20 + i for i in range(3)] * 9
    assert len(TableEncoder().fit({"v": cells}).get_feature_names_out()) == 2


def test_what_the_user_says_decides():
    cells = ["1", "2", "3", "x"] * 5
    assert TableEncoder(types={"v": "ratio"}).fit({"v": cells}).get_feature_names_out().tolist() == [
        "v",
        "v is missing",
    ]
    plain = ["1", "2", "3", "1"] * 5
    assert TableEncoder(types={"v": "nominal"}).fit({"v": plain}).get_feature_names_out().tolist() == [
        "v = 2",
        "v = 3",
    ]


def test_dates_as_text_are_dates():
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=13 * i) for i in range(80)]
    expected = TableEncoder().fit_transform({"t": days})
    for pattern in ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%Y%m%d", "%d %b %Y"):
        model = TableEncoder().fit({"t": [day.strftime(pattern) for day in days]})
        assert model.remarks_["t"] == "dates written as text"
        np.testing.assert_array_equal(model.transform({"t": days}), expected)
        np.testing.assert_array_equal(
            model.transform({"t": [day.strftime(pattern) for day in days]}), expected
        )


def test_days_and_months_that_cannot_be_told_apart_are_not_guessed():
    model = TableEncoder().fit({"t": [f"{i % 12 + 1:02d}/{i // 12 + 1:02d}/2020" for i in range(60)]})
    assert "cannot be told apart; write them as 2020-12-31" in model.remarks_["t"]
    assert "t" in model.unused_


def test_mixtures_are_words_of_their_own():
    model = TableEncoder(least_rows=1).fit({"v": ["a", "a", 1, 1.0, True, None, [2]]})
    assert model.state_[0].levels == ("1", "a", "[2]", "true")
    assert model.get_feature_names_out()[-1] == "v is missing"


# -- files and batches ------------------------------------------------------------------------------------
def test_files_of_every_format_give_the_same_numbers(tmp_path):
    day = [f"2020-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(50)]
    x = [i * i / 7 for i in range(50)]
    k = ["ab", "c", "d"] * 16 + ["ab", "c"]
    (tmp_path / "t.csv").write_text(
        "day,x,k\n" + "".join(f"{a},{b!r},{c}\n" for a, b, c in zip(day, x, k, strict=True))
    )
    lines = "".join(f'{{"day": "{a}", "x": {b!r}, "k": "{c}"}}\n' for a, b, c in zip(day, x, k, strict=True))
    (tmp_path / "t.jsonl").write_text(lines)
    with sqlite3.connect(tmp_path / "t.sqlite") as base:
        base.execute("create table t (day text, x real, k text)")
        base.executemany("insert into t values (?, ?, ?)", list(zip(day, x, k, strict=True)))
    base.close()
    expected = TableEncoder().fit_transform({"day": np.array(day, dtype="M8[D]"), "x": x, "k": k})
    for file in ("t.csv", "t.jsonl", "t.sqlite::t"):
        table = gather_table(str(tmp_path / file))
        np.testing.assert_array_equal(TableEncoder().fit_transform(table), expected)


def test_batches_of_a_column_are_one_column():
    whole, gap = np.array([1, 2]), np.array([np.nan, 0.5])
    assert _joined([whole, gap]).tolist()[1:] == [2.0, pytest.approx(np.nan, nan_ok=True), 0.5]
    assert _joined([whole, whole]).dtype.kind == "i"
    assert _joined([objects(None, None), whole]).dtype == float
    assert _joined([objects(None), objects("a")]).tolist() == [None, "a"]
    assert _joined([np.array([2**60]), np.array([np.nan])]).tolist() == [2**60, None]
    assert _joined([objects("a"), whole]).tolist() == ["a", 1, 2]
    moments = _joined([objects(None), np.array(["2020"], dtype="M8[ns]")])
    assert moments.dtype.kind == "M"
    assert _joined([]).shape == (0,)


# -- speed ------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_cells_cost_less_than_a_microsecond_each():
    """A loop over cells in Python would take several; the bar leaves room for a busy machine."""
    rng, n = np.random.default_rng(0), 200_000
    words = np.array([f"level {i}" for i in range(30)], dtype=object)
    dates = np.array([f"2020-01-{i:02d}" for i in range(1, 29)], dtype=object)
    table = {
        "x": rng.normal(size=n), "i": rng.integers(0, 50, n), "w": words[rng.integers(0, 30, n)],
        "d": dates[rng.integers(0, 28, n)],
    }  # fmt: skip
    start = time.process_time()
    TableEncoder().fit(table).transform(table)
    assert time.process_time() - start < 1e-6 * 4 * n * 2
