"""The catalogue: every model is in it, its grids suit the problem, and what is not tried says why."""

import inspect

import numpy as np
import pytest

from suffice import baselines, generative, glm, linear
from suffice._core.errors import InvalidParameter
from suffice.study import CANDIDATES, CATALOGUE, Study
from suffice.study.models import Candidate, chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps.validate import grid_of

pytestmark = pytest.mark.slow

ELSEWHERE = {
    linear.SimpleLinearRegression,  # one column: a study has several, and LinearRegression is the same there
    linear.BayesianRidge,  # BayesianLinearRegression by other names
    linear.ElasticNet,  # between ridge and lasso, which a study tries
    linear.RidgeCV,  # a study chooses penalties itself, on the folds that all models share
    linear.LassoCV,
    linear.ElasticNetCV,
    glm.LogisticRegressionCV,
    generative.RidgeClassifierCV,
    generative.RidgeClassifier,  # scores without probabilities
    glm.PoissonRegressor,  # PoissonRegression and GLM by other names
    glm.GammaRegressor,
}


def problem(n=60, d=4, scale=1.0, task="numbers", classes=2, **options):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    targets = {
        "numbers": scale * (X[:, 0] + rng.normal(size=n)),
        "labels": np.array([f"class {i:02d}" for i in range(classes)], dtype=object)[np.arange(n) % classes],
        "counts": rng.poisson(9.0, n),
    }
    table = {f"x{j}": X[:, j] for j in range(d)} | {"y": targets[task]}
    return make_problem(read(table), Options("y", **options))


def names(p):
    return [c.name for c in chosen_candidates(p, None, False)[0]]


# -- what there is ---------------------------------------------------------------------------------------------
def test_every_estimator_is_in_the_catalogue():
    listed = {type(c.build()) for c in CATALOGUE}
    for room in (linear, glm, generative, baselines):
        for name in room.__all__:
            cls = getattr(room, name)
            if inspect.isclass(cls) and hasattr(cls, "fit") and hasattr(cls, "predict"):
                assert cls in listed | ELSEWHERE, name


def test_every_entry_says_what_it_is():
    assert len({c.name for c in CATALOGUE}) == len(CATALOGUE)
    for c in CATALOGUE:
        assert c.description.endswith((".", "…")), c.name
        assert c.needs, c.name
        assert c.kind in ("baseline", "model"), c.name
        assert (c.generative is None) == (c.kind == "baseline"), c.name
        for place in c.book:
            assert place.split()[0] in ("PRML", "FCML", "DTU", "Herbst"), place


@pytest.mark.parametrize(
    ("options", "least"),
    [({}, 6), ({"task": "counts"}, 2), ({"task": "labels"}, 6), ({"task": "labels", "classes": 3}, 4)],
)
def test_a_study_tries_several_models_and_the_baseline_first(options, least):
    found = chosen_candidates(problem(n=120, **options), None, True)[0]
    assert found[0].kind == "baseline"
    assert sum(c.kind == "model" for c in found) >= least
    assert sum(c.kind == "reference" for c in found) == 2


# -- grids -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_grids_follow_the_scale_of_the_target(scale):
    p, one = problem(scale=scale), problem()
    lasso = next(c for c in CANDIDATES if c.name == "lasso")
    ridge = next(c for c in CANDIDATES if c.name == "ridge")
    np.testing.assert_allclose(
        grid_of(lasso, p)["alpha"], scale * np.array(grid_of(lasso, one)["alpha"]), rtol=1e-9
    )
    assert grid_of(ridge, p) == grid_of(ridge, one)
    assert max(grid_of(lasso, p)["alpha"]) == pytest.approx(np.std(p.y), rel=1e-9)


def test_the_scale_of_the_target_changes_no_choice():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 5))
    y = X[:, 0] + rng.normal(size=80)
    gains = []
    for scale in (1e-9, 1.0, 1e9):
        table = {f"x{j}": X[:, j] for j in range(5)} | {"y": scale * y}
        found = Study(table, "y", models=["ridge", "lasso"], references=False, effort="quick").run()
        gains.append([found.comparison.of(n).gain for n in ("ridge", "lasso")])
    np.testing.assert_allclose(gains[0], gains[1], rtol=1e-6)
    np.testing.assert_allclose(gains[2], gains[1], rtol=1e-6)


# -- what is not tried -----------------------------------------------------------------------------------------
def test_more_columns_than_rows():
    p = problem(n=40, d=60)
    tried, skipped = chosen_candidates(p, None, False)
    assert "linear" not in names(p)
    assert {"ridge", "lasso", "bayesian"} <= {c.name for c in tried}
    assert skipped["Linear regression"] == "32 training rows do not determine 60 columns"
    assert "too many for 32 training rows" in skipped["Automatic relevance determination"]


def test_a_very_wide_table_leaves_what_can_be_done():
    p = problem(n=40, d=1200, task="labels")
    tried, skipped = chosen_candidates(p, None, True)
    assert [c.name for c in tried] == ["prior", "gaussian-nb"]
    assert skipped["Logistic regression"] == "1200 columns take too long; at most 200 are tried"
    assert skipped["Random forest"] == "40 rows of 1200 columns take too long for an orientation"


def test_many_classes():
    p = problem(n=200, task="labels", classes=25)
    _, skipped = chosen_candidates(p, None, False)
    assert skipped == {"Logistic regression": "25 classes take too long; at most 20 are tried"}


def test_reasons_reach_the_report_and_names_overrule_them():
    rng = np.random.default_rng(0)
    table = {f"x{j}": rng.normal(size=30) for j in range(40)} | {"y": rng.normal(size=30)}
    found = Study(table, "y", effort="quick", models=["lasso"], references=False).run()
    assert found.candidates.skipped == {}
    p = make_problem(read(table), Options("y"))
    assert "linear" in [c.name for c in chosen_candidates(p, ["linear"], False)[0]]


@pytest.mark.parametrize(
    ("models", "message"),
    [
        (["linaer"], "Did you mean 'linear'"),
        (["lda"], "'lda' is for binary and multi-class; the task here is regression"),
        ([Candidate("linear", "Another", linear.LinearRegression, ""), "linear"], "names must differ"),
        ([Candidate("other", "Mean", linear.LinearRegression, "")], "different titles"),
    ],
)
def test_bad_names(models, message):
    with pytest.raises(InvalidParameter, match=message):
        chosen_candidates(problem(), models, False)


# -- which one of equals ---------------------------------------------------------------------------------------
def test_simpler_models_come_first():
    rank = {c.name: c.complexity for c in CANDIDATES}
    for order in (
        ["mean", "linear", "log-linear", "bayesian", "log-bayesian", "ridge", "lasso", "ard", "quadratic"],
        ["mean-count", "bayesian-poisson", "negative-binomial", "poisson"],
        ["prior", "bayesian-logistic", "logistic", "probit", "lda", "gaussian-nb", "qda"],
    ):
        ranks = [rank[name] for name in order]
        assert ranks == sorted(ranks)
        assert len(set(ranks)) == len(ranks)


def test_who_states_what_the_rows_leave_open():
    stating = {c.name for c in CANDIDATES if c.states_uncertainty and c.kind == "model"}
    assert stating >= {
        "linear",
        "bayesian",
        "ard",
        "log-linear",
        "share",
        "bayesian-poisson",
        "bayesian-logistic",
    }
    assert not stating & {"ridge", "lasso", "quadratic", "poisson", "logistic", "lda", "qda", "gaussian-nb"}
