"""How much a row of each class counts: `class_weight`, as scikit-learn has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, as_numbers, check_number

RULE = "class_weight must be None, 'balanced' or a weight per class by label"


def check_class_weight(choice: Any) -> None:
    """Refuse what is no choice, whatever the classes are."""
    if isinstance(choice, Mapping):
        for label, value in choice.items():
            check_number(f"class_weight[{label!r}]", value, low=0.0)
    elif choice is not None and not (isinstance(choice, str) and choice == "balanced"):
        raise InvalidParameter(f"{RULE}; got {choice!r}.")


def class_weights(choice: Any, classes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """One number per class; "balanced" is n / (classes × n_c), and zero for a class without rows."""
    known = classes.tolist()
    if choice is None:
        return np.ones(len(known))
    if isinstance(choice, str):
        present = np.count_nonzero(counts)
        return np.divide(counts.sum(), present * counts, out=np.zeros(len(known)), where=counts > 0)
    unknown = [label for label in choice if label not in set(known)]
    if unknown:
        raise InvalidParameter(f"class_weight names {unknown[0]!r}; the classes are {known}.")
    return as_numbers("class_weight", [choice.get(c, 1.0) for c in known])


def step_weights(choice: Any, labels: np.ndarray, classes: np.ndarray) -> list[np.ndarray | None]:
    """For each problem a factor per row: that of its class, or one for the classes which a class is set against."""
    pairs = [(1, 0)] if len(classes) == 2 else [(k, None) for k in range(len(classes))]
    if choice is None:
        return [None] * len(pairs)
    factors = class_weights(choice, classes, np.array([float(np.sum(labels == c)) for c in classes]))
    return [
        np.where(labels == classes[k], factors[k], 1.0 if against is None else factors[against])
        for k, against in pairs
    ]
