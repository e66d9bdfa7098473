r"""A mixture: one of several distributions, chosen at random.

Density      p(x) = Σ π_k p_k(x), by the log of a sum of exponentials
Moments      E X = Σ π_k μ_k,  Cov X = Σ π_k (Σ_k + (μ_k − E X)(μ_k − E X)ᵀ)
Tails        P(X > x) = Σ π_k P_k(X > x)
Quantiles    by bisection between those of the components; mode and entropy by search and quadrature

The components are distributions of numbers (all with a density or all discrete) or of vectors. Of vectors
there are densities, moments, marginals and draws, no quantiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NoReturn, final

import numpy as np

from suffice._core.errors import InvalidParameter, Unsupported
from suffice._core.numerics import log_sum_exp
from suffice._core.random import streams
from suffice._core.records import record
from suffice.distributions._base import Distribution, Univariate
from suffice.distributions._checks import assign, common_shape, parameter, probability, sample_shape
from suffice.distributions._discrete import first_number
from suffice.distributions._numeric import has_atoms, minimum, nodes
from suffice.distributions._simplex import normalized
from suffice.distributions.categorical import Categorical

_TAIL = 10.0 ** -np.array(
    [300, 200, 100, 60, 40, 30, 25, 20, 17, 15, 13, 11, 9, 8, 7, 6, 5, 4, 3, 2.5, 2, 1.5]
)
_BREAKS = np.r_[_TAIL, np.arange(0.05, 0.96, 0.05), 1 - _TAIL[_TAIL > 1e-16][::-1]]
_NODES, _WEIGHTS = (a / 2 for a in np.polynomial.legendre.leggauss(16))


@final
@record
class MixtureDistribution(Univariate):
    """A weighted mixture of distributions of one kind or several.

    Parameters
    ----------
    weights
        Probability of each component, summing to one.
    components
        The distributions: a sequence, or one batch whose last axis counts the components.

    Examples
    --------
    >>> from suffice.distributions import MixtureDistribution, Normal, StudentT
    >>> d = MixtureDistribution([0.25, 0.75], Normal([0.0, 4.0], [1.0, 0.5]))
    >>> print(f"{d.mean} {d.var:.4f} {d.mode:.3f} {d.cdf(2.0):.5f} {d.quantile(0.5):.4f}")
    3.0 3.4375 4.000 0.24434 3.7847
    >>> MixtureDistribution([0.9, 0.1], [Normal(0, 1), StudentT(3)])
    MixtureDistribution(weights=[0.9, 0.1], components=(Normal(mean=0, std=1), StudentT(dof=3, loc=0, scale=1)))
    """

    weights: Any
    components: Any

    _event_ndim: ClassVar[dict[str, int]] = {"weights": 1, "components": 0}
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        weights = parameter("weights", self.weights, low=0.0)
        if weights.ndim == 0 or weights.shape[-1] == 0:
            raise InvalidParameter(f"weights must have shape (..., K), K >= 1; got {weights.shape}.")
        parts = _parts(self.components, weights.shape[-1])
        shapes = {f"component {k}": part.batch_shape for k, part in enumerate(parts)}
        batch = common_shape(weights=weights.shape[:-1], **shapes)
        parts = tuple(part if part.batch_shape == batch else part._broadcast(batch) for part in parts)
        weights = np.broadcast_to(normalized(weights), (*batch, weights.shape[-1]))
        assign(self, weights=weights, components=parts)

    def _terms(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of weight and component."""
        return zip(np.moveaxis(self.weights, -1, 0), self.components, strict=True)

    @property
    def _vector(self) -> bool:
        return np.ndim(self.components[0].mean) > len(self.batch_shape)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """Σ π μ."""
        return np.sum([self._times(w, c.mean) for w, c in self._terms()], axis=0)[()]

    @property
    def var(self) -> Any:
        """Σ π (σ² + (μ − mean)²), of each coordinate."""
        mean = self.mean
        return np.sum([self._times(w, c.var + (c.mean - mean) ** 2) for w, c in self._terms()], axis=0)[()]

    @property
    def std(self) -> Any:
        """√var."""
        return np.sqrt(self.var)

    @property
    def cov(self) -> Any:
        """Σ π (Σ + (μ − mean)(μ − mean)ᵀ), for vectors."""
        if not self._vector:
            raise Unsupported("cov belongs to mixtures of vectors; take .var.")
        gaps = [c.mean - self.mean for c in self.components]
        spread = [
            c.cov + g[..., :, None] * g[..., None, :] for g, c in zip(gaps, self.components, strict=True)
        ]
        return np.sum(
            [w[..., None, None] * s for (w, _), s in zip(self._terms(), spread, strict=True)], axis=0
        )

    @property
    def mode(self) -> Any:
        """Where the density is highest: found by a search between the modes of the components."""
        return self._each(_mode)

    def entropy(self) -> Any:
        """−E log p(X): a sum over the values, or a quadrature good to about nine digits."""
        return self._each(_entropy)

    def _times(self, w: Any, value: Any) -> Any:
        return (w[..., None] if self._vector else w) * value

    def _each(self, f: Callable[[MixtureDistribution], float]) -> Any:
        """f of every element of the batch."""
        if self._vector:
            raise Unsupported("mode and entropy are not computed for mixtures of vectors.")
        values = [f(self[index] if index else self) for index in np.ndindex(self.batch_shape)]
        return np.reshape(np.array(values, dtype=float), self.batch_shape)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """log Σ π_k p_k(x)."""
        return self._log_sum([c.log_prob(x) for c in self.components])

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x) = Σ π_k P_k(X ≤ x)."""
        return np.minimum(np.sum([w * c.cdf(x) for w, c in self._terms()], axis=0), 1.0)[()]

    def sf(self, x: Any) -> Any:
        """P(X > x) = Σ π_k P_k(X > x)."""
        return np.minimum(np.sum([w * c.sf(x) for w, c in self._terms()], axis=0), 1.0)[()]

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        logs = self._log_sum([c.log_cdf(x) for c in self.components])
        return np.where(logs > -0.5, np.log1p(-np.minimum(self.sf(x), 0.5)) + 0.0, logs)[()]

    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        logs = self._log_sum([c.log_sf(x) for c in self.components])
        return np.where(logs > -0.5, np.log1p(-np.minimum(self.cdf(x), 0.5)) + 0.0, logs)[()]

    def _log_sum(self, logs: list[Any]) -> Any:
        """log Σ π exp(log): components of weight zero do not count, an infinite density is kept."""
        stack = np.stack(np.broadcast_arrays(*logs), axis=-1)
        with np.errstate(divide="ignore"):
            stack = np.where(self.weights > 0, stack + np.log(self.weights), -np.inf)
        top = np.max(stack, axis=-1)
        with np.errstate(invalid="ignore"):
            return np.where(np.isposinf(top), np.inf, log_sum_exp(stack))[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest x with P(X ≤ x) ≥ p, to the last digit."""
        p = np.asarray(probability(p, self.batch_shape))
        inside = np.where((p == 0) | (p == 1), 0.5, p)
        upper = inside > 0.5

        def reaches(x: Any) -> Any:
            return (self.cdf(x) >= inside) | (upper & (self.sf(x) <= 1 - inside))

        low, high = self._between_components(inside)
        found = first_number(reaches, low, high)
        return np.where(
            p == 0,
            self._between_components(0.0)[0],
            np.where(p == 1, self._between_components(1.0)[1], found),
        )[()]

    def _between_components(self, p: Any) -> tuple[Any, Any]:
        """The smallest and the largest p-quantile of the components that count."""
        each = np.stack(np.broadcast_arrays(*(c.quantile(p) for c in self.components)), axis=-1)
        used = self.weights > 0
        return np.min(np.where(used, each, np.inf), axis=-1), np.max(np.where(used, each, -np.inf), axis=-1)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch, *event): a component, then a draw from it."""
        first, *rest = streams(rng, len(self.components) + 1)
        sample_shape(n)
        label = np.asarray(Categorical(self.weights).sample(n, first))
        draws = [np.asarray(c.sample(n, r)) for c, r in zip(self.components, rest, strict=True)]
        label = label[..., None] if self._vector else label
        return np.select([label == k for k in range(len(draws))], draws)[()]

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> NoReturn:
        """There are none of fixed size."""
        raise Unsupported(
            "MixtureDistribution has no finite sufficient statistics; fit a mixture model by EM."
        )

    @classmethod
    def fit(cls, x: Any, weight: Any = None) -> NoReturn:
        """There is no closed form."""
        raise Unsupported("MixtureDistribution is not fitted directly; fit a mixture model by EM.")

    @property
    def n_parameters(self) -> int:
        """K − 1 weights and the parameters of the components."""
        return len(self.components) - 1 + sum(c.n_parameters for c in self.components)

    # -- extras ------------------------------------------------------------------------------------------

    def marginal(self, idx: Any) -> MixtureDistribution:
        """Some coordinates of a mixture of vectors: the mixture of the components' marginals."""
        if not self._vector:
            raise Unsupported("marginal belongs to mixtures of vectors.")
        return MixtureDistribution(self.weights, [c.marginal(idx) for c in self.components])

    def responsibilities(self, x: Any) -> Any:
        """P(component | x), shape (..., K)."""
        logs = np.stack(np.broadcast_arrays(*(c.log_prob(x) for c in self.components)), axis=-1)
        with np.errstate(divide="ignore"):
            logs = np.where(self.weights > 0, logs + np.log(self.weights), -np.inf)
        return np.exp(logs - np.asarray(self.log_prob(x))[..., None])


def _parts(components: Any, k: int) -> tuple[Any, ...]:
    """K distributions of the same kind of value."""
    if isinstance(components, Distribution):
        if components.batch_shape[-1:] != (k,):
            raise InvalidParameter(
                f"components must be a batch with {k} in its last axis; got the batch {components.batch_shape}."
            )
        return tuple(components[..., i] for i in range(k))
    parts = tuple(components)
    if len(parts) != k or not all(isinstance(part, Distribution) for part in parts):
        raise InvalidParameter(f"components must be {k} distributions, one per weight; got {components!r}.")
    events = {np.shape(part.mean)[len(part.batch_shape) :] for part in parts}
    if len(events) > 1:
        raise InvalidParameter(f"components must have values of one shape; got {sorted(events)}.")
    if events == {()} and len({has_atoms(_first(part)) for part in parts}) > 1:
        raise InvalidParameter("components must all have a density or all be discrete; got both.")
    return parts


def _first(d: Any) -> Any:
    """One element of a batch."""
    return d[(0,) * len(d.batch_shape)] if d.batch_shape else d


def _breaks(d: MixtureDistribution) -> np.ndarray:
    """Quantiles of the components: between two neighbours the density is smooth."""
    points = np.unique(np.concatenate([c.quantile(_BREAKS) for w, c in d._terms() if w > 0]))
    return points[np.isfinite(points)]


def _mode(d: MixtureDistribution) -> float:
    used = [c for w, c in d._terms() if w > 0]
    if has_atoms(used[0]):
        values = np.unique(np.concatenate([nodes(c)[0] for c in used]))
        return float(values[np.argmax(d.log_prob(values))])
    modes, points = np.array([float(c.mode) for c in used]), _breaks(d)
    grid = np.unique(np.r_[modes, points[(points > modes.min()) & (points < modes.max())]])
    return minimum(lambda x: -float(d.log_prob(x)), grid) if len(grid) > 1 else float(grid[0])


def _entropy(d: MixtureDistribution) -> float:
    if has_atoms(d.components[0]):
        terms = [(w, *nodes(c)) for w, c in d._terms() if w > 0]
        return float(-sum(w * (mass @ d.log_prob(x)) for w, x, mass in terms))
    edges = _breaks(d)
    width = np.diff(edges)[:, None]
    logs = d.log_prob(edges[:-1, None] + width * (_NODES + 0.5))
    p = np.exp(logs)
    return float(-np.sum(width * _WEIGHTS * p * np.where(p > 0, np.where(p > 0, logs, 0.0), 0.0)))
