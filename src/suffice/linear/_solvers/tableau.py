"""The tableau from which the gain of every single change of a precision is read; see `relevance.py`.

Swept on the active columns A, with Λ added to their diagonal, the Gram matrix of [A, y] becomes

    [[−Σ, Σ K], [Kᵀ Σ, S]],   Σ = (A_AᵀA_A + Λ)⁻¹

so that its diagonal holds −Σ_ii of active columns and s of the others, its last column their posterior means and
a_iᵀC⁻¹y, and its corner E = yᵀC⁻¹y.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.linalg import EPS, qr_factor, solve_triangle
from suffice._core.records import record

INDEPENDENT = 1e-10  # squared share of a column that must be new before it may enter
NO_GAIN = 1e-12  # of n and the log evidence
LARGEST = 1 - 1e-13  # of v
NO_NOISE = 1e-9  # share of the squares of y


@record
class TableauProblem:
    """Unit columns A (r, q) and a target y of unit length, what is left of it outside, n rows, and β if known."""

    A: np.ndarray
    y: np.ndarray
    left: float
    n: float
    beta: float | None
    floor: float

    def noise_precision(self, energy: float) -> float:
        """β as it is known, or the best one for this E."""
        return self.n / energy if self.beta is None else self.beta


class Tableau:
    """The Gram matrix of [A, y], swept on the active columns after λ was added to their diagonal."""

    def __init__(self, p: TableauProblem, ratios: np.ndarray, banned: np.ndarray):
        self.problem, self.ratios, self.banned = p, ratios, banned
        self.refresh()

    def refresh(self) -> None:
        """From a QR of the active columns, stacked over √λ, so that no difference of large numbers is taken."""
        p, q = self.problem, len(self.ratios)
        on, off = np.flatnonzero(np.isfinite(self.ratios)), np.flatnonzero(~np.isfinite(self.ratios))
        m, order = len(on), np.concatenate([on, off, [q]])
        rows = np.column_stack([p.A, p.y])[:, order]
        prior = np.zeros((m, q + 1))
        prior[:, :m] = np.diag(np.sqrt(self.ratios[on]))
        F = qr_factor(np.asfortranarray(np.vstack([rows, prior])))
        root, below = solve_triangle(F[:m, :m], np.eye(m)), F[m:, m:]
        T = np.empty((q + 1, q + 1))
        T[:m, :m], T[:m, m:], T[m:, m:] = -root @ root.T, root @ F[:m, m:], below.T @ below
        T[m:, :m] = T[:m, m:].T
        T[-1, -1] += p.left
        self.T = np.empty_like(T)
        self.T[np.ix_(order, order)] = T
        self.log_det = 2 * float(np.sum(np.log(np.abs(np.diagonal(F)[:m]))))

    @property
    def active(self) -> np.ndarray:
        return np.isfinite(self.ratios)

    @property
    def energy(self) -> float:
        return max(float(self.T[-1, -1]), self.problem.floor)

    @property
    def log_evidence(self) -> float:
        """The log evidence right after a refresh, up to a constant."""
        p = self.problem
        return log_evidence(
            p.n, p.noise_precision(self.energy), self.ratios[self.active], self.log_det, self.energy
        )

    @property
    def exact(self) -> bool:
        """Whether the fit leaves no noise to speak of: nothing at all, or next to nothing with weights for most rows.

        There the evidence has no maximum worth following: it creeps towards β = ∞.
        """
        p, used = self.problem, int(np.sum(self.active))
        if p.beta is not None:
            return False
        return self.energy <= p.floor or used >= p.n or (used >= 0.5 * p.n and self.energy <= NO_NOISE)

    @property
    def rounding(self) -> float:
        """A gain too small to tell from none."""
        return NO_GAIN * (self.problem.n + abs(self.log_evidence))

    def proposals(self) -> tuple[np.ndarray, np.ndarray]:
        """The best share v of each column alone, and what it would add to the log evidence."""
        p, on = self.problem, self.active
        diagonal, t = np.diagonal(self.T)[:-1], self.T[:-1, -1]
        var = np.where(on, -diagonal, 1.0)
        lam = np.where(on, self.ratios, 0.0)
        s = np.where(on, 1 / var - lam, diagonal)
        usable = (s > np.where(on, 0.0, INDEPENDENT)) & ~self.banned
        s = np.where(usable, s, 1.0)
        rho = np.where(usable, np.where(on, t / var, t) ** 2 / s, 0.0)
        rest = self.energy + np.where(on, t**2 / var, 0.0)
        best = np.clip(best_share(p, np.where(rho > 0, rho, np.finfo(float).tiny), rest), 0.0, LARGEST)
        now = np.where(on & usable, np.minimum(s / (lam + s), LARGEST), 0.0)
        gain = share_gain(p, best, rho, rest) - share_gain(p, now, rho, rest)
        return best, np.where(on & ~usable, np.inf, gain)

    def prune(self) -> None:
        """Delete every weight whose best λ is infinite, however little that gains."""
        idle = np.flatnonzero(self.active & (self.proposals()[0] == 0))
        for k in idle:
            self.improve(int(k))
        if len(idle):
            self.refresh()

    def improve(self, k: int) -> None:
        """λ_k to its best value as the others are now: at most one update of rank one."""
        p, on, t = self.problem, bool(np.isfinite(self.ratios[k])), float(self.T[k, -1])
        var = -float(self.T[k, k]) if on else 1.0
        s = 1 / var - float(self.ratios[k]) if on else float(self.T[k, k])
        usable = s > (0.0 if on else INDEPENDENT)
        rho = (t / var if on else t) ** 2 / s if usable else 0.0
        v = min(best_share(p, rho, self.energy + (t * t / var if on else 0.0)), LARGEST) if rho > 0 else 0.0
        if v > 0 or on:
            self._set(k, s * (1 - v) / v if v > 0 else np.inf)

    def _set(self, k: int, ratio: float) -> None:
        on = np.isfinite(self.ratios[k])
        if on and np.isfinite(ratio):
            t, change = self.T[:, k].copy(), ratio - self.ratios[k]
            self.T += np.multiply.outer(change / (1 - change * t[k]) * t, t)
        elif on:
            self._pivot(k, -1.0)
            self.T[k, k] -= self.ratios[k]
        else:
            self.T[k, k] += ratio
            self._pivot(k, 1.0)
        self.ratios[k] = ratio

    def _pivot(self, k: int, sign: float) -> None:
        t = self.T[:, k].copy()
        self.T -= np.multiply.outer(t / t[k], t)
        self.T[:, k] = self.T[k] = sign * t / t[k]
        self.T[k, k] = -1 / t[k]


def best_share(p: TableauProblem, rho: Any, rest: Any) -> Any:
    """The v where the evidence of one column is stationary; negative if it falls from v = 0 on."""
    if p.beta is None:
        return (p.n * rho - rest) / (rho * max(p.n - 1, EPS))
    return 1 - 1 / np.maximum(p.beta * rho, np.finfo(float).tiny)


def share_gain(p: TableauProblem, v: np.ndarray, rho: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """What one column adds to the log evidence."""
    if p.beta is not None:
        return 0.5 * (np.log1p(-v) + p.beta * rho * v)
    return 0.5 * (np.log1p(-v) - p.n * np.log(np.maximum(1 - v * rho / rest, p.floor)))


def log_evidence(n: float, beta: float, ratios: np.ndarray, log_det: float, energy: float) -> float:
    """log evidence + ½ n log 2π, in units of the length of y."""
    return 0.5 * float(np.sum(np.log(ratios)) - log_det + n * np.log(beta) - beta * energy)
