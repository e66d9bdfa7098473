"""What the texts claim about the selection of features: D = DTU notes, claims 42 and 43.

The tables are those of the conformance cases.
"""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.evaluation import select_features
from suffice.linear import LinearRegression

CASES = tomllib.loads(
    (Path(__file__).parents[1] / "conformance" / "dtu_10_selection.toml").read_text("utf-8")
)
TABLES = {case["id"]: case["inputs"]["errors"] for case in CASES["case"] if "errors" in case["inputs"]}
WALKS = ("forward", "backward")


def bound(m):
    return m * (m + 1) // 2 + 1


@pytest.mark.parametrize("name", TABLES)
def test_walks_differ_and_forward_misses_the_best(name):  # D42
    forward, backward = (select_features(TABLES[name], direction=d) for d in WALKS)
    best = select_features(TABLES[name], direction="exhaustive")
    assert forward.selected != backward.selected
    assert forward.error > best.error
    assert backward.error < forward.error  # in all four tables of the text


def test_backward_may_miss_the_best_too():  # D42
    # alone, the first column is best; beside the others it does harm, but less than leaving out any of them
    errors = {"": 1.0, "1": 0.2, "2": 0.9, "3": 0.9, "12": 0.8, "13": 0.8, "23": 0.4, "123": 0.5}
    found = select_features(errors, direction="backward")
    assert found.selected == ("2", "3")
    assert select_features(errors, direction="exhaustive").selected == ("1",)
    assert select_features(errors).selected == ("1",)


@given(st.integers(1, 6), st.integers(0, 2**31))
def test_walks_never_look_at_more_than_half_of_m_times_m_plus_one_plus_one(m, seed):  # D43
    rng = np.random.default_rng(seed)
    errors = {s: rng.uniform() for size in range(m + 1) for s in combinations(range(m), size)}
    for direction in WALKS:
        for size in (None, *range(m + 1)):
            found = select_features(errors, direction=direction, n_features=size)
            assert len(found.tried) == len(found.evaluated) <= bound(m)  # none is judged twice
        far = m if direction == "forward" else 0
        assert len(select_features(errors, direction=direction, n_features=far).tried) == bound(m)


def test_a_selection_ends_where_no_single_change_helps():  # D42
    rng = np.random.default_rng(3)
    X = rng.standard_normal((80, 6))
    y = X[:, 0] + X[:, 1] + 0.4 * X[:, 5] + rng.standard_normal(80)
    every = select_features(LinearRegression(), X, y, "exhaustive").evaluated
    for direction, sign in zip(WALKS, (1, -1), strict=True):
        found = select_features(LinearRegression(), X, y, direction)
        near = [s for s in every if len(s) - len(found.selected) == sign]
        near = [s for s in near if len(set(s) ^ set(found.selected)) == 1]
        assert all(every[s] >= found.error * (1 - 1e-9) for s in near)
        assert np.all(np.diff(found.errors) < 0)


@pytest.mark.slow
def test_twenty_columns_have_more_than_a_million_subsets():  # D43, §10.2
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 20))
    y = X[:, :3] @ [2.0, -1.0, 1.0] + rng.standard_normal(400)
    best = select_features(LinearRegression(), X, y, "exhaustive", 2)
    assert len(best.tried) == 2**20 == 1_048_576
    for direction in WALKS:
        found = select_features(LinearRegression(), X, y, direction, 2)
        assert len(found.tried) <= 211
        assert found.error >= best.error * (1 - 1e-9)
        row = np.flatnonzero((best.tried == found.support).all(axis=1))
        np.testing.assert_allclose(best.tried_errors[row], found.error, rtol=1e-9)
