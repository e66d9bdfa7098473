"""Refits that share their work give the answers of fits from scratch; rows left out by one step nearly do."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold

from suffice._core.errors import (
    FitFailed,
    InvalidInput,
    InvalidParameter,
    RankDeficient,
    Separated,
    Unsupported,
)
from suffice.bases import GaussianBasis, Polynomial
from suffice.evaluation import SearchCV, cross_validate, two_layer, validate_path
from suffice.generative import GaussianNB
from suffice.glm import LogisticRegression, PoissonRegression, ProbitRegression, SoftmaxRegression

rng = np.random.default_rng(8)
N = 120
X = rng.standard_normal((N, 3)) * [1.0, 5.0, 0.2] + [0.0, 20.0, 0.0]
SCORE = X @ [1.0, 0.2, 2.0] - 4
TWO = np.array(["no", "yes"])[(SCORE + rng.logistic(size=N) > 0).astype(int)]
THREE = np.digitize(SCORE + rng.logistic(size=N), [-1.0, 1.5])
COUNTS = rng.poisson(np.exp(0.3 * SCORE)).astype(float)
WEIGHT = rng.integers(0, 3, N).astype(float)

MODELS = {
    "logistic": (LogisticRegression(), TWO),
    "no constant": (LogisticRegression(C=0.1, fit_intercept=False), TWO),
    "all penalized": (LogisticRegression(prior_precision=2.0, penalize_intercept=True), TWO),
    "maximum likelihood": (LogisticRegression(prior_precision=0), TWO),
    "parabola": (LogisticRegression(basis=Polynomial(2)), TWO),
    "standardized": (LogisticRegression(standardize=True), TWO),
    "balanced": (LogisticRegression(class_weight="balanced"), TWO),
    "weighted classes": (LogisticRegression(class_weight={"no": 3.0}), TWO),
    "probit": (ProbitRegression(prior_precision=0.5), TWO),
    "softmax": (SoftmaxRegression(prior_precision=0.1), THREE),
    "poisson": (PoissonRegression(), COUNTS),
}
SPLITTERS = {
    "folds": KFold(5),
    "shuffled": KFold(4, shuffle=True, random_state=1),
    "overlapping": ShuffleSplit(3, random_state=2),
}


class FromScratch:
    """The same model, without what makes refits share their work."""

    def __new__(cls, model):
        parent = type(model)
        hidden = type(parent.__name__, (parent,), {"why_not_together": lambda self: "it is told not to"})
        return hidden(**model.get_params(deep=False))


@pytest.mark.parametrize("cv", SPLITTERS)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_warm_refits_are_refits(name, cv, weight):
    model, y = MODELS[name]
    options = {"cv": SPLITTERS[cv], "loss": "log", "sample_weight": weight}
    warm, cold = cross_validate(model, X, y, **options), cross_validate(FromScratch(model), X, y, **options)
    assert (warm.how, cold.how) == ("warm refit", "refit")
    np.testing.assert_allclose(warm.fold_losses, cold.fold_losses, rtol=1e-9)


@pytest.mark.parametrize("name", ["logistic", "standardized", "softmax", "poisson"])
def test_a_path_is_all_of_its_fits(name):
    model, y = MODELS[name]
    values = [10.0, 0.0, 0.01, 1.0]
    model = clone(model).set_params(prior_precision=1.0)
    warm = validate_path(model, X, y, "prior_precision", values, cv=KFold(4), loss="log")
    cold = validate_path(FromScratch(model), X, y, "prior_precision", values, cv=KFold(4), loss="log")
    assert (warm.how, cold.how) == ("warm refit", "refit")
    np.testing.assert_allclose(warm.fold_test, cold.fold_test, rtol=1e-9)
    np.testing.assert_allclose(warm.fold_train, cold.fold_train, rtol=1e-9)


def test_a_search_shares_its_fits_and_ends_in_a_fit():
    grid = {"C": [0.01, 1.0, 100.0], "fit_intercept": [True, False]}
    search = SearchCV(LogisticRegression(), grid, cv=KFold(4), loss="log").fit(X, TWO)
    cold = SearchCV(FromScratch(LogisticRegression()), grid, cv=KFold(4), loss="log").fit(X, TWO)
    assert search.how_ == "warm refit"
    np.testing.assert_allclose(search.scores_.test, cold.scores_.test, rtol=1e-9)
    assert search.best_params_ == cold.best_params_
    np.testing.assert_allclose(search.best_estimator_.coef_, cold.best_estimator_.coef_, rtol=1e-9)


def test_decisions_are_judged_as_those_of_fits_from_scratch():
    grid = {"prior_precision": [0.01, 1.0, 100.0]}
    warm, cold = (
        SearchCV(m, grid, cv=KFold(4)).fit(X, TWO)
        for m in (LogisticRegression(), FromScratch(LogisticRegression()))
    )
    assert 0 < warm.scores_.test.mean() < 0.5
    np.testing.assert_allclose(warm.scores_.test, cold.scores_.test, rtol=1e-12)


def test_two_layers():
    candidates = {"logistic": (LogisticRegression(), {"prior_precision": [0.1, 10.0]})}
    cold = {"logistic": (FromScratch(LogisticRegression()), {"prior_precision": [0.1, 10.0]})}
    a, b = (two_layer(c, X, TWO, outer=KFold(3), inner=KFold(3), loss="log") for c in (candidates, cold))
    np.testing.assert_allclose(a.losses["logistic"], b.losses["logistic"], rtol=1e-9)


def many_functions(n=240, d=30):
    """Five classes, so many columns that a gram costs many gradients, some constant: in a fold, or everywhere."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, d)) * np.logspace(-2, 2, d)
    y = np.argmax((X / X.std(axis=0))[:, :5] + rng.gumbel(size=(n, 5)), axis=1)
    X[:, 6], X[:, 7] = 3.0, 0.0
    X[5, 7] = 1.0
    return X, y


@pytest.mark.parametrize("cv", ["folds", "overlapping"])
@pytest.mark.parametrize("precision", [1e-2, 10.0])
@pytest.mark.parametrize(
    "options", [{}, {"standardize": True}, {"penalize_intercept": True}, {"fit_intercept": False}]
)
def test_warm_refits_of_many_functions(cv, precision, options):
    table, y = many_functions()
    weight = np.random.default_rng(5).integers(0, 3, len(y)).astype(float)
    model = LogisticRegression(prior_precision=precision, **options)
    ways = {"cv": SPLITTERS[cv], "loss": "log", "sample_weight": weight}
    warm, cold = (cross_validate(m, table, y, **ways) for m in (model, FromScratch(model)))
    assert (warm.how, cold.how) == ("warm refit", "refit")
    np.testing.assert_allclose(warm.fold_losses, cold.fold_losses, rtol=1e-8)


def test_warm_refits_of_many_functions_along_precisions(monkeypatch):
    """From the tightest prior on, and none of them from scratch."""
    table, y = many_functions()
    grid = {"prior_precision": [1e-2, 10.0, 0.3]}
    cold = SearchCV(FromScratch(LogisticRegression(standardize=True)), grid, cv=KFold(4), loss="log").fit(
        table, y
    )

    def refuse(*args):
        raise AssertionError("a fit from scratch")

    monkeypatch.setattr("suffice.glm._shell.refits._start", refuse)
    warm = SearchCV(LogisticRegression(standardize=True), grid, cv=KFold(4), loss="log").fit(table, y)
    np.testing.assert_allclose(warm.scores_.test, cold.scores_.test, rtol=1e-8)


# -- where sharing must give way ----------------------------------------------------------------------------------
def test_a_training_set_without_a_class_is_fitted_alone():
    y = np.where(np.arange(N) < 40, "rare", np.where(THREE > 0, "b", "c"))
    warm = cross_validate(SoftmaxRegression(prior_precision=1.0), X, y, cv=KFold(3))
    cold = cross_validate(FromScratch(SoftmaxRegression(prior_precision=1.0)), X, y, cv=KFold(3))
    assert warm.fold_losses[0] == cold.fold_losses[0] == 1.0
    np.testing.assert_allclose(warm.fold_losses, cold.fold_losses, rtol=1e-12)


def test_a_training_set_of_one_class_fails_alone():
    y = (np.arange(N) < 30).astype(int)
    with pytest.warns(FitFailed, match="fold 0 failed.*one class"):
        found = cross_validate(LogisticRegression(), X, y, cv=KFold(4))
    assert np.isnan(found.fold_losses[0])
    assert np.isfinite(found.fold_losses[1:]).all()


@pytest.mark.parametrize(
    "model", [ProbitRegression(prior_precision=1.0, penalize_intercept=True), LogisticRegression()]
)
def test_a_table_of_one_class_is_refused_on_every_road(model):
    """With a penalized constant a fit to one label has a maximum, and says nothing about a second."""
    y, line = np.zeros(N, dtype=int), ("prior_precision", [0.1, 1.0])
    for road in (
        lambda: cross_validate(model, X, y, cv=KFold(3)),
        lambda: cross_validate(model, X, y, cv=KFold(3), loss="log"),
        lambda: cross_validate(model, X, y, cv=LeaveOneOut(), approximate=True),
        lambda: validate_path(model, X, y, *line, 3),
        lambda: two_layer({"one": (model, dict([line]))}, X, y, 3, 2),
    ):
        with pytest.raises(InvalidInput, match="needs at least 2 classes.*one class, 0"):
            road()


def test_separated_and_dependent_folds_are_fitted_from_rows():
    twice = np.column_stack([X, X[:, 0]])
    model = LogisticRegression(prior_precision=0)
    with pytest.warns(RankDeficient, match="not determined"):
        warm = cross_validate(model, twice, TWO, cv=KFold(4), loss="log")
    plain = cross_validate(model, X, TWO, cv=KFold(4), loss="log")
    np.testing.assert_allclose(warm.fold_losses, plain.fold_losses, rtol=1e-8)
    clear = np.where(X[:, 0] > 0, "a", "b")
    with pytest.warns(Separated, match="grows without end"):
        found = cross_validate(model, X, clear, cv=KFold(4))
    assert found.estimate < 0.1


def test_a_basis_that_takes_its_centers_from_rows_is_refitted():
    found = cross_validate(LogisticRegression(basis=GaussianBasis.at_data(4)), X[:, :1], TWO, cv=KFold(3))
    assert found.how == "refit"


# -- rows left out, approximately -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "name", ["logistic", "all penalized", "no constant", "weighted classes", "probit", "poisson"]
)
def test_leaving_out_nearly_is_leaving_out(name):
    """The error is of second order in the leverage, so it is far below what a row moves."""
    model, y = MODELS[name]
    exact = cross_validate(model, X, y, cv=LeaveOneOut(), loss="log")
    near = cross_validate(model, X, y, cv=LeaveOneOut(), loss="log", approximate=True)
    plain = clone(model).fit(X, y)
    at_all = -plain.predict_dist(X).log_prob(y) if name == "poisson" else -_log_of(plain, y)
    assert near.how == "approximate leave-one-out"
    assert "by one Newton step each" in near.notes[0]
    assert "most doubtful rows differ by at most" in near.notes[0]
    gap, moved = np.abs(near.losses - exact.losses), np.abs(exact.losses - at_all)
    assert gap.max() < 0.35 * moved.max()
    assert abs(near.estimate - exact.estimate) < 0.05 * abs(exact.estimate - at_all.mean())


def _log_of(model, y):
    return model.predict_log_proba(X)[np.arange(N), np.searchsorted(model.classes_, y)]


@pytest.mark.slow
def test_leaving_out_nearly_gets_exact_with_more_rows():
    """With twice the rows, a row moves half as much, and the error of a step is a quarter of it."""
    many = rng.standard_normal((1600, 2))
    y = (many @ [1.0, -1.0] + rng.logistic(size=1600) > 0).astype(int)
    gaps = []
    for n in (100, 400, 1600):
        exact = cross_validate(LogisticRegression(), many[:n], y[:n], cv=LeaveOneOut(), loss="log")
        near = cross_validate(
            LogisticRegression(), many[:n], y[:n], cv=LeaveOneOut(), loss="log", approximate=True
        )
        gaps.append(abs(exact.estimate - near.estimate))
    assert gaps[1] < gaps[0] / 8
    assert gaps[2] < gaps[1] / 8


def test_a_path_of_rows_left_out_nearly():
    values = [100.0, 0.01, 1.0]
    path = validate_path(
        LogisticRegression(),
        X,
        TWO,
        "prior_precision",
        values,
        cv=LeaveOneOut(),
        loss="log",
        approximate=True,
    )
    for j, value in enumerate(values):
        one = cross_validate(
            LogisticRegression(prior_precision=value), X, TWO, cv=LeaveOneOut(), loss="log", approximate=True
        )
        assert path.test[j] == pytest.approx(one.estimate, rel=3e-4)  # a step itself is off by 1e-3
    assert path.how == "approximate leave-one-out"
    assert np.isnan(path.train).all()


@pytest.mark.parametrize(
    "model", [LogisticRegression(), ProbitRegression(), LogisticRegression(fit_intercept=False)]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_precisions_that_share_a_look_leave_out_as_each_alone(model, weighted):
    """One decomposition serves all of them, from zero on; rows enough that a part of them shows the way."""
    many = rng.standard_normal((900, 3))
    y = (many @ [1.0, -1.0, 0.3] + rng.logistic(size=900) > 0).astype(int)
    weight = rng.integers(1, 4, 900).astype(float) if weighted else None
    given = {"cv": LeaveOneOut(), "loss": "log", "approximate": True, "sample_weight": weight}
    values = [0.0, 1e-6, 1e-3, 0.1, 1.0, 30.0, 1e3]
    path = validate_path(model, many, y, "prior_precision", values, **given)
    for j, value in enumerate(values):
        alone = cross_validate(clone(model).set_params(prior_precision=value), many, y, **given)
        assert path.test[j] == pytest.approx(alone.estimate, rel=3e-5)  # the square of the last step


def test_what_cannot_be_left_out_nearly_says_so():
    with pytest.raises(InvalidParameter, match=r"cv=LeaveOneOut\(\)"):
        cross_validate(LogisticRegression(), X, TWO, cv=5, approximate=True)
    with pytest.raises(Unsupported, match="GaussianNB does not leave rows out approximately"):
        cross_validate(GaussianNB(), X, TWO, cv=LeaveOneOut(), approximate=True)
    with pytest.raises(Unsupported, match="standardize=False"):
        cross_validate(LogisticRegression(standardize=True), X, TWO, cv=LeaveOneOut(), approximate=True)
    with pytest.raises(Unsupported, match="two classes"):
        cross_validate(SoftmaxRegression(), X, THREE, cv=LeaveOneOut(), approximate=True)


def test_stratified_folds_are_a_partition_too():
    found = cross_validate(LogisticRegression(), X, TWO, cv=StratifiedKFold(5))
    assert found.how == "warm refit"


@pytest.mark.filterwarnings("ignore::suffice._core.errors.Separated")
@pytest.mark.parametrize("seed", [0, 5, 9])
@pytest.mark.parametrize(
    ("cv", "loss"), [(3, "log"), (ShuffleSplit(3, test_size=0.3, random_state=0), "misclassification")]
)
def test_a_climb_without_end_does_not_begin_at_the_test_rows(seed, cv, loss):
    """All rows are separated, test rows among them: a fold that began there would know its answers."""
    draw = np.random.default_rng(seed)
    A = draw.standard_normal((14, 3))
    y = np.where(A[:, 0] + 0.3 * draw.standard_normal(14) > 0, "yes", "no")
    y[:2] = "yes", "no"
    model = LogisticRegression(prior_precision=0)
    warm = cross_validate(model, A, y, cv=cv, loss=loss)
    cold = cross_validate(FromScratch(model), A, y, cv=cv, loss=loss)
    assert warm.how == "warm refit"
    np.testing.assert_allclose(warm.fold_losses, cold.fold_losses, rtol=1e-9, atol=1e-12)
    path = validate_path(model, A, y, "prior_precision", [0.0, 1.0], cv, loss=loss)
    np.testing.assert_allclose(path.fold_test[0], cold.fold_losses, rtol=1e-9, atol=1e-12)
