r"""What to decide, given probabilities and what mistakes cost.

Error        choose argmax_k P(C_k | x); a mistake has probability 1 − max
Risk         choose argmin_j Σ_k L_kj P(C_k | x), L_kj the loss of decision j when C_k is true
Reject       choose nothing where max_k P(C_k | x) < θ: deciding not to decide costs 1 − θ
Combine      P(C_k | x₁ … x_m) ∝ Π_i P(C_k | x_i) / P(C_k)^(m−1), the x_i independent given the class
Boundary     where π_a p_a(x) = π_b p_b(x);  the error that remains is ∫ min(π_a p_a, π_b p_b) dx
Point        argmin_a E L(X, a): the mean for squared loss, the median for absolute, the mode for 0/1

Posteriors are arrays (..., K) that sum to one over the last axis, or `Categorical`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice
from suffice._core.numerics import log_sum_exp
from suffice.distributions._base import Univariate
from suffice.distributions._checks import parameter
from suffice.distributions._numerics import one_dimensional
from suffice.distributions.tables import _text
from suffice.distributions.univariate.categorical import Categorical

__all__ = [
    "REJECT",
    "boundary",
    "combine",
    "error_probability",
    "log_odds",
    "minimum_error",
    "minimum_risk",
    "optimal_point",
    "overlap_error",
    "risk",
    "threshold_error",
    "with_reject",
]

REJECT = -1


# -- from posteriors to classes ---------------------------------------------------------------------


def minimum_error(posterior: Any) -> Any:
    """The most probable class, the first of several: its index, or its label for a `Categorical`.

    Examples
    --------
    >>> from suffice.distributions import decision
    >>> decision.minimum_error([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3]])
    array([1, 0])
    """
    if isinstance(posterior, Categorical):
        return posterior.mode
    return np.argmax(_posterior(posterior), axis=-1)


def error_probability(posterior: Any) -> Any:
    """P(mistake | x) of the most probable class: what the others have."""
    p = np.sort(_posterior(posterior), axis=-1)
    return p[..., :-1].sum(axis=-1)


def risk(posterior: Any, loss: Any, rows: str = "truth") -> Any:
    """Expected loss (..., J) of every decision."""
    return _posterior(posterior) @ _loss(loss, rows, _posterior(posterior).shape[-1])


def minimum_risk(posterior: Any, loss: Any, rows: str = "truth") -> Any:
    """The decision with the smallest expected loss, the first of several.

    `loss[k, j]` is the loss of decision j when class k is true; there may be more or fewer decisions than
    classes. Some texts write the transpose: `rows="decision"`.

    Examples
    --------
    >>> from suffice.distributions import decision
    >>> ill_or_well = [0.1, 0.9]
    >>> print(decision.minimum_risk(ill_or_well, loss=[[0, 100], [1, 0]]))  # treat or wait
    0
    """
    return np.argmin(risk(posterior, loss, rows), axis=-1)


def with_reject(posterior: Any, threshold: float) -> Any:
    """The most probable class where its probability reaches the threshold, else `REJECT` = −1.

    For a `Categorical` the labels, and None for a rejection.
    """
    p = _posterior(posterior)
    level = parameter("threshold", threshold)
    if level.ndim or not 0 <= level <= 1:
        raise InvalidParameter(f"threshold must be a number in [0, 1]; got {threshold!r}.")
    rejected = p.max(axis=-1) < level
    if isinstance(posterior, Categorical):
        chosen = np.asarray(posterior.mode).astype(object)
        chosen[rejected] = None
        return chosen[()]
    return np.where(rejected, REJECT, np.argmax(p, axis=-1))[()]


def combine(posteriors: Sequence[Any], prior: Any) -> np.ndarray:
    """The posterior given several observations that are independent within each class.

    Each of `posteriors` has been computed with the same `prior`.

    Examples
    --------
    >>> from suffice.distributions import decision
    >>> decision.combine([[0.8, 0.2], [0.6, 0.4]], prior=[0.5, 0.5]).round(4)
    array([0.8571, 0.1429])
    """
    tables = [_posterior(p) for p in posteriors]
    if not tables:
        raise InvalidInput("combine needs one posterior at least.")
    base = _posterior(prior, "prior")
    if any(np.any((p > 0) & (base == 0)) for p in tables):
        raise InvalidInput("A posterior gives probability to a class whose prior is zero.")
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.asarray(sum(np.log(p) for p in tables) - (len(tables) - 1) * np.log(base))
    logs = np.where(base == 0, -np.inf, logs)
    total = log_sum_exp(logs)
    if np.any(np.isneginf(total)):
        raise InvalidInput("The posteriors contradict each other: no class is possible under all of them.")
    return np.exp(logs - total[..., None])


# -- two densities on a line --------------------------------------------------------------------------


def log_odds(x: Any, density_a: Any, density_b: Any, prior: Any = 0.5) -> Any:
    """log P(a | x)/P(b | x): positive where a is the better guess. `prior` is P(a), or the pair."""
    weight_a, weight_b = _log_prior(prior)
    return density_a.log_prob(x) + weight_a - density_b.log_prob(x) - weight_b


def boundary(density_a: Any, density_b: Any, prior: Any = 0.5) -> np.ndarray:
    """Every x where the better guess changes between a and b, in order; empty where one always wins.

    Sign changes of the log odds on a grid that reaches far into the tails, refined to the last digit. Two
    closer to each other than a fiftieth of the narrower quartile range may be missed.

    Examples
    --------
    >>> from suffice.distributions import Normal, decision
    >>> print(decision.boundary(Normal(178, 7), Normal(165, 7)).round(6))
    [171.5]
    >>> print(decision.boundary(Normal(178, 8), Normal(165, 6)).round(2))
    [124.96 171.61]
    """
    return _regions(density_a, density_b, prior)[0]


def overlap_error(density_a: Any, density_b: Any, prior: Any = 0.5) -> float:
    """The smallest possible error, ∫ min(π_a p_a, π_b p_b) dx, from the boundary and the tails.

    Examples
    --------
    >>> from suffice.distributions import Normal, decision
    >>> print(f"{decision.overlap_error(Normal(0, 1), Normal(2, 1)):.10f}")
    0.1586552539
    """
    weight_a, weight_b = np.exp(_log_prior(prior))
    at, winner = _regions(density_a, density_b, prior)
    edges = np.r_[-np.inf, at, np.inf]
    lost = [
        weight_b * density_b.between(low, high) if sign > 0 else weight_a * density_a.between(low, high)
        for low, high, sign in zip(edges[:-1], edges[1:], winner, strict=True)
    ]
    return float(sum(lost))


def threshold_error(density_a: Any, density_b: Any, threshold: Any, prior: Any = 0.5) -> Any:
    """P(mistake) when a, the density with the lower median, is guessed up to the threshold and b above it.

    Examples
    --------
    >>> from suffice.distributions import Normal, decision
    >>> print(f"{decision.threshold_error(Normal(0, 1), Normal(2, 1), threshold=1.0):.6f}")
    0.158655
    """
    if np.any(density_a.quantile(0.5) > density_b.quantile(0.5)):
        raise InvalidInput(
            "threshold_error guesses density_a up to the threshold, but its median is above that of density_b. Write "
            "threshold_error(density_b, density_a, threshold, 1 - prior) to guess the lower one there, or "
            "1 - threshold_error(density_b, density_a, threshold, 1 - prior) for the rule as it was written."
        )
    weight_a, weight_b = np.exp(_log_prior(prior))
    return weight_a * density_a.sf(threshold) + weight_b * density_b.cdf(threshold)


def _regions(density_a: Any, density_b: Any, prior: Any) -> tuple[np.ndarray, np.ndarray]:
    """The boundary, and in each region it makes +1 where a wins, −1 where b does."""
    one_dimensional.check_single("density_a", density_a, density=True)
    one_dimensional.check_single("density_b", density_b, density=True)

    def odds(x: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            return log_odds(x, density_a, density_b, prior)

    def noise(x: np.ndarray) -> np.ndarray:
        return one_dimensional.rounding(density_a.log_prob(x), density_b.log_prob(x))

    at, winner = one_dimensional.sign_changes(odds, noise, one_dimensional.spread_grid(density_a, density_b))
    if len(winner) == 0:
        raise InvalidInput("There is no boundary: the two weighted densities are equal everywhere.")
    return at, winner


# -- one number for a distribution -------------------------------------------------------------------


def optimal_point(distribution: Any, loss: str | Callable[[Any, float], Any] = "squared") -> Any:
    """The point with the smallest expected loss.

    `loss` is "squared" (the mean), "absolute" (the median), "zero_one" (the mode), or a function of an array
    of true values and one point; then the point is found numerically, to about eight digits.

    Examples
    --------
    >>> from suffice.distributions import Normal, decision
    >>> def late_costs_double(truth, point):
    ...     return 2 * (point - truth) * (point > truth) + (truth - point) * (point <= truth)
    >>> print(f"{decision.optimal_point(Normal(0, 1), late_costs_double):.5f}")
    -0.43073
    """
    if not callable(loss):
        check_choice("loss", loss, ("squared", "absolute", "zero_one"))
        return _KNOWN[loss](distribution)
    one_dimensional.check_single("distribution", distribution)
    grid = np.unique(distribution.quantile(np.linspace(1e-4, 1 - 1e-4, 101)))
    if len(grid) > 1:  # the best point may lie outside the middle 99.98 %
        width = grid[-1] - grid[0]
        grid = np.r_[grid[0] - width, grid, grid[-1] + width]
    return one_dimensional.minimum(_expected_loss(distribution, loss), grid)


def _expected_loss(d: Univariate, loss: Callable[[Any, float], Any]) -> Callable[[float], float]:
    """E L(X, point) as a function of the point; in two parts, for most losses have a corner there."""
    whole = [one_dimensional.nodes(d)]
    discrete = one_dimensional.has_atoms(d)

    def expected(point: float) -> float:
        split = 0.0 if discrete else float(d.cdf(point))
        halves = [(0.0, split), (split, 1.0)] if 0 < split < 1 else []
        parts = [one_dimensional.nodes(d, low, high) for low, high in halves] or whole
        value = float(sum(w @ np.broadcast_to(loss(x, point), x.shape) for x, w in parts))
        if np.isnan(value):
            raise InvalidInput(f"loss gave NaN at the point {point:g}.")
        return value

    return expected


_KNOWN: dict[Any, Callable] = {
    "squared": lambda d: d.mean,
    "absolute": lambda d: d.quantile(0.5),
    "zero_one": lambda d: d.mode,
}


# -- the door --------------------------------------------------------------------------------------------


def _posterior(p: Any, name: str = "posterior") -> np.ndarray:
    p = parameter(name, p.probabilities if isinstance(p, Categorical) else p, low=0.0)
    if p.ndim == 0:
        raise InvalidInput(f"{name} must have shape (..., K); got the number {p}.")
    return _text.check_sum(name, p, (-1,))


def _loss(loss: Any, rows: str, classes: int) -> np.ndarray:
    check_choice("rows", rows, ("truth", "decision"))
    loss = parameter("loss", loss)
    loss = loss if rows == "truth" or loss.ndim != 2 else loss.T
    if loss.ndim != 2 or len(loss) != classes:
        axis = "row" if rows == "truth" else "column"
        raise InvalidInput(f"loss must have one {axis} per class, {classes}; got shape {np.shape(loss)}.")
    return loss


def _log_prior(prior: Any) -> tuple[float, float]:
    p = parameter("prior", prior, low=0.0)
    pair = np.array([p, 1 - p]) if p.ndim == 0 else p
    if pair.shape != (2,) or not 0 < pair[0] < 1 or abs(pair.sum() - 1) > 1e-8:
        raise InvalidParameter(f"prior must be P(a) in (0, 1), or a pair that sums to one; got {prior!r}.")
    log_a, log_b = np.log(pair)
    return float(log_a), float(log_b)
