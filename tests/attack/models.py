"""Estimators at settings of the registry, one or two parameters moved elsewhere; and how ill-posed their fit is."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from suffice.bases import GaussianBasis, Polynomial

from ..contract.registry import ENTRIES, Entry
from .minima import trained
from .trial import Trial

BASES = (
    None,
    None,
    Polynomial(2),
    Polynomial(2, interactions=True),
    Polynomial(3),
    GaussianBasis([-1.0, 0.0, 1.0], width=1.0),
)
ELSEWHERE = {
    "standardize": lambda t: t.chance(0.5),
    "fit_intercept": lambda t: t.chance(0.5),
    "penalize_intercept": lambda t: t.chance(0.5),
    "weight_kind": lambda t: t.one(["counts", "precision"]),
    "alpha": lambda t: 10.0 ** t.rng.uniform(-8, 5),
    "C": lambda t: 10.0 ** t.rng.uniform(-4, 4),
    "basis": lambda t: t.one(BASES),
    "shrinkage": lambda t: t.one([None, 0.0, 0.1, 1.0, "auto"]),
    "intercept": lambda t: t.one(["flat", "prior"]),
    "class_weight": lambda t: t.one([None, "balanced"]),
    "priors": lambda t: t.one([None, "uniform"]),
    "penalty_scale": lambda t: t.one(["sum", "mean", "unbiased"]),
    "positive": lambda t: t.chance(0.5),
    "reg_param": lambda t: t.one([0.0, 1e-3, 0.5]),
}  # fmt: skip
NUMERIC = ("alpha", "C")


def pick(trial: Trial, entries: Any = ENTRIES) -> Entry:
    """Every estimator in turn, so that many seeds visit all alike."""
    entries = list(entries)
    entry = entries[trial.seed % len(entries)]
    trial.model = entry.cls.__name__
    return entry


def build(trial: Trial, entry: Entry, moved: float = 0.4) -> Any:
    """The estimator at one of its settings."""
    settings = [s for s in entry.settings.values() if not fixed_columns(entry, s)]
    parameters = {**trial.one(settings), "verbose": 0}
    if trial.chance(moved):
        names = [k for k in ELSEWHERE if takes(entry.cls, k) and not (k in NUMERIC and k not in parameters)]
        for name in sorted({trial.one(names) for _ in range(2)}) if names else ():
            parameters[name] = ELSEWHERE[name](trial)
    for name, value in (("random_state", 0),):
        if parameters.get(name) is None:
            parameters[name] = value
    parameters = {k: v for k, v in parameters.items() if takes(entry.cls, k)}
    if "tol" in parameters and entry.cls.__module__.startswith("suffice.glm"):
        # fits that may stop where so much is left to gain differ by its root
        parameters["tol"] = min(parameters["tol"], default(entry.cls, "tol"))
    model = entry.cls(**parameters)
    trial.note(clone(model))
    return model


def takes(cls: type, name: str) -> bool:
    return name in inspect.signature(cls).parameters


def default(cls: type, name: str) -> Any:
    return inspect.signature(cls).parameters[name].default


def fits_with(model: Any, name: str) -> bool:
    """Whether `fit` has this argument."""
    return name in inspect.signature(last(model).fit).parameters


def fixed_columns(entry: Entry, setting: dict[str, Any]) -> bool:
    """Settings that name other columns than the tables here have."""
    return entry.cls.__name__ == "OneHotEncoder" and "categories" in setting


def last(model: Any) -> Any:
    """The last step of a Pipeline, or the model."""
    return model.steps[-1][1] if isinstance(model, Pipeline) else model


def fit(model: Any, X: Any, y: Any = None, weight: Any = None, **options: Any) -> Any:
    """A fitted clone."""
    if weight is not None:
        options["sample_weight"] = weight
    return trained(clone(model).fit(X, y, **options), X, y, weight)


# -- conditions ------------------------------------------------------------------------------------------
def condition(model: Any, X: Any, weight: np.ndarray | None = None) -> tuple[float, float]:
    """The scaled condition of the design that a model is fitted to, and how far its columns are from zero."""
    if not (isinstance(X, np.ndarray) and X.dtype.kind == "f") or len(X) == 0 or np.isnan(X).any():
        return 1.0, 1.0
    last_step = last(model)
    w = np.ones(len(X)) if weight is None else weight
    if not np.any(w > 0):
        return 1.0, 1.0
    with np.errstate(all="ignore"):
        A = X[w > 0]
        if getattr(last_step, "basis", None) is not None:
            A = last_step.basis(A)
        w = w[w > 0] / w.max(initial=0)
        mean = w @ A / w.sum()
        far = np.abs(mean) / np.sqrt(w @ (A - mean) ** 2 / w.sum())
        mean = mean if getattr(last_step, "fit_intercept", True) else np.zeros(A.shape[1])
        B = np.sqrt(w)[:, None] * (A - mean)
        there = np.abs(A - mean).max(axis=0) > 0  # a constant is left out by all
        B, far = B[:, there], far[np.isfinite(far)]
        B = B / np.abs(B).max(axis=0)
        B = B / np.linalg.norm(B, axis=0)
    if getattr(last_step, "basis", None) is not None and far.max(initial=0.0) > 1e10:
        far = np.array([np.inf])  # powers of columns without digits
    if not B.size:
        return 1.0, 1.0
    if not np.isfinite(B).all():
        return np.inf, float(far.max())
    values = np.linalg.svd(B, compute_uv=False)
    low = values[-1] if len(B) >= B.shape[1] else 0.0
    return float(values[0] / low) if low > 0 else np.inf, float(far.max(initial=1.0))
