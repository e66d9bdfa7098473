"""What all sections share, and their way to JSON."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar, Protocol

import numpy as np

from suffice._core.records import fields

Interval = tuple[float, float]


class Section(Protocol):
    """What the report loops over."""

    key: ClassVar[str]
    heading: ClassVar[str]


def plain(value: Any) -> Any:
    """A record, array or container as JSON values; NaN and infinities become None, what JSON lacks becomes text."""
    if dataclasses.is_dataclass(value):
        return {name: plain(v) for name, v in fields(value).items()}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, tuple | list | np.ndarray):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)
