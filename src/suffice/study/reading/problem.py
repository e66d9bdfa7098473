"""The second half of the door: what each column does, which rows are used, and how they are split.

Nothing is dropped without a word: a column that is not used carries the reason, and rows that are left out are counted.

    roles    what each column does            rows     which rows, in which order, how often each counts
    target   what the task is                 splits   who trains and who tests, in two layers
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, TooFewRows
from suffice._core.random import generator
from suffice._core.records import record
from suffice.evaluation import Rolling
from suffice.prepare import TableEncoder, Task
from suffice.prepare.transforming._column_codes import LevelsCode
from suffice.study.options import Options
from suffice.study.reading.content import content_numbers
from suffice.study.reading.copies import copies
from suffice.study.reading.names import plural
from suffice.study.reading.roles import REASONS, check_target, for_features, meanings, roles_of
from suffice.study.reading.rows import draw_rows, moments_of, rows_in_use
from suffice.study.reading.series import Series, find_series
from suffice.study.reading.source import StudySource
from suffice.study.reading.splits import Split, kind_of_splits, outer_splits, rows_needed, splitter
from suffice.study.reading.target import (
    check_varies,
    doubt,
    out_of_reach,
    readable,
    task_of,
    values_for,
    without_value,
)
from suffice.study.reading.time_hint import time_hint
from suffice.study.reading.types import hints

LOSSES = {"regression": "squared", "counts": "poisson", "binary": "log", "multi-class": "log"}
WIDE = 1000  # columns
MANY_EQUAL = 0.05  # of the rows; so many are drawn together or not at all


@record
class Problem:
    """What the models see. `Z` are the encoded features of the rows in use, `rows` their numbers in the table.

    `outer` and `inner` are splitters; `splits` are those of the outer layer, the same for every model. `roles` are
    those of all columns, `reasons` say why a column is not used to predict, and `remarks` are for people. `series` says
    how the past became columns, where the table is a series. `stamps` are the places of the rows in time, the same for
    rows of one moment.
    """

    source: StudySource
    target: str
    task: Task
    encoder: TableEncoder
    columns: dict[str, np.ndarray]
    Z: np.ndarray
    y: np.ndarray
    rows: np.ndarray
    weight: np.ndarray | None
    groups: np.ndarray | None
    loss: str
    outer: Any
    inner: Any
    splits: list[tuple[np.ndarray, np.ndarray]]
    kind_of_splits: str
    roles: dict[str, str]
    reasons: dict[str, str]
    remarks: tuple[str, ...]
    series: Series | None = None
    stamps: np.ndarray | None = None

    @property
    def n(self) -> int:
        return len(self.y)

    @property
    def weights(self) -> np.ndarray:
        """How many rows each row stands for; one where no column says so."""
        return np.ones(self.n) if self.weight is None else self.weight

    @property
    def is_classification(self) -> bool:
        return self.task.is_classification

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes, sorted; empty for numbers."""
        return tuple(np.unique(self.y).tolist()) if self.is_classification else ()

    @property
    def in_time(self) -> bool:
        """Whether rows are predicted from earlier ones."""
        return isinstance(self.outer, Rolling)

    @property
    def group_noun(self) -> str:
        """What the groups are called, in the plural."""
        name = next((n for n, role in self.roles.items() if role == "group"), None)
        return "different rows" if name is None else plural(name)

    @property
    def alike(self) -> str:
        """Which rows are kept together, for the start of a sentence."""
        name = next((n for n, role in self.roles.items() if role == "group"), None)
        return "Copies of one row" if name is None else f"Rows of one {name!r}"

    @property
    def why_once(self) -> str | None:
        """Why models are not fitted again and again here, as for a learning curve; None if they are."""
        d = self.Z.shape[1]
        return f"{d} columns take too long to fit again and again; up to {WIDE} are" if d > WIDE else None

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns of Z are called."""
        return tuple(self.encoder.get_feature_names_out())


# folds of both layers, where there are too few rows for more
FEWER = (
    (5, 5),
    (5, 3),
    (4, 3),
    (3, 3),
    (3, 2),
    (2, 2),
)


def fitting_problem(source: StudySource, options: Options) -> tuple[Problem, Options]:
    """The problem, with as many folds as its rows allow where nobody asked for a number; and the options as they are.

    That there are fewer is said in a remark.
    """
    try:
        return make_problem(source, options), options
    except TooFewRows as error:
        if options.folds is not None or options.inner is not None:
            raise
        first = error
    wanted = (options.amount.outer, options.amount.inner)
    for outer, inner in FEWER:
        if outer > wanted[0] or inner > wanted[1] or (outer, inner) == wanted:
            continue
        fewer = replace(options, folds=outer, inner=inner)
        try:
            found = make_problem(source, fewer)
        except TooFewRows as error:
            first = error
            continue
        remark = (
            f"{wanted[0]} folds with {wanted[1]} inside each need more rows, so {outer} and {inner} are used."
        )
        return replace(found, remarks=(remark, *found.remarks)), fewer
    raise first


def make_problem(source: StudySource, options: Options) -> Problem:
    """Decide what every column does, and encode the rows in use."""
    columns = source.columns
    target = check_target(columns, source.target if options.target is None else options.target)
    if not source.n_rows:
        raise InvalidInput(f"The table has {len(columns)} columns and no rows.")
    roles = roles_of(columns, target, options)
    y_all = readable(columns[target], target)
    given_types = meanings(source, options)
    task = task_of(_finite_values(y_all), options.task, given_types.get(target), target)
    used = rows_in_use({**columns, target: y_all}, target, options)
    most, needed = options.amount.max_rows, rows_needed(options)
    labels = values_for(y_all[used.rows], task)
    check_varies(labels, target, task, y_all.dtype.kind in "iuf")
    plain = [n for n in columns if n not in roles]
    series, past = find_series(columns, target, used, labels, task, options, len(plain))
    given = {n: v for n, v in columns.items() if roles.get(n, "ignored") == "ignored"}
    if series is None:
        equal = _equal_rows(given, used.rows) if most is not None and len(used.rows) > most else None
        used = draw_rows(used, labels, task.is_classification, most, needed, generator(options.seed), equal)
    else:
        used, past = series.used, list(series.remarks)
    y = values_for(y_all[used.rows], task)
    check_varies(y, target, task, y_all.dtype.kind in "iuf")
    features = {n: v[used.rows] for n, v in given.items()} if series is None else series.features(given)
    beyond = _unusable_numbers(features)
    known = for_features(given_types, roles)
    meant = known if series is None else series.types(known)
    encoder, unused = _encoder(features, target, meant, beyond, options.decimal)
    Z = encoder.transform(features)
    if series is None:
        groups, splits, copied = _splits(Z, y, used.groups, task, options, encoder)
    else:
        groups, splits, copied = used.groups, series.splits(options.amount.outer, options.amount.inner), []
    grouped = groups is not None
    layers = (options.amount.outer, options.amount.inner)
    outer, inner = (
        (splitter(task, k, options, grouped) for k in layers) if series is None else series.splitters(*layers)
    )
    return Problem(
        source,
        target,
        task,
        encoder,
        features,
        Z,
        y,
        used.rows,
        used.weight,
        groups,
        LOSSES[task.name],
        outer,
        inner,
        splits,
        kind_of_splits(options, task, grouped)
        if series is None
        else series.kind_of_splits(options.amount.outer),
        {name: _role(name, roles, encoder) for name in columns},
        {n: REASONS[r] for n, r in roles.items() if r in REASONS} | unused,
        (
            *source.remarks,
            *used.remarks,
            *past,
            *copied,
            *([] if options.time is not None or (hint := time_hint(features, y, target)) is None else [hint]),
            *doubt(task, target),
            *hints(
                features,
                encoder,
                y,
                target,
                task,
                given_types,
                options.group is not None or options.time is not None,
            ),
            *_remarks(encoder),
            *_encoding_remark(encoder),
        ),
        series,
        None if options.time is None else _stamps(columns[options.time][used.rows], options.time),
    )


def _stamps(values: np.ndarray, name: str) -> np.ndarray:
    """The place of every row in time: rows of one moment share it."""
    return np.unique(moments_of(values, name), return_inverse=True)[1]


def _splits(
    Z: np.ndarray,
    y: np.ndarray,
    groups: np.ndarray | None,
    task: Task,
    options: Options,
    encoder: TableEncoder,
) -> tuple[np.ndarray | None, list[Split], list[str]]:
    """The groups, the splits of the outer layer, and what is said of copies; these are kept together if they can be."""
    owners = [code.name for code in encoder.state_ for _ in code.names]
    found = None if groups is not None else copies(Z, y, owners)
    if found is None:
        return groups, outer_splits(y, groups, task, options), []
    together = None if options.time is not None else _splits_of_equal_rows(y, found.marks, task, options)
    if together is not None:
        return found.marks, together, [f"{found.sentence}; such rows are kept in one fold."]
    warned = f"{found.sentence}, and may be tested after they were trained on: gains may be too good."
    return None, outer_splits(y, None, task, options), [warned]


def _splits_of_equal_rows(
    y: np.ndarray, marks: np.ndarray, task: Task, options: Options
) -> list[Split] | None:
    """Splits that keep equal rows together; None if there are too few different ones for so many folds."""
    try:
        return outer_splits(y, marks, task, options)
    except InvalidInput:
        return None


def _equal_rows(features: dict[str, np.ndarray], rows: np.ndarray) -> np.ndarray | None:
    """A mark per row, the same for rows that are equal in all features; None if few are."""
    marks = content_numbers({n: v[rows] for n, v in features.items()}) if features else np.zeros(0)
    return marks if len(np.unique(marks)) < (1 - MANY_EQUAL) * len(marks) else None


def _finite_values(y: np.ndarray) -> np.ndarray:
    missing, infinite = without_value(y)
    return y[~(missing | infinite)]


def _unusable_numbers(features: dict[str, np.ndarray]) -> dict[str, str]:
    """Columns of numbers that no model can square, with the reason."""
    found = {n: out_of_reach(v.astype(float)) for n, v in features.items() if v.dtype.kind in "iuf"}
    return {name: why for name, why in found.items() if why is not None}


def _encoder(
    features: dict[str, np.ndarray],
    target: str,
    given_types: dict[str, Any],
    beyond: dict[str, str],
    decimal: str | None,
) -> tuple[TableEncoder, dict[str, str]]:
    """The rules that make numbers of the features, and why some columns are not used."""
    if not features:
        raise InvalidInput(f"There is no column to predict {target!r} from.")
    encoder = TableEncoder(types=given_types | dict.fromkeys(beyond, "unused"), decimal=decimal).fit(features)
    wanted = {name for name, kind in given_types.items() if isinstance(kind, str) and kind == "unused"}
    unused = {**encoder.unused_, **{name: why for name, why in beyond.items() if name not in wanted}}
    if not encoder.state_:
        remark = "; ".join(f"{name!r:.60} {why}" for name, why in list(unused.items())[:12])
        raise InvalidInput(f"No column can be used to predict {target!r}: {remark}.")
    return encoder, unused


def _remarks(encoder: TableEncoder) -> list[str]:
    """What was done to the cells of columns, for people."""
    return [f"Column {name!r:.60}: {remark}." for name, remark in encoder.remarks_.items()]


def _encoding_remark(encoder: TableEncoder) -> list[str]:
    """What the encoding of cells has seen of rows that test: said once, where there is anything of the kind."""
    gaps = any(code.gap for code in encoder.state_)
    levels = any(isinstance(code, LevelsCode) for code in encoder.state_)
    sentences = []
    if gaps:
        sentences.append(
            "Gaps in numbers are filled with the median of all rows in use, and a column says where."
        )
    if levels:
        sentences.append("Levels of words are those of all rows in use.")
    if sentences:
        sentences.append("This is done before the rows are split, and never looks at the target.")
    return [" ".join(sentences)] if sentences else []


def _role(name: str, roles: dict[str, str], encoder: TableEncoder) -> str:
    role = roles.get(name, "feature")
    return "not used" if role == "ignored" or name in encoder.unused_ else role
