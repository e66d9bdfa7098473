"""What is said beside weights: classes without an overlap, levels of one kind, and penalties that pull."""

import numpy as np
import pytest

from suffice.study.models import CANDIDATES
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps.certainty import certainty


def said(table, name, **settings):
    options = Options("y")
    problem = make_problem(read(table), options)
    candidate = next(c for c in CANDIDATES if c.name == name)
    model = candidate.tried(problem).set_params(**settings).fit(problem.Z, problem.y)
    return " ".join(certainty(candidate, model, problem, options).sentences)


def classes(apart, n=120, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.5
    x = rng.uniform(0, 1, n) + (apart * y)
    return {"x": x, "z": rng.normal(size=n), "y": np.where(y, "yes", "no").astype(object)}


@pytest.mark.parametrize("name", ["logistic", "probit", "bayesian-logistic"])
def test_separated_classes_name_the_column(name):
    settings = {"prior_precision": 0.1}
    found = said(classes(1.5), name, **settings)
    assert "In these 120 rows the classes are separated by 'x' alone without an error" in found
    assert "separated" not in said(classes(0.5), name, **settings)


def test_several_columns_may_separate_together():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (200, 2))
    line = X.sum(axis=1)
    X = X[np.abs(line) > 0.3]
    t = {"a": X[:, 0], "b": X[:, 1], "y": np.where(X.sum(axis=1) > 0, "yes", "no").astype(object)}
    assert "separated by the columns together" in said(t, "logistic", prior_precision=0.01)


def test_a_level_of_one_class_is_named():
    t = classes(0.5)
    level = np.where(t["y"] == "no", "a", np.where(np.arange(120) % 3, "a", "b")).astype(object)
    found = said({**t, "level": level}, "logistic", prior_precision=1.0)
    rows = int(np.sum(level == "b"))
    assert f"Where 'level = b' holds ({rows} rows), all are 'yes'" in found
    assert "sizes and intervals say little" in found


def test_a_level_without_counts_is_named():
    rng = np.random.default_rng(0)
    level = rng.choice(["a", "b", "c"], 200).astype(object)
    y = np.where(level == "b", 0, rng.poisson(9.0, 200))
    found = said({"level": level, "x": rng.normal(size=200), "y": y}, "poisson", prior_precision=0.1)
    assert "Where 'level = b' holds" in found
    assert "all are '0'" in found


@pytest.mark.parametrize(("precision", "told"), [(0.001, False), (30.0, True)])
def test_a_penalty_that_pulls_is_said(precision, told):
    found = said(classes(0.5), "logistic", prior_precision=precision)
    assert ("standard errors of a penalized model leave out the bias" in found) == told
