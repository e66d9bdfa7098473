"""Two layers: the numbers of scikit-learn's nested cross-validation, and splits that keep their promises."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.metrics import log_loss, mean_squared_error, roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.errors import NumericalError
from suffice.evaluation import two_layer
from suffice.study.models import Candidate, chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.sections import Failed
from suffice.study.steps.measures import measures
from suffice.study.steps.validate import grid_of, merge_notes, validate_candidate

pytestmark = pytest.mark.slow

PEERS = {
    "ridge": (make_pipeline(StandardScaler(), Ridge()), "ridge__alpha", lambda v: v),
    "lasso": (
        make_pipeline(StandardScaler(), Lasso(tol=1e-12, max_iter=100_000)),
        "lasso__alpha",
        lambda v: v,
    ),
    "logistic": (
        make_pipeline(StandardScaler(), LogisticRegression(tol=1e-10, max_iter=10_000)),
        "logisticregression__C",
        lambda v: 1 / v,
    ),
    "lda": (LinearDiscriminantAnalysis(), None, None),
    "gaussian-nb": (GaussianNB(var_smoothing=0.0), None, None),
}


def table(n=100, seed=0, **more):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)) * [1.0, 10.0, 0.1, 1.0]
    score = X[:, 0] + 0.1 * X[:, 1]
    return {f"x{j}": X[:, j] for j in range(4)} | {
        "number": score + rng.normal(size=n),
        "label": np.where(score + rng.logistic(size=n) > 0, "yes", "no").astype(object),
        **more,
    }


def problem_of(data, target, **options):
    others = [name for name in ("number", "label") if name != target]
    return make_problem(read(data), Options(target, ignore=others, **options))


def tried(name, p, options):
    (candidate,) = [c for c in chosen_candidates(p, [name], False)[0] if c.name == name]
    return validate_candidate(candidate, p, options)


@pytest.mark.parametrize("name", PEERS)
def test_numbers_are_those_of_nested_cross_validation(name):
    target = "number" if name in ("ridge", "lasso") else "label"
    p = problem_of(table(), target, folds=4, inner=3)
    trial = tried(name, p, Options(target))
    peer, parameter, turned = PEERS[name]
    if parameter is not None:
        values = [turned(v) for v in next(iter(grid_of(trial.candidate, p).values()))]
        scoring = "neg_mean_squared_error" if target == "number" else "neg_log_loss"
        peer = GridSearchCV(peer, {parameter: values}, cv=p.inner, scoring=scoring)
    losses, sizes, picked = [], [], []
    for train, test in p.splits:
        fitted = peer.fit(p.Z[train], p.y[train])
        if target == "number":
            losses.append(mean_squared_error(p.y[test], fitted.predict(p.Z[test])))
        else:
            losses.append(log_loss(p.y[test], fitted.predict_proba(p.Z[test]), labels=["no", "yes"]))
        sizes.append(len(test))
        picked.append(None if parameter is None else fitted.best_params_[parameter])
    np.testing.assert_allclose(trial.validation.fold_losses, losses, rtol=5e-6)
    assert trial.validation.estimate == pytest.approx(np.average(losses, weights=sizes), rel=2e-6)
    if parameter is not None:
        ours = [turned(next(iter(params.values()))) for params in trial.chosen]
        np.testing.assert_allclose(ours, picked, rtol=1e-12)


# -- promises of splits ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", ["number", "label"])
def test_groups_are_never_split(target):
    groups = np.array([f"patient {i // 4}" for i in range(100)], dtype=object)
    p = problem_of(table(patient=groups), target, group="patient", folds=4, inner=3)
    for train, test in p.splits:
        assert not set(p.groups[train]) & set(p.groups[test])
        for a, b in p.inner.split(p.Z[train], p.y[train], p.groups[train]):
            assert not set(p.groups[train][a]) & set(p.groups[train][b])
    assert isinstance(
        tried("ridge" if target == "number" else "logistic", p, Options(target)).validation.estimate, float
    )


def test_time_never_trains_on_the_future():
    when = np.random.default_rng(5).permutation(100)
    p = problem_of(table(when=when), "number", time="when", folds=4, inner=3)
    moment = when[p.rows]
    assert np.all(np.diff(moment) > 0)
    for train, test in p.splits:
        assert moment[train].max() < moment[test].min()
        for a, b in p.inner.split(p.Z[train], p.y[train]):
            assert moment[train][a].max() < moment[train][b].min()


# -- weights -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "target"),
    [("linear", "number"), ("bayesian", "number"), ("lda", "label"), ("gaussian-nb", "label")],
)
def test_weights_are_repeated_rows(name, target):
    w = np.random.default_rng(1).integers(1, 4, 100)
    p = problem_of(table(w=w), target, weights="w", folds=4)
    trial = tried(name, p, Options(target))
    again = np.repeat(np.arange(100), w[p.rows])
    splits = [tuple(np.flatnonzero(np.isin(again, part)) for part in split) for split in p.splits]
    model = trial.candidate.tried(p)
    repeated = two_layer({name: model}, p.Z[again], p.y[again], splits, 3, loss=p.loss)
    assert trial.validation.estimate == pytest.approx(repeated.estimates[name], rel=1e-9)
    np.testing.assert_allclose(trial.validation.fold_losses, repeated.errors[name], rtol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_measures(weighted):
    w = np.random.default_rng(1).integers(1, 4, 100)
    options = {"weights": "w"} if weighted else {"ignore": ["w"]}
    p = make_problem(
        read(table(w=w)), Options("label", **(options | {"ignore": ["number", *options.get("ignore", [])]}))
    )
    trial = tried("lda", p, Options("label"))
    weight = w.astype(float)[p.rows] if weighted else np.ones(100)
    P = trial.validation.probabilities
    yes = p.y == "yes"
    found = measures(trial, p)
    assert found["accuracy"] == pytest.approx(np.average((P[:, 1] > 0.5) == yes, weights=weight), rel=1e-12)
    assert found["area under the ROC curve"] == pytest.approx(
        roc_auc_score(yes, P[:, 1], sample_weight=weight), rel=1e-9
    )
    brier = np.average((P[:, 1] - yes) ** 2, weights=weight)
    assert found["Brier score"] == pytest.approx(brier, rel=1e-9)
    q = make_problem(
        read(table(w=w)), Options("number", **(options | {"ignore": ["label", *options.get("ignore", [])]}))
    )
    line = tried("linear", q, Options("number"))
    error = q.y - line.validation.predictions
    said = measures(line, q)
    assert said["typical error"] == pytest.approx(np.sqrt(np.average(error**2, weights=weight)), rel=1e-12)
    assert said["mean absolute error"] == pytest.approx(np.average(abs(error), weights=weight), rel=1e-12)


def test_a_probability_of_zero_for_what_came_true_is_a_failure():
    class Certain(GaussianNB):
        def predict_proba(self, X):
            return np.round(super().predict_proba(X))

    p = problem_of(table(), "label")
    found = validate_candidate(
        Candidate("certain", "Certain model", Certain, "Never doubts."), p, Options("label")
    )
    assert isinstance(found, Failed)
    assert "probability zero to what came true" in found.reason


def test_the_forest_of_reference_leaves_every_class_possible():
    p = problem_of(table(), "label")
    forest = next(c for c in chosen_candidates(p, None, True)[0] if c.name == "forest-classes")
    P = forest.tried(p).fit(p.Z, p.y).predict_proba(p.Z)
    assert P.min() > 0
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
    assert np.isfinite(validate_candidate(forest, p, Options("label")).validation.estimate)


@pytest.mark.parametrize("seed", range(5))
def test_rare_classes_have_a_finite_loss(seed):
    rng = np.random.default_rng(seed)
    y = np.array(["no"] * 1485 + ["yes"] * 15, dtype=object)
    data = {f"x{j}": rng.normal(size=1500) for j in range(3)} | {"y": rng.permutation(y)}
    options = Options("y", effort="quick", references=True)
    p = make_problem(read(data), options)
    forest = next(c for c in chosen_candidates(p, ["logistic"], True)[0] if c.name == "forest-classes")
    assert np.isfinite(validate_candidate(forest, p, options).validation.estimate)


def test_the_class_frequencies_have_the_area_of_a_guess():
    p = problem_of(table(), "label")
    assert measures(tried("prior", p, Options("label")), p)["area under the ROC curve"] == 0.5


def test_a_model_that_fails_is_a_result():
    class Broken(Ridge):
        def fit(self, X, y, sample_weight=None):
            raise NumericalError("the matrix is singular")

    p = problem_of(table(), "number")
    found = validate_candidate(
        Candidate("broken", "Broken model", Broken, "Never works."), p, Options("number")
    )
    assert isinstance(found, Failed)
    assert "the matrix is singular" in found.reason


def test_a_note_says_whether_it_is_true_of_other_folds():
    data = table()
    data["copy"] = data["x0"].copy()
    p = problem_of(data, "number", folds=4, inner=3)
    notes = tried("linear", p, Options("number")).notes
    (about,) = [n for n in notes if "are combinations of the others" in n]
    assert about.endswith("or use Ridge. (Similar in other folds.)")


def test_notes_are_merged_in_sentences():
    notes = ["fold 0 was refitted: its rows are few", "fold 2 was refitted: its rows are few", "Fine."]
    assert merge_notes(notes) == ("fold 0 was refitted: its rows are few. (Similar in other folds.)", "Fine.")
