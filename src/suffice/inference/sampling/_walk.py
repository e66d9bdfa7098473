r"""The random walk of several chains, and how burn-in fits its steps to the density.

The covariance S of the steps is learned from all chains together, in windows of growing length: the scale towards the
acceptance rate that is best for the dimension (0.44 for one, 0.234 for many: Roberts and others), the shape from the
later half of the draws so far.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from suffice._core.compiling import loops
from suffice._core.linalg import cholesky
from suffice.inference.sampling._density import Compiled, refuse, refuse_starts

BLOCK = 1_024  # steps that are made at once
WINDOW, GROWTH = 25, 1.2  # of learning
FIRM = 5.0  # how strongly the first windows move the scale
FACTOR = 10.0  # at most, in one window
ALONE = 4  # windows in which the scale is learned alone
TIMES = 10  # draws per coordinate that count as much as the diagonal


def best_scale(d: int) -> float:
    """Of a random walk on a normal density with the identity as covariance."""
    return 2.38 / np.sqrt(d)


def best_rate(d: int) -> float:
    return 0.234 + 0.206 / d


class Walk:
    """Chains at X (C, D) with log densities H (C,), and the root of the covariance of their steps."""

    def __init__(
        self, density: Any, X: np.ndarray, chains: list, cov: np.ndarray, tick: Callable[[int], None]
    ) -> None:
        self.density, self.X, self.tick = density, X, tick
        self.for_steps, self.for_coins = zip(*(rng.spawn(2) for rng in chains), strict=True)
        self.root = cholesky(cov, "proposal")
        self.compiled = density if isinstance(density, Compiled) else None
        self.H = density(X)
        refuse_starts(X, self.H)

    def run(self, steps: int, keep: int = 1, proposals: bool = False) -> tuple[Any, ...]:
        """Draws (C, n, D), log densities, flags and, if asked, proposals of every so-manyth of some steps."""
        block = max(BLOCK // keep, 1) * keep
        parts = [self._block(min(block, steps - a), keep, proposals) for a in range(0, steps, block)]
        if not parts:
            return ()
        return tuple(None if p[0] is None else np.concatenate(p, axis=1) for p in zip(*parts, strict=True))

    def _block(self, n: int, keep: int, proposals: bool) -> tuple[Any, ...]:
        steps = np.stack([rng.standard_normal((n, self.X.shape[1])) for rng in self.for_steps]) @ self.root.T
        log_u = -np.stack([rng.standard_exponential(n) for rng in self.for_coins])
        begin = self.X.copy()
        draws, log_densities, accepted = (self._fast if self.compiled else self._lockstep)(steps, log_u)
        every = slice(keep - 1, None, keep)
        proposed = None
        if proposals:
            proposed = (np.concatenate([begin[:, None], draws[:, :-1]], axis=1) + steps)[:, every]
        self.tick(n)
        return draws[:, every], log_densities[:, every], accepted[:, every], proposed

    def _lockstep(self, steps: np.ndarray, log_u: np.ndarray) -> tuple[np.ndarray, ...]:
        """All chains one step after the other."""
        draws, log_densities = np.empty(steps.shape), np.empty(log_u.shape)
        accepted = np.empty(log_u.shape, dtype=bool)
        for s in range(steps.shape[1]):
            proposed = self.X + steps[:, s]
            there = self.density(proposed)
            took = log_u[:, s] <= there - self.H
            self.X, self.H = np.where(took[:, None], proposed, self.X), np.where(took, there, self.H)
            draws[:, s], log_densities[:, s], accepted[:, s] = self.X, self.H, took
        return draws, log_densities, accepted

    def _fast(self, steps: np.ndarray, log_u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each chain in a thread, compiled."""
        c, walk = self.compiled, loops("suffice.inference.sampling._loops").walk
        draws, log_densities = np.zeros(steps.shape), np.zeros(log_u.shape)
        accepted = np.zeros(log_u.shape, dtype=np.bool_)
        assert c is not None

        def one(k: int) -> None:
            here = self.H[k] - c.constant
            self.H[k] = c.constant + walk(
                c.function,
                c.data,
                self.X[k],
                here,
                steps[k],
                log_u[k],
                draws[k],
                log_densities[k],
                accepted[k],
            )

        self.X = np.ascontiguousarray(self.X)
        with ThreadPoolExecutor(min(len(self.X), 8)) as pool:
            list(pool.map(one, range(len(self.X))))
        log_densities += c.constant
        refuse(draws.reshape(-1, self.X.shape[1]), log_densities.ravel())
        return draws, log_densities, accepted

    def learn(self, steps: int) -> None:
        """Burn in, and fit the covariance of the steps to where the chains go."""
        d, seen, learned = self.X.shape[1], [], False
        scale, shape = best_scale(d), self.root / best_scale(d)
        for k, n in enumerate(windows(steps)):
            draws, _, accepted, _ = self.run(n)
            seen.append(draws)
            gain = FIRM / np.sqrt(1 + k)
            scale *= float(np.clip(np.exp(gain * (accepted.mean() - best_rate(d))), 1 / FACTOR, FACTOR))
            found = shape_of(np.concatenate(seen[len(seen) // 2 :], axis=1)) if k >= ALONE else None
            if found is not None:
                scale, shape, learned = scale if learned else best_scale(d), found, True
            self.root = scale * shape


def windows(steps: int) -> list[int]:
    """Lengths of windows that grow; the last takes what is left."""
    out, n = [], WINDOW
    while steps > 0:
        out.append(steps if steps < n * (1 + GROWTH) else n)
        steps, n = steps - out[-1], int(n * GROWTH)
    return out


def shape_of(draws: np.ndarray) -> np.ndarray | None:
    """The root of the covariance within chains, nearer to its diagonal for few draws; None if they stood still."""
    chains, n, d = draws.shape
    gaps = (draws - draws.mean(axis=1, keepdims=True)).reshape(-1, d)
    S = gaps.T @ gaps / (chains * n)
    size = np.sqrt(np.diagonal(S))
    if not np.all(size > 0):
        return None
    share = chains * n / (chains * n + TIMES * d)
    R = share * S / np.outer(size, size) + (1 - share) * np.eye(d)
    return size[:, None] * cholesky(R, "proposal")
