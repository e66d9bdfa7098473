"""Parameters that settings of several estimators share."""

from __future__ import annotations

from typing import Any


def sine_and_cosine(X):
    """A function that makes several columns of several; at module level, so that it has a name."""
    import numpy as np

    return np.hstack([np.sin(X), np.cos(X)])


CHOOSING_FAR: dict[str, Any] = {
    "eps": 1e-2,
    "alphas": 4,
    "fit_intercept": False,
    "precompute": False,
    "max_iter": 500,
    "tol": 1e-12,
    "copy_X": False,
    "cv": 4,
    "verbose": 1,
    "n_jobs": 2,
    "random_state": 3,
    "selection": "random",
}

FAR_MIXTURE: dict[str, Any] = {
    "n_components": 3,
    "tol": 1e-3,
    "max_iter": 50,
    "n_init": 2,
    "init_params": "k-means++",
    "random_state": 4,
    "hard": True,
    "weights_prior": 3.0,
}
