r"""Fits of several functions to many training sets of one table: one Hessian preconditions them all.

A gram of K functions costs many gradients, and the training sets of folds have nearly the same. So that of all rows, at
their mode, is made and factored once for each precision; every training set is then fitted by gradients alone, in that
metric, and what the metric misses the last few steps correct (BFGS). The answer is that of a fit from scratch; one that
does not converge is made from scratch.
"""

from __future__ import annotations

import numpy as np

from suffice._core.linalg import inverse_of_triangle, try_cholesky
from suffice.glm._fit.problem import LinkProblem, LogPosterior
from suffice.glm._fit.quasi_newton import MEMORY, Preconditioner, direction

ABOUT = 1e-8  # half of gᵀH⁻¹g, relative to the objective, where fits to some of the rows begin
STILL = 1e-20  # the same where they end: what they are off by is about its root
NEAR = 1e-6  # of the objective: what is left to gain where its digits no longer tell which of two places is higher
TIRED = 20  # steps after which another gram costs less than going on
HALVED = 8  # times that a step is shortened


def mode_of_all(problem: LinkProblem, start: np.ndarray, max_iter: int) -> np.ndarray:
    """u at about the mode of all rows, from that of another precision."""
    shared = factored_hessian(problem, start, 1.0)
    found = None if shared is None else mode_by_gradients(problem, start, shared, ABOUT, max_iter)
    return start if found is None else problem.functions(found)


def factored_hessian(problem: LinkProblem, u: np.ndarray, share: float) -> Preconditioner | None:
    """g → (−H)⁻¹ g at u, for a share of the rows; None where neither they nor the prior hold a direction."""
    H = share * problem.moved(np.asarray(problem.sums(u).gram)) + problem.curvature
    size = np.sqrt(np.maximum(np.diagonal(H), 0.0))
    if not np.all((size > 0) & np.isfinite(size)):
        return None
    factors, found = try_cholesky((H / size / size[:, None])[None])
    if not found[0]:
        return None
    inverse = inverse_of_triangle(factors[0]) / size
    return lambda g: inverse.T @ (inverse @ g)


def mode_by_gradients(
    problem: LinkProblem, start: np.ndarray, shared: Preconditioner, still: float, max_iter: int
) -> np.ndarray | None:
    """Flat parameters after steps that raise the objective, and near the mode get shorter, until one is tiny.

    Rows that the shared Hessian does not fit, or that are far from their mode, have a gram of their own on the way.
    """
    b = problem.parameters(start)
    here, memory, own = problem.at(b, "gradient"), StepMemory(shared), False
    for _ in range(max_iter):
        step = memory.direction(here.gradient)
        gain = float(here.gradient @ step) / 2
        if not gain > still * here.size:
            return b + step if np.isfinite(step).all() else None  # the last step needs no pass of its own
        moved = None if memory.steps >= TIRED else _moved(problem, memory, b, here, step, gain)
        if moved is not None:
            scale, there = moved
            memory.add(scale * step, here.gradient - there.gradient)
            b, here, own = b + scale * step, there, False
        elif own:
            return None
        else:  # these rows curve otherwise here: their own gram
            fresh = factored_hessian(problem, problem.functions(b), 1.0)
            if fresh is None:
                return None
            memory, own = StepMemory(fresh), True
    return None


def _moved(
    problem: LinkProblem,
    memory: StepMemory,
    b: np.ndarray,
    here: LogPosterior,
    step: np.ndarray,
    gain: float,
) -> tuple[float, LogPosterior] | None:
    """The part of a step that raises the objective, or leaves less to gain, and what is found there."""
    near = gain <= NEAR * here.size
    for k in range(HALVED):
        there = problem.at(b + 0.5**k * step, "gradient")
        if there.objective >= here.objective + 1e-4 * 0.5**k * gain and not near:
            return 0.5**k, there
        if near and float(there.gradient @ memory.precondition(there.gradient)) / 2 < gain:
            return 0.5**k, there
    return None


class StepMemory:
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
