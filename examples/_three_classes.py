"""Thirty rows each of three classes in the plane, like those of FCML Figs 5.1–5.5: the text does not print its own."""

import numpy as np

from suffice.distributions import MultivariateNormal

DENSITIES = {
    1: MultivariateNormal([2.6, 1.2], [[1.6, 1.1], [1.1, 1.4]]),
    2: MultivariateNormal([1.2, -2.6], [[1.8, -1.2], [-1.2, 1.6]]),
    3: MultivariateNormal([-2.2, 1.0], [[1.0, 0.4], [0.4, 2.2]]),
}


def three_classes(n: int = 30, seed: int = 5):
    """X and y, `n` rows of each class."""
    rng = np.random.default_rng(seed)
    X = np.concatenate([d.sample(n, rng) for d in DENSITIES.values()])
    return X, np.repeat(list(DENSITIES), n)
