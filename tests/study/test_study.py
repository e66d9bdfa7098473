"""A study: its numbers against an independent computation, its records, its page."""

import json
import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression as SkLinear
from sklearn.model_selection import KFold, cross_val_predict

from suffice._core.errors import InvalidParameter, NumericalError
from suffice.datasets import diabetes
from suffice.study import CANDIDATES, Candidate, Study, StudyResult

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def result() -> StudyResult:
    return Study("@diabetes", seed=3, folds=7).run()


# -- numbers -------------------------------------------------------------------------------------------
def test_errors_are_those_of_scikit_learn_on_the_same_folds(result):
    data, folds, rows = diabetes(), KFold(7, shuffle=True, random_state=3), result.problem.rows
    for name, peer in {"mean": DummyRegressor(), "linear": SkLinear()}.items():
        losses = (data.y[rows] - cross_val_predict(peer, data.X[rows], data.y[rows], cv=folds)) ** 2
        row = result.comparison.of(name)
        assert row.estimate == pytest.approx(losses.mean(), rel=1e-10)
        assert row.measures["typical error"] == pytest.approx(math.sqrt(losses.mean()), rel=1e-10)
        half = stats.t(441).ppf(0.975) * stats.sem(losses)
        reach = math.exp(half / losses.mean())  # on the scale of logarithms
        assert row.interval == pytest.approx((losses.mean() / reach, losses.mean() * reach), rel=1e-9)


def test_coverage_counts_the_rows_inside_their_own_fold_interval(result):
    data, name = result.problem, result.comparison.best
    candidate = next(c for c in CANDIDATES if c.name == name)
    inside = 0
    for train, test in KFold(7, shuffle=True, random_state=3).split(data.Z):
        low, high = (
            candidate.build().fit(data.Z[train], data.y[train]).predict_dist(data.Z[test]).interval(0.95)
        )
        inside += int(((data.y[test] >= low) & (data.y[test] <= high)).sum())
    p = result.predictive
    assert (p.inside, p.n) == (inside, 442)
    posterior = stats.beta(inside + 0.5, 442 - inside + 0.5)
    assert p.coverage_interval == pytest.approx(posterior.interval(0.95), rel=1e-9)


def test_the_chosen_model_is_fitted_to_all_rows(result):
    data = diabetes()
    table = dict(zip(data.feature_names, data.X.T, strict=True))
    candidate = next(c for c in CANDIDATES if c.name == result.chosen.name)
    model = (
        candidate.tried(result.problem)
        .set_params(**result.chosen.params)
        .fit(result.problem.Z, result.problem.y)
    )
    np.testing.assert_allclose(result.model.predict(table), model.predict(data.X), rtol=1e-9)
    assert result.model.columns == tuple(data.feature_names)


@pytest.mark.parametrize("name", ["linear", "bayesian", "ridge"])
def test_weights_and_their_effects(name):
    data = diabetes()
    chosen = Study("@diabetes", models=[name], folds=3).run().chosen
    assert chosen.name == name
    assert chosen.weights.term == ("intercept", *data.feature_names)
    assert chosen.effects.term == data.feature_names
    spread = data.X.std(axis=0)
    np.testing.assert_allclose(chosen.effects.estimate, chosen.weights.estimate[1:] * spread, rtol=1e-12)
    if name == "ridge":
        assert np.isnan(chosen.weights.low).all()
    else:
        np.testing.assert_allclose(chosen.effects.low, chosen.weights.low[1:] * spread, rtol=1e-12)
    if name == "linear":
        X = np.column_stack([np.ones(442), data.X])
        w, sse = np.linalg.lstsq(X, data.y)[:2]
        se = np.sqrt(sse[0] / (442 - 11) * np.diagonal(np.linalg.inv(X.T @ X)))
        np.testing.assert_allclose(chosen.weights.std_error, se, rtol=1e-6)
        np.testing.assert_allclose(chosen.weights.high, w + stats.t(431).ppf(0.975) * se, rtol=1e-6)


# -- sentences -----------------------------------------------------------------------------------------
def test_a_clear_winner_is_called_one(result):
    best = result.comparison.of(result.comparison.best)
    assert best.title in result.answer.headline
    assert "p < 0.001, counted over 442 rows" in result.answer.sentences[0]
    assert "predicts better than Mean" in result.comparison.sentences[0]
    assert "Setup II, 7 folds" in result.comparison.sentences[1]
    assert str(result).startswith(result.answer.headline)
    assert result.answer.headline in result._repr_html_()


# -- what goes wrong -----------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_candidate_that_fails_is_a_result_too():
    class Broken(SkLinear):
        def fit(self, X, y):
            raise NumericalError("the matrix is singular")

    broken = Candidate("broken", "Broken model", Broken, "Never works.")
    result = Study("@olympic_100m_men", models=["linear", broken], folds=3).run()
    (failed,) = result.comparison.failed
    assert failed.name == "broken"
    assert "the matrix is singular" in failed.reason
    assert "Broken model could not be fitted" in result.to_html()


def test_a_foreign_estimator_without_distributions_is_refitted_and_reported():
    peer = Candidate("peer", "A peer", SkLinear, "scikit-learn's.")
    result = Study("@olympic_100m_men", models=[peer], folds=3).run()
    row = result.comparison.of("peer")
    assert (row.how, row.coverage) == ("refit", None)
    assert result.chosen.name == "peer"
    assert "no predictive" in " ".join(result.predictive.sentences)


def test_more_columns_than_rows_is_survived_and_said():
    rng = np.random.default_rng(0)
    table = pl.DataFrame({f"x{j}": rng.normal(size=12) for j in range(20)} | {"y": rng.normal(size=12)})
    row = Study(table, "y", folds=4, models=["linear"]).run().comparison.of("linear")
    assert row.coverage is None
    assert any("9 rows cannot determine 20 columns" in note for note in row.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "folds must be a whole number from 2"),
        ({"folds": 2.5}, "folds must be a whole number from 2"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"seed": 2**40}, "seed must be below 2³²"),
        ({"confidence": 1.0}, "confidence must lie between 0 and 1"),
        ({"max_rows": 0}, "max_rows must be"),
        ({"models": "linear"}, "models must be a list of names"),
        ({"models": ["linaer"]}, "Did you mean 'linear'"),
        ({"ignore": ["years"]}, "Did you mean 'year'"),
        ({"ignore": ["seconds"]}, "'seconds' is the target"),
        ({"models": [Candidate("linear", "Another", SkLinear, ""), "linear"]}, "names must differ"),
        ({"models": [Candidate("other", "Mean", SkLinear, "")]}, "different titles"),
    ],
)
def test_settings_outside_their_domain(options, message):
    with pytest.raises(InvalidParameter, match=message):
        Study("@olympic_100m_men", **options).run()


# -- the record and the files --------------------------------------------------------------------------
def timeless(tree):
    """Without the seconds that a study and its models took."""
    tree = json.loads(json.dumps(tree))
    del tree["appendix"]["seconds"]
    for model in tree["comparison"]["models"]:
        del model["seconds"]
    return tree


def test_the_same_seed_gives_the_same_result_and_another_does_not():
    def tree(seed):
        options = {"models": ["linear", "lasso"], "references": False}
        return timeless(Study("@diabetes", seed=seed, folds=3, max_rows=200, **options).run().to_dict())

    first = tree(1)
    assert first == tree(1)
    assert first["comparison"] != tree(2)["comparison"]


@pytest.mark.slow
def test_the_script_repeats_the_study(tmp_path, monkeypatch):
    study = Study("@diabetes", models=["ridge"], folds=3, seed=5, ignore=["s1"], confidence=0.9, name="it's")
    first = study.run()
    monkeypatch.chdir(tmp_path)
    exec(compile(first.appendix.script, "script", "exec"), {})
    again = json.loads((tmp_path / "suffice-study" / "result.json").read_text(encoding="utf-8"))
    assert timeless(again) == timeless(first.to_dict())
