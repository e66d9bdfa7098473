"""The data sheet, the audit and the description of a study, against numbers computed apart from them."""

import time

import numpy as np
import pytest
from scipy import stats

from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps.table import audit_section, data_sheet, description_section, leaks

N = 200
RNG = np.random.default_rng(5)
A, B, C = RNG.normal(size=(3, N))


def looked(table, target=None, **options):
    source, given = read(table), Options(target, effort="quick", **options)
    problem = None if target is None else make_problem(source, given)
    return (
        data_sheet(source, problem, given),
        audit_section(source, target, problem),
        description_section(source, target),
    )


def column(sheet, name):
    return next(c for c in sheet.columns if c.name == name)


# -- the data sheet ---------------------------------------------------------------------------------------
def test_numbers_of_the_sheet():
    values = [1.0, 2.0, 2.0, 4.0, 8.0, None, np.inf]
    found = column(looked({"x": values})[0], "x")
    known = values[:5]
    assert (found.missing, found.mean, found.min, found.max) == (1, 3.4, 1, 8)
    assert found.std == pytest.approx(np.std(known, ddof=1), rel=1e-12)
    assert (found.q1, found.median, found.q3) == tuple(np.quantile(known, [0.25, 0.5, 0.75]))
    assert found.histogram == tuple(np.histogram(known, 16)[0])


@pytest.mark.parametrize("size", [1e308, 1e-308, 1.0])
def test_huge_and_tiny_numbers_have_a_shape(size):
    x = np.linspace(-1, 1, 31)
    found = column(looked({"x": x * size})[0], "x")
    assert found.std == pytest.approx(x.std(ddof=1) * size, rel=1e-9)
    assert sum(found.histogram) == 31
    assert found.max == size


def test_words_times_and_truths_of_the_sheet():
    days = np.datetime64("2024-02-28") + np.arange(N) % 50
    table = {"w": ["a", "b", "b", None] * (N // 4), "d": days, "t": days + np.timedelta64(90, "s")}
    table |= {"f": [True, False] * (N // 2), "s": np.arange(N).astype("m8[h]"), "e": [None] * N}
    sheet = looked(table)[0]
    assert column(sheet, "w").levels == (("b", N // 2), ("a", N // 4))
    assert (column(sheet, "d").first, column(sheet, "d").last) == ("2024-02-28", "2024-04-17")
    assert column(sheet, "t").first == "2024-02-28 00:01:30"
    assert sum(column(sheet, "d").histogram) == N
    assert column(sheet, "f").levels == (("true", N // 2), ("false", N // 2))
    assert column(sheet, "s").last == f"{(N - 1) / 24:g} days"
    assert (column(sheet, "e").levels, column(sheet, "e").missing) == ((), N)
    assert {c.role for c in sheet.columns} == {"feature"}


def test_the_sheet_counts_rows_and_names_codes():
    y = A.copy()
    y[:3], y[3] = np.nan, np.inf
    sheet = looked({"w": ["a", "b"] * (N // 2), "x": B, "t": np.arange(N), "y": y}, "y", time="t", horizon=0)[
        0
    ]
    assert (sheet.n_rows, sheet.n_used, sheet.n_target_missing) == (N, N - 4, 4)
    assert column(sheet, "w").codes == ("w = b",)
    assert (column(sheet, "t").role, column(sheet, "y").role) == ("time", "target")
    assert column(sheet, "t").reason == "orders the rows and is not used to predict"
    assert (sheet.task, sheet.classes) == ("regression", ())


# -- the audit --------------------------------------------------------------------------------------------
def test_a_leaking_column_comes_first():
    table = {"copy": 3 * A + 1, "still": np.ones(N), "x": B, "y": A}
    section = looked(table, "y")[1]
    assert leaks(section) == ("copy",)
    assert section.sentence.startswith(
        "Column 'copy' determines y: with correlation 1.00000, it predicts 200"
    )
    assert section.findings[0].kind == "leak"
    assert section.sentence.endswith("The audit has 1 error and 1 warning.")


def test_several_leaks_and_leaks_by_gaps():
    y = np.where(A > 0, "yes", "no")
    table = {"word": np.where(A > 0, "p", "q"), "hole": np.where(A > 0, np.nan, B), "x": C, "y": y}
    section = looked(table, "y")[1]
    assert leaks(section) == ("hole", "word")
    assert section.sentence.startswith("Column 'hole' is missing where y is 'yes', and only there")
    assert "'word' leaks as well; the audit says how." in section.sentence


def test_a_column_that_is_not_used_leaks_nothing():
    section = looked({"copy": 3 * A, "x": B, "y": A}, "y", ignore=["copy"])[1]
    assert leaks(section) == ()
    assert section.findings[0].kind == "leak"
    assert not section.sentence.startswith("Column")


def test_a_clean_table_and_one_without_target():
    section = looked({"x": B, "z": C, "y": A}, "y")[1]
    assert (section.sentence, leaks(section), section.findings) == ("The audit found nothing odd.", (), ())
    assert leaks(looked({"x": A, "y": A})[1]) == ()


def test_the_audit_does_not_advise_what_the_study_does_otherwise():
    table = {"x": np.where(np.arange(N) % 9 == 0, np.nan, B), "y": A}
    steps = [f.next_step for f in looked(table, "y")[1].findings if f.kind == "missing"]
    assert len(steps) == 1
    assert steps[0].startswith("The study fills these gaps")
    steps = [f.next_step for f in looked(table)[1].findings if f.kind == "missing"]
    assert "inside the folds" in steps[0]


# -- the description --------------------------------------------------------------------------------------
def test_correlations_and_related_pairs():
    table = {"a": A, "b": A + 0.5 * B, "c": C, "y": -A + 0.1 * B}
    table["a"] = np.where(np.arange(N) % 9 == 0, np.nan, A)
    section = looked(table, "y")[2]
    assert section.names == ("a", "b", "c", "y")
    for i, first in enumerate(section.names):
        for j, second in enumerate(section.names):
            both = ~np.isnan(table[first]) & ~np.isnan(table[second])
            expected = stats.pearsonr(table[first][both], table[second][both]).statistic
            assert section.correlation[i, j] == pytest.approx(expected, abs=1e-10)
    sizes = [abs(p.correlation) for p in section.related]
    assert sizes == sorted(sizes, reverse=True)
    assert {(p.first, p.second) for p in section.related} == {("a", "b"), ("a", "y"), ("b", "y")}
    assert section.sentences[-2].startswith("Of the numbers, 'a' (correlation −")
    assert section.sentences[-1].startswith("Columns that go together: 'a' and 'b' (correlation 0.")


def test_pairs_of_noise_are_seldom_called_related():
    found = 0
    for seed in range(40):
        noise = np.random.default_rng(seed).normal(size=(50, 6))
        found += bool(looked({f"x{j}": noise[:, j] for j in range(6)})[2].related)
    # at most 1 in 20 tables by Bonferroni; 7 or more of 40 would have probability below 0.005
    assert found < 7


def test_sentences_say_what_there_is_to_see():
    table = {
        "income": np.exp(2 * A),
        "age": np.where(np.arange(N) % 10 == 0, np.nan, B),
        "city": ["Oslo", "Rome"] * (N // 2),
        "flag": [True] * (N - 2) + [False] * 2,
        "day": np.datetime64("2024-01-01") + np.arange(N),
    }
    said = looked(table)[2].sentences
    assert (
        said[0]
        == "The table has 200 rows and 5 columns: 2 of numbers, 1 of words, 1 of truths and 1 of times."
    )
    assert said[1] == "Cells are missing in 1 column: 'age' (10 %)."
    assert "far from the others in 'income'" in said[2]
    assert said[3] == "Nearly all rows have one value in 'flag'."
    assert said[4] == "No other two columns of numbers go together in a line beyond chance."
    assert len(said) == 5
    assert "No cell is missing." in looked({"x": A, "y": B})[2].sentences


def test_rows_are_those_of_describe():
    section = looked({"x": A, "w": ["a", "b"] * (N // 2)})[2]
    assert [row["column"] for row in section.rows] == ["x", "w"]
    assert section.rows[0]["mean"] == pytest.approx(A.mean(), abs=1e-12)
    assert section.rows[1]["mode"] in ("a", "b")
    assert section.correlation is None


# -- size -------------------------------------------------------------------------------------------------
def test_a_wide_table_is_looked_at_by_some_columns():
    x = np.random.default_rng(1).normal(size=(60, 700))
    table = {f"x{j}": x[:, j] for j in range(700)} | {"y": x[:, 650] + 0.1 * x[:, 3]}
    sheet, _, section = looked(table, "y")
    assert len(sheet.columns) == 701
    assert len(section.rows) == 500
    assert len(section.names) == 30
    assert {"x650", "y"} <= set(section.names)
    assert section.correlation.shape == (30, 30)
    assert section.sentences[0].startswith(
        "The table has 60 rows and 701 columns, of which 500 are described"
    )
    assert section.related[0].correlation == pytest.approx(
        np.corrcoef(x[:, 650], table["y"])[0, 1], abs=1e-10
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "width", "most"), [(10_000, 20, 1.0), pytest.param(200, 5_000, 10.0, marks=pytest.mark.long)]
)
def test_looking_is_fast(n, width, most):
    rng = np.random.default_rng(2)
    table = {f"x{j}": rng.normal(size=n) for j in range(width - 5)}
    table |= {f"w{j}": rng.choice(["a", "b", "c"], n).astype(object) for j in range(4)} | {
        "y": rng.normal(size=n)
    }
    source, options = read(table), Options("y", effort="quick")
    problem = make_problem(source, options)
    start = time.process_time()
    data_sheet(source, problem, options)
    audit_section(source, "y", problem)
    description_section(source, "y")
    assert time.process_time() - start < most
