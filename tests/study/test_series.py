"""A table that is a series: what its past becomes, what nobody may know beforehand, and when it is no series."""

import numpy as np
import pytest

from suffice import load, save
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.prepare.sequences._lags import rows_before, values_before
from suffice.study import Study
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.series import FEW
from suffice.study.reading.series_steps import Steps, steps_of
from suffice.study.reading.source import read

N = 120


def problem(table, target="y", **options):
    return make_problem(read(table), Options(target, **{"effort": "quick", **options}))


def made(p):
    """The columns that the models see, by name."""
    return dict(zip(p.names, p.Z.T, strict=True))


def wandering(n=N, seed=0):
    return np.cumsum(np.random.default_rng(seed).normal(size=n))


def months(n, start="2001-01"):
    return (np.datetime64(start, "M") + np.arange(n)).astype(str).astype(object)


def seasonal(n=N, seed=0, size=3.0):
    rng = np.random.default_rng(seed)
    return size * np.sin(2 * np.pi * np.arange(n) / 12) + rng.normal(size=n)


# -- lags ----------------------------------------------------------------------------------------------------
def test_a_lag_is_found_by_its_step_and_its_series():
    step = np.array([5, 1, 2, 4, 1, 2])
    series = np.array(["a", "a", "a", "a", "b", "b"])
    np.testing.assert_array_equal(rows_before(step, 1, series), [3, -1, 1, -1, -1, 4])
    np.testing.assert_array_equal(rows_before(step, 3, series), [2, -1, -1, 1, -1, -1])
    np.testing.assert_array_equal(
        values_before(step.astype(float), np.arange(6), 2), [np.nan, np.nan, 5, 1, 2, 4]
    )


def test_the_newest_known_value_is_a_column_whatever_the_order_of_the_rows():
    y, order = wandering(), np.random.default_rng(1).permutation(N)
    p = problem({"t": np.arange(N)[order], "y": y[order]}, time="t")
    assert "y 1 before" in p.names
    at = np.arange(N)[order][p.rows]
    np.testing.assert_allclose(made(p)["y 1 before"], y[at - 1])
    np.testing.assert_allclose(p.y, y[at])


def test_rows_without_a_known_past_are_left_out_and_counted():
    y = wandering()
    y[50] = np.nan
    p = problem({"t": np.delete(np.arange(N), 80), "y": np.delete(y, 80)}, time="t")
    back = p.series.rule.longest
    gone = {*range(back), *range(51, 51 + back), *range(81, 81 + back)}
    kept = [t for t in range(N) if t not in gone | {50, 80}]
    np.testing.assert_array_equal(np.delete(np.arange(N), 80)[p.rows], kept)
    lost = N - 2 - len(kept)
    assert any(said.startswith(f"{lost} of {N - 2} rows are left out") for said in p.remarks)


@pytest.mark.parametrize("horizon", [1, 3, 15])
def test_nothing_newer_than_the_horizon_is_used(horizon):
    t, y, x = months(N), seasonal(), np.random.default_rng(5).normal(size=N)
    first = problem({"t": t, "x": x, "y": y}, time="t", horizon=horizon)
    row = first.rows[-1]
    other, moved = y.copy(), x.copy()
    other[row - horizon + 1 :] += 100.0
    moved[row - horizon + 1 :] -= 100.0
    second = problem({"t": t, "x": moved, "y": other}, time="t", horizon=horizon)
    assert second.names == first.names
    np.testing.assert_array_equal(second.Z[-1], first.Z[-1])
    for train, test in first.splits:
        assert first.rows[train].max() <= first.rows[test].min() - horizon


def test_rows_that_test_have_no_say_in_what_is_made():
    t, y = months(N), seasonal()
    first = problem({"t": t, "y": y}, time="t")
    start = first.rows[first.splits[0][1][0]]
    assert first.series.block <= start
    other = y.copy()
    other[first.series.block :] = np.random.default_rng(8).normal(size=N - first.series.block).cumsum()
    assert problem({"t": t, "y": other}, time="t").series.rule == first.series.rule


# -- what is chosen ------------------------------------------------------------------------------------------
def test_season_and_trend_are_made_where_they_are():
    rng = np.random.default_rng(2)
    rule = problem({"t": months(N), "y": seasonal()}, time="t").series.rule
    assert (rule.season, rule.waves, rule.trend) == (12, 2, False)
    rule = problem({"t": np.arange(N), "y": 0.2 * np.arange(N) + rng.normal(size=N)}, time="t").series.rule
    assert (rule.season, rule.trend) == (None, True)
    cycle = 5 * np.sin(2 * np.pi * np.arange(200) / 9) + rng.normal(size=200)
    assert problem({"t": np.arange(200), "y": cycle}, time="t").series.rule.season == 9
    clear = 5 * np.sin(2 * np.pi * np.arange(200) / 9) + 0.01 * rng.normal(size=200)
    assert problem({"t": np.arange(200), "y": clear}, time="t").series.rule.season == 9


def test_noise_and_random_walks_seldom_get_a_season_or_a_trend():
    rules = [problem({"t": months(N), "y": wandering(seed=s)}, time="t").series.rule for s in range(20)]
    assert sum(r.season is not None for r in rules) <= 3
    assert sum(r.trend for r in rules) <= 3


def test_lags_and_season_make_no_column_that_others_determine():
    for h in (1, 2, 6, 11, 12, 13):
        p = problem({"t": months(240), "y": seasonal(240)}, time="t", horizon=h)
        assert p.series.rule.season == 12
        centred = (p.Z - p.Z.mean(axis=0)) / p.Z.std(axis=0)
        assert np.linalg.cond(centred) < 1e3, p.names


# -- baselines -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("horizon", [1, 13])
def test_the_baselines_know_what_is_known_at_the_horizon(horizon):
    y = seasonal(200)
    r = Study(
        {"t": months(200), "y": y}, "y", time="t", horizon=horizon, models=["linear"], effort="quick"
    ).run()
    rows, at = np.flatnonzero(r.layers.fold >= 0), r.problem.rows
    np.testing.assert_allclose(r.layers.predictions["last-known"][rows], y[at[rows] - horizon])
    season = 12 if horizon == 1 else 24
    np.testing.assert_allclose(r.layers.predictions["same-season"][rows], y[at[rows] - season])
    assert r.comparison.best not in ("last-known", "same-season")
    losses = {n: r.layers.estimates[n] for n in ("mean", "last-known", "same-season")}
    assert r.comparison.baseline == min(losses, key=losses.get)


def test_a_whole_season_ahead_the_last_value_is_that_of_the_same_season():
    r = problem({"t": months(N), "y": seasonal()}, time="t", horizon=12).series.rule
    assert r.season == 12
    assert r.same_season is None


# -- steps of time -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("times", "unit", "season"),
    [
        (months(40), "month", 12),
        (np.arange("2000-01", "2010-01", 3, dtype="M8[M]").astype("M8[D]"), "quarter", 4),
        (np.arange("1990", "2030", dtype="M8[Y]").astype("M8[D]"), "year", None),
        (np.arange("2020-01-01", "2020-03-01", dtype="M8[D]"), "day", 7),
        (np.arange("2020-01-01", "2021-01-01", 7, dtype="M8[D]"), "week", 52),
        (np.arange("2020-01-01T00", "2020-01-09T00", dtype="M8[h]").astype("M8[us]"), "hour", 24),
        (np.arange("2020-01-01T00", "2020-01-09T00", 30, dtype="M8[m]").astype("M8[us]"), "step", 48),
        (np.busday_offset("2020-01-01", np.arange(80), roll="forward"), "working day", 5),
        (np.arange(1700.0, 1800.0), "year", None),
        (np.round(1959 + np.arange(80) / 4, 2), "quarter", 4),
        (np.round(1959 + np.arange(200) / 12, 2), "month", 12),
        (np.arange(50) * 0.3, "step", None),
    ],
)
def test_times_are_counted_in_steps(times, unit, season):
    found = steps_of(np.asarray(times), None)
    assert isinstance(found, Steps)
    assert (found.unit, found.season) == (unit, season)
    np.testing.assert_array_equal(np.diff(found.number(np.asarray(times))), 1)
    later = found.after(found.moments(np.asarray(times))[-2], 1)
    assert later == pytest.approx(found.moments(np.asarray(times))[-1], abs=1e-2)


def test_months_end_where_they_end():
    ends = (np.arange("2000-02", "2004-02", dtype="M8[M]").astype("M8[D]") - 1).astype("M8[us]")
    found = steps_of(ends, None)
    last = found.moments(ends)[-1]
    assert [found.label(found.after(last, k)) for k in (1, 2)] == ["2004-01", "2004-02"]
    assert np.datetime64(int(found.after(last, 2)), "s") == np.datetime64("2004-02-29")


def test_times_without_equal_steps_or_with_several_rows():
    rng = np.random.default_rng(0)
    assert steps_of(np.sort(rng.uniform(0, 100, 60)), None) == "goes in steps of different length"
    assert steps_of(np.arange(60) // 2, None) == "has several rows of one moment"
    assert steps_of(np.repeat(months(40), 2), None).startswith("has several rows of one mo")
    assert isinstance(steps_of(np.arange(60) // 2, np.arange(60) % 2), Steps)


# -- other columns -------------------------------------------------------------------------------------------
def test_other_columns_are_used_as_they_stand_unless_a_horizon_is_asked_for():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=N), wandering()
    table = {"t": months(N), "x": x, "month": np.arange(N) % 12, "y": y}
    p = problem(table, time="t")
    np.testing.assert_allclose(made(p)["x"], x[p.rows])
    assert any("'x': used as in the row to predict, as if known beforehand" in said for said in p.remarks)
    p = problem(table, time="t", horizon=2)
    np.testing.assert_allclose(made(p)["x 2 before"], x[p.rows - 2])
    assert "x" not in p.names
    assert "month 2 before" not in p.names
    assert any("'x': used as known 2 steps before" in said for said in p.remarks)


def test_series_side_by_side_do_not_meet():
    rng = np.random.default_rng(4)
    y = np.cumsum(rng.normal(size=(40, 5)), axis=0) + 100 * np.arange(5)
    table = {"t": np.repeat(np.arange(40), 5), "who": np.tile(list("abcde"), 40), "y": y.ravel()}
    p = problem(table, time="t", group="who", horizon=2)
    np.testing.assert_allclose(made(p)["y 2 before"], y.ravel()[p.rows - 10])
    for train, test in p.splits:
        assert table["t"][p.rows[train]].max() <= table["t"][p.rows[test]].min() - 2
    alone = problem(table, time="t", horizon=0, ignore=[], types=None)
    assert alone.series is None
    assert any("name the column that tells these apart" in said for said in problem(table, time="t").remarks)


def test_what_is_no_series():
    rng = np.random.default_rng(6)
    many = {f"x{j}": rng.normal(size=N) for j in range(FEW + 1)} | {"t": np.arange(N), "y": wandering()}
    assert problem(many, time="t").series is None
    assert problem(many, time="t", horizon=1).series is not None
    few = {"t": np.arange(N), "x": rng.normal(size=N), "y": wandering()}
    assert problem(few, time="t", horizon=0).series is None
    uneven = few | {"t": np.sort(rng.uniform(0, 99, N))}
    p = problem(uneven, time="t")
    assert p.series is None
    assert "The past of 'y' is not used: 't' goes in steps of different length." in p.remarks


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        ({}, {"time": None, "horizon": 2}, r"horizon is counted in steps of time: name the column"),
        ({}, {"horizon": -1}, r"horizon must be a whole number from 0 on; got -1"),
        (
            {"y": np.tile(["a", "b"], N // 2)},
            {"horizon": 1},
            r"horizon: a series has numbers or counts to predict",
        ),
        (
            {"t": np.arange(N) // 2},
            {},
            r"There is no column to predict 'y' from, and its past cannot be used: 't' has",
        ),
        (
            {"t": np.arange(N) // 2},
            {"horizon": 1},
            r"horizon: 't' has several rows of one moment\. If they are of",
        ),
        ({}, {"horizon": 70}, r"too few"),
        ({"y 1 before": wandering(seed=1)}, {}, r"Column 'y 1 before' has the name of a column that is made"),
    ],
)
def test_what_cannot_be_is_said(change, options, words):
    table = {"t": np.arange(N), "y": wandering()} | change
    with pytest.raises((InvalidInput, InvalidParameter), match=words):
        problem(table, **{"time": "t", **options})


def test_a_short_series_says_how_short():
    with pytest.raises(InvalidInput, match="a series needs at least 12 rows; there are 8"):
        problem({"t": np.arange(8), "y": wandering(8)}, time="t")
    p = problem({"t": np.arange(30), "y": wandering(30)}, time="t", effort="default")
    assert sum(len(test) for _, test in p.splits) >= 18


# -- the model -----------------------------------------------------------------------------------------------
def test_the_model_of_a_series_predicts_from_recent_rows(tmp_path):
    y, t = seasonal(), months(N)
    r = Study({"t": t, "y": y}, "y", time="t", models=["linear"], effort="quick").run()
    save(r.model, tmp_path / "model.suffice")
    model = load(tmp_path / "model.suffice")
    assert model.columns == ("t", "y")
    recent = {"t": [*t[-30:], "2011-01", "2011-02"], "y": [*y[-30:], np.nan, np.nan]}
    found = model.predict_table(recent)
    known = np.isfinite(found["prediction"])
    back = model.series.longest
    np.testing.assert_array_equal(np.flatnonzero(known), np.arange(back, 31))
    inside = r.model.model.predict(r.problem.Z)
    np.testing.assert_allclose(found["prediction"][back:30], inside[-(30 - back) :])
    assert np.isnan(found["low"][-1])
    assert model.mismatch(recent).extra == ()
    with pytest.raises(InvalidInput, match=r"a model of a series: the table must have column 't'"):
        model.predict({"y": y})
    with pytest.raises(
        InvalidInput, match=rf"No row can be predicted: that takes 'y' from 1 to {back} steps"
    ):
        model.predict({"t": t[:5], "y": y[:5]})
