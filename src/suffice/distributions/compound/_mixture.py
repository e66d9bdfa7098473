"""Pure functions of mixtures: which components go together, conditioning, brackets of quantiles, mode and entropy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.linalg import EPS
from suffice.distributions._base import Distribution
from suffice.distributions._numerics.one_dimensional import has_atoms, lumpy, minimum, nodes

if TYPE_CHECKING:
    from suffice.distributions.compound.mixture_distribution import MixtureDistribution

_TAIL = 10.0 ** -np.array(
    [300, 200, 100, 60, 40, 30, 25, 20, 17, 15, 13, 11, 9, 8, 7, 6, 5, 4, 3, 2.5, 2, 1.5]
)
_BREAKS = np.r_[_TAIL, np.arange(0.05, 0.96, 0.05), 1 - _TAIL[_TAIL > 1e-16][::-1]]
_NODES, _WEIGHTS = (a / 2 for a in np.polynomial.legendre.leggauss(16))


@runtime_checkable
class Conditionable(Protocol):
    """What can be conditioned: the density of some coordinates, and the others given these."""

    def marginal(self, idx: Any) -> Any: ...
    def condition(self, idx: Any, values: Any) -> Any: ...


# -- components ----------------------------------------------------------------------------------------
def components_of(components: Any, k: int) -> tuple[Any, ...]:
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
    (event,) = events
    if event == () and len({lumpy(part) for part in parts}) > 1:
        raise InvalidParameter("components must all have a density or all be discrete; got both.")
    if len(event) == 1:
        _check_columns(np.array([np.broadcast_to(part._discrete, event) for part in parts]))
    return parts


def _check_columns(kinds: np.ndarray) -> None:
    """Columns that are discrete in one component and have a density in another cannot be compared: kinds (K, D)."""
    apart = np.flatnonzero((kinds != kinds[0]).any(axis=0))
    if len(apart):
        raise InvalidParameter(
            f"components must agree on which columns are discrete; column {apart[0]} is in one and not in another."
        )


# -- conditionals --------------------------------------------------------------------------------------
def check_joint(components: tuple[Any, ...]) -> None:
    """Every component can be conditioned."""
    for c in components:
        if not isinstance(c, Conditionable):
            raise Unsupported(
                "condition needs components that have one, such as MultivariateNormal, MultivariateT and "
                f"ProductDistribution; got {type(c).__name__}."
            )


def posterior(weights: np.ndarray, logs: np.ndarray) -> np.ndarray:
    """π p / Σ π p from log p, both (..., K); NaN where every p is zero, shared by the infinite where some are."""
    with np.errstate(divide="ignore", invalid="ignore"):
        prior = np.log(weights)
        joint = np.where(weights > 0, logs + prior, -np.inf)
        joint = np.where(np.isposinf(joint).any(axis=-1, keepdims=True), _infinite(joint, prior), joint)
        share = np.exp(joint - np.max(joint, axis=-1, keepdims=True))
        return share / share.sum(axis=-1, keepdims=True)


def _infinite(joint: np.ndarray, prior: np.ndarray) -> np.ndarray:
    return np.where(np.isposinf(joint), prior, -np.inf)


def check_possible(share: np.ndarray, seen: np.ndarray, values: np.ndarray) -> None:
    """Values that no component allows leave nothing to condition on."""
    nowhere = np.isnan(share).any(axis=-1)
    if nowhere.any():
        row = np.broadcast_to(values, (*nowhere.shape, len(seen)))[nowhere][0]
        raise InvalidInput(
            f"values must be possible under some component; {row.tolist()} at {seen.tolist()} has density zero "
            "under each."
        )


def given(component: Conditionable, seen: np.ndarray, values: np.ndarray, log: np.ndarray) -> Any:
    """A component's other coordinates; a single one as a number.

    Where it does not allow the values its weight is zero, and a draw of its own stands in for them.
    """
    impossible = np.isneginf(log)[..., None]
    if impossible.any():
        values = np.where(impossible, component.marginal(seen).sample(rng=0), values)
    rest = component.condition(seen, values)
    event = np.shape(rest.mean)[len(rest.batch_shape) :]
    return rest.marginal(0) if event == (1,) else rest


# -- quantiles -----------------------------------------------------------------------------------------
def bracket(
    excess: Callable[[Any], Any], density: Callable[[Any], Any], p: Any, low: Any, high: Any, steps: int = 12
) -> tuple[Any, Any, Any]:
    """A bracket of the first x with excess(x) = F(x) − p ≥ 0, for a batch at once, and whether it is still wide.

    Newton's method on the log of the smaller tail, which is nearly straight far out; bisection where it leaves the
    bracket. A step aims a little past the root, so that both ends close in on it: most are narrow in the end.
    """
    tail, sign = np.where(p > 0.5, 1 - p, p), np.where(p > 0.5, -1.0, 1.0)
    x, wide = 0.5 * low + 0.5 * high, low < high
    for _ in range(steps):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            gap, length = excess(x), tail / density(x)
            low, high = np.where(gap < 0, x, low), np.where(gap < 0, high, x)
            near, share = 16 * EPS * (np.abs(x) + length), sign * gap / tail
            wide = high - low > 4 * near
            step = near + np.abs((1 + share) * length * np.log1p(share))
        if not np.any(wide):
            break
        aim = np.where(gap < 0, x + step, x - step)
        x = np.where(wide & (aim > low) & (aim < high), aim, 0.5 * low + 0.5 * high)
    return low, high, wide


# -- mode and entropy ------------------------------------------------------------------------------------
def mode(d: MixtureDistribution) -> float:
    """Where the density is highest: a search between the modes of the components."""
    used = [c for w, c in d._terms() if w > 0]
    modes = np.array([float(c.mode) for c in used])
    if any(map(has_atoms, used)):
        values = np.unique(np.concatenate([modes, *(nodes(c)[0] for c in used)]))
        return float(values[np.argmax(d._log_prob_of_rows(values))])
    points = _breaks(d)
    grid = np.unique(np.r_[modes, points[(points > modes.min()) & (points < modes.max())]])
    return minimum(lambda x: -float(d._log_prob_of_rows(x)), grid) if len(grid) > 1 else float(grid[0])


def entropy(d: MixtureDistribution) -> float:
    """−E log p(X), by a sum over the values or by Gauss's rule between the breaks."""
    if any(has_atoms(c) for w, c in d._terms() if w > 0):
        terms = [(w, *nodes(c)) for w, c in d._terms() if w > 0]
        return float(-sum(w * (mass @ d._log_prob_of_rows(x)) for w, x, mass in terms))
    edges = _breaks(d)
    width = np.diff(edges)[:, None]
    logs = d.log_prob(edges[:-1, None] + width * (_NODES + 0.5))
    p = np.exp(logs)
    return float(-np.sum(width * _WEIGHTS * p * np.where(p > 0, np.where(p > 0, logs, 0.0), 0.0)))


def _breaks(d: MixtureDistribution) -> np.ndarray:
    """Quantiles of the components: between two neighbours the density is smooth."""
    points = np.unique(np.concatenate([c.quantile(_BREAKS) for w, c in d._terms() if w > 0]))
    return points[np.isfinite(points)]
