"""How good is a model on some of the columns? Every criterion answers on the same folds for all subsets.

`FoldCriterion`   models fitted from a triangle: the statistics of each fold are gathered once, and subsets are
                  columns of them. Most never see a solver (`suffice.statistics.subsets`); the others are solved
                  by the model from the narrowed statistics.
`ModelCriterion`  any other estimator or loss: each subset is cross-validated on its own columns.
`ErrorTable`      errors that are already known.

The subset without columns is the best constant for the loss: mean, median, majority or frequencies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from sklearn.base import clone

from suffice._core.errors import InvalidInput, SufficeWarning, warn
from suffice._core.losses import Loss
from suffice.bases import CustomBasis
from suffice.evaluation._levels.constants import constant_model
from suffice.evaluation._levels.groups import CandidateGroup
from suffice.evaluation._levels.ladder import Ladder
from suffice.evaluation._levels.predictions import mean_loss
from suffice.evaluation._levels.prepared import PreparedLinear
from suffice.evaluation._levels.question import slowest_level
from suffice.evaluation._levels.validation_table import ValidationTable, rows_to_read, sizes_of_tests
from suffice.evaluation._selection.fold_criterion import (
    FoldCriterion,
    Remark,
    collect_remarks,
    summarize_remarks,
)
from suffice.evaluation._selection.inputs import Restricted, pick_columns
from suffice.evaluation._selection.subsets import Subset, toggle
from suffice.evaluation.protocols import LinearInColumns
from suffice.statistics import Triangle
from suffice.statistics.folds import Folds

KEPT = 8_000_000  # numbers in the statistics of all folds that are kept side by side


class SubsetCriterion(Protocol):
    """Mean losses per fold (columns) of subsets (rows); `sizes` weigh the folds in the mean."""

    sizes: np.ndarray

    @property
    def how(self) -> str: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    def subset_losses(self, subsets: Sequence[Subset]) -> np.ndarray: ...


@runtime_checkable
class AnswersAtOnce(Protocol):
    """A criterion that knows many subsets for less than one by one.

    `neighbor_losses` are those of a subset with or without each of some columns; `all_losses` the means of all subsets,
    by the number whose bits say what is in, or None where each must be asked for.
    """

    def neighbor_losses(self, subset: Subset, columns: Sequence[int]) -> np.ndarray: ...
    def all_losses(self) -> np.ndarray | None: ...


def neighbor_losses(criterion: SubsetCriterion, subset: Subset, columns: Sequence[int]) -> np.ndarray:
    """(n, K): losses of a subset with or without each of some columns."""
    if isinstance(criterion, AnswersAtOnce):
        return criterion.neighbor_losses(subset, columns)
    return criterion.subset_losses([toggle(subset, j) for j in columns])


def all_losses(criterion: SubsetCriterion) -> np.ndarray | None:
    """The mean loss of all subsets where it is known at once."""
    return criterion.all_losses() if isinstance(criterion, AnswersAtOnce) else None


def choose_criterion(
    model: Any, table: ValidationTable, folds: Folds, loss: Loss, n_jobs: int | None
) -> SubsetCriterion:
    """The fastest criterion that can answer."""
    by_model = ModelCriterion(model, table, folds, loss, n_jobs)
    _warn_of_functions(model, table)
    if not loss.squared:
        return by_model
    (group,) = Ladder(model, [{}], table, visits=rows_to_read(folds)).groups
    scaled = isinstance(group.lead, PreparedLinear) and group.lead.scales_alone
    known = not group.reasons and (scaled or isinstance(group.lead, LinearInColumns))
    pairs = _gather_folds(group, folds) if known else None
    if pairs is None:
        return by_model
    return FoldCriterion(group.lead.model if scaled else group.lead, pairs, by_model.sizes, by_model.refit)


def _warn_of_functions(model: Any, table: ValidationTable) -> None:
    """Functions of the whole table belong to no subset but that of all columns."""
    basis = _basis_of(model)
    several = len(getattr(table.X, "shape", ())) == 2 and table.X.shape[1] > 1
    if basis is not None and several and any(isinstance(part, CustomBasis) for part in basis.parts):
        warn(
            "A function of CustomBasis may use every column, so it is left out of the model of any subset that lacks "
            "one. Make columns of the functions with BasisTransformer first, and select among those.",
            SufficeWarning,
        )


def _basis_of(model: Any) -> Any:
    """The functions that a linear model makes of the columns, if any."""
    return model.get_params(deep=False).get("basis") if isinstance(model, LinearInColumns) else None


def _gather_folds(group: CandidateGroup, folds: Folds) -> list[tuple[Triangle, Triangle]] | None:
    """Training and test statistics of each fold as the linear model sees them; None if they are too many."""
    if len(folds) * len(group.opened[1].shift) ** 2 > KEPT:
        return None
    out = []
    for i, (train, test) in enumerate(group.gatherer.pairs(folds)):
        if not train.n > 0:
            raise InvalidInput(f"Fold {i} trains on no rows with positive weight.")
        test = test if isinstance(test, Triangle) else test.as_triangle()
        columns = group.lead.steps.map(train) if isinstance(group.lead, PreparedLinear) else None
        if columns is not None:
            train, test = columns.of_statistics(train), columns.of_statistics(test)
        out.append((train, test))
    return out


class ModelCriterion:
    """Each subset cross-validated by the fastest level that its model has."""

    def __init__(self, model: Any, table: ValidationTable, folds: Folds, loss: Loss, n_jobs: int | None):
        self.model, self.table, self.folds, self.loss, self.n_jobs = model, table, folds, loss, n_jobs
        self.sizes = sizes_of_tests(table, folds)
        self._levels: set[str] = set()
        self._notes: dict[str, None] = {}
        self._found: list[Remark] = []

    @property
    def how(self) -> str:
        return slowest_level(self._levels)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self._notes, *summarize_remarks(self._found))

    def subset_losses(self, subsets: Sequence[Subset]) -> np.ndarray:
        """(n, K)"""
        return np.array([self._losses(s) for s in subsets])

    def _losses(self, subset: Subset) -> np.ndarray:
        model, table = self._on_columns(subset)
        try:
            with collect_remarks(self._found):
                ladder = Ladder(model, [{}], table, visits=rows_to_read(self.folds), n_jobs=self.n_jobs)
                scores = ladder.scores(self.folds, self.loss, train=False)
        except Exception as error:
            error.add_note(f"This happened with the columns {subset} of the table, counted from 0.")
            raise
        if subset:
            self._levels.add(scores.how)
            where = f"columns {subset}: " if np.isnan(scores.test).any() else ""
            self._notes |= dict.fromkeys(where + note for note in scores.notes)
        return scores.test[0]

    def refit(self, subset: Subset, fold: int) -> float:
        """The mean loss on the test rows of one fold, of a fit to its training rows."""
        model, table = self._on_columns(subset)
        return mean_loss(table.fit(model, self.folds.train(fold)), table, self.folds.test(fold), self.loss)

    def _on_columns(self, subset: Subset) -> tuple[Any, ValidationTable]:
        """The model and the table for a subset: a basis is restricted, any other model sees fewer columns."""
        if not subset:
            constant = constant_model(self.model, self.loss)
            return constant, replace(self.table, X=np.zeros((len(self.table), 1))).for_baseline(constant)
        basis = _basis_of(self.model)
        if basis is not None:
            return clone(self.model).set_params(basis=Restricted(basis, subset)), self.table
        return self.model, replace(self.table, X=pick_columns(self.table.X, subset))
