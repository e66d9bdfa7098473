"""What an estimator tells scikit-learn about itself, declared above the class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

C = TypeVar("C", bound=type)


def tagged(**values: Any) -> Callable[[C], C]:
    """A class decorator: tags by their paths, as in `input_tags__sparse=True`, beside those of the classes above."""

    def declare(cls: C) -> C:
        owner: Any = cls

        def __sklearn_tags__(self: Any) -> Any:
            tags = super(owner, self).__sklearn_tags__()
            for path, value in values.items():
                room, _, name = path.rpartition("__")
                setattr(getattr(tags, room) if room else tags, name, value)
            return tags

        owner.__sklearn_tags__ = __sklearn_tags__
        return cls

    return declare
