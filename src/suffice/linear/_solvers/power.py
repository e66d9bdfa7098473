r"""Minima of ½‖z − B v‖² + Σ_j μ_j |v_j|^q, for unit columns and target (PRML eq. 3.29).

q > 2       Newton's method on the weights.
1 < q ≤ 2   Newton's method on the residual ρ instead, where the curvature is bounded: the dual objective
            ½‖ρ − z‖² + Σ h*_j(B_jᵀρ), with v_j = φ_j(B_jᵀρ) = (|B_jᵀρ| / μ_j q)^(1/(q−1)), signed, at its minimum.
q < 1       Not convex: every weight has a local minimum at zero. From several starts, reweighted quadratics (which
            never raise the objective) with Newton steps near the end, until changing any single weight, to or
            from zero included, gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve

from suffice._core.linalg import EPS, solve_triangle, svd, try_cholesky
from suffice.inference.active_set import LassoProblem, path

STEPS = 300
SMALLEST = 5e-324
TINY = 1e-9  # a weight of a unit column below which it is taken for zero where q < 1


class Minimum(NamedTuple):
    """Weights of unit columns and the steps that led there."""

    weights: np.ndarray
    steps: int


class Point(NamedTuple):
    """A function at a point: value, gradient, and Newton's direction as the solution of a system."""

    value: float
    gradient: np.ndarray
    direction: Callable[[], np.ndarray]


def objective(p: LassoProblem, mu: np.ndarray, q: float, v: np.ndarray) -> float:
    """½‖z − B v‖² + Σ μ|v|^q."""
    return 0.5 * float(np.sum((p.target - v @ p.columns) ** 2)) + float(mu @ np.abs(v) ** q)


def violation(p: LassoProblem, mu: np.ndarray, q: float, v: np.ndarray) -> float:
    """The largest slope left: B_jᵀ(z − Bv) less the slope of the penalty, which at zero may be any for q < 1."""
    slope = p.columns @ (p.target - v @ p.columns)
    some = v != 0
    pull = mu[some] * q * np.abs(v[some]) ** (q - 1)
    left = np.abs(slope[some] - np.sign(v[some]) * pull).max(initial=0.0)
    if q < 1 or some.all():
        return float(left)
    excess = np.abs(slope[~some]) - mu[~some] * q * SMALLEST ** (q - 1)  # a weight that small is zero
    return float(max(left, excess.max(initial=0.0)))


def effective(p: LassoProblem, mu: np.ndarray, q: float, v: np.ndarray) -> float:
    """tr ∂(Bv)/∂z = tr G_SS (G_SS + D)⁻¹ over the weights that are not zero, D the curvature of their penalties."""
    S = np.flatnonzero(v)
    if q == 1 or not len(S):
        return float(len(S))
    B, size = p.columns[S], np.abs(v[S])
    if q > 1:
        s = svd(B * (size ** (1 - q / 2) / np.sqrt(q * (q - 1) * mu[S]))[:, None])[1]
        return float(np.sum(1 / (1 + 1 / s[s > 0] ** 2)))
    gram = B @ B.T
    return float(np.trace(solve(gram + np.diag(q * (q - 1) * mu[S] * size ** (q - 2)), gram, assume_a="sym")))


def minimum(p: LassoProblem, mu: np.ndarray, q: float) -> Minimum:
    """The weights at the minimum; at the best local one found if q < 1."""
    if q < 1:
        return _local(p, mu, q)
    if q == 1:
        found = path(p, mu, np.ones(1), STEPS * 10)[0]
        return Minimum(found.weights, found.passes)
    return _smooth(p, mu, q) if q > 2 else _dual(p, mu, q)


# -- q > 1 ------------------------------------------------------------------------------------------------
def _smooth(p: LassoProblem, mu: np.ndarray, q: float) -> Minimum:
    gram = p.products(np.arange(p.size), np.arange(p.size))

    def at(v: np.ndarray) -> Point:
        size = np.abs(v)
        gradient = gram @ v - p.correlation + q * mu * size ** (q - 1) * np.sign(v)
        bend = q * (q - 1) * mu * size ** (q - 2)
        return Point(
            objective(p, mu, q, v), gradient, lambda: _definite_solve(gram + np.diag(bend), -gradient)
        )

    return _newton(at, _dual(p, mu, 2.0).weights)


def _dual(p: LassoProblem, mu: np.ndarray, q: float) -> Minimum:
    power, B = 1 / (q - 1), p.columns  # B has the columns in rows

    def weights(theta: np.ndarray) -> np.ndarray:
        return np.sign(theta) * (np.abs(theta) / (q * mu)) ** power

    def at(rho: np.ndarray) -> Point:
        theta = B @ rho
        with np.errstate(over="ignore", invalid="ignore"):
            v = weights(theta)
            value = 0.5 * float(np.sum((rho - p.target) ** 2)) + (q - 1) * float(mu @ np.abs(v) ** q)
            gradient = rho - p.target + v @ B
            bend = power * (np.abs(theta) / (q * mu)) ** (power - 1) / (q * mu)
        return Point(value, gradient, lambda: _inside(B, bend, -gradient))

    worst = float(np.max(np.abs(p.correlation) / (q * mu), initial=0.0))
    found = _newton(at, p.target / max(1.0, worst))
    return Minimum(_polished(p, mu, q, weights(B @ found.weights)), found.steps)


def _polished(p: LassoProblem, mu: np.ndarray, q: float, v: np.ndarray) -> np.ndarray:
    """Newton's method on the weights while it helps: with a small penalty on few columns the residual says little."""
    if p.gram is None:
        return v
    now = violation(p, mu, q, v)
    while now > 1e-14:
        size = np.abs(v)
        pull = q * mu * size ** (q - 1) * np.sign(v)
        root = size ** (1 - q / 2) / np.sqrt(q * (q - 1) * mu)  # of the inverse curvature of the penalty
        slope = root * (p.columns @ (p.target - v @ p.columns) - pull)
        new = v + root * _definite_solve(np.eye(p.size) + root[:, None] * p.gram * root, slope)
        after = violation(p, mu, q, new)
        if not after < 0.5 * now:
            break
        v, now = new, after
    return v


def _inside(B: np.ndarray, bend: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(I + Bᵀ diag(bend) B)⁻¹ applied."""
    return _definite_solve(np.eye(B.shape[1]) + (B.T * bend) @ B, right)


def _definite_solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Cholesky's way, with a little added to the diagonal where rounding needs it."""
    for little in (0.0, 1e-14, 1e-11, 1e-8):
        factor, found = try_cholesky((matrix + little * np.diag(np.diagonal(matrix) + 1.0))[None])
        if found[0]:
            half = solve_triangle(factor[0], right, lower=True)
            return solve_triangle(factor[0], half, lower=True, transpose=True)
    return solve(matrix + 1e-6 * np.eye(len(matrix)), right, assume_a="sym")


def _newton(at: Callable[[np.ndarray], Point], x: np.ndarray) -> Minimum:
    """Newton's method, each step halved until the value falls; in the end until the gradient no longer does."""
    here = at(x)
    for i in range(STEPS):
        step = here.direction()
        decrease = float(here.gradient @ step)
        if decrease >= 0 or not np.isfinite(decrease):
            return Minimum(x, i)
        for halving in range(60):
            t = 0.5**halving
            there = at(x + t * step)
            if _better(there, here, t * decrease):
                x, here = x + t * step, there
                break
        else:
            return Minimum(x, i)
        if np.abs(here.gradient).max() <= 2 * EPS:
            return Minimum(x, i + 1)
    return Minimum(x, STEPS)


def _better(there: Point, here: Point, expected: float) -> bool:
    if not np.isfinite(there.value):
        return False
    if -expected < 1e-12 * abs(here.value):  # values no longer tell the two apart
        return bool(np.linalg.norm(there.gradient) < 0.9 * np.linalg.norm(here.gradient))
    return there.value <= here.value + 1e-4 * expected


# -- q < 1 ------------------------------------------------------------------------------------------------
def _local(p: LassoProblem, mu: np.ndarray, q: float) -> Minimum:
    """The best of what several starts lead to."""
    starts = [
        np.zeros(p.size),
        _dual(p, mu, 2.0).weights,
        _dual(p, 1e-6 * mu, 2.0).weights,
        *(found.weights for found in path(p, mu, np.array([1.0, 0.3, 0.1]), STEPS)),
    ]
    found = [_improved(p, mu, q, v) for v in starts]
    steps = sum(f.steps for f in found)
    return min(found, key=lambda f: objective(p, mu, q, f.weights))._replace(steps=steps)


def _improved(p: LassoProblem, mu: np.ndarray, q: float, v: np.ndarray) -> Minimum:
    """Descend, then change the one weight that gains most, and again."""
    steps = 0
    for _ in range(STEPS):
        v, taken = _descended(p, mu, q, v)
        moved, gain = _one_changed(p, mu, q, v)
        steps += 1 + taken
        if gain <= 1e-12:
            break
        v = moved
    return Minimum(v, steps)


def _descended(p: LassoProblem, mu: np.ndarray, q: float, v: np.ndarray) -> tuple[np.ndarray, int]:
    """To a flat point over the weights that are not zero."""
    v = v.copy()
    for i in range(STEPS):
        v[np.abs(v) < TINY] = 0.0
        S = np.flatnonzero(v)
        if not len(S) or violation(p, mu, q, v) < 1e-13:
            return v, i
        B, now, m = p.columns[S], v[S], mu[S]
        better = _newton_step(p, B, m, q, now)
        v[S] = _reweighted(p, B, m, q, now) if better is None else better
    return v, STEPS


def _reweighted(p: LassoProblem, B: np.ndarray, mu: np.ndarray, q: float, v: np.ndarray) -> np.ndarray:
    """The minimum of the quadratic that touches the objective at v and lies above it."""
    loose = np.abs(v) ** (2 - q) / (q * mu)  # 1 / (μ q |v|^(q−2))
    return loose * (B @ _inside(B, loose, p.target))


def _newton_step(
    p: LassoProblem, B: np.ndarray, mu: np.ndarray, q: float, v: np.ndarray
) -> np.ndarray | None:
    """One step, if the curvature is positive, no sign changes and the slope falls."""
    if len(v) > B.shape[1]:
        return None

    def slope(v: np.ndarray) -> np.ndarray:
        return B @ (p.target - v @ B) - mu * q * np.abs(v) ** (q - 1) * np.sign(v)

    now = slope(v)
    factor, found = try_cholesky((B @ B.T - np.diag(mu * q * (1 - q) * np.abs(v) ** (q - 2)))[None])
    if not found[0]:
        return None
    half = solve_triangle(factor[0], now, lower=True)
    new = v + solve_triangle(factor[0], half, lower=True, transpose=True)
    good = np.all(new * v > 0) and np.abs(slope(new)).max() < 0.5 * np.abs(now).max()
    return new if good else None


def _one_changed(p: LassoProblem, mu: np.ndarray, q: float, v: np.ndarray) -> tuple[np.ndarray, float]:
    """The best change of a single weight, and what the objective gains by it."""
    alone = p.columns @ (p.target - v @ p.columns) + v  # the minimum over one weight without its penalty
    alone[~p.columns.any(axis=1)] = 0.0
    best = _single(np.abs(alone), mu, q) * np.sign(alone)

    def cost(x: np.ndarray) -> np.ndarray:
        return 0.5 * x**2 - alone * x + mu * np.abs(x) ** q

    gains = cost(v) - cost(best)
    j = int(np.argmax(gains)) if len(gains) else 0
    out = v.copy()
    out[j : j + 1] = best[j : j + 1]
    return out, float(gains[j]) if len(gains) else 0.0


def _single(c: np.ndarray, mu: np.ndarray, q: float) -> np.ndarray:
    """argmin over x ≥ 0 of ½x² − c x + μ x^q: zero, or the larger root of x + μ q x^(q−1) = c."""
    turn = (mu * q * (1 - q)) ** (1 / (2 - q))
    reachable = turn + mu * q * turn ** (q - 1) <= c
    x = np.where(reachable, c, 1.0)
    for _ in range(60):  # Newton's method comes down to the root of a convex function
        rise = np.maximum(1 - mu * q * (1 - q) * x ** (q - 2), EPS)
        x = np.where(reachable, np.maximum(x - (x + mu * q * x ** (q - 1) - c) / rise, turn), 1.0)
    return np.where(reachable & (0.5 * x**2 - c * x + mu * x**q < 0), x, 0.0)
