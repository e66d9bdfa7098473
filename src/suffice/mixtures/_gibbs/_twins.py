"""The loops in NumPy: the same sums in the same order, all components at a time."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

SAFE = 1e-3


class GibbsComponents:
    """Rows, posterior mean, Cholesky factor and ½ log|Ψ| of each component, and of two for scratch."""

    def __init__(
        self, X: np.ndarray, labels: np.ndarray, table: np.ndarray, strength: float, dof: float, K: int
    ) -> None:
        self.X, self.labels, self.table, self.strength, self.dof, self.K = X, labels, table, strength, dof, K
        self.sums = np.concatenate([np.zeros(1), np.cumsum(table)])
        self.counts, self.halves = np.zeros(K + 2, dtype=int), np.zeros(K + 2)
        self.means = np.zeros((K + 2, X.shape[1]))
        self.factors = np.tile(np.eye(X.shape[1]), (K + 2, 1, 1))
        for n in np.flatnonzero(labels >= 0):
            self.put(X[n], labels[n])

    def empty(self, k: int) -> None:
        self.counts[k], self.halves[k], self.means[k] = 0, 0.0, 0.0
        self.factors[k] = np.eye(self.X.shape[1])

    def put(self, x: np.ndarray, k: int) -> None:
        s = self.strength + self.counts[k]
        gap = x - self.means[k]
        self.means[k] += gap / (s + 1.0)
        self.counts[k] += 1
        self._turn(k, np.sqrt(s / (s + 1.0)) * gap, 1.0)

    def take(self, x: np.ndarray, k: int) -> None:
        if self.counts[k] == 1:
            return self.empty(k)
        s = self.strength + self.counts[k]
        gap = x - self.means[k]
        self.means[k] -= gap / (s - 1.0)
        self.counts[k] -= 1
        return self._turn(k, np.sqrt(s / (s - 1.0)) * gap, -1.0)

    def _turn(self, k: int, w: np.ndarray, sign: float) -> None:
        """L Lᵀ ± w wᵀ, one column of L after the other."""
        L, half = self.factors[k], 0.0
        for j in range(len(w)):
            old, below = L[j, j], slice(j + 1, None)
            r = np.sqrt(old * old + w[j] * w[j] if sign > 0 else (old - w[j]) * (old + w[j]))
            c, t = r / old, w[j] / old
            L[j, j] = r
            half += np.log(r)
            L[below, j] = (L[below, j] + sign * t * w[below]) / c
            w[below] = c * w[below] - t * L[below, j]
        self.halves[k] = half

    def build(self, k: int) -> None:
        self.empty(k)
        for n in np.flatnonzero(self.labels == k):
            self.put(self.X[n], k)

    def distances(self, x: np.ndarray) -> np.ndarray:
        """|L⁻¹(x − m)|² of every component."""
        z, total = x - self.means, np.zeros(len(self.means))
        for i in range(len(x)):
            for j in range(i):
                z[:, i] -= self.factors[:, i, j] * z[:, j]
            z[:, i] /= self.factors[:, i, i]
            total += z[:, i] * z[:, i]
        return total

    def outside(self, x: np.ndarray) -> np.ndarray:
        """log (n + α/K) p(x | rows) of every component."""
        m, s = self.counts, self.strength + self.counts
        q = self.distances(x) * s / (s + 1.0)
        return self.table[m] - self.halves - 0.5 * (self.dof + m + 1.0) * np.log1p(q)

    def log_marginal(self, k: int) -> float:
        return self.sums[self.counts[k]] - (self.dof + self.counts[k]) * self.halves[k]

    def replace(self, k: int, other: int) -> None:
        for array in (self.counts, self.halves, self.means, self.factors):
            array[k] = array[other]


def passes(X, order, labels, uniforms, table, strength, dof, n_components, out):
    """As compiled."""
    parts, (N, _) = GibbsComponents(X, labels, table, strength, dof, n_components), X.shape
    for p, u in enumerate(uniforms):
        for n in order:
            _move(parts, n, u[n])
        for first in range(N, len(u), N + 5):
            _split_or_merge(parts, order, u[first : first + N + 5])
        out[p] = labels


def _move(parts: GibbsComponents, n: int, u: float) -> None:
    x, own, left, dof = parts.X[n], int(parts.labels[n]), 1.0, parts.dof
    if own >= 0 and parts.counts[own] > 1:
        s = parts.strength + parts.counts[own]
        left = 1.0 - parts.distances(x)[own] * s / (s - 1.0)
        if left < SAFE:
            parts.labels[n] = -1
            parts.build(own)
            own = -1
    scores, m = parts.outside(x)[: parts.K], parts.counts[: parts.K]
    square = 0.0
    for value in x:
        square += value * value
    strength = parts.strength
    alone = parts.table[0] - 0.5 * (dof + 1.0) * np.log1p(square * strength / (strength + 1.0))
    scores[m == 0] = alone
    if own >= 0:
        inside = parts.table[m[own] - 1] - parts.halves[own] + 0.5 * (dof + m[own] - 1.0) * np.log(left)
        scores[own] = inside if m[own] > 1 else alone
    totals = np.cumsum(np.exp(scores - scores.max()))
    new = min(int(np.searchsorted(totals, u * totals[-1], side="right")), parts.K - 1)
    if new != own:
        if own >= 0:
            parts.take(x, own)
        parts.put(x, new)
        parts.labels[n] = new


def _split_or_merge(parts: GibbsComponents, order: np.ndarray, u: np.ndarray) -> None:
    X, labels, N, first, second = parts.X, parts.labels, len(parts.X), parts.K, parts.K + 1
    if N < 2:
        return
    i, j = int(u[N] * N), int(u[N + 1] * (N - 1))
    j += j >= i
    a, b = labels[i], labels[j]
    free = np.flatnonzero(parts.counts[: parts.K] == 0)
    if a == b and not len(free):
        return
    for k, row in ((first, i), (second, j)):
        parts.empty(k)
        parts.put(X[row], k)
    side, log_q = _allotted(parts, np.roll(order, -int(u[N + 2] * N)), u, i, j)
    if a == b:
        gain = parts.log_marginal(first) + parts.log_marginal(second) - parts.log_marginal(a)
        if np.log(u[N + 3]) < gain + np.log(len(free)) - log_q:
            new = free[int(u[N + 4] * len(free))]
            parts.replace(a, first)
            parts.replace(new, second)
            labels[side] = new
        return
    gain = -parts.log_marginal(a) - parts.log_marginal(b)
    for n in np.flatnonzero(labels == b):
        parts.put(X[n], first)
    if np.log(u[N + 3]) < gain + parts.log_marginal(first) - np.log(len(free) + 1.0) + log_q:
        parts.replace(a, first)
        parts.empty(b)
        labels[labels == b] = a


def _allotted(
    parts: GibbsComponents, order: np.ndarray, u: np.ndarray, i: int, j: int
) -> tuple[np.ndarray, float]:
    """Which rows go with j, one after the other, and the log probability of that; known if i and j are apart."""
    labels, first, second = parts.labels, parts.K, parts.K + 1
    a, b, side, log_q = labels[i], labels[j], np.zeros(len(labels), dtype=bool), 0.0
    side[j] = True
    for n in order[np.isin(labels[order], (a, b)) & (order != i) & (order != j)]:
        scores = parts.outside(parts.X[n])
        gap = scores[second] - scores[first]
        side[n] = u[n] < expit(gap) if a == b else labels[n] == b
        gap = -gap if side[n] else gap
        log_q -= max(gap, 0.0) + np.log1p(np.exp(-abs(gap)))
        parts.put(parts.X[n], second if side[n] else first)
    return side, log_q


def moments(
    X: np.ndarray, labels: np.ndarray, counts: np.ndarray, means: np.ndarray, scatter: np.ndarray
) -> None:
    """As compiled."""
    for s, z in enumerate(labels):
        counts[s] = np.bincount(z, minlength=counts.shape[1])
        np.add.at(means[s], z, X)
        means[s] /= np.maximum(counts[s], 1)[:, None]
        gaps = X - means[s][z]
        for k in np.flatnonzero(counts[s]):
            scatter[s, k] = gaps[z == k].T @ gaps[z == k]


def count_together(some: np.ndarray, labels: np.ndarray, out: np.ndarray) -> None:
    """As compiled."""
    for i, row in enumerate(some):
        out[i] = (labels == row).sum(axis=1)


def agreement(labels: np.ndarray, some: np.ndarray, n_components: int, out: np.ndarray) -> None:
    """As compiled."""
    start = np.arange(len(labels))[:, None] * n_components**2
    for a, z in enumerate(some):
        codes = start + n_components * z.astype(int) + labels
        out[a] = np.sum(np.bincount(codes.ravel()) ** 2)
