r"""A likelihood from two functions: DTU's general linear model (eq. 8.23, Method 8.3.1).

    ŷ = g(a),   cost d(y, ŷ),   log p = −d(y, g(a)) up to a constant

`g` is what statistics calls the inverse of the link. Derivatives in a are given or central differences, whose error is
of the order 1e-10 for the gradient and 1e-7 for the curvature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np

from suffice._core.errors import InvalidParameter, Unsupported
from suffice._core.records import record
from suffice.distributions import Distribution
from suffice.likelihoods._base import KnownVariance, SeparateFormulas, as_targets, twice_below_saturated

STEP_ONE, STEP_TWO = 6e-6, 1e-4  # about ∛eps and ⁴√eps, in units of 1 + |a|


@final
@record(repr=True)
class CustomLikelihood(KnownVariance, SeparateFormulas):
    """exp(−cost(y, mean(a))), for any pair of functions on arrays.

    Parameters
    ----------
    inverse_link
        a → ŷ, elementwise.
    cost
        (y, ŷ) → cost of each row.
    slope, bend
        First and second derivative of a → cost, as functions of (y, a); differences without them.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import CustomLikelihood
    >>> squares = CustomLikelihood(lambda a: a, lambda y, yhat: (y - yhat) ** 2)
    >>> squares.gradient(np.array([3.0]), np.array([1.0])).round(6)
    array([4.])
    """

    inverse_link: Callable[[np.ndarray], np.ndarray]
    cost: Callable[[np.ndarray, np.ndarray], np.ndarray]
    slope: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    bend: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None

    def __post_init__(self) -> None:
        for name in ("inverse_link", "cost"):
            if not callable(getattr(self, name)):
                raise InvalidParameter(f"{name} must be a function; got {getattr(self, name)!r}.")

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return -np.asarray(self.cost(y, self.inverse_link(a)), dtype=float)

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        if self.slope is not None:
            return -np.asarray(self.slope(y, a), dtype=float)
        h = STEP_ONE * (1 + np.abs(a))
        return (self.log_prob(y, a + h) - self.log_prob(y, a - h)) / (2 * h)

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        if self.bend is not None:
            return np.asarray(self.bend(y, a), dtype=float)
        h = STEP_TWO * (1 + np.abs(a))
        return -(self.log_prob(y, a + h) - 2 * self.log_prob(y, a) + self.log_prob(y, a - h)) / h**2

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        raise Unsupported("A cost is no density, so nothing is expected under it; use curvature.")

    def link(self, mean: Any) -> np.ndarray:
        raise Unsupported("The inverse of inverse_link is not known; give a starting point instead.")

    def mean(self, a: np.ndarray) -> np.ndarray:
        return np.asarray(self.inverse_link(a), dtype=float)

    def distribution(self, a: np.ndarray) -> Distribution:
        raise Unsupported(
            "A cost does not say how targets are distributed; use a likelihood that is a density."
        )

    def saturated(self, y: np.ndarray) -> np.ndarray:
        """Zero: the cost of a perfect fit."""
        return np.zeros(len(y))

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return twice_below_saturated(self, y, a)

    def check(self, y: Any) -> np.ndarray:
        return as_targets(y)
