"""Tables that go back to the user as they came: pandas, polars or Arrow."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.frames import require, to_frame
from suffice.tables.frames import frame_of


def library_of(X: Any) -> str | None:
    """The library of a data frame; None for what is no frame."""
    frame = frame_of(X)
    return None if frame is None else frame.library


def framed(columns: dict[str, np.ndarray], library: str) -> Any:
    """A table of that library."""
    if library == "pyarrow":
        return require(library).table({name: values.tolist() for name, values in columns.items()})
    return to_frame(columns, library)
