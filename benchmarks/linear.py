"""Sparse linear models against scikit-learn's, at a gap that is at least as small."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn import linear_model as sk
from sklearn.base import clone
from statsmodels.regression.quantile_regression import QuantReg

from benchmarks.harness import Figure, Race, Result, race, relative
from benchmarks.tables import BOTH, small, table
from suffice.generative import Perceptron
from suffice.linear import (
    ARDRegression,
    ConjugateLinearRegression,
    Lasso,
    LassoCV,
    LeastAbsoluteDeviations,
    LeastMeanSquares,
    RidgeCV,
)
from suffice.statistics import Triangle

PENALTIES = 50


def lasso_path(quick: bool) -> list[Result]:
    """Fifty penalties over three decades, tall and wide.

    Our gap is rounding; the peer's is `tol` of the variance, by default 1e-4, and costs it more the smaller it is.
    """
    tall = table(small(10_000, quick), 500 if not quick else 50)
    wide = _sparse(200, 5_000 if not quick else 400)
    return [
        _path("from statistics", *tall, 1e-7, gathered=True, bar=2.0),
        _path("from the table", *tall, 1e-7, gathered=False, bar=2.0),
        _path("from statistics", *wide, 1e-4, gathered=True, bar=1.0),
        _path("from the table", *wide, 1e-4, gathered=False, bar=None),
        _path("from the table", *wide, 1e-5, gathered=False, bar=1.0),
        _gap(*tall),
        _gap(*wide),
    ]


def _sparse(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Thirty columns matter."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    return X, X[:, :30] @ rng.standard_normal(30) + rng.standard_normal(n)


def _penalties(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    largest = np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / len(y)
    return largest * np.logspace(0, -3, PENALTIES)


def _path(how: str, X: np.ndarray, y: np.ndarray, tol: float, *, gathered: bool, bar: float | None) -> Race:
    """Weights of every penalty; the peer gets centred columns, in the order that suits it."""
    alphas, known = _penalties(X, y), Triangle.of(X, y)
    centred, target = np.asfortranarray(X - X.mean(axis=0)), y - y.mean()

    def ours() -> np.ndarray:
        return (
            Lasso().solve_paths([known if gathered else Triangle.of(X, y)], "alpha", alphas)[0].function.slope
        )

    def theirs() -> np.ndarray:
        return sk.lasso_path(centred, target, alphas=alphas, tol=tol, max_iter=100_000)[1]

    what = f"lasso, {PENALTIES} penalties {how}, {X.shape[0]:,} × {X.shape[1]:,} (peer: tol={tol:g})"
    return race(
        what, ours, {"scikit-learn": theirs}, relative, runs=3,
        bars={} if bar is None else dict.fromkeys(BOTH, bar),
        why="One triangle serves all penalties, folds and subsets, and is most of the time of a single path.",
    )  # fmt: skip


def _gap(X: np.ndarray, y: np.ndarray) -> Figure:
    """The largest duality gap along the path, of the variance of y."""
    t = Triangle.of(X, y)
    gaps = [Lasso(a).solve(t).dual_gap_ for a in _penalties(X, y)[:: PENALTIES // 5]]
    return Figure(
        f"duality gap of the lasso, {X.shape[0]:,} × {X.shape[1]:,}", max(gaps) / np.var(y), "", 1e-10
    )


def chosen_penalties(quick: bool) -> list[Result]:
    """Penalties chosen by rows left out; the peer's lasso at its default tolerance, and at one near rounding."""
    X, y = table(small(100_000, quick), 30)
    grid = np.geomspace(1e-2, 1e4, 20)
    A, b = table(small(20_000, quick), 50)
    why = "The peer's default tol=1e-4 leaves gaps that ours closes; the bar is against the same digits."
    races = [
        race(
            f"RidgeCV, every row left out, {len(grid)} penalties, {len(y):,} × 30",
            lambda: RidgeCV(grid).fit(X, y).coef_,
            {"scikit-learn RidgeCV": lambda: sk.RidgeCV(grid).fit(X, y).coef_},
            relative, runs=3, bars=dict.fromkeys(BOTH, 3.0),
        ),
    ]  # fmt: skip
    for tol, bar in ((1e-4, None), (1e-8, 1.0)):
        races.append(
            race(
                f"LassoCV, 100 penalties × 5 folds, {len(b):,} × 50 (peer: tol={tol:g})",
                lambda: LassoCV().fit(A, b).coef_,
                {"scikit-learn LassoCV": lambda tol=tol: sk.LassoCV(tol=tol, max_iter=100_000).fit(A, b).coef_},
                relative, runs=3, bars={} if bar is None else dict.fromkeys(BOTH, bar), why=why,
            )
        )  # fmt: skip
    return races


def relevance(quick: bool) -> list[Result]:
    """One precision per weight, ten of fifty columns: to scikit-learn's default, and to the same answer as ours.

    The comparison counts columns that only one of the two keeps.
    """
    X, y = _ten_columns(small(20_000, quick), 50)
    plain = dict.fromkeys(("alpha_1", "alpha_2", "lambda_1", "lambda_2"), 0.0)
    peers = {
        "scikit-learn ARDRegression": ({}, "", None),
        "scikit-learn ARDRegression(tol=1e-10)": (
            plain | {"tol": 1e-10, "max_iter": 10_000},
            ", converged",
            10.0,
        ),
    }
    return [
        race(
            f"ARDRegression, {len(y):,} × 50{what}",
            lambda: ARDRegression().fit(X, y),
            {name: lambda options=options: sk.ARDRegression(**options).fit(X, y)},
            lambda ours, theirs: float(np.sum((ours.coef_ != 0) != (theirs.coef_ != 0))),
            bars={} if bar is None else dict.fromkeys(BOTH, bar),
            why="The peer stops when weights move by less than 1e-3 in total, after a few products XᵀX; ours reads "
            "the rows once, which is most of its time, and maximizes the evidence to rounding.",
        )
        for name, (options, what, bar) in peers.items()
    ]


def _ten_columns(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Correlated columns of which ten matter."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((n, d)) @ (np.eye(d) + 0.1 * rng.standard_normal((d, d)))
    return X, 3 + X[:, :10] @ rng.uniform(0.5, 2.0, 10) + rng.standard_normal(n)


def medians(quick: bool) -> list[Result]:
    """Least absolute deviations, against the faster of two peers."""
    X, y = table(small(10_000, quick), 10)
    noisy = y + np.random.default_rng(1).standard_t(2, len(y))
    design = np.column_stack([np.ones(len(y)), X])

    def theirs() -> np.ndarray:
        return QuantReg(noisy, design).fit(q=0.5, max_iter=10_000).params

    def ours() -> np.ndarray:
        model = LeastAbsoluteDeviations().fit(X, noisy)
        return np.append(model.intercept_, model.coef_)

    what = f"LeastAbsoluteDeviations, {len(y):,} × 10"
    return [race(what, ours, {"statsmodels QuantReg": theirs}, relative, runs=3)]


def online(quick: bool) -> list[Result]:
    """Rules that take one row after the other: least mean squares in one pass, the perceptron until its loss stays."""
    X, y = table(small(20_000, quick), 10)
    rate = 0.5 / np.square(X).sum(axis=1).max()
    peer = sk.SGDRegressor(
        penalty=None, learning_rate="constant", eta0=rate, max_iter=1, tol=None, shuffle=False
    )

    def theirs() -> np.ndarray:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return clone(peer).fit(X, y).coef_

    return [
        race(
            f"LeastMeanSquares, one pass, {len(y):,} × 10",
            lambda: LeastMeanSquares(rate).fit(X, y).coef_,
            {"scikit-learn SGDRegressor": theirs},
            relative,
            runs=3,
            why="The steps of both are compiled; ours also keeps the mean φφᵀ of the rows for the stable rate.",
        ),
        race(
            f"Perceptron, rows in order, {len(y):,} × 10",
            lambda: Perceptron(shuffle=False).fit(X, y > 0).coef_,
            {"scikit-learn Perceptron": lambda: sk.Perceptron(shuffle=False).fit(X, y > 0).coef_},
            relative,
            runs=3,
        ),
    ]


def conjugate(quick: bool) -> list[Result]:
    """Weights and noise both unknown; the peer finds precisions instead of integrating the noise out."""
    X, y = table(small(200_000, quick), 30)
    return [
        race(
            f"ConjugateLinearRegression, {len(y):,} × 30",
            lambda: ConjugateLinearRegression().fit(X, y).coef_,
            {"scikit-learn BayesianRidge": lambda: sk.BayesianRidge().fit(X, y).coef_},
            relative,
            runs=3,
        )
    ]


ROWS = (lasso_path, chosen_penalties, relevance, medians, online, conjugate)
