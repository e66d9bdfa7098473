r"""Fits of several functions to many training sets of one table: one gram steers them all.

A gram of K functions costs many gradients, and the training sets of folds have nearly the same. So that of all rows, at
their mode, is made and factored once for each precision; every training set is then mode_at by gradients alone, in
that metric, and what the metric misses the last few steps correct (BFGS). The answer is that of a fit from scratch; a
climb that does not arrive is made from scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice._core.linalg import inverse_of_triangle, try_cholesky
from suffice.engine import Rows, parallel
from suffice.glm._fit.pass_sums import SumsAt, sums_at
from suffice.glm._fit.problem import LinkProblem, LogPosterior
from suffice.glm._fit.quasi_newton import MEMORY, Preconditioner, direction

ABOUT = 1e-8  # half of gᵀH⁻¹g, relative to the objective, where fits to some of the rows begin
STILL = 1e-20  # the same where they end: what they are off by is about its root
NEAR = 1e-6  # of the objective: what is left to gain where its digits no longer tell which of two places is higher
TIRED = 20  # steps after which another gram costs less than going on
HALVED = 8  # times that a step is shortened


def mode_of_all(
    problem: LinkProblem, rows: Rows, start: np.ndarray, class_weight: np.ndarray | None, max_iter: int
) -> np.ndarray:
    """u at about the mode of all rows, from that of another precision."""
    precondition = metric(problem, rows, start, class_weight, 1.0)
    found = (
        None
        if precondition is None
        else settled(problem, rows, start, precondition, class_weight, ABOUT, max_iter)
    )
    return start if found is None else problem.functions(found)


def metric(
    problem: LinkProblem, rows: Rows, u: np.ndarray, class_weight: np.ndarray | None, share: float
) -> Preconditioner | None:
    """g → (−H)⁻¹ g at u, for a share of the rows; None where neither they nor the prior hold a direction."""
    seen = sums_at(rows, problem.plan, SumsAt(u, "gram", class_weight))
    H = share * problem.moved(np.asarray(seen.gram)) + problem.curvature
    size = np.sqrt(np.maximum(np.diagonal(H), 0.0))
    if not np.all((size > 0) & np.isfinite(size)):
        return None
    factors, found = try_cholesky((H / size / size[:, None])[None])
    if not found[0]:
        return None
    inverse = inverse_of_triangle(factors[0]) / size
    return lambda g: inverse.T @ (inverse @ g)


def modes_of_some(
    problems: Sequence[LinkProblem],
    rows: Rows,
    sets: Sequence[Any],
    start: np.ndarray,
    precondition: Preconditioner,
    class_weight: np.ndarray | None,
    max_iter: int,
) -> list[np.ndarray | None]:
    """Flat parameters for each training set, of a problem of its own; None where the climb did not arrive."""
    pairs = list(zip(problems, sets, strict=True))
    return parallel(
        lambda pair: settled(pair[0], rows[pair[1]], start, precondition, class_weight, STILL, max_iter),
        pairs,
    )


def settled(
    problem: LinkProblem,
    rows: Rows,
    start: np.ndarray,
    precondition: Preconditioner,
    class_weight: np.ndarray | None,
    still: float,
    max_iter: int,
) -> np.ndarray | None:
    """Flat parameters after steps that climb, and near the mode get shorter, until one is next to nothing.

    Rows that `precondition` does not fit, or that are far from their mode, have a gram of their own on the way.
    """

    def see(b: np.ndarray) -> LogPosterior:
        with np.errstate(over="ignore", invalid="ignore"):
            return problem.log_posterior(
                sums_at(rows, problem.plan, SumsAt(problem.functions(b), "gradient", class_weight)), b
            )

    b = problem.parameters(start)
    here, memory, own = see(b), Memory(precondition), False
    for _ in range(max_iter):
        step = memory.direction(here.gradient)
        gain = float(here.gradient @ step) / 2
        if not gain > still * here.size:
            return b + step if np.isfinite(step).all() else None  # the last step needs no look of its own
        moved = None if memory.steps >= TIRED else _moved(see, memory, b, here, step, gain)
        if moved is not None:
            scale, there = moved
            memory.add(scale * step, here.gradient - there.gradient)
            b, here, own = b + scale * step, there, False
        elif own:
            return None
        else:  # these rows curve otherwise here: their own gram
            fresh = metric(problem, rows, problem.functions(b), class_weight, 1.0)
            if fresh is None:
                return None
            memory, own = Memory(fresh), True
    return None


def _moved(
    see: Callable[[np.ndarray], LogPosterior],
    memory: Memory,
    b: np.ndarray,
    here: LogPosterior,
    step: np.ndarray,
    gain: float,
) -> tuple[float, LogPosterior] | None:
    """The part of a step that climbs, or leaves less to gain, and what is seen there."""
    near = gain <= NEAR * here.size
    for k in range(HALVED):
        there = see(b + 0.5**k * step)
        if there.objective >= here.objective + 1e-4 * 0.5**k * gain and not near:
            return 0.5**k, there
        if near and float(there.gradient @ memory.precondition(there.gradient)) / 2 < gain:
            return 0.5**k, there
    return None


class Memory:
    """The last few steps and how the gradient fell along them: what the metric misses (BFGS)."""

    def __init__(self, precondition: Preconditioner) -> None:
        self.precondition = precondition
        self.pairs: list[tuple[np.ndarray, np.ndarray]] = []
        self.steps = 0

    def add(self, step: np.ndarray, fall: np.ndarray) -> None:
        """Only where the gradient fell: elsewhere digits have run out."""
        self.steps += 1
        if step @ fall > 1e-12 * np.linalg.norm(step) * np.linalg.norm(fall):
            self.pairs = [*self.pairs, (step, fall)][-MEMORY:]

    def direction(self, gradient: np.ndarray) -> np.ndarray:
        return direction(gradient, self.precondition, self.pairs)
