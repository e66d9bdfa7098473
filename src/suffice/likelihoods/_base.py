r"""What a likelihood is to a model that is linear in its weights: log p(y | a), a = φ(x)ᵀ w, and its derivatives in a.

    gradient   g = ∂ log p / ∂a          the weights' gradient is Φᵀ g
    curvature  v = −∂² log p / ∂a²       their Hessian is −Φᵀ diag(v) Φ

One row needs nothing but its own a, so everything is elementwise. Where there are several functions per row (softmax),
a and g have a last axis of K, and v two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from suffice._core.errors import InvalidInput, Unsupported
from suffice._core.params import Parametric
from suffice.distributions import Distribution
from suffice.likelihoods.links import Link


class Likelihood(Parametric, ABC):
    """p(y | a). Final classes are frozen records, which write down every formula or take it from a class below."""

    # -- of a row, given its a -------------------------------------------------------------------------------
    @abstractmethod
    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """log p(y | a), one per row; finite for |a| up to 700."""

    @abstractmethod
    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """∂ log p / ∂a."""

    @abstractmethod
    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """−∂² log p / ∂a²."""

    @abstractmethod
    def terms(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """log p, gradient and curvature together, where they share work."""

    @abstractmethod
    def slopes(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """log p and gradient, for passes that need no curvature."""

    @abstractmethod
    def bends(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient and curvature, for passes that need no log p."""

    @abstractmethod
    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        """E[curvature] over y: Fisher's information about a."""

    @abstractmethod
    def mean(self, a: np.ndarray) -> np.ndarray:
        """E[y | a]: the inverse of the link function."""

    @abstractmethod
    def distribution(self, a: np.ndarray) -> Distribution:
        """p(· | a), one per row."""

    # -- of targets --------------------------------------------------------------------------------------------
    @abstractmethod
    def saturated(self, y: np.ndarray) -> np.ndarray:
        """The largest log p(y | a) over all a, one per row."""

    @abstractmethod
    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """2 (saturated − log p), one per row: zero for a perfect fit."""

    @abstractmethod
    def check(self, y: Any) -> np.ndarray:
        """Targets as this likelihood counts them, or an error that names the first wrong one."""

    @abstractmethod
    def link(self, mean: Any) -> np.ndarray:
        """The a that has this mean: the link function, infinite at the ends of its range."""

    @property
    def own_link(self) -> Link:
        """The link that a belongs to."""
        raise Unsupported(f"{type(self).__name__} has no link that could be exchanged for another.")

    # -- of scatter ----------------------------------------------------------------------------------------------
    @property
    @abstractmethod
    def has_dispersion(self) -> bool:
        """Whether a parameter besides the mean says how far targets scatter."""

    @abstractmethod
    def dispersed(self, dispersion: float) -> Likelihood:
        """The same mean with so many times the variance, where one of the family has it."""

    @abstractmethod
    def spread(self, a: np.ndarray, dispersion: float) -> Distribution:
        """p(· | a) with so many times the variance."""

    @abstractmethod
    def likeliest_dispersion(self, deviance: float) -> float:
        """The dispersion of maximum likelihood, from the mean deviance per row."""

    # -- of functions ----------------------------------------------------------------------------------------------
    @property
    @abstractmethod
    def n_functions(self) -> int:
        """Columns of a; one unless a row needs several."""

    @property
    @abstractmethod
    def several(self) -> bool:
        """Whether a has an axis of functions, even if there is one."""


class OneFunction(Likelihood, ABC):
    """A likelihood of rows with one a each."""

    @property
    def n_functions(self) -> int:
        return 1

    @property
    def several(self) -> bool:
        return False


class SeparateFormulas(OneFunction, ABC):
    """One whose formulas share no work."""

    def terms(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.log_prob(y, a), self.gradient(y, a), self.curvature(y, a)

    def slopes(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.log_prob(y, a), self.gradient(y, a)

    def bends(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.gradient(y, a), self.curvature(y, a)


class KnownVariance(Likelihood, ABC):
    """One whose mean says how far targets scatter."""

    @property
    def has_dispersion(self) -> bool:
        return False

    def dispersed(self, dispersion: float) -> Likelihood:
        raise self._no_dispersion()

    def spread(self, a: np.ndarray, dispersion: float) -> Distribution:
        raise self._no_dispersion()

    def likeliest_dispersion(self, deviance: float) -> float:
        raise Unsupported(f"{type(self).__name__} has no dispersion.")

    def _no_dispersion(self) -> Unsupported:
        return Unsupported(
            f"{type(self).__name__} has the variance that its mean implies; with another there is a mean and a "
            "variance (quasi-likelihood), but no distribution."
        )


class OwnDispersion(Likelihood, ABC):
    """One with a parameter for how far targets scatter."""

    @property
    def has_dispersion(self) -> bool:
        return True

    def spread(self, a: np.ndarray, dispersion: float) -> Distribution:
        return self.dispersed(dispersion).distribution(a)


class WithLink(Likelihood, ABC):
    """One whose a is a link of its mean."""

    natural_link: ClassVar[Link]

    @property
    def own_link(self) -> Link:
        return self.natural_link

    def link(self, mean: Any) -> np.ndarray:
        return self.natural_link.value(mean)


def twice_below_saturated(likelihood: Likelihood, y: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The deviance as a difference of log probabilities, for those in which no terms cancel."""
    return 2 * (likelihood.saturated(y) - likelihood.log_prob(y, a))


LARGE = 1e6  # counts and shapes from which the terms of log p cancel


def large(*values: Any) -> bool:
    """Whether log p is to be taken as its largest value less half the deviance, in which no terms cancel."""
    return any(np.max(v, initial=0.0) > LARGE for v in values)


def refuse(name: str, y: np.ndarray, bad: np.ndarray, domain: str, way_out: str) -> None:
    """Raise for the first target outside the domain."""
    if np.any(bad):
        row = int(np.argmax(bad))
        raise InvalidInput(f"{name} takes {domain}; got {np.asarray(y)[row]!r:.40} at row {row}. {way_out}")


def as_targets(y: Any) -> np.ndarray:
    """A vector of finite numbers."""
    try:
        values = np.asarray(y, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(f"Targets must be numbers; got {np.asarray(y).flat[0]!r:.40}.") from None
    if values.ndim != 1:
        raise InvalidInput(f"Targets must be a vector; got shape {values.shape}.")
    if not np.isfinite(values).all():
        row = int(np.argmax(~np.isfinite(values)))
        raise InvalidInput(f"Targets contain {values[row]} at row {row}; remove such rows.")
    return values
