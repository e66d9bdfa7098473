r"""Hierarchical priors: hyper-parameters with a prior of their own, by quadrature (FCML §3.5).

Model        η ~ p(η | κ),  θ_g | η ~ p(θ | η) for each group g,  D_g | θ_g
Hyper        p(η | D) ∝ p(η) Π_g p(D_g | η), the inner integrals in closed form
Evidence     p(D) = ∫ p(η) Π_g p(D_g | η) dη
Posterior    p(θ_g | D) = ∫ p(θ_g | D_g, η) p(η | D) dη, a mixture of conjugate posteriors
Predictive   p(x | D) = ∫ p(x | D_g, η) p(η | D) dη, a mixture of conjugate predictives

The integral over η is a double-exponential rule in u = F(η), which puts the hyper-prior's mass where it
belongs and copes with corners at 0 and ∞. Its step is halved until the evidence settles, on the range that
still matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from suffice._core.errors import InvalidParameter, NotConverged, NumericalError, warn
from suffice._core.numerics import log_sum_exp
from suffice._core.random import streams
from suffice._core.records import frozen_array, record
from suffice.distributions._base import Distribution, Univariate, check_level
from suffice.distributions._checks import probability, real, sample_shape
from suffice.distributions._kinds import root_of_variance
from suffice.distributions._numerics.discrete import first_number
from suffice.distributions._numerics.one_dimensional import check_single, has_atoms, nodes
from suffice.distributions.conjugate.conjugacy import conjugate_pairs, statistics

_REACH = 3.1  # |t| at the ends of the rule: beyond it weights are below 1e-15
_STEPS = 2.0 ** -np.arange(2, 12)
_SETTLED, _ROUGH = 1e-11, 1e-6  # relative changes of the log evidence: stop; say so
_NEGLIGIBLE = 45.0  # logs below the highest point
_DROPPED = 1e-14  # probability of the points that are left out
_MOST = 2_000_000  # points of the whole rule


# -- mixtures over a batch ----------------------------------------------------------------------------------
@record
class Averaged:
    """A distribution averaged over hyper-parameters: a batch of K components with K weights.

    It has the densities, moments and draws of any mixture, and the tails and quantiles of one of numbers.
    """

    weights: np.ndarray
    components: Any

    def __repr__(self) -> str:
        return f"<Averaged: {len(self.weights)} × {type(self.components).__name__}, mean {self.mean}>"

    @property
    def mean(self) -> Any:
        """Σ w μ."""
        return self._average(self._moment("mean"))

    @property
    def var(self) -> Any:
        """Σ w (σ² + (μ − mean)²)."""
        means = self._moment("mean")
        return self._average(self._moment("var") + (means - self._average(means)) ** 2)

    std = root_of_variance

    def _moment(self, name: str) -> np.ndarray:
        event = getattr(self.components, f"event_{name}", None) if name == "mean" else None
        return np.asarray(getattr(self.components, name) if event is None else event)

    def _average(self, values: np.ndarray) -> Any:
        return np.tensordot(self.weights, values, axes=1)[()]

    def log_prob(self, x: Any) -> Any:
        """log Σ w p(x | η)."""
        ndim = 0 if isinstance(self.components, Univariate) else 1
        x = np.asarray(real(x))
        x = np.expand_dims(x, x.ndim - ndim)  # (..., 1, *event): a place for the components
        with np.errstate(divide="ignore"):
            return log_sum_exp(self.components.log_prob(x) + np.log(self.weights))[()]

    def prob(self, x: Any) -> Any:
        """Σ w p(x | η)."""
        return np.exp(self.log_prob(x))

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""
        return (self.components.cdf(np.asarray(real(x))[..., None]) @ self.weights)[()]

    def sf(self, x: Any) -> Any:
        """P(X > x)."""
        return (self.components.sf(np.asarray(real(x))[..., None]) @ self.weights)[()]

    def between(self, a: Any, b: Any) -> Any:
        """P(a < X ≤ b)."""
        a, b = np.asarray(a)[..., None], np.asarray(b)[..., None]
        return (self.components.between(a, b) @ self.weights)[()]

    def quantile(self, p: Any) -> Any:
        """The smallest x with P(X ≤ x) ≥ p, 0 < p < 1."""
        p = np.asarray(probability(p))
        ends = self.components.quantile(p[..., None])
        return first_number(lambda x: self.cdf(x) >= p, ends.min(axis=-1), ends.max(axis=-1))

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval (low, high)."""
        tail = (1 - check_level(level)) / 2
        return self.quantile(tail), self.quantile(1 - tail)

    def sample(self, n: int, rng: Any = None) -> np.ndarray:
        """`n` draws: hyper-parameters first, then a value."""
        first, second = streams(rng, 2)
        chosen = first.choice(len(self.weights), size=sample_shape(n), p=self.weights)
        return self.components[chosen].sample(rng=second)


# -- the model ----------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class Hierarchical:
    """A conjugate prior whose hyper-parameters are uncertain.

    Parameters
    ----------
    hyperprior
        A distribution for each hyper-parameter, by name; a number fixes one. They are independent.
    family
        The prior they are hyper-parameters of. The one with just these names unless given.

    Examples
    --------
    A coin that lands heads 14 times in 20, and a gamma belief about both pseudo-counts:

    >>> from suffice.distributions import Gamma, Hierarchical
    >>> model = Hierarchical({"a": Gamma(2.0, 0.1), "b": Gamma(2.0, 0.1)})
    >>> found = model.posterior(14, n=20)
    >>> print(f"{model.log_evidence(14, n=20):.5f} {found.theta().mean:.5f} {found.hyper_mean['a']:.4f}")
    -2.86334 0.66895 26.3617
    >>> print(f"{found.predictive(n=10).cdf(6):.5f}")
    0.43457
    """

    hyperprior: Any
    family: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.hyperprior, Mapping) or not self.hyperprior:
            raise InvalidParameter(
                f"hyperprior must map hyper-parameters to distributions, {{'a': Gamma(2, 1), …}}; "
                f"got {self.hyperprior!r}."
            )
        for name, d in self.hyperprior.items():
            if not isinstance(d, int | float | np.number):
                check_single(f"hyperprior of {name}", d)
        object.__setattr__(self, "hyperprior", dict(self.hyperprior))
        object.__setattr__(self, "family", self.family or _family(set(self.hyperprior)))

    def posterior(self, *groups: Any, **known: Any) -> HierarchicalPosterior:
        """After one group of data, or several that share the hyper-parameters.

        Each of `groups` is what `posterior` of the family takes; `known` goes with all of them.
        """
        lines = [_Line(d, _REACH * np.array([-1, 1])) for d in self.hyperprior.values()]
        seen = self._collected(lines, groups, known)
        before = np.inf
        for step in _STEPS:
            rules = [line.rule(step) for line in lines]
            if before < np.inf and np.prod([len(x) for x, _ in rules]) > _MOST:
                break
            priors, logs = self._surface(rules, Counter(seen), known)
            total = float(log_sum_exp(logs.ravel()))
            if not np.isfinite(total):
                raise NumericalError("The data are impossible under every value of the hyper-parameters.")
            found = _weighted(self, rules, priors, logs, seen, known)
            change, before = abs(total - before) / max(1, abs(total)), total
            if change < _SETTLED or not any(line.smooth for line in lines):
                return found
            lines = [line.narrowed(logs, axis, step) for axis, line in enumerate(lines)]
        if change > _ROUGH:
            warn(
                f"Hierarchical: the evidence has not settled; its last change was {change:.1g}.", NotConverged
            )
        return found

    def log_evidence(self, *groups: Any, **known: Any) -> float:
        """log p(D): averaged over the hyper-parameters as well."""
        return self.posterior(*groups, **known).log_evidence

    def predictive(self, **known: Any) -> Averaged:
        """An observation before any data."""
        return self.posterior(**known).predictive(**known)

    def _collected(
        self, lines: list[_Line], groups: tuple[Any, ...], known: dict[str, Any]
    ) -> tuple[Any, ...]:
        """Statistics of each group."""
        corner = [line.rule(1.0)[0][-1] for line in lines]
        prior = self.family(**dict(zip(self.hyperprior, corner, strict=True)))
        return tuple(statistics(prior, data, **known) for data in groups)

    def _surface(self, rules: list[Any], seen: Counter[Any], known: dict[str, Any]) -> tuple[Any, np.ndarray]:
        """A batch of priors at every point of the rule, and log(weight × evidence) there."""
        mesh = np.meshgrid(*(x for x, _ in rules), indexing="ij")
        logs = sum(np.ix_(*(np.log(w) for _, w in rules)), np.zeros(mesh[0].shape))
        priors = self.family(**dict(zip(self.hyperprior, mesh, strict=True)))
        for s, times in seen.items():
            logs = logs + times * priors.log_evidence(s, **known)
        return priors, logs


def _weighted(
    model: Hierarchical, rules: list[Any], priors: Any, logs: np.ndarray, seen: tuple[Any, ...], known: Any
) -> HierarchicalPosterior:
    """The points that carry all but a negligible part of the probability."""
    total = float(log_sum_exp(logs.ravel()))
    weights = np.exp(logs - total)
    order = np.sort(weights.ravel())
    keep = weights >= order[np.searchsorted(np.cumsum(order), _DROPPED)]
    mesh = np.meshgrid(*(x for x, _ in rules), indexing="ij")
    hyper = {name: frozen_array(m[keep]) for name, m in zip(model.hyperprior, mesh, strict=True)}
    left = weights[keep] / weights[keep].sum()
    return HierarchicalPosterior(frozen_array(left), hyper, priors[keep], seen, known, total if seen else 0.0)


@dataclass(frozen=True, eq=False, repr=False)
class HierarchicalPosterior:
    """Hyper-parameters with their posterior weights, and the conjugate posterior of each group at each."""

    weights: np.ndarray
    hyper: dict[str, np.ndarray]
    priors: Any
    groups: tuple[Any, ...]
    known: dict[str, Any]
    log_evidence: float

    def __repr__(self) -> str:
        means = ", ".join(f"{k}={v:.6g}" for k, v in self.hyper_mean.items())
        return (
            f"<HierarchicalPosterior: {len(self.groups)} groups, E[{means}], "
            f"log evidence {self.log_evidence:.6g}>"
        )

    @property
    def hyper_mean(self) -> dict[str, float]:
        """Posterior mean of each hyper-parameter."""
        return {name: float(self.weights @ value) for name, value in self.hyper.items()}

    @property
    def hyper_std(self) -> dict[str, float]:
        """Posterior standard deviation of each hyper-parameter."""
        means = self.hyper_mean
        return {k: float(np.sqrt(self.weights @ (v - means[k]) ** 2)) for k, v in self.hyper.items()}

    def theta(self, group: int | None = 0) -> Averaged:
        """The parameter of a group; None for a group not seen yet."""
        return Averaged(self.weights, self._beliefs(group))

    def predictive(self, group: int | None = 0, **known: Any) -> Averaged:
        """The next observation of a group; None for a group not seen yet."""
        return Averaged(self.weights, self._beliefs(group).predictive(**known))

    def _beliefs(self, group: int | None) -> Any:
        if group is None or not self.groups:
            return self.priors
        if not 0 <= group < len(self.groups):
            raise InvalidParameter(f"group must be None or 0 to {len(self.groups) - 1}; got {group!r}.")
        return self.priors.posterior(self.groups[group], **self.known)


# -- the rule -----------------------------------------------------------------------------------------------
class _Line(NamedTuple):
    """One hyper-parameter: a number, a discrete distribution, or a density and the range of t that matters."""

    d: Any
    ends: np.ndarray

    @property
    def smooth(self) -> bool:
        return not isinstance(self.d, int | float | np.number) and not has_atoms(self.d)

    def rule(self, step: float) -> tuple[np.ndarray, np.ndarray]:
        """Points and weights: u = 1/(1 + e^(−π sinh t)), equally spaced in t."""
        if isinstance(self.d, int | float | np.number):
            return np.array([float(self.d)]), np.ones(1)
        if not self.smooth:
            return nodes(self.d)
        t = step * np.arange(np.floor(self.ends[0] / step), np.ceil(self.ends[1] / step) + 1)
        u, rest = expit(np.pi * np.sinh(t)), expit(-np.pi * np.sinh(t))
        x, w = np.asarray(self.d.quantile(u)), np.pi * step * np.cosh(t) * u * rest
        inside = (w > 0) & (u < 1) & np.isfinite(x)
        return x[inside], w[inside]

    def narrowed(self, logs: np.ndarray, axis: int, step: float) -> _Line:
        """The same on the range where the integrand is not negligible, two steps wider on either side."""
        if not self.smooth:
            return self
        others = tuple(i for i in range(logs.ndim) if i != axis)
        seen = np.flatnonzero(logs.max(axis=others) > logs.max() - _NEGLIGIBLE)
        t = step * np.arange(np.floor(self.ends[0] / step), np.ceil(self.ends[1] / step) + 1)
        # points dropped at the ends of the range change nothing by two steps
        first = len(t) - logs.shape[axis]
        low, high = t[max(seen[0] - 2, 0)], t[min(seen[-1] + 2 + first, len(t) - 1)]
        return _Line(self.d, np.clip([low, high], *self.ends))


def _family(names: set[str]) -> type[Distribution]:
    """The conjugate prior with exactly these parameters."""
    options = {pair.prior: set(pair.prior._event_ndim) for pair in conjugate_pairs()}
    for prior, parameters in options.items():
        if parameters == names:
            return prior
    listed = "; ".join(f"{prior.__name__}: {', '.join(p)}" for prior, p in options.items())
    raise InvalidParameter(
        f"No prior has the hyper-parameters {sorted(names)}; give family=, or name {listed}."
    )
