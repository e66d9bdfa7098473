"""A study against the same study in scikit-learn: 10,000 rows of 20 columns of all kinds, two layers of five folds.

Both sides compare the models that both libraries have, on the same splits and with the same grids; references from
outside are left out on both. Scikit-learn's side is the usual script: a ColumnTransformer (imputing with indicators,
one-hot columns, scaling) and the model in a Pipeline, in a GridSearchCV where there is a grid, in a loop over the outer
folds, with all cores. Ours is a `Study`, and of its steps those that do the same: reading, validating, comparing. The
seconds with everything else (audit, description, importances, learning curve, sensitivity) stand beside.

Ours standardizes within training sets as the Pipeline does, but learns medians and levels from all rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn import linear_model as sk
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from benchmarks.harness import Figure, Result
from benchmarks.tables import small
from suffice.study import Study, StudyResult
from suffice.study.models import chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read

ROWS_OF_TABLE = 10_000
NUMBERS, LEVELS = 14, (2, 3, 4, 3)  # and a flag and a count: 20 columns
REGRESSION = ("linear", "ridge", "lasso", "bayesian", "quadratic")
BINARY = ("logistic", "lda", "qda", "gaussian-nb")
AGREE = (*REGRESSION, "logistic", "lda")  # our QDA shrinks, and their naive Bayes adds to every variance


def mixed(n: int, task: str) -> pd.DataFrame:
    """Numbers of several scales with gaps, categories, a flag and a count; the target depends on some of them."""
    rng = np.random.default_rng(12)
    X = rng.standard_normal((n, NUMBERS))
    columns: dict[str, Any] = {f"x{j}": X[:, j] * 10.0 ** (j % 3) for j in range(NUMBERS)}
    for j in (0, 7):
        columns[f"x{j}"] = np.where(rng.random(n) < 0.05, np.nan, columns[f"x{j}"])
    for j, k in enumerate(LEVELS):
        columns[f"c{j}"] = np.array([f"level {i}" for i in range(k)])[rng.integers(0, k, n)]
    columns |= {"flag": rng.random(n) < 0.3, "count": rng.poisson(3.0, n)}
    score = X @ rng.normal(0, 0.5, NUMBERS) + (columns["c1"] == "level 1") + 0.5 * columns["flag"]
    if task == "regression":
        return pd.DataFrame(columns | {"y": score + 0.3 * X[:, 1] * X[:, 2] + rng.standard_normal(n)})
    yes = score - score.mean() + rng.logistic(size=n) > 0
    return pd.DataFrame(columns | {"y": np.where(yes, "yes", "no")})


# -- scikit-learn's side ------------------------------------------------------------------------------------------
def prepared(scaled: bool = True) -> ColumnTransformer:
    """Columns as numbers, in units of their spread."""
    scale = [StandardScaler()] if scaled else []
    numbers = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), *scale)
    words = make_pipeline(OneHotEncoder(drop="first", sparse_output=False), *scale)
    some = [f"x{j}" for j in range(NUMBERS)] + ["count"]
    return ColumnTransformer(
        [("numbers", numbers, some), ("words", words, [f"c{j}" for j in range(4)] + ["flag"])]
    )


def peers(grids: dict[str, dict[str, Any]]) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Their models by our names, with our grids in their parameters."""
    quadratic = make_pipeline(PolynomialFeatures(2, include_bias=False), StandardScaler(), sk.Ridge())
    found: dict[str, tuple[Any, str | None]] = {
        "linear": (sk.LinearRegression(), None),
        "ridge": (sk.Ridge(), "alpha"),
        "lasso": (sk.Lasso(), "alpha"),
        "bayesian": (sk.BayesianRidge(), None),
        "quadratic": (quadratic, "ridge__alpha"),
        "logistic": (sk.LogisticRegression(max_iter=1000), "C"),
        "lda": (LinearDiscriminantAnalysis(), None),
        "qda": (QuadraticDiscriminantAnalysis(reg_param=1e-3), None),
        "gaussian-nb": (GaussianNB(), None),
    }
    out = {}
    for name, grid in grids.items():
        model, parameter = found[name]
        values = [v for vs in grid.values() for v in vs]
        values = [1 / v for v in values] if parameter == "C" else values
        step = type(model).__name__.lower()
        whole = (
            make_pipeline(prepared(scaled=False), *(s for _, s in model.steps))
            if name == "quadratic"
            else None
        )
        key = "ridge__alpha" if name == "quadratic" else f"{step}__{parameter}"
        out[name] = (whole or make_pipeline(prepared(), model), {key: values} if values else {})
    return out


def their_study(
    table: pd.DataFrame, task: str, models: dict[str, tuple[Any, dict[str, Any]]]
) -> dict[str, float]:
    """The mean loss of every model over the outer folds."""
    X, y = table.drop(columns="y"), table["y"].to_numpy()
    kind, scoring = (
        (KFold, "neg_mean_squared_error") if task == "regression" else (StratifiedKFold, "neg_log_loss")
    )
    folds = kind(5, shuffle=True, random_state=0)
    losses: dict[str, float] = {}
    for name, (model, grid) in models.items():
        whole = GridSearchCV(model, grid, scoring=scoring, cv=folds, n_jobs=-1) if grid else model
        held = 0.0
        for train, test in folds.split(X, y):
            fitted = clone(whole).fit(X.iloc[train], y[train])
            held += len(test) * _loss(fitted, X.iloc[test], y[test], task)
        losses[name] = held / len(y)
    return losses


def _loss(fitted: Any, X: pd.DataFrame, y: np.ndarray, task: str) -> float:
    if task == "regression":
        return float(mean_squared_error(y, fitted.predict(X)))
    return float(log_loss(y, fitted.predict_proba(X), labels=fitted.classes_))


# -- both ---------------------------------------------------------------------------------------------------------
def _seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    answer = work()
    return time.perf_counter() - start, answer


def _study(task: str, names: tuple[str, ...], quick: bool) -> list[Result]:
    table = mixed(small(ROWS_OF_TABLE, quick), task)
    problem = make_problem(read(table), Options("y", references=False))
    suited = [
        c for c in chosen_candidates(problem, None, False)[0] if c.name in names
    ]  # not those too wide for it
    grids = {c.name: c.study.grid(problem) for c in suited if c.study is not None}
    names = tuple(grids)
    whole, result = _seconds(lambda: Study(table, "y", models=names, references=False).run())
    theirs, losses = _seconds(lambda: their_study(table, task, peers(grids)))
    found: StudyResult = result
    steps = found.appendix.seconds
    ours = sum(s for name, s in steps.items() if name.startswith(("read", "validate", "compare")))
    apart = max(abs(found.comparison.of(n).estimate / losses[n] - 1) for n in names if n in AGREE)  # type: ignore[union-attr]
    size = f"{len(table):,} × 20 mixed, {len(names)} models"
    beside = f"ours {ours:.1f} s ({whole:.1f} s with everything else), scikit-learn {theirs:.1f} s"
    beside += f"; losses agree to {apart:.1%}"
    return [
        Figure(
            f"our seconds over scikit-learn's, study of a {task} problem, {size}",
            ours / theirs,
            "",
            0.1,
            beside,
        )
    ]


def study_same(quick: bool) -> list[Result]:
    """The models that both libraries have."""
    return [*_study("regression", REGRESSION, quick), *_study("binary", BINARY, quick)]


def study_whole(quick: bool) -> list[Result]:
    """Everything that `suffice study` does by default, references from outside included."""
    out: list[Result] = []
    for task in ("regression", "binary"):
        table = mixed(small(ROWS_OF_TABLE, quick), task)
        seconds, result = _seconds(Study(table, "y").run)
        models = [m for m in result.comparison.models if m.kind == "model"]
        beside = (
            f"{len(models)} models of ours and {len(result.comparison.models) - len(models) - 1} references"
        )
        out.append(
            Figure(f"whole study of a {task} problem, {len(table):,} × 20 mixed", seconds, "s", 60.0, beside)
        )
    return out


ROWS = (study_same, study_whole)
