"""The best model on all rows: its parameters, its weights, and what it needs of each column."""

from __future__ import annotations

from typing import Any

from suffice._core.errors import SufficeError
from suffice.study.models.shares import is_share
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.reading.target_range import target_range
from suffice.study.reading.trials import trials_of
from suffice.study.sections import Chosen, EffectCurve, Estimates, Importances
from suffice.study.steps.certainty import certainty
from suffice.study.steps.effect_curves import effect_curves, strongest
from suffice.study.steps.effects import UNSURE, effect_on, effect_sentences, effects_of, link_of
from suffice.study.steps.importances import importances_of
from suffice.study.steps.validate import Trial, choose, collect_notes, describe_error, merge_notes
from suffice.study.steps.widening import range_sentence, widened, widening_sentence
from suffice.study.table_model import TableModel


def chosen_section(t: Trial, problem: Problem, options: Options) -> tuple[TableModel, Chosen]:
    """The winner fitted to all rows, and what it says about them."""
    c = t.candidate
    model, params, first = choose(c, problem, options)
    weight = {} if problem.weight is None else {"sample_weight": problem.weight}
    model, notes = collect_notes(lambda: model.fit(problem.Z, problem.y, **weight), problem.names)
    notes = merge_notes((*first, *notes))
    try:
        sure = certainty(c, model, problem, options)
    except SufficeError as error:
        sure, notes = None, (*notes, f"No weights with intervals: {describe_error(error, problem.names)}")
    weights = None if sure is None else sure.weights
    effects = None if weights is None else effects_of(weights, problem)
    importances, more = _importances(t, problem, options, effects)
    link = link_of(model, problem)
    sentences: tuple[str, ...] = ()
    if c.kind == "baseline":
        sentences = (_nothing_better(problem),)
    elif sure is not None and weights is not None and effects is not None:
        strict = effects_of(sure.strict, problem)
        doubt = sure.doubt or UNSURE
        sentences = effect_sentences(weights, effects, link, problem, options.confidence, strict, doubt)
        sentences = (*sentences, *sure.sentences)
    if importances is not None:
        sentences = (*sentences, importances.sentence)
    widen = widened(t, model, problem)
    within = target_range(problem.y, problem.task.name, problem.target)
    sentences = (
        *sentences,
        *widening_sentence(widen),
        *range_sentence(model, problem, within),
        *_trials(problem),
    )
    section = Chosen(
        c.name,
        c.title,
        repr(model),
        params,
        problem.n,
        {name: float(value) for name, value in c.facts(model).items()} | ({} if sure is None else sure.facts),
        weights,
        effects,
        importances,
        options.confidence,
        (*notes, *more),
        sentences,
        "" if effects is None else effect_on(link, problem),
        _drivers(model, problem, importances, weights, link, options),
    )
    task = problem.task.name
    rule = None if problem.series is None else problem.series.rule
    made = TableModel(problem.encoder, model, problem.target, task, c.name, c.title, widen, within, rule)
    return made, section


def _importances(
    t: Trial, problem: Problem, options: Options, effects: Estimates | None
) -> tuple[Importances | None, tuple[str, ...]]:
    """None for the baseline, which looks at no column; else what shuffling says, or why it cannot be said."""
    if t.candidate.kind == "baseline":
        return None, ()
    try:
        found, _ = collect_notes(lambda: importances_of(t, problem, options, effects))
    except (SufficeError, ValueError, ArithmeticError) as error:
        return None, (f"Columns could not be shuffled one by one: {describe_error(error, problem.names)}",)
    return found, ()


def _trials(problem: Problem) -> tuple[str, ...]:
    """That the target is a share of trials whose number is in a column."""
    j = trials_of(problem.y, problem.Z) if is_share(problem) else None
    if j is None:
        return ()
    return (
        f"{problem.target} times {problem.names[j]!r} is a whole number in every row, so it is a share of so many "
        "trials: shares of few trials scatter more, and the logistic regression of the share counts rows by them.",
    )


def _drivers(
    model: Any,
    problem: Problem,
    importances: Importances | None,
    weights: Estimates | None,
    link: str,
    options: Options,
) -> tuple[EffectCurve, ...]:
    """How the prediction changes with the columns that it needs most."""
    names = strongest(importances)
    found, _ = collect_notes(lambda: effect_curves(model, problem, names, weights, link, options.seed))
    return found


def _nothing_better(problem: Problem) -> str:
    what = "the class frequencies" if problem.is_classification else "the mean"
    return (
        f"No model had a lower loss than {what} alone, so every row gets the same prediction and no column of the "
        "table has a part in it."
    )
