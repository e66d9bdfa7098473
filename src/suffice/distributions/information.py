r"""Information in tables of probability.

Surprise     I(p) = −log p
Entropy      H[X] = −Σ p log p, with 0 log 0 = 0;   H[X, Y] = H[X] + H[Y | X]
Conditional  H[Y | X] = −Σ p(x, y) log p(y | x)
Mutual       I[X; Y] = Σ p(x, y) log p(x, y)/(p(x) p(y)) = H[X] + H[Y] − H[X, Y] ≥ 0
Normalized   I[X; Y] / √(H[X] H[Y])
Divergence   KL(p ‖ q) = Σ p log(p/q) ≥ 0, not symmetric, infinite where q misses what p has

Tables are arrays that sum to one, or `JointTable`s. Logarithms are natural unless `base` is given: 2 for bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import entr, rel_entr

from suffice._core.errors import InvalidInput, Unsupported, check_choice, check_number
from suffice.distributions._base import Distribution
from suffice.distributions._checks import parameter, probability
from suffice.distributions.tables import _text
from suffice.distributions.tables.joint_table import JointTable

__all__ = [
    "conditional_entropy",
    "differential_entropy",
    "entropy",
    "joint_entropy",
    "kl_divergence",
    "mutual_information",
    "normalized_mutual_information",
    "self_information",
]


def self_information(p: Any, base: float | None = None) -> Any:
    """−log p of an event of probability p: infinite for an impossible one.

    Examples
    --------
    >>> from suffice.distributions import information
    >>> information.self_information(0.5, base=2)
    np.float64(1.0)
    """
    p, unit = probability(p), _unit(base)
    with np.errstate(divide="ignore"):
        return (0.0 - np.log(p)) / unit


def entropy(p: Any, base: float | None = None, axis: int | None = None) -> Any:
    """−Σ p log p of a table with any number of axes; with `axis`, one entropy per distribution along it.

    Examples
    --------
    >>> from suffice.distributions import information
    >>> information.entropy([0.5, 0.25, 0.125, 0.125], base=2)
    np.float64(1.75)
    """
    return _positive(entr(_table("p", p, axis)).sum(axis=axis)) / _unit(base)


def joint_entropy(joint: Any, base: float | None = None) -> Any:
    """H[X, Y, …] of a joint table: the entropy of its cells."""
    return entropy(joint, base)


def conditional_entropy(joint: Any, given: Any = 0, base: float | None = None) -> Any:
    """H[the other variables | given]; `given` is an axis, or the name of a variable of a `JointTable`."""
    p = _table("joint", joint)
    if p.ndim < 2:
        raise InvalidInput(f"joint must have two variables at least; got shape {p.shape}.")
    axis = joint.axis(given) if isinstance(joint, JointTable) and isinstance(given, str) else given
    if axis not in range(-p.ndim, p.ndim):
        raise InvalidInput(f"given must be an axis of the table or the name of one; got {given!r}.")
    moved = np.moveaxis(p, axis, 0).reshape(p.shape[axis], -1)  # (given, others)
    return _positive(-rel_entr(moved, moved.sum(axis=1, keepdims=True)).sum()) / _unit(base)


def mutual_information(joint: Any, base: float | None = None) -> Any:
    """What one of two variables tells about the other: KL(p(x, y) ‖ p(x) p(y)).

    Examples
    --------
    >>> from suffice.distributions import information
    >>> print(f"{information.mutual_information([[0.4, 0.2], [0.1, 0.3]]):.5f}")
    0.08630
    """
    p = _pair(joint)
    return _positive(rel_entr(p, np.outer(p.sum(axis=1), p.sum(axis=0))).sum()) / _unit(base)


def normalized_mutual_information(joint: Any, average: str = "geometric") -> Any:
    """Mutual information over the average of the two entropies: 0 for independence, 1 for one-to-one.

    The texts (Strehl and Ghosh) take the geometric mean, the default; scikit-learn's default is the
    arithmetic one. "min" and "max" exist too. The base of the logarithm does not matter.
    """
    check_choice("average", average, tuple(_AVERAGES))
    p = _pair(joint)
    pair = entropy(p.sum(axis=1)), entropy(p.sum(axis=0))
    mean = _AVERAGES[average](pair)
    if not mean > 0:
        raise InvalidInput(
            "normalized_mutual_information is undefined: a variable that always has the same value "
            f"has no entropy (they are {pair[0]:.4g} and {pair[1]:.4g})."
        )
    return np.minimum(mutual_information(p) / mean, 1.0)


def kl_divergence(p: Any, q: Any, base: float | None = None) -> Any:
    """Σ p log(p/q) of two tables with the same cells.

    Examples
    --------
    >>> from suffice.distributions import information
    >>> print(f"{information.kl_divergence([0.9, 0.1], [0.5, 0.5]):.10f}")
    0.3680642072
    """
    p, q = _table("p", p), _table("q", q)
    if p.shape != q.shape:
        raise InvalidInput(f"p and q must have the same cells; got shapes {p.shape} and {q.shape}.")
    return _positive(np.sum(rel_entr(p, q) - p + q)) / _unit(base)  # term by term ≥ 0: little cancels


def differential_entropy(distribution: Distribution, base: float | None = None) -> Any:
    """−E log p(X) of a density; negative for a narrow one. Probabilities of values have `entropy` instead."""
    if not isinstance(distribution, Distribution):
        raise Unsupported(
            f"differential_entropy needs a distribution; got {distribution!r}. For tables: entropy."
        )
    if np.any(distribution._discrete):
        kind = type(distribution).__name__
        raise Unsupported(
            f"differential_entropy is of a density; {kind} gives probabilities to values. Write d.entropy() for "
            "−Σ P log P, or differential_entropy(Normal(d.mean, d.std)) for a density of the same mean and width."
        )
    return distribution.entropy() / _unit(base)


_AVERAGES: dict[str, Callable] = {
    "geometric": lambda h: np.sqrt(h[0]) * np.sqrt(h[1]),
    "arithmetic": lambda h: (h[0] + h[1]) / 2,
    "min": min,
    "max": max,
}


def _table(name: str, p: Any, axis: int | None = None) -> np.ndarray:
    p = parameter(name, p.values if isinstance(p, JointTable) else p, low=0.0)
    if p.ndim == 0:
        raise InvalidInput(f"{name} must be a table of probabilities; got the number {p}.")
    return _text.check_sum(name, p, None if axis is None else (axis,))


def _pair(joint: Any) -> np.ndarray:
    p = _table("joint", joint)
    if p.ndim != 2:
        raise InvalidInput(
            f"joint must have two variables; got shape {p.shape}. Take a marginal of two first."
        )
    return p


def _positive(value: Any) -> Any:
    """Without the rounding that would make it less than zero."""
    return np.maximum(value, 0.0)


def _unit(base: float | None) -> float:
    return 1.0 if base is None else float(np.log(check_number("base", base, low=1, strict=True)))
