r"""The histogram: a density that is constant in each bin.

Density      p(x) = n_i / (N Δ_i) for x in bin i of width Δ_i
Moments      E X = Σ π_i c_i,  Var X = Σ π_i ((c_i − E X)² + Δ_i²/12),  c_i the middle of bin i
Fit          n_i = Σ w over the observations in bin i; the last bin holds its right edge
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import entr

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._checks import (
    assign,
    check_total,
    frozen,
    parameter,
    probability,
    real,
    sample_shape,
    sample_values,
    weights,
)
from suffice.distributions._kinds import SummedTails, root_of_variance
from suffice.distributions._numerics.discrete import entry_at, masked, sums
from suffice.distributions._numerics.statistics import BinCounts


@final
@record
class Histogram(SummedTails):
    """A density made of boxes, of equal or different widths.

    Parameters
    ----------
    edges
        Ends of the bins in increasing order, one more than there are bins; shared by a batch.
    counts
        How much was seen in each bin: counts or any non-negative numbers.

    Examples
    --------
    >>> from suffice.distributions import Histogram
    >>> d = Histogram(edges=[0.0, 1.0, 3.0], counts=[1, 3])
    >>> print(d.prob([0.5, 2.0, 5.0]), d.mean, f"{d.quantile(0.5):.4f}")
    [0.25  0.375 0.   ] 1.625 1.6667
    >>> Histogram.fit([0.1, 0.4, 0.6, 2.0], bins=[0.0, 0.5, 2.0])
    Histogram(edges=[0. , 0.5, 2. ], counts=[2., 2.])
    """

    edges: Any
    counts: Any

    _event_ndim: ClassVar[dict[str, int]] = {"counts": 1}
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        edges, counts = _increasing("edges", self.edges), parameter("counts", self.counts, low=0.0)
        if counts.ndim == 0 or counts.shape[-1] != len(edges) - 1:
            raise InvalidParameter(
                f"counts must have one number per bin, {len(edges) - 1}; got {counts.shape}."
            )
        if np.any(counts.sum(axis=-1) <= 0):
            raise InvalidParameter("counts must have a positive sum; got zero.")
        assign(self, edges=edges, counts=counts)

    @property
    def _share(self) -> np.ndarray:
        """π (..., M)."""
        return self.counts / self.counts.sum(axis=-1, keepdims=True)

    @property
    def _width(self) -> np.ndarray:
        return np.diff(self.edges)

    @property
    def _middle(self) -> np.ndarray:
        return self.edges[:-1] + self._width / 2

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """Σ π c."""
        return np.sum(self._share * self._middle, axis=-1)

    @property
    def var(self) -> Any:
        """Σ π ((c − mean)² + Δ²/12)."""
        gap = self._middle - np.asarray(self.mean)[..., None]
        return np.sum(self._share * (gap**2 + self._width**2 / 12), axis=-1)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The middle of the bin where the density is highest; the first of several."""
        return self._middle[np.argmax(self._share / self._width, axis=-1)]

    def entropy(self) -> Any:
        """−Σ π log(π/Δ)."""
        return np.sum(entr(self._share) + self._share * np.log(self._width), axis=-1)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """log(n_i / (N Δ_i)) in bin i, −inf in empty bins and outside."""
        x = real(x, self.batch_shape)
        with np.errstate(divide="ignore"):
            height = entry_at(np.log(self._share / self._width), self._bin(x))
        return masked(height, (x >= self.edges[0]) & (x <= self.edges[-1]), x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x): the bins below, and a part of this one."""
        return self._tail(x, upper=False)

    def sf(self, x: Any) -> Any:
        """P(X > x): the bins above, and a part of this one."""
        return self._tail(x, upper=True)

    def _bin(self, x: Any) -> np.ndarray:
        """Number of the bin of x; the nearest one outside."""
        return np.clip(np.searchsorted(self.edges, x, side="right") - 1, 0, len(self.edges) - 2)

    def _tail(self, x: Any, upper: bool) -> Any:
        x = real(x, self.batch_shape)
        i, inside = self._bin(x), np.clip(x, self.edges[0], self.edges[-1])
        below, above = sums(self._share)
        part = entry_at(self._share, i) / self._width[i]
        if upper:
            value = entry_at(above, i + 1) + part * (self.edges[i + 1] - inside)
        else:
            value = entry_at(below, i) + part * (inside - self.edges[i])
        whole = x <= self.edges[0] if upper else x >= self.edges[-1]
        return np.where(whole, 1.0, np.minimum(value, 1.0))[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest x with P(X ≤ x) ≥ p, linear within a bin; empty bins are passed over."""
        p = np.asarray(probability(p, self.batch_shape))
        below, above = sums(self._share)
        i = np.argmax((below[..., 1:] >= p[..., None]) & (self._share > 0), axis=-1)
        share = entry_at(self._share, i)
        up = (p - entry_at(below, i)) / share  # from the left edge
        down = (1 - p - entry_at(above, i + 1)) / share  # from the right edge
        x = np.where(p < 0.5, self.edges[i] + up * self._width[i], self.edges[i + 1] - down * self._width[i])
        return np.clip(x, self.edges[i], self.edges[i + 1])[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        return self.quantile(generator(rng).random(sample_shape(n, self.batch_shape)))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None, bins: Any = 10) -> BinCounts:
        """Total weight in each bin. Statistics add when they have the same edges: give them as `bins`."""
        x = sample_values(x, ndim=1)
        w = weights(weight, len(x))
        check_total(float(len(x) if w is None else w.sum()))
        edges = _edges(x if w is None else x[w > 0], bins)
        outside = (x < edges[0]) | (x > edges[-1])
        if w is not None:
            outside &= w > 0
        if outside.any():
            raise InvalidInput(f"x must lie in the bins, {edges[0]:g} to {edges[-1]:g}; got {x[outside][0]}.")
        counts, _ = np.histogram(x, edges, weights=w)
        return BinCounts(edges, frozen(counts.astype(float)))

    @classmethod
    def from_statistics(cls, statistics: BinCounts) -> Histogram:
        """Maximum likelihood for these bins: the counts."""
        check_total(statistics.n)
        return cls(statistics.edges, statistics.counts)

    @classmethod
    def fit(cls, x: Any, weight: Any = None, bins: Any = 10) -> Histogram:
        """From a vector; `bins` is a number of bins of equal width, their edges, or a rule of numpy's."""
        return cls.from_statistics(cls.statistics(x, weight, bins))

    @property
    def n_parameters(self) -> int:
        """One less than there are bins."""
        return len(self.edges) - 2


def _increasing(name: str, value: Any) -> np.ndarray:
    edges = parameter(name, value)
    if edges.ndim != 1 or len(edges) < 2 or np.any(np.diff(edges) <= 0):
        raise InvalidParameter(f"{name} must be two or more increasing numbers; got {value!r}.")
    return edges


def _edges(x: np.ndarray, bins: Any) -> np.ndarray:
    if np.ndim(bins):
        return _increasing("bins", bins)
    if not isinstance(bins, str) and not (bins == int(bins) and bins >= 1):
        raise InvalidParameter(f"bins must be a number >= 1, edges or a rule; got {bins!r}.")
    return frozen(np.histogram_bin_edges(x, bins))
