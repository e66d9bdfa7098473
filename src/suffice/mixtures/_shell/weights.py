"""Weights of components: what a user may give of them, and believe of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.records import frozen_array
from suffice.distributions import Dirichlet


def concentration_of(prior: Any, K: int) -> np.ndarray | None:
    """α of the Dirichlet prior on the weights."""
    if prior is None:
        return None
    alpha = prior.alpha if isinstance(prior, Dirichlet) else prior
    try:
        alpha = np.broadcast_to(np.asarray(alpha, dtype=float), (K,))
    except (TypeError, ValueError):
        raise InvalidParameter(
            f"weights_prior must be None, a number, or a Dirichlet of {K} components; got {prior!r:.80}."
        ) from None
    if not np.all((alpha >= 1) & np.isfinite(alpha)):
        raise InvalidParameter(
            "weights_prior must be finite and >= 1 (below, the most probable weights are on the edge); got "
            f"{prior!r:.80}."
        )
    return frozen_array(alpha)


def given_weights(
    value: Any, K: int, concentration: np.ndarray | None, name: str = "weights_init"
) -> np.ndarray:
    """Weights of a start, if they are such."""
    try:
        weights = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidParameter(f"{name} must be numbers; got {value!r:.80}.") from None
    if weights.shape != (K,):
        raise InvalidParameter(
            f"The parameter 'weights' should have the shape of ({K},), but got {weights.shape}: {name} must "
            "have one number per component."
        )
    if np.any((weights < 0) | (weights > 1)) or not np.isfinite(weights).all():
        raise InvalidParameter(
            f"The parameter 'weights' should be in the range [0, 1]; got {name} between {weights.min():.5f} "
            f"and {weights.max():.5f}."
        )
    if abs(weights.sum() - 1) > 1e-6:
        raise InvalidParameter(
            f"The parameter 'weights' should be normalized, but got sum(weights) = {weights.sum():.5f}; see "
            f"{name}."
        )
    if concentration is not None and np.any((weights == 0) & (concentration > 1)):
        raise InvalidParameter(
            f"{name} must be above zero where weights_prior is above 1; got {weights.tolist()!r:.80}."
        )
    return frozen_array(weights / weights.sum())
