"""Level 2: one fit to all rows says what each row would be predicted without its fold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import NumericalError
from suffice.distributions import Categorical
from suffice.evaluation._levels.groups import CandidateGroup
from suffice.evaluation._levels.predictions import HeldOutFolds, predict_fold
from suffice.evaluation._levels.question import Answered, FoldLosses, Question
from suffice.evaluation._levels.refit_level import predict_refitted, refit_fold
from suffice.evaluation._levels.statistics_level import StatisticsLevel
from suffice.evaluation.protocols import HoldsOutLabels, offers
from suffice.statistics.folds import Partition

FEW_ALONE = 0.2  # share of rows up to which those without a closed form are refitted one by one
ALONE = "its rows determine a direction alone"
LAST = "its row is the last of its kind, or determines a direction alone"


class ClosedFormLevel:
    """Answers where the fit is a linear function of the targets and folds are small."""

    def why_not(self, group: CandidateGroup, asked: Question) -> str | None:
        reason = StatisticsLevel().why_not(group, asked)
        if reason is not None:
            return reason
        if asked.scorer is not None or (asked.train and not asked.loss.squared):
            return "fitted models are asked for"
        return group.why_not_held_out(asked.folds)

    def losses(self, group: CandidateGroup, asked: Question, out: FoldLosses) -> Answered:
        """One fit per candidate answers for all folds; those it cannot are solved from their rows."""
        folds: Any = asked.folds
        rows, plan = group.opened
        local = Partition.of_sizes(folds.sizes)  # the rows in the order of the folds, some perhaps twice
        reading = group.lead.reading(rows[folds.between(0, len(folds))], plan)
        w = asked.table.weights(folds.order)
        again: dict[int, None] = {}
        for line in group.lines:
            for number, model in zip(line.numbers, line.members, strict=True):
                left = model.left_out(reading, local)
                weighted = np.add.reduceat(
                    w * _row_losses(model, left, folds.order, asked), local.starts[:-1]
                )
                out.test[number] = weighted / np.add.reduceat(w, local.starts[:-1])
                out.train[number] = left.sse.mean(axis=1) / left.n
                for i in np.flatnonzero(left.alone).tolist():
                    again[i] = None
                    out.enter(number, i, refit_fold(asked, number, i))
        return _answered(list(again), ALONE)

    def predictions(
        self, group: CandidateGroup, asked: Question, chosen: Mapping[int, int]
    ) -> Answered | None:
        table, folds, (model,) = asked.table, asked.folds, group.lines[0].members
        left = model.left_out(model.reading(*group.opened), folds)
        single = np.ndim(table.y) == 1
        notes: tuple[str, ...] = ()
        distribution = None
        try:
            distribution = model.left_out_dist(left, single)
        except NumericalError as error:
            if asked.loss.needs == "predict_dist":
                raise
            notes = (f"no predictive distributions: {error}",)
        predictions = left.predictions[:, 0] if single else left.predictions
        told = np.flatnonzero(~left.alone[left.fold])
        part = None if distribution is None else distribution[told]
        held = [HeldOutFolds(told, left.fold[told], predictions[told], None, part)]
        again = np.flatnonzero(left.alone).tolist()
        for i in again:
            fitted = table.fit(asked.grid[chosen[i]], folds.train(i))
            held.append(predict_fold(fitted, table, folds.test(i), asked.loss, i))
        return _answered(again, ALONE, notes, held)


class LabelsClosedFormLevel:
    """Answers for single rows of classifiers that leave them out of one fit."""

    def why_not(self, group: CandidateGroup, asked: Question) -> str | None:
        if group.reasons:
            return group.reasons[0]
        model, folds = group.lead, asked.folds
        if not isinstance(folds, Partition) or folds.rows != len(group.opened[0]):
            return "the folds do not test every row once"
        if not offers(model, HoldsOutLabels):
            return "the model has no closed form"
        if not model.left_out_pays(folds, group.opened[1]):
            return "statistics answer faster for folds of this size"
        return model.why_not_held_out(folds)

    def predictions(
        self, group: CandidateGroup, asked: Question, chosen: Mapping[int, int]
    ) -> Answered | None:
        folds: Any = asked.folds
        rows, plan = group.opened
        logs, alone = group.lead.left_out_labels(rows, plan)
        if np.mean(alone) > FEW_ALONE:
            return None
        fold = folds_of_rows(folds)
        told = np.flatnonzero(~alone)
        dist = Categorical(np.exp(logs[told]), plan.classes, logs[told])
        held = [HeldOutFolds(told, fold[told], dist.mode, dist.probabilities, dist)] if len(told) else []
        again = sorted(fold[alone].tolist())
        held += [predict_refitted(asked, chosen[i], i) for i in again]
        return _answered(again, LAST, (), held)


def folds_of_rows(folds: Any) -> np.ndarray:
    """The fold of every row where each fold is one row."""
    fold = np.empty(len(folds.order), dtype=np.intp)
    fold[folds.order] = np.arange(len(folds))
    return fold


def _answered(
    again: list[int], why: str, notes: tuple[str, ...] = (), held: list[HeldOutFolds] | None = None
) -> Answered:
    """In closed form, unless folds were fitted again."""
    notes += tuple(f"fold {i} was refitted: {why}" for i in again)
    return Answered("refit" if again else "closed form", notes, held or [])


def _row_losses(model: Any, left: Any, rows: np.ndarray, asked: Question) -> np.ndarray:
    y, single = asked.table.targets(rows), np.ndim(asked.table.y) == 1
    if asked.loss.needs == "predict_dist":
        return asked.loss(y, model.left_out_dist(left, single))
    return asked.loss(y, left.predictions[:, 0] if single else left.predictions, rows)
