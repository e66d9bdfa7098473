"""Fits that a study makes again: quick ones, with the same predictions; and models of classes that stay sane."""

import numpy as np
import pytest

from suffice.study.models import chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps.settled import fix_parameters, most_chosen
from suffice.study.steps.validate import validate_candidate


def tried(name, p):
    (candidate,) = [c for c in chosen_candidates(p, [name], False)[0] if c.name == name]
    return validate_candidate(candidate, p, Options("label"))


def table(n=120):
    """Three classes; 'code' has a level that one of them has once in the whole table."""
    rng = np.random.default_rng(0)
    label = np.array(["a", "b", "c"], dtype=object)[np.arange(n) % 3]
    code = np.where(label == "b", 0.0, rng.integers(0, 2, n))
    code[np.flatnonzero(label == "b")[0]] = 1.0
    return {"size": rng.normal(size=n) + 2 * (label == "a"), "code": code, "label": label}


def test_a_covariance_that_nobody_reads_is_left_out():
    p = make_problem(read(table()), Options("label"))
    trial = tried("logistic", p)
    model = fix_parameters(trial, p)
    assert model.covariance is False
    assert model.prior_precision == most_chosen(trial)["prior_precision"]
    whole = trial.candidate.tried(p).set_params(**most_chosen(trial)).fit(p.Z, p.y)
    np.testing.assert_allclose(model.fit(p.Z, p.y).predict_proba(p.Z), whole.predict_proba(p.Z), rtol=1e-6)
    assert fix_parameters(tried("qda", p), p).covariance == "full"  # another word for another thing


@pytest.mark.parametrize("name", ["lda", "qda", "gaussian-nb"])
def test_a_value_that_a_class_had_only_once_costs_what_can_be_told(name):
    """In the fold that tests it, the column does not vary in the class; the loss was 10⁶ and more."""
    p = make_problem(read(table()), Options("label"))
    trial = tried(name, p)
    assert trial.validation.losses.max() < 100
    assert trial.validation.estimate < 2
