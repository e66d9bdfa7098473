r"""Type-II maximum likelihood: hyper-parameters by the evidence of the data (FCML §3.4.1).

Evidence     p(D | η) = Π_g ∫ p(D_g | θ) p(θ | η) dθ, over groups with parameters of their own
Type II      η̂ = argmax p(D | η)

With one group the evidence often grows without end along a ray of priors that are ever surer of the
maximum-likelihood value. The optimum then lies on the bounds that were given, and the result says so: it is
no longer a belief from before the data, and not a maximum either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import numpy as np

from suffice._core.errors import AtBound, InvalidParameter, NotConverged, warn
from suffice._core.records import frozen_array, record
from suffice.distributions._checks import parameter
from suffice.distributions.conjugate.conjugacy import statistics

_COARSE = 17  # starting points per hyper-parameter
_STEP = 1e-5  # of the differences, in logs


@record
class EvidenceGrid:
    """The log evidence at every point of a grid of hyper-parameters, and the best of them."""

    names: tuple[str, ...]
    axes: tuple[np.ndarray, ...]
    log_evidence: np.ndarray
    prior: Any

    @property
    def best(self) -> dict[str, float]:
        """The hyper-parameters with the largest evidence."""
        index = np.unravel_index(np.argmax(self.log_evidence), self.log_evidence.shape)
        return {k: float(axis[i]) for k, axis, i in zip(self.names, self.axes, index, strict=True)}

    @property
    def evidence(self) -> float:
        """The largest evidence on the grid."""
        return float(np.exp(self.log_evidence.max()))

    @property
    def at_bound(self) -> tuple[str, ...]:
        """Hyper-parameters whose best value is the first or last of their axis."""
        return tuple(
            name
            for name, axis in zip(self.names, self.axes, strict=True)
            if len(axis) > 1 and self.best[name] in (axis.min(), axis.max())
        )

    def __str__(self) -> str:
        return _sentence(self.best, self.log_evidence.max(), self.at_bound)

    def __repr__(self) -> str:
        return f"<EvidenceGrid {'×'.join(map(str, self.log_evidence.shape))}: {self}>"


@record
class FittedPrior:
    """The prior with the largest evidence within bounds; `at_bound` names what ended on them."""

    prior: Any
    names: tuple[str, ...]
    values: tuple[float, ...]
    log_evidence: float
    at_bound: tuple[str, ...]

    @property
    def evidence(self) -> float:
        """p(D | η̂)."""
        return float(np.exp(self.log_evidence))

    def __str__(self) -> str:
        return _sentence(dict(zip(self.names, self.values, strict=True)), self.log_evidence, self.at_bound)

    def __repr__(self) -> str:
        return f"<FittedPrior: {self}>"


def evidence_grid(
    family: Callable[..., Any], *groups: Any, axes: Mapping[str, Any], **known: Any
) -> EvidenceGrid:
    """The log evidence over a grid: `axes` lists the values of each hyper-parameter of `family`.

    Each of `groups` is what `log_evidence` of the prior takes; `known` goes with all of them.

    Examples
    --------
    >>> from suffice.distributions import Beta, evidence_grid
    >>> grid = evidence_grid(Beta, 14, n=20, axes={"a": range(1, 51), "b": range(1, 31)})
    >>> print(grid)
    a=50, b=22: log evidence -1.77566; a lies on its bound
    """
    lines = {name: np.atleast_1d(parameter(name, list(values))) for name, values in _named(axes).items()}
    mesh = np.meshgrid(*lines.values(), indexing="ij")
    prior = family(**dict(zip(lines, mesh, strict=True)))
    if prior.batch_shape != mesh[0].shape:
        raise InvalidParameter(f"family must make a batch of priors from arrays; got {prior!r}.")
    surface = _log_evidence(prior, _collected(prior, groups, known), known)
    best = prior[np.unravel_index(np.argmax(surface), surface.shape)]
    return EvidenceGrid(
        tuple(lines), tuple(frozen_array(v) for v in lines.values()), frozen_array(surface), best
    )


def fit_prior(
    family: Callable[..., Any], *groups: Any, bounds: Mapping[str, tuple[float, float]], **known: Any
) -> FittedPrior:
    """Type-II maximum likelihood: the hyper-parameters within `bounds` that make the groups most probable.

    A hyper-parameter whose bounds are positive is searched in logs. Several groups share the prior, and each
    has a parameter of its own.

    Examples
    --------
    Five coins out of one bag, ten tosses each:

    >>> from suffice.distributions import Beta, fit_prior
    >>> found = fit_prior(Beta, 3, 7, 5, 9, 4, n=10, bounds={"a": (0.1, 100), "b": (0.1, 100)})
    >>> print(found)
    a=5.1392, b=3.99967: log evidence -10.7924
    """
    from scipy.optimize import minimize

    names = tuple(_named(bounds))
    low, high = np.transpose([_bound(name, bounds[name]) for name in names])
    logs = low > 0
    bottom, top = (np.where(logs, np.log(np.where(logs, v, 1.0)), v) for v in (low, high))

    first = family(**dict(zip(names, high, strict=True)))
    seen = _collected(first, groups, known)

    def values(t: np.ndarray) -> np.ndarray:
        return np.clip(np.where(logs, np.exp(np.where(logs, t, 0.0)), t), low, high)

    def surface(t: np.ndarray) -> np.ndarray:
        """Log evidence at each row of t."""
        return _log_evidence(family(**dict(zip(names, values(t).T, strict=True))), seen, known)

    def loss(t: np.ndarray) -> tuple[float, np.ndarray]:
        """−log evidence and its slope, from central differences in one batch."""
        step = _STEP * np.eye(len(names))
        ahead, behind = np.minimum(t + step, top), np.maximum(t - step, bottom)
        here, up, down = np.split(surface(np.vstack([t, ahead, behind])), [1, 1 + len(names)])
        return -float(here[0]), -(up - down) / np.diag(ahead - behind)

    coarse = np.array(list(product(*np.linspace(bottom, top, _COARSE).T)))
    start = coarse[np.argmax(surface(coarse))]
    options = {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 1000}
    edges = list(zip(bottom, top, strict=True))
    best = minimize(loss, start, method="L-BFGS-B", jac=True, bounds=edges, options=options)
    below, above = best.x <= bottom + 1e-9, best.x >= top - 1e-9
    _report(best, below | above, names)
    found = np.where(below, low, np.where(above, high, values(best.x)))
    prior = family(**dict(zip(names, found, strict=True)))
    at_bound = tuple(np.array(names)[below | above].tolist())
    return FittedPrior(
        prior, names, tuple(found.tolist()), float(_log_evidence(prior, seen, known)), at_bound
    )


def _report(best: Any, on_edge: np.ndarray, names: tuple[str, ...]) -> None:
    """Warn where the best point is no maximum."""
    if on_edge.any():
        listed = ", ".join(np.array(names)[on_edge])
        warn(f"fit_prior ended on the bound of {listed}: the evidence may grow beyond.", AtBound)
    if np.max(np.abs(best.jac[~on_edge]), initial=0.0) > 1e-4 * max(1.0, abs(best.fun)):
        warn("fit_prior found no flat point of the evidence.", NotConverged)


def _collected(prior: Any, groups: tuple[Any, ...], known: dict[str, Any]) -> Counter[Any]:
    """Statistics of the groups and how often each occurs."""
    if not groups:
        raise InvalidParameter("There must be at least one group of data.")
    return Counter(statistics(prior, data, **known) for data in groups)


def _log_evidence(prior: Any, groups: Counter[Any], known: dict[str, Any]) -> Any:
    """Σ over groups."""
    return sum(times * prior.log_evidence(s, **known) for s, times in groups.items())


def _named(values: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(values, Mapping) or not values:
        raise InvalidParameter(f"Hyper-parameters must be given by name, {{'a': …}}; got {values!r}.")
    return values


def _bound(name: str, pair: Any) -> tuple[float, float]:
    ends = np.asarray(parameter(name, pair))
    if ends.shape != (2,) or not ends[0] < ends[1]:
        raise InvalidParameter(f"bounds of {name} must be a pair (low, high), low < high; got {pair!r}.")
    return float(ends[0]), float(ends[1])


def _sentence(values: dict[str, float], log_evidence: float, at_bound: tuple[str, ...]) -> str:
    listed = ", ".join(f"{name}={value:.6g}" for name, value in values.items())
    edge = f"; {' and '.join(at_bound)} {'lies' if len(at_bound) == 1 else 'lie'} on a bound"
    edge = edge.replace("on a bound", "on its bound") if len(at_bound) == 1 else edge
    return f"{listed}: log evidence {log_evidence:.6g}" + (edge if at_bound else "")
