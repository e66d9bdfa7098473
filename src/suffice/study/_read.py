"""The first half of the door: any table to a polars frame, with its name and origin."""

from __future__ import annotations

import hashlib
import inspect
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from suffice import datasets
from suffice._core.errors import InvalidInput, did_you_mean
from suffice._core.frames import require
from suffice._core.records import record

MISSING_WORDS = ["", "NA", "N/A", "NaN", "nan", "null", "NULL"]


@record
class Source:
    """A table as a polars frame, and where it came from."""

    frame: Any
    name: str
    origin: str
    target: str | None = None
    sha256: str | None = None
    remarks: tuple[str, ...] = ()


def read(table: Any, seed: int = 0) -> Source:
    """A table from a CSV or Parquet file, a bundled data set (`@diabetes`, or its record), or a frame."""
    pl = require("polars")
    if isinstance(table, str) and table.startswith("@"):
        return _from_dataset(_bundled(table[1:], seed), table[1:], table)
    if isinstance(table, str | os.PathLike):
        return _from_file(Path(table))
    if isinstance(table, datasets.Dataset | datasets.Certified):
        return _from_dataset(table, table.source, "a data set of suffice.datasets")
    if isinstance(table, pl.LazyFrame):
        table = table.collect()
    if isinstance(table, pl.DataFrame):
        return Source(table, "table", "a polars DataFrame")
    if type(table).__module__.split(".")[0] == "pandas":
        return Source(_from_pandas(table), "table", "a pandas DataFrame")
    if hasattr(table, "__arrow_c_stream__"):
        return Source(pl.DataFrame(table), "table", "an Arrow table")
    kinds = "a path to a CSV or Parquet file, '@' and the name of a bundled data set, or a DataFrame"
    raise InvalidInput(f"A study needs {kinds}; got {type(table).__name__}.")


def _bundled(name: str, seed: int) -> Any:
    known = [n for n in datasets.__all__ if n.islower()]
    if name not in known:
        raise InvalidInput(f"There is no bundled data set {name!r}.{did_you_mean(name, known)}")
    make = getattr(datasets, name)
    return make(random_state=seed) if "random_state" in inspect.signature(make).parameters else make()


def _from_dataset(data: Any, name: str, origin: str) -> Source:
    return Source(data.frame("polars"), name, origin, data.target_name, remarks=(f"Source: {data.source}.",))


def _from_file(path: Path) -> Source:
    pl = require("polars")
    if not path.is_file():
        raise InvalidInput(f"There is no file {str(path)!r}.")
    remarks: tuple[str, ...] = ()
    try:
        if path.suffix.lower() in (".parquet", ".pq"):
            frame = pl.read_parquet(path)
        elif path.suffix.lower() in (".csv", ".tsv", ".txt"):
            options = {"infer_schema_length": None, "null_values": MISSING_WORDS, "try_parse_dates": True}
            frame = pl.read_csv(path, separator=_separator(path), **options)
            remarks = _twins(frame.columns)
        else:
            raise InvalidInput(f"A study reads .csv, .tsv, .txt and .parquet files; got {path.name!r}.")
    except (pl.exceptions.PolarsError, UnicodeDecodeError, OSError) as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise InvalidInput(f"{str(path)!r} cannot be read as a table: {reason}.") from error
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Source(frame, path.stem, str(path), sha256=digest, remarks=remarks)


def _separator(path: Path) -> str:
    """The commonest of , ; tab | in the first line, outside quotes."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        header = re.sub(r'"[^"]*"', "", file.readline())
    return max(",;\t|", key=header.count)


def _twins(columns: Sequence[str]) -> tuple[str, ...]:
    names = [name for name in columns if re.search(r"_duplicated_\d+$", name)]
    return (f"Columns that share a name were renamed: {', '.join(names)}.",) if names else ()


def _from_pandas(table: Any) -> Any:
    pandas, pl = require("pandas"), require("polars")
    frame = table if isinstance(table, pandas.DataFrame) else table.to_frame()
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        twin = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(f"Two columns are named {twin!r}; names must differ.")
    return pl.DataFrame([_series(name, frame.iloc[:, j]) for j, name in enumerate(names)])


def _series(name: str, column: Any) -> Any:
    """One pandas column, without a detour that would need pyarrow."""
    pandas, pl = require("pandas"), require("polars")
    types, missing = pandas.api.types, column.isna().to_numpy()
    if types.is_bool_dtype(column.dtype) or types.is_integer_dtype(column.dtype):
        return pl.Series(
            name, [None if gone else v for v, gone in zip(column.tolist(), missing, strict=True)]
        )
    if types.is_numeric_dtype(column.dtype):
        return pl.Series(name, column.to_numpy(dtype=float, na_value=np.nan))
    if types.is_datetime64_any_dtype(column.dtype):
        return pl.Series(name, column.dt.tz_localize(None).to_numpy().astype("datetime64[us]"))
    texts = [None if gone else str(v) for v, gone in zip(column, missing, strict=True)]
    return pl.Series(name, texts, dtype=pl.String)
