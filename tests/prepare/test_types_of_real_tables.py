"""What some hundred columns of tables that nobody here wrote mean: as a person says who reads the code books."""

import importlib

import numpy as np
import pytest
from sklearn import datasets as bundled

from suffice.prepare import TableEncoder, attribute_types

NOM, ORD, INT, RAT = "nominal", "ordinal", "interval", "ratio"
EXPECTED = {
    "anes96": {
        "popul": RAT, "TVnews": RAT, "selfLR": ORD, "ClinLR": ORD, "DoleLR": ORD, "PID": RAT, "age": RAT, "educ": ORD,
        "income": RAT, "vote": NOM, "logpopul": INT,
    },
    "cancer": {"cancer": RAT, "population": RAT},
    "ccard": {"AVGEXP": RAT, "AGE": RAT, "INCOME": RAT, "OWNRENT": NOM},
    "committee": {"BILLS104": RAT, "SIZE": RAT, "SUBS": RAT, "STAFF": RAT, "PRESTIGE": NOM},
    "copper": {"COPPERPRICE": RAT, "INCOMEINDEX": RAT, "TIME": INT},
    "cpunish": {"EXECUTIONS": RAT, "INCOME": RAT, "SOUTH": NOM, "DEGREE": RAT},
    "elnino": {"YEAR": INT, "JAN": RAT},
    "fair": {
        "rate_marriage": ORD, "age": RAT, "yrs_married": RAT, "children": RAT, "religious": RAT, "educ": RAT,
        "occupation": NOM, "occupation_husb": NOM, "affairs": RAT,
    },
    "grunfeld": {"invest": RAT, "value": RAT, "capital": RAT, "firm": NOM, "year": INT},
    "heart": {"survival": RAT, "censors": NOM, "age": RAT},
    "interest_inflation": {"year": INT, "quarter": INT, "Dp": INT, "R": RAT},
    "longley": {"TOTEMP": RAT, "GNP": RAT, "POP": RAT, "YEAR": INT},
    "macrodata": {"year": INT, "quarter": INT, "realgdp": RAT, "infl": INT, "unemp": RAT},
    "modechoice": {
        "individual": NOM, "mode": NOM, "choice": NOM, "ttme": RAT, "invc": RAT, "invt": RAT, "gc": RAT, "hinc": RAT,
        "psize": RAT,
    },
    "nile": {"year": INT, "volume": RAT},
    "randhie": {"mdvis": RAT, "lncoins": RAT, "idp": NOM, "physlm": RAT, "hlthg": NOM, "hlthf": NOM, "hlthp": NOM},
    "scotland": {"YES": RAT, "COUTAX": RAT, "MOR": RAT, "GDP": RAT},
    "spector": {"GPA": RAT, "TUCE": RAT, "PSI": NOM, "GRADE": NOM},
    "stackloss": {"STACKLOSS": RAT, "AIRFLOW": RAT, "WATERTEMP": RAT, "ACIDCONC": RAT},
    "star98": {"NABOVE": RAT, "NBELOW": RAT, "LOWINC": RAT, "PTRATIO": RAT},
    "strikes": {"duration": RAT, "iprod": INT},
    "sunspots": {"YEAR": INT, "SUNACTIVITY": RAT},
    "wine": {"alcohol": RAT, "magnesium": RAT, "proline": RAT, "hue": RAT},
    "breast_cancer": {"mean radius": RAT, "worst area": RAT, "target": NOM},
    "linnerud": {"Chins": RAT, "Situps": RAT, "Jumps": RAT, "Weight": RAT, "Waist": RAT, "Pulse": RAT},
}  # fmt: skip


@pytest.fixture(scope="module")
def tables():
    found = {}
    for name in EXPECTED:
        if name in ("wine", "breast_cancer", "linnerud"):
            found[name] = getattr(bundled, f"load_{name}")(as_frame=True).frame
        else:
            found[name] = importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data
    return found


@pytest.fixture(scope="module")
def types(tables):
    return {name: attribute_types(table) for name, table in tables.items()}


def test_there_are_about_a_hundred_columns():
    assert sum(map(len, EXPECTED.values())) >= 100


@pytest.mark.parametrize("name", EXPECTED)
def test_columns_mean_what_their_code_book_says(types, name):
    assert {column: types[name][column].scale for column in EXPECTED[name]} == EXPECTED[name]


def test_no_column_of_these_tables_is_taken_for_a_name_of_rows(types):
    assert [a.name for found in types.values() for a in found.values() if a.identifier] == []


def test_years_are_marked_and_nothing_else_is(types):
    marked = {a.name for found in types.values() for a in found.values() if a.calendar}
    assert marked == {"year", "YEAR"}


def test_persons_and_codes_of_a_panel(types, tables):
    found = types["modechoice"]
    assert found["individual"].repeats
    assert "210 numbers, each in 4 rows" in found["individual"].why
    assert "each once in every unit" in found["mode"].why
    renamed = tables["modechoice"].rename(columns={"individual": "v1", "mode": "v2"})
    told = attribute_types(renamed)
    assert (told["v1"].repeats, told["v2"].scale) == (True, "nominal")  # without a word from the name


def test_neither_the_order_of_rows_nor_of_columns_matters(tables, types):
    rng = np.random.default_rng(0)
    for name in ("anes96", "fair", "modechoice", "macrodata", "copper", "randhie"):
        table = tables[name]
        mixed = table.iloc[rng.permutation(len(table)), rng.permutation(table.shape[1])]
        by_first = table.sort_values(table.columns[0])
        for other in (mixed, by_first):
            found = attribute_types(other)
            assert {n: (a.scale, a.why) for n, a in found.items()} == {
                n: (a.scale, a.why) for n, a in types[name].items()
            }


def test_the_encoder_leaves_out_persons_only(tables):
    for name, table in tables.items():
        unused = {n: w for n, w in TableEncoder().fit(table).unused_.items() if "does not vary" not in w}
        assert set(unused) == ({"individual"} if name == "modechoice" else set()), name
    encoder = TableEncoder().fit(tables["modechoice"])
    assert "names 210 units with 4 rows each" in encoder.unused_["individual"]
    assert [n for n in encoder.get_feature_names_out() if n.startswith("mode")] == [
        "mode = 2",
        "mode = 3",
        "mode = 4",
    ]
