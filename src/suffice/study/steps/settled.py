"""A model with everything decided that a study has found out already, so that fitting it again is quick."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from suffice.study.reading.problem import Problem
from suffice.study.steps.validate import Trial, collect_notes


def most_chosen(t: Trial) -> dict[str, Any]:
    """The parameters that the outer folds chose most often, the first of equals."""
    return max(t.chosen, key=lambda params: sum(params == other for other in t.chosen))


def prior_name(t: Trial) -> str | None:
    """The parameter that a prior or a penalty hangs on."""
    return None if t.candidate.study is None else t.candidate.study.prior


def searches(t: Trial, problem: Problem) -> bool:
    """Whether every fit looks for the weight of its prior by passes over the rows, which takes long."""
    name = prior_name(t)
    value = None if name is None else t.candidate.tried(problem).get_params().get(name)
    return isinstance(value, str) and t.validation.how == "refit"


def prior_value(t: Trial, problem: Problem, params: dict[str, Any] | None = None) -> float | None:
    """The weight of the prior or penalty: as in `params`, as set, or as found from all rows; None without one.

    Without `params` it is as most outer folds chose.
    """
    name = prior_name(t)
    model = t.candidate.tried(problem).set_params(**(most_chosen(t) if params is None else params))
    if name is None or name not in model.get_params():
        return None
    value = model.get_params()[name]
    if isinstance(value, str):  # "evidence": the fit finds it
        weight = {} if problem.weight is None else {"sample_weight": problem.weight}
        fitted, _ = collect_notes(lambda: clone(model).fit(problem.Z, problem.y, **weight))
        value = getattr(fitted, f"{name}_")
    return float(value) if np.ndim(value) == 0 and np.isfinite(value) and value > 0 else None


def fix_parameters(t: Trial, problem: Problem, params: dict[str, Any] | None = None) -> Any:
    """The estimator with these parameters, or the usual ones; a prior that each fit would look for is as found.

    A covariance of weights that is computed only to be reported is left out: nobody reads these fits.
    """
    model = t.candidate.tried(problem).set_params(**(most_chosen(t) if params is None else params))
    if problem.is_classification and model.get_params().get("covariance", "none to leave out") is None:
        model.set_params(covariance=False)
    name = prior_name(t)
    found = prior_value(t, problem) if name is not None and searches(t, problem) else None
    return model if name is None or found is None else model.set_params(**{name: found})
