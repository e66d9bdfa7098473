"""Two densities that defeat a random walk, and how to tell (FCML §4.5.3, Fig. 4.13).

Two modes      ½ N([−1, −1], v I) + ½ N([2, 2], v I): a walk with short steps never sees the other mode, though it
               accepts many proposals. Only chains that began elsewhere tell: their means differ, and R̂ is far from 1
Narrow ridge   N(0, [[1, r], [r, 1]]): steps as long as the ridge miss it, those as short as it is wide get nowhere

Both are distributions, so that their true moments and independent draws are at hand.
"""

from __future__ import annotations

import numpy as np

from suffice._core.errors import InvalidParameter, check_number
from suffice.distributions import MixtureDistribution, MultivariateNormal


def two_modes(variance: float = 0.05) -> MixtureDistribution:
    """Equal parts of two round normal densities at [−1, −1] and [2, 2].

    Examples
    --------
    >>> from suffice.inference import two_modes
    >>> two_modes().mean, two_modes().cov
    (array([0.5, 0.5]), array([[2.3 , 2.25], [2.25, 2.3 ]]))
    """
    cov = check_number("variance", variance, low=0.0, strict=True) * np.eye(2)
    modes = (MultivariateNormal([-1.0, -1.0], cov), MultivariateNormal([2.0, 2.0], cov))
    return MixtureDistribution([0.5, 0.5], modes)


def narrow_ridge(correlation: float = 0.99) -> MultivariateNormal:
    """A normal density of two numbers of variance one with that correlation.

    Examples
    --------
    >>> from suffice.inference import narrow_ridge
    >>> narrow_ridge(0.9).cov
    array([[1. , 0.9], [0.9, 1. ]])
    """
    r = check_number("correlation", correlation)
    if not -1 < r < 1:
        raise InvalidParameter(f"correlation must lie between −1 and 1; got {correlation!r}.")
    return MultivariateNormal([0.0, 0.0], [[1.0, r], [r, 1.0]])
