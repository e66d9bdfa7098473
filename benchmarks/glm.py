"""Generalized linear models: fits, precisions over folds, rows left out, evidence; against the strongest peers."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import dblquad
from scipy.special import expit, logsumexp
from sklearn import linear_model as sk
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneOut

from benchmarks.harness import Figure, Result, race, relative
from benchmarks.tables import BOTH, small
from suffice.evaluation import SearchCV, cross_validate, validate_path
from suffice.generative import RidgeClassifierCV
from suffice.glm import (
    BayesianLogisticRegression,
    LogisticRegression,
    LogisticRegressionCV,
    PoissonRegression,
    ProbitRegression,
)
from suffice.inference import LaplaceApproximation, Quadrature

PRECISIONS = 1 / np.logspace(-4, 4, 20)


def inputs(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.random.Generator]:
    """Correlated columns of order one."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) @ (np.eye(d) + 0.3 * rng.standard_normal((d, d)) / np.sqrt(d)), rng


def two_classes(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    X, rng = inputs(n, d)
    return X, (rng.random(n) < expit(X @ rng.normal(0, 0.5, d) - 1)).astype(int)


def several_classes(n: int, d: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    X, rng = inputs(n, d)
    return X, np.argmax(X @ rng.normal(0, 0.4, (d, k)) + rng.gumbel(size=(n, k)), axis=1)


def _by_weights(ours: Any, theirs: Any) -> float:
    """The largest difference of any weight."""
    a, b = (np.append(np.ravel(m.coef_), np.ravel(m.intercept_)) for m in (ours, theirs))
    return float(np.abs(a - b).max())


def logistic_regression(quick: bool) -> list[Result]:
    """Two classes, to the last digits on both sides."""
    X, y = two_classes(small(200_000, quick), 30)
    return [
        race(
            f"LogisticRegression, {len(y):,} × 30 (weights within 1e-7)",
            lambda: LogisticRegression().fit(X, y),
            {"newton-cholesky": lambda: sk.LogisticRegression(solver="newton-cholesky", tol=1e-8).fit(X, y)},
            _by_weights,
            bars=dict.fromkeys(BOTH, 1.5),
        )
    ]


def dependent_columns(quick: bool) -> list[Result]:
    """Two columns of thirty are combinations of others, as `make_classification` has them."""
    X, y = make_classification(small(200_000, quick), 30, random_state=0)
    few, labels = make_classification(small(20_000, quick), 30, random_state=0)
    precisions = np.logspace(-4, 4, 20)

    def ours() -> Any:
        return validate_path(LogisticRegression(), few, labels, "C", precisions, cv=10, loss="log")

    def theirs() -> GridSearchCV:
        grid = {"C": precisions}
        return GridSearchCV(sk.LogisticRegression(), grid, cv=10, scoring="neg_log_loss").fit(few, labels)

    return [
        race(
            f"LogisticRegression, {len(y):,} × 30, two redundant columns",
            lambda: LogisticRegression().fit(X, y),
            {"newton-cholesky": lambda: sk.LogisticRegression(solver="newton-cholesky", tol=1e-8).fit(X, y)},
            _by_weights,
            bars=dict.fromkeys(BOTH, 1.3),
        ),
        race(
            f"10 folds × 20 values of C, {len(labels):,} × 30, two redundant columns",
            ours,
            {"GridSearchCV": theirs},
            lambda a, b: float(np.abs(a.test + b.cv_results_["mean_test_score"]).max()),
            runs=3,
            bars=dict.fromkeys(BOTH, 2.0),
        ),
    ]


def softmax_regression(quick: bool) -> list[Result]:
    """Ten classes, stopped where the gradient is as small as the peer's."""
    X, y = several_classes(small(50_000, quick), 50, 10)

    def ours(tol: float = 1e-3) -> LogisticRegression:
        return LogisticRegression(tol=tol, covariance=False).fit(X, y)

    def theirs() -> sk.LogisticRegression:
        return sk.LogisticRegression().fit(X, y)

    what = f"softmax of 10 classes, {len(y):,} × 50"
    return [
        race(what, ours, {"lbfgs": theirs}, _by_weights, bars=dict.fromkeys(BOTH, 1.5)),
        Figure(
            f"{what}: largest gradient, ours over the peer's",
            _gradient(ours(), X, y) / _gradient(theirs(), X, y),
            bar=1.0,
        ),
        race(f"{what}, ours to the last digits", lambda: ours(1e-14), {"lbfgs": theirs}, _by_weights),
    ]


def _gradient(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """The largest slope of the penalized log likelihood."""
    P = model.predict_proba(X)
    P[np.arange(len(y)), y] -= 1
    return float(max(np.abs(P.T @ X + model.coef_).max(), np.abs(P.sum(axis=0)).max()))


def absolute_values(quick: bool) -> list[Result]:
    """Lasso and elastic net: exact zeros against the peer's gradients of single rows, as exact as it can be made."""
    X, y = two_classes(small(20_000, quick), 30)
    Z, labels = several_classes(small(10_000, quick), 30, 3)

    def peer(C: float, share: float) -> sk.LogisticRegression:
        return sk.LogisticRegression(C=C, l1_ratio=share, solver="saga", tol=1e-6, max_iter=5000)

    return [
        race(
            f"LogisticRegression by the elastic net, {len(y):,} × 30",
            lambda: LogisticRegression(C=0.01, l1_ratio=0.5).fit(X, y),
            {"saga (tol=1e-6)": lambda: peer(0.01, 0.5).fit(X, y)},
            _by_weights,
            bars=dict.fromkeys(BOTH, 1.0),
        ),
        race(
            f"LogisticRegression by the lasso, 3 classes, {len(labels):,} × 30",
            lambda: LogisticRegression(C=0.02, l1_ratio=1.0).fit(Z, labels),
            {"saga (tol=1e-6)": lambda: peer(0.02, 1.0).fit(Z, labels)},
            _by_weights,
            runs=3,
            bars=dict.fromkeys(BOTH, 1.0),
        ),
    ]


def chosen_by_folds(quick: bool) -> list[Result]:
    """Classifiers that choose their penalty themselves, under the same names."""
    X, y = two_classes(small(20_000, quick), 30)
    given = {
        "Cs": 20,
        "cv": 10,
        "l1_ratios": (0.0,),
        "scoring": "neg_log_loss",
        "use_legacy_attributes": False,
    }
    alphas = np.logspace(-3, 3, 20)
    return [
        race(
            f"LogisticRegressionCV, 10 folds × 20 values of C, {len(y):,} × 30",
            lambda: LogisticRegressionCV(**given).fit(X, y),
            {"LogisticRegressionCV": lambda: sk.LogisticRegressionCV(**given).fit(X, y)},
            lambda a, b: relative(a.scores_, b.scores_),
            runs=3,
            bars=dict.fromkeys(BOTH, 3.0),
        ),
        race(
            f"RidgeClassifierCV, rows left out, 20 penalties, {len(y):,} × 30",
            lambda: RidgeClassifierCV(alphas).fit(X, y),
            {"RidgeClassifierCV": lambda: sk.RidgeClassifierCV(alphas).fit(X, y)},
            lambda a, b: abs(a.best_score_ - b.best_score_),
            runs=3,
            bars=dict.fromkeys(BOTH, 1.0),
        ),
    ]


def counts_and_probits(quick: bool) -> list[Result]:
    """Poisson regression against scikit-learn's, probit regression against statsmodels'."""
    import statsmodels.api as sm

    X, rng = inputs(small(200_000, quick), 30)
    counts = rng.poisson(np.exp(X @ rng.normal(0, 0.05, 30) + 0.5)).astype(float)
    labels = (X @ rng.normal(0, 0.3, 30) + rng.standard_normal(len(X)) > 0).astype(int)
    with_constant = sm.add_constant(X)
    return [
        race(
            f"PoissonRegression, {len(X):,} × 30",
            lambda: PoissonRegression().fit(X, counts),
            {"newton-cholesky": lambda: _poisson_peer().fit(X, counts)},
            _by_weights,
            why="Ours also finds standard errors, Pearson's χ² and the null deviance, which are three more passes.",
        ),
        race(
            f"ProbitRegression with standard errors, {len(X):,} × 30",
            lambda: ProbitRegression().fit(X, labels),
            {"statsmodels Probit": lambda: sm.Probit(labels, with_constant).fit(disp=0)},
            lambda a, b: relative(np.sqrt(np.diagonal(a.cov_params_)), b.bse),
        ),
    ]  # fmt: skip


def _poisson_peer() -> sk.PoissonRegressor:
    return sk.PoissonRegressor(alpha=0, solver="newton-cholesky", tol=1e-8)


def precisions_over_folds(quick: bool) -> list[Result]:
    """Ten folds times twenty precisions: exact refits, and every row left out approximately."""
    X, y = two_classes(small(20_000, quick), 30)
    cv = KFold(10)
    losses: Callable[[Any], np.ndarray] = lambda search: search.scores_.test.mean(axis=1)  # noqa: E731

    def theirs() -> sk.LogisticRegressionCV:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return sk.LogisticRegressionCV(Cs=1 / PRECISIONS, cv=cv, scoring="neg_log_loss").fit(X, y)

    def ours() -> SearchCV:
        grid = {"prior_precision": PRECISIONS.tolist()}
        return SearchCV(LogisticRegression(), grid, cv=cv, loss="log").fit(X, y)

    def nearly() -> Any:
        return validate_path(
            LogisticRegression(), X, y, "prior_precision", PRECISIONS, cv=LeaveOneOut(), loss="log", approximate=True
        )  # fmt: skip

    size = f"10 folds × 20 precisions, {len(y):,} × 30"
    peer = {"LogisticRegressionCV": theirs}
    return [
        race(
            f"{size}: exact refits",
            ours,
            peer,
            lambda a, b: float(np.abs(losses(a) + np.asarray(b.scores_[1]).mean(axis=0)).max()),
            runs=3,
            bars=dict.fromkeys(BOTH, 3.0),
        ),
        race(
            f"{size}: rows left out approximately",
            nearly,
            peer,
            lambda a, b: float(np.abs(a.test + np.asarray(b.scores_[1]).mean(axis=0)).max()),
            runs=3,
            bars={"all cores": 20.0},
        ),
        _left_out_error(X, y),
    ]


def _left_out_error(X: np.ndarray, y: np.ndarray) -> Figure:
    """How far the approximation is from exact refits, for a hundred rows and a weak prior."""
    near = cross_validate(LogisticRegression(), X, y, cv=LeaveOneOut(), loss="log", approximate=True)
    some = np.linspace(0, len(y) - 1, 100).astype(int)
    splits = [(np.delete(np.arange(len(y)), i), np.array([i])) for i in some]
    exact = cross_validate(LogisticRegression(), X, y, cv=splits, loss="log")
    gap = float(np.abs(near.losses[some] - exact.losses[some]).max())
    return Figure("rows left out approximately: largest error of a log loss, of 100 rows", gap, bar=1e-4)


def evidence_of_two_weights(quick: bool) -> list[Result]:
    """log p(y) of two weights, by quadrature and Laplace, against adaptive integration."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((25, 2))
    y = (rng.random(25) < expit(X @ [1.0, -0.5])).astype(int)
    sign = 2 * y - 1

    def log_joint(a: float, b: float) -> float:
        return float(-np.logaddexp(0, -sign * (X @ [a, b])).sum() - 0.5 * (a * a + b * b) - np.log(2 * np.pi))

    top = max(log_joint(a, b) for a in np.linspace(-2, 3, 40) for b in np.linspace(-3, 2, 40))
    mass, _ = dblquad(lambda b, a: np.exp(log_joint(a, b) - top), -9, 9, -9, 9, epsabs=1e-13, epsrel=1e-12)
    exact = float(logsumexp([np.log(mass), -np.inf]) + top)

    def gap(inference: Any) -> float:
        model = BayesianLogisticRegression(1.0, fit_intercept=False, inference=inference).fit(X, y)
        return abs(model.log_evidence_ - exact)

    return [
        Figure("log evidence of 2 weights by quadrature: error", gap(Quadrature()), bar=1e-8),
        Figure("log evidence of 2 weights by Laplace's approximation: error", gap(LaplaceApproximation())),
    ]


ROWS = (
    logistic_regression,
    dependent_columns,
    softmax_regression,
    absolute_values,
    chosen_by_folds,
    counts_and_probits,
    precisions_over_folds,
    evidence_of_two_weights,
)
