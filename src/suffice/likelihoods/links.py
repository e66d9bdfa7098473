r"""Link functions: η = g(μ), and the way back with its derivatives.

    identity μ   log log μ   logit log μ/(1 − μ)   probit Φ⁻¹(μ)   cloglog log(−log(1 − μ))   sqrt √μ   reciprocal 1/μ

A likelihood has a link of its own, for which its formulas are written: a. With another link, a is a function of η, and
the chain rule needs a, a′ and a″. They are taken on the scale of a itself (`log_terms`, `odds_terms`): μ = 1e-400 has a
logarithm and μ = 1 − 1e-300 has log odds, while neither has digits left to divide by.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from scipy.special import expit, log_expit, log_ndtr, logit, ndtr, ndtri

from suffice._core.errors import InvalidParameter, check_choice
from suffice._core.params import Parametric
from suffice._core.records import record
from suffice.likelihoods._tails import bernoulli_ratio, mills, mills_curvature, rest_of_ratio

Terms = tuple[np.ndarray, np.ndarray, np.ndarray]


def log_terms_of(terms: Terms) -> Terms:
    """log μ and its derivatives, from μ and its own."""
    mean, slope, bend = terms
    return np.log(mean), slope / mean, bend / mean - (slope / mean) ** 2


def odds_terms_of(terms: Terms) -> Terms:
    """log μ/(1 − μ) and its derivatives, from μ and its own."""
    mean, slope, bend = terms
    q = 1 / (mean * (1 - mean))
    return logit(mean), slope * q, bend * q - (1 - 2 * mean) * (slope * q) ** 2


@dataclass(frozen=True)
class ExactScales:
    """Formulas for log μ and for the log odds as functions of η, where those of μ itself run out of digits."""

    log: Callable[[np.ndarray], Terms] | None = None
    odds: Callable[[np.ndarray], Terms] | None = None


class Link(Parametric, ABC):
    """η = g(μ), smooth and one to one, for η above `lowest`. Final classes are frozen records."""

    lowest: ClassVar[float] = -np.inf
    exact: ClassVar[ExactScales] = ExactScales()

    @abstractmethod
    def value(self, mean: Any) -> np.ndarray:
        """g(μ); infinite at the ends of the range of μ, NaN beyond."""

    @abstractmethod
    def terms(self, eta: np.ndarray) -> Terms:
        """μ, dμ/dη and d²μ/dη²."""

    def inside(self, eta: np.ndarray) -> np.ndarray:
        """Which η have a mean."""
        return np.isfinite(eta) & (np.asarray(eta) > self.lowest)

    def inverse(self, eta: np.ndarray) -> np.ndarray:
        """μ."""
        return self.terms(np.asarray(eta, dtype=float))[0]

    def log_terms(self, eta: np.ndarray) -> Terms:
        """log μ and its derivatives in η."""
        return log_terms_of(self.terms(eta)) if self.exact.log is None else self.exact.log(eta)

    def odds_terms(self, eta: np.ndarray) -> Terms:
        """log μ/(1 − μ) and its derivatives in η."""
        return odds_terms_of(self.terms(eta)) if self.exact.odds is None else self.exact.odds(eta)

    def pulled(self, link: Link, eta: np.ndarray) -> Terms:
        """a of this link, as a function of the η of another, with its derivatives."""
        raise InvalidParameter(
            f"{type(self).__name__} is not a link that formulas are written for; the likelihood must have identity, "
            f"log or logit as its own to take link={link!r}."
        )


@final
@record(repr=True)
class Identity(Link):
    """η = μ.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import Identity
    >>> Identity().inverse(np.array([-1.0, 2.0]))
    array([-1.,  2.])
    """

    def value(self, mean: Any) -> np.ndarray:
        return np.asarray(mean, dtype=float)

    def terms(self, eta: np.ndarray) -> Terms:
        return _itself(eta)

    def pulled(self, link: Link, eta: np.ndarray) -> Terms:
        return link.terms(eta)


def _itself(eta: np.ndarray) -> Terms:
    return eta, np.ones_like(eta), np.zeros_like(eta)


def _odds_of_log(eta: np.ndarray) -> Terms:
    """For η < 0: log odds = η − log(1 − e^η)."""
    rest = -np.expm1(eta)
    return eta - np.log(rest), 1 / rest, np.exp(eta) / rest**2


@final
@record(repr=True)
class Log(Link):
    """η = log μ.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import Log
    >>> Log().inverse(np.array([0.0, np.log(3.0)])).round(6)
    array([1., 3.])
    """

    exact = ExactScales(_itself, _odds_of_log)

    def value(self, mean: Any) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log(mean)

    def terms(self, eta: np.ndarray) -> Terms:
        mean = np.exp(eta)
        return mean, mean, mean

    def pulled(self, link: Link, eta: np.ndarray) -> Terms:
        return link.log_terms(eta)


def _log_of_logit(eta: np.ndarray) -> Terms:
    rest = expit(-eta)
    return log_expit(eta), rest, -expit(eta) * rest


@final
@record(repr=True)
class Logit(Link):
    """η = log μ/(1 − μ).

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import Logit
    >>> Logit().inverse(np.array([0.0, np.log(3.0)])).round(6)
    array([0.5 , 0.75])
    """

    exact = ExactScales(_log_of_logit, _itself)

    def value(self, mean: Any) -> np.ndarray:
        return logit(mean)

    def terms(self, eta: np.ndarray) -> Terms:
        mean, rest = expit(eta), expit(-eta)
        return mean, mean * rest, mean * rest * (rest - mean)

    def pulled(self, link: Link, eta: np.ndarray) -> Terms:
        return link.odds_terms(eta)


def _log_of_probit(eta: np.ndarray) -> Terms:
    return log_ndtr(eta), mills(eta), -mills_curvature(eta)


def _odds_of_probit(eta: np.ndarray) -> Terms:
    """log Φ(η) − log Φ(−η)."""
    a, slope = log_ndtr(eta) - log_ndtr(-eta), mills(eta) + mills(-eta)
    return a, slope, mills_curvature(-eta) - mills_curvature(eta)


@final
@record(repr=True)
class Probit(Link):
    """η = Φ⁻¹(μ), the normal quantile.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import Probit
    >>> Probit().value(np.array([0.5, 0.975])).round(4)
    array([0.  , 1.96])
    """

    exact = ExactScales(_log_of_probit, _odds_of_probit)

    def value(self, mean: Any) -> np.ndarray:
        return ndtri(mean)

    def terms(self, eta: np.ndarray) -> Terms:
        density = np.exp(-0.5 * eta**2) / np.sqrt(2 * np.pi)
        return ndtr(eta), density, -eta * density


def _log_of_cloglog(eta: np.ndarray) -> Terms:
    """log(1 − e^−E), E = e^η: the slope is E/(e^E − 1), from one for rare events to zero."""
    rate = np.exp(eta)
    slope = bernoulli_ratio(rate)
    rest = -np.expm1(-rate)
    return np.log(rest), slope, slope * (rest_of_ratio(rate) - rate)


def _odds_of_cloglog(eta: np.ndarray) -> Terms:
    """log(e^E − 1) = E + log(1 − e^−E)."""
    rate = np.exp(eta)
    ratio = bernoulli_ratio(rate)
    slope = rate + ratio  # E / (1 − e^−E)
    return rate + np.log(-np.expm1(-rate)), slope, slope * rest_of_ratio(rate)


@final
@record(repr=True)
class ComplementaryLogLog(Link):
    """η = log(−log(1 − μ)): whether at least one event happened, at a log rate of η.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import ComplementaryLogLog
    >>> ComplementaryLogLog().inverse(np.array([0.0])).round(6)
    array([0.632121])
    """

    exact = ExactScales(_log_of_cloglog, _odds_of_cloglog)

    def value(self, mean: Any) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log(-np.log1p(-np.asarray(mean, dtype=float)))

    def terms(self, eta: np.ndarray) -> Terms:
        rate = np.exp(eta)
        slope = np.exp(eta - rate)
        return -np.expm1(-rate), slope, slope - rate * slope


@final
@record(repr=True)
class SquareRoot(Link):
    """η = √μ, for η > 0.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import SquareRoot
    >>> SquareRoot().value(np.array([9.0]))
    array([3.])
    """

    lowest = 0.0
    exact = ExactScales(log=lambda eta: (2 * np.log(eta), 2 / eta, -2 / eta**2))

    def value(self, mean: Any) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            return np.sqrt(mean)

    def terms(self, eta: np.ndarray) -> Terms:
        return eta**2, 2 * eta, np.full_like(eta, 2.0)


@final
@record(repr=True)
class Reciprocal(Link):
    """η = 1/μ, for η > 0: the link of waiting times, whose rate is linear.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import Reciprocal
    >>> Reciprocal().inverse(np.array([4.0]))
    array([0.25])
    """

    lowest = 0.0
    exact = ExactScales(log=lambda eta: (-np.log(eta), -1 / eta, eta**-2.0))

    def value(self, mean: Any) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return 1 / np.asarray(mean, dtype=float)

    def terms(self, eta: np.ndarray) -> Terms:
        return 1 / eta, -(eta**-2.0), 2 * eta**-3.0


LINKS: dict[str, Link] = {
    "identity": Identity(),
    "log": Log(),
    "logit": Logit(),
    "probit": Probit(),
    "cloglog": ComplementaryLogLog(),
    "sqrt": SquareRoot(),
    "reciprocal": Reciprocal(),
}


def as_link(link: Any) -> Link:
    """A link, from itself or its name."""
    if isinstance(link, Link):
        return link
    if not isinstance(link, str):
        raise InvalidParameter(
            f"link must be a Link or one of {', '.join(map(repr, LINKS))}; got {link!r:.60}."
        )
    check_choice("link", link, tuple(LINKS))
    return LINKS[link]
