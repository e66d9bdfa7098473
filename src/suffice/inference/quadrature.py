r"""Integrals by sums: of a density in one to three dimensions, and of functions under a normal density.

In the coordinates of Laplace's approximation, x = x̂ + L u, a smooth density falls off like e^{−u²/2}. There the plain
sum over a grid of step h,

    ∫ g dx ≈ |L| h^D Σ_k g(x̂ + L u_k)

converges faster than any power of h: the step is shortened until the answer stands still, and the grid is widened until
its edge no longer counts. For E[f(a)] under N(m, s²) the sum is Gauss and Hermite's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import logsumexp

from suffice._core.errors import (
    InvalidParameter,
    NotConverged,
    Unsupported,
    check_integer,
    check_number,
    warn,
)
from suffice._core.linalg import cholesky
from suffice._core.records import frozen_array, record
from suffice.inference.laplace import Laplace, laplace

MOST_DIMENSIONS = 3
NEGLIGIBLE = -37.0  # log of 1e-16
WIDEST = 200.0
FINEST = 12  # steps by which it is shortened
MOST_POINTS = 4_000_000


@record
class Integral:
    """log ∫ g, an estimate of its error, and the density as points with weights that sum to one."""

    log_normalizer: float
    error: float
    points: np.ndarray
    weights: np.ndarray
    evaluations: int

    @property
    def mean(self) -> np.ndarray:
        return self.weights @ self.points

    @property
    def cov(self) -> np.ndarray:
        centred = self.points - self.mean
        return (self.weights[:, None] * centred).T @ centred

    def expectation(self, f: Callable[[np.ndarray], Any]) -> Any:
        """E[f(x)]: f is called with each point."""
        return np.tensordot(self.weights, np.array([f(x) for x in self.points]), axes=1)

    def __repr__(self) -> str:
        return f"Integral(log_normalizer={self.log_normalizer:.10g} ± {self.error:.1g}, {self.evaluations} evaluations)"


def quadrature(
    log_density: Callable[[np.ndarray], float],
    start: Any,
    gradient: Callable[[np.ndarray], Any] | None = None,
    hessian: Callable[[np.ndarray], Any] | None = None,
    *,
    around: Laplace | None = None,
    vectorized: bool = False,
    tol: float = 1e-10,
) -> Integral:
    """∫ g(x) dx and the normalized density, for smooth densities in at most three dimensions.

    Parameters
    ----------
    log_density
        log g(x) of a vector.
    start, gradient, hessian
        For the search of the mode; see `laplace`.
    around
        A Laplace approximation that exists already.
    vectorized
        `log_density` takes points in rows and returns one number each.
    tol
        Change of log ∫ g at which shortening the step ends.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import quadrature
    >>> found = quadrature(lambda x: -0.5 * x[0] ** 2 - 0.5 * (x[1] - x[0]) ** 2, [1.0, 1.0])
    >>> found.log_normalizer.round(9), np.log(2 * np.pi).round(9)
    (np.float64(1.837877066), np.float64(1.837877066))
    """
    check_number("tol", tol, low=0.0, strict=True)
    near = laplace(log_density, start, gradient, hessian) if around is None else around
    d = len(near.mode)
    if d > MOST_DIMENSIONS:
        raise Unsupported(
            f"A grid in {d} dimensions has too many points; at most {MOST_DIMENSIONS}. Use laplace or sampling."
        )
    many: Any = (
        log_density if vectorized else (lambda points: np.array([float(log_density(x)) for x in points]))
    )
    root = cholesky(near.cov, "the covariance of Laplace's approximation")
    log_volume = float(np.log(np.diagonal(root)).sum())
    low, high, used = _reach(many, near.mode, root)
    last, error = None, np.inf
    for shortened in range(FINEST):
        step = 2 ** (-shortened / 2)
        points, values = _grid(many, near.mode, root, low, high, step)
        used += len(points)
        total = float(logsumexp(values)) + d * np.log(step) + log_volume
        if last is not None:
            error = abs(total - last)
            if error <= tol:
                break
        last = total
    if error > tol:
        warn(
            f"Shortening the step still changes the log integral by {error:.2g}; the density is rough or has an edge. "
            "Transform the variables so that it is smooth.",
            NotConverged,
        )
    kept = values > values.max() + NEGLIGIBLE - 5
    weights = np.exp(values[kept] - logsumexp(values[kept]))
    return Integral(total, error, frozen_array(points[kept]), frozen_array(weights), used)


def _reach(
    f: Callable[[np.ndarray], np.ndarray], mode: np.ndarray, root: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """How far the grid goes on both sides of each axis of u: until a coarse layer there no longer counts."""
    d = len(mode)
    low, high, used = np.full(d, -6.0), np.full(d, 6.0), 0
    while True:
        points, values, u = _grid_with_places(f, mode, root, low, high, 1.0)
        used += len(points)
        counts = values > values.max() + NEGLIGIBLE
        at_low = np.array([np.any(counts & (u[:, j] <= low[j])) for j in range(d)])
        at_high = np.array([np.any(counts & (u[:, j] >= high[j])) for j in range(d)])
        if not (at_low.any() or at_high.any()):
            return low, high, used
        if max(-low.min(), high.max()) > WIDEST:
            warn(
                f"The density is still above 1e-16 of its mode {WIDEST:g} standard deviations away; what lies beyond "
                "is left out.",
                NotConverged,
            )
            return low, high, used
        low, high = np.where(at_low, np.floor(1.5 * low), low), np.where(at_high, np.ceil(1.5 * high), high)


def _grid(
    f: Any, mode: np.ndarray, root: np.ndarray, low: Any, high: Any, step: float
) -> tuple[np.ndarray, np.ndarray]:
    points, values, _ = _grid_with_places(f, mode, root, low, high, step)
    return points, values


def _grid_with_places(
    f: Any, mode: np.ndarray, root: np.ndarray, low: Any, high: Any, step: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    sides = [np.arange(a, b + step / 2, step) for a, b in zip(low, high, strict=True)]
    if (size := int(np.prod([len(side) for side in sides]))) > MOST_POINTS:
        raise Unsupported(
            f"The density is so far from normal that its grid has {size:,} points, more than {MOST_POINTS:,}. "
            "Use Laplace's approximation or sampling, or transform the variables."
        )
    u = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, len(sides))
    points = mode + u @ root.T
    values = np.asarray(f(points), dtype=float)
    if values.shape != (len(points),) or np.isnan(values).any():
        raise InvalidParameter("log_density must give one number per point, and none that is NaN.")
    return points, values, u


def normal_expectation(f: Callable[[np.ndarray], Any], mean: Any, std: Any, *, n: int = 64) -> np.ndarray:
    """E[f(a)] for a ~ N(mean, std²), elementwise over arrays, by Gauss and Hermite's rule with n points.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import normal_expectation
    >>> normal_expectation(np.exp, [0.0, 1.0], [1.0, 0.5]).round(6)  # exp(m + s²/2)
    array([1.648721, 3.080217])
    """
    check_integer("n", n, 1)
    nodes, weights = np.polynomial.hermite_e.hermegauss(int(n))
    m, s = np.broadcast_arrays(np.asarray(mean, dtype=float), np.asarray(std, dtype=float))
    return np.asarray(f(m[..., None] + s[..., None] * nodes)) @ (weights / weights.sum())
