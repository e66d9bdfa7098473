r"""Gaps filled in with one value per column (DTU §2.2): the baselines of the text.

mean           Σ w x / n over the cells that are there
rounded_mean   ⌊mean + ½⌋, for whole numbers
mode           the most frequent value, the smallest of several; also for text
median         the middle of the sorted cells, or halfway between the two in the middle
constant       a value that is given

Every one of them makes the column narrower than it is, and its correlations weaker; a model that takes gaps as they
are does neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, field
from typing import Any, Self, final

import numpy as np
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import _check_feature_names_in

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NoInformation,
    Unsupported,
    check_flags,
    did_you_mean,
    warn,
)
from suffice._core.frames import to_frame
from suffice._core.records import estimator, record
from suffice._estimator import (
    check_is_fitted,
    check_no_effect,
    check_not_empty,
    check_weight,
    remember_columns,
)
from suffice.engine import Rows
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.transforming._cell_statistics import COUNTING, CellStatistics, gather_cells, median
from suffice.prepare.transforming._shells import Summing
from suffice.prepare.transforming._typed_table import open_cells
from suffice.statistics import Header
from suffice.tables.cells import is_missing, merges
from suffice.tables.frames import library_frame
from suffice.tables.typed import TypedTable, present

STRATEGIES = ("auto", "mean", "rounded_mean", "mode", "median", "constant", "most_frequent")


@record
class Fill:
    """What a column's gaps get, and by which rule; None where the fit had no cell to go by."""

    value: Any
    rule: str
    gaps: bool


@final
@estimator
class SimpleImputer(Summing):
    """Missing cells filled in with one value per column.

    Parameters
    ----------
    strategy
        "mean", "rounded_mean", "mode" ("most_frequent" is scikit-learn's word for it), "median" or "constant"; or
        "auto": the mean, the rounded mean where all numbers are whole, and the mode of text. A mapping by column name
        gives columns rules of their own, or their `Attribute`, which implies one: the mean of continuous columns, the
        rounded mean of whole numbers that can be subtracted, the mode of nominal and ordinal ones. Columns it does
        not name are "auto".
    fill_value
        What "constant" fills in: a value, or a mapping by column name.
    missing_values
        What a gap is: NaN (and None), or a number or text that stands for one; NaN is then refused.
    keep_empty_features
        Whether a column without any cell at `fit` is kept and filled with 0, or with `fill_value`; otherwise it is left
        out by `transform`, with a warning.
    copy
        Taken for scikit-learn's sake and without effect: the table that is handed in never changes.
    add_indicator
        Whether to append a column of zeros and ones for each column that had gaps at `fit`, 1 where a cell was missing.

    Notes
    -----
    What is learned are sums (moments, or how often each value occurred), so parts of a table merge. A mode or median
    needs every different value of its column, so a saved one holds them all; a mean needs three numbers.

    `inverse_transform` puts the gaps back where indicators tell of them, and is refused otherwise.

    `state_` holds a `Fill` for each column; `statistics_` are the sums, while scikit-learn calls the fills so.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.prepare import SimpleImputer
    >>> X = [[1.5, 3], [2.5, 4], [np.nan, 3], [8.0, np.nan]]
    >>> SimpleImputer("auto").fit_transform(X)[2:]
    array([[4., 3.],
           [8., 3.]])
    >>> SimpleImputer("constant", fill_value=0.0, add_indicator=True).fit_transform(X)[3]
    array([8., 0., 0., 1.])
    """

    strategy: Any = "mean"
    _: KW_ONLY
    fill_value: Any = None
    missing_values: Any = np.nan
    copy: bool = True
    add_indicator: bool = False
    keep_empty_features: bool = False

    statistics_: CellStatistics = field(init=False)
    state_: tuple[Fill, ...] = field(init=False)

    _input_tags = ("categorical", "string", "allow_nan")

    takes_tables = True  # batches of a source reach the door as they are

    @property
    def statistics_key(self) -> Any:
        """The rules say whether moments or values are counted, and what a gap is which cells."""
        return repr((self.strategy, self.missing_values))

    # -- statistics -------------------------------------------------------------------------------
    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Header | None = None
    ) -> tuple[Rows, Header]:
        """Validated columns and their header; with `like`, that of an earlier table."""
        cells, header = self._cells(X, like)
        for rule, values, name in zip(
            rules(self.strategy, header.feature_names), cells.columns, header.feature_names, strict=True
        ):
            if values.dtype == object and rule in ("mean", "rounded_mean", "median"):
                text = values[np.argmax(present(values))]
                raise InvalidInput(
                    f"Column {name!r} holds text ({text!r:.40}), which has no {rule.replace('_', ' ')}; choose "
                    "strategy='auto', or a mapping that gives this column 'mode' or 'constant'."
                )
        return Rows(cells, np.zeros((len(cells), 0)), check_weight(sample_weight, cells)), header

    def _cells(self, X: Any, like: Header | None) -> tuple[TypedTable, Header]:
        """Columns in which gaps are NaN or None."""
        cells, header = open_cells(self, X, like)
        mark = marker(self.missing_values)
        if mark is None:
            return cells, header
        named = zip(cells.columns, header.feature_names, strict=True)
        return TypedTable([with_gaps(c, mark, name) for c, name in named], len(cells)), header

    def plan_of(self, statistics: CellStatistics) -> Header:
        """The columns."""
        return statistics.header

    def gather(self, rows: Rows, plan: Header) -> CellStatistics:
        """Moments and values of validated rows."""
        return gather_cells(rows.X, rows.weight, plan, rules(self.strategy, plan.feature_names))

    def solve(self, statistics: CellStatistics) -> Self:
        """Write what each column is filled with."""
        check_flags(self, "add_indicator", "keep_empty_features")
        check_no_effect(self, "copy")
        check_not_empty(statistics.n)
        names = statistics.header.feature_names
        chosen = rules(self.strategy, names)
        state = tuple(
            Fill(*self._filled(statistics, j, name, rule), bool(statistics.values.gaps[j] > 0))
            for j, (name, rule) in enumerate(zip(names, chosen, strict=True))
        )
        self.statistics_, self.state_ = statistics, state
        remember_columns(self, statistics.header)
        return self

    def _filled(self, t: CellStatistics, j: int, name: str, rule: str) -> tuple[Any, str]:
        n, mean, counts = t.moments.n[j], t.moments.mean[j], t.values.columns[j]
        if rule == "auto":
            if n > 0 and counts.n > 0:
                raise InvalidInput(
                    f"Column {name!r} holds numbers in one part of the table and text in another."
                )
            rule = "mode" if counts.n > 0 else "mean" if t.broken[j] > 0 else "rounded_mean"
        if rule == "constant":
            return constant(self.fill_value, name, numbers=n > 0, text=counts.n > 0), rule
        if not (n > 0 or counts.n > 0):
            return (0.0 if self.keep_empty_features else None), rule
        if rule in COUNTING:
            return (
                median(counts) if rule == "median" else counts.classes[np.argmax(counts.counts)].item()
            ), rule
        return float(np.floor(mean + 0.5) if rule == "rounded_mean" else mean), rule

    # -- transformation ---------------------------------------------------------------------------
    def transform(self, X: Any) -> np.ndarray:
        """The table without gaps: numbers, or objects where a column is text."""
        check_is_fitted(self)
        cells, header = self._cells(X, self.statistics_.header)
        self._warn_left_out(header.feature_names)
        there = [present(c) for c in cells.columns]
        trios = zip(cells.columns, there, self.state_, strict=True)
        filled = [filled_in(c, t, f.value) for c, t, f in trios if f.value is not None]
        marks = [~t for f, t in zip(self.state_, there, strict=True) if f.gaps and self.add_indicator]
        kind = _get_output_config("transform", self)["dense"]
        if kind != "default":
            return self._frame(filled + [m.astype(float) for m in marks], kind, X)
        out = _beside_each_other(filled, (len(cells), len(filled)))
        return np.column_stack([out, *(m.astype(out.dtype) for m in marks)]) if marks else out

    def _warn_left_out(self, names: tuple[str, ...]) -> None:
        empty = [name for name, fill in zip(names, self.state_, strict=True) if fill.value is None]
        if empty:
            warn(
                f"Columns {empty[:6]} had no cell at fit to go by, so they are left out. Give them strategy 'constant' "
                "and a fill_value, or choose keep_empty_features=True.",
                NoInformation,
            )

    def _frame(self, columns: list[np.ndarray], kind: str, X: Any) -> Any:
        """The columns as they are: text does not make objects of the numbers beside it."""
        names = self.get_feature_names_out().tolist()
        out = to_frame(dict(zip(names, columns, strict=True)), kind)
        if kind == "pandas" and (frame := library_frame(X)) is not None and frame.index is not None:
            out.index = frame.index
        return out

    def inverse_transform(self, X: Any) -> np.ndarray:
        """The gaps again, where indicators tell of them."""
        check_is_fitted(self)
        if not self.add_indicator:
            raise Unsupported(
                "Which cells were filled in is not known; fit with add_indicator=True to undo it."
            )
        kept = [j for j, f in enumerate(self.state_) if f.value is not None]
        Z, d = np.array(X), len(kept)
        marked = [j for j, f in enumerate(self.state_) if f.gaps]
        if Z.ndim != 2 or Z.shape[1] != d + len(marked):
            raise InvalidInput(
                f"X has shape {Z.shape}, but transform of this SimpleImputer gives {d + len(marked)} columns."
            )
        mark = marker(self.missing_values)
        gap = mark if mark is not None else None if Z.dtype == object else np.nan
        out = np.full((len(Z), self.n_features_in_), gap, dtype=Z.dtype)
        out[:, kept] = Z[:, :d]
        for i, j in enumerate(marked):
            out[Z[:, d + i].astype(float) > 0.5, j] = gap
        return out

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The columns' names, then those of the indicators."""
        check_is_fitted(self)
        names = list(_check_feature_names_in(self, input_features))
        marks = [f"missingindicator_{n}" for n, f in zip(names, self.state_, strict=True) if f.gaps]
        names = [n for n, f in zip(names, self.state_, strict=True) if f.value is not None]
        return np.array(names + (marks if self.add_indicator else []), dtype=object)


def marker(value: Any) -> Any:
    """What stands for a gap where it is neither NaN nor None, which are None here."""
    if is_missing(value):
        return None
    if isinstance(value, str | int | float | np.number) and not isinstance(value, bool):
        return value.item() if isinstance(value, np.generic) else value
    raise InvalidParameter(f"missing_values must be NaN, None, a number or text; got {value!r:.60}.")


def with_gaps(column: np.ndarray, mark: Any, name: str) -> np.ndarray:
    """A column whose cells that equal the mark are gaps."""
    there = present(column)
    if not there.all():
        raise InvalidInput(
            f"X contains NaN at row {int(np.argmin(there))}, column {name!r}, but missing_values={mark!r}. Mark gaps "
            "one way, or choose missing_values=np.nan."
        )
    if isinstance(mark, str) != (column.dtype == object):
        return column
    gaps = column == mark
    if not np.any(gaps):
        return column
    out = column.copy() if column.dtype.kind in "Of" else column.astype(float)
    out[gaps] = None if out.dtype == object else np.nan
    return out


def rules(strategy: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """The rule of each column."""
    if not isinstance(strategy, Mapping):
        return (_rule(strategy, ""),) * len(names)
    for name in strategy:
        if name not in names:
            raise InvalidParameter(
                f"strategy must name columns of the table; got {name!r}.{did_you_mean(str(name), names)}"
            )
    return tuple(_rule(strategy[n], f" of column {n!r}") if n in strategy else "auto" for n in names)


def _rule(value: Any, where: str) -> str:
    if isinstance(value, Attribute):
        return rule_for(value)
    if not isinstance(value, str) or value not in STRATEGIES:
        options = ", ".join(map(repr, STRATEGIES))
        raise InvalidParameter(
            f"strategy{where} must be one of {options} or a mapping by column; got {value!r:.60}."
        )
    return value


def rule_for(attribute: Attribute) -> str:
    """What the text fills a column of this type with: the mean, rounded where all numbers are whole, or the mode."""
    if attribute.continuity == "continuous":
        return "mean"
    return "auto" if attribute.allows("interval") else "mode"


def constant(value: Any, name: str, *, numbers: bool, text: bool) -> Any:
    """The given value for a column, of the kind that the column holds."""
    value = value.get(name) if isinstance(value, Mapping) else value
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool) and np.isfinite(value)
    if not ((number and not text) or (isinstance(value, str) and not numbers)):
        what = "a finite number" if numbers else "text" if text else "a finite number or text"
        other = "; a mapping by column name gives others their own" if number else ""
        raise InvalidParameter(f"fill_value must be {what} for column {name!r}; got {value!r:.60}{other}.")
    return float(value) if number else value


def filled_in(column: np.ndarray, there: np.ndarray, fill: Any) -> np.ndarray:
    """A column with its gaps filled in."""
    if there.all():
        return column
    out = column.astype(object) if isinstance(fill, str) else column.copy()
    out[~there] = fill
    return out


def _beside_each_other(columns: list[np.ndarray], shape: tuple[int, int]) -> np.ndarray:
    """A table of numbers, or of objects where a column is text or has whole numbers that floats would merge."""
    if not columns:
        return np.empty(shape)
    wide = any(merges(c) for c in columns)
    common = np.result_type(*{c.dtype for c in columns})
    narrow = all(c.dtype == np.float32 for c in columns)
    kind = float if not wide else common if common.kind in "iu" else object
    kind = object if any(c.dtype == object for c in columns) else np.float32 if narrow else kind
    out = np.empty(shape, dtype=kind)
    for j, column in enumerate(columns):
        out[:, j] = column
    return out
