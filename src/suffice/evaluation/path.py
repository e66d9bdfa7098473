"""The loss as one parameter varies: a validation curve, its minimum, and the simplest choice within its error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, check_choice
from suffice._core.frames import to_frame
from suffice._core.losses import resolve_loss
from suffice._core.numerics import first_largest
from suffice._core.records import record
from suffice._core.showing import Shown, table_of_texts
from suffice.engine import Folded, one_blas_thread
from suffice.evaluation._levels.approximate import HOW, step_losses
from suffice.evaluation._levels.folded import folded_scores, refuse_rows
from suffice.evaluation._levels.ladder import Ladder, Scores
from suffice.evaluation._levels.splits import make_folds
from suffice.evaluation._levels.validation_table import make_table, rows_to_read, sizes_of_tests


@record
class ValidationPath(Shown):
    """Mean training and test loss for each value of a parameter, and the folds they come from.

    `std_error` is the standard error of the test loss over folds. `best` is the value with the smallest test
    loss; `one_standard_error` the simplest value whose loss is within one standard error of it, where
    `simplest` says which that is: the largest, the smallest, the first or the last.
    """

    param: str
    values: tuple[Any, ...]
    train: np.ndarray
    test: np.ndarray
    fold_train: np.ndarray
    fold_test: np.ndarray
    fold_sizes: np.ndarray
    simplest: str
    how: str
    notes: tuple[str, ...]
    loss: str

    @cached_property
    def std_error(self) -> np.ndarray:
        """Of the mean test loss, from the spread over folds; NaN for one fold."""
        k = self.fold_test.shape[1]
        if k < 2:
            return np.full(len(self.values), np.nan)
        with np.errstate(invalid="ignore", over="ignore"):  # an infinite loss has no spread
            return self.fold_test.std(axis=1, ddof=1) / np.sqrt(k)

    @property
    def best_index(self) -> int:
        if not np.isfinite(self.test).any():
            raise InvalidInput("No value of the path has a finite loss; see notes.")
        return first_largest(-self.test)

    @property
    def best(self) -> Any:
        return self.values[self.best_index]

    @property
    def one_standard_error_index(self) -> int:
        i = self.best_index
        reach = self.test[i] + np.nan_to_num(self.std_error[i])
        within = np.flatnonzero(self.test <= reach)
        if self.simplest in ("first", "last"):
            return int(within[0] if self.simplest == "first" else within[-1])
        sizes = np.array([float(self.values[j]) for j in within])
        return int(within[np.argmax(sizes) if self.simplest == "largest" else np.argmin(sizes)])

    @property
    def one_standard_error(self) -> Any:
        return self.values[self.one_standard_error_index]

    def frame(self, kind: str = "pandas") -> Any:
        """One row per value."""
        columns = {self.param: list(self.values), "train": self.train, "test": self.test}
        return to_frame(columns | {"std_error": self.std_error}, kind)

    def __str__(self) -> str:
        i = self.best_index
        return (
            f"{self.loss} loss {self.test[i]:.5g} at {self.param}={_show_value(self.best)}; within one standard error: "
            f"{_show_value(self.one_standard_error)} ({len(self.values)} values, {self.fold_test.shape[1]} folds, "
            f"from {self.how})"
        )

    def _repr_html_(self) -> str:
        columns = zip(self.values, self.train, self.test, self.std_error, strict=True)
        rows = [(_show_value(v), f"{a:.5g}", f"{b:.5g}", f"{e:.2g}") for v, a, b, e in columns]
        return table_of_texts((self.param, "train", "test", "std error"), rows, str(self))


def _show_value(value: Any) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)


def validate_path(
    model: Any,
    X: Any,
    y: Any = None,
    param: str = "alpha",
    values: Sequence[Any] = (),
    cv: Any = 10,
    *,
    loss: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    average: str = "size",
    simplest: str | None = None,
    n_jobs: int | None = None,
    approximate: bool = False,
) -> ValidationPath:
    """Training and test loss for every value of one parameter, on the same folds.

    Models fitted from statistics read the table once for all values: penalties come from one decomposition
    per fold, polynomial orders from one triangle.

    Parameters
    ----------
    X, y
        The table and the target; or the statistics of folds that `engine.cross_validate` left, alone (`cv` is theirs).
    param
        Name of the parameter as in `set_params`, for example "alpha", "basis__degree" or "ridge__alpha".
    values
        What to try.
    cv, loss, sample_weight, groups, params, average, n_jobs
        As in `cross_validate`.
    approximate
        For `LeaveOneOut` of models with a likelihood: rows are left out by one Newton step each (see `cross_validate`);
        training losses are then NaN.
    simplest
        Which value is the simpler model for the one-standard-error choice: "largest", "smallest", or by
        its place "first", "last". None: the largest penalty, the smallest of other numbers, else the first.

    Examples
    --------
    >>> from sklearn.model_selection import LeaveOneOut
    >>> from suffice.bases import Polynomial
    >>> from suffice.datasets import olympic_100m_men
    >>> from suffice.evaluation import validate_path
    >>> from suffice.linear import LinearRegression
    >>> data = olympic_100m_men()
    >>> model = LinearRegression(basis=Polynomial(1))
    >>> path = validate_path(model, data.X, data.y, "basis__degree", range(1, 9), cv=LeaveOneOut())
    >>> path.best, path.how
    (3, 'closed form')
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(f"values must be a list of values of {param!r} to try; got {values!r}.")
    values = tuple(values)
    if not values:
        raise InvalidInput(f"values must name at least one value of {param!r} to try; got none.")
    simplest = simplest or _simplest(param, values)
    check_choice("simplest", simplest, ("largest", "smallest", "first", "last"))
    check_choice("average", average, ("size", "fold"))
    measure = resolve_loss(loss, model)
    if isinstance(X, Folded):
        refuse_rows(y=y, sample_weight=sample_weight, groups=groups, params=params)
        scores = folded_scores(model, param, values, X, measure)
    else:
        table = make_table(X, y, sample_weight, params, model)
        folds = make_folds(cv, model, table.X, table.y, groups)
        if approximate:
            scores = _step_scores(model, table, folds, measure, param, values)
        else:
            grid = [{param: value} for value in values]
            ladder = Ladder(model, grid, table, visits=rows_to_read(folds), n_jobs=n_jobs)
            scores = ladder.scores(folds, measure)
    weight = scores.sizes if average == "size" else np.ones_like(scores.sizes)
    train, test = (m @ weight / weight.sum() for m in (scores.train, scores.test))
    return ValidationPath(
        param, values, train, test, scores.train, scores.test, scores.sizes, simplest, scores.how,
        scores.notes, resolve_loss(loss, model).name,
    )  # fmt: skip


PENALTIES = ("alpha", "prior_precision", "lam", "reg_covar", "bandwidth", "n_neighbors")


def _simplest(param: str, values: tuple[Any, ...]) -> str:
    if not all(isinstance(v, Real) for v in values):
        return "first"
    return "largest" if param.split("__")[-1] in PENALTIES else "smallest"


@one_blas_thread()
def _step_scores(
    model: Any, table: Any, folds: Any, loss: Any, param: str, values: tuple[Any, ...]
) -> Scores:
    """Losses of rows left out approximately, each a fold."""
    losses, note = step_losses(model, table, folds, loss, param, values)
    return Scores(
        losses[:, folds.order], np.full(losses.shape, np.nan), sizes_of_tests(table, folds), HOW, (note,)
    )
