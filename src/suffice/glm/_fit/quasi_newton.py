r"""A cheaper way to the mode where a Hessian costs many gradients: quasi-Newton steps in a metric that stays the same.

For K functions of p columns a gram is the square of a table with K p columns; a gradient is two products with p. Two
metrics stand in for the Hessian, and what they miss the last few steps correct (BFGS):

Kronecker   −H ≈ C ⊗ A + P ⊗ B,  C = mean of v over rows,  A = Σ w z zᵀ,  P ⊗ B the curvature of the prior. Four small
            decompositions invert it. It takes a few rows to near their mode.
Sampled     −H from one row of many, at that mode. It takes all rows to theirs. Of very many parameters it would
            not fit into memory: the first metric, and more steps, go all the way.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice._core.linalg import cholesky, eigh, inverse_of_triangle, solve_triangle, try_cholesky
from suffice._core.records import record
from suffice._core.trace import Trace
from suffice.engine import Rows
from suffice.glm._fit.mode import Mode, unbounded_direction
from suffice.glm._fit.pass_sums import PassSums, passes_over
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem, LogPosterior
from suffice.inference.newton_on_sums import line_search, trace_of, warn_stopped

MEMORY = 12  # steps that are remembered
FLOOR = 1e-10  # of unit columns: what dependent ones are lifted by
SAMPLE = 8  # rows for each parameter, from which the curvature of all is known well enough to precondition
MANY = 32_768  # rows from which a gradient is so much cheaper than a gram that it pays to use one gram again
LARGEST = 16_384  # parameters whose curvature is formed: 2 GB a copy
WORTH = 8  # a gram must cost this many gradients, and rows be so many times a sample

Preconditioner = Callable[[np.ndarray], np.ndarray]
Tick = Callable[[], None] | None


@record
class QuasiNewtonEnd:
    """Flat parameters, the posterior there, the step that would be next, and what every pass saw."""

    b: np.ndarray
    posterior: LogPosterior
    step: np.ndarray
    trace: Trace


def hessian_is_expensive(plan: Plan) -> bool:
    """Whether there are so many functions of so many columns that a gram costs many gradients."""
    return plan.n_functions > 1 and plan.n_functions * plan.n_columns > 10 * WORTH


def is_large(plan: Plan) -> bool:
    """Whether there are so many parameters that their curvature is formed only where it is asked for."""
    return hessian_is_expensive(plan) and plan.n_functions * plan.n_columns > LARGEST


def outweighs_fit(plan: Plan, rows: int) -> bool:
    """Whether there are also so many rows that even one gram, for the covariance, takes longer than the fit."""
    return hessian_is_expensive(plan) and rows > WORTH * SAMPLE * plan.n_functions * plan.n_columns


def from_few(problem: LinkProblem, rows: Rows, class_weight: np.ndarray | None = None) -> np.ndarray:
    """u at about the mode of some of the rows, with as much of the prior."""
    K, q = problem.shape
    n = SAMPLE * K * q
    few = rows if len(rows) <= 2 * n else rows[np.linspace(0, len(rows) - 1, n).astype(np.intp)]
    small = problem.over(passes_over(few, problem.plan, class_weight), len(few) / len(rows))
    start = problem.plan.first()
    precondition = kronecker(small, small.sums(start, "metric"))
    found = quasi_newton(small, start, precondition, tol=1e-5, max_iter=30, quiet=True)
    return problem.functions(found.b)


@record
class FirstSteps:
    """Where Newton's method begins after the first steps: u, their trace, and the sums at u if there was one."""

    u: np.ndarray
    trace: Trace | None = None
    sums: PassSums | None = None


def first_steps_of_one(problem: LinkProblem, start: np.ndarray, max_iter: int, tick: Tick) -> FirstSteps:
    """One function: of many rows, the gram of the start preconditions the first steps."""
    sums = problem.sums(start)
    precondition = sampled(problem, sums, sums.n) if sums.rows >= MANY else None
    if precondition is None:
        return FirstSteps(start, None, sums)
    found = quasi_newton(problem, start, precondition, 1e-12, max_iter, tick, quiet=True, sums=sums)
    end = found.b + found.step  # the last step needs no pass of its own
    return FirstSteps(problem.functions(end), found.trace)


def first_steps_of_several(
    problem: LinkProblem, start: np.ndarray, max_iter: int, tick: Tick, tol: float, covariance: bool | None
) -> FirstSteps | Mode:
    """Several functions: where a gram is expensive, that of a sample preconditions, to the mode if that is all."""
    K, q = problem.shape
    if not hessian_is_expensive(problem.plan):
        return FirstSteps(start)
    sums = problem.sums(start, "gradient")
    large = is_large(problem.plan) and not covariance
    wanted = covariance if covariance is not None else not (large or outweighs_fit(problem.plan, sums.rows))
    if large:
        precondition: Preconditioner | None = kronecker(problem, problem.sums(start, "metric"))
    else:
        every = max(1, sums.rows // (SAMPLE * K * q))
        precondition = sampled(problem, problem.sums(start, every=every), sums.n)
    if precondition is None:
        return FirstSteps(start)
    goal = max(tol, 1e-9) if wanted else max(tol, 1e-12) if large else tol
    found = quasi_newton(problem, start, precondition, goal, max_iter, tick, quiet=wanted, sums=sums)
    u, at, nothing = problem.functions(found.b), found.posterior, np.zeros((K * q, 0))
    if wanted:
        return FirstSteps(u, found.trace)
    unbounded = unbounded_direction(problem, at, found.b, found.step) if found.trace.converged else None
    return Mode(u, at.sums, at.objective, None, nothing, float("nan"), found.trace, unbounded)


# -- metrics --------------------------------------------------------------------------------------------------
def kronecker(problem: LinkProblem, sums: PassSums) -> Preconditioner:
    """g → (C ⊗ A + P ⊗ B)⁻¹ g, by making both pairs diagonal at once."""
    K, _ = problem.shape
    C = sums.curvature / max(sums.n, np.finfo(float).tiny)
    A = problem.free.T @ sums.scatter @ problem.free
    B = problem.root.T @ problem.root
    size = np.sqrt(np.maximum(np.diagonal(A), 0.0))
    size = np.where(size > 0, size, 1.0)
    columns, held = _both(A / size / size[:, None] + FLOOR * np.eye(len(A)), B / size / size[:, None])
    columns = columns / size[:, None]
    functions, bends = _both(problem.prior.between, C + FLOOR * np.trace(C) / K * np.eye(K))

    def precondition(g: np.ndarray) -> np.ndarray:
        inner = (functions.T @ g.reshape(K, -1) @ columns) / (bends[:, None] + held)
        return (functions @ inner @ columns.T).ravel()

    return precondition


def _both(S: np.ndarray, M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """T with TᵀST = I and TᵀMT = diag(m), and m."""
    inverse = inverse_of_triangle(cholesky(S, "the metric"))
    values, vectors = eigh(inverse @ M @ inverse.T)
    return inverse.T @ vectors, np.maximum(values, 0.0)


def sampled(problem: LinkProblem, sums: PassSums, n: float) -> Preconditioner | None:
    """g → (−H)⁻¹ g for the curvature of a sample, as if of weight n; None where neither it nor the prior holds a
    direction."""
    H = problem.moved(np.asarray(sums.gram)) * (n / sums.n) + problem.curvature
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

    def precondition(g: np.ndarray) -> np.ndarray:
        return solve_triangle(L, solve_triangle(L, g / size, lower=True), lower=True, transpose=True) / size

    return precondition


# -- the steps ---------------------------------------------------------------------------------------------------
def quasi_newton(
    problem: LinkProblem,
    start: np.ndarray,
    precondition: Preconditioner,
    tol: float,
    max_iter: int,
    tick: Tick = None,
    *,
    quiet: bool = False,
    sums: PassSums | None = None,
) -> QuasiNewtonEnd:
    """Steps from u, where the pass `sums` may have been already, until what seems left to gain is below tol."""

    def at(b: np.ndarray) -> LogPosterior:
        found = problem.at(b, "gradient")
        if tick is not None:
            tick()
        return found

    b = problem.parameters(start)
    here = at(b) if sums is None else problem.log_posterior(sums, b)
    memory: list[tuple[np.ndarray, np.ndarray]] = []
    records, passes, done = [], 1, False
    while True:
        step = direction(here.gradient, precondition, memory)
        gain = float(here.gradient @ step)
        if gain <= 0 and memory:  # what is remembered does not belong here any more
            memory.clear()
            continue
        records.append((here.objective, float(np.abs(here.gradient).max(initial=0.0)), 0.0, passes))
        done = gain / 2 <= tol * here.size
        if done or passes > max_iter:
            break
        scale, there, used = line_search(at, b, here, step, max_iter + 1 - passes, None, here.unit)
        passes += used
        records[-1] = (*records[-1][:2], scale, records[-1][3])
        if there is None:
            done = gain / 2 <= 1e-8 * here.size  # nothing more can be gained in these digits
            break
        memory = [*memory, (scale * step, here.gradient - there.gradient)][-MEMORY:]
        memory = [(s, d) for s, d in memory if s @ d > 1e-12 * np.linalg.norm(s) * np.linalg.norm(d)]
        b, here = b + scale * step, there
    if not done and not quiet:
        warn_stopped(f"{passes} passes", records)
    return QuasiNewtonEnd(b, here, step, trace_of(records, done))


def direction(
    g: np.ndarray, precondition: Preconditioner, memory: list[tuple[np.ndarray, np.ndarray]]
) -> np.ndarray:
    """The two loops of BFGS with limited memory, about the metric."""
    shares, rest = [], g
    for s, d in reversed(memory):
        share = (s @ rest) / (s @ d)
        shares.append(share)
        rest = rest - share * d
    step = precondition(rest)
    for (s, d), share in zip(memory, reversed(shares), strict=True):
        step = step + s * (share - (d @ step) / (s @ d))
    return step
