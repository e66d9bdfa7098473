"""How far the conclusion carries: the learning curve, and what another seed, other folds, fewer rows or priors do."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression as SkLinear
from sklearn.linear_model import Ridge as SkRidge
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.errors import InvalidInput
from suffice.study.numbers import number
from suffice.study.steps import learning, sensitivity
from suffice.study.steps.chosen import chosen_section
from suffice.study.steps.learning import learning_section
from suffice.study.steps.outliers import leave_out_rows, outliers
from suffice.study.steps.sensitivity import sensitivity_section
from suffice.study.steps.settled import fix_parameters, most_chosen, prior_value

from .stages import Stage
from .test_chosen import table

pytestmark = pytest.mark.slow


def changed(s):
    return sensitivity_section(s.trials, s.comparison, s.problem, s.options)


def kinds(found):
    return [c.kind for c in found.changes]


@pytest.fixture(scope="module")
def regression() -> Stage:
    return Stage(table("regression"), models=["linear", "ridge"])


# -- every change ----------------------------------------------------------------------------------------------
def test_a_clear_conclusion_stands(regression):
    found = changed(regression)
    assert kinds(found)[:5] == ["seed"] * 3 + ["folds"] * 2
    assert all(c.holds for c in found.changes)
    assert found.sentences[0].startswith(f"The conclusion stood in all {len(found.changes)} changes.")
    assert found.models[0] == "Mean"
    assert len(found.models) == 3


def test_other_seeds_and_folds_are_those_of_scikit_learn():
    """The loss of the chosen model in each change, from another program on the same folds."""
    s = Stage(table("regression"), models=["linear"])
    y, Z = s.problem.y, s.problem.Z
    expected = {"with seed 1": (5, 1), "with seed 3": (5, 3), "with 3 folds instead of 5": (3, 0)}
    found = {c.what: c for c in changed(s).changes}
    for what, (k, seed) in expected.items():
        folds = KFold(k, shuffle=True, random_state=seed)
        loss = np.mean((y - cross_val_predict(SkLinear(), Z, y, cv=folds)) ** 2)
        assert found[what].estimate == pytest.approx(loss, rel=1e-9)
        mean = np.concatenate([np.full(len(b), y[a].mean()) - y[b] for a, b in folds.split(Z)])
        assert found[what].gain == pytest.approx(1 - loss / np.mean(mean**2), rel=1e-9)


def test_noise_stays_noise():
    rng = np.random.default_rng(0)
    s = Stage(
        {"x": rng.normal(size=150), "z": rng.normal(size=150), "y": rng.normal(size=150)}, models=["linear"]
    )
    assert not s.comparison.proven
    found = changed(s)
    assert all(c.holds for c in found.changes)
    assert any("as before" in c.sentence for c in found.changes)


def test_wild_rows_that_hide_a_model_are_told():
    """Ten errors of the size 60 drown a slope of one; without them it is plain to see."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=300)
    y = x + rng.normal(size=300)
    y[:10] += 60 * np.tile([1, -1], 5)
    s = Stage({"x": x, "y": y}, models=["linear"])
    assert not s.comparison.proven
    found = changed(s)
    (cut,) = [c for c in found.changes if c.kind == "outliers"]
    assert not cut.holds
    assert cut.what.startswith("without 10 of 300 rows")
    assert cut.gain == pytest.approx(0.5, abs=0.1)  # half of the variance is the slope's
    assert "known to beat the baseline, which no model was before" in cut.sentence
    assert cut.what in found.sentences[0]


def test_ten_times_the_penalty_is_validated_as_such():
    """The loss of ridge regression at ten times the penalty of the model handed over, from another program."""
    s = Stage(table("regression"), models=["ridge"])
    params = chosen_section(*s.given)[1].params
    value = prior_value(s.of("ridge"), s.problem, params)
    assert value == params["alpha"] != most_chosen(s.of("ridge"))["alpha"]
    priors = [c for c in changed(s).changes if c.kind == "prior"]
    assert number(10 * value) in priors[0].what
    given = sensitivity_section(s.trials, s.comparison, s.problem, s.options, params)
    assert given.changes == changed(s).changes
    assert ["ten times" in c.what for c in priors] == [True, False]
    assert all("penalty" in c.what for c in priors)
    standard = make_pipeline(StandardScaler(), SkRidge(10 * value))
    predicted = cross_val_predict(standard, s.problem.Z, s.problem.y, cv=s.problem.splits)
    assert priors[0].estimate == pytest.approx(np.mean((s.problem.y - predicted) ** 2), rel=1e-6)


def test_a_prior_found_by_evidence_is_fixed_near_it():
    s = Stage(table("regression"), models=["bayesian"])
    model = s.of("bayesian").candidate.tried(s.problem).fit(s.problem.Z, s.problem.y)
    assert prior_value(s.of("bayesian"), s.problem) == pytest.approx(model.prior_precision_, rel=1e-9)
    found = [c for c in changed(s).changes if c.kind == "prior"]
    assert len(found) == 2
    assert all(c.holds for c in found)


def test_a_search_by_passes_is_not_repeated():
    s = Stage(table("binary", n=200), models=["bayesian-logistic"], folds=3)
    t = s.of("bayesian-logistic")
    assert fix_parameters(t, s.problem).prior_precision == pytest.approx(prior_value(t, s.problem), rel=1e-12)


@pytest.mark.parametrize("task", ["counts", "binary", "multi-class"])
@pytest.mark.parametrize("options", [{}, {"weights": "w"}, {"group": "h"}, {"time": "t"}], ids=str)
def test_every_task_with_every_option(task, options):
    n = 240
    more = {"w": np.arange(n) % 3 + 1.0, "h": np.arange(n) // 8, "t": np.arange(n)}
    models = {"counts": ["poisson"], "binary": ["lda"], "multi-class": ["lda"]}[task]
    kept = {k: v for k, v in more.items() if k in options.values()}
    s = Stage(table(task, n=n) | kept, models=models, folds=3, inner=3, effort="quick", **options)
    found = changed(s)
    assert ("seed" in kinds(found)) is ("time" not in options)
    assert "folds" in kinds(found)
    assert all(np.isfinite([c.estimate, c.gain]).all() for c in found.changes)
    curve = learning_section(*s.given)
    assert len(curve.sizes) == len(curve.test) > 0
    assert np.isfinite(curve.test[-1])


def test_a_change_that_fails_is_told(regression, monkeypatch):
    def broken(*args, **kwargs):
        raise InvalidInput("no such folds")

    monkeypatch.setattr(sensitivity, "validate_entries", broken)
    found = changed(regression)
    assert found.changes == ()
    assert "open" in found.sentences[0]
    assert any("could not be tried: no such folds" in said for said in found.sentences)


def test_a_best_that_is_the_baseline():
    rng = np.random.default_rng(3)
    s = Stage({"x": rng.normal(size=120), "y": rng.normal(size=120)}, models=["linear"])
    as_if = replace(s.comparison, best="mean", proven=False)
    found = sensitivity_section(s.trials, as_if, s.problem, s.options)
    assert all(c.gain >= 0 for c in found.changes)
    assert "prior" not in kinds(found)
    assert all(c.holds for c in found.changes)
    assert "nothing is known to beat the baseline, as before" in found.changes[0].sentence


def test_a_row_shows_the_loss_of_the_model_that_it_names():
    """Ridge with ten times the penalty loses to least squares: the row names that, with its loss."""
    s = Stage(table("regression"), models=["linear", "ridge"])
    as_if = replace(s.comparison, best="ridge")
    found = sensitivity_section(s.trials, as_if, s.problem, s.options, {"alpha": 100.0})
    ten = next(c for c in found.changes if "ten times" in c.what)
    assert ten.best == "linear"
    assert ten.estimate == pytest.approx(s.of("linear").validation.estimate, rel=1e-12)
    assert ten.gain == pytest.approx(1 - ten.estimate / s.of("mean").validation.estimate, rel=1e-12)
    assert "Ridge regression saves" in ten.sentence
    assert "Linear regression is known to do better" in ten.sentence


def wild():
    """A slope of one, and ten rows that hide it from least squares, some far out in x too."""
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, 300))
    y = x + rng.normal(size=300)
    y[:10] += 6000 * np.tile([1, -1], 5)
    return {"x": x, "z": z, "y": y}


def test_models_that_outliers_hid_are_tried_again():
    s = Stage(wild(), models=["linear", "ridge", "lasso", "bayesian"])
    assert not s.comparison.proven
    found = changed(s)
    (cut,) = [c for c in found.changes if c.kind == "outliers"]
    assert not cut.holds
    assert "Linear regression" in cut.sentence
    assert "known to beat the baseline, which no model was before" in cut.sentence
    (again,) = [said for said in found.sentences if said.startswith("Validated again")]
    assert "without the outliers also" in again
    assert all(t.candidate.title in again for t in s.trials)


def test_what_beats_the_baseline_gets_the_credit():
    """The best of the study is far worse than the baseline without the outliers, and another model beats it."""
    c = Stage(wild(), models=["linear", "ridge"]).comparison
    as_if, titles = replace(c, best="ridge", proven=False), {"mean": "Mean", "linear": "L", "ridge": "R"}
    said = sensitivity._describe_change(as_if, titles, "linear", -37329.249, False, ["linear"], ["linear"])
    assert said == "L is known to beat the baseline, which no model was before."
    said = sensitivity._describe_change(as_if, titles, "mean", -37329.249, True, [], [])
    assert said == "R does worse than the baseline, and nothing is known to beat the baseline, as before."
    assert sensitivity._range("R", [-37329.249, 0.0, 0.2]) == (
        "R did worse than the baseline in 1 of them, and saved up to 20.0\u202f% of its loss in the others."
    )
    assert sensitivity._saved("R", -0.05) == "R does worse than the baseline, by 5.0\u202f% of its loss"


# -- outliers ---------------------------------------------------------------------------------------------------
def test_outliers_are_far_in_robust_deviations():
    t = table("regression")
    t["y"][[3, 77]] += [40, -40]
    s = Stage(t, models=["linear"], folds=3)
    far, rule = outliers(s.of("linear"), s.problem)
    error = s.problem.y - s.of("linear").validation.predictions
    error = error - np.median(error)
    np.testing.assert_array_equal(far, np.abs(error) > 5 * 1.4826 * np.median(np.abs(error)))
    assert {3, 77} <= set(s.problem.rows[far])
    assert "5 robust" in rule


def test_never_more_than_a_twentieth_are_left_out():
    rng = np.random.default_rng(4)
    s = Stage({"x": rng.normal(size=300), "y": rng.standard_cauchy(size=300)}, models=["linear"], folds=3)
    far, rule = outliers(s.of("linear"), s.problem)
    assert far.sum() == 15
    assert "only the worst 5 %" in rule


def test_classes_that_were_held_for_impossible():
    t = table("binary")
    order = np.argsort(t["p"] + 0.4 * t["q"])
    t["y"][order[-1]], t["y"][order[0]] = "no", "yes"
    s = Stage(t, models=["lda"], folds=3)
    far, _ = outliers(s.of("lda"), s.problem)
    own = s.of("lda").validation.probabilities[np.arange(500), (s.problem.y == "yes").astype(int)]
    np.testing.assert_array_equal(far, own < 0.01)


def test_rows_that_stay_keep_their_fold(regression):
    p, out = regression.problem, np.zeros(500, dtype=bool)
    out[[0, 10, 499]] = True
    small = leave_out_rows(p, out)
    kept = np.flatnonzero(~out)
    for (_, before), (train, test) in zip(p.splits, small.splits, strict=True):
        np.testing.assert_array_equal(np.sort(kept[test]), np.setdiff1d(before, np.flatnonzero(out)))
        assert len(np.union1d(train, test)) == small.n == 497
    np.testing.assert_array_equal(small.y, p.y[kept])


# -- the learning curve -----------------------------------------------------------------------------------------
def test_the_curve_ends_at_the_validated_loss():
    s = Stage(table("regression"), models=["linear"])
    curve = learning_section(*s.given)
    assert curve.sizes[-1] == 400
    assert curve.test[-1] == pytest.approx(s.of("linear").validation.estimate, rel=1e-9)
    assert curve.baseline == pytest.approx(s.of("mean").validation.estimate, rel=1e-9)


def test_in_time_the_latest_rows_come_first():
    s = Stage(table("regression") | {"t": np.arange(500)}, models=["linear"], time="t")
    splits, shuffle = learning.growing(s.problem, s.options)
    assert not shuffle
    assert len(splits) == 3
    for train, test in splits:
        assert np.all(np.diff(train) == -1)
        assert train[0] == test[0] - 1
    assert learning_section(*s.given).sizes[-1] == min(len(train) for train, _ in splits)


def test_a_curve_that_cannot_be_made_says_why(regression, monkeypatch):
    def broken(*args, **kwargs):
        raise InvalidInput("too few rows")

    monkeypatch.setattr(learning, "learning_curve", broken)
    curve = learning_section(*regression.given)
    assert curve.diagnosis == "unclear"
    assert "too few rows" in curve.sentence
    assert len(curve.sizes) == 0


def test_few_rows_make_a_curve_or_a_reason():
    rng = np.random.default_rng(6)
    s = Stage({"x": rng.normal(size=10), "y": rng.normal(size=10)}, models=["linear"], folds=3, inner=3)
    assert learning_section(*s.given).sentence
    assert changed(s).sentences


def test_a_saving_that_rounds_to_nothing_is_none():
    assert sensitivity._saved("R", 1e-5) == "R does as well as the baseline"
    assert sensitivity._range("R", [-0.1, 1e-5]) == (
        "R did worse than the baseline in 1 of them, and no better in the others."
    )
