"""How much a row of each class counts: `class_weight`, as scikit-learn has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, as_numbers, check_number
from suffice.statistics import Counts

RULE = "class_weight must be None, 'balanced' or a weight per class by label"


def check_class_weight(choice: Any) -> None:
    """Refuse what is no choice, whatever the classes are."""
    if isinstance(choice, Mapping):
        for label, value in choice.items():
            check_number(f"class_weight[{label!r}]", value, low=0.0)
    elif choice is not None and not (isinstance(choice, str) and choice == "balanced"):
        raise InvalidParameter(f"{RULE}; got {choice!r}.")


def class_weights(choice: Any, counts: Counts) -> np.ndarray:
    """One number per class; "balanced" is n / (classes × n_c), and zero for a class without rows."""
    classes, seen = counts.classes.tolist(), counts.counts
    if choice is None:
        return np.ones(len(classes))
    if isinstance(choice, str):
        present = np.count_nonzero(seen)
        return np.divide(counts.n, present * seen, out=np.zeros(len(seen)), where=seen > 0)
    unknown = [label for label in choice if label not in set(classes)]
    if unknown:
        raise InvalidParameter(f"class_weight names the class {unknown[0]!r}; y has {classes}.")
    weights = as_numbers("class_weight", [choice.get(c, 1.0) for c in classes])
    if not np.any(weights * seen > 0):
        raise InvalidParameter(f"class_weight leaves no row that counts; got {dict(choice)!r}.")
    return weights
