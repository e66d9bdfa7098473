"""Level 3, warm: refits of every fold and every value of a parameter, sharing work, each starting near its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice.engine import parallel
from suffice.evaluation._levels.failures import Failure, attempt
from suffice.evaluation._levels.groups import CandidateGroup, CandidateLine
from suffice.evaluation._levels.predictions import losses_of, predict_held_out, weighted_mean
from suffice.evaluation._levels.question import Answered, FoldLosses, Question
from suffice.evaluation._levels.routing import keeps_weights_out
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.evaluation.protocols import RefitsTogether
from suffice.statistics.folds import Folds, Partition


def why_not_warm(model: Any, table: ValidationTable) -> str | None:
    """None where refits share their work, else the reason."""
    if not isinstance(model, RefitsTogether):
        return f"{type(model).__name__} is fitted from scratch"
    if table.params:
        return "fit has further arguments"
    return why_not_weighted(model, table) or model.why_not_together()


def why_not_weighted(model: Any, table: ValidationTable) -> str | None:
    """None where weights, if there are any, reach the model, else the reason."""
    return None if table.weight is None else keeps_weights_out(model)


class WarmRefitLevel:
    """Answers for models with an iteration that may start anywhere."""

    def why_not(self, group: CandidateGroup, asked: Question) -> str | None:
        return None if group.warm else "its refits share no work"

    def predictions(self, group: CandidateGroup, asked: Question, chosen: Mapping[int, int]) -> Answered:
        table, folds, model = asked.table, asked.folds, group.lead
        fits = warm_fits(model, group.opened, table, folds)[0]
        held = [
            predict_held_out(_given(fits[i]), table, folds, asked.loss, i, asked.where(chosen[i], i))
            for i in chosen
        ]
        return Answered("warm refit", group.reasons, held)

    def losses(self, group: CandidateGroup, asked: Question, out: FoldLosses) -> Answered:
        table, folds = _tested_rows(asked.table, asked.folds)
        asked = replace(asked, table=table, folds=folds)
        for line in group.lines:
            _line_losses(line, asked, out)
        return Answered("warm refit")


def _tested_rows(table: ValidationTable, folds: Folds) -> tuple[ValidationTable, Folds]:
    """Folds of some of the rows, as inner layers have them, as folds of a table of these rows and no others."""
    if not isinstance(folds, Partition) or folds.rows == len(table):
        return table, folds
    rows = np.sort(folds.order)
    weight = None if table.weight is None else table.weight[rows]
    part = ValidationTable(table.inputs(rows), table.targets(rows), weight, table.params)
    return part, Partition(np.searchsorted(rows, folds.order), folds.starts)


def _line_losses(line: CandidateLine, asked: Question, out: FoldLosses) -> None:
    """The fits of a line share their work; each is judged by itself."""
    table, folds = asked.table, asked.folds
    opened = attempt(lambda: line.model.door(table.X, table.y, table.weight), asked.where(line.numbers[0]))
    told = not asked.train and asked.scorer is None and asked.loss.modest and not isinstance(opened, Failure)
    left = _from_distributions(line, opened, asked, out) if told else line
    if not left.numbers:
        return
    fits = opened if isinstance(opened, Failure) else _line_fits(left, opened, asked)
    if isinstance(fits, Failure):
        out.failures += [fits] * (len(left.numbers) * len(folds))
    else:
        _enter_fits(fits, left, asked, out)


def _line_fits(line: CandidateLine, opened: tuple[Any, Any], asked: Question) -> Any:
    def work() -> list[list[Any]]:
        return warm_fits(line.model, opened, asked.table, asked.folds, line.parameter, line.values)

    return attempt(work, asked.where(line.numbers[0]))


def _enter_fits(fits: list[list[Any]], line: CandidateLine, asked: Question, out: FoldLosses) -> None:
    table, folds = asked.table, asked.folds
    tasks = [(j, i) for j in range(len(line.numbers)) for i in range(len(folds))]
    whole = asked.train and asked.scorer is None and isinstance(folds, Partition)  # all rows are asked about

    def judged(task: tuple[int, int]) -> Any:
        j, i = task

        def work() -> tuple[float, float]:
            fitted, train, test = _given(fits[j][i])(), folds.train(i), folds.test(i)
            if whole:
                losses = losses_of(fitted, table, slice(None), asked.loss)
                means = [weighted_mean(losses[rows], table.weights(rows)) for rows in (train, test)]
                return means[0], means[1]
            return (asked.measure(fitted, train) if asked.train else np.nan), asked.measure(fitted, test)

        return attempt(work, asked.where(line.numbers[j], i))

    for (j, i), answer in zip(tasks, parallel(judged, tasks), strict=True):
        out.enter(line.numbers[j], i, answer)


def _from_distributions(line: CandidateLine, opened: Any, asked: Question, out: FoldLosses) -> CandidateLine:
    """Test losses of values whose refits tell them all at once; what is left of the line."""
    table, folds, loss = asked.table, asked.folds, asked.loss

    def find() -> Any:
        return line.model.refit_distributions(*opened, folds, line.parameter, line.values)

    found = attempt(find, asked.where(line.numbers[0]))
    if isinstance(found, Failure):
        return line
    y, w, left = table.targets(slice(None)), table.weights(slice(None)), []
    tests = [folds.test(i) for i in range(len(folds))]
    for j, distribution in enumerate(found or [None] * len(line.values)):
        if distribution is None:
            left.append(j)
            continue
        losses = loss(y, distribution if loss.needs == "predict_dist" else decision_of(distribution))
        counted = np.where(w > 0, losses, 0.0) * w
        out.test[line.numbers[j]] = [counted[t].sum() / w[t].sum() for t in tests]
    return CandidateLine(
        line.model, [line.numbers[j] for j in left], line.parameter, tuple(line.values[j] for j in left)
    )


def warm_fits(
    model: Any,
    opened: tuple[Any, Any],
    table: ValidationTable,
    folds: Folds,
    parameter: str | None = None,
    values: Sequence[Any] = (None,),
) -> list[list[Any]]:
    """A fitted model, or the error it met, for every value (rows) and fold (columns)."""
    fits = model.refits(*opened, folds, parameter, values)
    for value, line in zip(values, fits, strict=True):
        single = model if parameter is None else clone(model).set_params(**{parameter: value})
        for i, fitted in enumerate(line):
            if fitted is None:  # another problem than that of all rows: a class is missing
                line[i] = _fitted(single, table, folds.train(i))
    return fits


def decision_of(distribution: Any) -> Any:
    """What is predicted: the most probable class, or the mean."""
    return distribution.mode if hasattr(distribution, "probabilities") else distribution.mean


def _fitted(model: Any, table: ValidationTable, rows: Any) -> Any:
    try:
        return table.fit(model, rows)
    except Exception as error:  # raised again, and reported, where the fold is asked
        return error


def _given(fitted: Any) -> Callable[[], Any]:
    """Hands out the model; the error it met is raised there."""

    def give() -> Any:
        if isinstance(fitted, Exception):
            raise fitted
        return fitted

    return give
