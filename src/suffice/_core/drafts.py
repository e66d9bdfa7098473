"""What a file holds before anything of it is made: values of Python, arrays, and drafts of this library's objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Draft:
    """A class of the list and the values of its fields. No method of the class has run.

    `fitted` has the fitted attributes of an estimator, and is None for a record.
    """

    cls: type
    items: dict[str, Any]
    fitted: dict[str, Any] | None = None

    def get(self, name: str) -> Any:
        """The value of a field; None where there is none."""
        return self.items.get(name) if name in self.items else (self.fitted or {}).get(name)

    def has(self, name: str) -> bool:
        return name in self.items or name in (self.fitted or {})


@dataclass(frozen=True)
class Family:
    """A density that is meant as a class, not as a value: what `BayesClassifier` takes."""

    cls: type


@dataclass(frozen=True)
class NumberType:
    """A kind of NumPy's numbers, meant as such."""

    cls: type


_SIZES = {"float": (64, 32), "int": (64, 32, 16, 8), "uint": (64, 32, 16, 8)}  # bits of each kind of number
NUMBERS: dict[str, type] = {
    name: getattr(np, name) for kind, sizes in _SIZES.items() for name in (f"{kind}{bits}" for bits in sizes)
}


def kind_of(value: Any) -> str:
    """What a value is, in a few words for an error."""
    if isinstance(value, Draft):
        return value.cls.__name__
    if isinstance(value, Family | NumberType):
        return f"the class {value.cls.__name__}"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} with shape {value.shape}{_odd(value)}"
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r:.40}"


def _odd(a: np.ndarray) -> str:
    """Words for numbers that are none; empty where all are."""
    if a.dtype.kind != "f" or not a.size:
        return ""
    low, high = a.min(), a.max()
    return (
        " and NaN"
        if np.isnan(low)
        else ""
        if np.isfinite(low) and np.isfinite(high)
        else " and infinite numbers"
    )


__all__ = ["NUMBERS", "Draft", "Family", "NumberType", "kind_of"]
