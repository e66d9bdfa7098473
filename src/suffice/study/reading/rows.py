"""Which rows are used, in which order, and how often each counts; what is left out is counted and told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.prepare.looking._decimal_marks import check_decimals
from suffice.prepare.transforming._column_codes import as_moments, as_numbers, as_words
from suffice.study.options import Options
from suffice.study.reading.content import content_numbers
from suffice.study.reading.target import without_value
from suffice.tables.cells import gaps


@record
class StudyRows:
    """Numbers of the rows in use, in the order of time or else of content; and what was left out, in sentences."""

    rows: np.ndarray
    weight: np.ndarray | None
    groups: np.ndarray | None
    remarks: tuple[str, ...]

    def pick(self, places: np.ndarray, remark: str) -> StudyRows:
        """Some of them, with a word about it."""
        weight = None if self.weight is None else self.weight[places]
        groups = None if self.groups is None else self.groups[places]
        return StudyRows(self.rows[places], weight, groups, (*self.remarks, remark))


def rows_in_use(columns: dict[str, np.ndarray], target: str, options: Options) -> StudyRows:
    """Rows with a target, a weight, a group and a moment, as far as these are asked for."""
    missing, infinite = without_value(columns[target])
    n, remarks = len(missing), []
    remarks += _left_out(missing, n, f"no {target!r}")
    remarks += _left_out(infinite, n, f"an infinite {target!r}")
    keep = ~(missing | infinite)
    weight = groups = None
    if options.weights is not None:
        weight = _weights(columns[options.weights], options.weights, keep)
        remarks += _left_out(keep & ~(weight > 0), n, "no weight, or the weight 0,")
        keep &= weight > 0
    if options.group is not None:
        absent = gaps(columns[options.group])
        remarks += _left_out(keep & absent, n, f"no {options.group!r}")
        keep &= ~absent
        groups = as_words(columns[options.group])
    rows = np.flatnonzero(keep)
    rows = rows[np.argsort(content_numbers(columns)[rows], kind="stable")]
    if options.time is not None:
        rows, more = _ordered(columns[options.time], options.time, rows, n)
        remarks += more
    if len(rows) < 2:
        raise InvalidInput(
            f"A study needs at least 2 rows with a target; {len(rows)} of {n} can be used.{_why(remarks)}"
        )
    weight = None if weight is None else weight[rows]
    groups = None if groups is None else groups[rows].astype(str)
    remarks += [*_equal_weights(weight, options), *_grouping(groups, options)]
    return StudyRows(rows, weight, groups, tuple(remarks))


def _left_out(where: np.ndarray, n: int, what: str) -> list[str]:
    count = int(where.sum())
    have = "has" if count == 1 else "have"
    return (
        [f"{count} of {n} rows {have} {what} and {'is' if count == 1 else 'are'} left out."] if count else []
    )


def _why(remarks: Sequence[str]) -> str:
    return f" {' '.join(remarks)}" if remarks else ""


# -- weights ----------------------------------------------------------------------------------------------
def _weights(values: np.ndarray, name: str, keep: np.ndarray) -> np.ndarray:
    """A weight per row, NaN where there is none; refuses those that cannot be meant."""
    check_decimals(values, f"weights: column {name!r}")
    weight = as_numbers(values)
    if np.isnan(weight[keep]).all():
        raise InvalidInput(f"weights: column {name!r} holds no numbers in the rows with a target.")
    bad = np.flatnonzero(keep & (weight < 0))
    if len(bad):
        raise InvalidInput(
            f"weights: {name!r} is {weight[bad[0]]:g} in row {bad[0]} (counted from 0), as in {len(bad)} rows; a "
            "weight says how often a row counts and is not negative."
        )
    parts = np.flatnonzero(keep & np.isfinite(weight) & (weight != np.round(weight)))
    if len(parts):
        raise InvalidInput(
            f"weights: {name!r} is {weight[parts[0]]:g} in row {parts[0]} (counted from 0), as in {len(parts)} rows; a "
            "weight says how many equal rows a row stands for, a whole number. Weights of a survey, or of precision, "
            "are not supported."
        )
    words = np.flatnonzero(keep & np.isnan(weight) & ~gaps(values))
    if len(words):
        raise InvalidInput(
            f"weights: {name!r} is {values[words[0]]!r:.40} in row {words[0]} (counted from 0), which is no weight."
        )
    return weight


def _equal_weights(weight: np.ndarray | None, options: Options) -> list[str]:
    if weight is None or np.ptp(weight) > 0:
        return []
    return [f"All rows have the weight {weight[0]:g} in {options.weights!r}: none counts more than another."]


# -- groups -----------------------------------------------------------------------------------------------
def _grouping(groups: np.ndarray | None, options: Options) -> list[str]:
    if groups is None:
        return []
    names, sizes = np.unique(groups, return_counts=True)
    remarks = []
    if len(names) == len(groups):
        remarks.append(f"Every row has a {options.group!r} of its own, so no rows are kept together.")
    elif sizes.max() > 0.5 * len(groups):
        most = names[np.argmax(sizes)]
        remarks.append(
            f"{sizes.max()} of {len(groups)} rows are of one {options.group!r} ({most.item()!r:.40}): folds are "
            "of unequal size."
        )
    if options.time is not None:
        remarks.append(
            f"Rows are split by {options.time!r}, so those of one {options.group!r} may be on both sides of a "
            "split."
        )
    return remarks


# -- time -------------------------------------------------------------------------------------------------
def _ordered(values: np.ndarray, name: str, rows: np.ndarray, n: int) -> tuple[np.ndarray, list[str]]:
    """The rows by time, those of one moment as they come."""
    moments = moments_of(values, name)
    absent = np.isnan(moments[rows])
    remarks = _left_out(absent, n, f"no {name!r}")
    rows = rows[~absent]
    rows = rows[np.argsort(moments[rows], kind="stable")]
    kinds, sizes = np.unique(moments[rows], return_counts=True)
    if len(rows) > 1 and len(kinds) < 2:
        raise InvalidInput(
            f"time: all rows have the same {name!r}, so they have no order. Leave the option out."
        )
    shared = int(sizes[sizes > 1].sum())
    if shared:
        remarks.append(
            f"{shared} rows share their {name!r} with another; the order among these is of no account."
        )
    return rows, remarks


def moments_of(values: np.ndarray, name: str) -> np.ndarray:
    """A number per row that orders it: times, numbers, or dates as text in the form of ISO 8601; NaN for gaps."""
    if values.dtype.kind in "mM":
        moments = as_moments(values)
        return np.where(np.isnat(moments), np.nan, moments.astype(np.int64).astype(float))
    check_decimals(values, f"time: {name!r}")
    numbers = as_numbers(values)
    unread = ~gaps(values) & np.isnan(numbers)
    if not unread.any():
        return numbers
    if values.dtype != object:
        return numbers  # infinities
    return np.array([np.nan if v is None else _moment(v, i, name) for i, v in enumerate(values)])


def _moment(value: Any, row: int, name: str) -> float:
    """Seconds since the epoch; a time without a zone counts as UTC."""
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(_iso(value))
    except ValueError:
        raise InvalidInput(
            f"time: {name!r} is {value!r:.40} in row {row} (counted from 0), which is neither a number nor a "
            "date as 2024-12-31 or 2024-12-31T23:59."
        ) from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _iso(value: Any) -> str:
    """Text of a date; a year and month alone mean the first day."""
    text = value.isoformat() if isinstance(value, date) else str(value).strip()
    return f"{text}-01" if len(text) == 7 and text[4:5] == "-" else text


# -- drawing ----------------------------------------------------------------------------------------------
def draw_rows(
    found: StudyRows,
    y: np.ndarray,
    classes: bool,
    most: int | None,
    needed: int,
    rng: np.random.Generator,
    equal: np.ndarray | None = None,
) -> StudyRows:
    """At most so many rows: whole groups where there are groups, else with the shares of the classes kept.

    Rows with the same mark in `equal` are drawn together.
    """
    n = len(found.rows)
    if most is None or n <= most:
        return found
    if equal is not None and found.groups is None:
        places = _whole_groups(equal, most, needed, rng)
        if places is not None and not (classes and len(np.unique(y[places])) < len(np.unique(y))):
            remark = f"{len(places)} of {n} rows were drawn at random, equal rows together (max_rows)."
            return found.pick(places, remark)
    groups = None if found.groups is None else _whole_groups(found.groups, most, needed, rng)
    if groups is not None:
        kept = len(np.unique(found.groups[groups]))  # type: ignore[index]
        return found.pick(
            groups, f"{len(groups)} of {n} rows were drawn at random, {kept} groups as a whole (max_rows)."
        )
    if classes:
        remark = f"{most} of {n} rows were drawn at random, with the shares of the classes kept (max_rows)."
        return found.pick(_stratified(y, most, needed, rng), remark)
    places = np.sort(rng.choice(n, most, replace=False))
    return found.pick(places, f"{most} of {n} rows were drawn at random (max_rows).")


def _whole_groups(groups: np.ndarray, most: int, needed: int, rng: np.random.Generator) -> np.ndarray | None:
    """Rows of groups in a random order until there are `most`; None if that leaves fewer groups than are needed."""
    names, codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    order = rng.permutation(len(names))
    kept = order[np.cumsum(sizes[order]) <= most]
    return np.flatnonzero(np.isin(codes, kept)) if len(kept) >= needed else None


def _stratified(y: np.ndarray, most: int, needed: int, rng: np.random.Generator) -> np.ndarray:
    """Rows by class in proportion, rare classes with as many as folds need; the largest class gives the "
    "difference."""
    _, codes, sizes = np.unique(y, return_inverse=True, return_counts=True)
    share = np.floor(most * sizes / len(y)).astype(int)
    wanted = np.minimum(sizes, np.maximum(share, needed))
    wanted[np.argmax(wanted)] -= max(wanted.sum() - most, 0)
    for k in np.argsort(wanted - sizes)[: max(most - wanted.sum(), 0)]:  # what rounding has left over
        wanted[k] += 1
    if wanted.min() < 1 or np.any(wanted > sizes):
        return np.sort(rng.choice(len(y), most, replace=False))
    picked = [rng.choice(np.flatnonzero(codes == k), int(w), replace=False) for k, w in enumerate(wanted)]
    return np.sort(np.concatenate(picked))
