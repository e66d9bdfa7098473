"""The second half of the door: what each column does, which rows are used, and how they are split.

Nothing is dropped without a word: a column that is not used carries the reason, and rows that are left out are counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import (
    BaseCrossValidator,
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
)

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice._core.random import generator
from suffice._core.records import record
from suffice.evaluation import Rolling
from suffice.prepare import TableEncoder, Task, infer_task
from suffice.prepare.looking._columns import gaps
from suffice.prepare.transforming._column_codes import as_moments, as_numbers, as_words
from suffice.study.options import Options
from suffice.study.reading.source import Source

COUNTS_UP_TO = 100  # whole numbers with a larger mean are as good as continuous
LOSSES = {"regression": "squared", "counts": "squared", "binary": "log", "multi-class": "log"}


@record
class Problem:
    """What the models see. `Z` are the encoded features of the rows in use, `rows` their numbers in the table.

    `outer` and `inner` are splitters; `splits` are those of the outer layer, the same for every model.
    """

    source: Source
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

    @property
    def n(self) -> int:
        return len(self.y)

    @property
    def is_classification(self) -> bool:
        return self.task.is_classification

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes, sorted; empty for numbers."""
        return tuple(np.unique(self.y).tolist()) if self.is_classification else ()

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns of Z are called."""
        return tuple(self.encoder.get_feature_names_out())


def make_problem(source: Source, options: Options) -> Problem:
    """Decide what every column does, and encode the rows in use."""
    columns = source.columns
    if not source.n_rows:
        raise InvalidInput("The table has no rows.")
    target = _check_target(columns, options.target or source.target)
    roles = _roles(columns, target, options)
    y_all = columns[target]
    missing = gaps(y_all) | _infinite(y_all)
    task = _task(y_all[~missing], options.task, target)
    rows, weight, remarks = _rows(columns, options, task, missing, target)
    features = {n: v[rows] for n, v in columns.items() if n not in roles or roles[n] == "ignored"}
    ignored = {n: "unused" for n, role in roles.items() if role == "ignored"}
    encoder = TableEncoder(types={**(options.types or {}), **ignored}).fit(features)
    if not encoder.state_:
        told = "; ".join(f"{name!r} {why}" for name, why in list(encoder.unused_.items())[:12])
        raise InvalidInput(f"No column can be used to predict {target!r}. {told}".strip())
    y = _targets(y_all[rows], task)
    _check_varies(y, target, task)
    groups = None if options.group is None else as_words(columns[options.group][rows]).astype(str)
    amount = options.amount
    outer = _splitter(task, amount.outer, options, groups is not None)
    inner = _splitter(task, amount.inner, options, groups is not None)
    _check_enough(y, groups, amount.outer, amount.inner, task, options)
    kinds = {n: r for n, r in roles.items() if r != "ignored"}
    kinds |= {n: "feature" for n in features if n not in encoder.unused_}
    return Problem(
        source,
        target,
        task,
        encoder,
        features,
        encoder.transform(features),
        y,
        rows,
        weight,
        groups,
        LOSSES[task.name],
        outer,
        inner,
        [(a, b) for a, b in outer.split(y[:, None], y, groups)],
        _kind_of_splits(options, task, amount.outer),
        {name: kinds.get(name, "not used") for name in columns},
        dict(encoder.unused_),
        (*source.remarks, *remarks, *(() if not task.ambiguous else (_doubt(task, target),))),
    )


# -- roles ------------------------------------------------------------------------------------------------
def _check_column(columns: dict[str, np.ndarray], name: str, option: str) -> None:
    if name not in columns:
        raise InvalidParameter(f"{option}: there is no column {name!r}.{did_you_mean(name, list(columns))}")


def _check_target(columns: dict[str, np.ndarray], target: str | None) -> str:
    if target is None:
        shown = ", ".join(map(repr, list(columns)[:12]))
        raise InvalidParameter(f"target must name the column to predict; the columns are: {shown}.")
    _check_column(columns, target, "target")
    return target


def _roles(columns: dict[str, np.ndarray], target: str, options: Options) -> dict[str, str]:
    roles = {target: "target"}
    for role, name in (("group", options.group), ("time", options.time), ("weight", options.weights)):
        if name is None:
            continue
        _check_column(columns, name, role if role != "weight" else "weights")
        if name in roles:
            raise InvalidParameter(f"{name!r} is the {roles[name]} already; it cannot be the {role} too.")
        roles[name] = role
    for name in options.ignore:
        _check_column(columns, name, "ignore")
        if name in roles:
            raise InvalidParameter(f"ignore: {name!r} is the {roles[name]}.")
    return roles | dict.fromkeys(options.ignore, "ignored")


# -- the task and the target ------------------------------------------------------------------------------
def _infinite(values: np.ndarray) -> np.ndarray:
    return np.isinf(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)


def _task(y: np.ndarray, said: str | None, target: str) -> Task:
    """What the values say, or what the user says."""
    if not len(y):
        raise InvalidInput(f"target {target!r} has no values.")
    if said is not None:
        return _said(y, said, target)
    found = infer_task(y)
    numbers = y.dtype.kind in "iuf"
    if found.name == "counts" and float(np.mean(y)) > COUNTS_UP_TO:
        return Task(
            "regression", f"{found.why} They are large, so they are taken for a quantity.", None, ("counts",)
        )
    if found.name == "ordinal":
        name = "regression" if numbers else "multi-class" if len(found.classes or ()) > 2 else "binary"
        return Task(name, f"{found.why} Its order is {'kept' if numbers else 'not used'}.", found.classes, ())
    return found


def _said(y: np.ndarray, said: str, target: str) -> Task:
    numbers = y.dtype.kind in "iufb"
    if said in ("regression", "counts") and not numbers:
        raise InvalidInput(f"task is {said!r}, but target {target!r} holds {y[0]!r:.40}, which is no number.")
    if said == "counts" and (np.any(y < 0) or np.any(y != np.round(y))):
        raise InvalidInput(f"task is 'counts', but target {target!r} holds numbers that are no counts.")
    classes = tuple(sorted(set(as_words(y)))) if said in ("binary", "multi-class") else None
    if said == "binary" and classes is not None and len(classes) != 2:
        raise InvalidInput(f"task is 'binary', but target {target!r} has {len(classes)} different values.")
    return Task(said, "As you said.", classes)  # type: ignore[arg-type]


def _doubt(task: Task, target: str) -> str:
    return (
        f"The target {target!r} is taken for {_called(task.name)}: {task.why} It may also be "
        f"{' or '.join(_called(a) for a in task.alternatives)}; the option task decides."
    )


def _called(name: str) -> str:
    words = {
        "regression": "a quantity",
        "counts": "counts",
        "binary": "two classes",
        "multi-class": "classes",
    }
    return words.get(name, name)


def _targets(y: np.ndarray, task: Task) -> np.ndarray:
    return as_words(y).astype(str) if task.is_classification else as_numbers(y)


def _check_varies(y: np.ndarray, target: str, task: Task) -> None:
    if len(np.unique(y)) < 2:
        what = "one class" if task.is_classification else "one value"
        raise InvalidInput(
            f"target {target!r} has {what} only in the rows used ({y[0]!r:.40}): nothing to predict."
        )


# -- rows -------------------------------------------------------------------------------------------------
def _rows(
    columns: dict[str, np.ndarray], options: Options, task: Task, missing: np.ndarray, target: str
) -> tuple[np.ndarray, np.ndarray | None, list[str]]:
    """The rows in use, in the order of time if there is one; their weights; and what is to be said about it."""
    keep, remarks = ~missing, []
    if missing.any():
        remarks.append(f"{missing.sum()} of {len(missing)} rows have no {target!r} and are left out.")
    weight = None
    if options.weights is not None:
        weight = as_numbers(columns[options.weights])
        if np.any(weight[keep] < 0):
            row = int(np.flatnonzero(keep & (weight < 0))[0])
            raise InvalidInput(
                f"weights: {options.weights!r} is {weight[row]:g} in row {row}; weights are not negative."
            )
        none = keep & ~(weight > 0)
        if none.any():
            remarks.append(f"{none.sum()} rows have no weight, or the weight zero, and are left out.")
        keep &= weight > 0
    rows = np.flatnonzero(keep)
    if options.time is not None:
        moments = _order(columns[options.time])
        lost = keep & np.isnan(moments)
        if lost.any():
            remarks.append(f"{lost.sum()} rows have no {options.time!r} and are left out.")
        rows = rows[~np.isnan(moments[rows])]
        rows = rows[np.argsort(moments[rows], kind="stable")]
    most = options.amount.max_rows
    if most is not None and len(rows) > most:
        remarks.append(f"{most} of {len(rows)} rows were drawn at random.")
        chosen = np.sort(generator(options.seed).choice(len(rows), most, replace=False))
        rows = rows[chosen]
    if len(rows) < 2:
        raise InvalidInput(
            f"A study needs at least 2 rows with a target; {len(rows)} of {len(missing)} can be used."
        )
    return rows, None if weight is None else weight[rows], remarks


def _order(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind in "mM":
        moments = as_moments(values)
        return np.where(np.isnat(moments), np.nan, moments.astype(np.int64).astype(float))
    numbers = as_numbers(values)
    if np.isnan(numbers).all():
        raise InvalidInput("time: the column holds neither times nor numbers, so the rows have no order.")
    return numbers


# -- splits -----------------------------------------------------------------------------------------------
def _splitter(task: Task, k: int, options: Options, grouped: bool) -> BaseCrossValidator:
    if options.time is not None:
        return Rolling(k)
    if grouped:
        kind = StratifiedGroupKFold if task.is_classification else GroupKFold
        return kind(k, shuffle=True, random_state=options.seed)
    kind = StratifiedKFold if task.is_classification else KFold
    return kind(k, shuffle=True, random_state=options.seed)


def _kind_of_splits(options: Options, task: Task, k: int) -> str:
    if options.time is not None:
        return f"{k} blocks in the order of {options.time!r}, each predicted from what came before it"
    if options.group is not None:
        return f"{k} folds that keep the rows of one {options.group!r} together"
    return f"{k} shuffled folds{' with equal shares of the classes' if task.is_classification else ''}"


def _check_enough(
    y: np.ndarray, groups: np.ndarray | None, outer: int, inner: int, task: Task, options: Options
) -> None:
    if groups is not None and len(np.unique(groups)) <= outer:
        raise InvalidInput(
            f"{outer} folds need more than {outer} groups; {options.group!r} has {len(np.unique(groups))}. "
            "Ask for fewer folds."
        )
    if task.is_classification:
        labels, counts = np.unique(y, return_counts=True)
        least = int(np.argmin(counts))
        need = outer + 1 if outer >= inner else inner + 1
        if counts[least] < need:
            raise InvalidInput(
                f"Class {labels[least]!r:.40} has {counts[least]} rows; {outer} folds, each with {inner} folds "
                "inside, need "
                f"{need}. Join it with another class, leave it out, or ask for fewer folds."
            )
    elif len(y) < 2 * outer:
        raise InvalidInput(f"{outer} folds need at least {2 * outer} rows with a target; there are {len(y)}.")
