r"""Laplace's approximation: a normal density at the mode, with the curvature there (FCML §4.4, PRML §4.4, Lecture 3).

log g(x) ≈ log g(x̂) − ½ (x − x̂)ᵀ A (x − x̂),     A = −∂² log g / ∂x∂xᵀ at the mode x̂
q(x) = N(x̂, A⁻¹),     ∫ g ≈ g(x̂) (2π)^{D/2} |A|^{−½}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import NotPositiveDefinite, hold_warnings
from suffice._core.linalg import eigh
from suffice._core.records import frozen_array, record
from suffice.distributions import MultivariateNormal, Normal
from suffice.inference.calculus import gradient as numeric_gradient
from suffice.inference.calculus import hessian as numeric_hessian
from suffice.inference.newton import Optimum, newton


@record
class Laplace:
    """Mode, covariance, the normal density they make, and the logarithm of the integral it stands for."""

    mode: np.ndarray
    cov: np.ndarray
    log_normalizer: float
    optimum: Optimum

    @property
    def distribution(self) -> Normal | MultivariateNormal:
        """`Normal` in one dimension, else `MultivariateNormal`."""
        if len(self.mode) == 1:
            return Normal(float(self.mode[0]), float(np.sqrt(self.cov[0, 0])))
        return MultivariateNormal(self.mode, self.cov)

    def __repr__(self) -> str:
        return f"Laplace(mode={self.mode.round(6).tolist()}, log_normalizer={self.log_normalizer:.6g})"


def laplace(
    log_density: Callable[[np.ndarray], float],
    start: Any,
    gradient: Callable[[np.ndarray], Any] | None = None,
    hessian: Callable[[np.ndarray], Any] | None = None,
    *,
    tol: float = 1e-13,
    max_iter: int = 200,
) -> Laplace:
    """The normal approximation of a density that is known up to a constant.

    Parameters
    ----------
    log_density
        log g(x) of a vector; −inf where x is impossible.
    start
        Where the search for the mode begins; log g must be finite there.
    gradient, hessian
        Of log g; differences without them.

    Examples
    --------
    A Gamma density has the mode (α − 1)/β and the approximate variance (α − 1)/β² (FCML §4.4.1):

    >>> import numpy as np
    >>> from suffice.inference import laplace
    >>> def log_gamma(y, shape=20.0, rate=0.5):
    ...     return (shape - 1) * np.log(y[0]) - rate * y[0] if y[0] > 0 else -np.inf
    >>> found = laplace(log_gamma, [10.0])
    >>> found.mode.round(4), found.cov.round(2)
    (array([38.]), array([[76.]]))
    """
    slope = gradient or (lambda x: numeric_gradient(log_density, x))
    bend = hessian or (lambda x: numeric_hessian(log_density, x))
    if gradient is None or hessian is None:
        found = _by_differences(log_density, start, slope, bend, gradient, hessian, tol, max_iter)
    else:
        found = newton(log_density, start, slope, bend, maximize=True, tol=tol, max_iter=max_iter)
    values, vectors = eigh(-(found.hessian + found.hessian.T) / 2)
    if values.min() <= 0:
        raise NotPositiveDefinite(
            f"The density does not curve down in every direction at {found.at.tolist()}: the smallest curvature is "
            f"{values.min():.3g}. It has no mode there; start elsewhere."
        )
    d = len(found.at)
    log_normalizer = found.value + 0.5 * d * np.log(2 * np.pi) - 0.5 * float(np.log(values).sum())
    cov = (vectors / values) @ vectors.T
    return Laplace(found.at, frozen_array((cov + cov.T) / 2), log_normalizer, found)


def _by_differences(
    log_density: Callable[[np.ndarray], float],
    start: Any,
    slope: Callable[[np.ndarray], Any],
    bend: Callable[[np.ndarray], Any],
    gradient: Callable[[np.ndarray], Any] | None,
    hessian: Callable[[np.ndarray], Any] | None,
    tol: float,
    max_iter: int,
) -> Optimum:
    """Twice: differences are right in units of the density's own width, which the first search finds."""
    with hold_warnings():
        rough = newton(log_density, start, slope, bend, maximize=True, tol=tol, max_iter=max_iter)
    curved = np.abs(np.diagonal(rough.hessian))
    unit = 1 / np.sqrt(np.where((curved > 0) & np.isfinite(curved), curved, 1.0))

    def there(t: np.ndarray) -> np.ndarray:
        return rough.at + unit * t

    def density(t: np.ndarray) -> float:
        return float(log_density(there(t)))

    fine = newton(
        density,
        np.zeros_like(unit),
        (lambda t: numeric_gradient(density, t))
        if gradient is None
        else (lambda t: unit * gradient(there(t))),
        (lambda t: numeric_hessian(density, t))
        if hessian is None
        else (lambda t: np.asarray(hessian(there(t))) * np.outer(unit, unit)),
        maximize=True,
        tol=tol,
        max_iter=max_iter,
    )
    path = np.vstack([rough.path, there(fine.path)])
    return Optimum(
        frozen_array(there(fine.at)),
        fine.value,
        frozen_array(fine.gradient / unit),
        frozen_array(fine.hessian / np.outer(unit, unit)),
        fine.trace,
        frozen_array(path),
    )
