"""Codes, identifiers, years and quantities are told apart by evidence: rates on made tables, and names that mislead."""

import numpy as np
import pytest

from suffice.prepare import TableEncoder, attribute_types
from suffice.prepare.looking._order_evidence import ROWS, chosen_rows, evidence, ranks_of
from suffice.prepare.looking._profile import profile, profiles
from suffice.tables.opening import Table

N = 400


def rng_of(seed):
    return np.random.default_rng(seed)


def effect(rng, kind, codes, k):
    z = (codes - codes.mean()) / codes.std()
    shapes = {
        "names": lambda: rng.normal(size=k)[codes - 1],
        "line": lambda: rng.choice([-1, 1]) * z,
        "curve": lambda: rng.normal() * z + 0.6 * rng.normal() * z**2,
        "step": lambda: (codes > rng.integers(1, k)).astype(float),
        "nothing": lambda: np.zeros(len(codes)),
    }
    f = shapes[kind]()
    return f / max(f.std(), 1e-9)


def coded(kind, k, n=1000, others=4, seed=0):
    """A column v of 1 … k and others that go with it as names do, or a quantity."""
    rng = rng_of(seed)
    codes = rng.choice(k, n) + 1
    made = {f"x{j}": 0.4 * effect(rng, kind, codes, k) + 0.9 * rng.normal(size=n) for j in range(others)}
    return {"v": codes} | made


def share_of_names(kind, k, tables=15):
    return np.mean([attribute_types(coded(kind, k, seed=s))["v"].scale == "nominal" for s in range(tables)])


# -- codes ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("k", "least"), [(5, 0.6), (8, 0.9), (12, 0.95)])
def test_codes_are_found_by_the_ways_they_go(k, least):
    assert share_of_names("names", k) >= least


@pytest.mark.parametrize("kind", ["line", "curve", "step", "nothing"])
@pytest.mark.parametrize("k", [4, 8])
def test_quantities_are_not_taken_for_codes(kind, k):
    assert share_of_names(kind, k) == 0


def test_hundreds_of_columns_alike_are_left_as_they_are():
    table = coded("names", 8)
    assert attribute_types(table)["v"].scale == "nominal"
    table |= {f"p{j}": rng_of(j).integers(0, 17, 1000) for j in range(100)}
    assert attribute_types(table)["v"].scale == "ratio"


def test_the_reason_has_numbers():
    found = attribute_types(coded("names", 8))["v"]
    assert "1 to 8 seem to be codes" in found.why
    assert "% of what they tell about 4 other columns" in found.why


def test_answers_of_persons_who_come_again_are_no_codes():
    rng = rng_of(1)
    for _ in range(10):
        asked = rng.choice(6, 50) + 1
        table = {"answer": np.repeat(asked, 20)} | {
            f"p{j}": np.repeat(rng.normal(size=50), 20) for j in range(3)
        }
        table["w"] = rng.normal(size=1000) + np.repeat(rng.normal(size=50), 20)
        assert attribute_types(table)["answer"].scale == "ratio"


def test_groups_made_of_a_quantity_are_no_codes():
    rng = rng_of(2)
    age = rng.integers(20, 80, 1000)
    table = {"g": (age - 20) // 10 + 1, "age": age, "z": np.sin(age / 3) + 0.1 * rng.normal(size=1000)}
    table["u"] = np.sin(age / 3 + 1) + 0.1 * rng.normal(size=1000)
    assert attribute_types(table)["g"].scale == "ratio"


def test_answers_on_scales_are_ordinal():
    rng = rng_of(3)
    for top in (5, 7):
        trait = rng.normal(size=N)
        items = {
            f"q{j}": np.clip(np.round(trait + rng.normal(size=N) + (top + 1) / 2), 1, top).astype(int)
            for j in range(6)
        }
        assert {a.scale for a in attribute_types(items).values()} == {"ordinal"}


# -- identifiers ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "name", ["id", "customer_id", "Customer ID", "patient", "nr", "Unnamed: 0", "index", "row"]
)
def test_numbers_of_rows_are_identifiers_in_any_order(name):
    found = attribute_types({name: rng_of(4).permutation(N) + 1, "x": rng_of(5).normal(size=N)})[name]
    assert found.identifier
    assert "identifier" in found.why


@pytest.mark.parametrize("name", ["x", "v1", "dose", "t", "rank", "position"])
def test_numbers_from_1_to_n_are_kept_where_the_name_is_silent(name):
    table = {name: rng_of(6).permutation(N) + 1, "z": rng_of(7).normal(size=N)}
    assert not attribute_types(table)[name].identifier
    assert name not in TableEncoder().fit(table).unused_


def test_quantities_with_a_value_per_row_are_kept():
    rng = rng_of(8)
    table = {
        "income": rng.permutation(100_000)[:N],
        "amount": rng.permutation(5000)[:N],
        "v": rng.permutation(10**6)[:N],
        "w": 10 * rng.permutation(N),
        "index": 1000 + rng.permutation(3 * N)[:N],
        "price index": rng.permutation(N) + 80,
    }
    types = attribute_types(table)
    assert {n for n in types if types[n].identifier or types[n].scale == "nominal"} == set()
    assert TableEncoder().fit(table).unused_ == {}


def panel(rng, units, each, name, numbers=None):
    numbers = np.arange(units) + 1 if numbers is None else numbers
    table = {name: np.repeat(numbers, each)}
    table |= {f"p{j}": np.repeat(rng.normal(size=units), each) for j in range(2)}
    return table | {"w": rng.normal(size=units * each) + np.repeat(rng.normal(size=units), each)}


@pytest.mark.parametrize("name", ["v", "person", "firm nr"])
@pytest.mark.parametrize(("units", "each"), [(30, 20), (100, 5)])
def test_numbers_of_units_are_names(name, units, each):
    hits = [attribute_types(panel(rng_of(s), units, each, name))[name].repeats for s in range(10)]
    assert np.mean(hits) >= 0.9


def test_numbers_of_units_with_holes_need_a_name():
    numbers = np.sort(rng_of(9).permutation(12_000)[:100])
    assert attribute_types(panel(rng_of(0), 100, 5, "nr", numbers))["nr"].repeats
    assert attribute_types(panel(rng_of(0), 100, 5, "v", numbers))["v"].scale == "ratio"


def test_units_with_few_rows_are_left_out_and_those_with_many_are_levels():
    few = TableEncoder().fit(panel(rng_of(0), 100, 5, "person"))
    assert "names 100 units with 5 rows each" in few.unused_["person"]
    many = TableEncoder().fit(panel(rng_of(0), 30, 20, "person"))
    assert "person" not in many.unused_
    assert "person = 2" in many.get_feature_names_out()
    said = TableEncoder(types={"person": "ratio"}).fit(panel(rng_of(0), 100, 5, "person"))
    assert "person" in said.get_feature_names_out()


def test_steps_of_time_that_all_units_share_are_kept():
    rng = rng_of(10)
    step = np.tile(np.arange(40) + 1, 20)
    level = np.cumsum(rng.normal(size=40))
    table = {"v": step, "m": level[step - 1], "w": level[step - 1] + rng.normal(size=800)}
    table["u"] = np.sin(step / 6) + 0.3 * rng.normal(size=800)
    assert not attribute_types(table)["v"].repeats


# -- other kinds ------------------------------------------------------------------------------------------
def test_codes_in_digits_with_lost_zeros():
    rng = rng_of(11)
    zips = rng.integers(501, 99_950, N)
    for name in ("zip", "ZipCode", "postal code", "home_zip"):
        assert attribute_types({name: zips})[name].scale == "nominal"


@pytest.mark.parametrize("pair", [(0, 1), (1, 2), (-1, 1)])
def test_two_numbers_name_two_groups(pair):
    found = attribute_types({"v": rng_of(12).choice(pair, N)})["v"]
    assert (found.scale, found.continuity) == ("nominal", "binary")


@pytest.mark.parametrize("name", ["year", "model year", "built", "vintage", "v"])
def test_years_are_known_by_name_or_value(name):
    found = attribute_types({name: rng_of(13).integers(1950, 2020, N)})[name]
    assert (found.scale, found.calendar) == ("interval", True)


def test_ages_counts_and_amounts_are_ratios():
    rng = rng_of(14)
    table = {
        "age": rng.integers(18, 90, N),
        "v": rng.poisson(2, N),
        "visits": rng.poisson(4, N),
        "pulse": rng.integers(45, 110, N),
        "u": rng.integers(1800, 9000, N),
    }
    types = attribute_types(table)
    assert {a.scale for a in types.values()} == {"ratio"}
    assert not any(a.calendar for a in types.values())


MISLEADING = {  # a name with a word for names, and values of a quantity or of answers
    "class size": (rng_of(15).integers(15, 36, N), "ratio"),
    "account age": (rng_of(16).integers(0, 61, N), "ratio"),
    "phone minutes": (rng_of(17).integers(0, 600, N), "ratio"),
    "consumer price index": (rng_of(18).integers(80, 131, N), "ratio"),
    "student score": (rng_of(19).integers(20, 100, N), "ratio"),
    "blood pressure": (rng_of(20).integers(110, 140, N), "ratio"),
    "key performance": (rng_of(21).permutation(9000)[:N], "ratio"),
    "model": (rng_of(22).integers(1970, 1983, N), "interval"),
    "job satisfaction": (rng_of(23).integers(1, 6, N), "ordinal"),
    "age group": (rng_of(24).integers(1, 7, N), "ordinal"),
    "number of patients": (np.arange(N) + 1, "ratio"),
}


@pytest.mark.parametrize("name", MISLEADING)
def test_a_word_in_the_name_is_not_enough(name):
    values, scale = MISLEADING[name]
    found = attribute_types({name: values, "x": rng_of(0).normal(size=N)})[name]
    assert (found.scale, found.identifier) == (scale, False)


@pytest.mark.parametrize("name", ["phone number", "account no", "region", "occupation", "department code"])
def test_names_with_the_values_of_codes(name):
    high = 9 * 10**7 if name == "phone number" else 90_000 if name == "account no" else 9
    values = rng_of(25).integers(high // 9, high, N)
    assert attribute_types({name: values})[name].scale == "nominal"


# -- the measure ------------------------------------------------------------------------------------------
def measured(table):
    found, rows = profiles(Table.of(table)), np.arange(len(table["v"]))
    return evidence(found["v"], [ranks_of(p, rows) for n, p in found.items() if n != "v"], rows)


def test_the_order_explains_all_of_a_quantity_and_little_of_names():
    line, names = measured(coded("line", 8, 4000)), measured(coded("names", 12, 4000))
    assert line.share > 0.95
    assert line.lack > 1e-4
    assert names.share < 0.6
    assert names.lack < 1e-20
    assert measured(coded("nothing", 8, 4000, seed=5)) is None


def test_the_strength_is_the_share_of_spread_between_groups():
    table = coded("line", 6, 5000, others=1)
    e = measured(table)
    means = [table["x0"][table["v"] == v].mean() for v in range(1, 7)]
    sizes = np.bincount(table["v"])[1:]
    by_hand = sizes @ (means - table["x0"].mean()) ** 2 / np.sum((table["x0"] - table["x0"].mean()) ** 2)
    assert e.strength == pytest.approx(by_hand, abs=0.02)  # of ranks rather than values


def test_many_rows_are_drawn_the_same_in_any_order():
    rng = rng_of(26)
    n = ROWS + 3000
    table = {"a": rng.normal(size=n), "b": rng.integers(0, 9, n)}
    order = rng.permutation(n)
    first = chosen_rows([profile(k, v) for k, v in table.items()], n)
    second = chosen_rows([profile(k, table[k][order]) for k in ("b", "a")], n)
    assert len(first) == ROWS
    assert set(first.tolist()) == set(order[second].tolist())


def test_gaps_and_infinite_cells_do_no_harm():
    table = coded("names", 8, 2000)
    table["v"] = np.where(rng_of(27).random(2000) < 0.1, np.nan, table["v"])
    table["x0"][:50], table["x1"][:50] = np.nan, np.inf
    assert attribute_types(table)["v"].scale == "nominal"
    table["v"][0] = np.inf
    assert attribute_types(table)["v"].scale in ("ratio", "ordinal")
