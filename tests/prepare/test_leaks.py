"""Ten kinds of leak are found and named first; without them nothing is said, whatever the order of rows and columns."""

import time

import numpy as np
import pytest

from suffice.prepare import audit
from suffice.prepare.looking._checks.leaks.classes import level_errors, threshold_errors
from suffice.prepare.looking._checks.leaks.predictions import (
    dense,
    level_error,
    line_residuals,
    misplaced,
)
from suffice.prepare.looking._checks.repeats import are_copies, column_marks, row_marks

from . import leak_tables as tables


def leaks(table, target="y"):
    return [f for f in audit(table, target) if f.kind in ("leak", "leak by gaps")]


def alarms(table, target="y"):
    return [f for f in leaks(table, target) if f.severity != "note"]


# -- ten kinds --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", tables.KINDS, ids=lambda k: k.__name__)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_leak_is_found_and_named_first(kind, seed):
    strong, absent, names = tables.leaking(kind, seed=seed)
    first = audit(strong, "y").findings[0]
    assert first.severity == "error"
    assert set(first.columns) == names | {"y"}
    assert any(c.isdigit() for c in first.message), "a finding has its evidence in numbers"
    assert alarms(absent) == []


@pytest.mark.parametrize("seed", range(len(tables.CLEAN)))
def test_clean_tables_raise_no_alarm(seed):
    assert alarms(tables.clean(seed)) == []


@pytest.mark.long
def test_a_hundred_clean_tables_raise_at_most_two_alarms():
    assert sum(bool(alarms(tables.clean(seed))) for seed in range(100, 200)) <= 2


@pytest.mark.long
@pytest.mark.parametrize("kind", tables.KINDS, ids=lambda k: k.__name__)
def test_leaks_of_all_sizes(kind):
    found = 0
    for seed in range(10):
        strong, _, names = tables.leaking(kind, n=(80, 300, 1000)[seed % 3], seed=seed)
        found += set(leaks(strong)[0].columns) == names | {"y"} if leaks(strong) else 0
    assert found >= 9


@pytest.mark.parametrize("kind", [*tables.KINDS, None], ids=lambda k: getattr(k, "__name__", "clean"))
def test_the_order_of_rows_and_columns_does_not_matter(kind):
    table = tables.clean(4) if kind is None else tables.leaking(kind, n=120)[0]
    told = [(f.columns, f.severity, f.n_rows, f.message) for f in leaks(table)]
    rng = np.random.default_rng(3)
    by_target = np.argsort(
        table["y"].astype(str) if table["y"].dtype == object else table["y"], kind="stable"
    )
    for order in (by_target, rng.permutation(len(by_target))):
        names = rng.permutation(list(table))
        changed = {name: table[name][order] for name in names}
        assert [(f.columns, f.severity, f.n_rows, f.message) for f in leaks(changed)] == told


# -- tables of others -------------------------------------------------------------------------------------
def test_a_file_sorted_by_its_target_has_no_leak():
    """Ties of coarse columns keep the order of the file: that is no knowledge of the target."""
    sm = pytest.importorskip("statsmodels.api")
    fair = sm.datasets.fair.load_pandas().data
    fair["affair"] = (fair.pop("affairs") > 0).astype(int)
    assert leaks(fair, "affair") == []
    assert leaks(fair.sort_values("affair", kind="stable"), "affair") == []


def test_identities_of_series_are_found_and_trends_are_not():
    sm = pytest.importorskip("statsmodels.api")
    macro = sm.datasets.macrodata.load_pandas().data
    (found,) = leaks(macro, "infl")
    assert found.columns == ("realint", "tbilrate", "infl")
    assert "'tbilrate' − 'realint' predicts 202 of 203 rows" in found.message
    assert [f for name in ("realgdp", "realcons", "pop", "cpi") for f in leaks(macro, name)] == []


# -- more of each kind ------------------------------------------------------------------------------------
RNG = np.random.default_rng(11)
Z = RNG.normal(size=(6, 240))


def first(table):
    found = leaks(table | {"x": Z[4], "w": Z[5]})
    return (set(found[0].columns) - {"y"}, found[0].severity, found[0].message) if found else None


def test_sums_products_and_shares_are_named():
    parts = {name: np.round(np.exp(z), 2) for name, z in zip("abcd", Z, strict=False)}
    a, b, c, d = parts.values()
    names, _, message = first(parts | {"y": a + b + c + d})
    assert names == set("abcd")
    assert "'a' + 'b' + 'c' + 'd' predicts 240 rows" in message
    assert "'a' / 'b'²" in first({"a": a, "b": b + 1, "y": a / (b + 1) ** 2})[2]
    assert "'a' / ('a' + 'b')" in first({"a": a, "b": b, "y": 100 * a / (a + b)})[2]
    assert "2 × 'a' − 0.5 × 'b' + 3" in first({"a": a, "b": b, "y": 2 * a - 0.5 * b + 3})[2]
    assert "'a' × 'b'" in first({"a": Z[0], "b": Z[1], "y": Z[0] * Z[1]})[2]
    assert first({"a": a, "b": b, "y": a + b + 0.5 * Z[2]}) is None


def test_one_row_that_differs_does_not_hide_an_identity():
    y = Z[0] - Z[1]
    y[7] = 30.0
    names, _, message = first({"a": Z[0], "b": Z[1], "y": y})
    assert names == {"a", "b"}
    assert "239 of 240 rows" in message


def test_what_is_good_by_degrees_is_no_identity():
    level, slope = Z[0], 0.05 * Z[1]
    years = {f"v{k}": level + k * slope + 0.003 * Z[2 + k] for k in range(2)}
    assert first(years | {"y": level + 2 * slope + 0.003 * RNG.normal(size=240)}) is None


def test_an_identity_must_tell_more_than_the_time():
    t = np.arange(240)
    wave, walk = 10 * np.sin(t / 20), np.cumsum(5 * Z[0])
    parts = {"a": wave + walk + 0.05 * Z[1], "b": walk, "y": wave}
    assert first(parts)[0] == {"a", "b"}
    assert first({"day": t, **parts}) is None


def test_a_cause_with_little_noise_is_no_rounded_target():
    x = RNG.integers(1, 6, 240)
    assert first({"a": x, "y": x + 0.15 * Z[0]}) is None


def test_functions_of_the_target():
    assert first({"a": np.exp(Z[0]), "y": Z[0]})[0] == {"a"}
    assert first({"a": RNG.uniform(-1, 1, 240), "y": Z[0]}) is None
    x = RNG.uniform(-1, 1, 240)
    assert "by its neighbours in 'a'" in first({"a": x, "y": x**2})[2]
    assert first({"a": Z[0] + 0.015 * Z[1], "y": Z[0]})[1] == "warning"


def test_aggregates_of_the_target():
    g = RNG.integers(0, 30, 240)
    size, total = np.bincount(g)[g], np.bincount(g, Z[0])[g]
    assert "sum of the target" in first({"a": total, "y": Z[0]})[2]
    assert "drawn to that of all rows" in first({"a": (total + 2) / (size + 5), "y": Z[0]})[2]
    top = np.array([Z[0][g == k].max() for k in range(30)])[g]
    assert "largest value of the target" in first({"a": top, "y": Z[0]})[2]
    others = (total - Z[0]) / np.maximum(size - 1, 1)
    assert "over the other rows of the same 'g'" in first({"g": g, "a": others, "y": Z[0]})[2]
    classes = np.where(Z[0] > 0, "yes", "no").astype(object)
    share = np.bincount(g, Z[0] > 0)[g] / size
    assert "mean of the target being" in first({"a": share, "y": classes})[2]


def test_a_balanced_design_is_no_aggregate():
    person = np.repeat(np.arange(60), 4)
    chosen = (np.tile(np.arange(4), 60) == RNG.integers(0, 4, 60)[person]).astype(int)
    assert first({"income": RNG.normal(40, 9, 60).round(1)[person], "y": chosen}) is None


def test_a_shared_trend_without_a_time():
    t = np.arange(240)
    walks = np.cumsum(RNG.normal(size=(2, 240)), axis=1)
    assert first({"a": 10 * t + walks[0], "y": 9 * t + walks[1]}) is None
    assert first({"a": 10 * t + Z[0], "y": 9 * t + 2 * Z[1]}) is None
    assert first({"a": 20 * t + 2 * walks[0] + 3, "y": 10 * t + walks[0]})[0] == {"a"}


def test_columns_that_are_seldom_more_than_nothing():
    n = 1000
    y = np.where(RNG.random(n) < 0.4, RNG.integers(1, 16, n), 0)
    a = np.where((y == 0) & (RNG.random(n) < 0.3), RNG.integers(1, 12, n), 0)
    assert leaks({"a": a, "b": RNG.normal(size=n), "y": y + 0.5}) == []


def test_series_that_hold_the_present():
    day = {"day": np.arange(240)}
    assert "its own and later rows" in first(day | {"a": np.cumsum(Z[0]), "y": Z[0]})[2]
    assert (
        "up to and with its own row" in first(day | {"a": np.cumsum(Z[0]) / np.arange(1, 241), "y": Z[0]})[2]
    )
    around = (np.roll(Z[0], 1) + Z[0] + np.roll(Z[0], -1)) / 3
    assert "its own and later rows" in first(day | {"a": around, "y": Z[0]})[2]
    assert first(day | {"a": 2 * np.roll(Z[0], 1) + 1, "y": Z[0]}) is None
    y = np.array(list("abc"), dtype=object)[RNG.integers(0, 3, 240)]
    assert "target of the row after" in first(day | {"a": np.roll(y, -1), "y": y})[2]
    assert "in the order of the file" in first({"a": np.roll(Z[0], -1), "y": Z[0]})[2]
    assert first({"a": np.roll(Z[0], -1), "y": Z[0]})[1] == "note"


def test_identifiers_given_by_the_target():
    order = np.argsort(np.argsort(Z[0]))
    codes = np.array([f"C-{i:04d}" for i in order], dtype=object)
    assert "in the order of the target" in first({"a": codes, "y": Z[0]})[2]
    y = (Z[0] > 0).astype(int)
    assert "one after the other" in first({"nr": order + 1, "y": y})[2]
    assert first({"year": 1700 + np.arange(240), "y": np.sort(Z[0])}) is None
    assert first({"step": np.arange(240), "y": np.arange(240) ** 2 + 0.0}) is None


def test_words_and_gaps_that_tell():
    y = (Z[0] > 0).astype(int)
    cells = np.array([f"day {i % 9} of {i % 2} result {v}" for i, v in enumerate(y)], dtype=object)
    assert "'result 0'" in first({"a": cells, "y": y})[2] or "'result 1'" in first({"a": cells, "y": y})[2]
    holes = np.where(Z[0] > 1, np.nan, Z[1])
    assert "is missing where the target is at least" in first({"a": holes, "y": Z[0]})[2]
    few = np.where((y == 1) & (RNG.random(240) < 0.95), np.nan, Z[1])
    assert first({"a": few, "y": y})[1] == "warning"
    assert first({"a": np.where(y == 1, Z[1] ** 2, 0.0), "y": y})[0] == {"a"}


def test_a_column_with_a_trend_and_gaps_at_its_beginning():
    t = np.arange(240)
    late = np.where(t < 60, np.nan, Z[1])
    assert first({"year": 1700 + t, "a": late, "y": 3.0 * t + Z[0]}) is None


@pytest.mark.long
def test_twenty_thousand_rows_of_sixty_columns_take_two_seconds():
    rng = np.random.default_rng(0)
    z = rng.normal(size=20_000)
    table = tables.features(rng, z, 60) | {"y": z}
    audit({name: v[:100] for name, v in table.items()}, "y")
    start = time.process_time()
    without = audit(table)
    middle = time.process_time()
    with_target = audit(table, "y")
    assert (time.process_time() - middle) - (middle - start) < 4  # two seconds alone on a core
    assert len(with_target) >= len(without)


# -- pieces -----------------------------------------------------------------------------------------------
def test_residuals_are_those_of_fits_without_the_row():
    A, y = RNG.normal(size=(12, 2)), RNG.normal(size=12)
    B = np.column_stack([np.ones(12), A])
    for i in range(12):
        rest = np.arange(12) != i
        fit = np.linalg.lstsq(B[rest], y[rest], rcond=None)[0]
        assert line_residuals(A, y)[i] == pytest.approx(y[i] - B[i] @ fit, rel=1e-9)


def test_levels_are_judged_by_the_other_rows():
    codes, y = np.array([0, 0, 0, 1, 1, 2]), np.array([1.0, 2.0, 6.0, 4.0, 5.0, 9.0])
    errors = np.array([1 - 4, 2 - 3.5, 6 - 1.5, 4 - 5, 5 - 4, 9 - 3.6])
    mean = np.sqrt(np.mean(errors**2)) / y.std()
    assert level_error(codes, y) >= mean * (1 - 1e-12)
    assert level_errors(np.array([[5, 0], [1, 3], [1, 0], [2, 2]])) == 0 + 1 + 1 + 4


def test_ties_break_no_order():
    assert misplaced(np.array([0, 0, 1, 1]), np.array([3.0, 1.0, 3.0, 4.0])) == 0
    assert misplaced(np.array([0, 1, 2, 3]), np.array([1.0, 5.0, 3.0, 6.0])) == 1
    assert misplaced(np.array([0, 1, 2]), np.array([3.0, 2.0, 1.0]), -1.0) == 0
    assert threshold_errors(np.array([[3, 0], [1, 2], [0, 4]])) == 1
    assert threshold_errors(np.array([[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]])) == 2
    assert dense(np.array([4, 2, 9, 2])).tolist() == [1, 0, 2, 0]


def test_ties_of_independent_draws_are_no_copies():
    coarse = column_marks([RNG.integers(0, 3, 2000) for _ in range(6)])
    assert not are_copies(row_marks(coarse), coarse)
    seen = np.repeat(np.arange(400), 5)
    persons = column_marks([RNG.integers(0, 12, 400)[seen] for _ in range(5)])
    assert are_copies(row_marks(persons), persons)
