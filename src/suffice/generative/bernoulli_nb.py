r"""Naive Bayes for what is there or not: one coin per column and class (DTU §13.2, FCML §5.2.1.5).

Likelihood   p(x | c) = Π_j p_cj^x_j (1 − p_cj)^(1 − x_j),  x_j ∈ {0, 1}                       (DTU eqs 13.7–13.9)
Fit          n_cj = cells of column j with x = 1 in class c,  N_cj = cells that are there
Smoothed     p_cj = (n_cj + α) / (N_cj + 2α)                                                  (DTU eqs 13.10, 13.11)
Prior        Beta(a, b): the mean of the posterior, (n_cj + a) / (N_cj + a + b); α is a = b   (technical note 13.2.1)

Cells are told in two kinds, *marked* and the rest, where only marked cells are visited: those above the threshold; or,
in a sparse table with a threshold below zero, those not above it, as all its empty cells are.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np
from scipy import sparse

from suffice._components.cells import remaining, with_data, without_gaps
from suffice._core.errors import InvalidParameter, check_number
from suffice._core.records import record, storable
from suffice._estimator.labels import LabelPlan
from suffice.distributions import Beta
from suffice.engine import Rows
from suffice.generative._columns.counts import (
    ColumnSums,
    CountClassifier,
    class_sums,
    per_column,
    pseudo_counts,
    refuse_cells,
    sealed,
    stacked_sums,
)
from suffice.statistics import ClassStatistics, Header


# -- cells ---------------------------------------------------------------------------------------------
@record
class Marks:
    """Marked and missing cells as tables of 0 and 1, and whether the marked ones are the zeros."""

    marked: Any
    gaps: Any
    inverted: bool

    @classmethod
    def of(cls, X: Any, threshold: float | None) -> Marks:
        """Cells on either side of the threshold; without one, cells are 0 and 1 already."""
        cut = 0.0 if threshold is None else threshold
        inverted = sparse.issparse(X) and cut < 0
        data = X.data if sparse.issparse(X) else X
        marked = data <= cut if inverted else data > cut  # never for NaN
        return cls(with_data(X, marked.astype(float)), without_gaps(X)[1], inverted)

    def __getitem__(self, rows: Any) -> Marks:
        return Marks(self.marked[rows], None if self.gaps is None else self.gaps[rows], self.inverted)

    def log_densities(self, factors: Factors) -> np.ndarray:
        """Σ over the cells that are there: (rows, classes)."""
        f = factors.swapped if self.inverted else factors
        out = f.all_off + self.marked @ f.slope.T
        out = out if self.gaps is None else out - self.gaps @ f.off_if_possible.T
        if not f.excludes:
            return out
        misses = f.never_off.sum(axis=1) + self.marked @ (f.never_on - f.never_off).T
        misses = misses if self.gaps is None else misses - self.gaps @ f.never_off.T
        return np.where(misses > 0.5, -np.inf, out)


@record
class Factors:
    """log p and log(1 − p) of every class and column, and what rows are multiplied with, computed once."""

    on: np.ndarray
    off: np.ndarray

    @property
    def swapped(self) -> Factors:
        return Factors(self.off, self.on)

    @cached_property
    def excludes(self) -> bool:
        """Whether some probability is zero."""
        return bool(min(np.min(logs, initial=0.0) for logs in (self.on, self.off)) == -np.inf)

    @cached_property
    def slope(self) -> np.ndarray:
        """What a marked cell adds, in the order in which rows are multiplied with it."""
        out = np.empty(self.on.shape, order="F")
        return np.subtract(_possible(self.on), self.off_if_possible, out=out)

    @cached_property
    def off_if_possible(self) -> np.ndarray:
        return _possible(self.off)

    @cached_property
    def all_off(self) -> np.ndarray:
        """The log density of a row without a marked cell."""
        return self.off_if_possible.sum(axis=1)

    @cached_property
    def never_on(self) -> np.ndarray:
        return np.isneginf(self.on).astype(float)

    @cached_property
    def never_off(self) -> np.ndarray:
        return np.isneginf(self.off).astype(float)


def _possible(logs: np.ndarray) -> np.ndarray:
    return logs if np.min(logs, initial=0.0) > -np.inf else np.where(np.isneginf(logs), 0.0, logs)


def factors_of(on: np.ndarray, off: np.ndarray, whole: np.ndarray) -> Factors:
    """From counts with their pseudo-counts; ½ where nothing is known, the limit of small α."""
    if not np.all(whole > 0):
        known = whole > 0
        on, off, whole = np.where(known, on, 0.5), np.where(known, off, 0.5), np.where(known, whole, 1.0)
    with np.errstate(divide="ignore"):
        return Factors(np.log(on / whole), np.log(off / whole))


# -- the estimator --------------------------------------------------------------------------------------
@final
@storable
@dataclass(eq=False, repr=False)
class BernoulliNB(CountClassifier):
    """Columns that are on or off, independent within a class.

    Parameters
    ----------
    alpha
        Pseudo-count of on and of off, for all columns or one per column: 1 is Laplace's rule, 0 maximum likelihood.
    force_alpha
        Take alpha below 1e-10 as it is. A value unseen in a class then excludes the class.
    binarize
        Cells above this are on. None: cells are 0 and 1 already, and anything else is refused.
    fit_prior
        Class priors from the shares of the rows; otherwise they are equal.
    class_prior
        One probability per class, or "empirical" or "uniform".
    prior
        `Beta(a, b)`: a prior of every probability (a for on, b for off), numbers or vectors of one per column. The
        probabilities are the means of the posteriors. It takes the place of alpha, which is Beta(alpha, alpha).

    Notes
    -----
    A missing cell (NaN) is left out of the counts of its column and out of the product. Sparse tables stay sparse, with
    any threshold. A row that no class can produce, which takes alpha = 0, gets the class priors with a warning.

    Examples
    --------
    DTU's table 13.1, with raw frequencies:

    >>> from suffice.generative import BernoulliNB
    >>> X = [[1, 0], [0, 1], [1, 1], [1, 1], [1, 0], [0, 0], [1, 1], [0, 1]]
    >>> model = BernoulliNB(alpha=0.0).fit(X, [1, 1, 1, 2, 2, 2, 3, 3])
    >>> print(model.predict_proba([[0, 1]]).round(4))
    [[0.3333 0.1667 0.5   ]]
    """

    _: KW_ONLY
    alpha: Any = 1.0
    force_alpha: bool = True
    binarize: float | None = 0.0
    fit_prior: bool = True
    class_prior: Any = None
    prior: Any = None

    statistics_: ClassStatistics = field(init=False)
    classes_: np.ndarray = field(init=False)
    class_count_: np.ndarray = field(init=False)
    class_log_prior_: np.ndarray = field(init=False)
    feature_count_: np.ndarray = field(init=False)
    cell_count_: np.ndarray = field(init=False)
    factors_: Factors = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    @property
    def statistics_key(self) -> tuple[str, Any]:
        """Counts depend on the threshold."""
        return "cells that are on", None if self.binarize is None else float(self.binarize)

    def _check_parameters(self) -> None:
        self._check_smoothing()
        if self.binarize is not None:
            check_number("binarize", self.binarize)
        if self.prior is not None and not isinstance(self.prior, Beta):
            raise InvalidParameter(f"prior must be None or a Beta; got {self.prior!r}.")

    def _check_cells(self, X: Any, header: Header) -> None:
        if self.binarize is None:
            rule = "binarize=None takes cells that are 0 or 1; set a threshold for others"
            refuse_cells(X, lambda x: ~((x == 0) | (x == 1) | np.isnan(x)), header, rule)

    # -- fit -------------------------------------------------------------------------------------------
    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        marks = Marks.of(rows.X, self.binarize)
        sums = class_sums(rows, plan, marks.marked, marks.gaps)
        there = iter(sums.counts.counts[sums.counts.counts > 0])

        def counted(part: Any) -> Any:
            marked, missing = part.sums
            cells = next(there) - missing
            on = cells - marked if marks.inverted else marked
            return ColumnSums(sealed(np.stack([on, cells])))

        return sums.with_parts(counted)

    def _solve(self, statistics: ClassStatistics) -> None:
        self.feature_count_, self.cell_count_ = stacked_sums(statistics, 2)
        a, b = self._pseudo_counts()
        off = remaining(self.cell_count_, self.feature_count_)
        self.factors_ = factors_of(self.feature_count_ + a, off + b, self.cell_count_ + a + b)

    def _pseudo_counts(self) -> tuple[np.ndarray, np.ndarray]:
        """What is added to the counts of on and of off, per column."""
        width = self.feature_count_.shape[1]
        if self.prior is not None:
            return per_column("a of prior", self.prior.a, width), per_column(
                "b of prior", self.prior.b, width
            )
        alpha = pseudo_counts(self.alpha, width, self.force_alpha)
        return alpha, alpha

    # -- densities -------------------------------------------------------------------------------------
    def _log_densities(self, X: Any) -> np.ndarray:
        logs = Marks.of(X, self.binarize).log_densities(self.factors_)
        logs[:, ~(self.class_count_ > 0)] = -np.inf
        return logs

    def _own_log_densities(self, rows: Rows, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows of one class and weight take the same from every column, so they are answered together."""
        marks, (a, b) = Marks.of(rows.X, self.binarize), self._pseudo_counts()
        on, cells = self.feature_count_, self.cell_count_
        out = np.empty(len(weight))
        kinds, which = np.unique(np.column_stack([rows.Y, weight]), axis=0, return_inverse=True)
        for k, (code, w) in enumerate(kinds):
            c, mine = int(code), np.flatnonzero(which.ravel() == k)
            # the row is on one side of a column; what the other side would be without it is never asked
            present, absent = remaining(on[c], w) + a, remaining(remaining(cells[c], on[c]), w) + b
            rest = remaining(cells[c], w) + a + b
            factors = factors_of(present[None], absent[None], rest[None])
            out[mine] = marks[mine].log_densities(factors)[:, 0]
        return out, np.zeros(len(weight), dtype=bool)

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        """0 and 1, or, where the threshold would read these alike, numbers on its two sides."""
        share = np.exp(self.feature_log_prob_[place])
        threshold = 0.0 if self.binarize is None else float(self.binarize)
        off, on = min(0.0, threshold), 1.0 if threshold < 1 else threshold + 1.0
        return np.where(rng.random((n, len(share))) < share, on, off)

    # -- reading ---------------------------------------------------------------------------------------
    @property
    def feature_log_prob_(self) -> np.ndarray:
        """log P(on | class): (classes, columns)."""
        return self.factors_.on

    @property
    def n_parameters_(self) -> int:
        """One probability per column and class with rows; priors not counted."""
        return int(np.sum(self.class_count_ > 0)) * self.n_features_in_
