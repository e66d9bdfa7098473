"""Tables that go back to the user as they came: pandas, polars or Arrow."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.frames import require, to_frame

LIBRARIES = ("pandas", "polars", "pyarrow")


def frame_of(X: Any) -> str | None:
    """The library of a data frame; None for what is no frame."""
    library = type(X).__module__.partition(".")[0]
    return library if library in LIBRARIES and hasattr(X, "columns") else None


def framed(columns: dict[str, np.ndarray], library: str) -> Any:
    """A table of that library."""
    if library == "pyarrow":
        return require(library).table({name: values.tolist() for name, values in columns.items()})
    return to_frame(columns, library)
