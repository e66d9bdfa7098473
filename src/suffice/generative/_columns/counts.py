r"""What classifiers of counts share: sums of columns, sparse or not, pseudo-counts, and one row left out.

A table of words has tens of thousands of columns of which a row uses a few dozen. Nothing here makes such a table
dense: what is computed is a product with a matrix of one row per class, or a sum over the cells that are stored.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from scipy import sparse

from suffice._components.cells import ROUNDING, canonical, remaining, with_data
from suffice._core.errors import (
    AtBound,
    InvalidInput,
    InvalidParameter,
    NumericalError,
    as_numbers,
    check_choice,
    check_flags,
    warn,
)
from suffice._core.records import record
from suffice._estimator.labelled_rows import TableDoor
from suffice._estimator.labels import LabelPlan
from suffice.engine import Rows
from suffice.generative._shell.bayes_rule import NAIVE_PRIOR, posterior_left_out
from suffice.generative._shell.classifier import GenerativeClassifier
from suffice.generative._shell.from_statistics import NUMBERS, label_counts
from suffice.statistics import ClassStatistics, Header

SMALLEST_ALPHA = 1e-10
Cells = tuple[np.ndarray, np.ndarray, np.ndarray]  # row, column, value


# -- a statistic --------------------------------------------------------------------------------------
@record
class ColumnSums:
    """Weighted sums over the rows of a class, one or several per column; they add and can be taken apart."""

    sums: np.ndarray

    def __add__(self, other: ColumnSums) -> ColumnSums:
        return ColumnSums(sealed(self.sums + other.sums))

    def __sub__(self, other: ColumnSums) -> ColumnSums:
        rest = self.sums - other.sums
        if np.any(rest < -1e-9 * self.sums):
            column = int(np.argmin(rest) % self.sums.shape[-1])
            raise NumericalError(
                f"Cannot take more out of column number {column} than is in it: {rest.min():g} would be left. "
                "Were these rows ever in?"
            )
        return ColumnSums(sealed(remaining(self.sums, other.sums)))


def sealed(values: np.ndarray) -> np.ndarray:
    """Made read-only without a copy: for arrays that nobody else holds."""
    values.setflags(write=False)
    return values


def class_sums(rows: Rows, plan: LabelPlan, *tables: Any) -> ClassStatistics:
    """Σ w x over the rows of each class, for tables that may be sparse; None stands for a table of zeros."""
    counts, width = label_counts(plan, rows), rows.X.shape[1]
    tables_of_sums = [_sums(table, rows, len(plan.classes), width) for table in tables]
    sums = sealed(np.stack(tables_of_sums, axis=1) if len(tables) > 1 else tables_of_sums[0][:, None])
    parts = tuple(ColumnSums(s) if n > 0 else None for s, n in zip(sums, counts.counts, strict=True))
    return ClassStatistics(plan.header, counts, parts)


def _sums(table: Any, rows: Rows, k: int, width: int) -> np.ndarray:
    """(classes, columns)."""
    if table is None:
        return np.zeros((k, width))
    n = rows.X.shape[0]
    if not sparse.issparse(table):
        return sparse.csc_array((rows.weights, rows.Y, np.arange(n + 1)), shape=(k, n)).tocsr() @ table
    size = np.diff(table.indptr)
    place = np.repeat(rows.Y.astype(np.intp) * width, size)
    place += table.indices
    data = table.data if rows.weight is None else table.data * np.repeat(rows.weight, size)
    return np.bincount(place, data, minlength=k * width).reshape(k, width)


def stacked_sums(statistics: ClassStatistics, kinds: int) -> np.ndarray:
    """(kinds, classes, columns); zero for classes without rows."""
    none = np.zeros((kinds, statistics.header.n_features))
    return np.stack([none if p is None else p.sums for p in statistics.parts], axis=1)


# -- cells --------------------------------------------------------------------------------------------
def used_cells(X: Any) -> Cells:
    """Cells that are not zero."""
    if sparse.issparse(X):
        row, kept = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr)), X.data != 0
        return row[kept], X.indices[kept], X.data[kept].astype(float)
    row, column = np.nonzero(X)
    return row, column, X[row, column].astype(float)


def refuse_cells(X: Any, bad: Callable[[np.ndarray], np.ndarray], names: Header, rule: str) -> None:
    """Raise if some cell breaks a rule, with its value, row and column; missing cells break none."""
    with np.errstate(invalid="ignore"):
        wrong = bad(X.data if sparse.issparse(X) else X)
    if not wrong.any():
        return
    row, column, _ = used_cells(with_data(X, wrong.astype(float)))
    raise InvalidInput(
        f"{rule}; got {X[row[0], column[0]]:g} at row {row[0]}, column {names.feature_names[column[0]]!r}."
    )


def log_power(X: Any, logs: np.ndarray) -> np.ndarray:
    """Σ_m x_m log q_cm of every row and class, where 0 log 0 = 0: (rows, classes)."""
    zero = logs == -np.inf
    if not zero.any():
        return X @ logs.T
    out = X @ np.where(zero, 0.0, logs).T
    out[X @ zero.T.astype(float) > 0] = -np.inf
    return out


# -- pseudo-counts --------------------------------------------------------------------------------------
def check_alpha(alpha: Any) -> None:
    """A number or a vector of them, zero or more."""
    values = as_numbers("alpha", alpha)
    if isinstance(alpha, bool) or values.ndim > 1 or not np.all((values >= 0) & (values < np.inf)):
        raise InvalidParameter(
            f"alpha must be a finite number >= 0, or one per column; got {np.asarray(alpha).tolist()!r:.80}."
        )


def pseudo_counts(alpha: Any, n_columns: int, force: bool) -> np.ndarray:
    """alpha per column; unless forced, at least 1e-10."""
    values = per_column("alpha", alpha, n_columns)
    if not force and np.any(values < SMALLEST_ALPHA):
        warn(
            f"alpha too small will result in numeric errors, setting alpha = {SMALLEST_ALPHA:.1e}: {values.min():g} "
            "leaves words without probability. force_alpha=True keeps it as it is.",
            AtBound,
        )
        return np.maximum(values, SMALLEST_ALPHA)
    return values


def per_column(name: str, value: Any, n_columns: int) -> np.ndarray:
    """One number for all columns, or one for each."""
    values = as_numbers(name, value)
    if values.shape not in ((), (n_columns,)):
        raise InvalidParameter(
            f"{name} must be one number or one for each of the {n_columns} columns; got shape {values.shape}."
        )
    return np.broadcast_to(values, (n_columns,))


# -- the shell ----------------------------------------------------------------------------------------
@dataclass(eq=False, repr=False)
class CountClassifier(GenerativeClassifier, ABC):
    """Classes told apart by what occurs in their rows, and how often."""

    _: KW_ONLY
    force_alpha: bool = True
    fit_prior: bool = True
    class_prior: Any = None
    prior: Any = None

    _prior_rule = NAIVE_PRIOR
    _takes_gaps = True
    _keeps_sparse = True

    @property
    @abstractmethod
    def alpha(self) -> Any:
        """A parameter of final classes, which may stand before others."""

    @abstractmethod
    def _check_cells(self, X: Any, header: Header) -> None:
        """Raise for cells that this model gives no meaning to."""

    def _check_smoothing(self) -> None:
        check_flags(self, "force_alpha", "fit_prior")
        check_alpha(self.alpha)
        if isinstance(self.class_prior, str):
            check_choice("class_prior", self.class_prior, ("empirical", "uniform"))

    def _rows(self, X: Any, n: int, earlier: Header | None) -> tuple[Any, Header]:
        X, header = NUMBERS.rows(self, X, n, earlier)
        X = canonical(X)
        self._check_cells(X, header)
        return X, header

    def _inputs(self, X: Any) -> Any:
        X = canonical(NUMBERS.inputs(self, X))
        self._check_cells(X, self.statistics_.header)
        return X

    _table_door = TableDoor(_rows, _inputs)

    # -- leaving one row out ---------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        return None

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the model without the row, and which rows must be refitted.

        Only the density of the row's own class changes, and of its counts only those of the row.
        """
        fitted, w, own = self._refitted(rows, plan), rows.weights, np.arange(len(rows))
        logs, counts = fitted._log_densities(rows.X), fitted.class_count_[rows.Y]
        logs[own, rows.Y], unknown = fitted._own_log_densities(rows, w)
        alone = unknown | ~(counts - w > ROUNDING * counts)
        return posterior_left_out(fitted, rows, logs, self._prior_choice, alone)

    @abstractmethod
    def _own_log_densities(self, rows: Rows, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """log p(x | c) of each row in its own class without it, and where that is not defined."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # counts say little about the blobs of scikit-learn's checks
        return tags
