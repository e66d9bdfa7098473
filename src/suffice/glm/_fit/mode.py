r"""From rows to the highest point of the log posterior, and the curvature there.

    objective   log likelihood + log prior, as a function of b:  u = J b
    steps       Newton's, from grams: they only precondition
    last step   from a factor of the curvature (`root`)

J is the identity with an intercept. Without one, the constant is what makes the function pass through the origin (or,
with standardized columns, through zero at their mean).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from suffice._core.errors import IllConditioned, RankDeficient, Separated, warn
from suffice._core.linalg import EPS, qr_pivoted, qr_thin, semidefinite_factor
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace
from suffice.glm._fit.pass_sums import PassSums
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem, LogPosterior
from suffice.glm._fit.root import PASSABLE, Root, free_of_prior, root_of, root_of_gram, undetermined, unknown
from suffice.inference.newton import ascent_direction
from suffice.inference.newton_on_sums import (
    HALVINGS,
    ROUNDING,
    SumsMaximum,
    joined,
    line_search,
    newton_on_sums,
    trace_of,
)

MOVING = 0.05  # a last step of this size, in units of a, has not arrived
GROWN = 1e-3  # of a function: less than that is rounding where large weights cancel
MOVED = 1e-5  # of a weight; a function without end grows by about one with each step
FAR = 8.0
INFLATED = 1e12
MANY = 1e3  # terms of order one; beyond, they are in units of the targets
SEEN = 1e-10  # a last step of this size changes no curvature
COARSE = 1e-8  # a log likelihood that grows by less, with steps that do not shrink, grows without end


@record
class Mode:
    """The mode: u, the sums there, F with F Fᵀ = (−H)⁻¹ in b, and what the rows leave open (`null`).

    `log_det` is log |−H| in b; `unbounded` the direction in which the likelihood grows without end; `inflation` how
    much the worst variance is larger than if its column were alone. F is None where a Hessian was too expensive to be
    asked for, or where absolute values were penalized: `weights` then are those of the raw columns, a row per
    function (two classes have one), with exact zeros.
    """

    u: np.ndarray
    sums: PassSums
    objective: float
    root: Any
    null: np.ndarray
    log_det: float
    trace: Trace
    unbounded: np.ndarray | None = None
    weights: np.ndarray | None = None
    raw_root: np.ndarray | None = None  # F of the raw columns, where it is not what F makes it
    inflation: float = 1.0


def find_mode(
    problem: LinkProblem,
    start: np.ndarray,
    *,
    tol: float,
    max_iter: int,
    tick: Callable[[], None] | None = None,
    sums: PassSums | None = None,
) -> Mode:
    """The mode, from `start` (1 + d, K), where the pass `sums` may have been."""
    last: list[Any] = []
    if sums is not None:
        here = problem.parameters(start)
        last[:] = here, problem.log_posterior(sums, here)

    def at(b: np.ndarray) -> LogPosterior:
        if not (last and np.array_equal(last[0], b)):
            last[:] = b, problem.at(b)
        return last[1]

    found = _maximized(problem, problem.parameters(start), at, tol, max_iter, tick)
    b, posterior, converged = found.params, found.statistics, found.trace.converged

    def root_here() -> Root:
        return root_of(problem, posterior, problem.functions(b))

    about = root_of_gram(posterior, PASSABLE)
    root, null, log_det = root_here() if about is None else about
    step = root @ (root.T @ posterior.gradient)
    unbounded = unbounded_direction(problem, posterior, b, step) if converged else None
    if about is None and unbounded is None and converged and not null.shape[1]:
        found, (root, null, log_det) = _by_roots(problem, found, (root, null, log_det), at, tol, max_iter)
        b, posterior = found.params, found.statistics
        step = root @ (root.T @ posterior.gradient)
        unbounded = unbounded_direction(problem, posterior, b, step)
    there, near = b + step, np.abs(step).max(initial=0.0) <= SEEN
    arrives = unbounded is None and converged and not null.shape[1]
    if about is not None and (near or not arrives):
        root, null, log_det = root_here()
    if unbounded is not None or null.shape[1]:  # rows that are told apart without error curve no more
        loose = undetermined(problem)
        if unbounded is None and loose.shape[1] < null.shape[1]:
            unbounded = problem.functions(step if np.any(step) else null[:, 0])
        null = loose
    if unbounded is None and converged:
        if near:
            gain = 0.5 * float(posterior.gradient @ step)
            sums = replace(posterior.sums, log_likelihood=_log_likelihood(problem, posterior, there, gain))
            b, posterior = there, replace(posterior, objective=posterior.objective + gain, sums=sums)
        else:
            ahead = at(there)
            arrived = ahead.objective >= posterior.objective - ROUNDING * posterior.size
            if arrived:
                b, posterior = there, ahead
            if arrived or about is not None:
                root, null, log_det = root_here()
    inflated = inflation(posterior, root)
    if unbounded is None and converged and inflated > PASSABLE and not problem.root.any():
        unbounded = unbounded_function(problem, posterior, b)
    if about is None and unbounded is None and converged and not null.shape[1]:
        D = unknown(problem)
        b, inflated = at_prior_mode(problem, b, D), inflation(posterior, root, D)
    u, objective = frozen_array(problem.functions(b)), posterior.objective
    return Mode(u, posterior.sums, objective, root, null, log_det, found.trace, unbounded, inflation=inflated)


def _maximized(
    problem: LinkProblem,
    start: np.ndarray,
    at: Callable[[np.ndarray], LogPosterior],
    tol: float,
    max_iter: int,
    tick: Callable[[], None] | None,
) -> SumsMaximum:
    """To a gain of `tol`; but on a way without end only so far that residuals still have digits.

    Where the likelihood has nothing left to say, a weak prior alone says where its end is: gains are measured by it.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        first = at(start)
    coarse = max(tol, COARSE * first.unit / first.size) if np.isfinite(first.size) else tol
    found = newton_on_sums(start, at, tol=coarse, max_iter=max_iter, tick=tick, unit=first.unit)
    if coarse == tol or not found.trace.converged or _runs_off(problem, found):
        return found
    done = found.trace
    left = max(max_iter - (len(done) - 1), 1)
    unit = _unit(problem, found, first.unit)
    rest = newton_on_sums(found.params, at, tol=tol, max_iter=left, tick=_later(tick), unit=unit)
    columns = {k: np.append(v[:-1], rest.trace.columns[k]) for k, v in done.columns.items()}
    columns["pass"][len(done) - 1 :] += int(done.columns["pass"][-1]) - 1
    objective = np.append(done.objective[:-1], rest.trace.objective)
    return SumsMaximum(rest.params, rest.statistics, Trace(objective, rest.trace.converged, columns))


def _unit(problem: LinkProblem, found: SumsMaximum, unit: float) -> float:
    """What gains are measured by: the penalty, where little else is left and no direction is free of it."""
    taken = problem.penalty(found.params)
    if abs(found.statistics.objective) > unit or not 0 < taken < unit or free_of_prior(problem).shape[1]:
        return unit
    return taken


def _runs_off(problem: LinkProblem, found: SumsMaximum) -> bool:
    posterior = found.statistics
    step = ascent_direction(-np.asarray(posterior.hessian), posterior.gradient)
    return unbounded_direction(problem, posterior, found.params, step) is not None


def _by_roots(
    problem: LinkProblem,
    found: SumsMaximum,
    root: Root,
    at: Callable[[np.ndarray], LogPosterior],
    tol: float,
    most: int,
) -> tuple[SumsMaximum, Root]:
    """Newton's steps also in directions that a gram takes for flat, until nothing is left to gain there either."""
    b, posterior, trace = found.params, found.statistics, found.trace
    for _ in range(most):
        step = root[0] @ (root[0].T @ posterior.gradient)
        if not float(posterior.gradient @ step) / 2 > max(tol, ROUNDING) * posterior.size:
            break
        scale, there, used = line_search(at, b, posterior, step, HALVINGS, None, posterior.unit)
        if there is None:
            break
        b, posterior = b + scale * step, there
        root = root_of(problem, posterior, problem.functions(b))
        size = float(np.abs(posterior.gradient).max(initial=0.0))
        trace = joined(trace, trace_of([(posterior.objective, size, scale, used)], trace.converged))
    return SumsMaximum(b, posterior, trace), root


def _later(tick: Callable[[], None] | None) -> Callable[[], None] | None:
    """From the second call on: the first pass of a search that goes on was the last of the one before."""
    if tick is None:
        return None
    calls = count()
    return lambda: tick() if next(calls) else None


def unbounded_direction(
    problem: LinkProblem, posterior: LogPosterior, b: np.ndarray, step: np.ndarray
) -> np.ndarray | None:
    """The direction of a last step that has not arrived, if the log posterior rises along it far ahead.

    What a prior holds, however weakly, ends; so the part of the step that it leaves free is looked at.
    """
    if not _moves(problem, b, step):
        return None
    step = without_prior(problem, step)
    if not _moves(problem, b, step):
        return None
    ahead = problem.at(b + FAR * step, "gradient")
    return problem.functions(step) if ahead.objective >= posterior.objective else None


def _moves(problem: LinkProblem, b: np.ndarray, step: np.ndarray) -> bool:
    """Whether a step changes functions by more than a step at the end would."""
    u, move = np.abs(problem.functions(b)), np.abs(problem.functions(step))
    move = np.where(move > MOVED * u, move, 0.0)  # large weights that cancel move by their rounding
    return bool(move.sum(axis=0).max(initial=0.0) > max(MOVING, 1e-9 * u.sum(axis=0).max(initial=0.0)))


def without_prior(problem: LinkProblem, step: np.ndarray) -> np.ndarray:
    """The part of a step that the prior leaves free."""
    Q = qr_thin(free_of_prior(problem))[0]
    return ((step.reshape(problem.shape) @ Q) @ Q.T).ravel()


def inflation(posterior: LogPosterior, root: np.ndarray, settled: np.ndarray | None = None) -> float:
    """The largest variance of a parameter times its own curvature: one where no column is like another.

    Directions that are `settled` by the prior, exactly, do not count.
    """
    size = np.sqrt(-np.diagonal(np.asarray(posterior.hessian)))[:, None]
    F = size * root
    if settled is not None and settled.shape[1]:
        Q = qr_thin(size * settled)[0]
        F = F - Q @ (Q.T @ F)
    return float(np.max(np.square(F).sum(axis=1), initial=1.0))


def at_prior_mode(problem: LinkProblem, b: np.ndarray, D: np.ndarray) -> np.ndarray:
    """At the prior's own highest point along directions D that no row knows of.

    In units in which the prior is weak, the rounding of the rows' gradient would say where b ends there.
    """
    if not D.shape[1]:
        return b
    ties = semidefinite_factor(problem.prior.between, "the tie between functions")
    E = problem.root @ b.reshape(problem.shape).T - problem.prior.place[:, None]
    G = problem.plan.to_terms(problem.prior.center)
    moves = [problem.prior.root @ _without_rounding(G, problem.functions(c)) for c in D.T]
    A = np.stack([(m @ ties).ravel() for m in moves], axis=1).astype(float)
    t: Any = np.linalg.lstsq(A, (E @ ties).ravel(), rcond=None)[0]
    return b - D @ t


def _without_rounding(G: np.ndarray, move: np.ndarray) -> np.ndarray:
    """A direction on the raw columns; copies have one mean, and no constant comes from how that was rounded."""
    raw = G @ move
    raw[0] = np.where(np.abs(raw[0]) <= 64 * EPS * (np.abs(G[0]) @ np.abs(move)), 0.0, raw[0])
    return raw


def unbounded_function(problem: LinkProblem, posterior: LogPosterior, b: np.ndarray) -> np.ndarray | None:
    """A function that the likelihood lets grow, by itself or with all others (those are differences to one class).

    So far out, steps are rounding and tell nothing.
    """
    u = problem.functions(b)
    alone = [np.where(np.arange(u.shape[1]) == k, u, 0.0) for k in range(u.shape[1])]
    for direction in (*alone, np.broadcast_to(u.mean(axis=1, keepdims=True), u.shape)):
        move = direction * max(FAR / max(np.abs(direction).max(initial=0.0), MOVING), GROWN)
        if problem.at(b + problem.parameters(move), "gradient").objective >= posterior.objective:
            return move
    return None


def _log_likelihood(problem: LinkProblem, posterior: LogPosterior, b: np.ndarray, gain: float) -> float:
    """The log likelihood at b, which is `gain` above the posterior's objective: what the prior does not account for."""
    return posterior.objective + gain + problem.penalty(b)


# -- what is said about the rows ------------------------------------------------------------------------------
def warn_separated(plan: Plan, unbounded: np.ndarray) -> None:
    """Name the direction in which the likelihood grows without end."""
    weight = (
        unbounded[1:, np.argmax(np.abs(unbounded[1:]).max(axis=0, initial=0.0))]
        if len(unbounded) > 1
        else unbounded[:1, 0]
    )
    names = plan.header.column_names if len(unbounded) > 1 else ("the constant",)
    size = np.abs(weight).max(initial=0.0)
    shares = weight / size if size > 0 else weight
    order = [j for j in np.argsort(-np.abs(shares)) if abs(shares[j]) > 0.01][:6]
    named = ", ".join(f"{shares[j]:+.2g} × {names[j]!r}" for j in order)
    constant_alone = np.abs(unbounded[1:]).max(initial=0.0) <= 0.01 * np.abs(unbounded[0]).max(initial=0.0)
    named = "of the constant" if constant_alone or not named else named
    warn(
        f"The likelihood has no maximum: it grows without end in the direction {named} (columns in units of their "
        "spread), along which the targets are separated. Weights are those at which it stopped growing in its digits; "
        f"give {'penalize_intercept=True and ' if constant_alone else ''}prior_precision > 0 for finite ones.",
        Separated,
    )


def warn_undetermined(problem: LinkProblem, null: np.ndarray, rows: int) -> None:
    """Name the columns that carry no information of their own."""
    K, q = problem.shape
    one = null.reshape(K, q, -1).transpose(1, 0, 2).reshape(q, -1)
    size = np.linalg.norm(one, axis=1)
    _, _, order = qr_pivoted(one.T)
    rank = int(np.linalg.matrix_rank(one, tol=1e-8 * size.max(initial=0.0)))
    names = ("the constant", *problem.plan.header.column_names)[1 + problem.plan.n_columns - 1 - q :]
    listed = ", ".join(repr(names[j]) for j in sorted(order[:rank])[:8])
    more = f" and {rank - 8} more" if rank > 8 else ""
    why = (
        f"{rows} rows cannot determine {q} weights"
        if rows < q
        else "they are constant or combinations of the others"
    )
    warn(
        f"The weights of {listed}{more} are not determined ({why}); of all that fit equally well the smallest are "
        "returned. Leave columns out, or give prior_precision > 0.",
        RankDeficient,
    )


def lacks_digits(inflation: float, u: np.ndarray) -> bool:
    """Whether few digits of functions u are left: what is inflated is the rounding of all their terms."""
    terms = float(np.abs(u).sum(axis=0).max(initial=0.0))
    return inflation * min(max(terms, 1.0), MANY) > INFLATED


def warn_inflated(found: float, u: np.ndarray) -> None:
    """Say so where columns are so nearly combinations of each other that few digits of their weights are left."""
    if lacks_digits(found, u):
        warn(
            f"Columns are nearly combinations of each other (a variance is inflated {found:.1g}-fold), "
            "so few digits of the weights are left. Drop such columns, center or standardize them, or raise "
            "prior_precision.",
            IllConditioned,
        )


def smallest(problem: LinkProblem, u: np.ndarray, null: np.ndarray) -> np.ndarray:
    """Of all u that give the same functions, the one with the smallest weights on the raw columns."""
    G = problem.plan.to_raw().astype(float)
    directions = [problem.functions(c) for c in null.T]
    moves = np.stack([(G @ m)[1:].T.ravel() for m in directions], axis=1)
    there = (G @ u)[1:].T.ravel()
    share: Any = np.linalg.lstsq(moves, there, rcond=None)[0]
    return u - np.tensordot(share, np.stack(directions), axes=1)
