"""Columns that are combinations of others, told apart by a prior: the same answers, by the same fast roads."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import KFold, LeaveOneOut

from suffice.evaluation import cross_validate, validate_path
from suffice.glm import LogisticRegression, PoissonRegression, ProbitRegression, SoftmaxRegression
from suffice.glm._fit import pass_sums as passes
from suffice.glm._shell import by_passes, refits

rng = np.random.default_rng(4)
N = 3000
FREE = rng.standard_normal((N, 4))
X = np.column_stack([FREE, FREE @ [1.0, -2.0, 0.0, 1.0], FREE[:, 0], np.full(N, 3.0)])
a = FREE @ [0.5, -0.4, 0.3, 0.0]
TWO = (a + rng.logistic(size=N) > 0).astype(int)
THREE = np.digitize(a + rng.logistic(size=N), [-0.5, 1.0])
COUNTS = rng.poisson(np.exp(a)).astype(float)
PRECISIONS = [100.0, 1.0, 0.01, 1e-4]
MODELS = {
    "logistic": (LogisticRegression(), TWO),
    "no constant": (LogisticRegression(fit_intercept=False), TWO),
    "standardized": (LogisticRegression(standardize=True), TWO),
    "probit": (ProbitRegression(), TWO),
    "poisson": (PoissonRegression(), COUNTS),
}


@pytest.fixture
def from_scratch(monkeypatch):
    """The fits that were made from their rows alone."""
    made, attempt = [], refits._attempt
    monkeypatch.setattr(refits, "_attempt", lambda *given: made.append(given) or attempt(*given))
    return made


def honest(model, y, weight, loss):
    """The mean loss of every fold of a fit from scratch."""
    out = []
    for train, test in KFold(4).split(X):
        fitted = clone(model).fit(X[train], y[train], None if weight is None else weight[train])
        w = np.ones(len(test)) if weight is None else weight[test]
        out.append(np.average(loss(fitted, X[test], y[test]), weights=w))
    return out


def log_loss(fitted, X, y):
    if hasattr(fitted, "classes_"):
        return -np.log(fitted.predict_proba(X)[np.arange(len(y)), y])
    return -fitted.predict_dist(X).log_prob(y)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_a_path_shares_its_work(name, weighted, from_scratch):
    model, y = MODELS[name]
    weight = rng.integers(0, 3, N).astype(float) if weighted else None
    given = {"cv": KFold(4), "loss": "log", "sample_weight": weight}
    path = validate_path(model, X, y, "prior_precision", PRECISIONS, **given)
    assert not from_scratch
    for j, precision in enumerate(PRECISIONS):
        alone = honest(clone(model).set_params(prior_precision=precision), y, weight, log_loss)
        np.testing.assert_allclose(path.fold_test[j], alone, rtol=1e-9)


def test_rows_are_left_out_nearly():
    few = slice(0, 300)
    for precision in (1e-3, 1e-6):
        model = LogisticRegression(prior_precision=precision)
        exact = cross_validate(model, X[few], TWO[few], cv=LeaveOneOut(), loss="log")
        near = cross_validate(model, X[few], TWO[few], cv=LeaveOneOut(), loss="log", approximate=True)
        np.testing.assert_allclose(near.losses, exact.losses, atol=5e-3)  # a row moves its own by 1e-1
    path = validate_path(
        LogisticRegression(), X[few], TWO[few], "prior_precision", [1.0, 1e-3, 1e-6, 1e-8],
        cv=LeaveOneOut(), loss="log", approximate=True,
    )  # fmt: skip
    assert path.test[2] == pytest.approx(near.estimate, rel=3e-4)


@pytest.fixture
def looks(monkeypatch):
    """What every pass over rows was asked for."""
    asked, sums_at = [], passes.sums_at

    def seen(rows, plan, at):
        asked.append(at.wanted)
        return sums_at(rows, plan, at)

    monkeypatch.setattr(passes, "sums_at", seen)
    return asked


@pytest.mark.parametrize("precision", [1.0, 1e-3])
@pytest.mark.parametrize("name", MODELS)
def test_standard_errors_have_all_digits_without_reflections(name, precision, looks):
    """Those of the triangle of [√v z; the prior's rows], whose QR decomposition is made here."""
    model, y = MODELS[name]
    model = clone(model).set_params(prior_precision=precision).fit(X, y)
    assert "factor" not in looks
    spread = X.std(axis=0) if model.standardize else np.ones(X.shape[1])
    spread[spread == 0] = 1.0
    constant = model.fit_intercept
    Z = np.column_stack([np.ones(N), X]) if constant else X
    a = Z @ (np.append(model.intercept_, model.coef_) if constant else np.ravel(model.coef_))
    v = model.likelihood_.terms(y, a)[2]
    prior = np.sqrt(precision) * np.diag(spread)
    prior = np.column_stack([np.zeros(len(spread)), prior]) if constant else prior
    R = np.linalg.qr(np.vstack([np.sqrt(v)[:, None] * Z, prior]), mode="r")
    F = np.linalg.solve(R, np.eye(len(R)))
    own = np.sqrt(np.diagonal(model.cov_params_))
    np.testing.assert_allclose(own[-len(R) :], np.linalg.norm(F, axis=1), rtol=1e-9)


def test_several_classes_need_no_reflections(looks):
    model = SoftmaxRegression(prior_precision=0.1).fit(X, THREE)
    assert "factor" not in looks
    grams = np.concatenate([X, np.ones((N, 1))], axis=1)
    p = model.predict_proba(X)
    slope = (p - np.eye(3)[THREE]).T @ grams
    slope[:, :-1] += 0.1 * model.coef_
    assert np.abs(slope).max() < 1e-7


def test_many_rows_are_climbed_by_slopes(looks):
    """Grams cost several slopes; the first one steers."""
    many, y = make_classification(40_000, 8, random_state=0)
    model = LogisticRegression().fit(many, y)
    assert "factor" not in looks
    pieces = -(-len(many) // by_passes.PIECE)
    assert looks.count("gradient") >= 2 * pieces
    p = model.predict_proba(many)[:, 1]
    assert np.abs(many.T @ (p - y) + model.coef_[0]).max() < 1e-6
