"""The first half of the door: any table to columns in memory, with its name and origin."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np

from suffice import datasets
from suffice._core.errors import InvalidInput, did_you_mean
from suffice._core.records import record
from suffice.engine.sources.formats import found
from suffice.prepare.looking._decimal_marks import with_numbers
from suffice.prepare.looking.gathering import gather_table
from suffice.study.reading.names import remarks_on_file, remarks_on_names
from suffice.tables.frames import is_frame
from suffice.tables.opening import Table, is_data_set
from suffice.tables.tidying import tidy

KINDS = (
    "A study needs the path of a file or a pattern of several, a table of pandas, polars or Arrow, a dict of columns, "
    "a list of rows, an array, or the name of a bundled data set as '@diabetes'"
)


@record
class StudySource:
    """Columns by name (see `prepare`), and where they came from; `target` is what a bundled data set is for.

    `types` is what the table itself says of its columns: the levels of ordered categories, and "nominal".
    """

    columns: dict[str, np.ndarray]
    name: str
    origin: str
    target: str | None = None
    sha256: str | None = None
    remarks: tuple[str, ...] = ()
    types: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0


def read(table: Any, seed: int = 0, decimal: str | None = None) -> StudySource:
    """Columns of a file of any format that `suffice describe` takes, of a bundled data set, or of a table.

    `decimal` is the mark of numbers in text, which then become numbers.
    """
    found = _read(table, seed)
    if decimal is None:
        return found
    return replace(found, columns={n: tidy(with_numbers(v, decimal)) for n, v in found.columns.items()})


def _read(table: Any, seed: int) -> StudySource:
    if isinstance(table, str) and table.startswith("@"):
        return _from_dataset(_bundled(table[1:], seed), table[1:], table)
    if isinstance(table, str | os.PathLike):
        return _from_files([os.fspath(table)])
    if isinstance(table, list | tuple) and table and all(isinstance(p, str | os.PathLike) for p in table):
        return _from_files([os.fspath(path) for path in table])
    if is_data_set(table):
        return _from_dataset(table, table.source, "a data set of suffice.datasets")
    return _from_memory(table)


# -- tables that are here ---------------------------------------------------------------------------------
def _from_memory(table: Any) -> StudySource:
    kind = _kind(table)
    if table is None or isinstance(table, bytes | int | float | complex | set | frozenset):
        raise InvalidInput(f"{KINDS}; got {kind}.")
    if hasattr(table, "collect") and hasattr(table, "lazy"):
        table = table.collect()
    named = Table.of(table) if isinstance(table, dict) or is_frame(table) else None
    columns = named.arrays if named is not None else gather_table(table) if not _is_empty(table) else {}
    if not columns:
        raise InvalidInput(f"The table ({kind}) has no columns.")
    told = remarks_on_names(() if named is None else named.given, list(columns))
    types = {} if named is None else _types(named)
    return StudySource(columns, "table", f"a {kind}", remarks=told, types=types)


def _types(table: Table) -> dict[str, Any]:
    """Categories of pandas, polars and Arrow, with their order where they have one."""
    levels = {name: list(order) for name, order in table.levels.items()}
    return dict.fromkeys(sorted(table.categories), "nominal") | levels


def _kind(table: Any) -> str:
    module = type(table).__module__.split(".")[0]
    return f"{'' if module == 'builtins' else f'{module} '}{type(table).__name__}"


def _is_empty(table: Any) -> bool:
    return isinstance(table, list | tuple) and not table


# -- bundled data sets ------------------------------------------------------------------------------------
def _bundled(name: str, seed: int) -> Any:
    known = [n for n in datasets.__all__ if n.islower()]
    if name not in known:
        raise InvalidInput(f"There is no bundled data set {name!r}.{did_you_mean(name, known)}")
    make = getattr(datasets, name)
    return make(random_state=seed) if "random_state" in inspect.signature(make).parameters else make()


def _from_dataset(data: Any, name: str, origin: str) -> StudySource:
    return StudySource(
        gather_table(data), name, origin, data.target_name, remarks=(f"Source: {data.source}.",)
    )


# -- files ------------------------------------------------------------------------------------------------
def _from_files(paths: list[str]) -> StudySource:
    shown = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
    columns = gather_table(paths)
    if not columns:
        raise InvalidInput(f"{shown!r} has no columns.")
    files = [file for path in paths for file in found(_outside(path))]
    told = [*remarks_on_file(files[0], list(columns))]
    if len(files) > 1:
        told.append(f"The table is in {len(files)} files, from {files[0]!r} to {files[-1]!r}.")
    return StudySource(columns, _title(paths[0]), shown, sha256=_digest(files), remarks=tuple(told))


def _outside(path: str) -> str:
    """The file of `file.db::table`."""
    head, mark, _ = path.rpartition("::")
    return head if mark and not os.path.exists(path) else path


def _title(path: str) -> str:
    """What a table is called after its file or pattern."""
    return (
        Path(_outside(path)).name.partition(".")[0].translate({ord(c): None for c in "*?[]"}).strip("-_ ")
        or "table"
    )


def _digest(files: Sequence[str]) -> str:
    """The SHA-256 of a file; of several one after the other, as they were read."""
    total = hashlib.sha256()
    for path in files:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                total.update(block)
    return total.hexdigest()
