"""The data of the races."""

from __future__ import annotations

import numpy as np

BOTH = ("one thread", "all cores")


def table(n: int, d: int, seed: int = 0, noise: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Correlated columns with means, and a linear target: well conditioned, not centred."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) @ (np.eye(d) + 0.1 * rng.standard_normal((d, d))) + rng.uniform(-3, 3, d)
    return X, 2.0 + X @ rng.uniform(0.5, 1.5, d) + noise * rng.standard_normal(n)


def small(n: int, quick: bool) -> int:
    """A twentieth of the rows when it only has to run."""
    return n // 20 if quick else n
