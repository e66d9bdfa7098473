r"""Gaussian random walks: what a Metropolis sampler does while every proposal is accepted (FCML §4.5.2, Fig. 4.9).

Step    w_s ~ N(w_{s−1}, Σ)
Place   after s steps N(w_0, s Σ): the walk forgets nothing and settles nowhere
"""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, as_numbers, check_integer
from suffice._core.linalg import check_symmetric, semidefinite_factor
from suffice._core.random import generator


def random_walk(start: Any, cov: Any, n: int, random_state: Any = None) -> np.ndarray:
    """Places of a walk whose steps are normal, the start first.

    Parameters
    ----------
    start
        Where the walk begins (D,), or where each of several begins (walks, D).
    cov
        Covariance of a step (D, D); a number v means v I. It may be singular: such a walk keeps to a plane.
    n
        Number of steps.
    random_state
        Seed or Generator.

    Returns
    -------
    numpy.ndarray
        (n + 1, D), or (walks, n + 1, D).

    Examples
    --------
    The two walks of Fig. 4.9: as many steps, of very different length.

    >>> import numpy as np
    >>> from suffice.inference import random_walk
    >>> wide, narrow = random_walk([0, 0], np.eye(2), 500, 0), random_walk([2, 2], 0.1, 500, 1)
    >>> wide.shape, np.diff(wide, axis=0).std().round(2), np.diff(narrow, axis=0).std().round(2)
    ((501, 2), np.float64(0.98), np.float64(0.31))
    """
    at = as_numbers("start", start)
    if at.ndim not in (1, 2) or 0 in at.shape or not np.isfinite(at).all():
        raise InvalidParameter(f"start must be finite numbers of shape (D,) or (walks, D); got {start!r}.")
    check_integer("n", n, 0)
    root = _root(cov, at.shape[-1])
    steps = generator(random_state).standard_normal((*at.shape[:-1], n, at.shape[-1])) @ root.T
    return np.concatenate([at[..., None, :], at[..., None, :] + np.cumsum(steps, axis=-2)], axis=-2)


def _root(cov: Any, dim: int) -> np.ndarray:
    """L with L Lᵀ the covariance of a step."""
    single = isinstance(cov, numbers.Real) and not isinstance(cov, bool)
    matrix = np.diag(np.full(dim, float(cov))) if single else as_numbers("cov", cov)
    if matrix.shape != (dim, dim) or not np.isfinite(matrix).all():
        raise InvalidParameter(
            f"cov must be a finite number, or a matrix ({dim}, {dim}) as start has {dim} coordinates; got {cov!r}."
        )
    check_symmetric(matrix, "cov")
    return semidefinite_factor(matrix, "cov")
