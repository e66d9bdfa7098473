"""The audit finds leaks by single values and by ranks, what a name rules out, odd dates; and infers tasks warily."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from suffice.prepare import attribute_types, audit, infer_task
from suffice.prepare.looking._checks.leaks.numbers import rank_correlation

RNG = np.random.default_rng(7)
N = 800


def kinds(report):
    return [(f.kind, f.severity) for f in report]


# -- leaks ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("overrides", [None, {"zone": "nominal"}])
def test_values_that_are_pure_leak(overrides):
    zone = RNG.integers(0, 41, N)
    report = audit({"zone": zone, "y": np.where(zone % 2, "a", "b")}, "y", overrides=overrides)
    assert kinds(report) == [("leak", "error")]
    noisy = np.where(RNG.random(N) < 0.8, zone % 2, 1 - zone % 2)
    assert not audit({"zone": zone, "y": noisy}, "y").of("leak")


def test_many_values_with_few_rows_each_do_not_leak_by_chance():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        table = {"k": rng.integers(0, N // 5, N), "y": rng.integers(0, 2, N)}
        assert not audit(table, "y").of("leak")


def test_a_number_that_tells_the_class_is_as_grave_as_a_word():
    found = {
        "word": audit({"a": ["n", "y"] * 40, "y": ["u", "v"] * 40}, "y").of("leak"),
        "number": audit({"a": [0, 1] * 40, "y": ["u", "v"] * 40}, "y").of("leak"),
    }
    assert {f.severity for (f,) in found.values()} == {"error"}


def test_a_monotone_function_of_the_target_leaks():
    t = RNG.normal(size=N)
    report = audit({"up": np.exp(3 * t), "down": -np.exp(2 * t), "y": t}, "y").of("leak")
    assert [f.columns[0] for f in report] == ["down", "up"]
    assert all("rank correlation" in f.message for f in report)
    noisy = np.exp(3 * (t + 0.3 * RNG.normal(size=N)))
    assert not audit({"z": noisy, "y": t}, "y").of("leak")


def testrank_correlation_is_that_of_scipy():
    x, y = RNG.integers(0, 20, 300), RNG.normal(size=300)
    assert rank_correlation(x, x + y) == pytest.approx(stats.spearmanr(x, x + y).statistic, rel=1e-12)
    assert rank_correlation(np.ones(5), np.arange(5.0)) == 0


# -- what a name rules out --------------------------------------------------------------------------------------
def drawn(low, high, whole):
    return RNG.integers(low, high + 1, N) if whole else RNG.uniform(low, high, N)


@pytest.mark.parametrize(
    ("name", "low", "high", "whole", "odd"),
    [
        ("latitude", -60, 60, False, 95),
        ("site_lat", -60, 60, False, -91),
        ("longitude", -170, 170, False, 200),
        ("probability", 0, 1, False, 1.2),
        ("share_of_votes", 0, 1, False, -0.1),
        ("month", 1, 12, True, 13),
        ("hour", 0, 23, True, 25),
        ("weekday", 0, 6, True, 9),
        ("quarter", 1, 4, True, 5),
    ],
)
def test_values_that_a_name_rules_out(name, low, high, whole, odd):
    values = drawn(low, high, whole)
    assert not audit({name: values, "v": RNG.normal(size=N)}).of("impossible")
    values[17] = odd
    (found,) = audit({name: values, "v": RNG.normal(size=N)}).of("impossible")
    assert (found.rows, found.severity) == ((17,), "error")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("longitude", RNG.uniform(0, 360, N)),
        ("probability", RNG.uniform(0, 100, N)),
        ("month", RNG.integers(0, 12, N)),
        ("month", RNG.integers(1, 61, N)),
        ("price_per_hour", RNG.integers(10, 30, N)),
        ("share_price", np.append(RNG.uniform(0, 1, N - 1), 2)),
    ],
)
def test_other_uses_of_a_name_are_no_errors(name, values):
    assert not audit({name: values, "v": RNG.normal(size=N)}).of("impossible")


# -- dates, gaps, rows -------------------------------------------------------------------------------------------
def test_dates_in_several_formats_and_days_that_are_none():
    (found,) = audit({"d": ["2020-01-01", "2020-02-05", "31/12/2020", "05/03/2020"] * 5}).of("dates as text")
    assert found.severity == "error"
    assert "several formats: %Y-%m-%d (10 rows), %d/%m/%Y (10 rows)" in found.message
    (found,) = audit({"d": ["2020-01-01", "2020-02-05", "2020-13-45", "2020-03-04"] * 5}).of("dates as text")
    assert "no date: '2020-13-45'" in found.message
    assert not audit({"d": ["1-2-3", "9.9.9", "v1.2", "10.0.0.1"] * 5}).of("dates as text")


def test_a_word_that_may_stand_for_none_is_a_note():
    (found,) = audit({"c": ["red", "Unknown", "blue"] * 10}).of("disguised gap")
    assert (found.severity, found.n_rows) == ("note", 10)


def test_one_row_over_and_over():
    (found,) = audit({"a": [1] * 4, "b": ["x"] * 4}).of("duplicate rows")
    assert found.rows == (1, 2, 3)


def test_a_target_without_a_value_is_an_error():
    report = audit({"a": [1, 2, 3, 4], "y": [None] * 4}, "y")
    assert ("target missing", "error") in kinds(report)


def test_a_target_may_be_named_by_a_number():
    import pandas as pd

    frame = pd.DataFrame({0: [1.0, 2.0, 3.5], 1: [None] * 3})
    assert audit(frame, 1).of("target missing")


# -- meaning and tasks -------------------------------------------------------------------------------------------
def test_moments_in_seconds_have_no_zero_of_their_own():
    for name in ("unix_time", "unixtime", "created_unix"):
        assert (
            attribute_types({name: [1_600_000_000, 1_600_000_100, 1_600_000_350]})[name].scale == "interval"
        )


def test_tasks_of_odd_targets():
    assert infer_task([1.0, math.inf]).name == "regression"
    assert "infinite in 1 of 2 rows" in infer_task([1.0, math.inf]).why
    assert infer_task(range(9)).name == "counts"
    with pytest.raises(ValueError, match="complex numbers; give real and imaginary parts"):
        infer_task([1 + 2j, 3.0])
    with pytest.raises(ValueError, match="A target is needed, one value per row; got 5"):
        infer_task(5)
