"""Weights in words: what goes with a step of one standard deviation, as far as the rows tell."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.prepare.transforming._column_codes import LevelsCode
from suffice.study.numbers import list_names, number, percent, span, within
from suffice.study.reading.problem import Problem
from suffice.study.sections import Estimates

LINKS = {
    "LogisticRegression": "logit",
    "BayesianLogisticRegression": "logit",
    "ProbitRegression": "probit",
    "PoissonRegression": "log",
    "BayesianPoissonRegression": "log",
    "BoundedPoissonRegression": "log",
    "BoundedBayesianPoissonRegression": "log",
    "NegativeBinomialRegression": "log",
    "LogScale": "log",
    "ShareRegression": "log odds",
}
TOLD, NAMED = 3, 5
UNSURE = "This model states no uncertainty for its weights."
CAUTION = (
    "These are associations among the rows of this table, with the other columns the same. They do not say what would "
    "happen if somebody changed a column."
)


def link_of(model: Any, problem: Problem) -> str:
    """What the weights add up to: the target itself, or its log odds, probit or logarithm; "" if that is not known."""
    straight = "" if problem.is_classification or type(model).__name__ == "GLM" else "identity"
    return LINKS.get(type(model).__name__, straight)


def name_terms(weights: Estimates, problem: Problem) -> Estimates:
    """The weights under the names of the encoded columns; several sets by the class they belong to."""
    terms = ("intercept", *problem.names)
    sets, rest = divmod(len(weights.term), len(terms))
    if rest or not sets:
        return weights
    labels = problem.labels if sets == len(problem.labels) else range(1, sets + 1)
    group = tuple(str(label) for label in labels for _ in terms) if sets > 1 else ()
    columns = (weights.estimate, weights.std_error, weights.low, weights.high)
    return Estimates(terms * sets, *columns, group)


def effects_of(weights: Estimates, problem: Problem) -> Estimates | None:
    """The weights for steps of one standard deviation; None where they are not those of the columns."""
    if len(weights.term) % (1 + problem.Z.shape[1]):
        return None
    mean = np.average(problem.Z, axis=0, weights=problem.weight)
    return weights.effects(np.sqrt(np.average((problem.Z - mean) ** 2, axis=0, weights=problem.weight)))


def effect_on(link: str, problem: Problem) -> str:
    """What the effects are added to."""
    y, sets = problem.target, problem.labels
    what = f"{y} = {sets[-1]}" if len(sets) == 2 else "each class against the average class"
    return {
        "identity": y,
        "log": f"the logarithm of the expected {y}",
        "logit": f"the log odds of {what}",
        "log odds": f"the log odds of {y}",
        "probit": f"the probit of {what}",
    }.get(link, "the linear part of the model")


# -- sentences -------------------------------------------------------------------------------------------------
def effect_sentences(
    weights: Estimates,
    effects: Estimates,
    link: str,
    problem: Problem,
    confidence: float,
    strict: Estimates | None = None,
    doubt: str = UNSURE,
) -> tuple[str, ...]:
    """The largest effects that are clear, and what they do not mean.

    An effect is clear if its interval in `strict`, at a level corrected for the number of weights, excludes zero.
    Where no effect has an interval, `doubt` says why.
    """
    strict = effects if strict is None else strict
    stated, many = bool(np.isfinite(effects.low).any()), len(effects.term)
    clear = (strict.low > 0) | (strict.high < 0) if stated else effects.estimate != 0
    dropped = _dropped(effects)
    if not clear.any():
        each = f"every {percent(confidence)} interval of a weight includes zero"
        if many > 1:
            each += f", at a level corrected for the number of weights ({many})"
        return (f"No weight stands out: {each if stated else 'all are zero'}.", *dropped)
    order = np.argsort(-np.abs(np.where(clear, effects.estimate, 0.0)), kind="stable")
    top = [int(i) for i in order[: min(TOLD, int(clear.sum()))]]
    sentences = [_one(i, weights, effects, link, problem, confidence if stated else None) for i in top]
    chosen: tuple[str, ...] = ()
    if not stated:
        chosen = (doubt,)
    elif many > 1:
        rest = int(clear.sum()) - len(top)
        more = f"; so does that of {rest} more" if rest else ""
        these = "This is the largest effect" if len(top) == 1 else "These are the largest effects"
        chosen = (
            f"{these} whose interval excludes zero at a level corrected for the number of weights ({many}){more}.",
        )
    return (*sentences, *chosen, *dropped, CAUTION)


def _dropped(effects: Estimates) -> tuple[str, ...]:
    """Columns that the model does without; of several sets of weights, those without a weight in any."""
    used = {t for t, value in zip(effects.term, effects.estimate, strict=True) if value != 0}
    gone = [repr(t) for t in dict.fromkeys(effects.term) if t not in used]
    if not gone or not used:
        return ()
    return (
        f"The model dropped {list_names(gone, NAMED)}: weight zero, which does not prove that they do not matter.",
    )


def _compared_with(column: int, problem: Problem) -> str:
    """The level that a column of zeros and ones is counted from; "" where there are only two."""
    at = 0
    for code in problem.encoder.state_:
        if at <= column < at + len(code.names):
            return f"{code.name} = {code.reference}" if isinstance(code, LevelsCode) else ""
        at += len(code.names)
    return ""


def _one(
    i: int, weights: Estimates, effects: Estimates, link: str, problem: Problem, confidence: float | None
) -> str:
    d = problem.Z.shape[1]
    column, group = i % d, i // d
    flag = bool(np.isin(problem.Z[:, column], (0.0, 1.0)).all())
    source, j = (weights, group * (d + 1) + column + 1) if flag else (effects, i)
    value, ends = float(source.estimate[j]), (float(source.low[j]), float(source.high[j]))
    name = effects.term[i]
    size = _size(value, ends, link, effects.group[i] if effects.group else "", problem, confidence)
    if flag:
        other = _compared_with(column, problem)
        return f"Where {name!r} holds, {size}{f', compared with {other!r}' if other else ''}, all else being equal."
    return f"With {name!r} higher by one standard deviation, {size}, all else being equal."


def _size(
    value: float, ends: tuple[float, float], link: str, group: str, problem: Problem, confidence: float | None
) -> str:
    """How much more, or how many times as much, with its interval where there is one."""
    y = problem.target
    if link in ("log", "logit", "log odds"):
        with np.errstate(over="ignore"):
            value, ends = float(np.exp(value)), (float(np.exp(ends[0])), float(np.exp(ends[1])))
    sure = "" if confidence is None else f" ({percent(confidence)} interval {span(ends)})"
    size = number(value) if confidence is None else within(value, ends)
    if link == "logit":
        against = f"{group!r} against the average class" if group else f"{problem.labels[-1]!r}"
        return f"the odds of {against} are {size} times as large{sure}"
    if link == "log odds":
        return f"the odds of {y} (share to rest) are {size} times as large{sure}"
    if link == "log":
        return f"the expected {y} is {size} times as large{sure}"
    if link == "identity":
        side, turned = ("higher", ends) if value > 0 else ("lower", (-ends[1], -ends[0]))
        sure = "" if confidence is None else f" ({percent(confidence)} interval {span(turned)})"
        size = number(abs(value)) if confidence is None else within(abs(value), turned)
        return f"{y} is {side} by {size}{sure}"
    return f"{effect_on(link, problem)} changes by {size}{sure}"
