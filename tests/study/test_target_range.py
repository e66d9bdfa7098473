"""Predictions and intervals stay within what a target can be, and shares are known by their trials."""

import numpy as np
import pytest
import statsmodels.api as sm

import suffice
from suffice._core.errors import InvalidInput
from suffice.study.models import chosen_candidates
from suffice.study.models.share_regression import ShareRegression
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.reading.target_range import target_range
from suffice.study.reading.trials import trials_of
from suffice.study.steps.chosen import chosen_section
from suffice.study.steps.measures import impossible_share
from suffice.study.steps.predictive import predictive_section

from .stages import Stage

FROM_0 = np.linspace(0.0, 5.0, 50)


@pytest.mark.parametrize(
    ("y", "task", "name", "low", "high"),
    [
        (FROM_0, "regression", "price", 0, np.inf),
        (FROM_0 - 0.01, "regression", "price", -np.inf, np.inf),
        (FROM_0[:5], "regression", "price", -np.inf, np.inf),
        (FROM_0, "counts", "visits", 0, np.inf),
        (FROM_0 / 5, "regression", "y", 0, 1),
        (0.1 + FROM_0 / 10, "regression", "y", 0, np.inf),
        (0.1 + FROM_0 / 10, "regression", "conversionRate", 0, 1),
        (0.1 + FROM_0 / 10, "regression", "prop_used", 0, 1),
        (0.1 + FROM_0 / 10, "regression", "separate", 0, np.inf),
        (10 * FROM_0, "regression", "pct_used", 0, 100),
        (10 * FROM_0, "regression", "age", 0, np.inf),
        (FROM_0, "binary", "y", -np.inf, np.inf),
    ],
)
def test_the_range_is_what_rows_and_names_tell(y, task, name, low, high):
    assert target_range(y, task, name).ends == (low, high)


def near_zero(n=200, seed=0):
    """A line that would go below zero, with targets that do not."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return {"x": x, "z": rng.normal(size=n), "price": np.maximum(x + 0.5 * rng.normal(size=n), 0.0)}


@pytest.mark.parametrize("name", ["linear", "ridge", "mean"])
def test_a_model_that_knows_no_end_is_cut(name, tmp_path):
    s = Stage(near_zero(), "price", models=["linear", "ridge"], folds=3, inner=3)
    model, chosen = chosen_section(s.of(name), s.problem, s.options)
    far = {"x": [-5.0, 0.0, 5.0], "z": [0.0, 0.0, 0.0]}
    made = model.predict_table(far)
    assert made["low"].min() == 0.0
    assert made["prediction"].min() >= 0.0
    assert model.predict(far).min() >= 0.0
    np.testing.assert_array_equal(model.interval(far)[0], made["low"])
    if name != "mean":
        assert model.predict_dist(far).interval()[0][0] < 0
        assert any(
            "predictions and intervals that its file gives are cut at 0" in t for t in chosen.sentences
        )
    assert all(e.low >= 0 for e in predictive_section(s.of(name), s.problem, s.options).largest)
    suffice.save(model, tmp_path / "m.suffice")
    assert suffice.load(tmp_path / "m.suffice").range == model.range


def test_models_that_predict_the_impossible_are_found_out():
    s = Stage(near_zero(), "price", models=["linear"], folds=3, inner=3)
    predicted = s.of("linear").validation.predictions
    assert impossible_share(s.of("linear"), s.problem) == pytest.approx(np.mean(predicted < 0))
    assert impossible_share(s.of("linear"), s.problem) > 0.1
    assert impossible_share(s.of("mean"), s.problem) == 0.0


def test_a_target_on_both_sides_of_zero_is_left_alone():
    t = near_zero()
    t["price"] = t["price"] - 0.1
    s = Stage(t, "price", models=["linear"], folds=3, inner=3)
    model, chosen = chosen_section(s.of("linear"), s.problem, s.options)
    np.testing.assert_array_equal(model.predict_table(t)["low"], model.predict_dist(t).interval()[0])
    assert not any("cut" in said for said in chosen.sentences)


# -- shares ------------------------------------------------------------------------------------------------------
def shares(n=300, seed=0, decimals=None, most=200):
    rng = np.random.default_rng(seed)
    x, m = rng.normal(size=n), rng.integers(most // 8, most, n)
    p = rng.beta(*(20 * q for q in (1 / (1 + np.exp(1 - x)), 1 / (1 + np.exp(x - 1)))))
    y = rng.binomial(m, p) / m
    return {
        "x": x,
        "z": rng.normal(size=n),
        "m": m,
        "share": y if decimals is None else np.round(y, decimals),
    }


@pytest.mark.parametrize("decimals", [None, 3])
def test_a_column_of_trials_is_found(decimals):
    t = shares(decimals=decimals)
    Z = np.column_stack([t["x"], t["z"], t["m"]])
    assert trials_of(t["share"], Z) == 2
    other = np.random.default_rng(1).permutation(t["m"])
    assert trials_of(t["share"], np.column_stack([t["x"], other])) is None


def test_rounding_that_hides_the_trials_proves_nothing():
    t = shares(decimals=1)
    assert trials_of(t["share"], t["m"][:, None]) is None


def test_share_regression_agrees_with_statsmodels():
    t = shares()
    X = np.column_stack([t["x"], t["z"]])
    done = np.round(t["share"] * t["m"])
    theirs = sm.GLM(np.column_stack([done, t["m"] - done]), sm.add_constant(X), sm.families.Binomial()).fit()
    p = theirs.fittedvalues
    scatter = np.sum(t["m"] * (t["share"] - p) ** 2 / (p * (1 - p))) / (len(p) - 3)
    Z = np.column_stack([X, t["m"]])
    mine = ShareRegression(trials=2).fit(Z, t["share"])
    np.testing.assert_allclose(mine.coef_[:2], theirs.params[1:], atol=0.05)
    np.testing.assert_allclose(mine.summary().std_error[1:3], np.sqrt(scatter) * theirs.bse[1:], rtol=0.05)
    assert mine.dispersion_ == pytest.approx(scatter, rel=0.05)
    with pytest.raises(InvalidInput, match="Shares lie between 0 and 1; got"):
        ShareRegression().fit(Z, 2 * t["share"])


@pytest.mark.parametrize("trials", [True, False])
def test_shares_are_predicted_as_shares(trials, tmp_path):
    t = shares()
    t = t if trials else {name: v for name, v in t.items() if name != "m"}
    s = Stage(t, "share", models=["share", "linear"], folds=3, inner=3)
    loss = {x.name: x.validation.estimate for x in s.trials}
    assert loss["share"] < loss["linear"]
    model, chosen = chosen_section(s.of("share"), s.problem, s.options)
    assert (model.model.trials is None) != trials
    assert any("times 'm' is a whole number in every row" in said for said in chosen.sentences) == trials
    new = shares(2000, seed=3)
    made = model.predict_table(new)
    assert made["low"].min() >= 0
    assert made["high"].max() <= 1
    assert 0.92 < np.mean((new["share"] >= made["low"]) & (new["share"] <= made["high"])) < 0.98
    assert "the odds of share (share to rest) are" in chosen.sentences[0]
    suffice.save(model, tmp_path / "m.suffice")
    np.testing.assert_array_equal(suffice.load(tmp_path / "m.suffice").predict(new), model.predict(new))


def test_shares_that_jump_are_not_given_to_a_density():
    p = make_problem(read(shares(most=16)), Options("share"))
    tried, skipped = chosen_candidates(p, None, False)
    assert "share" not in [c.name for c in tried]
    assert "which no density of shares knows" in skipped["Logistic regression of the share"]
