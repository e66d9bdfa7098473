"""The chosen model on all rows: its effects against differences of predictions, and its sentences."""

import numpy as np
import pytest

from suffice.study.sections import Estimates
from suffice.study.steps.chosen import chosen_section
from suffice.study.steps.effects import effect_sentences, named

from .stages import Stage


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
    assert named(odd, s.problem) is odd


def test_weighted_rows_are_rows_repeated():
    """Weights and repeated rows give the same fit and the same effects."""
    t = table("regression", n=200)
    w = np.random.default_rng(1).integers(1, 4, 200)
    weighted = Stage(t | {"w": w.astype(float)}, models=["linear"], weights="w", folds=3)
    repeated = Stage({name: np.repeat(v, w) for name, v in t.items()}, models=["linear"], folds=3)
    a, b = (chosen_section(s.of("linear"), s.problem, s.options)[1] for s in (weighted, repeated))
    np.testing.assert_allclose(a.effects.estimate, b.effects.estimate, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(a.effects.low, b.effects.low, rtol=1e-8, atol=1e-10)
