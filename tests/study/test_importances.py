"""Shuffled columns: against the closed form, against scikit-learn, and what is said about them."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression as SkLinear

from suffice.study.steps import importances
from suffice.study.steps.chosen import chosen_section
from suffice.study.steps.importances import importances_of

from .stages import Stage

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def linear() -> Stage:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 4)) * [1.0, 2.0, 0.5, 1.0]
    y = X @ [1.0, -1.5, 2.0, 0.0] + rng.normal(size=4000)
    return Stage(
        {name: X[:, j] for j, name in enumerate("abcn")} | {"y": y}, models=["linear"], effort="thorough"
    )


def by_name(found):
    return {name: (found.estimate[j], found.low[j], found.high[j]) for j, name in enumerate(found.term)}


def test_least_squares_grows_by_twice_the_squared_effect(linear):
    found = by_name(importances_of(*linear.given, None))
    for name, w, std in (("a", 1.0, 1.0), ("b", -1.5, 2.0), ("c", 2.0, 0.5)):
        # The weight, the variance of 4,000 rows and the shuffles are off by 2 % together; this is four times that.
        assert found[name][0] == pytest.approx(2 * w**2 * std**2, rel=0.08)
    assert found["n"][1] <= 0 <= found["n"][2]


def test_the_largest_comes_first(linear):
    found = importances_of(*linear.given, None)
    assert found.term[:3] == ("b", "a", "c") or found.term[:3] == ("b", "c", "a")
    assert np.all(np.diff(found.estimate) <= 0)
    assert "'b'" in found.sentence
    assert "1 of 4 columns the growth may be chance" in found.sentence


def test_agrees_with_scikit_learn_fold_by_fold(linear):
    """The same folds, another program and other shuffles."""
    p, ours = linear.problem, by_name(importances_of(*linear.given, None))
    theirs = np.mean(
        [
            permutation_importance(
                SkLinear().fit(p.Z[train], p.y[train]),
                p.Z[test],
                p.y[test],
                scoring="neg_mean_squared_error",
                n_repeats=10,
                random_state=1,
            ).importances_mean
            for train, test in p.splits
        ],
        axis=0,
    )
    for name, value in zip(p.names, theirs, strict=True):
        # One shuffle of 400 rows is off by √2/√400 = 7 %, 10 repeats of 10 folds by 0.7 %, the difference by 1 %.
        assert ours[name][0] == pytest.approx(value, rel=0.04, abs=2e-3)


def test_is_the_mean_over_all_permutations(linear):
    """Given the fits, it is known exactly: 2w² var(x) + 2w cov(x, residual) in the test rows, averaged over folds."""
    p, exact = linear.problem, np.zeros(4)
    for train, test in p.splits:
        peer, Z = SkLinear().fit(p.Z[train], p.y[train]), p.Z[test]
        residual = p.y[test] - peer.predict(Z)
        together = ((Z - Z.mean(axis=0)) * (residual - residual.mean())[:, None]).mean(axis=0)
        exact += (2 * peer.coef_**2 * Z.var(axis=0) + 2 * peer.coef_ * together) / len(p.splits)
    seeds = [
        by_name(importances_of(*linear.given[:2], replace(linear.options, seed=k), None)) for k in range(4)
    ]
    for name, value in zip(p.names, exact, strict=True):
        mean = np.mean([found[name][0] for found in seeds])
        assert mean == pytest.approx(value, rel=0.015, abs=4e-4)  # four standard errors: 0.7 %/√4 each


def test_repeats_itself_with_the_seed(linear):
    first, again = (importances_of(*linear.given, None) for _ in range(2))
    np.testing.assert_array_equal(first.estimate, again.estimate)


def test_all_numbers_of_a_column_move_together():
    """A category of three levels is one entry, and grows by the variance between shuffled levels."""
    rng = np.random.default_rng(1)
    g = rng.integers(0, 3, 3000)
    y = np.array([0.0, 2.0, 5.0])[g] + rng.normal(size=3000)
    s = Stage(
        {"g": np.array(["u", "v", "w"], dtype=object)[g], "x": rng.normal(size=3000), "y": y},
        models=["linear"],
    )
    found = by_name(importances_of(*s.given, None))
    assert set(found) == {"g", "x"}
    levels = np.array([0.0, 2.0, 5.0])[g]
    assert found["g"][0] == pytest.approx(2 * levels.var(), rel=0.08)


def test_a_row_of_weight_two_is_two_rows():
    """The weighted growth is the one of the table with its rows repeated, in expectation."""
    rng = np.random.default_rng(2)
    n = 3000
    x = rng.normal(size=n)
    w = np.where(x > 0, 3.0, 1.0)
    y = 2 * x + rng.normal(size=n)
    s = Stage(
        {"x": x, "z": rng.normal(size=n), "y": y, "w": w}, models=["linear"], weights="w", effort="thorough"
    )
    mean = np.average(x, weights=w)
    var = np.average((x - mean) ** 2, weights=w)
    assert by_name(importances_of(*s.given, None))["x"][0] == pytest.approx(2 * 4 * var, rel=0.08)


@pytest.mark.parametrize("models", [["ridge"], ["quadratic"]])
def test_many_columns_are_screened_and_counted(models, monkeypatch):
    """By weights where there are some, else by correlation; the columns that matter are kept."""
    monkeypatch.setattr(importances, "MOST_COLUMNS", 5)
    rng = np.random.default_rng(3)
    X = rng.normal(size=(600, 9))
    table = {f"x{j}": X[:, j] for j in range(9)} | {"y": 2 * X[:, 7] - X[:, 2] + rng.normal(size=600)}
    s = Stage(table, models=models)
    found = chosen_section(*s.given)[1].importances
    assert len(found.term) == 5
    assert found.left_out == 4
    assert found.term[:2] == ("x7", "x2")
    assert "4 columns that seem to matter least were not tried" in found.sentence


def test_the_baseline_has_none():
    rng = np.random.default_rng(11)
    s = Stage({"x": rng.normal(size=60), "y": rng.normal(size=60)}, models=["linear"])
    chosen = chosen_section(s.of("mean"), s.problem, s.options)[1]
    assert chosen.importances is None
    assert chosen.weights is None
    assert "no column of the table has a part in it" in chosen.sentences[0]


def test_classes_grow_in_log_loss():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(800, 2))
    y = np.where(2 * X[:, 0] + rng.logistic(size=800) > 0, "yes", "no").astype(object)
    s = Stage({"a": X[:, 0], "n": X[:, 1], "y": y}, models=["lda"])
    found = importances_of(*s.given, None)
    assert found.loss == "log"
    assert found.term == ("a", "n")
    assert found.low[0] > 0
    assert found.low[1] <= 0 <= found.high[1]


@pytest.mark.slow
def test_intervals_of_a_useless_column_cover_zero():
    """30 tables at 95 %: four misses or fewer have probability 0.98; the correlated t errs to the safe side."""
    misses = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(200, 2))
        s = Stage(
            {"a": X[:, 0], "n": X[:, 1], "y": X[:, 0] + rng.normal(size=200)}, models=["linear"], seed=seed
        )
        _, low, high = by_name(importances_of(*s.given, None))["n"]
        misses += not low <= 0 <= high
    assert misses <= 4
