"""Predictions to CSV or Parquet, a batch at a time; a file appears only when it is complete.

Numbers are written with all their digits, so that the same predictions give the same bytes; a gap is an empty cell.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NoInformation, warn
from suffice._core.frames import require
from suffice._core.terminals import escaping_cells
from suffice._core.writing import replacing
from suffice.cli.terminal import check_writable

Columns = dict[str, np.ndarray]
Write = Callable[[Columns], None]
ENDINGS = (".csv", ".parquet")


def check_predictions(out: str, force: bool) -> None:
    """Raise before any work if the file cannot be written, or would be lost."""
    if out == "-":
        return
    path = Path(out)
    if path.suffix.lower() not in ENDINGS:
        raise InvalidParameter(f"--out names a file that ends in .csv or .parquet, or is '-'; got {out!r}.")
    if path.is_dir():
        raise InvalidParameter(f"--out: {out!r} is a folder.")
    check_writable(path, force)


@contextmanager
def writing(out: str) -> Iterator[Write]:
    """A function that takes batches of columns, always the same ones."""
    if out == "-":
        with escaping_cells(sys.stdout) as lacking:
            yield csv_writer(sys.stdout)
            sys.stdout.flush()
        for name in lacking:
            warn(
                f"The output is {name}, which lacks characters of the table: they are written as escapes. Name a file "
                "with --out, which is UTF-8.",
                NoInformation,
            )
        return
    kind = parquet if Path(out).suffix.lower() == ".parquet" else csv_file
    with replacing(out) as part, kind(Path(part)) as write:
        yield write


# -- CSV ----------------------------------------------------------------------------------------------------------
@contextmanager
def csv_file(path: Path) -> Iterator[Write]:
    with open(path, "w", encoding="utf-8", newline="") as file:
        yield csv_writer(file)


def csv_writer(file: TextIO) -> Write:
    """Writes the names before the first batch."""
    writer = csv.writer(file, lineterminator="\n")
    begun = False

    def write(columns: Columns) -> None:
        nonlocal begun
        if not begun:
            writer.writerow(columns)
            begun = True
        writer.writerows(zip(*(cells(values) for values in columns.values()), strict=True))

    return write


def cells(values: np.ndarray) -> list[Any]:
    """A column as CSV has it: gaps empty, truths in lower case, times by ISO 8601."""
    if values.dtype.kind in "mM":
        return ["" if np.isnat(v) else str(v) for v in values]
    return [cell(v) for v in values.tolist()]


def cell(value: Any) -> Any:
    """One cell."""
    if value is None or value != value:
        return ""
    return str(value).lower() if isinstance(value, bool) else value


# -- Parquet ------------------------------------------------------------------------------------------------------
@contextmanager
def parquet(path: Path) -> Iterator[Write]:
    """The kinds of the first batch are those of the file."""
    pa, files = require("pyarrow"), require("pyarrow.parquet")
    writer: Any = None

    def write(columns: Columns) -> None:
        nonlocal writer
        table = None if writer is None else writer.schema
        kinds = {} if table is None else {field.name: field.type for field in table}
        made = {name: arrow(pa, name, values, kinds.get(name)) for name, values in columns.items()}
        batch = pa.table(made)
        if writer is None:
            writer = files.ParquetWriter(path, batch.schema)
        writer.write_table(batch)

    try:
        yield write
    finally:
        if writer is not None:
            writer.close()


def arrow(pa: Any, name: str, values: np.ndarray, kind: Any) -> Any:
    """A column in the kind that the file has for it."""
    cells = values.astype("M8[us]") if values.dtype.kind == "M" else values
    try:
        if kind is None and values.dtype == object and all(v is None for v in values):
            kind = pa.string()
        return pa.array(cells, type=kind, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise InvalidInput(
            f"Column {name!r} holds values of several kinds, which a column of Parquet cannot ({error}); write CSV."
        ) from None
