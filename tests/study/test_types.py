"""Hints to --types and --group where they would change the models, and columns with an order among the associations."""

import numpy as np
import pytest
from scipy import stats

from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.reading.target import task_of
from suffice.study.steps.description import description_section
from suffice.study.steps.table import data_sheet

N = 600


def remarks(table, **options):
    return [r for r in make_problem(read(table), Options("y", **options)).remarks if "--" in r]


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def coded(rng, levels=(0.0, 3.0, 1.0, 2.0)):
    """Codes from 1 on whose target goes up and down; other columns know nothing of them."""
    code = rng.integers(0, len(levels), N)
    return {"job kind 2": code + 1, "x": rng.normal(size=N), "y": np.array(levels)[code] + rng.normal(size=N)}


# -- codes ------------------------------------------------------------------------------------------------
def test_codes_used_as_a_quantity_are_told_with_the_way_out(rng):
    table = coded(rng)
    table["v"] = table.pop("job kind 2")
    (told,) = remarks(table)
    assert "Column 'v' holds the whole numbers 1 to 4 and is used as a quantity" in told
    assert "% of what they tell about 'y'" in told
    assert told.endswith("say --types v=nominal: each then gets a weight of its own.")
    assert remarks(table, types={"v": "nominal"}) == []
    assert remarks(table, types={"v": "ratio"}) == []


def test_a_hint_can_be_typed_as_it_is(rng):
    table = coded(rng)
    table["a v"] = table.pop("job kind 2")
    assert "--types 'a v=nominal'" in remarks(table)[0]


def test_codes_are_told_for_classes_too(rng):
    table = coded(rng)
    table["v"] = table.pop("job kind 2")
    table["y"] = np.where(table["y"] > 1.5, "high", "low").astype(object)
    assert "--types v=nominal" in remarks(table)[0]


@pytest.mark.parametrize("levels", [(0.0, 1.0, 2.0, 3.0), (0.0, 3.0, 3.0, 3.0), (0.0, 0.0, 0.0, 0.0)])
def test_a_quantity_is_not_remarked_on(rng, levels):
    table = coded(rng, levels)
    table["v"] = table.pop("job kind 2")
    assert remarks(table) == []


def test_a_curve_of_many_values_is_not_remarked_on(rng):
    table = coded(rng, tuple((v - 3) ** 2 / 2 for v in range(7)))
    table["v"] = table.pop("job kind 2")
    assert remarks(table) == []


def test_the_weightiest_hints_come_first_and_few_come(rng):
    codes = rng.integers(0, 4, (N, 6))
    effects = np.array([0.0, 3.0, 1.0, 2.0])
    strength = np.array([1.0, 3.0, 1.5, 2.5, 1.2, 2.0])
    table = {f"v{j}": codes[:, j] + 1 for j in range(6)}
    table["y"] = effects[codes] @ strength + rng.normal(size=N)
    told = remarks(table)
    assert [t.split("'")[1] for t in told] == ["v1", "v3", "v5"]


def test_codes_that_are_used_as_names_are_told(rng):
    code = rng.integers(0, 8, N)
    table = {"v": code + 1} | {f"x{j}": rng.normal(size=8)[code] + rng.normal(size=N) for j in range(4)}
    table["y"] = table["x0"] + rng.normal(size=N)
    (told,) = remarks(table)
    assert told.startswith("Column 'v' is used as names. The numbers 1 to 8 seem to be codes")
    assert "--types v=ratio" in told
    problem = make_problem(read(table), Options("y"))
    assert "v = 2" in problem.names or "v = 3" in problem.names
    sheet = data_sheet(read(table), problem, Options("y"))
    assert next(c for c in sheet.columns if c.name == "v").scale == "nominal"


def test_the_target_has_no_say_in_what_columns_mean(rng):
    code = rng.integers(0, 8, N)
    z = rng.normal(size=8)[code]
    table = {"v": code + 1, "x": z + rng.normal(size=N), "y": z + 0.1 * rng.normal(size=N)}
    problem = make_problem(read(table), Options("y"))
    assert "v" in problem.names
    sheet = data_sheet(read(table), problem, Options("y"))
    assert next(c for c in sheet.columns if c.name == "v").scale == "ratio"
    described = {t: description_section(read(table), t).rows[0]["scale"] for t in ("y", None)}
    assert described == {"y": "ratio", None: "nominal"}


# -- units and rows ---------------------------------------------------------------------------------------
def panel(rng, units=60, each=5):
    table = {"person": np.repeat(np.arange(units) + 1, each), "p": np.repeat(rng.normal(size=units), each)}
    table["q"] = np.repeat(rng.normal(size=units), each)
    return table | {"x": rng.normal(size=units * each), "y": table["p"] + rng.normal(size=units * each)}


def test_persons_of_a_panel_are_left_out_with_a_hint_to_group(rng):
    table = panel(rng)
    (told,) = remarks(table)
    assert "'person' seems to name 60 units with 5 rows each, and is not used to predict" in told
    assert "--group person" in told
    problem = make_problem(read(table), Options("y"))
    assert "names 60 units with 5 rows each" in problem.reasons["person"]
    assert remarks(table, group="person") == []


def test_a_few_units_are_not_told_for_folds_need_more(rng):
    table = {"shop_id": np.repeat([3, 9, 4], 40), "x": rng.normal(size=120), "y": rng.normal(size=120)}
    assert remarks(table) == []


def test_firms_by_year_are_a_panel_too(rng):
    firms = np.repeat([f"firm {c}" for c in "abcdefghij"], 12).astype(object)
    table = {"firm": firms, "year": np.tile(np.arange(1990, 2002), 10), "y": rng.normal(size=120)}
    assert "--group firm" in remarks(table)[0]
    assert remarks(table, time="year") == []
    table["year"] = rng.integers(1990, 2002, 120)
    assert remarks(table) == []


def test_numbers_of_rows_are_used_and_told(rng):
    table = {"v": np.arange(N) + 1, "x": rng.normal(size=N), "y": rng.normal(size=N)}
    (told,) = remarks(table)
    assert "counts the rows, from 1 to 600, and is used as a quantity" in told
    assert "--types v=identifier" in told
    assert remarks({"time" if n == "v" else n: v for n, v in table.items()}) == []


def test_years_are_marked_in_the_data_sheet(rng):
    table = {"year": np.arange(1900, 1960), "x": rng.normal(size=60), "y": rng.normal(size=60)}
    sheet = data_sheet(read(table), make_problem(read(table), Options("y")), Options("y"))
    assert {c.name: c.calendar for c in sheet.columns} == {"year": True, "x": False, "y": False}


# -- associations -----------------------------------------------------------------------------------------
def rated(rng):
    trait = rng.normal(size=N)
    answer = np.clip(np.round(trait + rng.normal(size=N) + 3), 1, 5)
    words = np.array(["low", "medium", "high"], dtype=object)[
        np.digitize(trait + rng.normal(size=N), [-0.5, 0.5])
    ]
    table = {"answer": answer, "level": words, "x": np.exp(trait), "z": rng.normal(size=N)}
    return table | {"w": table["x"] + 0.1 * table["z"]}


def test_columns_with_an_order_are_in_the_matrix_by_ranks(rng):
    table = rated(rng)
    found = description_section(read(table))
    assert found.names == ("answer", "level", "x", "z", "w")
    places = np.array([{"low": 0, "medium": 1, "high": 2}[v] for v in table["level"]])
    by_hand = {
        ("answer", "x"): stats.spearmanr(table["answer"], table["x"]).statistic,
        ("answer", "level"): stats.spearmanr(table["answer"], places).statistic,
        ("x", "w"): np.corrcoef(table["x"], table["w"])[0, 1],
    }
    for (a, b), r in by_hand.items():
        assert found.correlation[found.names.index(a), found.names.index(b)] == pytest.approx(r, abs=1e-12)


def test_pairs_with_an_order_are_told_as_ranks(rng):
    found = description_section(read(rated(rng)), "answer")
    ranks = {frozenset((p.first, p.second)): p.ranks for p in found.related}
    assert ranks[frozenset(("answer", "level"))]
    assert not ranks[frozenset(("x", "w"))]
    assert any("'x' (rank correlation 0." in s for s in found.sentences)
    assert any("'x' and 'w' (correlation 1.00)" in s for s in found.sentences)


def test_gaps_leave_out_rows_of_a_pair_only(rng):
    table = rated(rng)
    table["answer"][rng.random(N) < 0.2] = np.nan
    found = description_section(read(table))
    both = ~np.isnan(table["answer"])
    r = stats.spearmanr(table["answer"][both], table["x"][both]).statistic
    assert found.correlation[0, found.names.index("x")] == pytest.approx(
        r, abs=0.01
    )  # ranks of all rows with a value


def test_a_pair_counts_the_rows_it_has(rng):
    table = rated(rng)
    answer, x = table["answer"].copy(), table["x"].copy()
    answer[:322], x[330:] = np.nan, np.nan  # 8 rows with both
    found = description_section(read({"answer": answer, "x": x, "z": table["z"]}))
    assert abs(found.correlation[0, 1]) > 0.2
    assert found.related == ()


def test_noise_with_an_order_is_seldom_related(rng):
    told = 0
    for _ in range(40):
        table = {f"q{j}": rng.integers(1, 6, 60) for j in range(4)} | {"x": rng.normal(size=60)}
        told += bool(description_section(read(table)).related)
    assert told <= 6  # 2 on average


def test_what_the_user_says_is_described(rng):
    table = {"v": rng.integers(1, 5, N), "x": rng.normal(size=N), "z": rng.normal(size=N)}
    assert description_section(read(table)).names == ("v", "x", "z")
    assert description_section(read(table), None, {"v": "nominal"}).names == ("x", "z")


# -- the target -------------------------------------------------------------------------------------------
def task(values, name="y"):
    return task_of(np.asarray(values), None, None, name)


def test_whole_numbers_are_counts_only_where_counts_could_be_so(rng):
    assert task(rng.poisson(20, 300)).name == "counts"
    assert task(rng.negative_binomial(10, 0.25, 300)).name == "counts"
    alike, floor = task(rng.integers(30, 40, 300)), task(rng.integers(18, 90, 900))
    assert (alike.name, floor.name) == ("regression", "regression")
    assert "their variance is 0.2" in alike.why
    assert "none below 18" in floor.why
    assert floor.alternatives == ("counts",)


def test_counts_are_seldom_taken_for_measured(rng):
    wrong = [task(rng.poisson(mean, 100)).name != "counts" for mean in (15, 30, 60) for _ in range(60)]
    assert np.mean(wrong) < 0.05  # 1 in 100 by design


@pytest.mark.parametrize(
    ("name", "low", "high", "expected"),
    [
        ("income", 1, 25, "regression"),
        ("age", 1, 60, "regression"),
        ("built", 1950, 2020, "regression"),
        ("quality", 3, 9, "regression"),
        ("stars", 1, 5, "regression"),
        ("occupation", 1, 7, "multi-class"),
        ("y", 1, 5, "multi-class"),
        ("visits", 1, 25, "counts"),
    ],
)
def test_the_name_of_a_target_says_what_its_values_leave_open(rng, name, low, high, expected):
    assert task(rng.integers(low, high, N), name).name == expected


def test_a_year_is_a_quantity_without_a_doubt(rng):
    found = task(rng.integers(1950, 2020, N), "year")
    assert (found.name, found.alternatives) == ("regression", ())
    assert "calendar year" in found.why
