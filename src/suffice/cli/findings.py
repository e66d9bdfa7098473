"""What a fit found, as one tree of plain values: JSON as it is, tables for people in `tables.py`."""

import json
import math
import sys
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from suffice._core.disclosure import rows_of, statistics_in
from suffice._core.errors import NumericalError
from suffice._core.showing import UNSEEN
from suffice.cli.labels import baseline_loss, classes, confusion

CONFIDENCE = 0.95


def found(candidate: Any, fit: Any, request: Any, said: list[str]) -> dict[str, Any]:
    """Everything worth saying about a fit."""
    rows = round(sum(rows_of(s) for _, s in statistics_in(fit.statistics)))
    t, mistakes = fit.model.statistics_, confusion(fit, CONFIDENCE)
    return {
        "model": candidate.name,
        "title": candidate.title,
        "repr": " ".join(repr(fit.model).split()),
        "parameters": {k: v for k, v in fit.model.get_params(deep=False).items() if v is not None},
        "target": request.target,
        "columns": list(t.header.feature_names),
        "rows": rows,
        "weight": float(t.n),
        "seconds": fit.seconds,
        "rows_per_second": rows / fit.seconds,
        "facts": facts(candidate, fit.model),
        "coefficients": coefficients(candidate, fit.model),
        "classes": classes(fit.model, mistakes, CONFIDENCE) if is_classifier(fit.model) else [],
        "confusion": None if mistakes is None else {"labels": mistakes.labels, "table": mistakes.table},
        "separation": separated(fit.model),
        "validation": validation(fit),
        "path": path(fit),
        "selection": selection(fit),
        "warnings": said,
    }


def separated(model: Any) -> dict[str, float]:
    """How far each column tells the classes apart, where that is known."""
    from suffice.cli.separation import separation

    return separation(model)


def facts(candidate: Any, model: Any) -> dict[str, float]:
    """Numbers by name: noise, evidence, parameters."""
    return {k: float(v) for k, v in candidate.facts(model).items()}


def coefficients(candidate: Any, model: Any) -> list[dict[str, Any]]:
    """Weights with their standard errors and intervals; NaN where the model or the rows state none."""
    terms = model.statistics_.header.column_names
    try:
        e = candidate.estimates(model, terms, CONFIDENCE)
    except NumericalError:  # no degrees of freedom are left for errors
        return [
            _coefficient(*row)
            for row in zip(("intercept", *terms), [model.intercept_, *model.coef_], strict=True)
        ]
    if e is None:
        return []
    listed = e.term[-len(e.estimate) :]  # a model without intercept has one estimate less
    return [_coefficient(*row) for row in zip(listed, e.estimate, e.std_error, e.low, e.high, strict=True)]


def _coefficient(
    term: str, estimate: float, std_error: float = math.nan, low: float = math.nan, high: float = math.nan
) -> dict[str, Any]:
    numbers = {"estimate": estimate, "std_error": std_error, "low": low, "high": high}
    return {"term": term} | {name: float(v) for name, v in numbers.items()}


# -- from the folds ---------------------------------------------------------------------------------------
def validation(fit: Any) -> dict[str, Any] | None:
    """The loss on rows not fitted, of the model that was chosen, and of the baseline on the same folds."""
    if fit.validation is None:
        return None
    loss, error = _chosen_loss(fit)
    out = {"loss": fit.validation.loss, "estimate": loss, "std_error": error}
    flattered = fit.path is not None or fit.selection is not None
    return out | {
        "folds": len(fit.validation.fold_losses),
        "interval": fit.validation.interval if fit.validation.loss == "misclassification" else None,
        "baseline": mean_loss(fit) if fit.validation.loss == "squared" else baseline_loss(fit),
        "chosen_by_this_loss": flattered,
    }


def _chosen_loss(fit: Any) -> tuple[float, float]:
    if fit.selection is not None:
        i = fit.selection.path.index(fit.selection.selected)
        return float(fit.selection.errors[i]), float(fit.selection.std_errors[i])
    if fit.path is not None:
        i = fit.path.values.index(fit.model.get_params(deep=False)[fit.path.param])
        return float(fit.path.test[i]), float(fit.path.std_error[i])
    losses = fit.validation.fold_losses
    return fit.validation.estimate, float(losses.std(ddof=1) / math.sqrt(len(losses)))


def mean_loss(fit: Any) -> float | None:
    """The squared loss of the mean of the other folds; None for the mean itself."""
    from suffice.baselines import MeanRegressor

    if isinstance(fit.model, MeanRegressor):
        return None
    pairs = [(train.select([]), test.select([])) for train, test in fit.statistics.pairs()]
    total = sum(MeanRegressor().solve(train).squared_error(test) for train, test in pairs)
    return total / float(fit.statistics.sizes.sum())


def path(fit: Any) -> dict[str, Any] | None:
    """The loss for each value that was tried."""
    p = fit.path
    if p is None:
        return None
    return {
        "param": p.param,
        "values": list(p.values),
        "test": p.test.tolist(),
        "std_error": p.std_error.tolist(),
        "best": p.best,
        "one_standard_error": p.one_standard_error,
        "chosen": fit.model.get_params(deep=False)[p.param],
    }


def selection(fit: Any) -> dict[str, Any] | None:
    """The steps of the selection."""
    s = fit.selection
    if s is None:
        return None
    return {
        "selected": list(s.selected),
        "moves": list(s.moves()),
        "errors": s.errors.tolist(),
        "std_errors": s.std_errors.tolist(),
    }


# -- JSON -------------------------------------------------------------------------------------------------
def print_json(tree: Any) -> None:
    """One JSON object or list; what is not a finite number is null, what the output cannot write is escaped."""
    plain = _plain(tree)
    text = json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False, default=str)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(plain, indent=1, ensure_ascii=True, allow_nan=False, default=str)
    print(UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(v) for v in value]
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value
