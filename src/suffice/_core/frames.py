"""Columns to a pandas or polars table; the packages are imported on call."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from suffice._core.errors import MissingExtra, check_choice

EXTRA = {
    "pandas": "frames",
    "matplotlib": "plots",
    "typer": "study",
    "jinja2": "study",
    "pyarrow": "files",
    "dask": "cluster",
    "distributed": "cluster",
    "nutpie": "mcmc",
    "arviz": "mcmc",
    "openpyxl": "tables",
    "duckdb": "tables",
    "snowballstemmer": "text",
}


def require(package: str) -> Any:
    """The package, or an error naming the extra that installs it."""
    try:
        return import_module(package)
    except ImportError as error:
        what = f"'suffice[{EXTRA[package]}]'" if package in EXTRA else package
        raise MissingExtra(f"{package} is not installed; try: pip install {what}.") from error


def to_frame(columns: dict[str, Any], kind: str = "pandas") -> Any:
    """A table with these columns."""
    check_choice("kind", kind, ("pandas", "polars"))
    return require(kind).DataFrame(columns)


class Columnar:
    """A matrix of numbers kept as its columns: rows are put side by side when they are asked for."""

    dtype, ndim = np.dtype(float), 2

    def __init__(self, columns: list[np.ndarray], n_rows: int):
        self.columns, self.shape = columns, (n_rows, len(columns))

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def size(self) -> int:
        return self.shape[0] * self.shape[1]

    def __getitem__(self, rows: Any) -> Any:
        """A slice is a view of the columns; rows by their numbers are a matrix, a column after the other in memory."""
        if isinstance(rows, slice):
            return Columnar([c[rows] for c in self.columns], len(range(*rows.indices(len(self)))))
        out = np.empty((len(rows), self.shape[1]), order="F")
        self.put(rows, out)
        return out

    def put(self, rows: Any, out: np.ndarray) -> None:
        """The same in a place that is given."""
        for j, column in enumerate(self.columns):
            if isinstance(rows, np.ndarray) and column.dtype == out.dtype:
                # with a mode, and only then, without a copy
                np.take(column, rows, out=out[:, j], mode="clip")
            else:
                out[:, j] = column[rows]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        out = np.empty(self.shape, order="F")
        self.put(slice(None), out)
        return np.asarray(out, dtype=dtype)


class NamedArray:
    """A matrix with names for its columns: what the engine makes of a batch of a table."""

    def __init__(self, values: np.ndarray | Columnar, names: tuple[str, ...]):
        self.values, self.names, self.shape = values, names, values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.values, dtype=dtype)
