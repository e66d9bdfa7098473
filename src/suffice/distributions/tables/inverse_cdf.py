"""Sampling by the inverse of the distribution function: break a stick of length one into pieces p₁, p₂, …"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.random import generator
from suffice.distributions._checks import frozen, parameter, probability, sample_shape
from suffice.distributions.tables._text import check_sum


def inverse_cdf_sample(probabilities: Any, n: int | None = None, rng: Any = None, values: Any = None) -> Any:
    """`n` draws from a finite list: u ~ U[0, 1), then the piece of the stick that contains u.

    The draws are positions in the list, or the `values` that stand there.

    Examples
    --------
    >>> from suffice.distributions import inverse_cdf_sample
    >>> inverse_cdf_sample([0.2, 0.5, 0.3], n=6, rng=1, values=["cat", "dog", "owl"])
    array(['dog', 'owl', 'cat', 'owl', 'dog', 'dog'], dtype='<U3')
    """
    p = check_sum("probabilities", parameter("probabilities", probabilities, low=0.0))
    if p.ndim != 1:
        raise InvalidInput(f"probabilities must be a vector; got shape {p.shape}.")
    index = stick(p, generator(rng).random(sample_shape(n)))
    if values is None:
        return index
    values = frozen(np.array(values))
    if values.shape[:1] != p.shape:
        raise InvalidInput(f"values must have one entry per probability, {len(p)}; got shape {values.shape}.")
    return values[index]


def stick(p: np.ndarray, u: Any) -> Any:
    """The largest k with p₁ + … + pₖ₋₁ ≤ u, counting from 0; pieces of length zero are never chosen."""
    possible = np.flatnonzero(p)
    starts = np.cumsum(p[possible])[:-1]
    return possible[np.searchsorted(starts, probability(u), side="right")]
