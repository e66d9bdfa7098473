"""The second half of the door: which columns and rows of a table a study can use, and a sheet that says so.

Nothing is dropped without a word: a column that is not used carries the reason, and rows that are left
out are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice._core.frames import require
from suffice._core.random import generator
from suffice._core.records import record
from suffice.study._read import Source
from suffice.study._sections import Column, DataSheet

NUMBERS = ("integer", "decimal")
BINS = 16


@record
class Prepared:
    """What the models see: complete rows of numeric columns, the target, and the sheet that explains both."""

    X: Any
    y: np.ndarray
    sheet: DataSheet


# -- the target and the columns ------------------------------------------------------------------------
def prepare(
    source: Source, target: str | None, ignore: Sequence[str], folds: int, max_rows: int | None, seed: int
) -> Prepared:
    """Columns a model can use, rows it can use, and the data sheet."""
    frame = source.frame
    target = _check_target(frame, target or source.target)
    for name in ignore:
        _check_column(frame, name, "ignore")
        if name == target:
            raise InvalidParameter(f"ignore: {name!r} is the target.")
    reasons = {name: _why_unused(frame[name], name in ignore) for name in frame.columns if name != target}
    used = [name for name, reason in reasons.items() if reason is None]
    numbers = _numbers(frame, [*used, target])
    good = {name: np.isfinite(column) for name, column in numbers.items()}
    complete = np.logical_and.reduce(list(good.values()))
    rows = _sampled(np.flatnonzero(complete), max_rows, seed)
    _check_rows(len(rows), len(frame), good, folds)
    for name in used:
        if np.ptp(numbers[name][rows]) == 0:
            reasons[name] = f"does not vary in the rows used (always {numbers[name][rows][0]:g})"
    used = [name for name in used if reasons[name] is None]
    remarks = [*source.remarks, *_remarks(frame, target, used, rows, good, complete)]
    columns = tuple(
        _describe(frame[name], _role(name, target, reasons.get(name)), reasons.get(name))
        for name in frame.columns
    )
    sheet = DataSheet(target, len(frame), len(rows), int((~good[target]).sum()), columns, tuple(remarks))
    _check_usable(sheet, used, numbers[target][rows])
    X = require("polars").DataFrame({name: numbers[name][rows] for name in used})
    return Prepared(X, numbers[target][rows], sheet)


def _check_column(frame: Any, name: str, argument: str) -> None:
    if name not in frame.columns:
        raise InvalidParameter(f"{argument}: there is no column {name!r}.{did_you_mean(name, frame.columns)}")


def _check_target(frame: Any, target: str | None) -> str:
    if not len(frame):
        raise InvalidInput("The table has no rows.")
    if target is None:
        names = [c for c in frame.columns if kind(frame[c]) in NUMBERS]
        raise InvalidParameter(
            f"target must name the column to predict; numeric columns are: {', '.join(map(repr, names[:12]))}."
        )
    _check_column(frame, target, "target")
    series = frame[target]
    if kind(series) not in NUMBERS:
        values = series.drop_nulls().unique(maintain_order=True)
        shown = ", ".join(repr(v) for v in values.head(3).to_list()) + ("…" if len(values) > 3 else "")
        raise InvalidInput(
            f"target {target!r} is {kind(series)} ({series.dtype}; {len(values)} distinct values: {shown}). "
            f"A study predicts a numeric target (integer or decimal). {_stray(series)}".strip()
        )
    return target


def kind(series: Any) -> str:
    """One word for what a column holds."""
    pl, dtype = require("polars"), series.dtype
    if dtype == pl.Null or series.null_count() == len(series):
        return "empty"
    if dtype.is_integer():
        return "integer"
    if dtype.is_float() or dtype.is_decimal():
        return "decimal"
    if dtype == pl.Boolean:
        return "boolean"
    if dtype in (pl.Categorical, pl.Enum):
        return "category"
    if dtype.is_temporal():
        return "date or time"
    return "text" if dtype == pl.String else "other"


def _why_unused(series: Any, ignored: bool) -> str | None:
    """Why a column is not a feature; None if it is."""
    what = kind(series)
    if ignored:
        return "left out on request"
    if what in (*NUMBERS, "boolean"):
        return _why_useless(_present(series))
    if what == "empty":
        return "has no values"
    stray = _stray(series)
    return f"{what}, not a number{'; ' + stray if stray else ''}"


def _why_useless(values: np.ndarray) -> str | None:
    if not len(values):
        return "has no finite values"
    return f"does not vary (always {values[0]:g})" if np.ptp(values) == 0 else None


def _present(series: Any) -> np.ndarray:
    """The finite values of a numeric column."""
    values = _numbers(series.to_frame(), [series.name])[series.name]
    return values[np.isfinite(values)]


def spread(values: np.ndarray, ddof: int = 0) -> float:
    """The standard deviation, also of numbers whose squares overflow."""
    size = float(np.abs(values).max()) or 1.0
    return size * float((values / size).std(ddof=ddof))


def _stray(series: Any) -> str:
    """The first value that keeps a column of numbers written as text from being one."""
    pl = require("polars")
    if series.dtype != pl.String:
        return ""
    values = series.drop_nulls()
    bad = values.cast(pl.Float64, strict=False).is_null()
    if len(values) and 0 < bad.sum() <= len(values) / 2:
        first = values.filter(bad)[0]
        return f"{int(bad.sum())} of {len(values)} cells are not numbers, first {first!r} (leave missing cells empty)"
    return ""


def _numbers(frame: Any, names: Sequence[str]) -> dict[str, np.ndarray]:
    pl = require("polars")
    return {name: frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy() for name in names}


def _sampled(rows: np.ndarray, most: int | None, seed: int) -> np.ndarray:
    if most is None or len(rows) <= most:
        return rows
    return np.sort(generator(seed).choice(rows, most, replace=False))


# -- the sheet -----------------------------------------------------------------------------------------
def _role(name: str, target: str, reason: str | None) -> str:
    return "target" if name == target else "feature" if reason is None else "not used"


def _describe(series: Any, role: str, reason: str | None) -> Column:
    what = kind(series)
    if what not in (*NUMBERS, "boolean"):
        present = series.drop_nulls()
        return Column(series.name, what, role, reason, series.null_count(), present.n_unique())
    values = _present(series)
    missing, distinct = len(series) - len(values), len(np.unique(values))
    if not distinct:
        return Column(series.name, what, role, reason, missing, 0)
    low, q1, median, q3, high = (float(q) for q in np.quantile(values, [0, 0.25, 0.5, 0.75, 1]))
    std = spread(values, 1) if len(values) > 1 else None
    counts = tuple(int(c) for c in np.histogram(values, bins=BINS)[0]) if distinct > 1 else ()
    numbers = (float(values.mean()), std, low, q1, median, q3, high)
    return Column(series.name, what, role, reason, missing, distinct, *numbers, histogram=counts)


def _remarks(
    frame: Any,
    target: str,
    used: Sequence[str],
    rows: np.ndarray,
    good: dict[str, np.ndarray],
    complete: np.ndarray,
) -> list[str]:
    out = []
    n, gone = len(frame), int((~complete).sum())
    if gone:
        worst = sorted(((int((~g).sum()), name) for name, g in good.items()), reverse=True)
        listed = ", ".join(f"{name!r} {count}" for count, name in worst[:5] if count)
        out.append(
            f"{gone} of {n} rows have a missing or infinite value in the target or a column in use and are left "
            f"out (cells per column: {listed})."
        )
    if len(rows) < n - gone:
        out.append(f"{len(rows)} of the {n - gone} complete rows were drawn at random.")
    out += [
        f"Column {name!r} counts up row by row, like a row number; consider ignoring it."
        for name in used
        if _counts_up(frame[name])
    ]
    distinct = frame[target].drop_nulls().n_unique()
    if 1 < distinct <= 5 < n:
        out.append(f"The target {target!r} has only {distinct} distinct values; it is treated as a number.")
    return out


def _counts_up(series: Any) -> bool:
    return kind(series) == "integer" and len(series) > 2 and bool((series.diff().drop_nulls() == 1).all())


def _check_rows(n: int, total: int, good: dict[str, np.ndarray], folds: int) -> None:
    if n >= max(folds, 3):
        return
    missing, worst = max((int((~g).sum()), name) for name, g in good.items())
    hint = f" {worst!r} has {missing} missing cells; ignore it?" if missing else ""
    raise InvalidInput(
        f"{folds} folds need at least {max(folds, 3)} complete rows; {n} of {total} are.{hint}"
    )


def _check_usable(sheet: DataSheet, used: Sequence[str], y: np.ndarray) -> None:
    if np.ptp(y) == 0:
        raise InvalidInput(f"target {sheet.target!r} does not vary in the rows used (always {y[0]:g}).")
    if not used:
        reasons = "; ".join(f"{c.name!r}: {c.reason}" for c in sheet.columns if c.role == "not used")
        raise InvalidInput(f"No column can be used to predict {sheet.target!r}. {reasons}".strip())
