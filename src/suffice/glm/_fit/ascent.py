r"""From rows to the highest point of the log posterior, and the curvature there.

    objective   log likelihood + log prior, as a function of b:  u = J b
    steps       Newton's, from grams: they only steer
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
from suffice._core.linalg import EPS, qr_pivoted, semidefinite_factor
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import Hill, LinkProblem
from suffice.glm._fit.root import STEERS, root_of, root_of_gram, undetermined, unknown
from suffice.glm._fit.slope import At, Slope
from suffice.inference.climb import ROUNDING, Climbed, climb
from suffice.inference.newton import uphill

MOVING = 0.05  # a last step of this size, in units of a, has not arrived
FAR = 8.0
INFLATED = 1e12
SEEN = 1e-10  # a last step of this size changes no curvature
GLIMPSE = 1e-8  # a log likelihood that grows by less, with steps that do not shrink, grows without end


@record
class Summit:
    """Where the climb ended: u, the pass there, F with F Fᵀ = (−H)⁻¹ in b, and what the rows leave open (`null`).

    `log_det` is log |−H| in b; `away` the direction in which the likelihood grows without end; `inflation` how much
    the worst variance is larger than if its column were alone. F is None where a Hessian was too expensive to be asked
    for, or where absolute values were penalized: `weights` then are those of the raw columns, a row per function (two
    classes have one), with exact zeros.
    """

    u: np.ndarray
    slope: Slope
    objective: float
    root: Any
    null: np.ndarray
    log_det: float
    trace: Trace
    away: np.ndarray | None = None
    weights: np.ndarray | None = None
    inflation: float = 1.0


def ascend(
    problem: LinkProblem,
    start: np.ndarray,
    visit: Callable[[At], Slope],
    *,
    tol: float,
    max_iter: int,
    class_weight: np.ndarray | None = None,
    tick: Callable[[], None] | None = None,
    seen: Slope | None = None,
) -> Summit:
    """The summit seen from `start` (1 + d, K), where the pass `seen` may have been; `visit` is a pass over all rows."""

    last: list[Any] = []
    if seen is not None:
        here = problem.parameters(start)
        last[:] = here, problem.hill(seen, here)

    def expect(b: np.ndarray) -> Hill:
        if not (last and np.array_equal(last[0], b)):
            with np.errstate(over="ignore", invalid="ignore"):  # a step too far, or a row that does not count
                last[:] = b, problem.hill(visit(At(problem.functions(b), "gram", class_weight)), b)
        return last[1]

    def leaves(found: Climbed) -> bool:
        hill = found.statistics
        step = uphill(-np.asarray(hill.hessian), hill.gradient)
        return away_from(problem, hill, found.params, step, visit, class_weight) is not None

    found = _climbed(problem.parameters(start), expect, leaves, tol, max_iter, tick)
    b, hill = found.params, found.statistics

    def look(at: At) -> Slope:
        return visit(replace(at, class_weight=class_weight))

    about = root_of_gram(hill, STEERS)
    root, null, log_det = root_of(problem, hill, problem.functions(b), look) if about is None else about
    step = root @ (root.T @ hill.gradient)
    away = away_from(problem, hill, b, step, visit, class_weight) if found.trace.converged else None
    there, near = b + step, np.abs(step).max(initial=0.0) <= SEEN
    arrives = away is None and found.trace.converged and not null.shape[1]
    if about is not None and (near or not arrives):
        root, null, log_det = root_of(problem, hill, problem.functions(b), look)
    if away is not None or null.shape[1]:  # rows that are told apart without error curve no more
        loose = undetermined(problem, visit(At(problem.plan.first(), "factor", class_weight)))
        if away is None and loose.shape[1] < null.shape[1]:
            away = problem.functions(step if np.any(step) else null[:, 0])
        null = loose
    if away is None and found.trace.converged:
        if near:
            gain = 0.5 * float(hill.gradient @ step)
            higher = _at(problem, hill, there, gain)
            slope = replace(hill.slope, log_likelihood=higher)
            b, hill = there, replace(hill, objective=hill.objective + gain, slope=slope)
        else:
            ahead = expect(there)
            if ahead.objective >= hill.objective - ROUNDING * hill.size:
                b, hill = there, ahead
                root, null, log_det = root_of(problem, hill, problem.functions(b), look)
            elif about is not None:
                root, null, log_det = root_of(problem, hill, problem.functions(b), look)
    inflated = inflation(hill, root)
    if away is None and found.trace.converged and inflated > STEERS and not problem.root.any():
        away = outward(problem, hill, b, visit, class_weight)
    if about is None and away is None and found.trace.converged and not null.shape[1]:
        D = unknown(problem, visit(At(problem.plan.first(), "factor", class_weight)))
        b, inflated = settled(problem, b, D), 1.0 if D.shape[1] else inflated
    return Summit(
        frozen_array(problem.functions(b)), hill.slope, hill.objective, root, null, log_det, found.trace, away,
        inflation=inflated,
    )  # fmt: skip


def _climbed(
    start: np.ndarray,
    expect: Callable[[np.ndarray], Hill],
    leaves: Callable[[Climbed], bool],
    tol: float,
    max_iter: int,
    tick: Callable[[], None] | None,
) -> Climbed:
    """To a gain of `tol`; but on a way without end only so far that residuals still have digits."""
    with np.errstate(over="ignore", invalid="ignore"):
        foot = expect(start)
    coarse = max(tol, GLIMPSE * foot.unit / foot.size) if np.isfinite(foot.size) else tol
    first = climb(start, expect, tol=coarse, max_iter=max_iter, tick=tick, unit=foot.unit)
    if coarse == tol or not first.trace.converged or leaves(first):
        return first
    used = int(first.trace.columns["pass"][-1]) - 1
    left = max(max_iter - (len(first.trace) - 1), 1)
    rest = climb(first.params, expect, tol=tol, max_iter=left, tick=_later(tick), unit=foot.unit)
    columns = {k: np.append(v[:-1], rest.trace.columns[k]) for k, v in first.trace.columns.items()}
    columns["pass"][len(first.trace) - 1 :] += used
    objective = np.append(first.trace.objective[:-1], rest.trace.objective)
    return Climbed(rest.params, rest.statistics, Trace(objective, rest.trace.converged, columns))


def _later(tick: Callable[[], None] | None) -> Callable[[], None] | None:
    """From the second call on: the first pass of a climb that goes on was the last of the one before."""
    if tick is None:
        return None
    calls = count()
    return lambda: tick() if next(calls) else None


def away_from(
    problem: LinkProblem,
    hill: Hill,
    b: np.ndarray,
    step: np.ndarray,
    visit: Callable[[At], Slope],
    class_weight: Any,
) -> np.ndarray | None:
    """The direction of a last step that has not arrived, if the hill rises along it far ahead."""
    u, move = problem.functions(b), problem.functions(step)
    rounding = 1e-9 * np.abs(u).sum(axis=0).max(initial=0.0)
    if np.abs(move).sum(axis=0).max(initial=0.0) <= max(MOVING, rounding):
        return None
    ahead = b + FAR * step
    seen = problem.hill(visit(At(problem.functions(ahead), "slope", class_weight)), ahead)
    return problem.functions(step) if seen.objective >= hill.objective else None


def inflation(hill: Hill, root: np.ndarray) -> float:
    """The largest variance of a parameter times its own curvature: one where no column is like another."""
    alone = -np.diagonal(np.asarray(hill.hessian))
    return float(np.max(np.square(root).sum(axis=1) * alone, initial=1.0))


def settled(problem: LinkProblem, b: np.ndarray, D: np.ndarray) -> np.ndarray:
    """At the prior's own highest point along directions D that no row knows of.

    In units in which the prior is weak, the rounding of the rows' gradient would say where b ends there.
    """
    if not D.shape[1]:
        return b
    ties = semidefinite_factor(problem.prior.between, "the tie between functions")
    E = problem.root @ b.reshape(problem.shape).T - problem.prior.place[:, None]
    moves = [problem.prior.root @ _without_rounding(problem.plan.to_raw(), problem.functions(c)) for c in D.T]
    A = np.stack([(m @ ties).ravel() for m in moves], axis=1).astype(float)
    t: Any = np.linalg.lstsq(A, (E @ ties).ravel(), rcond=None)[0]
    return b - D @ t


def _without_rounding(G: np.ndarray, move: np.ndarray) -> np.ndarray:
    """A direction on the raw columns; copies have one mean, and no constant comes from how that was rounded."""
    raw = G @ move
    raw[0] = np.where(np.abs(raw[0]) <= 64 * EPS * (np.abs(G[0]) @ np.abs(move)), 0.0, raw[0])
    return raw


def outward(
    problem: LinkProblem, hill: Hill, b: np.ndarray, visit: Callable[[At], Slope], class_weight: Any
) -> np.ndarray | None:
    """A function that the likelihood lets grow, by itself or with all others (those are differences to one class).

    So far out, steps are rounding and tell nothing.
    """
    u = problem.functions(b)
    alone = [np.where(np.arange(u.shape[1]) == k, u, 0.0) for k in range(u.shape[1])]
    for direction in (*alone, np.broadcast_to(u.mean(axis=1, keepdims=True), u.shape)):
        move = FAR * direction / max(np.abs(direction).max(initial=0.0), MOVING)
        ahead = b + problem.parameters(move)
        seen = problem.hill(visit(At(problem.functions(ahead), "slope", class_weight)), ahead)
        if seen.objective >= hill.objective:
            return move
    return None


def _at(problem: LinkProblem, hill: Hill, b: np.ndarray, gain: float) -> float:
    """The log likelihood at b, which is `gain` above the hill's objective: what the prior does not account for."""
    E = problem.root @ b.reshape(problem.shape).T - problem.prior.place[:, None]
    return hill.objective + gain + 0.5 * float(np.sum(E * (E @ problem.prior.between)))


# -- what is said about the rows ------------------------------------------------------------------------------
def warn_separated(plan: Plan, away: np.ndarray) -> None:
    """Name the direction in which the likelihood grows without end."""
    weight = away[1:, np.argmax(np.abs(away[1:]).max(axis=0, initial=0.0))] if len(away) > 1 else away[:1, 0]
    names = plan.header.column_names if len(away) > 1 else ("the constant",)
    size = np.abs(weight).max(initial=0.0)
    shares = weight / size if size > 0 else weight
    order = [j for j in np.argsort(-np.abs(shares)) if abs(shares[j]) > 0.01][:6]
    told = ", ".join(f"{shares[j]:+.2g} × {names[j]!r}" for j in order)
    still = np.abs(away[1:]).max(initial=0.0) <= 0.01 * np.abs(away[0]).max(initial=0.0)
    told = "of the constant" if still or not told else told
    warn(
        f"The likelihood has no maximum: it grows without end in the direction {told} (columns in units of their "
        "spread), along which the targets are separated. Weights are those at which it stopped growing in its digits; "
        f"give {'penalize_intercept=True and ' if still else ''}prior_precision > 0 for finite ones.",
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


def warn_inflated(found: float) -> None:
    """Say so where columns are so nearly combinations of each other that few digits of their weights are left."""
    if found > INFLATED:
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
