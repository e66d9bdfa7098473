"""Pipelines of scikit-learn's steps with a model at their end, the library's or not, against refitted Pipelines."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import linear_model, preprocessing
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from suffice.bases import Polynomial
from suffice.evaluation import cross_validate, validate_path
from suffice.prepare import BasisTransformer, Centerer, Standardizer, Whitener

from ..contract.registry import ENTRIES
from .loops import groups_for, refitted
from .models import build, pick
from .roads import (
    check_answers,
    check_losses,
    honest_splits,
    loops_over,
    unit_of_losses,
    wants_dist,
    well_posed,
)
from .tables import Problem, draw
from .trial import Skip, Trial

ENDS = [e for e in ENTRIES if e.predicts and e.takes == "numbers"]
STEPS = {
    "StandardScaler": lambda t, p: StandardScaler(),
    "no mean": lambda t, p: StandardScaler(with_mean=False),
    "no std": lambda t, p: StandardScaler(with_std=False),
    "Standardizer": lambda t, p: Standardizer(),
    "Centerer": lambda t, p: Centerer(),
    "Whitener": lambda t, p: Whitener(),
    "MinMaxScaler": lambda t, p: preprocessing.MinMaxScaler(),
    "MaxAbsScaler": lambda t, p: preprocessing.MaxAbsScaler(),
    "RobustScaler": lambda t, p: preprocessing.RobustScaler(),
    "Normalizer": lambda t, p: preprocessing.Normalizer(),
    "QuantileTransformer": lambda t, p: preprocessing.QuantileTransformer(n_quantiles=5),
    "powers": lambda t, p: preprocessing.PolynomialFeatures(2, include_bias=t.chance(0.3)),
    "products": lambda t, p: preprocessing.PolynomialFeatures(2, interaction_only=True, include_bias=False),
    "splines": lambda t, p: preprocessing.SplineTransformer(n_knots=3, degree=2),
    "basis": lambda t, p: BasisTransformer(basis=Polynomial(2)),
    "passthrough": lambda t, p: "passthrough",
    "function": lambda t, p: FunctionTransformer(np.tanh),
    "some columns": lambda t, p: ColumnTransformer([("s", StandardScaler(), [0])], remainder="passthrough"),
    "picked columns": lambda t, p: ColumnTransformer([("keep", "passthrough", list(range(p))[:2])]),
    "one hot": lambda t, p: ColumnTransformer(
        [("h", OneHotEncoder(handle_unknown="ignore", sparse_output=t.chance(0.5)), [0])], remainder="passthrough"
    ),
    "union": lambda t, p: FeatureUnion([("a", StandardScaler()), ("b", "passthrough")]),
    "imputed": lambda t, p: SimpleImputer(),
    "PCA": lambda t, p: PCA(min(2, p)),
    "selected": lambda t, p: SelectKBest(k=1),
    "varying": lambda t, p: VarianceThreshold(),
    "nested": lambda t, p: make_pipeline(StandardScaler(), Centerer()),
}  # fmt: skip
FOREIGN = {
    "LinearRegression": lambda t: linear_model.LinearRegression(),
    "Ridge": lambda t: linear_model.Ridge(t.one([1e-3, 1.0, 50.0])),
    "BayesianRidge": lambda t: linear_model.BayesianRidge(),
}


def pipelines(trial: Trial) -> None:
    """Validation, or a path along the last step's parameter, of a Pipeline."""
    entry = pick(trial, ENDS)
    problem = draw(trial, entry, weighted=0.25)
    p = problem.X.shape[1]
    end = build(trial, entry)
    if entry.kind == "regressor" and trial.chance(0.15):
        end = FOREIGN[trial.one(FOREIGN)](trial)
    elif entry.kind == "classifier" and trial.chance(0.1):
        end = GaussianNB()
    names = [trial.one(STEPS) for _ in range(trial.one([1, 1, 2, 3]))]
    trial.note("steps: " + ", ".join(names))
    model = Pipeline([*((f"s{i}", STEPS[k](trial, p)) for i, k in enumerate(names)), ("end", end)])
    trial.note(type(end).__name__)
    cv, splits = honest_splits(trial, problem, model)
    well_posed(trial, model, problem, splits)
    if trial.chance(0.25) and entry.kind == "regressor" and "alpha" in end.get_params():
        along(trial, model, problem, cv, splits)
    else:
        through(trial, model, problem, cv, splits)


def through(trial: Trial, model: Any, problem: Problem, cv: Any, splits: Any) -> None:
    loss = (
        "misclassification"
        if problem.y.dtype.kind != "f" or hasattr(model, "classes_")
        else trial.one(["squared", "absolute"])
    )
    if loss != "misclassification" and model.__sklearn_tags__().estimator_type == "classifier":
        loss = "misclassification"
    found = trial.ask(
        cross_validate,
        model,
        problem.X,
        problem.y,
        cv=cv,
        loss=loss,
        sample_weight=problem.weight,
        groups=groups_for(cv, problem),
    )
    trial.note(f"how: {found.how}")
    brute = trial.honest(refitted, model, problem, splits, wants_dist(model))
    once = np.bincount(np.concatenate([b for _, b in splits]), minlength=len(problem)).max() <= 1
    check_answers(trial, found, brute, problem, once)
    check_losses(trial, found.fold_losses, found.estimate, loss, brute, problem, splits)


def along(trial: Trial, model: Any, problem: Problem, cv: Any, splits: Any) -> None:
    values = [1e-4, 1.0, 300.0]
    trial.note("end__alpha in", values)
    if not isinstance(model[-1].alpha, float):
        raise Skip("no number")
    found = trial.ask(
        validate_path, model, problem.X, problem.y, "end__alpha", values, cv, loss="squared",
        sample_weight=problem.weight, groups=groups_for(cv, problem),
    )  # fmt: skip
    trial.note(f"how: {found.how}")
    theirs, _ = loops_over(trial, model, [{"end__alpha": v} for v in values], problem, splits, "squared")
    trial.same("losses of the path", found.fold_test, theirs, unit_of_losses("squared", theirs, problem.y))
