r"""From rows to the highest point of the log posterior, and the curvature there.

    objective   log likelihood + log prior, as a function of b:  u = J b
    steps       Newton's, from grams: they only steer
    last step   from a triangle: the Cholesky factor of the gram where columns are mild, else reflections of the rows

J is the identity with an intercept. Without one, the constant is what makes the function pass through the origin (or,
with standardized columns, through zero at their mean).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.errors import RankDeficient, Separated, warn
from suffice._core.linalg import (
    inverse_of_triangle,
    qr_pivoted,
    qr_stacked,
    semidefinite_factor,
    svd,
    try_cholesky,
)
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Prior
from suffice.glm._fit.slope import At, Slope
from suffice.inference.climb import ROUNDING, Climbed, climb
from suffice.inference.newton import uphill

MILD = 1_000.0  # the largest inflation of a variance for which a gram has digits enough
RANK = 1e-13  # singular values of unit columns below this are rounding
MOVING = 0.05  # a last step of this size, in units of a, has not arrived
FAR = 8.0
SEEN = 1e-10  # a last step of this size changes no curvature
GLIMPSE = 1e-8  # a log likelihood that grows by less, with steps that do not shrink, grows without end


@record
class Hill:
    """A slope with the prior added: objective, gradient and Hessian in b."""

    objective: float
    gradient: np.ndarray
    hessian: np.ndarray | None
    slope: Slope


@record
class Summit:
    """Where the climb ended: u, the pass there, F with F Fᵀ = (−H)⁻¹ in b, and what the rows leave open (`null`).

    `log_det` is log |−H| in b; `away` the direction in which the likelihood grows without end. F is None where a
    Hessian was too expensive to be asked for.
    """

    u: np.ndarray
    slope: Slope
    objective: float
    root: Any
    null: np.ndarray
    log_det: float
    trace: Trace
    away: np.ndarray | None = None


class Problem:
    """A likelihood, a prior and the coordinates of a fit, in one place."""

    def __init__(self, plan: Plan, prior: Prior, free: np.ndarray) -> None:
        self.plan, self.prior, self.free = plan, prior, free
        self.whole = free.shape[0] == free.shape[1]
        with np.errstate(over="ignore"):
            to_raw = plan.to_raw() if self.whole else plan.to_raw() @ free
            self.root = (prior.root @ to_raw).astype(float)  # (r, q)

    @property
    def shape(self) -> tuple[int, int]:
        """(K, q): functions and free parameters of each."""
        return self.plan.n_functions, self.free.shape[1]

    def functions(self, b: np.ndarray) -> np.ndarray:
        """u (1 + d, K) of flat parameters."""
        return self.free @ b.reshape(self.shape).T

    def parameters(self, u: np.ndarray) -> np.ndarray:
        """Flat parameters of u; the constant is left out where it is not free."""
        return (u if self.whole else u[1:]).T.ravel()

    @cached_property
    def curvature(self) -> np.ndarray:
        """That of the prior."""
        return np.kron(self.prior.between, self.root.T @ self.root)

    def hill(self, slope: Slope, b: np.ndarray) -> Hill:
        """What the climb sees at b."""
        E = self.root @ b.reshape(self.shape).T - self.prior.place[:, None]  # (r, K)
        pull = self.root.T @ E @ self.prior.between  # (q, K)
        gradient = (self.free.T @ slope.gradient - pull).T.ravel()
        value = slope.log_likelihood - 0.5 * float(np.sum(E * (E @ self.prior.between)))
        hessian = None if slope.gram is None else -(self.moved(slope.gram) + self.curvature)
        return Hill(value, gradient, hessian, slope)

    def moved(self, gram: np.ndarray) -> np.ndarray:
        """From u to b on both sides."""
        if self.whole:
            return gram
        J = np.kron(np.eye(self.shape[0]), self.free)
        return J.T @ gram @ J

    def triangle(self, factor: np.ndarray) -> np.ndarray:
        """R with RᵀR = −H from that of the rows."""
        J = np.kron(np.eye(self.shape[0]), self.free)
        ties = semidefinite_factor(self.prior.between, "the tie between functions").T
        return qr_stacked(factor @ J, np.kron(ties, self.root))


def ascend(
    problem: Problem,
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
    root, null, log_det = _root(
        problem, hill, lambda: visit(At(problem.functions(b), "factor", class_weight))
    )
    step = root @ (root.T @ hill.gradient)
    away = away_from(problem, hill, b, step, visit, class_weight) if found.trace.converged else None
    if away is not None or null.shape[1]:  # rows that are told apart without error curve no more
        loose = _loose(problem, visit(At(problem.plan.first(), "factor", class_weight)))
        if away is None and loose.shape[1] < null.shape[1]:
            away = problem.functions(step if np.any(step) else null[:, 0])
        null = loose
    if away is None and found.trace.converged:
        there = b + step
        if np.abs(step).max(initial=0.0) <= SEEN:
            gain = 0.5 * float(hill.gradient @ step)
            higher = _at(problem, hill, there, gain)
            slope = replace(hill.slope, log_likelihood=higher)
            b, hill = there, replace(hill, objective=hill.objective + gain, slope=slope)
        elif (ahead := expect(there)).objective >= hill.objective - ROUNDING * (1 + abs(hill.objective)):
            b, hill = there, ahead
            root, null, log_det = _root(
                problem, hill, lambda: visit(At(problem.functions(b), "factor", class_weight))
            )
    return Summit(
        frozen_array(problem.functions(b)), hill.slope, hill.objective, root, null, log_det, found.trace, away
    )


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
        height = abs(expect(start).objective)
    coarse = max(tol, GLIMPSE / (1 + height)) if np.isfinite(height) else tol
    first = climb(start, expect, tol=coarse, max_iter=max_iter, tick=tick)
    if coarse == tol or not first.trace.converged or leaves(first):
        return first
    used = int(first.trace.columns["pass"][-1]) - 1
    rest = climb(first.params, expect, tol=tol, max_iter=max_iter - used, tick=tick)
    columns = {k: np.append(v[:-1], rest.trace.columns[k]) for k, v in first.trace.columns.items()}
    columns["pass"][len(first.trace) - 1 :] += used
    objective = np.append(first.trace.objective[:-1], rest.trace.objective)
    return Climbed(rest.params, rest.statistics, Trace(objective, rest.trace.converged, columns))


def away_from(
    problem: Problem,
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


def _at(problem: Problem, hill: Hill, b: np.ndarray, gain: float) -> float:
    """The log likelihood at b, which is `gain` above the hill's objective: what the prior does not account for."""
    E = problem.root @ b.reshape(problem.shape).T - problem.prior.place[:, None]
    return hill.objective + gain + 0.5 * float(np.sum(E * (E @ problem.prior.between)))


def _root(problem: Problem, hill: Hill, factor: Callable[[], Slope]) -> tuple[np.ndarray, np.ndarray, float]:
    """F with F Fᵀ = (−H)⁺, directions that nothing determines, and log |−H| over the others."""
    H = -np.asarray(hill.hessian)
    size = np.sqrt(np.maximum(np.diagonal(H), 0.0))
    size = np.where((size > 0) & np.isfinite(size), size, 1.0)
    L, found = try_cholesky((H / size / size[:, None])[None])
    if found[0] and np.square(inverse := inverse_of_triangle(L[0])).sum(axis=0).max(initial=0.0) <= MILD:
        return _of_cholesky(L[0], inverse, size)
    R = problem.triangle(np.asarray(factor().factor))
    if found[0] and np.abs((R.T @ R - H) / size / size[:, None]).max(initial=0.0) > 1e-8:
        return _of_cholesky(L[0], inverse, size)  # rows that bend the other way are in the gram alone
    size = np.linalg.norm(R, axis=0)
    size = np.where(size > 0, size, 1.0)
    _, s, vt = svd(R / size)
    kept = s > RANK * s.max(initial=0.0)
    root = (vt[kept] / s[kept, None]).T / size[:, None]
    return root, vt[~kept].T / size[:, None], 2 * float(np.log(s[kept]).sum() + np.log(size).sum())


def _of_cholesky(
    L: np.ndarray, inverse: np.ndarray, size: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """The same three from L Lᵀ = −H in units of its diagonal."""
    return inverse.T / size[:, None], np.zeros((len(L), 0)), 2 * float(np.log(np.diagonal(L) * size).sum())


def _loose(problem: Problem, even: Slope) -> np.ndarray:
    """Directions that nothing determines, seen where every row still curves: at the constant to begin with."""
    R = problem.triangle(np.asarray(even.factor))
    size = np.linalg.norm(R, axis=0)
    size = np.where(size > 0, size, 1.0)
    _, s, vt = svd(R / size)
    return vt[~(s > RANK * s.max(initial=0.0))].T / size[:, None]


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


def warn_undetermined(problem: Problem, null: np.ndarray, rows: int) -> None:
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


def smallest(problem: Problem, u: np.ndarray, null: np.ndarray) -> np.ndarray:
    """Of all u that give the same functions, the one with the smallest weights on the raw columns."""
    G = problem.plan.to_raw().astype(float)
    directions = [problem.functions(c) for c in null.T]
    moves = np.stack([(G @ m)[1:].T.ravel() for m in directions], axis=1)
    there = (G @ u)[1:].T.ravel()
    share: Any = np.linalg.lstsq(moves, there, rcond=None)[0]
    return u - np.tensordot(share, np.stack(directions), axes=1)
