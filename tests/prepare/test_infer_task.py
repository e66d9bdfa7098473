"""Which task a target poses, and when the values alone do not decide."""

import numpy as np
import pandas as pd
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.prepare import Attribute, attribute_types, infer_task

RNG = np.random.default_rng(8)


@pytest.mark.parametrize(
    ("y", "name", "ambiguous"),
    [
        (RNG.normal(size=50), "regression", False),
        (RNG.integers(-5, 5, 50), "regression", False),
        (RNG.poisson(30, 50), "counts", True),
        (RNG.integers(0, 2, 50), "binary", False),
        (RNG.random(50) < 0.5, "binary", False),
        (["a", "b"] * 5, "binary", False),
        (["a", "b", "c"] * 5, "multi-class", False),
        ([0, 1, 2] * 9, "multi-class", True),
        (np.array([1.0, 2, 3] * 9), "multi-class", True),
        (["low", "high", "medium"], "ordinal", True),
        (RNG.integers(1, 6, 80), "ordinal", True),
        (RNG.integers(0, 5, 80) / 4, "regression", True),
        ([0.5, 1.5], "regression", False),
        (RNG.normal(size=(5, 2)), "multi-output regression", False),
        (np.datetime64("2020-01-01") + np.arange(9), "regression", False),
        (pd.Series(pd.Categorical(["x", "y", "z"], ordered=True)), "ordinal", True),
        ([f"n{i}" for i in range(40)], "multi-class", True),
        ([5, 5, 5], "constant", False),
    ],
)
def test_the_task_of_a_target(y, name, ambiguous):
    task = infer_task(y)
    assert (task.name, task.ambiguous) == (name, ambiguous)
    assert task.why
    assert task.is_classification == (name in ("binary", "multi-class", "ordinal"))
    assert task.is_regression == (not task.is_classification and name != "constant")


def test_classes_are_sorted_values():
    assert infer_task(["b", "a", "c", "a"]).classes == ("a", "b", "c")
    assert infer_task([1, 0, 1]).classes == (0, 1)
    assert infer_task(["low", "high", "medium"]).classes == ("low", "medium", "high")
    assert infer_task(np.arange(5) / 3).classes is None


def test_what_is_known_settles_it():
    y = [0, 1, 2] * 9
    assert infer_task(y, "nominal").name == "multi-class"
    assert infer_task(y, "ordinal").name == "ordinal"
    assert infer_task(y, "ratio").name == "counts"
    assert infer_task(y, "interval").name == "regression"
    assert not infer_task(y, "nominal").ambiguous
    a = attribute_types({"y": ["b", "a"]}, {"y": ["b", "a"]})["y"]
    assert isinstance(a, Attribute)
    assert infer_task(["b", "a"], a).classes == ("b", "a")


def test_gaps_are_counted():
    assert infer_task([1.5, None, 2.5, 2.7]).missing == 1
    assert infer_task(["a", None, "b"]).missing == 1


def test_bad_targets_are_refused():
    with pytest.raises(InvalidInput, match="no value in any of its 2 rows"):
        infer_task([None, None])
    with pytest.raises(InvalidInput, match="no value in any of its 0 rows"):
        infer_task([])
    with pytest.raises(InvalidInput, match="column 'b' is not"):
        infer_task({"a": [1, 2], "b": ["x", "y"]})
    with pytest.raises(InvalidInput, match="no columns"):
        infer_task({})
    with pytest.raises(InvalidParameter, match="holds text"):
        infer_task(["a", "b"], "ratio")
    with pytest.raises(InvalidParameter, match="attribute_type must be one of"):
        infer_task([1, 2], "metric")


@pytest.mark.parametrize("y", [[1, 1, 1], [0.5, 0.5], ["a", "a", None], [True, True], [0] * 30])
def test_one_value_is_no_task(y):
    found = infer_task(y)
    assert found.name == "constant"
    assert "nothing to predict" in found.why
    assert not found.is_classification
    assert not found.is_regression
    assert infer_task([1, 0, 1]).name == "binary"
