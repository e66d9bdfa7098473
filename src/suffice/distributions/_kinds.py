"""What some distributions share, between the two kinds of `_base.py` and the final classes.

`FitsFromStatistics` and `WithoutStatistics` say how a fit goes; `SummedTails` and `AboutCentre` how tails are found.
As in `_base.py` a method is abstract or final. Properties that many classes have are named here once and assigned
there.
"""

from __future__ import annotations

from abc import abstractmethod
from types import ModuleType
from typing import TYPE_CHECKING, Any, Never, Self, final

import numpy as np

from suffice._core.errors import Unsupported
from suffice.distributions._base import Distribution, Univariate
from suffice.distributions._checks import real
from suffice.distributions._numerics.scale import standardized

# -- properties ------------------------------------------------------------------------------------------
root_of_variance = property(lambda self: np.sqrt(self.var), doc="√var.")


def always(value: int, doc: str) -> property:
    """The same number for every member of a class."""
    return property(lambda self: value, doc=doc)


def squared_std(doc: str) -> property:
    """A variance that is found from the standard deviation."""
    return property(lambda self: self.std**2, doc=doc)


def last_axis_of(field: str, doc: str) -> property:
    """How many numbers the last axis of a field has."""
    return property(lambda self: getattr(self, field).shape[-1], doc=doc)


# -- fits ------------------------------------------------------------------------------------------------
class FitsFromStatistics(Distribution):
    """Statistics of fixed size hold all that a fit needs."""

    @classmethod
    @abstractmethod
    def from_statistics(cls, statistics: Any) -> Self:
        """Maximum likelihood from statistics."""

    @final
    @classmethod
    def fit(cls, x: Any, weight: Any = None) -> Self:
        """Maximum likelihood; weight 2 counts a row twice."""
        return cls.from_statistics(cls.statistics(x, weight))


class WithoutStatistics(Distribution):
    """A fit needs all the data."""

    @final
    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Never:
        """There are none of fixed size."""
        name = cls.__name__
        raise Unsupported(
            f"{name} has no sufficient statistics of fixed size; call {name}.fit with all the data."
        )


# -- tails -----------------------------------------------------------------------------------------------
class SummedTails(Univariate):
    """Tails are sums of a table of probabilities, and as exact in logarithms."""

    @final
    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x)."""
        with np.errstate(divide="ignore"):
            return np.log(self.cdf(x))

    @final
    def log_sf(self, x: Any) -> Any:
        """log P(X > x)."""
        with np.errstate(divide="ignore"):
            return np.log(self.sf(x))


class AboutCentre(Univariate):
    """Symmetric about `loc`, in units of `scale`: all tails are the upper one of z = (x − loc)/scale."""

    if TYPE_CHECKING:
        loc: Any
        scale: Any

    mode = property(lambda self: self.loc, doc="Where the density is highest: the centre.")

    @abstractmethod
    def _upper(self, z: Any) -> Any:
        """P(Z > z)."""

    @abstractmethod
    def _log_upper(self, z: Any) -> Any:
        """log P(Z > z), also where it underflows."""

    @final
    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""
        return self._upper(-self._standardized(x))

    @final
    def sf(self, x: Any) -> Any:
        """P(X > x)."""
        return self._upper(self._standardized(x))

    @final
    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        return self._log_upper(-self._standardized(x))

    @final
    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        return self._log_upper(self._standardized(x))

    @final
    def _standardized(self, x: Any) -> Any:
        return standardized(real(x, self.batch_shape), self.loc, self.scale)


# -- conjugacy -------------------------------------------------------------------------------------------
def conjugacy() -> ModuleType:
    """`conjugate/conjugacy.py`, which imports every prior and so is loaded after them."""
    from suffice.distributions.conjugate import conjugacy

    return conjugacy
