r"""Fits of several functions to many training sets of one table: one gram steers them all.

A gram of K functions costs many gradients, and the training sets of folds have nearly the same. So that of all rows, at
their summit, is made and factored once for each precision; every training set is then climbed by gradients alone, in
that metric, and what the metric misses the last few steps correct (BFGS). The answer is that of a fit from scratch; a
climb that does not arrive is made from scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice._core.linalg import inverse_of_triangle, try_cholesky
from suffice.engine import Rows, parallel
from suffice.glm._fit.approach import MEMORY, Steer, direction
from suffice.glm._fit.problem import Hill, LinkProblem
from suffice.glm._fit.slope import At, slope

ABOUT = 1e-8  # half of gᵀH⁻¹g, relative to the objective, where fits to some of the rows begin
STILL = 1e-20  # the same where they end: what they are off by is about its root
NEAR = 1e-6  # of the objective: what is left to gain where its digits no longer tell which of two places is higher
TIRED = 20  # steps after which another gram costs less than going on
HALVED = 8  # times that a step is shortened


def summit_of_all(
    problem: LinkProblem, rows: Rows, start: np.ndarray, class_weight: np.ndarray | None, max_iter: int
) -> np.ndarray:
    """u at about the summit of all rows, from that of another precision."""
    steer = metric(problem, rows, start, class_weight, 1.0)
    found = None if steer is None else settled(problem, rows, start, steer, class_weight, ABOUT, max_iter)
    return start if found is None else problem.functions(found)


def metric(
    problem: LinkProblem, rows: Rows, u: np.ndarray, class_weight: np.ndarray | None, share: float
) -> Steer | None:
    """g → (−H)⁻¹ g at u, for a share of the rows; None where neither they nor the prior hold a direction."""
    seen = slope(rows, problem.plan, At(u, "gram", class_weight))
    H = share * problem.moved(np.asarray(seen.gram)) + problem.curvature
    size = np.sqrt(np.maximum(np.diagonal(H), 0.0))
    if not np.all((size > 0) & np.isfinite(size)):
        return None
    factors, found = try_cholesky((H / size / size[:, None])[None])
    if not found[0]:
        return None
    inverse = inverse_of_triangle(factors[0]) / size
    return lambda g: inverse.T @ (inverse @ g)


def summits_of_some(
    problems: Sequence[LinkProblem],
    rows: Rows,
    sets: Sequence[Any],
    start: np.ndarray,
    steer: Steer,
    class_weight: np.ndarray | None,
    max_iter: int,
) -> list[np.ndarray | None]:
    """Flat parameters for each training set, of a problem of its own; None where the climb did not arrive."""
    pairs = list(zip(problems, sets, strict=True))
    return parallel(
        lambda pair: settled(pair[0], rows[pair[1]], start, steer, class_weight, STILL, max_iter), pairs
    )


def settled(
    problem: LinkProblem,
    rows: Rows,
    start: np.ndarray,
    steer: Steer,
    class_weight: np.ndarray | None,
    still: float,
    max_iter: int,
) -> np.ndarray | None:
    """Flat parameters after steps that climb, and near the summit get shorter, until one is next to nothing.

    Rows that `steer` does not fit, or that are far from their summit, have a gram of their own on the way.
    """

    def see(b: np.ndarray) -> Hill:
        with np.errstate(over="ignore", invalid="ignore"):
            return problem.hill(slope(rows, problem.plan, At(problem.functions(b), "slope", class_weight)), b)

    b = problem.parameters(start)
    here, memory, own = see(b), Memory(steer), False
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
    see: Callable[[np.ndarray], Hill],
    memory: Memory,
    b: np.ndarray,
    here: Hill,
    step: np.ndarray,
    gain: float,
) -> tuple[float, Hill] | None:
    """The part of a step that climbs, or leaves less to gain, and what is seen there."""
    near = gain <= NEAR * here.size
    for k in range(HALVED):
        there = see(b + 0.5**k * step)
        if there.objective >= here.objective + 1e-4 * 0.5**k * gain and not near:
            return 0.5**k, there
        if near and float(there.gradient @ memory.steer(there.gradient)) / 2 < gain:
            return 0.5**k, there
    return None


class Memory:
    """The last few steps and how the gradient fell along them: what the metric misses (BFGS)."""

    def __init__(self, steer: Steer) -> None:
        self.steer = steer
        self.pairs: list[tuple[np.ndarray, np.ndarray]] = []
        self.steps = 0

    def add(self, step: np.ndarray, fall: np.ndarray) -> None:
        """Only where the gradient fell: elsewhere digits have run out."""
        self.steps += 1
        if step @ fall > 1e-12 * np.linalg.norm(step) * np.linalg.norm(fall):
            self.pairs = [*self.pairs, (step, fall)][-MEMORY:]

    def direction(self, gradient: np.ndarray) -> np.ndarray:
        return direction(gradient, self.steer, self.pairs)
