"""How rows are split into those that train and those that test, in two layers; and whether there are enough of them.

shuffled   folds at random; with equal shares of the classes where there are classes
grouped    rows of one group stay on one side
in time    each block is predicted from what came before it, in both layers
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from suffice._core.errors import TooFewRows
from suffice.evaluation import Rolling
from suffice.prepare import Task
from suffice.study.options import Options

Split = tuple[np.ndarray, np.ndarray]


def splitter(task: Task, k: int, options: Options, grouped: bool = False) -> Any:
    """A splitter of k folds for one layer; `grouped` keeps the rows of a group together, as does the option."""
    if options.time is not None:
        return Rolling(k)
    if grouped or options.group is not None:
        kind = StratifiedGroupKFold if task.is_classification else GroupKFold
        return kind(k, shuffle=True, random_state=options.seed)
    kind = StratifiedKFold if task.is_classification else KFold
    return kind(k, shuffle=True, random_state=options.seed)


def kind_of_splits(options: Options, task: Task, grouped: bool = False) -> str:
    """The outer layer in words."""
    k = options.amount.outer
    if options.time is not None:
        return f"{k} blocks in the order of {options.time!r}, each predicted from what came before it"
    if options.group is not None:
        return f"{k} folds that keep the rows of one {options.group!r} together"
    if grouped:
        return f"{k} folds that keep copies of a row together"
    return f"{k} shuffled folds{' with equal shares of the classes' if task.is_classification else ''}"


def outer_splits(y: np.ndarray, groups: np.ndarray | None, task: Task, options: Options) -> list[Split]:
    """The splits of the outer layer, after a look whether both layers have enough rows."""
    outer, inner = options.amount.outer, options.amount.inner
    _check_rows(len(y), outer, inner, options)
    if groups is not None and options.time is None:
        _check_groups(groups, outer, inner, options)
    if task.is_classification and options.time is None:
        _check_classes(y, outer, inner)
    splits = [
        (train, test)
        for train, test in splitter(task, outer, options, groups is not None).split(y[:, None], y, groups)
    ]
    if task.is_classification and options.time is not None:
        _check_seen(y, [*splits, _first_inside(splits[0][0], inner)], options)
    elif task.is_classification and groups is not None:
        _check_seen(y, splits, options)
    return splits


def _first_inside(train: np.ndarray, inner: int) -> Split:
    """The earliest split of the inner layer, which has the fewest rows to train on."""
    early, later = next(iter(Rolling(inner).split(train)))
    return train[early], train[later]


def rows_needed(options: Options) -> int:
    """Rows of a class, or groups, that both layers ask for."""
    outer, inner = options.amount.outer, options.amount.inner
    return next(c for c in range(2, 10_000) if _enough(c, outer, inner))


# -- enough -----------------------------------------------------------------------------------------------
def _enough(count: int, outer: int, inner: int) -> bool:
    """Whether so many rows, spread over the outer folds, leave one for each inner fold."""
    return count >= outer and count - -(-count // outer) >= inner


def _enough_in_time(n: int, outer: int, inner: int) -> bool:
    """Whether the rows before the first block, n / (outer + 1), can be cut into blocks again."""
    return n // (outer + 1) >= inner + 1


def _way_out(outer: int, inner: int, enough: Callable[[int, int], bool]) -> str:
    """The largest numbers of folds that would do."""
    pairs = ((k, j) for k in range(outer, 1, -1) for j in range(min(inner, k), 1, -1))
    found = next(((k, j) for k, j in pairs if enough(k, j)), None)
    return "" if found is None else f" With folds={found[0]} and inner={found[1]} there are enough."


def _layers(outer: int, inner: int, word: str = "folds") -> str:
    return f"{outer} {word} with {inner} inside each"


def _check_rows(n: int, outer: int, inner: int, options: Options) -> None:
    if options.time is not None:
        if not _enough_in_time(n, outer, inner):
            way = _way_out(outer, inner, lambda k, j: _enough_in_time(n, k, j))
            raise TooFewRows(
                f"{_layers(outer, inner, 'blocks in time')} need at least {(outer + 1) * (inner + 1)} rows with "
                f"a target; there are {n}.{way}"
            )
    elif n < 2 * outer or not _enough(n, outer, inner):
        way = _way_out(outer, inner, lambda k, j: n >= 2 * k and _enough(n, k, j))
        least = max(2 * outer, rows_needed(options))
        raise TooFewRows(
            f"{_layers(outer, inner)} need at least {least} rows with a target; there are {n}.{way}"
        )


def _check_groups(groups: np.ndarray, outer: int, inner: int, options: Options) -> None:
    count = len(np.unique(groups))
    if not _enough(count, outer, inner):
        way = _way_out(outer, inner, lambda k, j: _enough(count, k, j))
        raise TooFewRows(
            f"{_layers(outer, inner)} need at least {rows_needed(options)} groups; {options.group!r} has "
            f"{count}.{way}"
        )


def _check_classes(y: np.ndarray, outer: int, inner: int) -> None:
    labels, counts = np.unique(y, return_counts=True)
    short = np.flatnonzero([not _enough(int(c), outer, inner) for c in counts])
    if not len(short):
        return
    least = int(np.argmin(counts))
    others = f", and {len(short) - 1} more classes have too few" if len(short) > 1 else ""
    way = _way_out(outer, inner, lambda k, j: _enough(int(counts[least]), k, j))
    rows = "1 row" if counts[least] == 1 else f"{counts[least]} rows"
    raise TooFewRows(
        f"Class {labels[least].item()!r:.40} has {rows}{others}; {_layers(outer, inner)} need one for each.{way} "
        "Or join it with another class, or leave its rows out."
    )


def _check_seen(y: np.ndarray, splits: list[Split], options: Options) -> None:
    """Every class must be met in training, or its probability cannot be learned."""
    labels, by = set(y.tolist()), options.time if options.time is not None else options.group
    for i, (train, _) in enumerate(splits):
        unseen = sorted(labels - set(y[train].tolist()))
        if unseen:
            fold = f"fold {i + 1}" if options.time is None else f"block {i + 1}"
            where = f"the {len(train)} training rows of {fold if i < options.amount.outer else 'the first inner block'}"
            raise TooFewRows(
                f"Split by {by!r}, class {unseen[0]!r:.40} is not met in {where}. Ask for fewer folds, join it with "
                "another class, or leave its rows out."
            )
