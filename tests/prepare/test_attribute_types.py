"""Scale and continuity: what a person would say of each column, why, and how to overrule it."""

import datetime as dt
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest

from suffice import datasets, load, save
from suffice._core.errors import InvalidParameter
from suffice.prepare import Attribute, AttributeTypes, allowed_ops, attribute_types

RNG = np.random.default_rng(5)
N = 60


def choice(*values):
    return RNG.choice(np.array(values, dtype=object), N)


EXPECTED = {  # name: (values, scale, continuity, a word of the reason)
    "customer_id": (RNG.permutation(N) + 1000, "nominal", "discrete", "identifier"),
    "zipcode": (RNG.integers(1000, 9999, N), "nominal", "discrete", "code"),
    "phone": (RNG.integers(10**7, 10**8, N), "nominal", "discrete", "code"),
    "Year": (RNG.integers(1950, 2020, N), "interval", "discrete", "calendar"),
    "years of schooling": (RNG.integers(0, 20, N), "ratio", "discrete", "zero"),
    "temperature": (RNG.uniform(5, 30, N), "interval", "continuous", "temperature"),
    "temperatureKelvin": (RNG.uniform(270, 300, N), "ratio", "continuous", "zero"),
    "longitude": (RNG.uniform(-180, 180, N), "interval", "continuous", "meridian"),
    "n_visits": (RNG.poisson(2, N), "ratio", "discrete", "count"),
    "n": (RNG.integers(0, 2, N), "ratio", "binary", "count"),
    "t": (np.arange(N), "interval", "discrete", "steps"),
    "smoker": (RNG.integers(0, 2, N), "nominal", "binary", "groups"),
    "rating": (RNG.integers(1, 11, N), "ordinal", "discrete", "rating"),
    "v1": (RNG.integers(1, 6, N), "ordinal", "discrete", "1 to 5"),
    "v2": (RNG.integers(0, 5, N) / 4, "ratio", "discrete", "1/4"),
    "v3": (RNG.normal(size=N), "interval", "continuous", "below zero"),
    "v4": (RNG.exponential(size=N), "ratio", "continuous", "negative"),
    "weight": (RNG.integers(50, 90, N), "ratio", "continuous", "amount"),
    "region": (RNG.integers(0, 4, N), "nominal", "discrete", "group"),
    "hour": (RNG.integers(0, 24, N), "interval", "discrete", "cycle"),
    "row": (np.arange(N), "nominal", "discrete", "count the rows"),
    "size": (choice("small", "Large", "medium"), "ordinal", "discrete", "small < medium < Large"),
    "shirt": (choice("S", "M", "L", "XL"), "ordinal", "discrete", "S < M < L < XL"),
    "ages": (choice("<20", "20-39", "40-64", "65+"), "ordinal", "discrete", "<20 < 20-39 < 40-64 < 65+"),
    "frequency": (
        choice("never", "sometimes", "always"),
        "ordinal",
        "discrete",
        "never < sometimes < always",
    ),
    "weekday": (choice("Mon", "Tue", "Sun"), "nominal", "discrete", "cycle"),
    "month": (choice("January", "May", "June"), "nominal", "discrete", "cycle"),
    "answer": (choice("yes", "no"), "nominal", "binary", "opposite"),
    "color of hair": (choice("red", "brown", "grey"), "nominal", "discrete", "names"),
    "serial": ([f"AB-{i:04d}" for i in range(N)], "nominal", "discrete", "shaped like"),
    "when": ([f"2020-01-{1 + i % 28:02d}" for i in range(N)], "nominal", "discrete", "%Y-%m-%d"),
    "digits": ([str(i % 17) for i in range(N)], "nominal", "discrete", "written as text"),
    "date": (np.datetime64("2020-01-01") + np.arange(N), "interval", "discrete", "calendar"),
    "moment": (np.datetime64("2020-01-01T00:01") + np.arange(N), "interval", "continuous", "calendar"),
    "span": (np.arange(N) * np.timedelta64(5, "s"), "ratio", "continuous", "span"),
    "true": (RNG.random(N) < 0.5, "nominal", "binary", "two groups"),
    "nothing": ([None] * N, "nominal", "discrete", "no value"),
    "comment": ([f"this is the {i}th remark of many" for i in range(N)], "nominal", "discrete", "Free text"),
    "nested": ([[1, i] for i in range(N)], "nominal", "discrete", "differ"),
    "infinite": (np.full(N, np.inf), "interval", "continuous", "finite"),
}
TABLE = {name: values for name, (values, *_) in EXPECTED.items()}
TYPES = attribute_types(TABLE)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_column_gets_the_scale_a_person_would_give(name):
    _, scale, continuity, reason = EXPECTED[name]
    found = TYPES[name]
    assert (found.scale, found.continuity) == (scale, continuity)
    assert reason in found.why
    assert found.rows == N


def test_identifiers_are_marked():
    assert {n for n in TYPES if TYPES[n].identifier} == {"customer_id", "row", "serial", "nested"}
    assert "row" not in TYPES.names("nominal")
    assert "row" in TYPES.names("nominal", identifiers=True)


def test_a_key_that_comes_again_is_no_identifier_of_rows():
    found = attribute_types({"shop_id": np.repeat([3, 9, 4], 20)})["shop_id"]
    assert (found.scale, found.identifier) == ("nominal", False)


def test_gaps_and_distinct_values_are_counted():
    found = attribute_types({"a": [1.0, None, 3.0, 3.0], "b": ["x", None, None, "y"]})
    assert [(a.missing, a.distinct) for a in found.values()] == [(1, 2), (2, 2)]


def test_an_order_of_pandas_is_kept():
    cat = pd.Categorical(["b", "a", "c"], categories=["c", "b", "a"], ordered=True)
    found = attribute_types(pd.DataFrame({"q": cat}))["q"]
    assert (found.scale, found.order) == ("ordinal", ("c", "b", "a"))


def test_words_are_ordered_from_the_lowest():
    assert TYPES["shirt"].order == ("S", "M", "L", "XL")
    assert TYPES["v1"].order is None


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_frames_and_dicts_agree(kind):
    some = {n: TABLE[n] for n in ("weight", "size", "smoker", "v3", "date")}
    assert attribute_types(kind(some)) == attribute_types(some)


def test_data_sets_of_the_library():
    found = attribute_types(datasets.olympic_100m_men())
    assert [a.scale for a in found.values()] == ["interval", "ratio"]
    assert attribute_types(datasets.traffic())["temperature"].scale == "interval"


# -- the record -------------------------------------------------------------------------------------------
def test_it_is_a_mapping_that_picks_columns():
    some = attribute_types({n: TABLE[n] for n in ("weight", "size", "Year", "answer", "v2")})
    assert list(some) == ["weight", "size", "Year", "answer", "v2"]
    assert len(some) == 5
    assert "size" in some
    assert "other" not in some
    assert some.names("ordinal") == ("size",)
    assert some.names(at_least="ordinal") == ("weight", "size", "Year", "v2")
    assert some.names(at_least="interval", continuity="discrete") == ("Year", "v2")
    assert some.names(kind="text") == ("size", "answer")
    with pytest.raises(InvalidParameter, match="scale must be one of"):
        some.names("numeric")
    with pytest.raises(KeyError, match="Did you mean 'weight'"):
        some["wieght"]


def test_frame_text_and_page():
    frame = TYPES.frame()
    assert frame.shape == (len(EXPECTED), 9)
    assert frame["scale"].tolist() == [a.scale for a in TYPES.values()]
    assert TYPES.frame("polars").height == len(EXPECTED)
    assert repr(TYPES).count("\n") == len(EXPECTED)
    page = attribute_types({"<script>": ["<b>", "<i>"]})
    assert "<script>" not in page._repr_html_()
    assert "&lt;script&gt;" in page._repr_html_()
    assert "\x1b" not in repr(attribute_types({"a\x1b[31m": [1]}))


def test_saved_and_loaded(tmp_path):
    save(TYPES, tmp_path / "types.suffice")
    assert load(tmp_path / "types.suffice") == TYPES


# -- overriding -------------------------------------------------------------------------------------------
def test_every_verdict_can_be_overruled():
    table = {"a": [1, 2, 3], "b": ["x", "y", "x"], "c": [5, 6, 7], "d": [0.5, 0.7, 0.8], "e": ["u", "v", "w"]}
    said = {
        "a": "nominal",
        "b": ["y", "x"],
        "c": "identifier",
        "d": "discrete",
        "e": {"scale": "ordinal", "order": ("w", "v", "u"), "why": "as in the manual"},
    }
    found = attribute_types(table, said)
    assert found["a"].scale == "nominal"
    assert (found["b"].scale, found["b"].order) == ("ordinal", ("y", "x"))
    assert (found["c"].scale, found["c"].identifier) == ("nominal", True)
    assert (found["d"].scale, found["d"].continuity) == ("ratio", "discrete")
    assert (found["e"].order, found["e"].why) == (("w", "v", "u"), "as in the manual")
    assert all("user" in found[n].why for n in "abcd")
    assert found.override({"b": "nominal"})["b"].order is None
    assert attribute_types(table, {"a": found["d"]})["a"].name == "a"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"z": "nominal"}, "there is no column 'z'"),
        ({"a": "numeric"}, "overrides: 'a' must be one of"),
        ({"a": {"scales": "ratio"}}, "has no field 'scales'"),
        ({"a": ["x", "x"]}, "names each level once"),
        ({"a": []}, "names each level once"),
        ({"a": {"scale": "big"}}, "scale must be one of"),
    ],
)
def test_bad_overrides_are_refused(said, words):
    with pytest.raises(InvalidParameter, match=words):
        attribute_types({"a": [1, 2]}, said)


# -- the shared notion ------------------------------------------------------------------------------------
def test_scales_are_nested():
    ops = [allowed_ops(s) for s in ("nominal", "ordinal", "interval", "ratio")]
    assert [len(o) for o in ops] == [2, 4, 6, 8]
    assert all(set(a) < set(b) for a, b in pairwise(ops))
    with pytest.raises(InvalidParameter, match="scale must be one of"):
        allowed_ops("metric")


def test_an_attribute_knows_what_it_allows():
    a = Attribute("a", "numbers", "interval", "discrete", "", 1, 0, 1)
    assert [a.allows(s) for s in ("nominal", "ordinal", "interval", "ratio")] == [True, True, True, False]


@pytest.mark.parametrize(
    "table", [{}, [], pd.DataFrame(), np.zeros((0, 3)), {"a": []}, [[None]], {"a": [dt.time(1)]}]
)
def test_small_and_empty_tables(table):
    assert isinstance(attribute_types(table), AttributeTypes)


def test_extreme_numbers():
    found = attribute_types({"a": [1e308, -1e308, 0.0], "b": [5e-324, 1e-300, 2e-310], "c": [10**40, 1, 2]})
    assert [a.scale for a in found.values()] == ["interval", "ratio", "nominal"]
