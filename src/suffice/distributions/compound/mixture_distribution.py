r"""A mixture: one of several distributions, chosen at random.

Density      p(x) = Σ π_k p_k(x), by the log of a sum of exponentials
Moments      E X = Σ π_k μ_k,  Cov X = Σ π_k (Σ_k + (μ_k − E X)(μ_k − E X)ᵀ)
Tails        P(X > x) = Σ π_k P_k(X > x)
Quantiles    between those of the components, for a whole batch at once: by Newton's method and bisection, or by
             bisection over whole numbers where there is no density
Conditional  p(x_a | x_b) = Σ r_k p_k(x_a | x_b),  r_k ∝ π_k p_k(x_b)

Mode and entropy are found by search and quadrature. The components are distributions of numbers (all with a
density or all discrete) or of vectors. Of vectors there are densities, moments, marginals, conditionals and
draws, no quantiles; what is left of a vector when one coordinate remains is a mixture of numbers again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NoReturn, final

import numpy as np

from suffice._core.errors import InvalidParameter, Unsupported
from suffice._core.numerics import log_sum_exp
from suffice._core.random import streams
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import assign, common_shape, parameter, probability, sample_shape
from suffice.distributions._kinds import root_of_variance
from suffice.distributions._numerics.discrete import first_atom, first_number
from suffice.distributions._numerics.gaussian import observed
from suffice.distributions._numerics.one_dimensional import lumpy
from suffice.distributions._numerics.simplex import normalized
from suffice.distributions.compound import _mixture
from suffice.distributions.univariate.categorical import Categorical


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

    Of vectors, what is known of some coordinates tells about the others:

    >>> from suffice.distributions import MultivariateNormal
    >>> d = MixtureDistribution([0.5, 0.5], MultivariateNormal([[0, 0], [4, 4]], [[1, 0.8], [0.8, 1]]))
    >>> known = d.condition(0, 2.5)
    >>> print(known.weights.round(3), f"{known.mean:.3f} {known.quantile(0.9):.3f}")
    [0.119 0.881] 2.705 3.527
    """

    weights: Any
    components: Any

    _event_ndim: ClassVar[dict[str, int]] = {"weights": 1, "components": 0}
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        weights = parameter("weights", self.weights, low=0.0)
        if weights.ndim == 0 or weights.shape[-1] == 0:
            raise InvalidParameter(f"weights must have shape (..., K), K >= 1; got {weights.shape}.")
        parts = _mixture.components_of(self.components, weights.shape[-1])
        shapes = {f"component {k}": part.batch_shape for k, part in enumerate(parts)}
        batch = common_shape(weights=weights.shape[:-1], **shapes)
        parts = tuple(part if part.batch_shape == batch else part._broadcast(batch) for part in parts)
        weights = np.broadcast_to(normalized(weights), (*batch, weights.shape[-1]))
        assign(self, weights=weights, components=parts)

    def _terms(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of weight and component."""
        return zip(np.moveaxis(self.weights, -1, 0), self.components, strict=True)

    @property
    def _discrete(self) -> bool | tuple[bool, ...]:
        """That of the components, which agree on it."""
        return self.components[0]._discrete

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

    std = root_of_variance

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
        return self._each(_mixture.mode)

    def entropy(self) -> Any:
        """−E log p(X): a sum over the values, or a quadrature good to about nine digits."""
        return self._each(_mixture.entropy)

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
        """log Σ π_k p_k(x).

        A NaN cell of a vector is what the components make of it: a `ProductDistribution` integrates it out, others
        such as `MultivariateNormal` answer NaN; ask `marginal` of the known coordinates there.
        """
        return self._log_sum([c._log_prob_of_rows(x) for c in self.components])

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
        p = np.broadcast_to(p, np.broadcast_shapes(p.shape, self.batch_shape))
        inside = np.where((p == 0) | (p == 1), 0.5, p)
        found = np.asarray(self._inside_quantile(inside, *self._between_components(inside)))
        for end, k in ((0.0, 0), (1.0, 1)):
            if np.any(p == end):
                found = np.where(p == end, self._between_components(end)[k], found)
        return found[()]

    def _inside_quantile(self, p: np.ndarray, low: Any, high: Any) -> Any:
        """For 0 < p < 1: narrow brackets first, where there is a density; the few still wide by themselves."""
        search, wide, found = first_atom, np.asarray(low < high), np.array(high, dtype=float)
        if not lumpy(self):
            low, high, wide = _mixture.bracket(lambda x: self._excess(x, p), self.prob, p, low, high)
            search, found = first_number, self._first(first_number, p, np.where(wide, high, low), high)
        if np.any(wide):
            found[wide] = self._behind(wide)._first(search, p[wide], low[wide], high[wide])
        return found

    def _first(self, search: Callable[..., Any], p: np.ndarray, low: Any, high: Any) -> np.ndarray:
        """The first x from `low` on with P(X ≤ x) ≥ p."""
        return np.asarray(search(lambda x: self._excess(x, p) >= 0, low, high))

    def _excess(self, x: Any, p: np.ndarray) -> Any:
        """P(X ≤ x) − p, from the upper tail where that is the smaller."""
        below, upper = self.cdf(x) - p, p > 0.5
        return np.where(upper, np.maximum(below, 1 - p - self.sf(x)), below) if upper.any() else below

    def _behind(self, mask: np.ndarray) -> MixtureDistribution:
        """The elements of the batch that belong to a mask of values, one for each."""
        if not self.batch_shape:
            return self
        places = np.nonzero(mask)[mask.ndim - len(self.batch_shape) :]
        return self[tuple(at * (n > 1) for at, n in zip(places, self.batch_shape, strict=True))]

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
        if label.ndim == 1 and not self.batch_shape:
            return self._scattered(label, rest)
        draws = [np.asarray(c.sample(n, r)) for c, r in zip(self.components, rest, strict=True)]
        label = label[..., None] if self._vector else label
        return np.select([label == k for k in range(len(draws))], draws)[()]

    def _scattered(self, label: np.ndarray, rngs: list[np.random.Generator]) -> np.ndarray:
        """As many draws from each component as labels (N,) name it, in their places."""
        places = [np.flatnonzero(label == k) for k in range(len(rngs))]
        draws = [c.sample(len(at), r) for c, at, r in zip(self.components, places, rngs, strict=True)]
        out = np.empty((len(label), *np.shape(draws[0])[1:]), dtype=np.result_type(*draws))
        for at, drawn in zip(places, draws, strict=True):
            out[at] = drawn
        return out

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
        """Some coordinates of a mixture of vectors: the mixture of the components' marginals.

        An integer gives a mixture of numbers, with quantiles; a list, slice or mask one of vectors.
        """
        self._need_vectors("marginal")
        return MixtureDistribution(self.weights, [c.marginal(idx) for c in self.components])

    def condition(self, idx: Any, values: Any) -> MixtureDistribution:
        """The other coordinates, given that those in `idx` have `values`; NaN means not observed.

        Rows of values (N, len(idx)) give a batch of N. Where one coordinate is left it is a mixture of numbers,
        with quantiles: the regression of that coordinate on the others.
        """
        self._need_vectors("condition")
        _mixture.check_joint(self.components)
        seen, values, free = observed(idx, values, np.shape(self.mean)[-1], self.batch_shape)
        if len(seen) == 0:
            rest = self.marginal(int(free[0]) if len(free) == 1 else free)
            return rest._broadcast(np.broadcast_shapes(values.shape[:-1], self.batch_shape))
        logs = [np.asarray(c.marginal(seen).log_prob(values)) for c in self.components]
        share = _mixture.posterior(self.weights, np.stack(np.broadcast_arrays(*logs), axis=-1))
        _mixture.check_possible(share, seen, values)
        parts = [_mixture.given(c, seen, values, log) for c, log in zip(self.components, logs, strict=True)]
        return MixtureDistribution(share, parts)

    def _need_vectors(self, what: str) -> None:
        if not self._vector:
            raise Unsupported(f"{what} belongs to mixtures of vectors.")

    def responsibilities(self, x: Any) -> Any:
        """P(component | x), shape (..., K); NaN where x is impossible."""
        logs = np.stack(np.broadcast_arrays(*(c._log_prob_of_rows(x) for c in self.components)), axis=-1)
        return _mixture.posterior(self.weights, logs)
