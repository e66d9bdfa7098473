"""Roads of evaluation against honest loops: validation, paths, searches, two layers, selection, and one pass."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor

from suffice.engine import cross_validate as validated_in_one_pass
from suffice.engine.hashing import folds_of_rows
from suffice.evaluation import SearchCV, cross_validate, select_features, two_layer, validate_path

from ..contract.registry import ENTRIES, Entry
from . import answers
from .loops import (
    FEW,
    SPLITTERS,
    Answer,
    averaged,
    fitted_to,
    groups_for,
    loss_of,
    pairs,
    pinball,
    pooled,
    refitted,
    splitter,
)
from .models import build, condition, fits_with, last, pick
from .tables import Problem, draw, replaced, rows
from .trial import Skip, Trial

SUPERVISED = [e for e in ENTRIES if e.predicts or e.kind == "density"]
PREDICTING = [e for e in ENTRIES if e.predicts]


SLOW = ("BayesianLogisticRegression", "BayesianPoissonRegression", "GibbsGaussianMixture")


def affordable(entry: Entry) -> Any:
    """Splitters for roads of many settings: what is refitted takes few folds."""
    return SPLITTERS if entry.capabilities.statistics else FEW


def drawn_loss(trial: Trial, model: Any) -> Any:
    """A loss that suits the kind of a model."""
    if is_regressor(model):
        return trial.one(["squared", "squared", "absolute", "log", pinball])
    return trial.one(["misclassification", "log"]) if is_classifier(model) else "log density"


def well_posed(trial: Trial, model: Any, problem: Problem, splits: Any) -> None:
    """Keep the worst condition of all training sets."""
    for train, _ in splits:
        w = None if problem.weight is None else problem.weight[train]
        trial.posed(condition(model, rows(problem.X, train), w))


def unit_of_losses(loss: Any, theirs: Any, y: Any) -> Any:
    """The scale of mean losses."""
    if loss in ("log", "log density"):
        return np.maximum(1.0, np.abs(np.nan_to_num(np.asarray(theirs, dtype=float), posinf=0)))
    if loss == "misclassification":
        return 1.0
    s, r = answers.spread(y), answers.rounding(y)
    with np.errstate(all="ignore"):
        root = np.sqrt(np.abs(np.nan_to_num(np.asarray(theirs, dtype=float), posinf=0)))
        return np.maximum(s, root) ** 2 + root * r + r**2 if loss == "squared" else np.maximum(s, root**2) + r


def comparable(loss: Any, brute: list[Answer], y: Any) -> bool:
    """Whether mean losses are determined: no row is at a tie, and no density is as narrow as rounding."""
    if loss == "misclassification":
        return all(np.all(a.margin > 1e-6) for a in brute)
    if loss in ("squared", "absolute") and not all(np.isfinite(a.prediction).all() for a in brute):
        return False
    if loss == "log" and is_number(y):
        return not any(answers.narrow(a.dist, y) for a in brute)
    return True


def is_number(y: Any) -> bool:
    return y is not None and np.asarray(y).dtype.kind == "f"


def wants_dist(model: Any) -> bool:
    return hasattr(last(model), "predict_dist") and not hasattr(last(model), "score_samples")


def offsets(trial: Trial, model: Any, n: int) -> dict[str, Any]:
    """Further arguments of `fit`, where a model has them."""
    if fits_with(model, "offset") and trial.chance(0.4):
        trial.note("with offsets")
        return {"offset": trial.rng.uniform(-2, 2, n)}
    return {}


# -- cross_validate --------------------------------------------------------------------------------------
def validation(trial: Trial) -> None:
    """`cross_validate` of any model by any splitter."""
    entry = pick(trial, SUPERVISED)
    model = build(trial, entry)
    check_validation(trial, model, draw(trial, entry))


def check_validation(trial: Trial, model: Any, problem: Problem) -> None:
    loss = drawn_loss(trial, model)
    trial.note(f"loss: {getattr(loss, '__name__', loss)}")
    cv, splits = honest_splits(trial, problem, model)
    options = offsets(trial, model, len(problem))
    if loss == "log" and not wants_dist(model):
        raise Skip("it has no distributions")
    well_posed(trial, model, problem, splits)
    found = trial.ask(
        cross_validate, model, problem.X, problem.y, cv=cv, loss=loss, sample_weight=problem.weight,
        groups=groups_for(cv, problem), params=options or None,
    )  # fmt: skip
    trial.note(f"how: {found.how}")
    brute = trial.honest(refitted, model, problem, splits, wants_dist(model), options)
    once = np.bincount(np.concatenate([b for _, b in splits]), minlength=len(problem)).max() <= 1
    check_answers(trial, found, brute, problem, once)
    check_losses(trial, found.fold_losses, found.estimate, loss, brute, problem, splits)


def honest_splits(trial: Trial, problem: Problem, model: Any, names: Any = SPLITTERS) -> tuple[Any, Any]:
    """Folds that scikit-learn's splitters can make of these rows, none of them empty."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of classes that are rarer than there are folds
            cv, splits = splitter(trial, problem, model, names)
    except (ValueError, TypeError) as error:
        raise Skip("no such folds") from error
    if not all(len(a) and len(b) for a, b in splits):
        raise Skip("an empty fold")
    return cv, splits


def check_answers(trial: Trial, found: Any, brute: list[Answer], problem: Problem, once: bool) -> None:
    """Predictions, probabilities and distributions of test rows."""
    for i, a in enumerate(brute):
        if a.density is not None:
            if once:
                answers.logs(trial, "log density", -found.losses[a.at], a.density)
            continue
        mine = found.predictions[a.at] if once else found.predictions[i]
        if mine is None:  # the fold failed, which a warning said
            trial.same("fold that failed", np.nan, 0.0)
            continue
        if a.margin is None:
            answers.predictions(trial, "prediction", mine, a.prediction, problem.y)
        else:
            clear = a.margin > 1e-6
            trial.equal("label", mine[clear], a.prediction[clear])
        if a.probability is not None and found.probabilities is not None and once:
            theirs = spread_out(a, np.unique(problem.y), found.probabilities.shape[1])
            trial.same("probability", found.probabilities[a.at], theirs)
        check_std(trial, found, a, i, once, problem)


def spread_out(a: Answer, every: np.ndarray, width: int) -> np.ndarray:
    """Probabilities of all classes: those that the training rows lack have none."""
    if width != len(every):
        return np.asarray(a.probability)
    out = np.zeros((len(a.at), len(every)))
    out[:, np.searchsorted(every, a.classes)] = a.probability
    return out


def check_std(trial: Trial, found: Any, a: Answer, i: int, once: bool, problem: Problem) -> None:
    if a.dist is None or a.margin is not None or found.distributions is None:
        return
    dists = found.distributions
    mine = dists[i] if isinstance(dists, list | tuple) else dists[a.at] if once else None
    if mine is not None:
        answers.stds(trial, "std", mine.std, a.dist.std, problem.y)


def check_losses(
    trial: Trial, folds: Any, estimate: float, loss: Any, brute: list[Answer], problem: Problem, splits: Any
) -> None:
    if not comparable(loss, brute, problem.y):
        return
    theirs = trial.honest(lambda: [averaged(loss_of(a, loss), problem.weight, a.at) for a in brute])
    trial.same("fold losses", folds, theirs, unit_of_losses(loss, theirs, problem.y))
    whole = pooled(theirs, problem.weight, splits)
    trial.same("estimate", estimate, whole, unit_of_losses(loss, whole, problem.y))


# -- one parameter, a grid, two layers ---------------------------------------------------------------------
GRIDS = {
    "alpha": (1e-6, 0.03, 1.0, 40.0, 1e4),
    "C": (1e-4, 0.1, 1.0, 30.0),
    "prior_precision": (1e-6, 0.1, 1.0, 50.0),
    "shrinkage": (0.0, 0.1, 0.5, 1.0),
    "reg_param": (0.0, 0.01, 0.5),
    "var_smoothing": (0.0, 1e-9, 0.1),
    "standardize": (False, True),
    "n_components": (1, 2),
    "fit_intercept": (False, True),
    "priors": (None, "uniform"),
}


def short_cuts(model: Any) -> tuple[str, ...]:
    """Parameters whose values are solved for together."""
    return (*getattr(model, "path_parameters", ()), *getattr(model, "refit_parameters", ()))


SHORT = [e for e in SUPERVISED if short_cuts(e.cls(**next(iter(e.settings.values()))))]


def drawn_line(trial: Trial, model: Any) -> tuple[str, list[Any]]:
    """A parameter of a model and two or three values of it."""
    have = model.get_params()
    names = [k for k in GRIDS if k in have and not (k == "C" and have.get("prior_precision") is not None)]
    if have.get("prior_precision") is None and "C" in have and "prior_precision" in names:
        names.remove("prior_precision")
    if "basis__degree" in have:
        names.append("basis__degree")
    if type(model).__name__ in ("FisherDiscriminant", "LinearDiscriminantAnalysis"):
        names = [n for n in names if n != "n_components"]
    if not names:
        raise Skip("no parameter to vary")
    short = [n for n in names if n in short_cuts(model)]
    name = trial.one(short if short and trial.chance(0.7) else names)
    values = list(GRIDS.get(name, (1, 2, 3)))
    keep = sorted(trial.rng.choice(len(values), min(len(values), 3), replace=False))
    trial.note(f"{name} in {[values[i] for i in keep]}")
    return name, [values[i] for i in keep]


def loops_over(
    trial: Trial, model: Any, settings: list[dict[str, Any]], problem: Problem, splits: Any, loss: Any
) -> tuple[np.ndarray, bool]:
    """Fold losses of every setting, and whether they are determined."""
    out, clear = [], True
    for setting in settings:
        one = clone(model).set_params(**setting)
        well_posed(trial, one, problem, splits)
        brute = trial.honest(refitted, one, problem, splits, wants_dist(one) and loss == "log")
        clear = clear and comparable(loss, brute, problem.y)
        out.append(
            trial.honest(lambda b=brute: [averaged(loss_of(a, loss), problem.weight, a.at) for a in b])
        )
    return np.array(out), clear


def lined_up(trial: Trial) -> tuple[Any, Problem, Any, Any, Any, str, list[Any]]:
    """What paths and searches need: a model, a problem, folds, a loss, and a line of values."""
    every = [e for e in SUPERVISED if e.cls.__name__ not in SLOW]
    entry = pick(trial, SHORT if trial.chance(0.5) else every)
    model = build(trial, entry)
    name, values = drawn_line(trial, model)
    problem, loss = draw(trial, entry), drawn_loss(trial, model)
    if loss == "log" and not wants_dist(model):
        raise Skip("it has no distributions")
    trial.note(f"loss: {getattr(loss, '__name__', loss)}")
    cv, splits = honest_splits(trial, problem, model, affordable(entry))
    return model, problem, cv, splits, loss, name, values


def path(trial: Trial) -> None:
    """`validate_path` of one parameter."""
    model, problem, cv, splits, loss, name, values = lined_up(trial)
    found = trial.ask(
        validate_path, model, problem.X, problem.y, name, values, cv, loss=loss,
        sample_weight=problem.weight, groups=groups_for(cv, problem),
    )  # fmt: skip
    trial.note(f"how: {found.how}")
    theirs, clear = loops_over(trial, model, [{name: v} for v in values], problem, splits, loss)
    if clear:
        trial.same("losses of the path", found.fold_test, theirs, unit_of_losses(loss, theirs, problem.y))
    inside = [(a, a) for a, _ in splits]
    train, clear = loops_over(trial, model, [{name: v} for v in values], problem, inside, loss)
    if clear:
        trial.same("training losses", found.fold_train, train, unit_of_losses(loss, train, problem.y))


def search(trial: Trial) -> None:
    """`SearchCV`: its scores, and the model it keeps."""
    model, problem, cv, splits, loss, name, values = lined_up(trial)
    extra = {} if problem.weight is None else {"sample_weight": problem.weight}
    searched = SearchCV(model, {name: values}, cv=cv, loss=loss)
    trial.ask(searched.fit, problem.X, problem.y, groups=groups_for(cv, problem), **extra)
    trial.note(f"how: {searched.how_}")
    theirs, clear = loops_over(trial, model, [{name: v} for v in values], problem, splits, loss)
    if clear:
        mine = -np.array([searched.cv_results_[f"split{i}_test_score"] for i in range(len(splits))]).T
        trial.same("scores", mine, theirs, unit_of_losses(loss, theirs, problem.y))
    every = np.arange(len(problem))
    kept = clone(model).set_params(**searched.best_params_)
    well_posed(trial, kept, problem, [(every, every)])
    again = trial.honest(fitted_to, kept, problem, every, {})
    mine = trial.ask(answers.said, searched.best_estimator_, problem.X)
    answers.compare(trial, mine, trial.honest(answers.said, again, problem.X), problem.y)


def layers(trial: Trial) -> None:
    """`two_layer`: what each outer fold chose, and its loss."""
    model, problem, _, _, loss, name, values = lined_up(trial)
    cv, splits = honest_splits(
        trial, problem, model, ["blocks", "shuffled", "an integer", "groups", "time", "shuffles"]
    )
    found = trial.ask(
        two_layer, {"one": (model, {name: values})}, problem.X, problem.y, cv, 2, loss=loss,
        sample_weight=problem.weight, groups=groups_for(cv, problem),
    )  # fmt: skip
    chosen, mine = found.chosen["one"], found.validations["one"].fold_losses
    well_posed(trial, model, problem, splits)
    for i, (train, test) in enumerate(splits):
        part = replaced(
            problem, X=rows(problem.X, train), y=None if problem.y is None else problem.y[train],
            weight=None if problem.weight is None else problem.weight[train],
            groups=problem.groups[train],
        )  # fmt: skip
        inside = trial.honest(pairs, 2, part, model)
        losses, clear = loops_over(trial, model, [{name: v} for v in values], part, inside, loss)
        totals = np.array([pooled(row, part.weight, inside) for row in losses])
        if clear:
            unit = unit_of_losses(loss, totals, problem.y)
            trial.same("inner losses", found.inner["one"][i], totals, unit)
        one = clone(model).set_params(**chosen[i])
        brute = trial.honest(refitted, one, problem, [(train, test)], wants_dist(model))
        if comparable(loss, brute, problem.y):
            theirs = trial.honest(lambda b=brute: averaged(loss_of(b[0], loss), problem.weight, b[0].at))
            trial.same("outer loss", mine[i], theirs, unit_of_losses(loss, theirs, problem.y))


# -- columns, and one pass ---------------------------------------------------------------------------------
def selection(trial: Trial) -> None:
    """`select_features`: the losses of some subsets that it tried."""
    entry = pick(trial, [e for e in PREDICTING if e.cls.__name__ not in SLOW])
    model, problem = build(trial, entry), draw(trial, entry)
    if not problem.numbers or problem.X.shape[1] < 2:
        raise Skip("nothing to select from")
    loss = drawn_loss(trial, model)
    if loss == "log" and not wants_dist(model):
        raise Skip("it has no distributions")
    cv, splits = honest_splits(trial, problem, model, affordable(entry))
    direction = trial.one(["forward", "backward", "exhaustive"])
    trial.note(direction, f"loss: {getattr(loss, '__name__', loss)}")
    found = trial.ask(
        select_features, model, problem.X, problem.y, direction, cv, loss=loss,
        sample_weight=problem.weight, groups=groups_for(cv, problem),
    )  # fmt: skip
    trial.note(f"how: {found.how}")
    full = [i for i in range(len(found.tried)) if np.any(found.tried[i])]
    for i in trial.rng.permutation(full)[:3].tolist():
        part = replaced(problem, X=problem.X[:, np.asarray(found.tried[i], dtype=bool)])
        well_posed(trial, model, part, splits)
        brute = trial.honest(refitted, model, part, splits, wants_dist(model) and loss == "log")
        if comparable(loss, brute, problem.y):
            theirs = trial.honest(
                lambda b=brute: [averaged(loss_of(a, loss), problem.weight, a.at) for a in b]
            )
            whole = pooled(theirs, problem.weight, splits)
            trial.same(
                f"columns {np.flatnonzero(found.tried[i])}",
                found.tried_errors[i],
                whole,
                unit_of_losses(loss, whole, problem.y),
            )


def one_pass(trial: Trial) -> None:
    """`engine.cross_validate` over arrays, whose folds are known by hashing."""
    entry = pick(trial, [e for e in SUPERVISED if not e.ordered])
    model, problem = build(trial, entry), draw(trial, entry, weighted=0)
    if not isinstance(problem.X, np.ndarray) or entry.kind == "density":
        raise Skip("no source of this")
    loss, k, seed = drawn_loss(trial, model), trial.one([2, 3, 4]), trial.seed % 97
    if loss == "log" and not wants_dist(model):
        raise Skip("it has no distributions")
    trial.note(f"loss: {getattr(loss, '__name__', loss)}")
    fold = folds_of_rows(0, 0, len(problem), k, seed)
    splits = [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(k)]
    if not all(len(a) and len(b) for a, b in splits):
        raise Skip("an empty fold")
    well_posed(trial, model, problem, splits)
    found = trial.ask(validated_in_one_pass, model, (problem.X, problem.y), folds=k, seed=seed, loss=loss)
    brute = trial.honest(refitted, model, problem, splits, wants_dist(model) and loss == "log")
    check_losses(trial, found.fold_losses, found.estimate, loss, brute, problem, splits)
