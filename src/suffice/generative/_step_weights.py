"""Factors of the steps that rows of a class cause: `class_weight` of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_number


def check_class_weight(choice: Any) -> None:
    """None, "balanced" or positive numbers by label."""
    if choice is None or (isinstance(choice, str) and choice == "balanced"):
        return
    if not isinstance(choice, Mapping):
        raise InvalidParameter(
            f"class_weight must be None, 'balanced' or a weight per class by label; got {choice!r}."
        )
    for value in choice.values():
        check_number("class_weight", value, low=0)


def step_weights(choice: Any, labels: np.ndarray, classes: np.ndarray) -> list[np.ndarray | None]:
    """For each problem a factor per row: that of its class, or one for the classes which a class is set against."""
    pairs = [(1, 0)] if len(classes) == 2 else [(k, None) for k in range(len(classes))]
    if choice is None:
        return [None] * len(pairs)
    factors = _factors(choice, labels, classes)
    return [
        np.where(labels == classes[k], factors[k], 1.0 if against is None else factors[against])
        for k, against in pairs
    ]


def _factors(choice: Any, labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    if isinstance(choice, str):
        counts = np.array([np.sum(labels == c) for c in classes])
        return len(labels) / (len(classes) * np.maximum(counts, 1))
    unknown = [key for key in choice if not np.any(classes == key)]
    if unknown:
        raise InvalidParameter(f"class_weight names {unknown[0]!r}; the classes are {classes.tolist()}.")
    return np.array([float(choice.get(c, 1.0)) for c in classes.tolist()])
