"""Everything a fitted model says about rows, as numbers with the scale in which they are held to agree."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import is_classifier, is_regressor

from ..contract.registry import is_density
from . import minima
from .trial import TOLERANCE, Trial

EPS = np.finfo(float).eps
NARROW = 1e-5  # of the spread of y: below it a standard deviation has lost the digits that a density needs


def spread(y: Any) -> float:
    """The scale of targets: their standard deviation, or their size where they are constant."""
    y = np.asarray(y, dtype=float)
    with np.errstate(all="ignore"):
        top = np.abs(y).max(initial=0.0) or 1.0
        return float(np.std(y / top) * top) or float(top)


def rounding(y: Any) -> float:
    """What the last digits of y are worth, in units of the tolerance."""
    return 64 * EPS * float(np.abs(np.asarray(y, dtype=float)).max(initial=0.0)) / TOLERANCE


def unit_of_predictions(predicted: Any, y: Any) -> np.ndarray:
    """The larger of the spread of y and the way of a prediction from the mean of y."""
    with np.errstate(all="ignore"):
        away = np.abs(np.asarray(predicted, dtype=float) - np.mean(np.asarray(y, dtype=float)))
    return np.maximum(np.where(np.isfinite(away), away, 0.0), spread(y)) + rounding(y)


def predictions(trial: Trial, what: str, mine: Any, theirs: Any, y: Any) -> None:
    mine, theirs = np.asarray(mine, dtype=float), np.asarray(theirs, dtype=float)
    there = np.isfinite(theirs)  # powers overflow in some units
    trial.same(what, mine[there], theirs[there], unit_of_predictions(theirs[there], y))


def stds(trial: Trial, what: str, mine: Any, theirs: Any, y: Any) -> None:
    """Residuals are differences: a standard deviation is known to the root of the digits of y."""
    trial.same(
        what, mine, theirs, np.maximum(np.asarray(theirs, dtype=float), 1e-2 * spread(y)) + rounding(y)
    )


def logs(trial: Trial, what: str, mine: Any, theirs: Any) -> None:
    trial.same(what, mine, theirs, np.maximum(1.0, np.abs(np.nan_to_num(np.asarray(theirs, dtype=float)))))


def narrow(d: Any, y: Any) -> bool:
    """Whether some density is so narrow that its height is rounding."""
    std = np.asarray(d.std, dtype=float)
    return not bool(np.all(std > NARROW * spread(y) + rounding(y)))


def margins(fitted: Any, X: Any) -> np.ndarray:
    """How far each row is from another decision: 0 at a tie."""
    if hasattr(fitted, "predict_proba"):
        p = np.sort(np.asarray(fitted.predict_proba(X)), axis=1)
        return p[:, -1] - p[:, -2] if p.shape[1] > 1 else np.ones(len(p))
    d = np.asarray(fitted.decision_function(X), dtype=float)
    size = np.abs(fitted.outputs(X) if hasattr(fitted, "outputs") else d).max(initial=0.0) or 1.0
    if d.ndim == 1:
        return np.abs(d) / size
    d = np.sort(d, axis=1) / size
    return d[:, -1] - d[:, -2] if d.shape[1] > 1 else np.ones(len(d))


def dense(table: Any) -> np.ndarray:
    """What a transformer returns, as an array."""
    return table.toarray() if sparse.issparse(table) else np.asarray(table)


def said(model: Any, new: Any) -> dict[str, np.ndarray]:
    """Every number that a fitted model gives for rows, by name."""
    minima.asked(model, new)
    if is_density(model):
        return {"log density": np.asarray(model.score_samples(new))}
    if is_regressor(model):
        out = {"prediction": np.asarray(model.predict(new))}
        if hasattr(model, "predict_dist"):
            out["std"] = np.asarray(model.predict_dist(new).std)
        return out | (
            {"evidence": np.asarray(model.log_evidence_)} if hasattr(model, "log_evidence_") else {}
        )
    if is_classifier(model):
        how = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
        out = {"probability" if how == "predict_proba" else "decision": np.asarray(getattr(model, how)(new))}
        return out | (
            {"evidence": np.asarray(model.log_evidence_)} if hasattr(model, "log_evidence_") else {}
        )
    if hasattr(model, "coclustering_"):
        return {"table": np.asarray(model.coclustering_)}
    return {"table": dense(model.transform(new))}


def compare(trial: Trial, mine: dict[str, np.ndarray], theirs: dict[str, np.ndarray], y: Any = None) -> None:
    """Both models say the same about the same rows."""
    for name, value in theirs.items():
        if name == "prediction":
            predictions(trial, name, mine[name], value, y)
        elif name == "std":
            stds(trial, name, mine[name], value, y)
        elif name in ("log density", "evidence"):
            logs(trial, name, mine[name], value)
        elif name == "probability":
            trial.same(name, mine[name], value)
        else:
            whole = np.asarray(value)
            if whole.dtype.kind not in "biuf":
                trial.equal(name, mine[name], whole)
                continue
            top = (
                np.abs(np.nan_to_num(whole, posinf=0, neginf=0)).max(axis=0, initial=0.0)
                if whole.size
                else 1.0
            )
            trial.same(name, mine[name], whole, np.maximum(top, 1e-9))
