"""Public classes and functions that were renamed: their room still finds them under the former name, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any


def former_names(room: str, renamed: Mapping[str, Any]) -> Callable[[str], Any]:
    """The `__getattr__` of a room, from former names to what is called otherwise now."""

    def find(name: str) -> Any:
        if name not in renamed:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        now = renamed[name].__name__
        warnings.warn(f"{room}.{name} is now called {now}; use that name.", DeprecationWarning, stacklevel=2)
        return renamed[name]

    return find
