"""Frozen values as nested hyper-parameters: `basis__degree` in `set_params` and grid searches.

A value is replaced, never changed, so two models can share one without seeing each other.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Self

from suffice._core.errors import InvalidParameter
from suffice._core.records import fields


class Parametric:
    """What a record needs to sit inside an estimator. Adds no state."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Fields by name, with nested ones as `outer__inner`."""
        out = dict(fields(self))
        if deep:
            for name, value in list(out.items()):
                if isinstance(value, Parametric):
                    out |= {f"{name}__{k}": v for k, v in value.get_params().items()}
        return out

    def replaced(self, **params: Any) -> Self:
        """A copy with some fields changed; nested names reach inside."""
        known = fields(self)
        direct: dict[str, Any] = {}
        nested: dict[str, dict[str, Any]] = {}
        for name, value in params.items():
            head, _, tail = name.partition("__")
            if head not in known:
                options = ", ".join(known)
                raise InvalidParameter(f"{type(self).__name__} has no parameter {head!r}; it has {options}.")
            if tail:
                nested.setdefault(head, {})[tail] = value
            else:
                direct[head] = value
        for head, inner in nested.items():
            direct[head] = direct.get(head, known[head]).replaced(**inner)
        return dataclasses.replace(self, **direct)  # type: ignore[type-var]

    def __sklearn_clone__(self) -> Self:
        return self
