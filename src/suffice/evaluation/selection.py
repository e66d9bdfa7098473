r"""Which columns are worth having? Forward, backward and exhaustive selection by cross-validation (DTU §10.2).

Forward      start from the constant prediction; move to the best of all models with one column more
Backward     start from all columns; move to the best of all models with one column less
Exhaustive   compare all 2^M models

A move must lower the error; otherwise the search stops. Both walks look at no more than M(M + 1)/2 + 1 models
and may miss the best one; they need not agree. The criterion is one number throughout: the mean loss over test
rows, Σ_k (N_k/N) E_k, on the same folds for every subset.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError, check_choice
from suffice._core.frames import to_frame
from suffice._core.losses import Loss, resolve_loss
from suffice._core.records import record
from suffice._core.showing import Shown, table_of_texts
from suffice.engine import Folded, one_blas_thread
from suffice.evaluation._levels.densities import refuse_density
from suffice.evaluation._levels.folded import check_folded, refuse_rows
from suffice.evaluation._levels.splits import make_folds, note_flattering_folds
from suffice.evaluation._levels.validation_table import make_table
from suffice.evaluation._selection.criteria import SubsetCriterion, choose_criterion
from suffice.evaluation._selection.error_table import ErrorTable
from suffice.evaluation._selection.fold_criterion import FoldCriterion
from suffice.evaluation._selection.inputs import Label, labels_of, pick_columns
from suffice.evaluation._selection.subsets import Subset
from suffice.evaluation._selection.walks import SubsetsFound, compare_all, walk

DIRECTIONS = ("forward", "backward", "exhaustive")


@record
class Selection(Shown):
    """The columns to keep, and how the search came to them.

    `selected` holds what picks columns from the table: names, or positions where it has no names; so do the
    subsets of `path`, which the search went through in this order (for an exhaustive one: the best subset of each
    size). `errors` and their `std_errors` over folds belong to them. `tried` has a row per subset that was
    judged and a column per column of the table, with `tried_errors`; `evaluated` is both as a dictionary.
    """

    columns: tuple[Label, ...]
    selected: tuple[Label, ...]
    path: tuple[tuple[Label, ...], ...]
    errors: np.ndarray
    std_errors: np.ndarray
    tried: np.ndarray
    tried_errors: np.ndarray
    direction: str
    loss: str
    how: str
    notes: tuple[str, ...]

    @property
    def error(self) -> float:
        """Of the selected columns."""
        return float(self.errors[self.path.index(self.selected)])

    @property
    def support(self) -> np.ndarray:
        """Which columns are selected, one truth value each."""
        chosen = set(self.selected)
        return np.array([c in chosen for c in self.columns])

    @cached_property
    def evaluated(self) -> dict[tuple[Label, ...], float]:
        """The error of every subset that was tried."""
        labels = np.empty(len(self.columns), dtype=object)
        labels[:] = self.columns
        return {tuple(labels[m]): float(e) for m, e in zip(self.tried, self.tried_errors, strict=True)}

    def transform(self, X: Any) -> Any:
        """The selected columns of another table with the same columns."""
        labels = labels_of(X)
        named = labels != tuple(range(len(labels)))
        if len(labels) != len(self.columns) or (named and labels != self.columns):
            raise InvalidInput(
                f"Columns were selected from {_list_labels(self.columns)}; X has {_list_labels(labels)}."
            )
        return pick_columns(X, np.flatnonzero(self.support).tolist())

    def moves(self) -> tuple[str, ...]:
        """What each step added or left out."""
        if self.direction == "exhaustive":
            return ("",) * len(self.path)
        words = []
        for before, after in pairwise(self.path):
            (changed,) = set(before) ^ set(after)
            words.append(f"{'+' if len(after) > len(before) else '−'} {changed}")
        return ("start", *words)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per step."""
        columns = {
            "n_features": [len(s) for s in self.path],
            "move": list(self.moves()),
            "error": self.errors,
            "std_error": self.std_errors,
            "features": [_list_labels(s) for s in self.path],
            "selected": [s == self.selected for s in self.path],
        }
        return to_frame(columns, kind)

    def __str__(self) -> str:
        kept = _list_labels(self.selected) if self.selected else "none: the constant prediction"
        return (
            f"{self.direction} selection keeps {len(self.selected)} of {len(self.columns)} columns ({kept}): "
            f"{self.loss} loss {self.error:.5g}, {len(self.tried)} subsets tried (from {self.how})"
        )

    def _repr_html_(self) -> str:
        steps = zip(self.path, self.moves(), self.errors, self.std_errors, strict=True)
        rows = [(f"{len(s)}", move, f"{e:.5g}", f"{se:.2g}") for s, move, e, se in steps]
        return table_of_texts(("columns", "move", "error", "std error"), rows, str(self))


def _list_labels(labels: tuple[Label, ...], most: int = 12) -> str:
    more = f" and {len(labels) - most} more" if len(labels) > most else ""
    return ", ".join(map(str, labels[:most])) + more


def select_features(
    model: Any,
    X: Any = None,
    y: Any = None,
    direction: Literal["forward", "backward", "exhaustive"] = "forward",
    cv: Any = 10,
    n_features: int | None = None,
    *,
    loss: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
) -> Selection:
    """The columns of a table that a model predicts best from, by cross-validation.

    Linear models read the table once: subsets are then columns of the statistics of each fold, and a step of the
    search tries all columns at once. Any other estimator, Pipelines included, is cross-validated on each subset.

    Parameters
    ----------
    model
        Any regressor or classifier; with a `basis`, input columns are selected, and a function of several inputs
        is in the model when all of them are. Or a table of errors that are already known: a mapping from subsets
        (tuples or frozensets of labels, or strings such as "124") to numbers; it may lack the empty subset.
    X, y
        The table and the target; None beside a table of errors. Or the statistics of folds that
        `engine.cross_validate` left, alone (`cv` is theirs).
    direction
        "forward", "backward", or "exhaustive" for all subsets of at most 20 columns.
    cv
        As in `cross_validate`.
    n_features
        How many columns to end with. None: as many as lower the error. The empty subset predicts a constant: the
        mean, the median for absolute loss, the most frequent class, or the frequencies for log loss.
    loss, sample_weight, groups, params
        As in `cross_validate`.
    n_jobs
        Parallel refits.

    Notes
    -----
    The error of the selected columns is the smallest of many, and flatters them. To know how good selecting
    *and* fitting is, validate both together on rows that neither has seen (`two_layer`, DTU Algorithm 6).

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.evaluation import select_features
    >>> from suffice.linear import LinearRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((100, 5))
    >>> y = 3 * X[:, 1] - 2 * X[:, 4] + rng.standard_normal(100)
    >>> found = select_features(LinearRegression(), X, y)
    >>> found.path, found.how
    (((), (1,), (1, 4)), 'statistics')

    DTU Table 10.1 knows the errors already; the two walks disagree:

    >>> table = {"": 0.91, "1": 0.86, "2": 0.92, "3": 0.88, "4": 0.83, "12": 0.78, "13": 0.62, "14": 0.78}
    >>> table |= {"23": 0.74, "24": 0.72, "34": 0.76, "123": 0.64, "124": 0.68, "134": 0.73, "234": 0.78}
    >>> table |= {"1234": 0.79}
    >>> select_features(table).selected, select_features(table, direction="backward").selected
    (('1', '2', '4'), ('1', '3'))
    """
    check_choice("direction", direction, DIRECTIONS)
    with one_blas_thread():
        task = open_selection(model, X, y, cv, loss, sample_weight, groups, params, n_jobs)
        n, goal = len(task.labels), _check_goal(n_features, len(task.labels))
        if direction == "exhaustive":
            found = compare_all(task.criterion, n, goal)
        else:
            found = walk(task.criterion, n, direction == "forward", goal)
    return _assemble_selection(found, task, direction)


class SelectionTask(NamedTuple):
    """Who judges subsets, what picks columns, the name of the loss, and remarks about the folds."""

    criterion: SubsetCriterion
    labels: tuple[Label, ...]
    loss: str
    remarks: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        return self.criterion.notes + self.remarks


def open_selection(
    model: Any,
    X: Any,
    y: Any,
    cv: Any,
    loss: Any,
    sample_weight: Any,
    groups: Any,
    params: dict[str, Any] | None,
    n_jobs: int | None,
) -> SelectionTask:
    """From what a caller gives: a model and its data, or a table of errors."""
    if isinstance(model, Mapping):
        if X is not None or y is not None:
            raise InvalidInput("A table of errors needs no data; leave X and y out.")
        known = ErrorTable(model)
        return SelectionTask(known, known.labels, "given" if loss is None else str(loss))
    if isinstance(X, Folded):
        refuse_rows(y=y, sample_weight=sample_weight, groups=groups, params=params)
        return _folded_selection(model, X, resolve_loss(loss, model))
    if X is None or y is None:
        raise InvalidInput("Selecting columns for a model needs X and y.")
    judged = resolve_loss(loss, model)
    refuse_density(judged, model)
    table = make_table(X if hasattr(X, "shape") else np.asarray(X), y, sample_weight, params)
    labels = labels_of(table.X)
    folds = make_folds(cv, model, table.X, table.y, groups)
    return SelectionTask(
        choose_criterion(model, table, folds, judged, n_jobs),
        labels,
        judged.name,
        note_flattering_folds(folds),
    )


def _folded_selection(model: Any, folded: Folded, loss: Loss) -> SelectionTask:
    """The statistics of folds criterion alone; where those have lost digits, there are no rows to ask."""
    check_folded(model, folded, loss)

    def refit(subset: Subset, fold: int) -> float:
        raise NumericalError(
            f"The statistics of fold {fold} have lost digits for the columns {subset}, and there are no rows to fit."
        )

    criterion = FoldCriterion(model, folded.pairs(), folded.sizes, refit)
    names = criterion.header.features
    return SelectionTask(
        criterion, tuple(range(criterion.header.n_features)) if names is None else names, loss.name
    )


def _check_goal(n_features: Any, n: int) -> int | None:
    if n_features is None:
        return None
    whole = isinstance(n_features, int | np.integer) and not isinstance(n_features, bool)
    if not whole or not 0 <= n_features <= n:
        raise InvalidParameter(f"n_features must be an integer from 0 to {n}, or None; got {n_features!r}.")
    return int(n_features)


def _assemble_selection(found: SubsetsFound, task: SelectionTask, direction: str) -> Selection:
    path = tuple(name_columns(subset, task.labels) for subset in found.path)
    return Selection(
        task.labels, path[found.chosen], path, found.errors, spread(found.folds), found.tried,
        found.tried_errors, direction, task.loss, task.criterion.how, task.notes,
    )  # fmt: skip


def name_columns(subset: Subset, labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """A subset by what picks its columns."""
    return tuple(labels[j] for j in subset)


def spread(folds: np.ndarray) -> np.ndarray:
    """The standard error of a mean over folds, row by row; NaN for one fold."""
    k = folds.shape[1]
    if k < 2:
        return np.full(len(folds), np.nan)
    with np.errstate(invalid="ignore"):  # an infinite loss has no spread
        return folds.std(axis=1, ddof=1) / np.sqrt(k)
