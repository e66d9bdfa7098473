"""How sure the weights of the chosen model are: its own intervals, and where these would say too much.

dropped     a weight that the model set to zero for good has no interval, rather than one of no width
counts      with more scatter than a Poisson law has, errors grow by the root of Pearson's dispersion X² / (n − p)
groups      rows of one group are alike: least squares counts the groups, other models state no intervals
penalty     pulls weights towards zero; where that matters it is said that standard errors leave out the bias
separation  classes told apart without an error leave weights to the prior (`separation.py`)
number      of m weights, one counts as clear if its interval at confidence 1 − (1 − c) / m excludes zero
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import stdtrit

from suffice._core.records import record
from suffice.glm import (
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
    ProbitRegression,
)
from suffice.linear import LinearRegression
from suffice.study.models import Candidate
from suffice.study.models.negative_binomial import NegativeBinomialRegression
from suffice.study.numbers import number, percent
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Estimates
from suffice.study.steps.clusters import FEWEST, least_squares_errors
from suffice.study.steps.effects import effects_of, name_terms
from suffice.study.steps.separation import separation

SCATTERED = 1.2
PULLED = 0.05  # a share taken off a weight that is worth a word
PENALIZED = (LogisticRegression, ProbitRegression, PoissonRegression)


@record
class Certainty:
    """Weights at the level of the study, the same at a level corrected for their number, figures and remarks.

    `doubt` says why there are no intervals; it is empty where there are.
    """

    weights: Estimates
    strict: Estimates
    facts: dict[str, float]
    sentences: tuple[str, ...] = ()
    doubt: str = ""


def certainty(candidate: Candidate, model: Any, problem: Problem, options: Options) -> Certainty | None:
    """The weights of a fitted model and how sure they are; None for a model without weights."""
    many = _number(candidate.estimates(model, problem.names, options.confidence))
    levels = (options.confidence, 1 - (1 - options.confidence) / max(many, 1))
    own = [candidate.estimates(model, problem.names, level) for level in levels]
    if own[0] is None or own[1] is None:
        return None
    plain, strict = (_dropped(name_terms(w, problem)) for w in own if w is not None)
    facts = _dispersion(model, problem)
    if not np.isfinite(plain.low).any():
        return Certainty(plain, strict, facts, (), "This model states no uncertainty for its weights.")
    if problem.groups is not None:
        return _grouped(plain, strict, model, problem, options, levels, facts)
    beware = (*_penalized(plain, model, problem), *separation(model, problem))
    scatter = facts.get("Dispersion", 1.0)
    if scatter <= SCATTERED:
        return Certainty(plain, strict, facts, (*_scatter_known(model), *beware))
    grown = np.sqrt(scatter)
    sentence = (
        f"The counts vary {number(scatter)} times as much as a Poisson model allows; its standard errors are too small "
        f"by a factor of {number(grown)}, so the standard errors and intervals shown are so many times as wide."
    )
    return Certainty(_widened(plain, grown), _widened(strict, grown), facts, (sentence, *beware))


def _number(weights: Estimates | None) -> int:
    """How many weights there are beside the intercepts; dropped ones count, for it was the rows that dropped them."""
    return 0 if weights is None else sum(term != "intercept" for term in weights.term)


def _dropped(w: Estimates) -> Estimates:
    """Without intervals of no width: a weight that was set to zero."""
    gone = (w.estimate == 0) & (w.std_error == 0)
    std_error, low, high = (np.where(gone, np.nan, v) for v in (w.std_error, w.low, w.high))
    return replace(w, std_error=std_error, low=low, high=high)


# -- counts ----------------------------------------------------------------------------------------------------
def _dispersion(model: Any, problem: Problem) -> dict[str, float]:
    """Pearson's, of a Poisson model; weights say how often a row counts."""
    if not isinstance(model, PoissonRegression | BayesianPoissonRegression) or problem.task.name != "counts":
        return {}
    w = problem.weights
    mean = np.asarray(model.predict(problem.Z), dtype=float)
    left = float(w.sum()) - 1 - problem.Z.shape[1]
    if left <= 0 or not np.all(mean > 0):
        return {}
    return {"Dispersion": float(w @ ((problem.y - mean) ** 2 / mean)) / left}


def _scatter_known(model: Any) -> tuple[str, ...]:
    """That a negative binomial model has the scatter of the counts in its standard errors."""
    if not isinstance(model, NegativeBinomialRegression):
        return ()
    return (
        f"The model has found the scatter of the counts (variance = mean + {number(model.dispersion_)} · mean²); its "
        "standard errors include it.",
    )


def _widened(w: Estimates, factor: float) -> Estimates:
    low, high = (w.estimate + factor * (end - w.estimate) for end in (w.low, w.high))
    return replace(w, std_error=factor * w.std_error, low=low, high=high)


# -- penalties -------------------------------------------------------------------------------------------------
def _penalized(w: Estimates, model: Any, problem: Problem) -> tuple[str, ...]:
    """How much a penalty pulls at weights: it takes the share α σ² off that of a standardized column."""
    alpha = getattr(model, "prior_precision", 0.0)
    if not isinstance(model, PENALIZED) or isinstance(alpha, str) or not alpha > 0:
        return ()
    found = effects_of(w, problem)
    if found is None:
        return ()
    share = float(np.nanmax(alpha * found.std_error**2, initial=0.0))
    if share < PULLED:
        return ()
    return (
        f"The penalty pulls weights towards zero, by up to {percent(min(share, 1.0))}; standard errors of a penalized "
        "model leave out the bias that this brings.",
    )


# -- groups ----------------------------------------------------------------------------------------------------
def _grouped(
    plain: Estimates,
    strict: Estimates,
    model: Any,
    problem: Problem,
    options: Options,
    levels: tuple[float, float],
    facts: dict[str, float],
) -> Certainty:
    found = _robust(model, problem)
    if found is None:
        unknown = np.full(len(plain.term), np.nan)
        none, few = replace(plain, std_error=unknown, low=unknown, high=unknown), ""
        if isinstance(model, LinearRegression):
            few = f" Intervals that count groups need at least {FEWEST} of them, and two for every weight."
        doubt = f"{problem.alike} are alike, so the intervals of this model would be too narrow: none are shown.{few}"
        return Certainty(none, none, facts, (), doubt)
    error, dof = found
    at = [_student_intervals(plain, error, dof, level) for level in levels]
    sentence = f"{problem.alike} are alike, so the intervals of the weights count groups, not rows."
    return Certainty(at[0], at[1], facts, (sentence,))


def _robust(model: Any, problem: Problem) -> tuple[np.ndarray, int] | None:
    if not isinstance(model, LinearRegression):
        return None
    w = problem.weights
    residual = problem.y - np.asarray(model.predict(problem.Z))
    return least_squares_errors(problem.Z, residual, w, np.asarray(problem.groups))


def _student_intervals(w: Estimates, error: np.ndarray, dof: int, level: float) -> Estimates:
    """Student-t intervals with these errors."""
    reach = float(stdtrit(dof, 0.5 + level / 2)) * error
    return replace(w, std_error=error, low=w.estimate - reach, high=w.estimate + reach)
