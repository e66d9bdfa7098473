"""What is each column worth? Columns in order of a score (FCML glossary, "Feature selection").

Alone      the error of the model that has this column and no other, against the constant prediction
Dropped    the error of the model that has every column but this one, against the model that has them all

The first credits a column with what it shares with others, the second with nothing but what it alone knows: two
copies of a good column are both first alone and both worthless dropped.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from suffice._core.errors import check_choice
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice._core.showing import Shown, table_of_texts
from suffice.engine import one_blas_thread
from suffice.evaluation._selection.criteria import neighbor_losses
from suffice.evaluation._selection.inputs import Label
from suffice.evaluation._selection.walks import mean_over_folds
from suffice.evaluation.selection import name_columns, open_selection, spread


@record
class Ranking(Shown):
    """Columns in order of what they are worth; everything but `order` is in the order of the table.

    `errors` are those with the column alone, or without it; `baseline` is the error of the constant prediction,
    or of all columns; `worth` is how much the column lowers the error, with its `std_errors` over folds (of
    differences on the same folds).
    """

    columns: tuple[Label, ...]
    order: tuple[Label, ...]
    errors: np.ndarray
    worth: np.ndarray
    std_errors: np.ndarray
    baseline: float
    by: str
    loss: str
    how: str
    notes: tuple[str, ...]

    def frame(self, kind: str = "pandas") -> Any:
        """One row per column, the most valuable first."""
        rows = [self.columns.index(c) for c in self.order]
        numbers = {"error": self.errors, "worth": self.worth, "std_error": self.std_errors}
        return to_frame({"column": list(self.order)} | {k: v[rows] for k, v in numbers.items()}, kind)

    def __str__(self) -> str:
        what = "with the column alone" if self.by == "alone" else "without the column"
        return (
            f"columns by {self.loss} loss {what}, the most valuable first: {', '.join(map(str, self.order))} "
            f"(baseline {self.baseline:.5g}, from {self.how})"
        )

    def _repr_html_(self) -> str:
        found = {c: (self.errors[i], self.worth[i], self.std_errors[i]) for i, c in enumerate(self.columns)}
        rows = [
            (str(c), *(f"{v:.{d}g}" for v, d in zip(found[c], (5, 5, 2), strict=True))) for c in self.order
        ]
        return table_of_texts(("column", "error", "worth", "std error"), rows, str(self))


def rank_features(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    by: Literal["alone", "dropped"] = "alone",
    cv: Any = 10,
    loss: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
) -> Ranking:
    """Columns in order of what a model loses without them, or gains from them alone.

    Parameters
    ----------
    model, X, y
        As in `select_features`.
    by
        "alone": how good the model is with each column by itself. "dropped": how much worse it is without it.
    cv, loss, sample_weight, groups, params, n_jobs
        As in `cross_validate`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.evaluation import rank_features
    >>> from suffice.linear import LinearRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((100, 4))
    >>> y = 3 * X[:, 1] - 2 * X[:, 3] + X[:, 0] + rng.standard_normal(100)
    >>> rank_features(LinearRegression(), X, y, by="dropped").order
    (1, 3, 0, 2)
    """
    check_choice("by", by, ("alone", "dropped"))
    with one_blas_thread():
        task = open_selection(model, X, y, cv, loss, sample_weight, groups, params, n_jobs)
        columns = tuple(range(len(task.labels)))
        start = () if by == "alone" else columns
        base, folds = task.criterion.subset_losses([start]), neighbor_losses(task.criterion, start, columns)
    errors, baseline = mean_over_folds(task.criterion, folds), mean_over_folds(task.criterion, base)[0]
    sign = -1.0 if by == "alone" else 1.0
    order = in_order(-sign * errors)
    return Ranking(
        task.labels, name_columns(order, task.labels), errors, sign * (errors - baseline), spread(folds - base),
        float(baseline), by, task.loss, task.criterion.how, task.notes,
    )  # fmt: skip


def in_order(errors: np.ndarray) -> tuple[int, ...]:
    """Positions from the smallest to the largest; those equal up to rounding stay as they are, NaN comes last.

    >>> import numpy as np
    >>> in_order(np.array([0.2, 0.1 + 1e-16, 0.1]))
    (1, 2, 0)
    """
    unit = np.nanmax(np.abs(errors), initial=0.0) or 1.0
    return tuple(map(int, np.argsort(np.round(errors / unit, 12), kind="stable")))
