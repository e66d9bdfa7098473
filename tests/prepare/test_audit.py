"""The audit finds each planted defect and names its rows; on tables of noise it stays silent."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from suffice import datasets, load, save
from suffice._core.errors import InvalidParameter
from suffice.prepare import Audit, AuditFinding, audit
from suffice.prepare.looking._checks.gaps import _by_rank, _chi_square
from suffice.prepare.looking._checks.values import outlier_limit
from suffice.prepare.looking._profile import profile
from suffice.prepare.looking.findings import SEVERITIES

N = 400


def clean(n=N, seed=0, columns=10):
    """Independent columns of ordinary kinds."""
    rng = np.random.default_rng(seed)
    draw = (
        lambda: rng.normal(size=n),
        lambda: rng.uniform(size=n),
        lambda: rng.exponential(size=n),
        lambda: rng.lognormal(size=n),
        lambda: rng.poisson(3, n),
        lambda: rng.choice(np.array(list("abcde"), dtype=object), n),
        lambda: rng.integers(0, 2, n),
        lambda: rng.normal(50, 10, n).round(1),
        lambda: rng.gamma(2, size=n),
        lambda: np.datetime64("2019-01-01", "us") + rng.integers(0, 10**6, n) * np.timedelta64(1, "m"),
    )
    return {f"v{j}": draw[j % 10]() for j in range(columns)}


def planted(name, change, target=None, base=None, **options):
    """A clean table with one defect."""
    table = clean() if base is None else base
    table[name] = change(table)
    return audit(table, target, **options)


def the(report, kind):
    (found,) = report.of(kind)
    return found


def put(values, rows, new):
    out = np.array(values, dtype=object if isinstance(new, str | None) else None)
    out[list(rows)] = new
    return out


# -- clean tables -----------------------------------------------------------------------------------------
def test_noise_raises_few_alarms():
    tables = [
        (audit({**clean(n, s, 20), "y": clean(n, s + 99)["v6"]}, "y"), 21)
        for n in (15, 60, 400)
        for s in range(8)
    ]
    flagged = sum(len({c for f in report for c in f.columns}) for report, _ in tables)
    assert flagged < 0.05 * sum(size for _, size in tables)


def test_a_clean_table_says_so():
    assert audit(clean()).findings == ()
    assert not audit(clean())
    assert repr(audit(clean())) == f"Audit of a {N} × 10 table: nothing found."


# -- columns ----------------------------------------------------------------------------------------------
def test_identifiers():
    assert the(planted("row", lambda t: np.arange(N)), "identifier").columns == ("row",)
    assert the(planted("key", lambda t: [f"k{i:05d}" for i in range(N)]), "identifier").n_rows == N
    ids = np.arange(100, 100 + N)[np.random.default_rng(1).permutation(N)]
    ids[7] = ids[300]
    found = the(planted("id", lambda t: ids), "repeated identifier")
    assert found.rows == (7, 300)


def test_empty_constant_and_nearly_constant():
    assert the(planted("a", lambda t: [None] * N), "empty").n_rows == N
    assert "'x' in all 400 rows" in the(planted("a", lambda t: ["x"] * N), "constant").message
    found = the(planted("a", lambda t: put(np.zeros(N), [3, 17], 5.5)), "nearly constant")
    assert (found.rows, found.n_rows) == ((3, 17), 2)
    assert not planted("a", lambda t: put(np.zeros(N), range(0, N, 5), 5.5)).of("nearly constant")


def test_categories_too_many_and_too_rare():
    rng = np.random.default_rng(2)
    many = [f"w{i} u" for i in rng.integers(0, 300, N)]
    assert the(planted("a", lambda t: many), "many categories").n_rows == N
    found = the(planted("a", lambda t: put(clean(seed=4)["v5"], [5, 9], "zz")), "rare categories")
    assert found.rows == (5, 9)
    text = [f"it is the {i}th remark that {rng.integers(9)} people made" for i in rng.integers(0, 200, N)]
    assert the(planted("a", lambda t: text), "free text").n_rows == N


# -- values -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("sign", [1, -1])
def test_infinite_values(sign):
    assert the(planted("a", lambda t: put(t["v0"], [11], sign * np.inf)), "infinite").rows == (11,)


@pytest.mark.parametrize(
    ("name", "values", "value", "kind"),
    [
        ("x", lambda t: t["v8"], -999.0, "sentinel"),
        ("x", lambda t: t["v0"], 9999.0, "sentinel"),
        ("x", lambda t: t["v0"], -99.0, "sentinel"),
        ("x", lambda t: np.random.default_rng(0).poisson(6, N), -1, "sentinel"),
        ("percent", lambda t: 100 * t["v1"], 130.0, "impossible"),
        ("humidity_pct", lambda t: 100 * t["v1"], -3.0, "impossible"),
        ("age", lambda t: np.random.default_rng(0).integers(0, 90, N), 212, "impossible"),
        ("Price", lambda t: t["v8"], -0.5, "impossible"),
        ("x", lambda t: t["v1"] + 1, -7.0, "lone sign"),
        ("x", lambda t: t["v0"], 60.0, "outliers"),
        ("x", lambda t: t["v8"], 500.0, "outliers"),
    ],
)
def test_impossible_values_and_their_rows(name, values, value, kind):
    report = planted(name, lambda t: put(values(t), [42], value))
    found = the(report, kind)
    assert (found.rows, found.columns) == ((42,), (name,))
    assert "1 row" in found.message
    assert len(report) == 1


def test_several_sentinels_are_one_finding():
    found = the(planted("x", lambda t: put(t["v8"], range(30), -999.0)), "sentinel")
    assert (found.n_rows, len(found.rows)) == (30, 20)


def test_outliers_name_the_most_extreme_row():
    x = np.random.default_rng(3).normal(size=N)
    x[[4, 99, 200]] = 50, -80, 60
    found = the(planted("x", lambda t: x), "outliers")
    assert found.rows == (4, 99, 200)
    assert "-80 at row 99" in found.message


def test_heavy_tails_are_not_outliers_wholesale():
    rng = np.random.default_rng(6)
    flagged = [
        audit({"a": draw(1000)}).of("outliers")
        for draw in (
            lambda n: rng.standard_t(3, n),
            lambda n: rng.pareto(2, n),
            lambda n: rng.lognormal(0, 2, n),
        )
        for _ in range(20)
    ]
    assert sum(map(bool, flagged)) <= 6  # of 60
    assert max((f[0].n_rows for f in flagged if f), default=0) <= 3


def test_the_limit_of_outliers_scales_with_the_data():
    d = np.abs(np.random.default_rng(0).normal(size=200))
    assert outlier_limit(7 * d) == pytest.approx(7 * outlier_limit(d), rel=1e-12)
    assert outlier_limit(d[:7]) == np.inf
    assert outlier_limit(np.zeros(50)) == np.inf


@pytest.mark.parametrize(
    ("day", "kind"),
    [
        ("1900-01-01", "sentinel"),
        ("1970-01-01", "sentinel"),
        ("9999-12-31", "sentinel"),
        ("2150-05-05", "future"),
    ],
)
def test_dates_that_cannot_be(day, kind):
    found = the(planted("visit", lambda t: put(t["v9"], [8], np.datetime64(day))), kind)
    assert found.rows == (8,)


def test_dates_that_are_plans_may_lie_ahead():
    assert not planted("due_date", lambda t: put(t["v9"], [8], np.datetime64("2150-05-05")))


# -- words ------------------------------------------------------------------------------------------------
def test_mixed_types_tell_which_words():
    values = put(np.arange(N) % 37 * 1.5, [3, 5, 6], "much")
    found = the(planted("a", lambda t: values), "mixed types")
    assert (found.rows, found.severity) == ((3, 5, 6), "error")
    assert "'much' (3 times)" in found.message


def test_numbers_and_dates_as_text():
    numbers = planted("a", lambda t: [f"{x:.2f}" for x in t["v0"]])
    assert the(numbers, "numbers as text").n_rows == N
    assert not planted("a", lambda t: [f"{x:05d}" for x in t["v4"]]).of("numbers as text")
    days = np.datetime64("2000-01-01") + np.arange(N)
    dates = the(planted("a", lambda t: [str(d) for d in days]), "dates as text")
    assert "%Y-%m-%d" in dates.message
    european = [f"{str(d)[8:]}.{str(d)[5:7]}.{str(d)[:4]}" for d in days]
    assert "%d.%m.%Y" in the(planted("a", lambda t: european), "dates as text").message
    both = [f"{i % 12 + 1:02d}/{i % 11 + 1:02d}/2020" for i in range(N)]
    assert "fits as well" in the(planted("a", lambda t: both), "dates as text").message
    broken = put(np.array([str(d) for d in days], dtype=object), [9], "soon")
    assert "1 row does not fit" in the(planted("a", lambda t: broken), "dates as text").message


def test_marks_for_none():
    found = the(planted("a", lambda t: put(t["v5"], [2, 3], "N/A")), "disguised gap")
    assert found.rows == (2, 3)
    numbers = planted("a", lambda t: put([str(x) for x in t["v4"]], [2], "?"))
    assert the(numbers, "disguised gap").rows == (2,)
    assert the(numbers, "numbers as text").n_rows == N - 1
    assert not planted("a", lambda t: np.where(t["v6"] == 1, "none", "mild").astype(object)).of(
        "disguised gap"
    )


@pytest.mark.parametrize("variant", ["A", " a", "a ", "á", "a\u00a0"])
def test_spelling_variants(variant):
    found = the(planted("w", lambda t: put(t["v5"], [1, 4], variant)), "spelling variants")
    assert set(found.rows) == {1, 4}


def test_characters_that_cannot_be_seen():
    found = the(planted("w", lambda t: put(t["v5"], [6, 7, 8, 9], "e\x00")), "unprintable")
    assert found.rows == (6, 7, 8, 9)
    assert "\x00" not in found.message
    assert the(planted("w", lambda t: put(t["v5"], [6] * 9, " new ")), "blanks").rows == (6,)
    assert the(planted("w", lambda t: [[1, 2]] * N), "nested cells").n_rows == N


# -- gaps -------------------------------------------------------------------------------------------------
def test_gaps_are_counted_and_graded():
    assert the(planted("v0", lambda t: put(t["v0"], [3, 9], np.nan)), "missing").rows == (3, 9)
    half = planted("v0", lambda t: put(t["v0"], range(0, N, 2), np.nan))
    assert the(half, "missing").severity == "warning"
    assert the(planted("v0", lambda t: put(t["v0"], [3], np.nan), "v0"), "target missing").severity == "error"


def test_columns_that_miss_together():
    table = clean()
    table["v0"], table["v5"] = put(table["v0"], [3, 9], np.nan), put(table["v5"], [3, 9], None)
    assert the(audit(table), "missing together").columns == ("v0", "v5")


@pytest.mark.parametrize("cause", ["v1", "v5", "v6", "v9"])
def test_gaps_that_depend_on_another_column(cause):
    table = clean()
    rows = np.flatnonzero(
        profile(cause, table[cause]).numbers > np.median(profile(cause, table[cause]).numbers)
    )
    table["v2"] = put(table["v2"], rows[::2], np.nan)
    found = the(audit(table), "missing not at random")
    assert found.columns == ("v2", cause)


def test_gaps_at_random_are_not_suspected():
    rng = np.random.default_rng(7)
    for seed in range(10):
        table = clean(seed=seed)
        for name in ("v0", "v1", "v2", "v3", "v5", "v7", "v9"):
            none = {"v5": None, "v9": np.datetime64("NaT")}.get(name, np.nan)
            table[name] = put(table[name], np.flatnonzero(rng.random(N) < 0.1), none)
        assert not audit(table).of("missing not at random", "missing together")


def test_tests_of_dependence_against_scipy():
    from scipy.stats import chi2_contingency, mannwhitneyu

    rng = np.random.default_rng(9)
    x, gap = rng.poisson(3, 80).astype(float), rng.random(80) < 0.4
    expected = mannwhitneyu(x[gap], x[~gap], use_continuity=False, method="asymptotic").pvalue
    assert _by_rank(gap[None].astype(float), profile("x", x))[0] == pytest.approx(expected, rel=1e-9)
    codes = rng.integers(0, 3, 80)
    table = np.array([np.bincount(codes[gap], minlength=3), np.bincount(codes[~gap], minlength=3)])
    assert _chi_square(table[0], table.sum(axis=0)) == pytest.approx(chi2_contingency(table)[1], rel=1e-9)


# -- rows and columns that come twice -----------------------------------------------------------------------
def test_duplicate_rows():
    table = {n: np.concatenate([v, v[[5, 17]]]) for n, v in clean().items()}
    found = the(audit(table), "duplicate rows")
    assert found.rows == (N, N + 1)
    found = the(audit({**table, "row": np.arange(N + 2)}), "duplicate rows")
    assert "identifier" in found.message
    assert found.rows == (N, N + 1)


def test_rows_alike_by_chance_are_none():
    rng = np.random.default_rng(0)
    assert not audit({"a": rng.integers(0, 4, N), "b": rng.choice(["x", "y"], N)})
    assert (
        audit({"a": rng.integers(0, 4, N), "b": [1.0, -0.0] * 200, "c": np.arange(N) // 2 + 0.5}).of(
            "duplicate rows"
        )
        == ()
    )


def test_duplicate_rows_against_brute_force():
    rng = np.random.default_rng(11)
    frame = pd.DataFrame(
        {
            "a": rng.integers(0, 9000, 300) / 7,
            "b": rng.choice(["x", None, "z"], 300),
            "c": rng.random(300) < 0.5,
        }
    )
    frame = pd.concat([frame, frame.sample(40, random_state=1)], ignore_index=True)
    found = the(audit(frame), "duplicate rows")
    assert found.n_rows == int(frame.duplicated().sum())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t["v0"].copy(), "same values"),
        (lambda t: 32 + 1.8 * t["v0"], "linear functions"),
        (lambda t: -t["v0"] * 1e12, "linear functions"),
    ],
)
def test_duplicate_columns(change, words):
    found = the(planted("w", change), "duplicate columns")
    assert found.columns == ("v0", "w")
    assert words in found.message


def test_columns_that_rename_each_other():
    names = {"a": 3, "b": 1, "c": 2, "d": 9, "e": 7}
    found = the(planted("w", lambda t: [names[x] for x in t["v5"]]), "duplicate columns")
    assert found.columns == ("v5", "w")
    assert not planted("w", lambda t: put([names[x] for x in t["v5"]], [0], 4)).of("duplicate columns")


def test_nearly_equal_columns_are_not_copies():
    assert not planted("w", lambda t: t["v0"] + 1e-3 * clean(seed=5)["v0"]).of("duplicate columns")


# -- leaks ------------------------------------------------------------------------------------------------
def in_time(table, step):
    """The target of the next row in time, or of the one before."""
    order = np.argsort(table["v9"])
    out = np.empty(N)
    out[order] = np.roll(table["v0"][order], -step)
    return out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t["v0"].copy(), "equals the target"),
        (lambda t: 2 * t["v0"] + 1e-3 * t["v1"], "correlation"),
        (lambda t: in_time(t, 1), "row after in the order of 'v9'"),
        (lambda t: in_time(t, -1), "row before in the order of 'v9'"),
    ],
)
def test_leaks_of_a_number(change, words):
    found = the(planted("w", change, "v0"), "leak")
    assert found.columns == ("w", "v0")
    assert words in found.message


def test_levels_that_determine_a_number():
    base = {"group": clean()["v5"], "v0": clean()["v0"]}
    base["y"] = np.array([{"a": 1.5, "b": 2.25, "c": 7.1, "d": 4.4, "e": 9.9}[g] for g in base["group"]])
    assert "determine the target" in the(audit(base, "y"), "leak").message


@pytest.mark.parametrize(
    "change",
    [
        lambda t: np.where(t["v6"] == 1, "yes", "no").astype(object),
        lambda t: t["v6"] + 0.4 * t["v1"],
        lambda t: np.array([f"{c}{w}" for c, w in zip(t["v6"], t["v5"], strict=True)], dtype=object),
        lambda t: t["v6"].copy(),
    ],
)
def test_leaks_of_a_class(change):
    assert the(planted("w", change, "v6"), "leak").columns == ("w", "v6")


def test_a_good_feature_is_no_leak():
    assert not planted("w", lambda t: t["v6"] + 0.5 * clean(seed=9)["v0"], "v6").of("leak")
    assert not planted("w", lambda t: 2 * t["v0"] + 0.2 * clean(seed=8)["v0"], "v0").of("leak")


def test_gaps_that_tell_the_class():
    table = clean()
    table["w"] = np.where(table["v6"] == 1, np.nan, table["v2"])
    found = the(audit(table, "v6"), "leak by gaps")
    assert found.severity == "error"
    assert found.n_rows == int(table["v6"].sum())
    table["w"] = put(table["v2"], np.flatnonzero(table["v6"] == 1)[:40], np.nan)
    assert the(audit(table, "v6"), "leak by gaps").severity == "warning"


def test_a_few_gaps_in_one_class_may_be_chance():
    table = clean()
    table["v2"] = put(table["v2"], np.flatnonzero(table["v6"] == 1)[:6], np.nan)
    assert not audit(table, "v6").of("leak by gaps")


def test_levels_that_explain_much_do_not_leak():
    base = {"group": clean()["v5"], "v0": clean()["v0"]}
    base["y"] = np.array([4.0 * "abcde".index(g) for g in base["group"]]) + base["v0"]
    assert not audit(base, "y").of("leak")


def test_class_imbalance():
    y = put(np.zeros(N, dtype=int), range(0, 100, 10), 1)
    found = the(planted("y", lambda t: y, "y"), "class imbalance")
    assert found.rows == tuple(range(0, 100, 10))
    assert not audit(clean(), "v6").of("class imbalance")


# -- names and the record ---------------------------------------------------------------------------------
def test_names():
    frame = pd.DataFrame(
        np.random.default_rng(0).normal(size=(30, 7)), columns=["a", "a", "", " b", "c\x00", "d", "D"]
    )
    report = audit(frame)
    assert {f.kind for f in report} == {
        "repeated name",
        "empty name",
        "blanks in name",
        "unprintable name",
        "names alike",
    }
    assert all(f.n_rows == 30 for f in report)


def test_every_finding_counts_its_rows():
    report = audit(
        {**clean(), "k": ["x"] * N, "id": np.arange(N), "z": put(clean()["v0"], [1], np.inf)}, "v6"
    )
    assert report
    for found in report:
        assert found.n_rows >= len(found.rows)
        assert str(found.n_rows) in found.message
        assert found.next_step.endswith(".")
    order = [SEVERITIES.index(f.severity) for f in report]
    assert order == sorted(order)


def test_frame_page_and_selection(tmp_path):
    table = {"<b>x</b>": ["<script>alert(1)</script>"] * 30, "y": [1.0] * 30}
    report = audit(table)
    page = report._repr_html_()
    assert "<script>" not in page
    assert "<b>" not in page
    assert "&lt;script&gt;" in page
    assert report.frame().shape == (len(report), 7)
    assert report.frame("polars").height == len(report)
    assert report.about("y") == tuple(f for f in report if "y" in f.columns)
    assert report.of("warning") == tuple(f for f in report if f.severity == "warning")
    save(report, tmp_path / "a.suffice")
    assert load(tmp_path / "a.suffice") == report
    with pytest.raises(InvalidParameter, match="severity must be one of"):
        AuditFinding("a", "bad", (), (), 0, "", "")


def test_kinds_of_tables_agree():
    table = clean()
    table["v0"] = put(table["v0"], [3], np.nan)
    table["w"] = table["v1"] * 2
    assert audit(pd.DataFrame(table)) == audit(table) == audit(pl.DataFrame(table))
    assert audit(datasets.olympic_100m_men(), "seconds").n_rows == 27


def test_overrides_silence_what_is_known_better():
    assert not planted("row", lambda t: np.arange(N), overrides={"row": "ratio"}).of("identifier")


def test_a_target_that_is_not_there():
    with pytest.raises(InvalidParameter, match="there is no column 'v10'. Did you mean"):
        audit(clean(), "v10")


@pytest.mark.parametrize(
    ("table", "kinds"),
    [
        ({}, ["no columns"]),
        (pd.DataFrame(), ["no columns"]),
        ({"a": []}, ["no rows"]),
        ({"a": [1], "b": ["x"]}, []),
        ({"a": [None], "b": [None]}, ["empty", "empty"]),
        ({"a": [1, 1]}, ["constant"]),
    ],
)
def test_small_and_empty_tables(table, kinds):
    report = audit(table)
    assert isinstance(report, Audit)
    assert [f.kind for f in report] == kinds
