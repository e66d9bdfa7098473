"""How the chosen model did on rows it had not seen: numbers, their intervals and their errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import SufficeError
from suffice._core.proportions import jeffreys
from suffice._core.random import streams
from suffice.evaluation import pit, uniformity
from suffice.evaluation.findings import Finding
from suffice.study.numbers import number, percent
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.reading.target_range import target_range
from suffice.study.sections import Classes, Interval, LargestError, PredictiveChecks
from suffice.study.steps import words
from suffice.study.steps.classes import classes_section
from suffice.study.steps.clusters import share_interval
from suffice.study.steps.deciles import deciles
from suffice.study.steps.validate import Trial, tested_rows
from suffice.study.steps.zeros import describe_zeros

BINS, WORST = 10, 5
LEVEL_OF_TEST = 0.01  # a PIT of many rows finds every flaw; what is told should not be chance


def predictive_section(t: Trial, problem: Problem, options: Options) -> PredictiveChecks | Classes:
    """Of numbers: intervals and errors. Of classes: the confusion matrix and what the probabilities are worth."""
    return (
        classes_section(t, problem, options) if problem.is_classification else _numbers(t, problem, options)
    )


def held_out(t: Trial, problem: Problem) -> list[tuple[np.ndarray, Any]]:
    """Tested rows and the distributions predicted for them: of all at once, or fold by fold; empty without any."""
    d = t.validation.distributions
    if d is None:
        return []
    if isinstance(d, list | tuple):
        return [(test, one) for (_, test), one in zip(problem.splits, d, strict=True) if one is not None]
    rows = tested_rows(t.layers)
    return [(rows, d[rows])]


def _numbers(t: Trial, problem: Problem, options: Options) -> PredictiveChecks:
    rows = tested_rows(t.layers)
    w = problem.weights
    predicted = np.asarray(t.validation.predictions, dtype=float)
    error = problem.y - predicted
    parts = held_out(t, problem)
    low, high = interval_ends(parts, problem, options.confidence)
    stated = rows[np.isfinite(low[rows]) & np.isfinite(high[rows])]
    inside = (problem.y >= low) & (problem.y <= high)
    groups = None if problem.groups is None else problem.groups[stated]
    share, bounds, sentences = _coverage(inside[stated], w[stated], groups, options)
    if bounds is not None and bounds[0] > options.confidence and problem.task.name == "counts":
        sentences = (
            *sentences,
            "Counts jump, so an interval of them holds at least what it promises, and often more.",
        )
    counts, even = _pit(parts, problem, options)
    return PredictiveChecks(
        t.name,
        options.confidence,
        len(rows),
        int(inside[stated].sum()) if len(stated) else None,
        share,
        bounds,
        float(np.sqrt(np.average(error[rows] ** 2, weights=w[rows]))),
        float(np.abs(error[rows]).max()),
        counts,
        (
            *sentences,
            *describe_zeros(parts, problem, w),
            *([even] if even else []),
            _describe_errors(error[rows], w[rows]),
        ),
        even,
        _facts(error[rows], predicted[rows], problem.y[rows], w[rows]),
        _largest(error, predicted, low, high, rows, problem),
        deciles(
            predicted[rows], problem.y[rows], w[rows], problem.target, options.confidence,
            independent=problem.groups is None and options.time is None,
        ),
    )  # fmt: skip


# -- intervals ---------------------------------------------------------------------------------------------------
def interval_ends(
    parts: list[tuple[np.ndarray, Any]], problem: Problem, confidence: float
) -> tuple[np.ndarray, np.ndarray]:
    """The predictive interval of every row within the target's range, NaN where there is none."""
    low, high = np.full(problem.n, np.nan), np.full(problem.n, np.nan)
    within = target_range(problem.y, problem.task.name, problem.target)
    for rows, d in parts:
        a, b = d.interval(confidence)
        low[rows], high[rows] = np.broadcast_to(a, len(rows)), np.broadcast_to(b, len(rows))
    return within.clip(low), within.clip(high)


def _coverage(
    inside: np.ndarray, weight: np.ndarray, groups: np.ndarray | None, options: Options
) -> tuple[float | None, Interval | None, tuple[str, ...]]:
    """The share of rows in their interval, Jeffreys' interval for it (which counts groups), and both in words."""
    confidence = options.confidence
    if not len(inside):
        return None, None, ("This model states no predictive intervals here.",)
    hits, n = float(weight @ inside), float(weight.sum())
    if groups is None:
        low, high = jeffreys(hits, n, confidence)
        bounds: Interval | None = (float(low), float(high))
    else:
        bounds = share_interval(inside.astype(float), weight, groups, confidence)
    if bounds is None:
        sentence = f"{percent(hits / n, 1)} of the rows lie inside the {percent(confidence)} predictive interval made "
        return hits / n, None, (f"{sentence}without them; one group does not tell how sure that is.",)
    if np.all(weight == 1):
        return hits / n, bounds, (words.coverage_sentence(int(hits), int(n), confidence, bounds),)
    verdict = "fewer than" if bounds[1] < confidence else "more than" if bounds[0] > confidence else "what"
    sentence = (
        f"Counted by their weights, {percent(hits / n, 1)} of the rows lie inside the {percent(confidence)} predictive "
        f"interval made without them (plausible share {percent(bounds[0], 1)} to {percent(bounds[1], 1)}): {verdict} "
        "it promises."
    )
    return hits / n, bounds, (sentence,)


# -- the whole distribution ------------------------------------------------------------------------------------
def _pit(
    parts: list[tuple[np.ndarray, Any]], problem: Problem, options: Options
) -> tuple[tuple[float, ...], str]:
    """Weights of rows in equal bins of the probability integral transform, and whether they are even."""
    if not parts:
        return (), ""
    seeds = streams(options.seed, len(parts))
    try:
        u = [pit(problem.y[rows], d, rng) for (rows, d), rng in zip(parts, seeds, strict=True)]
    except SufficeError:
        return (), "Where in its predicted distribution each row fell cannot be said for this model."
    rows, values = np.concatenate([r for r, _ in parts]), np.clip(np.concatenate(u), 0.0, 1.0)
    weight = None if problem.weight is None else problem.weight[rows]
    counts = np.histogram(values, bins=BINS, range=(0.0, 1.0), weights=weight)[0]
    found = uniformity(values)
    if problem.groups is None:
        return tuple(float(c) for c in counts), _evenness(found, counts, len(values))
    sentence = (
        f"The largest distance from evenness in the predicted distributions is {number(found.estimate)}. "
        f"{problem.alike} are alike, so whether that is more than chance was not tested."
    )
    return tuple(float(c) for c in counts), sentence


def _evenness(found: Finding, counts: np.ndarray, n: int) -> str:
    """Whether the distributions hold what they promise, and if not, how they fail."""
    if n < BINS:
        return f"{n} rows are too few to tell whether the predicted distributions have the right shape."
    evidence = (
        f"largest distance from evenness {number(found.estimate)}, {words.chance(found.p_value or 0.0)}"
    )
    if found.p_value is None or found.p_value > LEVEL_OF_TEST:
        return f"The observed values fall evenly into their predicted distributions, as they should ({evidence})."
    share = counts / counts.sum()
    ends, middle = share[0] + share[-1], share[4] + share[5]
    slope = float(share[5:].sum() - share[:5].sum())
    if abs(slope) > abs(ends - middle):
        how = f"the predictions are too {'low' if slope > 0 else 'high'} more often than not"
    elif ends > middle:
        how = "too many rows fall into the tails, so the distributions are too narrow there"
    else:
        how = "too many rows fall into the middle, so the distributions are too wide or have the wrong shape"
    return f"The predicted distributions are not quite right: {how} ({evidence})."


# -- errors ----------------------------------------------------------------------------------------------------
def _facts(error: np.ndarray, predicted: np.ndarray, y: np.ndarray, weight: np.ndarray) -> dict[str, float]:
    """Figures of the residuals, observed less predicted."""
    mean = float(np.average(error, weights=weight))
    middle = np.average(y, weights=weight)
    around = float(np.average((y - middle) ** 2, weights=weight))
    size = np.abs(error)
    facts = {
        "mean error": mean,
        "standard deviation of the errors": float(np.sqrt(np.average((error - mean) ** 2, weights=weight))),
        "median absolute error": float(np.quantile(size, 0.5, weights=weight, method="inverted_cdf")),
        "90 % of absolute errors below": float(np.quantile(size, 0.9, weights=weight, method="inverted_cdf")),
    }
    if around > 0:
        facts["share of the variance explained"] = 1 - float(np.average(error**2, weights=weight)) / around
    if np.ptp(predicted) > 0 and np.ptp(size) > 0:
        facts["correlation of the size of errors with the prediction"] = _correlation(size, predicted, weight)
    return facts


def _correlation(a: np.ndarray, b: np.ndarray, weight: np.ndarray) -> float:
    a, b = a - np.average(a, weights=weight), b - np.average(b, weights=weight)
    return float(weight @ (a * b) / np.sqrt((weight @ a**2) * (weight @ b**2)))


def _describe_errors(error: np.ndarray, weight: np.ndarray) -> str:
    size = np.quantile(np.abs(error), 0.5, weights=weight, method="inverted_cdf")
    return f"Half of the rows are predicted to within {number(float(size))}, the worst one to within " + (
        f"{number(float(np.abs(error).max()))}."
    )


def _largest(
    error: np.ndarray,
    predicted: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    rows: np.ndarray,
    problem: Problem,
) -> tuple[LargestError, ...]:
    """The rows predicted worst, by their number in the table."""

    def known(value: float) -> float | None:
        return float(value) if np.isfinite(value) else None

    worst = rows[np.argsort(-np.abs(error[rows]), kind="stable")[:WORST]]
    return tuple(
        LargestError(
            int(problem.rows[i]), float(problem.y[i]), float(predicted[i]), known(low[i]), known(high[i])
        )
        for i in worst
    )
