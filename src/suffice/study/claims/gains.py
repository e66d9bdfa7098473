r"""What a model saves, row by row, and what a first and a last step towards it save.

On the way from the prediction of another model (c = 0) to that of this one (c = 1), the loss of a row falls by G(c):

    loss       on the way                     G′(0), first step            G′(1), last step
    squared    μ₀ + c (μ₁ − μ₀)               2 (y − μ₀)(μ₁ − μ₀)          2 (y − μ₁)(μ₁ − μ₀)
    Poisson    μ₀ + c (μ₁ − μ₀)               2 (y/μ₀ − 1)(μ₁ − μ₀)        2 (y/μ₁ − 1)(μ₁ − μ₀)
    log        p₀ + c (p₁ − p₀), of y         p₁/p₀ − 1                    1 − p₀/p₁

G is concave. Its first step has the mean zero where the columns say nothing (Clark and West 2007, for the squared
loss), while the whole way then even loses; so the first step shows a small gain long before the whole way does. A last
step that loses says that the model goes too far.
"""

from __future__ import annotations

import numpy as np

from suffice._core.records import record
from suffice._core.validation import Validation
from suffice.study.reading.problem import Problem

ROUNDING = 1e-11
LEAST = 1e-100  # probability whose inverse can still be squared


@record
class Gains:
    """Per tested row: what a model saves against another (`whole`), and the first and the last step towards it."""

    whole: np.ndarray
    first: np.ndarray
    last: np.ndarray


def gains_per_row(model: Validation, other: Validation, rows: np.ndarray) -> np.ndarray:
    """The loss of the other model less that of the model, of each tested row."""
    a, b = (np.asarray(v.losses, dtype=float)[rows] for v in (model, other))
    return np.where(_same(a, b, float(np.mean(np.abs(b)))), 0.0, b - a)


def _same(a: np.ndarray, b: np.ndarray, size: np.ndarray | float) -> np.ndarray:
    """Where two numbers differ by rounding only, given what size they are."""
    return np.abs(a - b) <= ROUNDING * size


def gains(model: Validation, other: Validation, problem: Problem, rows: np.ndarray) -> Gains:
    """What a model saves against another, and the steps towards it."""
    whole = gains_per_row(model, other, rows)
    if problem.loss == "log":
        p1, p0 = (_of_the_truth(v, problem, rows) for v in (model, other))
        p1 = np.where(_same(p1, p0, p0), p0, p1)
        return Gains(whole, p1 / p0 - 1, 1 - p0 / p1)
    y = problem.y[rows]
    m1, m0 = (np.asarray(v.predictions, dtype=float)[rows] for v in (model, other))
    m1 = np.where(_same(m1, m0, float(np.abs(y).max())), m0, m1)
    if problem.loss == "poisson":
        return Gains(whole, 2 * (y / m0 - 1) * (m1 - m0), 2 * (y / m1 - 1) * (m1 - m0))
    return Gains(whole, 2 * (y - m0) * (m1 - m0), 2 * (y - m1) * (m1 - m0))


def _of_the_truth(v: Validation, problem: Problem, rows: np.ndarray) -> np.ndarray:
    """The probability that was given to the class that came true."""
    own = np.searchsorted(np.array(problem.labels), problem.y[rows])
    return np.maximum(np.asarray(v.probabilities, dtype=float)[rows, own], LEAST)
