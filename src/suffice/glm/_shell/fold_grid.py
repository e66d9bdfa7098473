r"""Fits of one model to all folds but one, for a grid of penalties, and how well each does on what it has not seen.

`Refits.refits` fits all folds along `C` together. A fold whose training rows lack a class has no maximum: the
probability of that class goes to zero. It is fitted to the classes that are left, and the weights of the others are
zero, their constant −∞. A softmax of two classes is a logistic regression with weights δ = w₁ − w₀ in the penalty
α (ρ Σ|δ| + ¼ (1 − ρ) Σ δ²).
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import make_scorer

from suffice._core.linalg import EPS
from suffice._core.records import record
from suffice.engine import Rows
from suffice.glm._fit.plan import Plan
from suffice.glm._shell.peer_penalty import precision, share_of_absolutes
from suffice.statistics.folds import Folds


@record
class FoldGrid:
    """Per fold, share of absolute values and C: weights (folds, shares, Cs, functions, d + 1 with the constant last,
    where there is one), scores and steps."""

    paths: np.ndarray
    scores: np.ndarray
    steps: np.ndarray


@record
class FoldScorer:
    """What a fold's models are scored on: a scorer, the rows it asks for, and what else it is given, row by row."""

    scorer: Any
    X: Any
    labels: np.ndarray
    given: Mapping[str, Any]
    codes: Any = (
        None  # of the labels, and the name of the scorer, where it is one that is known by its formula
    )
    known: str | None = None

    def score(self, model: Any, test: Any) -> float:
        given = {k: np.asarray(v)[test] for k, v in self.given.items()}
        weight = given.get("sample_weight")
        counts = set(given) <= {"sample_weight"} and (weight is None or np.sum(weight) > 0)
        if self.known in FORMULAS and counts:
            each = FORMULAS[self.known](model, self.X[test], self.codes[test])
            return float(np.average(each, weights=weight))
        return float(self.scorer(model, self.X[test], self.labels[test], **given))


def _right(model: Any, X: Any, codes: np.ndarray) -> np.ndarray:
    return model.predict(X) == model.classes_[codes]


def _log_probability(model: Any, X: Any, codes: np.ndarray) -> np.ndarray:
    """As scikit-learn counts it: probabilities are no nearer to 0 and 1 than rounding."""
    p = model.predict_proba(X)[np.arange(len(codes)), codes]
    return np.log(np.clip(p, EPS, 1 - EPS))


FORMULAS = {"accuracy": _right, "neg_log_loss": _log_probability}  # other scorers take ten times as long


def fold_grid(
    model: Any,
    rows: Rows,
    plan: Plan,
    folds: Folds,
    shares: Sequence[float],
    Cs: np.ndarray,
    fold_scorer: FoldScorer,
) -> FoldGrid:
    """All fits of the grid, scored."""
    models = {
        (s, j, i): fitted
        for s, share in enumerate(shares)
        for j, along in enumerate(_along(model, rows, plan, folds, share, Cs))
        for i, fitted in enumerate(along)
    }
    size = (len(folds), len(shares), len(Cs))
    scores, steps, paths = np.empty(size), np.zeros(size, dtype=np.int32), []
    for i in range(len(folds)):
        for s in range(len(shares)):
            for j in range(len(Cs)):
                fitted = models[s, j, i]
                scores[i, s, j] = fold_scorer.score(fitted, folds.test(i))
                steps[i, s, j] = max(1, fitted.n_iter_[0])
                paths.append(weights_of(fitted))
    return FoldGrid(np.stack(paths).reshape(*size, *paths[0].shape), scores, steps)


def weights_of(model: Any) -> np.ndarray:
    """(functions, d), and the constant in a last column where there is one."""
    return np.column_stack([model.coef_, model.intercept_]) if model.fit_intercept else model.coef_


def with_weights(model: Any, weights: np.ndarray) -> Any:
    """A copy of a fitted model with other weights, its constants last."""
    new = copy.copy(model)
    new.coef_ = weights[:, :-1] if model.fit_intercept else weights
    new.intercept_ = weights[:, -1] if model.fit_intercept else np.zeros(len(weights))
    return new


def _along(model: Any, rows: Rows, plan: Plan, folds: Folds, share: float, Cs: np.ndarray) -> list[list[Any]]:
    """Fitted models, a list per C; what has not been fitted together is fitted by itself."""
    mine = clone(model).set_params(l1_ratio=share)
    fitted = mine.refits(rows, plan, folds, "C", Cs.tolist())
    for j, C in enumerate(Cs.tolist()):
        for i in range(len(folds)):
            if isinstance(fitted[j][i], Exception):
                raise fitted[j][i]
            if fitted[j][i] is None:
                fitted[j][i] = _alone(clone(mine).set_params(C=C), rows, plan, folds.train(i))
            fitted[j][i].__dict__.pop("feature_names_in_", None)  # it is asked for rows without names
    return fitted


def _alone(model: Any, rows: Rows, plan: Plan, train: Any) -> Any:
    codes = rows.Y[train] if rows.weight is None else rows.Y[train][rows.weight[train] > 0]
    seen = np.unique(codes).astype(np.intp)
    if len(seen) == len(plan.classes):
        return model._fit_rows(rows[train], plan, None)
    d = plan.n_columns - 1
    weights = np.zeros((len(plan.classes), d + 1))
    weights[:, -1] = -np.inf
    weights[seen] = _among(model, rows, plan, train, seen)
    if len(plan.classes) == 2:
        weights = np.append(np.zeros(d), np.inf if seen[0] else -np.inf)[None]
    carrier = clone(model)._fit_rows(rows, plan, None)
    carrier.coef_, carrier.intercept_ = weights[:, :-1], weights[:, -1]
    return carrier


def _among(model: Any, rows: Rows, plan: Plan, train: Any, seen: np.ndarray) -> np.ndarray:
    """Weights of the classes that the training rows have, the constants last."""
    if len(seen) == 1:
        return np.zeros((1, plan.n_columns))
    some = clone(model)
    if isinstance(some.class_weight, Mapping):
        names = plan.classes[seen].tolist()
        some.class_weight = {c: w for c, w in some.class_weight.items() if c in names}
    if len(seen) == 2:
        alpha, rho = precision(some), share_of_absolutes(some)
        both = alpha * (rho + (1 - rho) / 2)
        some.set_params(C=1 / both if both > 0 else np.inf, l1_ratio=alpha * rho / both if both > 0 else 0.0)
    weight = None if rows.weight is None else rows.weight[train]
    some.fit(rows.X[train], plan.classes[rows.Y[train].astype(np.intp)], weight)
    found = np.column_stack([some.coef_, some.intercept_])
    return np.vstack([-found / 2, found / 2]) if len(seen) == 2 else found


def scorer_of_classes(scorer: Any, classes: np.ndarray) -> Any:
    """The scorer, told which classes there are: the test rows of a fold may lack some."""
    function = getattr(scorer, "_score_func", None)
    takes = inspect.signature(function).parameters if function is not None else {}
    if function is None or "labels" not in takes:
        return scorer
    options = dict(getattr(scorer, "_kwargs", {}))
    if len(classes) == 2 and "pos_label" in takes:
        options["pos_label"] = classes[1]
    return make_scorer(
        function,
        greater_is_better=scorer._sign == 1,
        response_method=scorer._response_method,
        labels=classes,
        **{k: v for k, v in options.items() if k != "labels"},
    )


__all__ = ["FoldGrid", "FoldScorer", "fold_grid", "scorer_of_classes", "weights_of", "with_weights"]
