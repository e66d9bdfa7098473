"""Three groups of rows: the stand-in for the rows of FCML Figs 6.6 to 6.12, which are not printed."""

import numpy as np


def three_groups(n: int = 100, seed: int = 1) -> np.ndarray:
    """Two groups side by side and a wider one above; the columns differ in scale."""
    rng = np.random.default_rng(seed)
    means = np.array([[0.0, -1.5], [3.2, -1.0], [4.5, 6.0]])
    spreads = np.array([[0.8, 1.1], [0.7, 1.3], [1.0, 1.6]])
    group = rng.choice(3, size=n, p=[0.35, 0.35, 0.3])
    return means[group] + spreads[group] * rng.standard_normal((n, 2))
