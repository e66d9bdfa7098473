r"""The Bayes classifier with the full joint table of discrete columns (DTU quiz 13.2).

Density      p(x | c) = (n_cx + α) / (n_c + α M): the share of the rows of class c that are exactly x, M = Π_j K_j the
             number of cells of the table, K_j the number of values seen in column j
Posterior    for α = 0 and shares as priors, P(c | x) = n_cx / Σ_c' n_c'x: the share of class c among the rows that
             are exactly x

Nothing is assumed of the columns, so nothing is known about a combination that was never seen: that is the price, and
what naive Bayes is for. Only combinations that occurred are kept; their counts add.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, final

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    NoInformation,
    NumericalError,
    check_choice,
    check_number,
    warn,
)
from suffice._core.records import estimator, frozen_array, record
from suffice._estimator.labelled_rows import TableDoor
from suffice._estimator.labels import LabelPlan
from suffice._estimator.raw_columns import open_raw, plain, present
from suffice.engine import Rows
from suffice.generative._shell.bayes_rule import log_posterior, posterior_left_out
from suffice.generative._shell.classifier import GenerativeClassifier
from suffice.generative._shell.from_statistics import label_counts
from suffice.statistics import ClassStatistics
from suffice.statistics.counts import check_same_kind
from suffice.statistics.header import Header
from suffice.tables.typed import TypedTable

GONE = 1e-9  # of all rows: what is left of a count below that is rounding


@record
class RowCounts:
    """Distinct rows, as columns of numbers or text, and how often each occurred."""

    header: Header
    columns: tuple[np.ndarray, ...]
    counts: np.ndarray
    rows: int

    @classmethod
    def of(cls, header: Header, columns: tuple[np.ndarray, ...], counts: np.ndarray, rows: int) -> RowCounts:
        """Equal rows counted together, sorted, without those that nothing is left of."""
        codes = np.column_stack([np.unique(c, return_inverse=True)[1] for c in columns])
        _, first, group = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        total = np.bincount(group.ravel(), counts, minlength=len(first))
        rounding = GONE * float(np.abs(counts).sum())
        kept = total > rounding
        if np.any(total < -rounding):
            row = [c[first[np.argmin(total)]].item() for c in columns]
            raise NumericalError(
                f"Cannot take out more of the row {row} than is in: {total.min():g} would be left."
            )
        chosen = tuple(frozen_array(c[first[kept]], dtype=c.dtype) for c in columns)
        return cls(header, chosen, frozen_array(total[kept]), rows)

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    def __add__(self, other: RowCounts) -> RowCounts:
        return self._joined(other, 1.0) if isinstance(other, RowCounts) else NotImplemented

    def __sub__(self, other: RowCounts) -> RowCounts:
        return self._joined(other, -1.0) if isinstance(other, RowCounts) else NotImplemented

    def _joined(self, other: RowCounts, sign: float) -> RowCounts:
        self.header.check(other.header)
        for a, b in zip(self.columns, other.columns, strict=True):
            check_same_kind(a, b)
        columns = tuple(np.concatenate(pair) for pair in zip(self.columns, other.columns, strict=True))
        counts = np.concatenate([self.counts, sign * other.counts])
        return RowCounts.of(self.header, columns, counts, max(self.rows + int(sign) * other.rows, 1))

    def distinct(self, j: int) -> np.ndarray:
        """The values of a column."""
        return np.unique(self.columns[j])


@final
@estimator
class JointTableClassifier(GenerativeClassifier):
    """The share of each class among the rows that are exactly like the one asked about.

    Parameters
    ----------
    alpha
        Added to the count of every cell of the table, seen or not.
    priors
        None or "empirical" for the shares of the classes, "uniform", or one probability per class.
    unseen
        Where no class has ever had such a row (0/0): "prior" gives the priors, with a warning; "nan" gives NaN and the
        first class; "raise" refuses.

    Notes
    -----
    Columns may hold numbers or text. With `alpha` a combination never seen is equally likely in classes of equal size.

    Examples
    --------
    >>> from suffice.generative import JointTableClassifier
    >>> X = [["red", 1], ["red", 1], ["red", 0], ["blue", 1]]
    >>> model = JointTableClassifier().fit(X, ["a", "b", "b", "b"])
    >>> print(model.predict_proba([["red", 1], ["red", 0]]))
    [[0.5 0.5]
     [0.  1. ]]
    """

    alpha: float = 0.0
    _: KW_ONLY
    priors: Any = None
    unseen: str = "prior"

    n_cells_: float = field(init=False)

    _input_tags = ("categorical", "string")
    takes_tables = True  # batches of a source reach the door as they are

    @property
    def statistics_key(self) -> str:
        """All models of joint tables count the same."""
        return type(self).__name__

    def _check_parameters(self) -> None:
        check_number("alpha", self.alpha, low=0.0)
        check_choice("unseen", self.unseen, ("prior", "nan", "raise"))

    # -- the door ------------------------------------------------------------------------------------------
    def _rows(self, X: Any, n: int, earlier: Header | None) -> tuple[TypedTable, Header]:
        table, header = self._complete(X, earlier)
        if len(table) != n:
            raise InvalidInput(
                f"Found input variables with inconsistent numbers of samples: {[len(table), n]}."
            )
        return table, header

    def _complete(self, X: Any, earlier: Any) -> tuple[TypedTable, Header]:
        table, header = open_raw(X, type(self).__name__, earlier)
        for j, values in enumerate(table.columns):
            there = present(values)
            if not there.all():
                raise InvalidInput(
                    f"X contains NaN at row {int(np.argmin(there))}, column {header.feature_names[j]!r}. A row with a "
                    "gap belongs to several cells of the table; fill it in, or use CategoricalNB."
                )
        return table, header

    def _inputs(self, X: Any) -> TypedTable:
        return self._complete(X, self.statistics_.header)[0]

    _table_door = TableDoor(_rows, _inputs)

    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        w = rows.weights

        def part(c: int) -> RowCounts | None:
            at = np.flatnonzero((np.asarray(rows.Y) == c) & (w > 0))
            some = tuple(plain(column) for column in rows.X[at].columns)
            return RowCounts.of(plan.header, some, w[at], len(at)) if len(at) else None

        parts = tuple(map(part, range(len(plan.classes))))
        return ClassStatistics(plan.header, label_counts(plan, rows), parts)

    # -- densities -----------------------------------------------------------------------------------------
    def _write_densities(self, statistics: ClassStatistics) -> None:
        parts = [p for p in statistics.parts if p is not None]
        columns = range(statistics.header.n_features)
        sizes = [len(np.unique(np.concatenate([p.distinct(j) for p in parts]))) for j in columns]
        self.n_cells_ = float(np.prod(np.array(sizes, dtype=float)))

    def _log_densities(self, X: TypedTable) -> np.ndarray:
        mine = tuple(map(plain, X.columns))
        out = np.full((len(X), len(self.classes_)), -np.inf)
        for c, part in enumerate(self.statistics_.parts):
            if part is not None:
                with np.errstate(divide="ignore"):
                    out[:, c] = np.log(_looked_up(part, mine) + self.alpha)
                    out[:, c] -= np.log(part.n + self.alpha * self.n_cells_)
        return out

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """log P(c | x); for a row that no class has had, by the rule `unseen`."""
        joint = self.predict_joint_log_proba(X)
        never = np.all(joint == -np.inf, axis=1)
        if never.any() and self.unseen == "raise":
            raise InvalidInput(
                f"Row {int(np.argmax(never))} was never seen in any class; set alpha, or unseen."
            )
        if never.any() and self.unseen == "prior":
            warn(
                f"Row {int(np.argmax(never))} was never seen in any class, nor were {int(never.sum()) - 1} others; "
                "they are given the class priors. Set alpha, or use CategoricalNB.",
                NoInformation,
            )
        joint = np.where(never[:, None], self.class_log_prior_ if self.unseen == "prior" else np.nan, joint)
        return log_posterior(joint, self.class_log_prior_)

    # -- leaving one row out -------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        return "the number of cells, which alpha is added to, may change with a row" if self.alpha else None

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the table without the row; refitted are the last row of a class and one like no other."""
        fitted = self._refitted(rows, plan)
        n, y, C, w = len(rows), np.asarray(rows.Y), fitted.class_count_, rows.weights
        own = np.equal.outer(y, np.arange(len(C))) * w[:, None]
        mine = tuple(map(plain, rows.X.columns))
        seen = np.array(
            [np.zeros(n) if p is None else _looked_up(p, mine) for p in fitted.statistics_.parts]
        ).T
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(np.maximum(seen - own, 0.0)) - np.log(np.maximum(C - own, 0.0))
        logs = np.nan_to_num(logs, nan=-np.inf, neginf=-np.inf)
        return posterior_left_out(fitted, rows, logs, self.priors)

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        """Rows that were seen, by their counts; of a smoothed table, any cell with the share of `alpha`."""
        part = self.statistics_.parts[place]
        picked = rng.choice(len(part.counts), size=n, p=part.counts / part.counts.sum())
        added = self.alpha * self.n_cells_
        anywhere = rng.random(n) < added / (part.n + added)
        text = any(c.dtype.kind != "f" for c in part.columns)
        out = np.empty((n, len(part.columns)), dtype=object if text else float)
        for j, column in enumerate(part.columns):
            out[:, j] = column[picked].tolist()
            if anywhere.any():
                out[anywhere, j] = rng.choice(self._values(j), size=int(anywhere.sum())).tolist()
        return out

    def _values(self, j: int) -> np.ndarray:
        """The values of a column in any class."""
        return np.unique(np.concatenate([p.distinct(j) for p in self.statistics_.parts if p is not None]))

    @property
    def n_parameters_(self) -> int:
        """One probability per cell of the table and class, less one; priors not counted."""
        return int((self.n_cells_ - 1) * np.sum(self.class_count_ > 0))


def _looked_up(part: RowCounts, rows: tuple[np.ndarray, ...]) -> np.ndarray:
    """How often each row occurred: places in the columns, then places of the combinations."""
    n, m = len(rows[0]), len(part.counts)
    both = []
    for mine, kept in zip(rows, part.columns, strict=True):
        if (mine.dtype.kind == "f") != (kept.dtype.kind == "f"):
            return np.zeros(n)
        both.append(np.unique(np.concatenate([kept, mine]), return_inverse=True)[1])
    _, group = np.unique(np.column_stack(both), axis=0, return_inverse=True)
    group = group.ravel()
    counts = np.zeros(int(group.max()) + 1)
    counts[group[:m]] = part.counts
    return counts[group[m:]]
