"""The first half of the door: any table to columns in memory, with its name and origin."""

from __future__ import annotations

import hashlib
import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np

from suffice import datasets
from suffice._core.errors import InvalidInput, did_you_mean
from suffice._core.records import record
from suffice.prepare.looking.gathering import gather_table


@record
class Source:
    """Columns by name (see `prepare`), and where they came from; `target` is what a bundled data set is for."""

    columns: dict[str, np.ndarray]
    name: str
    origin: str
    target: str | None = None
    sha256: str | None = None
    remarks: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0


def read(table: Any, seed: int = 0) -> Source:
    """Columns of a file of any format that `suffice describe` takes, of a bundled data set, or of a table."""
    if isinstance(table, str) and table.startswith("@"):
        return _from_dataset(_bundled(table[1:], seed), table[1:], table)
    if isinstance(table, str | os.PathLike):
        return _from_file(os.fspath(table))
    if all(hasattr(table, a) for a in ("X", "y", "feature_names", "target_name")):
        return _from_dataset(table, table.source, "a data set of suffice.datasets")
    if hasattr(table, "collect") and hasattr(table, "lazy"):
        table = table.collect()
    kind = f"{type(table).__module__.split('.')[0]} {type(table).__name__}"
    columns = gather_table(table)
    if not columns:
        raise InvalidInput(f"The table ({kind}) has no columns.")
    return Source(columns, "table", f"a {kind}")


def _bundled(name: str, seed: int) -> Any:
    known = [n for n in datasets.__all__ if n.islower()]
    if name not in known:
        raise InvalidInput(f"There is no bundled data set {name!r}.{did_you_mean(name, known)}")
    make = getattr(datasets, name)
    return make(random_state=seed) if "random_state" in inspect.signature(make).parameters else make()


def _from_dataset(data: Any, name: str, origin: str) -> Source:
    return Source(gather_table(data), name, origin, data.target_name, remarks=(f"Source: {data.source}.",))


def _from_file(path: str) -> Source:
    columns = gather_table(path)
    if not columns:
        raise InvalidInput(f"{path!r} has no columns.")
    return Source(columns, Path(path.partition("::")[0]).stem, path, sha256=_digest(path))


def _digest(path: str) -> str | None:
    """The SHA-256 of one file; None for a pattern of several."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
