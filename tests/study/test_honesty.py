"""What a study must not say: on noise, that something was found; on a leak, nothing about it."""

import re

import numpy as np
import pytest

from suffice.study import Study
from suffice.study.examples import example
from suffice.study.models import chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps import words
from suffice.study.steps.compare import comparison_section
from suffice.study.steps.validate import validate_candidate

from .stages import Stage

pytestmark = pytest.mark.slow

ROWS, FEW = 200, 12
LINES = {"number": ["linear", "ridge", "bayesian"], "label": ["logistic", "lda", "gaussian-nb"]}


def noise(seed, target, n=ROWS):
    """Ten columns of all kinds that know nothing of the target."""
    rng = np.random.default_rng(seed)
    table = {f"x{j}": rng.normal(size=n) for j in range(6)}
    table |= {
        "city": rng.choice(["Bonn", "Lima", "Oslo"], n).astype(object),
        "flag": rng.random(n) < 0.4,
        "visits": rng.poisson(3.0, n),
        "gaps": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
    }
    label = rng.choice(["no", "yes"], n, p=[0.6, 0.4]).astype(object)
    return table | {"y": rng.normal(size=n) if target == "number" else label}


def found_something(seed, target, **given):
    """Whether the answer claims anything; of the study, only what leads to it is run."""
    options = Options("y", seed=seed, **given)
    problem = make_problem(read(noise(seed, target)), options)
    candidates, _ = chosen_candidates(problem, options.models, options.amount.references)
    found, _ = comparison_section(
        [validate_candidate(c, problem, options) for c in candidates], problem, options
    )
    headline = words.answer("y", found).headline
    return not headline.startswith("None of the models is known to predict y better")


@pytest.mark.slow
@pytest.mark.parametrize("target", ["number", "label"])
def test_noise_is_called_noise(target):
    """At most 5 % of tables may be called otherwise; more than two of twelve has a chance of 2 %."""
    options = {"models": LINES[target], "references": False, "effort": "quick"}
    assert sum(found_something(seed, target, **options) for seed in range(FEW)) <= 2


@pytest.mark.long
@pytest.mark.parametrize("target", ["number", "label"])
def test_noise_is_called_noise_in_95_of_100_tables(target):
    assert sum(found_something(seed, target) for seed in range(100)) <= 5


@pytest.mark.parametrize("target", ["number", "label"])
def test_a_strong_signal_is_found(target):
    table = noise(0, target)
    score = 2 * table["x0"] + (table["city"] == "Oslo")
    table["y"] = score if target == "number" else np.where(score > 0.5, "yes", "no").astype(object)
    flips = np.random.default_rng(1).normal(size=ROWS)
    table["y"] = (
        table["y"] + flips if target == "number" else np.where(flips > 1.6, "no", table["y"]).astype(object)
    )
    answer = Study(table, "y", models=LINES[target], references=False, effort="quick").run().answer
    assert "None of" not in answer.headline
    assert "which is more than chance (95\u202f% interval" in answer.sentences[0]
    assert f"p < 0.001, counted over {ROWS} rows)." in answer.sentences[0]


@pytest.mark.parametrize("target", ["number", "label"])
def test_a_leaking_column_is_warned_of_in_the_answer(target):
    table = noise(3, target)
    table["paid back"] = (
        2.5 * table["y"] + 1 if target == "number" else np.where(table["y"] == "yes", 1.0, 0.0)
    )
    options = {"models": LINES[target][:1], "references": False, "effort": "quick"}
    answer = Study(table, "y", **options).run().answer
    assert any(s.startswith("Column 'paid back' determines y") for s in answer.sentences)
    assert 1 + len(answer.sentences) <= 3
    assert not any(
        "determines" in s for s in Study(table, "y", ignore=["paid back"], **options).run().answer.sentences
    )


# -- rows that are not independent ------------------------------------------------------------------------
def walks(seed, n=150):
    """Random walks that know nothing of each other."""
    rng = np.random.default_rng(1000 + seed)
    table = {f"x{j}": np.cumsum(rng.normal(size=n)) for j in range(6)}
    return table | {"day": np.arange(n), "y": np.cumsum(rng.normal(size=n))}


def test_independent_random_walks_are_seldom_a_find():
    """Row by row, about half of them were."""
    options = {"models": ["linear", "ridge", "lasso"], "time": "day", "effort": "quick"}
    assert sum(Stage(walks(seed), **options).comparison.proven for seed in range(12)) <= 2


def test_a_signal_in_time_is_found_and_told_as_one_over_time():
    table, options = example("power").table, example("power").options
    found = Stage(table, options["target"], ["linear"], time=options["time"], effort="quick").comparison
    assert found.proven
    assert found.unit == "stretches"
    said = words.answer("demand", found).sentences[0]
    assert re.search(r"more than chance \(.*, counted over \d+ rows in \d+ independent stretches\)", said)


def test_copies_of_noise_are_no_find():
    rng = np.random.default_rng(0)
    table = {f"x{j}": np.repeat(rng.normal(size=100), 3) for j in range(60)}
    stage = Stage(
        table | {"y": np.repeat(rng.normal(size=100), 3)}, models=["linear", "ridge"], effort="quick"
    )
    assert not stage.comparison.proven
    assert stage.comparison.unit == "groups"
    assert stage.comparison.counted == "100 different rows"
    assert "Rows that are equal in all columns are alike" in stage.comparison.why
    assert any(
        "200 of 300 rows equal an earlier one in all features;" in said for said in stage.problem.remarks
    )
    for train, test in stage.problem.splits:
        assert not set(stage.problem.y[train]) & set(stage.problem.y[test])


def test_columns_that_add_up_to_the_target_are_warned_of():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 90))
    found = Stage({"a": a, "b": b, "y": a + b}, models=["linear"], effort="quick").comparison
    assert (
        words.answer("y", found).sentences[1].startswith("Hardly any error is left: columns may determine y")
    )
