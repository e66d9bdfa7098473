"""Cross-validation of a source that does not fit in memory: one pass leaves the statistics of every fold.

A row's fold is decided by its number (`hashing.py`), so threads, processes and clusters agree, and so do two runs.
The statistics of the folds answer for every model that reads the same statistics: see `Folded`. Models fitted by
many passes have none; they are fitted to the other folds one by one, each by as many passes as it takes.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.errors import (
    HeaderMismatch,
    IllConditioned,
    InvalidInput,
    InvalidParameter,
    Unsupported,
    check_choice,
    check_fraction,
    endless,
    hold_warnings,
    warn,
)
from suffice._core.frames import NamedArray
from suffice._core.losses import Loss, interval_of_sums, resolve_loss
from suffice._core.records import record
from suffice._core.validation import Validation
from suffice.engine.door import taken
from suffice.engine.fitting import fitted_by_passes, iterated, need_again, reported
from suffice.engine.hashing import folds_of_groups, folds_of_rows
from suffice.engine.opening import Entering, Opened, Planning, chosen, open_source, unpack
from suffice.engine.protocols import (
    CountsErrors,
    Doubts,
    FitsByPasses,
    FromStatistics,
    GathersGroups,
    Iterates,
    takes_tables,
)
from suffice.engine.reduce import Rows
from suffice.engine.values import array, n_rows
from suffice.statistics.folds import leave_one_out_merges


@record
class Folded:
    """The statistics of K folds. They add fold by fold, and can be saved.

    `evaluation.validate_path` and `evaluation.select_features` take one in place of X and y, and `fit` solves any
    model that reads the same statistics.
    """

    statistics: tuple[Any, ...]
    seed: int = 0

    def __len__(self) -> int:
        return len(self.statistics)

    def __add__(self, other: Folded) -> Folded:
        if not isinstance(other, Folded):
            return NotImplemented
        if len(self) != len(other) or self.seed != other.seed:
            raise HeaderMismatch(
                f"Folds add only if they were made alike; got {len(self)} with seed {self.seed} and "
                f"{len(other)} with seed {other.seed}."
            )
        return Folded(tuple(map(_added, self.statistics, other.statistics)), self.seed)

    @cached_property
    def whole(self) -> Any:
        """The statistics of all rows."""
        total = None
        for part in self.statistics:
            total = _added(total, part)
        return total

    @property
    def sizes(self) -> np.ndarray:
        """The weight of the rows of each fold."""
        return np.array([0.0 if s is None else float(s.n) for s in self.statistics])

    def pairs(self) -> list[tuple[Any, Any]]:
        """Training and test statistics of every fold."""
        empty = np.flatnonzero(self.sizes == 0)
        if len(empty):
            raise InvalidInput(
                f"Fold {int(empty[0])} of {len(self)} has no rows that count; use fewer folds."
            )
        return list(zip(leave_one_out_merges(list(self.statistics)), self.statistics, strict=True))

    def fit(self, model: Any) -> Any:
        """Solve a model for all rows; returns it."""
        return model.solve(self.whole)

    def __repr__(self) -> str:
        return f"Folded({len(self)} folds of {np.sum(self.sizes):g} rows, seed={self.seed})"


def _added(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def cross_validate(
    model: Any,
    source: Any,
    target: Any = None,
    columns: Any = None,
    *,
    folds: int = 10,
    groups: str | None = None,
    seed: int = 0,
    loss: Any = None,
    interval: bool = False,
    weight: str | None = None,
    categories: Any = None,
    where: Any = None,
    average: str = "size",
    confidence: float = 0.95,
    executor: Any = None,
    corrupt: str = "raise",
) -> Validation:
    """The loss of a model on rows it has not seen, from one pass over a source of any size, or a few per fold.

    The result's `statistics` are those of the folds: hand them to `evaluation.validate_path` for all penalties, to
    `evaluation.select_features` for subsets of columns, or call their `fit`; none of these reads the source again.
    Squared loss needs no second pass; other losses, and the interval, do. A model of many passes (logistic
    regression, a mixture) is fitted to the source without each fold, and the result has no statistics.

    Parameters
    ----------
    folds
        How many. The fold of a row depends on its file, its place there, and the seed.
    groups
        A column whose equal values must stay in one fold; rows without a value are one group. It is an input only if
        `columns` names it.
    interval
        Read the source again for the interval of the mean loss.
    target, columns, weight, categories, where, executor, corrupt
        As in `fit`.
    loss, average, confidence
        As in `evaluation.cross_validate`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import engine
    >>> from suffice.evaluation import validate_path
    >>> from suffice.linear import Ridge
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((1000, 3))
    >>> y = X @ [1.0, 2.0, 0.0] + rng.standard_normal(1000)
    >>> result = engine.cross_validate(Ridge(), (X, y))
    >>> print(f"{result.estimate:.3f} from {result.how}")
    1.021 from statistics
    >>> validate_path(Ridge(), result.statistics, param="alpha", values=[0.1, 1.0, 10.0, 1e3]).best
    0.1
    """
    measure = resolve_loss(loss, model)
    check_choice("average", average, ("size", "fold"))
    check_fraction("confidence", confidence)
    _check_folds(folds, seed)
    iterative = isinstance(model, FitsByPasses | Iterates)
    if not iterative and not isinstance(model, FromStatistics):
        raise Unsupported(
            f"{type(model).__name__} is not fitted from statistics; use evaluation.cross_validate."
        )
    if not isinstance(model, Iterates) and model.state_needs_data:
        raise Unsupported(
            f"{type(model).__name__} takes centers or knots from the rows, which each fold must do itself; fix them."
        )
    opened = open_source(
        source,
        target,
        columns,
        weight=weight,
        categories=categories,
        where=where,
        executor=executor,
        corrupt=corrupt,
    )
    if iterative:
        return _refitted(model, opened, measure, average, confidence, folds, seed, groups)
    once = measure.squared and isinstance(model, CountsErrors) and not interval
    if not once and not opened.source.again:
        raise InvalidParameter(
            f"The loss {measure.name!r} with interval={interval} takes a second pass, and this source can be read once."
        )
    opened, assign = _with_groups(opened, folds, seed, groups)
    with opened.executor:
        plan, opened = opened.first(Planning(Entering.of(model, opened.columns)))
        enter = Entering.of(model, opened.columns, plan)
        work, steps = FoldWork(enter, assign), opened.source.n_parts
        parts = reported(model, lambda tick: opened.sum(work, tick), steps)
        folded = Folded(parts.statistics, seed)
        _warn_of_doubt(model, [train for train, _ in folded.pairs()])
        models = [copy.copy(model).solve(train) for train, _ in folded.pairs()]
        if once:
            totals = zip(models, folded.statistics, strict=True)
            sums = Sums(np.array([[s.n, m.squared_error(s), np.nan] for m, s in totals]))
        else:
            judge = Judging(tuple(models), measure, enter, assign)
            sums = opened.sum(judge)
    return _record(sums, folded, measure, average, confidence)


def _warn_of_doubt(model: Any, trains: Sequence[Any]) -> None:
    """Name the first fold whose statistics have lost digits, which only its rows still have."""
    reasons = [(i, model.doubt(t)) for i, t in enumerate(trains)] if isinstance(model, Doubts) else []
    for i, reason in [(i, reason) for i, reason in reasons if reason is not None][:1]:
        warn(
            f"The fit without fold {i} has lost digits: {reason}. Leave wild rows out, or use "
            "evaluation.cross_validate, which goes back to the rows.",
            IllConditioned,
        )


def _refitted(
    model: Any,
    opened: Opened,
    measure: Loss,
    average: str,
    confidence: float,
    folds: int,
    seed: int,
    groups: Any,
) -> Validation:
    """A fit to the source, from it those without each fold, and one more pass that judges them all."""
    need_again(model, opened)
    opened, assign = _with_groups(opened, folds, seed, groups)

    def fits(tick: Callable[[], None]) -> list[Any]:
        if isinstance(model, Iterates):  # each from its own start: where EM ends depends on it
            return [iterated(copy.copy(model), opened, tick, Leaving(assign, i)) for i in range(folds)]
        with hold_warnings() as said:  # the folds will say what is wrong
            whole = fitted_by_passes(copy.copy(model), opened, tick)
        start = None if endless(said) else whole
        return [_fitted_without(model, opened, tick, Leaving(assign, i), start) for i in range(folds)]

    with opened.executor:
        models = tuple(reported(model, fits, None))
        sums = opened.sum(Judging(models, measure, Entering.of(model, opened.columns), assign))
    empty = np.flatnonzero(sums.values[:, 0] == 0)
    if len(empty):
        raise InvalidInput(f"Fold {int(empty[0])} of {folds} has no rows that count; use fewer folds.")
    return _record(sums, None, measure, average, confidence)


def _fitted_without(model: Any, opened: Opened, tick: Any, leaving: Leaving, start: Any) -> Any:
    """The model without a fold; where its likelihood has no maximum it begins as a fit to these rows would."""
    with hold_warnings() as said:
        found = fitted_by_passes(copy.copy(model), opened, tick, leaving, start)
    if start is not None and endless(said):
        return fitted_by_passes(copy.copy(model), opened, tick, leaving)
    for message, category in said:
        warn(message, category)
    return found


def _check_folds(folds: Any, seed: Any) -> None:
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        raise InvalidParameter(f"folds must be an integer >= 2; got {folds!r}.")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InvalidParameter(f"seed must be an integer >= 0; got {seed!r}.")


def _record(sums: Sums, folded: Folded | None, loss: Loss, average: str, confidence: float) -> Validation:
    sizes, losses = sums.values[:, 0], sums.values[:, 1] / sums.values[:, 0]
    estimate = float(losses.mean() if average == "fold" else sums.values[:, 1].sum() / sizes.sum())
    n, total, squares = sums.values.sum(axis=0).tolist()
    interval = interval_of_sums(n, total, squares, confidence, loss.binary) if np.isfinite(squares) else None
    how = "refit" if folded is None else "statistics"
    zero = np.flatnonzero(np.isposinf(losses)) if loss.of_density else ()
    notes = tuple(f"fold {i} has rows of density zero, so its loss is infinite" for i in zero)
    return Validation(
        estimate, interval, losses, sizes, None, None, None, None, how, notes, loss.name, confidence, folded,
        _triples(sums.labels) if loss.binary else None,
    )  # fmt: skip


# -- the work on a batch --------------------------------------------------------------------------------------
@record
class Assigning:
    """The fold of each row of a batch."""

    folds: int
    seed: int
    groups: str | None = None

    def __call__(self, batch: Any, file: int, start: int) -> np.ndarray:
        if self.groups is None:
            return folds_of_rows(file, start, n_rows(batch), self.folds, self.seed)
        return folds_of_groups(array(batch, self.groups), self.folds, self.seed)


@record
class Leaving:
    """The rows of a batch that are not in one of the folds."""

    assign: Assigning
    fold: int

    def __call__(self, batch: Any, rows: np.ndarray | None, file: int, start: int) -> np.ndarray:
        fold = self.assign(batch, file, start)
        rows = np.arange(len(fold)) if rows is None else rows
        return rows[fold[rows] != self.fold]


def _with_groups(opened: Opened, folds: int, seed: int, groups: str | None) -> tuple[Opened, Assigning]:
    if groups is None:
        return opened, Assigning(folds, seed)
    if opened.columns is None:
        raise InvalidParameter(f"groups={groups!r} needs a table with column names; the source holds arrays.")
    columns = opened.columns.with_groups(groups)
    return Opened(opened.source, columns, opened.executor, opened.corrupt), Assigning(folds, seed, groups)


@record
class FoldWork:
    """The statistics of each fold in a batch."""

    enter: Entering
    assign: Assigning

    def __call__(self, batch: Any, file: int, start: int) -> Folded | None:
        rows = chosen(self.enter.columns, batch)
        opened = self.enter(batch, rows, finite=False, start=start)
        if opened is None:
            return None
        fold = self.assign(batch, file, start)
        try:
            return Folded(tuple(self._gathered(*opened, fold if rows is None else fold[rows])))
        except InvalidInput as error:
            raise self.enter.explained(batch, error, start) from None

    def _gathered(self, rows: Rows, plan: Any, fold: np.ndarray) -> list[Any]:
        model, n = self.enter.model, self.assign.folds
        if isinstance(model, GathersGroups):
            parts = model.gather_groups(rows, plan, fold, n)
            return [part if part.n > 0 else None for part in parts]
        places = [np.flatnonzero(fold == i) for i in range(n)]
        return [model.gather(rows[at], plan) if len(at) else None for at in places]


@record
class Sums:
    """Weight, weighted loss and weighted squared loss of the rows of each fold; for labels also what became of each.

    `labels` is the weight of the rows of a true label that were given a label, {(true, given): weight}.
    """

    values: np.ndarray
    labels: dict[tuple[Any, Any], float] = field(default_factory=dict)

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.values + other.values, _united(self.labels, other.labels))


def _united(a: dict[Any, float], b: dict[Any, float]) -> dict[Any, float]:
    return {key: a.get(key, 0.0) + b.get(key, 0.0) for key in {**a, **b}}


def _triples(labels: dict[Any, float]) -> tuple[tuple[Any, Any, float], ...]:
    return tuple((true, given, labels[true, given]) for true, given in sorted(labels))


def _label_pairs(truth: np.ndarray, given: Any, weight: np.ndarray) -> dict[tuple[Any, Any], float]:
    """The weight of every pair that occurs."""
    true_names, i = np.unique(truth, return_inverse=True)
    given_names, j = np.unique(given, return_inverse=True)
    cells, k = np.unique(i * len(given_names) + j, return_inverse=True)
    places = np.stack(np.divmod(cells, len(given_names)), axis=1).tolist()
    names, answers = true_names.tolist(), given_names.tolist()
    pairs = [(names[a], answers[b]) for a, b in places]
    return dict(zip(pairs, np.bincount(k, weight).tolist(), strict=True))


@record
class Judging:
    """The losses of the rows of a batch under the models that have not seen them."""

    models: tuple[Any, ...]
    loss: Loss
    enter: Entering
    assign: Assigning

    def __call__(self, batch: Any, file: int, start: int) -> Sums | None:
        rows = chosen(self.enter.columns, batch)
        raw = takes_tables(self.enter.model)
        arrays = unpack(self.enter.columns, batch, rows, start, raw)
        if arrays is None:
            return None
        X, y, w = arrays
        X = X.values if isinstance(X, NamedArray) else X
        fold = self.assign(batch, file, start)
        fold = fold if rows is None else fold[rows]
        out = np.zeros((len(self.models), 3))
        labels: dict[tuple[Any, Any], float] = {}
        for i, model in enumerate(self.models):
            at = np.flatnonzero(fold == i)
            if len(at):
                truth = None if self.loss.of_density else np.asarray(y)[at]
                given = self._answer(model, taken(X, at) if raw else X[at])
                weight = np.ones(len(at)) if w is None else np.asarray(w, dtype=float)[at]
                losses = np.where(weight > 0, self.loss(truth, given), 0.0)
                out[i] = weight.sum(), weight @ losses, weight @ losses**2
                if truth is not None and self.loss.binary:
                    labels = _united(labels, _label_pairs(truth, given, weight))
        return Sums(out, labels)

    def _answer(self, model: Any, X: Any) -> Any:
        if self.enter.columns is not None and not takes_tables(model):
            X = NamedArray(X, self.enter.columns.features)
        answer: Callable[[Any], Any] | None = getattr(model, self.loss.needs, None)
        if answer is None:
            raise Unsupported(
                f"The loss {self.loss.name!r} needs {self.loss.needs}, which {type(model).__name__} does not have."
            )
        return answer(X)
