"""Covariances that an object of scikit-learn's kind estimates from the rows of each class: `covariance_estimator`."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.linalg import eigh, qr_factor
from suffice._core.records import frozen_array
from suffice.generative._normal.part import ScatterPart

ESTIMATED = (
    "covariance_estimator reads the rows of each class themselves, so statistics neither add nor subtract"
)
NEGATIVE = 1e-8  # of the largest eigenvalue: more than rounding


def check_estimator(estimator: Any, shrinkage: Any, **rivals: bool) -> None:
    """Refuse an object that cannot be fitted, or one beside other rules for the same covariance."""
    if estimator is None:
        return
    if not callable(getattr(estimator, "fit", None)):
        raise InvalidParameter(
            f"covariance_estimator must have a method fit and leave covariance_, or be None; got {estimator!r}."
        )
    if not (shrinkage is None or (not isinstance(shrinkage, str) and shrinkage == 0)):
        raise InvalidParameter(
            "covariance_estimator and shrinkage parameters are not None. Only one of the two can be set."
        )
    given = [name for name, is_given in rivals.items() if is_given]
    if given:
        raise InvalidParameter(f"covariance_estimator and {given[0]} decide the same; choose one of them.")


def estimated_parts(
    estimator: Any, X: np.ndarray, groups: list[np.ndarray], weight: np.ndarray | None
) -> tuple[ScatterPart, ...]:
    """Weight, mean and, from the estimated covariance, scatter of every class; weights are counts of rows."""
    counts = None if weight is None else _counts(weight)
    return tuple(
        _part(estimator, X[g] if counts is None else np.repeat(X[g], counts[g], axis=0)) for g in groups
    )


def _counts(weight: np.ndarray) -> np.ndarray:
    whole = np.rint(weight)
    if not np.array_equal(whole, weight):
        raise Unsupported(
            "covariance_estimator takes no weights, so sample_weight must be whole numbers (a row that often); got "
            f"{weight[whole != weight][0]:g}. Leave one of the two out."
        )
    return whole.astype(int)


def _part(estimator: Any, X: np.ndarray) -> ScatterPart:
    own = clone(estimator, safe=False)
    own.fit(X)
    if not hasattr(own, "covariance_"):
        raise InvalidParameter(
            f"{type(own).__name__} does not have a covariance_ attribute after fit, which covariance_estimator needs."
        )
    factor = np.sqrt(len(X)) * _root(
        np.atleast_2d(np.asarray(own.covariance_, dtype=float)), type(own).__name__
    )
    return ScatterPart(float(len(X)), frozen_array(X.mean(axis=0)), frozen_array(factor))


def _root(cov: np.ndarray, name: str) -> np.ndarray:
    """The triangle R with RᵀR the covariance."""
    values, vectors = eigh((cov + cov.T) / 2)
    if values[0] < -NEGATIVE * max(float(values[-1]), 0.0):
        raise InvalidInput(
            f"The covariance_ that {name} left has an eigenvalue of {values[0]:.3g}; no normal density has it."
        )
    return qr_factor(np.asfortranarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T))
