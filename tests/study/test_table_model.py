"""Predictions from tables as they come: columns, intervals, strangers, and the way to a file and back."""

import numpy as np
import pandas as pd
import pytest

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.study.steps.chosen import chosen_section

from .stages import Stage
from .test_chosen import table


def fitted(task, name, **options):
    s = Stage(table(task), models=[name], folds=3, inner=3, **options)
    return chosen_section(s.of(name), s.problem, s.options)[0]


ROWS = {"p": [0.0, 1.0, None], "q": [1.0, -2.0, 0.5], "r": [0.0, 0.1, 0.2], "g": ["u", "v", "u"]}


@pytest.mark.parametrize(
    ("task", "name"), [("regression", "linear"), ("regression", "ridge"), ("counts", "poisson")]
)
def test_numbers_have_intervals(task, name):
    model = fitted(task, name)
    made = model.predict_table(ROWS, level=0.8)
    assert list(made) == ["prediction", "low", "high", "std"]
    d = model.predict_dist(ROWS)
    low, high = d.interval(0.8)
    np.testing.assert_array_equal(made["prediction"], model.predict(ROWS))
    np.testing.assert_allclose(made["low"], low, rtol=1e-12)
    np.testing.assert_allclose(made["high"], high, rtol=1e-12)
    np.testing.assert_allclose(made["std"], d.std, rtol=1e-12)
    assert np.all(made["low"] <= made["prediction"])
    assert np.all(made["prediction"] <= made["high"])


@pytest.mark.parametrize(("task", "name"), [("binary", "logistic"), ("multi-class", "lda")])
def test_classes_have_probabilities(task, name):
    model = fitted(task, name)
    made = model.predict_table(ROWS)
    assert list(made) == ["prediction", *(f"probability of {c}" for c in model.classes)]
    P = np.column_stack([made[f"probability of {c}"] for c in model.classes])
    np.testing.assert_allclose(P.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_array_equal(made["prediction"], model.classes[np.argmax(P, axis=1)])
    np.testing.assert_array_equal(P, model.predict_proba(ROWS))


def test_a_wider_level_makes_wider_intervals():
    model = fitted("regression", "linear")
    narrow, wide = model.predict_table(ROWS, level=0.5), model.predict_table(ROWS, level=0.99)
    assert np.all(wide["low"] < narrow["low"])
    assert np.all(wide["high"] > narrow["high"])
    with pytest.raises(InvalidParameter, match="level"):
        model.predict_table(ROWS, level=1.5)


def test_the_baseline_predicts_the_same_for_every_row():
    s = Stage(table("regression"), models=["linear"], folds=3)
    model = chosen_section(s.of("mean"), s.problem, s.options)[0]
    made = model.predict_table(ROWS)
    assert all(v.shape == (3,) for v in made.values())
    np.testing.assert_allclose(made["prediction"], s.problem.y.mean(), rtol=1e-12)


def test_strangers_gaps_extra_and_absent_columns():
    model = fitted("regression", "linear")
    odd = ROWS | {"g": ["u", "stranger", "u"], "more": [1, 2, 3]}
    found = model.mismatch(odd)
    assert found.extra == ("more",)
    assert found.strangers == {"g": {"stranger": 1}}
    assert found.absent == ()
    assert np.isfinite(model.predict_table(odd)["prediction"]).all()
    np.testing.assert_array_equal(model.predict(odd)[[0, 2]], model.predict(ROWS)[[0, 2]])
    short = {name: v for name, v in ROWS.items() if name != "q"}
    assert model.mismatch(short).absent == ("q",)
    with pytest.raises(InvalidInput, match="'q'"):
        model.predict_table(short)


@pytest.mark.parametrize(
    ("task", "name"),
    [("regression", "linear"), ("counts", "poisson"), ("binary", "logistic"), ("multi-class", "lda")],
)
def test_saved_and_loaded_it_predicts_the_same(task, name, tmp_path):
    model = fitted(task, name)
    path = tmp_path / "model.suffice"
    suffice.save(model, path)
    again = suffice.load(path)
    assert (again.target, again.task, again.name, again.title) == ("y", task, model.name, model.title)
    assert again.columns == model.columns
    before, after = model.predict_table(ROWS), again.predict_table(ROWS)
    assert list(before) == list(after)
    for column in before:
        np.testing.assert_array_equal(before[column], after[column])


@pytest.mark.parametrize(
    ("task", "name"),
    [("regression", "linear"), ("counts", "poisson"), ("binary", "logistic"), ("multi-class", "lda")],
)
def test_a_table_without_rows_gives_empty_columns(task, name):
    model = fitted(task, name)
    empty = pd.DataFrame(ROWS).iloc[:0]
    made, full = model.predict_table(empty), model.predict_table(ROWS)
    assert list(made) == list(full)
    assert all(v.shape == (0,) and v.dtype == full[column].dtype for column, v in made.items())
    assert model.predict(empty).shape == (0,)
    if model.classes is not None:
        assert model.predict_proba(empty).shape == (0, len(model.classes))
    assert model.mismatch(empty).sentences() == ()


@pytest.mark.parametrize("gaps", [False, True])
def test_infinite_numbers_are_told(gaps):
    """Whether or not the fit met gaps, which ±inf is treated like."""
    t = table("regression")
    if gaps:
        t["p"][:9] = np.nan
    s = Stage(t, models=["linear"], folds=3)
    model = chosen_section(s.of("linear"), s.problem, s.options)[0]
    odd = ROWS | {"p": np.array([np.inf, -np.inf, np.nan])}
    found = model.mismatch(odd)
    assert found.strangers == {"p": {"inf": 1, "-inf": 1}}
    assert found.gaps == ({} if gaps else {"p": 1})
    assert "('inf' 1×, '-inf' 1×); taken as" in found.sentences()[0]
    assert np.isfinite(model.predict(odd)).all()
