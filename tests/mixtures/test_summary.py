"""Summaries of mixtures: the fitted numbers, a row per component and column, in the user's words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.exceptions import NotFittedError

from suffice.distributions import Gamma
from suffice.mixtures import (
    BernoulliMixture,
    CategoricalMixture,
    GaussianMixture,
    MixtureModel,
    MultinomialMixture,
    PoissonMixture,
)

rng = np.random.default_rng(0)
Z = np.repeat([0, 1], [60, 40])
NUMBERS = rng.normal(np.array([[0.0, 5.0, 1.0], [8.0, 9.0, 3.0]])[Z], 1.0)
COUNTS = rng.poisson(np.array([[1.0, 9.0, 4.0], [8.0, 2.0, 4.0]])[Z])
BITS = (rng.random((100, 3)) < np.array([[0.9, 0.1, 0.8], [0.2, 0.7, 0.1]])[Z]) * 1.0
TABLE = pd.DataFrame(
    {
        "rent": NUMBERS[:, 0],
        "heating": np.where(BITS[:, 0] == 1, "district", "oil"),
        "cars": COUNTS[:, 0],
        "owned": BITS[:, 1] == 1,
        "bread": COUNTS[:, 1],
        "milk": COUNTS[:, 2],
        "wait": rng.gamma(2.0, np.where(Z == 0, 1.0, 3.0)),
    }
)
MIXED = MixtureModel(
    {"cars": "poisson", ("bread", "milk"): "multinomial", "wait": Gamma},
    prior={"heating": 2.0},
    random_state=0,
).fit(TABLE)
COLUMNS = ["component", "weight", "column", "family", "mean", "std", "most_probable", "probability"]


def grid(frame, name):
    """A column of the frame as (components, columns)."""
    K = frame["component"].max() + 1
    return frame[name].to_numpy().reshape(K, -1)


@pytest.mark.parametrize("shape", ["full", "tied", "diag", "spherical"])
def test_normal_columns(shape):
    model = GaussianMixture(2, covariance_type=shape, random_state=0).fit(NUMBERS)
    frame = model.summary().frame()
    assert list(frame.columns) == COLUMNS
    np.testing.assert_allclose(grid(frame, "mean"), model.means_, rtol=1e-12)
    forms = {
        "full": lambda c: np.diagonal(c, axis1=1, axis2=2),
        "tied": lambda c: np.tile(np.diag(c), (2, 1)),
        "diag": lambda c: c,
        "spherical": lambda c: np.tile(c[:, None], (1, 3)),
    }
    np.testing.assert_allclose(grid(frame, "std") ** 2, forms[shape](model.covariances_), rtol=1e-9)
    np.testing.assert_allclose(grid(frame, "weight"), np.tile(model.weights_[:, None], (1, 3)), rtol=1e-12)
    assert grid(frame, "column").tolist() == [["x0", "x1", "x2"]] * 2
    assert set(frame["family"]) == {"gaussian"}
    assert frame["most_probable"].isna().all()
    assert frame["probability"].isna().all()


def test_counts():
    model = PoissonMixture(2, random_state=0).fit(COUNTS)
    frame = model.summary().frame()
    np.testing.assert_allclose(grid(frame, "mean"), model.rates_, rtol=1e-12)
    np.testing.assert_allclose(grid(frame, "std") ** 2, model.rates_, rtol=1e-12)
    np.testing.assert_array_equal(grid(frame, "most_probable"), np.floor(model.rates_))
    best = stats.poisson(model.rates_).pmf(np.floor(model.rates_))
    np.testing.assert_allclose(grid(frame, "probability"), best, rtol=1e-10)


def test_binary_columns():
    model = BernoulliMixture(2, random_state=0).fit(BITS)
    frame, p = model.summary().frame(), model.probabilities_
    np.testing.assert_allclose(grid(frame, "mean"), p, rtol=1e-12)
    np.testing.assert_array_equal(grid(frame, "most_probable"), p > 0.5)
    np.testing.assert_allclose(grid(frame, "probability"), np.maximum(p, 1 - p), rtol=1e-12)


def test_shares_of_a_total():
    model = MultinomialMixture(2, random_state=0).fit(COUNTS)
    frame = model.summary().frame()
    assert set(frame["family"]) == {"multinomial"}
    np.testing.assert_allclose(grid(frame, "mean"), model.probabilities_, rtol=1e-12)
    assert frame[["std", "most_probable", "probability"]].isna().to_numpy().all()


@pytest.mark.parametrize(
    "values", [("district", "oil"), (10, 25), (False, True)], ids=["text", "numbers", "booleans"]
)
def test_categories_are_called_by_their_values(values):
    X = np.array(values, dtype=object)[BITS.astype(int)]
    model = CategoricalMixture(2, random_state=0).fit(X)
    frame = model.summary().frame()
    for j, p in enumerate(model.probabilities_):
        assert grid(frame, "most_probable")[:, j].tolist() == [values[i] for i in p.argmax(axis=1)]
        np.testing.assert_allclose(grid(frame, "probability")[:, j], p.max(axis=1), rtol=1e-12)
    assert frame[["mean", "std"]].isna().to_numpy().all()


def test_a_mixed_table():
    frame = MIXED.summary().frame()
    families = dict(zip(frame["column"], frame["family"], strict=True))
    assert families == MIXED.families_
    rows = frame.set_index(["column", "component"])
    for k in range(2):
        for name in ("rent", "cars", "wait"):
            part = MIXED.marginal(name).components[k]
            assert rows.loc[(name, k), "mean"] == pytest.approx(part.mean, rel=1e-12)
            assert rows.loc[(name, k), "std"] == pytest.approx(part.std, rel=1e-12)
        assert type(rows.loc[("owned", k), "most_probable"]) is bool
        assert type(rows.loc[("cars", k), "most_probable"]) is int
        assert rows.loc[("heating", k), "most_probable"] in ("district", "oil")
        assert rows.loc[(["bread", "milk"], k), "mean"].sum() == pytest.approx(1.0, rel=1e-12)
    cold, warm = np.argsort(rows.loc["rent", "mean"])
    assert rows.loc[("heating", cold), "most_probable"] == "district"
    assert rows.loc[("heating", warm), "most_probable"] == "oil"


def test_polars_has_one_type_of_values():
    pytest.importorskip("polars")
    mine, theirs = MIXED.summary().frame("polars"), MIXED.summary().frame()
    assert mine.columns == COLUMNS
    said = [None if v is None else str(v) for v in theirs["most_probable"]]
    assert mine["most_probable"].to_list() == said


def test_it_reads_as_a_table():
    text = str(MIXED.summary())
    head, weights, *rows = (line.split() for line in text.splitlines())
    assert head == ["component", "0", "1"]
    assert weights == ["weight", *(f"{w:.3g}" for w in MIXED.weights_)]
    assert [row[0] for row in rows] == list(TABLE)
    frame = MIXED.summary().frame()
    mean, std = grid(frame, "mean")[0, 0], grid(frame, "std")[0, 0]
    assert f"{mean:.4g} ± {std:.3g}" in text.splitlines()[2]
    assert f"{grid(frame, 'most_probable')[1, 1]} ({grid(frame, 'probability')[1, 1]:.2f})" in text
    assert "±" not in text.splitlines()[6]  # shares
    html = MIXED.summary()._repr_html_()
    assert "<th>component 1</th>" in html
    assert f"<td>{mean:.4g} ± {std:.3g}</td>" in html


def test_wide_tables_and_many_components_stay_readable():
    means = np.arange(7 * 100.0).reshape(7, 100)
    text = str(
        GaussianMixture.of(np.full(7, 1 / 7), means, np.ones(7), covariance_type="spherical").summary()
    )
    first, second, left = text.split("\n\n")
    assert first.splitlines()[0].split() == ["component", "0", "1", "2", "3", "4"]
    assert second.splitlines()[0].split() == ["component", "5", "6"]
    assert left == "… and 60 more columns; frame() has all of them"
    assert max(map(len, text.splitlines())) < 100


def test_before_the_fit():
    with pytest.raises(NotFittedError, match="This PoissonMixture instance is not fitted yet"):
        PoissonMixture(2).summary()
