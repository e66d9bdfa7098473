"""Fisher information: E{s sᵀ} of the score s = ∂ log p / ∂θ, n times that of one observation."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import NumericalError
from suffice.distributions._checks import parameter


def scalar_information(n: Any, information: Any) -> Any:
    """Of a single parameter."""
    return _finite(parameter("n", n, low=0.0) * np.asarray(information))[()]


def matrix_information(n: Any, first: Any, cross: Any, second: Any) -> np.ndarray:
    """Of two parameters, in the order of the constructor: (..., 2, 2)."""
    n = parameter("n", n, low=0.0)
    first, cross, second = np.broadcast_arrays(first, cross, second)
    rows = [np.stack([first, cross], axis=-1), np.stack([cross, second], axis=-1)]
    return _finite(np.asarray(n)[..., None, None] * np.stack(rows, axis=-2))


def _finite(information: np.ndarray) -> np.ndarray:
    if not np.all(np.isfinite(information)):
        raise NumericalError(
            "The Fisher information is infinite: a parameter lies on the edge of its range, where the distribution "
            "puts all probability on one value."
        )
    return information
