"""What a study must not say: on noise, that something was found; on a leak, nothing about it."""

import numpy as np
import pytest

from suffice.study import Study
from suffice.study.models import chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps import words
from suffice.study.steps.compare import comparison_section
from suffice.study.steps.validate import attempt

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
    found = comparison_section([attempt(c, problem, options) for c in candidates], problem, options)
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
    assert "more than chance (p < 0.001)" in answer.sentences[0]


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
