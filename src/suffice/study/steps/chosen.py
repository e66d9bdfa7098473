"""The best model on all rows: its parameters, its weights, and what it needs of each column."""

from __future__ import annotations

import numpy as np

from suffice._core.errors import SufficeError
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Chosen
from suffice.study.steps.validate import Trial, choose, digest, told, watched
from suffice.study.table_model import TableModel


def chosen_section(t: Trial, problem: Problem, options: Options) -> tuple[TableModel, Chosen]:
    """The winner fitted to all rows, and what it says about them."""
    c = t.candidate
    model, params, first = choose(c, problem, options)
    weight = {} if problem.weight is None else {"sample_weight": problem.weight}
    model, notes = watched(lambda: model.fit(problem.Z, problem.y, **weight))
    notes = digest((*first, *notes))
    try:
        weights = c.estimates(model, problem.names, options.confidence)
    except SufficeError as error:
        weights, notes = None, (*notes, f"No weights with intervals: {told(error)}")
    effects = None
    if weights is not None and len(weights.term) == 1 + problem.Z.shape[1]:
        effects = weights.effects(np.std(problem.Z, axis=0))
    section = Chosen(
        c.name,
        c.title,
        repr(model),
        params,
        problem.n,
        {name: float(value) for name, value in c.facts(model).items()},
        weights,
        effects,
        None,
        options.confidence,
        notes,
        (),
    )
    return TableModel(problem.encoder, model, problem.target, problem.task.name, c.name, c.title), section
