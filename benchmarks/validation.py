"""Validation without refitting, against scikit-learn's refits on the same folds with the same score."""

from __future__ import annotations

import numpy as np
from sklearn import linear_model as sk
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneOut, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from benchmarks.harness import Figure, Race, Result, Work, _timed, nullcontext, race, relative, weigh
from benchmarks.tables import BOTH, small, table
from suffice.bases import Polynomial
from suffice.evaluation import SearchCV, cross_validate, select_features, two_layer, validate_path
from suffice.linear import LinearRegression, Ridge
from suffice.statistics import Triangle

SCORE = "neg_mean_squared_error"


def _ways(work, quick: bool) -> dict[str, Work]:
    """The peer in one process, and over all cores by its own `n_jobs`."""
    ways = {"scikit-learn": lambda: work(None)}
    return ways if quick else ways | {"n_jobs=-1": lambda: work(-1)}


def ridge_search(quick: bool) -> list[Result]:
    """Twenty penalties, ten folds: plain, and behind a scaler."""
    X, y = table(small(100_000, quick), 30)
    grid = np.logspace(-3, 4, 20)
    scaled = (make_pipeline(StandardScaler(), Ridge()), make_pipeline(StandardScaler(), sk.Ridge()))
    return [
        _search("20 penalties × 10 folds of ridge", Ridge(), sk.Ridge(), "alpha", grid, X, y, quick),
        _search("the same behind a StandardScaler", *scaled, "ridge__alpha", grid, X, y, quick),
    ]


def _search(what: str, ours, theirs, name: str, grid, X, y, quick: bool) -> Race:
    def our() -> np.ndarray:
        search = SearchCV(ours, {name: grid}, cv=KFold(10)).fit(X, y)
        assert search.how_ == "statistics", search.notes_
        return search.cv_results_["mean_test_score"]

    def their(n_jobs: int | None) -> np.ndarray:
        search = GridSearchCV(theirs, {name: grid}, cv=KFold(10), scoring=SCORE, n_jobs=n_jobs).fit(X, y)
        return search.cv_results_["mean_test_score"]

    what = f"{what}, {len(y):,} × {X.shape[1]}"
    return race(what, our, _ways(their, quick), relative, runs=3, bars=dict.fromkeys(BOTH, 100.0))


def forward_selection(quick: bool) -> list[Result]:
    """Twelve of thirty columns, ten folds."""
    X, y = table(small(20_000, quick), 30)

    def their(n_jobs: int | None) -> list[int]:
        chosen = SequentialFeatureSelector(
            sk.LinearRegression(), n_features_to_select=12, cv=KFold(10), scoring=SCORE, n_jobs=n_jobs
        )
        return chosen.fit(X, y).get_support(indices=True).tolist()

    return [
        race(
            f"forward selection to 12 of 30 columns, 10 folds, {len(y):,} rows",
            lambda: list(select_features(LinearRegression(), X, y, cv=KFold(10), n_features=12).selected),
            _ways(their, quick),
            lambda a, b: float(a != b),
            runs=3,
            bars=dict.fromkeys(BOTH, 500.0),
        )
    ]


def nested(quick: bool) -> list[Result]:
    """Two layers of ten folds over thirty penalties."""
    X, y = table(small(5_000, quick), 60)
    grid = np.logspace(-3, 4, 30)

    def their(n_jobs: int | None) -> np.ndarray:
        search = GridSearchCV(sk.Ridge(), {"alpha": grid}, cv=KFold(10), scoring=SCORE)
        return -cross_val_score(search, X, y, cv=KFold(10), scoring=SCORE, n_jobs=n_jobs)

    def our() -> np.ndarray:
        return two_layer({"ridge": (Ridge(), {"alpha": grid})}, X, y, KFold(10), KFold(10)).errors["ridge"]

    what = f"two layers 10 × 10 over 30 penalties, {len(y):,} × 60"
    bars = {"one thread": 50.0, "all cores": 80.0}
    return [race(what, our, _ways(their, quick), relative, runs=3, bars=bars)]


def leave_one_out(quick: bool) -> list[Result]:
    """Every row left out once. The peer refits only some of them, and its seconds are scaled up."""
    n = small(2_000, quick)
    X, y = table(n, 60 if not quick else 10)
    ours = LinearRegression()
    return [
        _left_out(
            f"leave-one-out of least squares, {n:,} × {X.shape[1]}",
            lambda: cross_validate(ours, X, y, cv=LeaveOneOut()).losses,
            lambda cv: -cross_val_score(sk.LinearRegression(), X, y, cv=cv, scoring=SCORE),
            n,
            100 if quick else 400,
            1000.0,
        ),
        _orders(small(5_000, quick), quick),
    ]


def _left_out(what: str, ours, theirs, n: int, some: int, bar: float) -> Race:
    splits = [(np.delete(np.arange(n), i), np.array([i])) for i in range(min(some, n))]
    return race(
        f"{what} (peer: {len(splits)} rows, scaled)", ours, {"scikit-learn": lambda: theirs(splits)},
        lambda a, b: relative(np.asarray(a)[..., : len(splits)], b), runs=3, share=len(splits) / n,
        bars=dict.fromkeys(BOTH, bar),
    )  # fmt: skip


def _orders(n: int, quick: bool) -> Race:
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, (n, 1))
    y = np.sin(3 * x[:, 0]) + 0.1 * rng.standard_normal(n)
    model = LinearRegression(basis=Polynomial(1))

    def peer(order: int) -> Pipeline:
        return make_pipeline(PolynomialFeatures(order), sk.LinearRegression(fit_intercept=False))

    def theirs(splits: list) -> np.ndarray:
        return -np.array([cross_val_score(peer(k), x, y, cv=splits, scoring=SCORE) for k in range(13)])

    def ours() -> np.ndarray:
        return validate_path(model, x, y, "basis__degree", range(13), cv=LeaveOneOut()).fold_test

    what = f"polynomial orders 0…12 by leave-one-out, {n:,} rows"
    return _left_out(what, ours, theirs, n, 20 if quick else 50, 5000.0)


def large(quick: bool) -> list[Result]:
    """A million rows: how much more than reading them once?"""
    X, y = table(small(1_000_000, quick), 30)
    folds, grid = KFold(10, shuffle=True, random_state=0), np.logspace(-3, 4, 20)
    works = {
        "once": lambda: Triangle.of(X, y),
        "path": lambda: validate_path(Ridge(), X, y, "alpha", grid, cv=folds),
    }
    seconds = {k: np.median([_timed(nullcontext, w)[0] for _ in range(3)]) for k, w in works.items()}
    ratio, size = seconds["path"] / seconds["once"], f"{len(y):,} × 30"
    beside = f"{seconds['path']:.2f} s; Triangle.of {seconds['once']:.2f} s"
    what = f"20 penalties × 10 shuffled folds over one Triangle.of, {size}"
    return [Figure(what, float(ratio), "×", 3.0, beside), _memory(small(100_000, quick))]


LOO = """
import numpy as np
from sklearn.model_selection import LeaveOneOut
from suffice.evaluation import cross_validate
from suffice.linear import LinearRegression
rng = np.random.default_rng(0)
X, y = rng.standard_normal(({n}, 32)), rng.standard_normal({n})
cross_validate(LinearRegression(), X[:100], y[:100], cv=LeaveOneOut())
"""


def _memory(n: int) -> Figure:
    cost = weigh(LOO.format(n=n), "cross_validate(LinearRegression(), X, y, cv=LeaveOneOut())")
    beside = f"{cost['seconds']:.2f} s; the table: {n * 33 * 8 / 2**20:,.0f} MB"
    return Figure(f"peak memory of leave-one-out, {n:,} × 32", cost["megabytes"], "MB", 200.0, beside)


ROWS = (ridge_search, forward_selection, nested, leave_one_out, large)
