"""Columns to a pandas or polars table; the packages are imported on call."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from suffice._core.errors import MissingExtra, check_choice

EXTRA = {
    "pandas": "frames",
    "polars": "study",
    "matplotlib": "plots",
    "typer": "study",
    "jinja2": "study",
    "pyarrow": "files",
    "dask": "cluster",
    "distributed": "cluster",
}


def require(package: str) -> Any:
    """The package, or an error naming the extra that installs it."""
    try:
        return import_module(package)
    except ImportError as error:
        extra = EXTRA.get(package, "dev")
        raise MissingExtra(f"{package} is not installed; try: pip install 'suffice[{extra}]'.") from error


def to_frame(columns: dict[str, Any], kind: str = "pandas") -> Any:
    """A table with these columns."""
    check_choice("kind", kind, ("pandas", "polars"))
    return require(kind).DataFrame(columns)


class NamedArray:
    """A matrix with names for its columns: what the engine makes of a batch of a table."""

    def __init__(self, values: np.ndarray, names: tuple[str, ...]):
        self.values, self.names, self.shape = values, names, values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.values, dtype=dtype)
