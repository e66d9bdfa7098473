r"""A cheaper way up where a Hessian costs many gradients: quasi-Newton steps in a metric that stays the same.

For K functions of p columns a gram is the square of a table with K p columns; a gradient is two products with p. Two
metrics stand in for the Hessian, and what they miss the last few steps correct (BFGS):

Kronecker   −H ≈ C ⊗ A + P ⊗ B,  C = mean of v over rows,  A = Σ w z zᵀ,  P ⊗ B the curvature of the prior. Four small
            decompositions invert it. It takes a few rows to near their summit.
Sampled     −H from one row of many, at that summit. It takes all rows to theirs. Of very many parameters it would
            not fit into memory: the first metric, and more steps, go all the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import NotConverged, warn
from suffice._core.linalg import cholesky, eigh, inverse_of_triangle, solve_triangle, try_cholesky
from suffice._core.records import record
from suffice._core.trace import Trace
from suffice.engine import Rows
from suffice.glm._fit.ascent import Summit, away_from
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import Hill, LinkProblem
from suffice.glm._fit.slope import At, Slope, slope
from suffice.inference.climb import higher

MEMORY = 12  # steps that are remembered
FLOOR = 1e-10  # of unit columns: what dependent ones are lifted by
SAMPLE = 8  # rows for each parameter, from which the curvature of all is known well enough to steer
MANY = 32_768  # rows from which a gradient is so much cheaper than a gram that it pays to use one gram again
LARGEST = 16_384  # parameters whose curvature is formed: 2 GB a copy
WORTH = 8  # a gram must cost this many gradients, and rows be so many times a sample

Visit = Callable[[At], Slope]
Steer = Callable[[np.ndarray], np.ndarray]
Tick = Callable[[], None] | None


@record
class Approached:
    """Flat parameters, the hill there, the step that would be next, and what every pass saw."""

    b: np.ndarray
    hill: Hill
    step: np.ndarray
    trace: Trace


def steers(plan: Plan) -> bool:
    """Whether there are so many functions of so many columns that a gram costs many gradients."""
    return plan.n_functions > 1 and plan.n_functions * plan.n_columns > 10 * WORTH


def is_large(plan: Plan) -> bool:
    """Whether there are so many parameters that their curvature is formed only where it is asked for."""
    return steers(plan) and plan.n_functions * plan.n_columns > LARGEST


def pays(plan: Plan, rows: int) -> bool:
    """Whether there are also so many rows that even one gram, for the covariance, takes longer than the fit."""
    return steers(plan) and rows > WORTH * SAMPLE * plan.n_functions * plan.n_columns


def from_few(problem: LinkProblem, rows: Rows, class_weight: np.ndarray | None = None) -> np.ndarray:
    """u at about the summit of some of the rows, with as much of the prior."""
    K, q = problem.shape
    n = SAMPLE * K * q
    few = rows if len(rows) <= 2 * n else rows[np.linspace(0, len(rows) - 1, n).astype(np.intp)]
    share = np.sqrt(len(few) / len(rows))
    prior = replace(problem.prior, root=problem.prior.root * share, place=problem.prior.place * share)
    small = LinkProblem(problem.plan, prior, problem.free)
    start = problem.plan.first()

    def visit(at: At) -> Slope:
        return slope(few, problem.plan, at)

    steer = kronecker(small, visit(At(start, "metric", class_weight)))
    found = approach(small, start, visit, steer, tol=1e-5, max_iter=30, class_weight=class_weight, quiet=True)
    return problem.functions(found.b)


@record
class Base:
    """Where the climb begins after the first steps: u, what these saw, and the pass at u if there was one."""

    u: np.ndarray
    trace: Trace | None = None
    seen: Slope | None = None


def base_of_one(
    problem: LinkProblem, start: np.ndarray, visit: Visit, class_weight: Any, max_iter: int, tick: Tick
) -> Base:
    """One function: of many rows, the gram of the start steers the first steps."""
    with np.errstate(over="ignore", invalid="ignore"):
        seen = visit(At(start, "gram", class_weight))
    steer = sampled(problem, seen, seen.n) if seen.rows >= MANY else None
    if steer is None:
        return Base(start, None, seen)
    found = approach(problem, start, visit, steer, 1e-12, max_iter, class_weight, tick, quiet=True, seen=seen)
    return Base(
        problem.functions(found.b + found.step), found.trace
    )  # the last step needs no look of its own


def base_of_several(
    problem: LinkProblem,
    start: np.ndarray,
    visit: Visit,
    class_weight: Any,
    max_iter: int,
    tick: Tick,
    tol: float,
    covariance: bool | None,
) -> Base | Summit:
    """Several functions: where a gram is expensive, that of a sample steers, to the summit if that is all."""
    K, q = problem.shape
    if not steers(problem.plan):
        return Base(start)
    seen = visit(At(start, "slope", class_weight))
    large = is_large(problem.plan) and not covariance
    wanted = covariance if covariance is not None else not (large or pays(problem.plan, seen.rows))
    every = max(1, seen.rows // (SAMPLE * K * q))
    if large:
        steer: Steer | None = kronecker(problem, visit(At(start, "metric", class_weight)))
    else:
        steer = sampled(problem, visit(At(start, "gram", class_weight, every)), seen.n)
    if steer is None:
        return Base(start)
    goal = max(tol, 1e-9) if wanted else max(tol, 1e-12) if large else tol
    found = approach(
        problem, start, visit, steer, goal, max_iter, class_weight, tick, quiet=wanted, seen=seen
    )
    u, hill = problem.functions(found.b), found.hill
    if wanted:
        return Base(u, found.trace)
    away = (
        away_from(problem, hill, found.b, found.step, visit, class_weight) if found.trace.converged else None
    )
    return Summit(u, hill.slope, hill.objective, None, np.zeros((K * q, 0)), float("nan"), found.trace, away)


def after(first: Trace | None, then: Trace) -> Trace:
    """One trace of both; passes are counted on."""
    if first is None:
        return then
    columns = {k: np.concatenate([first.columns[k], v]) for k, v in then.columns.items()}
    columns["pass"][len(first) :] += first.columns["pass"][-1]
    return Trace(np.concatenate([first.objective, then.objective]), then.converged, columns)


# -- metrics --------------------------------------------------------------------------------------------------
def kronecker(problem: LinkProblem, seen: Slope) -> Steer:
    """g → (C ⊗ A + P ⊗ B)⁻¹ g, by making both pairs diagonal at once."""
    K, _ = problem.shape
    C = seen.bend / max(seen.n, np.finfo(float).tiny)
    A = problem.free.T @ seen.scatter @ problem.free
    B = problem.root.T @ problem.root
    size = np.sqrt(np.maximum(np.diagonal(A), 0.0))
    size = np.where(size > 0, size, 1.0)
    columns, held = _both(A / size / size[:, None] + FLOOR * np.eye(len(A)), B / size / size[:, None])
    columns = columns / size[:, None]
    functions, bends = _both(problem.prior.between, C + FLOOR * np.trace(C) / K * np.eye(K))

    def steer(g: np.ndarray) -> np.ndarray:
        inner = (functions.T @ g.reshape(K, -1) @ columns) / (bends[:, None] + held)
        return (functions @ inner @ columns.T).ravel()

    return steer


def _both(S: np.ndarray, M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """T with TᵀST = I and TᵀMT = diag(m), and m."""
    inverse = inverse_of_triangle(cholesky(S, "the metric"))
    values, vectors = eigh(inverse @ M @ inverse.T)
    return inverse.T @ vectors, np.maximum(values, 0.0)


def sampled(problem: LinkProblem, seen: Slope, n: float) -> Steer | None:
    """g → (−H)⁻¹ g for the curvature of a sample, as if of weight n; None where neither it nor the prior holds a
    direction."""
    H = problem.moved(np.asarray(seen.gram)) * (n / seen.n) + problem.curvature
    size = np.sqrt(np.maximum(np.diagonal(H), 0.0))
    if not np.all(size > 0):
        return None
    q = problem.shape[1]
    first = slice(0, q)
    if eigh((H / size / size[:, None])[first, first])[0].min() < FLOOR:
        return None
    factors, found = try_cholesky((H / size / size[:, None] + FLOOR * np.eye(len(H)))[None])
    if not found[0]:
        return None
    L = factors[0]

    def steer(g: np.ndarray) -> np.ndarray:
        return solve_triangle(L, solve_triangle(L, g / size, lower=True), lower=True, transpose=True) / size

    return steer


# -- the climb ------------------------------------------------------------------------------------------------
def approach(
    problem: LinkProblem,
    start: np.ndarray,
    visit: Visit,
    steer: Steer,
    tol: float,
    max_iter: int,
    class_weight: np.ndarray | None = None,
    tick: Tick = None,
    *,
    quiet: bool = False,
    seen: Slope | None = None,
) -> Approached:
    """Climb from u, where the pass `seen` may have been already, until what seems left to gain is below tol."""

    def see(b: np.ndarray) -> Hill:
        with np.errstate(over="ignore", invalid="ignore"):
            found = problem.hill(visit(At(problem.functions(b), "slope", class_weight)), b)
        if tick is not None:
            tick()
        return found

    b = problem.parameters(start)
    here = see(b) if seen is None else problem.hill(seen, b)
    memory: list[tuple[np.ndarray, np.ndarray]] = []
    records, passes, done = [], 1, False
    while True:
        step = direction(here.gradient, steer, memory)
        gain = float(here.gradient @ step)
        if gain <= 0 and memory:  # what is remembered does not belong here any more
            memory.clear()
            continue
        records.append((here.objective, float(np.abs(here.gradient).max(initial=0.0)), 0.0, passes))
        done = gain / 2 <= tol * here.size
        if done or passes > max_iter:
            break
        scale, there, used = higher(see, b, here, step, max_iter + 1 - passes, None, here.unit)
        passes += used
        records[-1] = (*records[-1][:2], scale, records[-1][3])
        if there is None:
            done = gain / 2 <= 1e-8 * here.size  # nothing more can be gained in these digits
            break
        memory = [*memory, (scale * step, here.gradient - there.gradient)][-MEMORY:]
        memory = [(s, d) for s, d in memory if s @ d > 1e-12 * np.linalg.norm(s) * np.linalg.norm(d)]
        b, here = b + scale * step, there
    if not done and not quiet:
        warn(
            f"The fit stopped after {passes} passes with a gradient of {records[-1][1]:.3g}; raise max_iter, or "
            "standardize the columns.",
            NotConverged,
        )
    objective, size, steps, at = map(np.array, zip(*records, strict=True))
    return Approached(b, here, step, Trace(objective, done, {"gradient": size, "step": steps, "pass": at}))


def direction(g: np.ndarray, steer: Steer, memory: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The two loops of BFGS with limited memory, about the metric."""
    shares, rest = [], g
    for s, d in reversed(memory):
        share = (s @ rest) / (s @ d)
        shares.append(share)
        rest = rest - share * d
    step = steer(rest)
    for (s, d), share in zip(memory, reversed(shares), strict=True):
        step = step + s * (share - (d @ step) / (s @ d))
    return step
