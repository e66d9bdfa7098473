r"""The highest point of a log likelihood less absolute values and squares of weights: the elastic net with a link.

    maximize  ℓ(b) − λ Σ_j |θ_j| − ½ μ Σ_j θ_j²,      θ = P b the weights that are penalized

Newton's step for ℓ leaves a quadratic with absolute values, which `inference.active_set` minimizes exactly, from the
weights of the step before: which of them are zero, and with which sign the others are not, soon stays as it is, and
from there the steps are Newton's for a smooth function. Constants without a penalty are minimized out of each
quadratic. Steps are halved until the objective rises. Where the likelihood has run so far into its flat ends that the
digits of its curvature say nothing about some direction, the curvature is raised until the quadratic has a minimum.

Several classes have a function each, a_c, and the fit knows their differences from the last one. A penalty of absolute
values needs all of them: θ has a row per class. Where λ alone leaves the level of a column's weights open (an even
number of classes), one of them is zero.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice._core.linalg import EPS, cholesky_pivoted, eigh, solve_square, solve_triangle
from suffice._core.records import frozen_array, record
from suffice.glm._fit.mode import Mode
from suffice.glm._fit.problem import LinkProblem, LogPosterior
from suffice.inference.active_set import ActiveSet, path
from suffice.inference.active_set import LassoProblem as UnitProblem
from suffice.inference.newton import SUFFICIENT
from suffice.inference.newton_on_sums import HALVINGS, ROUNDING, counted_steps, trace_of, warn_stopped

PASSES = 100  # of the active set, for each weight
NOISE = 1e-10  # of the largest weight: what a start has instead of zero
RANK = 8 * EPS  # pivots of unit columns below it are rounding
DAMPING = (
    0.0,
    1e-8,
    1e-6,
    1e-4,
    1e-2,
    1.0,
    1e2,
)  # of the largest curvature of each coordinate so far, added to it
UNSURE = 1e-8  # of the objective: what rounding may say is left to lose


@record
class AbsolutePenalty:
    """Rows (r, 1 + d) that turn (value at the center of the prior, weights) into what is penalized, and by how much."""

    terms: np.ndarray
    spread: np.ndarray  # what raw weights are multiplied with before they are penalized: θ ends in these
    level: float
    square: float


class Coordinates:
    """t: constants without a penalty, function by function, then P b in units of the columns, class by class."""

    def __init__(self, problem: LinkProblem, penalty: AbsolutePenalty) -> None:
        K, q = problem.shape
        with np.errstate(over="ignore"):
            terms = (penalty.terms @ (problem.plan.to_terms(problem.prior.center) @ problem.free)).astype(
                float
            )
        self.size = np.linalg.norm(terms, axis=1)  # (r,)
        self.n_constants = K * (q - len(terms))
        own = terms / self.size[:, None]
        self.within = np.vstack([np.eye(1, q), own]) if self.n_constants else own  # (q, q)
        back = solve_square(self.within, np.eye(q), "The map to the weights whose size is penalized")
        first = q - len(terms)
        self.between = np.eye(1) if K == 1 else np.hstack([np.eye(K), -np.ones((K, 1))])  # (K, C)
        self.to_b = np.hstack([np.kron(np.eye(K), back[:, :first]), np.kron(self.between, back[:, first:])])
        self.plain = K == 1 and np.array_equal(self.to_b, np.eye(q))
        classes = self.between.shape[1]
        self.levels = np.tile(penalty.level * self.size, classes)
        self.squares = np.tile(penalty.square * self.size**2, classes)
        self.shape, self.spread = (K, q), penalty.spread

    def of(self, b: np.ndarray) -> np.ndarray:
        """t of flat parameters, its weights about their median over classes."""
        K, q = self.shape
        parts = b.reshape(K, q) @ self.within.T
        first = self.n_constants // K
        v = parts[:, first:]
        if K > 1:
            v = np.vstack([v, np.zeros(v.shape[1])])
            v = v - np.median(v, axis=0)
        v = np.where(np.abs(v) > NOISE * np.abs(v).max(initial=0.0), v, 0.0)
        return np.concatenate([parts[:, :first].ravel(), v.ravel()])

    def b(self, t: np.ndarray) -> np.ndarray:
        return t if self.plain else self.to_b @ t

    def gradient(self, g: np.ndarray) -> np.ndarray:
        return g if self.plain else self.to_b.T @ g

    def curvature(self, H: np.ndarray) -> np.ndarray:
        return H if self.plain else self.to_b.T @ H @ self.to_b

    def penalized(self, t: np.ndarray) -> np.ndarray:
        return t[self.n_constants :]

    def penalty(self, t: np.ndarray) -> float:
        v = self.penalized(t)
        return float(self.levels @ np.abs(v) + 0.5 * (self.squares @ v**2))

    def weights(self, t: np.ndarray) -> np.ndarray:
        """Those of the raw columns (C, d)."""
        theta = self.penalized(t).reshape(-1, len(self.size)) * self.size
        return theta[:, len(self.size) - len(self.spread) :] / self.spread


@record
class PenalizedPoint:
    """Where Newton's method is: t, the pass there, the objective, gradient and curvature of the log likelihood in t."""

    t: np.ndarray
    posterior: LogPosterior
    objective: float
    gradient: np.ndarray
    curvature: np.ndarray

    @property
    def size(self) -> float:
        return self.posterior.unit + abs(self.objective)


def find_sparse_mode(
    problem: LinkProblem,
    penalty: AbsolutePenalty,
    start: np.ndarray,
    *,
    tol: float,
    max_iter: int,
    tick: Callable[[], None] | None = None,
) -> Mode:
    """The highest point, from functions u; `problem` has no prior."""
    at = Coordinates(problem, penalty)

    def point(t: np.ndarray) -> PenalizedPoint:
        seen = problem.at(at.b(t))
        if tick is not None:
            tick()
        H = -at.curvature(np.asarray(seen.hessian))
        return PenalizedPoint(t, seen, seen.objective - at.penalty(t), at.gradient(seen.gradient), H)

    here = point(at.of(problem.parameters(start)))
    records, passes, done, most = [], 1, False, np.zeros(len(here.t))
    while True:
        most = np.maximum(most, np.diagonal(here.curvature))
        records.append((here.objective, subgradient_size(at, here), 0.0, passes))
        last = len(records) > max_iter
        goal, left, there, scale, used = _step(point, at, here, most, tol, last)
        done = -UNSURE * here.size <= left <= tol * here.size
        if done or last:
            break
        passes += used
        if there is None:
            done = abs(left) <= UNSURE * here.size  # nothing more can be gained in these digits
            break
        records[-1] = (*records[-1][:2], scale, records[-1][3])
        here = there
    if done:
        ahead = point(goal)
        here = ahead if ahead.objective >= here.objective - ROUNDING * here.size else here
    else:
        warn_stopped(counted_steps(len(records) - 1), records)
    b = at.b(here.t)
    nothing, u = np.zeros((len(b), 0)), frozen_array(problem.functions(b))
    weights, trace = frozen_array(at.weights(here.t)), trace_of(records, done)
    return Mode(u, here.posterior.sums, here.objective, None, nothing, float("nan"), trace, weights=weights)


def _step(
    point: Callable[[np.ndarray], PenalizedPoint],
    at: Coordinates,
    here: PenalizedPoint,
    most: np.ndarray,
    tol: float,
    last: bool,
) -> tuple[np.ndarray, float, PenalizedPoint | None, float, int]:
    """Where the quadratic leads and what is left to gain; the place found, its part of the step, and passes.

    No place where nothing is left, no step is allowed (`last`), or none leads up.
    """
    unsure, passes = UNSURE * here.size, 0
    for damping in DAMPING:
        goal, rise, left = _quadratic_step(at, here, damping * most)
        if left < -unsure and not last:
            continue  # no minimum in these digits
        if left <= tol * here.size or last:
            break
        there, scale, used = _line_search(point, at, here, goal - here.t, rise)
        passes += used
        if there is not None:
            return goal, left, there, scale, passes
        if left <= unsure:
            break
    return goal, left, None, 0.0, passes


def _quadratic_step(
    at: Coordinates, here: PenalizedPoint, damping: np.ndarray
) -> tuple[np.ndarray, float, float]:
    """The goal of a step, how fast the objective rises towards it at first, and what the quadratic gains there."""
    H = here.curvature
    if damping.any():
        H = H + np.diag(damping)
    goal = quadratic_minimum(at, here, H)
    step = goal - here.t
    rise = float(here.gradient @ step) - (at.penalty(goal) - at.penalty(here.t))
    return goal, rise, rise - 0.5 * float(step @ H @ step)


def quadratic_minimum(at: Coordinates, here: PenalizedPoint, H: np.ndarray) -> np.ndarray:
    """t where the penalties and the quadratic of curvature H that the log likelihood is about `here` are lowest."""
    k = at.n_constants
    right = H @ here.t + here.gradient
    across, inverse = H[k:, :k], _inverse(H[:k, :k])
    Q = H[k:, k:] - across @ inverse @ across.T
    c = right[k:] - across @ (inverse @ right[:k])
    v = lowest(Q, c, at.levels, at.squares, at.penalized(here.t))
    return np.concatenate([inverse @ (right[:k] - across.T @ v), v])


def lowest(
    Q: np.ndarray, c: np.ndarray, levels: np.ndarray, squares: np.ndarray, before: np.ndarray
) -> np.ndarray:
    """The minimum of ½ vᵀQv − cᵀv + Σ λ|v| + ½ Σ μ v², from `before` on, or from nothing if that is zero."""
    diagonal = np.diagonal(Q)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    unit = Q / scale / scale[:, None]
    factor, rows = cholesky_pivoted(unit, RANK * len(Q))
    target = solve_triangle(factor[rows], (c / scale)[rows], lower=True)
    length = float(np.linalg.norm(target))
    if not length > 0:
        return np.zeros(len(Q))
    mu = squares / scale**2
    problem, level = UnitProblem(factor, target / length, unit), levels / scale / length
    limit = PASSES * (1 + len(Q))
    if not before.any():
        return path(problem, level, np.ones(1), limit, mu)[0].weights * length / scale
    state = ActiveSet.begun_at(problem.replaced(mu, False), before * scale / length)
    return state.solve(level, limit).weights * length / scale


def _inverse(H: np.ndarray) -> np.ndarray:
    """H⁺ of a small matrix; zero in directions that no row curves any more."""
    size = np.sqrt(np.maximum(np.diagonal(H), np.finfo(float).tiny))
    values, vectors = eigh(H / size / size[:, None])
    kept = values > RANK * max(len(H), 1)
    root = vectors[:, kept] / np.sqrt(values[kept]) / size[:, None]
    return root @ root.T


def _line_search(
    point: Callable[[np.ndarray], PenalizedPoint],
    at: Coordinates,
    here: PenalizedPoint,
    step: np.ndarray,
    rise: float,
) -> tuple[PenalizedPoint | None, float, int]:
    """The place that a part of the step leads to, that part, and the passes it took."""
    scale, slack = 1.0, ROUNDING * here.size
    for used in range(1, HALVINGS + 1):
        there = point(here.t + scale * step)
        if there.objective >= here.objective + SUFFICIENT * scale * rise - slack:
            return there, scale, used
        scale /= 2
    return None, 0.0, HALVINGS


def subgradient_size(at: Coordinates, here: PenalizedPoint) -> float:
    """How far the gradient is from what the penalties can hold: zero at the highest point."""
    v, g = at.penalized(here.t), here.gradient[at.n_constants :]
    g = g - at.squares * v
    off = np.where(v == 0, np.maximum(np.abs(g) - at.levels, 0.0), np.abs(g - at.levels * np.sign(v)))
    free = np.abs(here.gradient[: at.n_constants])
    return float(max(off.max(initial=0.0), free.max(initial=0.0)))


__all__ = ["AbsolutePenalty", "find_sparse_mode", "subgradient_size"]
