r"""A family with another link: log p(y | a(η)), where the mean is g⁻¹(η).

With a, a′, a″ of the way from η to the family's own a, and its gradient g and curvature v there:

    ∂ log p/∂η = g a′,   −∂² log p/∂η² = v a′² − g a″,   information E[v] a′²

Outside the range of the link (a rate below zero, say) log p is −∞, so Newton's method stays inside.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NoInformation, warn
from suffice._core.records import record
from suffice.distributions import Distribution
from suffice.likelihoods._base import Likelihood, OneFunction
from suffice.likelihoods.bernoulli_logit import BernoulliLogit
from suffice.likelihoods.bernoulli_probit import BernoulliProbit
from suffice.likelihoods.links import Link, Logit, Probit, Terms, as_link


@final
@record(repr=True)
class Linked(OneFunction):
    """A likelihood whose mean is another function of η.

    Parameters
    ----------
    family
        The likelihood with its own link.
    by
        η = g(mean).

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import BernoulliLogit, ComplementaryLogLog, Linked
    >>> rare = Linked(BernoulliLogit(), ComplementaryLogLog())
    >>> rare.mean(np.array([-700.0, 0.0, 3.0])).round(4)
    array([0.    , 0.6321, 1.    ])
    >>> rare.gradient(np.array([1.0, 1.0]), np.array([-700.0, 0.0])).round(4)
    array([1.   , 0.582])
    """

    family: Likelihood
    by: Link

    def __post_init__(self) -> None:
        if not isinstance(self.family, Likelihood):
            raise InvalidParameter(f"family must be a likelihood; got {self.family!r:.60}.")
        if not isinstance(self.by, Link):
            raise InvalidParameter(f"by must be a Link; got {self.by!r:.60}. `linked` takes names.")
        self._way(np.array([0.5]))  # an own link that cannot lead elsewhere says so

    # -- the way from η to a -----------------------------------------------------------------------------------
    def _way(self, eta: Any) -> tuple[Terms, np.ndarray]:
        """a, a′, a″, and which η have a mean; what stands elsewhere is harmless."""
        eta = np.asarray(eta, dtype=float)
        with np.errstate(all="ignore"):
            usable = self.by.inside(eta)
            a, slope, bend = self.family.own_link.pulled(self.by, np.where(usable, eta, 0.5))
            usable = usable & np.isfinite(a) & np.isfinite(slope)
            return (
                np.where(usable, a, 0.0),
                np.where(usable, slope, 0.0),
                np.where(usable, bend, 0.0),
            ), usable

    def inside(self, eta: Any) -> np.ndarray:
        """Which η have a mean that the family can have."""
        return self._way(eta)[1]

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.slopes(y, a)[0]

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.slopes(y, a)[1]

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.terms(y, a)[2]

    def slopes(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        (own, slope, _), usable = self._way(a)
        with np.errstate(all="ignore"):
            log_prob, g = self.family.slopes(y, own)
            return np.where(usable, log_prob, -np.inf), g * slope

    def terms(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        (own, slope, bend), usable = self._way(a)
        with np.errstate(all="ignore"):
            log_prob, g, v = self.family.terms(y, own)
            curvature = (np.sqrt(v) * slope) ** 2 - g * bend  # v vanishes before a′² overflows
            return np.where(usable, log_prob, -np.inf), g * slope, np.where(usable, curvature, 0.0)

    def bends(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.terms(y, a)[1:]

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        (own, slope, _), _ = self._way(a)
        with np.errstate(all="ignore"):
            return (np.sqrt(self.family.expected_curvature(own)) * slope) ** 2

    def link(self, mean: Any) -> np.ndarray:
        return self.by.value(self.family.own_link.inverse(self.family.link(mean)))

    @property
    def own_link(self) -> Link:
        return self.by

    def mean(self, a: np.ndarray) -> np.ndarray:
        """E[y | η]; NaN, with a warning, where the link has none."""
        (own, _, _), usable = self._way(a)
        if not np.all(usable):
            warn(f"{self._outside(a, usable)} Predictions there are NaN.", NoInformation)
        return np.where(usable, self.family.mean(own), np.nan)

    def distribution(self, a: np.ndarray) -> Distribution:
        return self.family.distribution(self._own(a))

    def spread(self, a: np.ndarray, dispersion: float) -> Distribution:
        return self.family.spread(self._own(a), dispersion)

    def _own(self, eta: np.ndarray) -> np.ndarray:
        """a, or an error that names the first η without one."""
        (own, _, _), usable = self._way(eta)
        if not np.all(usable):
            raise InvalidInput(self._outside(eta, usable))
        return own

    def _outside(self, eta: np.ndarray, usable: np.ndarray) -> str:
        row = int(np.argmin(np.atleast_1d(usable)))
        return (
            f"The linear predictor is {np.atleast_1d(eta)[row]:.4g} at row {row}, which is no {type(self.by).__name__} "
            f"of a mean of {type(self.family).__name__}; rows so far out need another link."
        )

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return self.family.saturated(y)

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        (own, _, _), usable = self._way(a)
        with np.errstate(all="ignore"):
            return np.where(usable, self.family.deviance(y, own), np.inf)

    def check(self, y: Any) -> np.ndarray:
        return self.family.check(y)

    # -- dispersion --------------------------------------------------------------------------------------------
    @property
    def has_dispersion(self) -> bool:
        return self.family.has_dispersion

    def dispersed(self, dispersion: float) -> Linked:
        return Linked(self.family.dispersed(dispersion), self.by)

    def likeliest_dispersion(self, deviance: float) -> float:
        return self.family.likeliest_dispersion(deviance)


def linked(family: Likelihood, link: Any) -> Likelihood:
    """The family with a link, given as an object, a name, or None for its own; without detours where it has it already.

    Examples
    --------
    >>> from suffice.likelihoods import BernoulliLogit, PoissonLog, linked
    >>> linked(PoissonLog(), "sqrt")
    Linked(family=PoissonLog(), by=SquareRoot())
    >>> linked(BernoulliLogit(), "probit")
    BernoulliProbit()
    """
    if link is None:
        return family
    link = as_link(link)
    if link == family.own_link:
        return family
    if isinstance(family, BernoulliLogit | BernoulliProbit):
        return {Logit(): BernoulliLogit(), Probit(): BernoulliProbit()}.get(link) or Linked(
            BernoulliLogit(), link
        )
    return Linked(family, link)


__all__ = ["Linked", "linked"]
