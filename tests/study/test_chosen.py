"""The chosen model on all rows: its effects against differences of predictions, and its sentences."""

import numpy as np
import pytest
from scipy import stats

from suffice.study.models import chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.sections import Estimates
from suffice.study.steps.certainty import certainty
from suffice.study.steps.chosen import chosen_section
from suffice.study.steps.effects import effect_sentences, effects_of, name_terms

from .stages import Stage

pytestmark = pytest.mark.slow


def table(task, n=500, seed=0):
    """Three numbers, a category, and a target that hangs on two of them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * [1.0, 3.0, 0.2]
    g = rng.choice(["u", "v"], n).astype(object)
    line = X @ [1.0, 0.4, 0.0] + (g == "u")
    y = {
        "regression": line + rng.normal(size=n),
        "counts": rng.poisson(np.exp(0.4 * line)),
        "binary": np.where(line + rng.logistic(size=n) > 0, "yes", "no").astype(object),
        "multi-class": np.array(["a", "b", "c"], dtype=object)[
            np.digitize(line + rng.normal(size=n), [-1, 1])
        ],
    }[task]
    return {"p": X[:, 0], "q": X[:, 1], "r": X[:, 2], "g": g, "y": y}


def raw_score(model, Z, link):
    """The linear part, from predictions alone."""
    if link == "identity":
        return np.asarray(model.predict(Z))
    if link == "log":
        return np.log(model.predict(Z))
    P = model.predict_proba(Z)
    return np.log(P[:, 1] / P[:, 0])


@pytest.mark.parametrize(
    ("task", "name", "link"),
    [
        ("regression", "linear", "identity"),
        ("regression", "ridge", "identity"),
        ("regression", "lasso", "identity"),
        ("regression", "bayesian", "identity"),
        ("regression", "ard", "identity"),
        ("counts", "poisson", "log"),
        ("binary", "logistic", "logit"),
    ],
)
def test_effects_are_differences_of_predictions(task, name, link):
    """One standard deviation more in one column changes the linear part by its effect."""
    s = Stage(table(task), models=[name], folds=3, inner=3)
    model, chosen = chosen_section(s.of(name), s.problem, s.options)
    Z = s.problem.Z[:5]
    for j, std in enumerate(s.problem.Z.std(axis=0)):
        moved = Z.copy()
        moved[:, j] += std
        change = raw_score(model.model, moved, link) - raw_score(model.model, Z, link)
        np.testing.assert_allclose(change, chosen.effects.estimate[j], rtol=1e-6, atol=1e-8)
    assert chosen.effects.term == s.problem.names
    assert chosen.weights.term == ("intercept", *s.problem.names)


def test_effects_of_several_classes_are_grouped():
    s = Stage(table("multi-class"), models=["logistic"], folds=3, inner=3)
    model, chosen = chosen_section(*s.given)
    e = chosen.effects
    assert e.group == tuple(k for k in "abc" for _ in s.problem.names)
    assert e.term == s.problem.names * 3
    Z, std = s.problem.Z[:5], s.problem.Z.std(axis=0)
    moved = Z.copy()
    moved[:, 0] += std[0]
    change = np.log(model.model.predict_proba(moved)) - np.log(model.model.predict_proba(Z))
    d = len(std)
    found = [e.estimate[k * d] - e.estimate[0] for k in range(3)]  # log odds against the first class
    np.testing.assert_allclose(change - change[:, :1], np.tile(found, (5, 1)), rtol=1e-6, atol=1e-8)
    assert chosen.effect_on == "the log odds of each class against the average class"


def test_sentences_tell_the_largest_effects_with_their_intervals():
    s = Stage(table("regression"), models=["linear"], folds=3)
    chosen = chosen_section(*s.given)[1]
    j = int(np.argmax(np.abs(chosen.effects.estimate)))
    assert chosen.effects.term[j] == "q"
    assert chosen.sentences[0].startswith("With 'q' higher by one standard deviation, y is higher by 1.")
    assert "interval" in chosen.sentences[0]
    assert any(
        "'g = v' holds, y is lower by" in said or "'g = u' holds, y is higher by" in said
        for said in chosen.sentences
    )
    assert any("associations" in said for said in chosen.sentences)
    assert chosen.effect_on == "y"


def test_logistic_regression_tells_odds_ratios():
    s = Stage(table("binary"), models=["logistic"], folds=3, inner=3)
    chosen = chosen_section(*s.given)[1]
    ratio = np.exp(chosen.effects.estimate[1])
    assert chosen.sentences[0].startswith("With 'q' higher by one standard deviation, the odds of 'yes' are ")
    assert float(chosen.sentences[0].split(" are ")[1].split()[0]) == pytest.approx(ratio, rel=5e-3)


def test_a_model_without_errors_says_so():
    s = Stage(table("regression"), models=["ridge"], folds=3, inner=3)
    chosen = chosen_section(s.of("ridge"), s.problem, s.options)[1]
    assert "This model states no uncertainty for its weights." in chosen.sentences
    assert np.isnan(chosen.weights.low).all()


def test_weights_that_may_be_zero_are_not_told():
    rng = np.random.default_rng(5)
    s = Stage({"x": rng.normal(size=40), "y": rng.normal(size=40)}, models=["linear"], folds=3)
    nothing = Estimates(
        ("intercept", "x"), *(np.array(v) for v in ([0, 0.1], [1, 1.0], [-2, -2.0], [2, 2.0]))
    )
    said = effect_sentences(nothing, nothing.effects(np.ones(1)), "identity", s.problem, 0.95)
    assert said == ("No weight stands out: every 95\u202f% interval of a weight includes zero.",)


def test_names_are_left_where_the_weights_are_not_those_of_the_columns():
    s = Stage(table("regression"), models=["linear"], folds=3)
    odd = Estimates(("a", "b", "c"), *(np.zeros(3) for _ in range(4)))
    assert name_terms(odd, s.problem) is odd


def test_weighted_rows_are_rows_repeated():
    """Weights, and least squares on repeated rows: the same effects and intervals."""
    t = table("regression", n=200)
    w = np.random.default_rng(1).integers(1, 4, 200)
    s = Stage(t | {"w": w.astype(float)}, models=["linear"], weights="w", folds=3)
    found = chosen_section(s.of("linear"), s.problem, s.options)[1].effects
    w = w[s.problem.rows]
    Z, y = np.repeat(s.problem.Z, w, axis=0), np.repeat(s.problem.y, w)
    A = np.column_stack([np.ones(len(Z)), Z])
    weights, rest, _, _ = np.linalg.lstsq(A, y)
    dof = len(y) - A.shape[1]
    error = np.sqrt(rest[0] / dof * np.diag(np.linalg.pinv(A.T @ A)))
    low = weights - stats.t.ppf(0.975, dof) * error
    np.testing.assert_allclose(found.estimate, weights[1:] * Z.std(axis=0), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(found.low, low[1:] * Z.std(axis=0), rtol=1e-8, atol=1e-10)


# -- how sure the weights are ------------------------------------------------------------------------------------
def test_counts_that_scatter_widen_the_intervals():
    """Negative binomial counts of variance 10 times the mean, forty columns of noise: few weights exclude zero."""
    rng = np.random.default_rng(0)
    t = {f"x{j}": rng.normal(size=600) for j in range(40)} | {"y": rng.negative_binomial(0.5, 0.1, 600)}
    s = Stage(t, models=["poisson"], folds=3, inner=3, effort="quick")
    model, chosen = chosen_section(s.of("poisson"), s.problem, s.options)
    e, y, mean = chosen.effects, s.problem.y, model.model.predict(s.problem.Z)
    scatter = np.sum((y - mean) ** 2 / mean) / (600 - 41)
    assert chosen.facts["Dispersion"] == pytest.approx(scatter, rel=1e-9)
    assert scatter > 5
    own = model.model.summary(0.95)
    np.testing.assert_allclose(chosen.weights.std_error, np.sqrt(scatter) * own.std_error, rtol=1e-9)
    np.testing.assert_allclose(
        chosen.weights.high - chosen.weights.low, np.sqrt(scatter) * (own.high - own.low), rtol=1e-9
    )
    assert np.sum((e.low > 0) | (e.high < 0)) <= 4
    assert any("times as much as a Poisson model allows" in said for said in chosen.sentences)


def test_counts_of_a_poisson_law_keep_their_intervals():
    s = Stage(table("counts"), models=["poisson"], folds=3, inner=3)
    model, chosen = chosen_section(s.of("poisson"), s.problem, s.options)
    assert chosen.facts["Dispersion"] == pytest.approx(1, abs=0.2)
    np.testing.assert_allclose(chosen.weights.low, model.model.summary(0.95).low, rtol=1e-12)
    assert not any("Poisson model allows" in said for said in chosen.sentences)


def test_noise_columns_are_seldom_told():
    """Forty tables of twenty columns of noise: a 5 % level for all of them together, so about two tables tell one."""
    told = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        t = {f"x{j}": rng.normal(size=120) for j in range(20)} | {"y": rng.normal(size=120)}
        options = Options("y", models=["linear"], references=False)
        problem = make_problem(read(t, 0), options)
        linear = next(c for c in chosen_candidates(problem, ["linear"], False)[0] if c.name == "linear")
        sure = certainty(linear, linear.build().fit(problem.Z, problem.y), problem, options)
        effects, strict = effects_of(sure.weights, problem), effects_of(sure.strict, problem)
        said = effect_sentences(sure.weights, effects, "identity", problem, 0.95, strict)
        told += said[0].startswith("With")
        assert said[0].startswith("With") or "corrected for the number of weights (20)" in said[0]
    assert told <= 6  # the chance of more is 0.3 %


def test_levels_are_compared_with_one_by_name():
    rng = np.random.default_rng(1)
    c = rng.choice(["red", "green", "blue"], 400, p=[0.2, 0.5, 0.3]).astype(object)
    s = Stage({"c": c, "y": 3.0 * (c == "red") + rng.normal(size=400)}, models=["linear"], folds=3)
    chosen = chosen_section(*s.given)[1]
    assert chosen.sentences[0].startswith("Where 'c = red' holds, y is higher by ")
    assert ", compared with 'c = green', all else being equal" in chosen.sentences[0]


def test_a_dropped_weight_is_no_certainty():
    rng = np.random.default_rng(3)
    t = {f"x{j}": rng.normal(size=300) for j in range(6)}
    s = Stage(t | {"y": 2 * t["x0"] + rng.normal(size=300)}, models=["ard"], folds=3)
    chosen = chosen_section(s.of("ard"), s.problem, s.options)[1]
    gone = chosen.effects.estimate == 0
    assert 0 < gone.sum() < 6
    for values in (chosen.effects.low, chosen.effects.high, chosen.effects.std_error):
        np.testing.assert_array_equal(np.isnan(values), gone)
    (said,) = [said for said in chosen.sentences if "dropped" in said]
    assert all((repr(term) in said) is dropped for term, dropped in zip(t, gone.tolist(), strict=True))
    assert "This model states no uncertainty for its weights." not in chosen.sentences


# -- rows of one group are alike -------------------------------------------------------------------------------
def test_copies_under_one_group_do_not_shrink_intervals():
    """Errors of least squares on copied rows are White's on the rows themselves, up to n / (n − 1)."""
    rows = table("regression", n=60)
    t = {name: np.repeat(v, 20) for name, v in rows.items()} | {"id": np.repeat(np.arange(60), 20)}
    s = Stage(t, models=["linear"], folds=3, group="id")
    chosen = chosen_section(s.of("linear"), s.problem, s.options)[1]
    Z, y = s.problem.Z[::20], s.problem.y[::20]
    A = np.column_stack([np.ones(60), Z])
    bread = np.linalg.pinv(A.T @ A)
    residual = y - A @ np.linalg.lstsq(A, y)[0]
    white = np.sqrt(60 / 59 * np.diag(bread @ (A.T * residual**2) @ A @ bread))
    np.testing.assert_allclose(chosen.weights.std_error, white, rtol=1e-6)
    reach = stats.t.ppf(0.975, 59) * white
    np.testing.assert_allclose(chosen.weights.high - chosen.weights.estimate, reach, rtol=1e-6)
    assert any(said.startswith("Rows of one 'id' are alike") for said in chosen.sentences)


def test_grouped_rows_leave_other_models_without_intervals():
    t = table("binary", n=240) | {"id": np.arange(240) // 4}
    s = Stage(t, models=["logistic"], folds=3, inner=3, group="id")
    chosen = chosen_section(s.of("logistic"), s.problem, s.options)[1]
    assert np.isnan(chosen.weights.low).all()
    assert any("Rows of one 'id' are alike" in said and "none are shown" in said for said in chosen.sentences)
    assert not any("interval 0" in said or "interval 1" in said for said in chosen.sentences[:3])
