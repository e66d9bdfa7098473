r"""The smallest sum of absolute residuals, exactly: a vertex and the certificate that no other is better.

Primal      minimize Σ wᵢ |yᵢ − uᵢᵀθ|                         over θ
Dual        maximize Σ aᵢ yᵢ,   Σ aᵢ uᵢ = 0,  |aᵢ| ≤ wᵢ        over a
Vertex      r rows (the basis B) are met exactly, U_B θ = y_B
Optimal     a_B = −U_B⁻ᵀ Σ_{i∉B} wᵢ sign(yᵢ − uᵢᵀθ) uᵢ   has |a_B| ≤ w_B     (0 is a subgradient)

`linear_program` solves the dual, which has as many constraints as there are columns. `descend` walks from vertex to
vertex along edges, each to the weighted median of the points where a residual changes sign; it also polishes the
first to full precision. Rows that several vertices share would stop the walk, so both see targets moved by a part in
10¹¹ of the spread; the signs found there are subgradients of the problem as given, for which the certificate is made.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice._core.errors import NumericalError
from suffice._core.linalg import cholesky, qr_pivoted, solve_triangle
from suffice._core.records import record

Start = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
NUDGE = 1e-11
ZERO = 1e-12
MOST_PIVOTS = 20_000


@record
class Vertex:
    """Coefficients, the rows they pass through, how far from optimal they are, and whether no others are as good.

    `optimality` is the larger of the part by which the certificate exceeds its bounds, relative to them, and the
    relative gap between the primal and the dual value.
    """

    theta: np.ndarray
    rows: np.ndarray
    optimality: float
    unique: bool
    pivots: int


def least_absolute(U: np.ndarray, y: np.ndarray, weight: np.ndarray, start: Start) -> Vertex:
    """The optimum for columns U of full rank, nearly orthonormal, and targets near zero."""
    spread = float(np.max(np.abs(y), initial=0.0))
    if U.shape[1] == 0 or spread == 0:
        return Vertex(np.zeros(U.shape[1]), np.zeros(0, dtype=int), 0.0, True, 0)
    t = y / spread
    moved = t + NUDGE * np.random.default_rng(0).uniform(-1, 1, len(t))
    rows, pivots = descend(U, moved, weight, near(U, moved - U @ start(U, moved, weight)))
    theta = np.linalg.solve(U[rows], t[rows])
    optimality, unique = certified(U, t, moved, weight, rows, theta)
    return Vertex(theta * spread, rows, optimality, unique, pivots)


def linear_program(U: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """θ as the multipliers of the dual's constraints, to the solver's tolerance."""
    from scipy.optimize import linprog

    bounds = np.column_stack([-weight, weight]) / weight.max()
    found = linprog(-y, A_eq=U.T, b_eq=np.zeros(U.shape[1]), bounds=bounds, method="highs")
    if found.status != 0:
        raise NumericalError(f"The linear program was not solved: {found.message} Try solver='descent'.")
    return -found.eqlin.marginals


def reweighted(U: np.ndarray, y: np.ndarray, weight: np.ndarray, passes: int = 20) -> np.ndarray:
    """Near θ by least squares whose weights are wᵢ / |residual|, again and again."""
    theta = np.zeros(U.shape[1])
    for floor in np.geomspace(0.1, 1e-6, passes):
        scaled = U * (weight / np.maximum(np.abs(y - U @ theta), floor))[:, None]
        gram = scaled.T @ U
        gram[np.diag_indices_from(gram)] *= 1 + 1e-12
        lower = cholesky(gram, "the weighted cross-products")
        half = solve_triangle(lower, scaled.T @ y, lower=True)
        theta = solve_triangle(lower, half, lower=True, transpose=True)
    return theta


def near(U: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """Independent rows with residuals as small as can be."""
    r = U.shape[1]
    order = np.argsort(np.abs(residual), kind="stable")
    for size in (r, 2 * r, 4 * r, 16 * r, len(order)):
        taken = order[:size]
        _, R, columns = qr_pivoted(U[taken].T)
        pivots = np.abs(np.diagonal(R))
        if len(pivots) == r and pivots[-1] > 1e-8 * pivots[0]:
            return taken[columns[:r]]
    return taken[columns[:r]]


def descend(U: np.ndarray, y: np.ndarray, weight: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, int]:
    """Edge by edge to an optimal vertex; also how many edges."""
    rows, best, kept, stalled = rows.copy(), np.inf, rows, 0
    for pivots in range(MOST_PIVOTS):
        theta = np.linalg.solve(U[rows], y[rows])
        residual = y - U @ theta
        residual[rows] = 0.0
        value = float(weight @ np.abs(residual))
        stalled = 0 if value < best else stalled + 1
        if stalled > len(rows) + 10:  # rounding has taken over
            return kept, pivots
        if value <= best:
            best, kept = value, rows.copy()
        a = -np.linalg.solve(U[rows].T, U.T @ (weight * np.sign(residual)))
        reach = np.abs(a) / weight[rows]
        leaving = int(np.argmax(reach))
        if reach[leaving] <= 1 + ZERO:
            break
        edge = np.zeros(len(rows))
        edge[leaving] = -np.sign(a[leaving])
        change = U @ np.linalg.solve(U[rows], edge)
        change[rows] = 0.0
        entering = first_uphill(change, residual, weight, weight[rows[leaving]] - abs(a[leaving]))
        if entering is None:
            break
        rows[leaving] = entering
    return rows, pivots


def first_uphill(change: np.ndarray, residual: np.ndarray, weight: np.ndarray, slope: float) -> int | None:
    """The row whose residual reaches zero where the sum of absolute residuals along an edge stops falling."""
    ahead = np.flatnonzero(change * residual > 0)
    steps = residual[ahead] / change[ahead]
    order = np.argsort(steps, kind="stable")
    slopes = slope + 2 * np.cumsum(weight[ahead[order]] * np.abs(change[ahead[order]]))
    place = int(np.searchsorted(slopes, 0.0))
    return int(ahead[order[place]]) if place < len(order) else None


def certified(
    U: np.ndarray, y: np.ndarray, moved: np.ndarray, weight: np.ndarray, rows: np.ndarray, theta: np.ndarray
) -> tuple[float, bool]:
    """How far from optimal θ is for the targets as given; and whether it is sure to be the only optimum.

    The dual point takes its signs from the moved targets. Where those differ from the signs as given, residuals are
    as small as the move; what that costs is the gap between the sum of absolute residuals and the dual's value.
    """
    residual = y - U @ theta
    a = weight * np.sign(moved - U @ np.linalg.solve(U[rows], moved[rows]))
    a[rows] = 0.0
    a[rows] = -np.linalg.solve(U[rows].T, U.T @ a)
    reach = np.abs(a[rows]) / weight[rows]
    value = float(weight @ np.abs(residual))
    gap = (value - float(a @ residual)) / value if value > 0 else 0.0
    return max(float(np.max(reach)) - 1, gap, 0.0), bool(np.all(reach < 1 - 1e-9))
