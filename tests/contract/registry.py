"""Every public estimator, found by walking the package, with the settings it is tested at."""

from __future__ import annotations

import inspect
import pkgutil
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from sklearn.base import BaseEstimator, is_classifier, is_regressor

import suffice
from suffice.baselines import LastValue, MajorityClassifier, MeanRegressor, MedianRegressor, PriorClassifier
from suffice.bases import CustomBasis, GaussianBasis, Polynomial
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.prepare import BasisTransformer, CalendarFeatures, Standardizer

from .capabilities import TABLE, Capabilities


@dataclass(frozen=True)
class Entry:
    """A class and keyword arguments by the name of the setting; the last one is far from the defaults.

    `takes` says what the columns hold. The contract is tested on numbers; what takes something else has
    tests of its own.
    """

    cls: type
    settings: dict[str, dict[str, Any]]
    takes: str = "numbers"

    @property
    def name(self) -> str:
        return public_name(self.cls)

    @property
    def kind(self) -> str:
        """What it does with rows: "classifier", "regressor" or "transformer"."""
        model = self.cls()
        return "classifier" if is_classifier(model) else "regressor" if is_regressor(model) else "transformer"

    @property
    def capabilities(self) -> Capabilities:
        return TABLE[self.name]


def public_name(cls: type) -> str:
    """`room.Class`."""
    return f"{cls.__module__.split('.')[1]}.{cls.__name__}"


def sine_and_cosine(X):
    """A function that makes several columns of several; at module level, so that it has a name."""
    import numpy as np

    return np.hstack([np.sin(X), np.cos(X)])


ENTRIES = (
    Entry(LastValue, {"default": {}, "first column": {"column": 0}, "far": {"column": -2}}),
    Entry(MajorityClassifier, {"default": {}}),
    Entry(MeanRegressor, {"default": {}}),
    Entry(MedianRegressor, {"default": {}}),
    Entry(PriorClassifier, {"default": {}}),
    Entry(
        LinearRegression,
        {
            "default": {},
            "through the origin": {"fit_intercept": False, "weight_kind": "precision"},
            "parabola, standardized": {"basis": Polynomial(2), "standardize": True},
            "functions": {"basis": CustomBasis([sine_and_cosine]), "weight_kind": "precision"},
            "far": {
                "fit_intercept": False,
                "basis": Polynomial(3) + GaussianBasis([-1.0, 1.0], width=0.7),
                "standardize": True,
                "weight_kind": "precision",
                "rcond": 1e-12,
            },
        },
    ),
    Entry(
        Ridge,
        {
            "default": {},
            "no penalty": {"alpha": 0.0, "weight_kind": "precision"},
            "all penalized": {"alpha": 2.5, "penalize_intercept": True, "penalty_scale": "mean"},
            "parabola, standardized": {"alpha": 1e-3, "basis": Polynomial(2), "standardize": True},
            "far": {
                "alpha": 1e4,
                "fit_intercept": False,
                "basis": Polynomial(2, interactions=True),
                "standardize": True,
                "penalty_scale": "unbiased",
            },
        },
    ),
    Entry(
        BayesianLinearRegression,
        {
            "default": {},
            "em": {"method": "em", "standardize": True},
            "known precisions": {"prior_precision": 0.3, "noise_precision": 25.0, "intercept": "prior"},
            "known noise": {"noise_precision": 2.0, "basis": GaussianBasis([-1.0, 0.0, 1.0], width=1.0)},
            "through the origin": {"prior_precision": 3.0, "fit_intercept": False},
            "far": {
                "prior_precision": 1e-4,
                "noise_precision": 1e3,
                "basis": Polynomial(3),
                "intercept": "prior",
                "standardize": True,
                "weight_kind": "precision",
            },
        },
    ),
    Entry(
        BasisTransformer,
        {
            "default": {},
            "parabola": {"basis": Polynomial(2)},
            "bumps over the range": {"basis": GaussianBasis(4, width=1.0)},
            "functions": {"basis": CustomBasis([sine_and_cosine])},
            "far": {"basis": Polynomial(3, interactions=True) + GaussianBasis([-1.0, 1.0], width=0.7)},
        },
    ),
    Entry(
        CalendarFeatures,
        {
            "default": {},
            "one hot": {"one_hot": True},
            "far": {"features": ("month", "week", "day_of_year", "weekend"), "one_hot": True},
        },
        takes="datetimes",
    ),
    Entry(
        Standardizer,
        {
            "default": {},
            "only centred": {"with_std": False},
            "only scaled": {"with_mean": False},
            "far": {"with_mean": False, "with_std": False},
        },
    ),
)

TABULAR = tuple(e for e in ENTRIES if e.takes == "numbers")
CASES = {
    f"{e.cls.__name__}: {setting}": (e, parameters)
    for e in TABULAR
    for setting, parameters in e.settings.items()
}
ENDS = [name for name in CASES if name.endswith((": default", ": far"))]  # what a quick run tries


def public_rooms() -> list[str]:
    """Modules whose whole dotted path is public."""
    found = pkgutil.walk_packages(suffice.__path__, "suffice.")
    names = [m.name for m in found]
    return [n for n in names if not any(part.startswith("_") for part in n.split("."))]


def public_estimators() -> dict[str, type]:
    """Concrete estimators that some public module lists in `__all__`.

    What needs another estimator to be built (a search, say) has tests of its own.
    """
    out = {}
    for room in public_rooms():
        module = import_module(room)
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if not (inspect.isclass(value) and issubclass(value, BaseEstimator)) or inspect.isabstract(value):
                continue
            if all(p.default is not p.empty for p in inspect.signature(value).parameters.values()):
                out[public_name(value)] = value
    return out
