r"""The posterior itself, on a grid, for at most three parameters.

In the coordinates of Laplace's fit, b = mode + F Q v, the posterior is nearly a standard normal. Plain sums over a grid
of v converge faster than any power of its step (`quadrature`), so evidence, moments and predictions are exact for all
purposes. Q is a fixed rotation: with it no two points of the grid share a coordinate, and quantiles of one parameter
are as fine as the grid is large.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import logsumexp

from suffice._core.errors import Unsupported, check_number
from suffice._core.linalg import qr_factor
from suffice._core.params import Parametric
from suffice._core.random import generator
from suffice._core.records import frozen_array, record
from suffice.distributions import MultivariateEmpirical
from suffice.inference.laplace import Laplace
from suffice.inference.posterior import PredictorPoints, Target
from suffice.inference.quadrature import MOST_DIMENSIONS, Integral, quadrature

FINE = {1: 1 / 64, 2: 1 / 8, 3: 1 / 2}  # steps of the grid that is kept
MOST_KEPT = 200_000
KEPT = -34.5  # log of the smallest weight that is kept, next to the largest


@record(repr=True)
class Quadrature(Parametric):
    """The posterior by sums over a grid around its mode; at most three parameters, the intercept among them.

    Parameters
    ----------
    tol
        Change of the log evidence at which shortening the step of the grid ends.

    Examples
    --------
    >>> from suffice.glm import BayesianLogisticRegression
    >>> from suffice.inference import Quadrature
    >>> x, t = [[-2.0], [-1.0], [-0.5], [0.5], [1.0], [2.5]], [0, 0, 1, 0, 1, 1]
    >>> for choice in ({}, {"inference": Quadrature()}):
    ...     model = BayesianLogisticRegression(0.5, intercept="prior", **choice).fit(x, t)
    ...     print(model.evidence_kind_, round(model.log_evidence_, 6), model.posterior_.mean.round(4))
    laplace -4.298 [-0.029   0.9191]
    quadrature -4.221407 [-0.0216  1.1986]
    """

    tol: float = 1e-10

    def __post_init__(self) -> None:
        check_number("tol", self.tol, low=0.0, strict=True)

    def log_evidence(self, target: Target) -> float:
        """log ∫ p(D, b) db."""
        return self._integral(target, _rotated(target)).log_normalizer

    def approximate(self, target: Target) -> GridPosterior:
        """Points with weights in place of the posterior."""
        root = _rotated(target)
        found = self._integral(target, root)
        v = _finer(found.points, FINE[target.dim])
        logs = target.log_densities(target.mode + v @ root.T)
        kept = logs > logs.max() + KEPT
        b = target.mode + v[kept] @ root.T
        return GridPosterior(
            frozen_array(target.moved(b)),
            frozen_array(np.exp(logs[kept] - logsumexp(logs[kept]))),
            frozen_array(target.reported(b)),
            found.log_normalizer,
            found.error,
        )

    def _integral(self, target: Target, root: np.ndarray) -> Integral:
        if target.dim > MOST_DIMENSIONS:
            raise Unsupported(
                f"Quadrature takes at most {MOST_DIMENSIONS} parameters, and this model has {target.dim} "
                f"({', '.join(target.names[:6])}{', …' if target.dim > 6 else ''}). Use LaplaceApproximation()."
            )
        log_volume = float(np.linalg.slogdet(root)[1])
        near: Any = Laplace(np.zeros(target.dim), np.eye(target.dim), 0.0, None)  # type: ignore[arg-type]
        log_densities: Any = lambda v: target.log_densities(target.mode + v @ root.T) + log_volume  # noqa: E731
        return quadrature(log_densities, near.mode, around=near, vectorized=True, tol=self.tol)


@record
class GridPosterior:
    """Functions u and reported parameters in rows, with weights that sum to one."""

    points: np.ndarray
    weights: np.ndarray
    reported: np.ndarray
    log_evidence: float
    log_evidence_error: float

    @property
    def evidence_kind(self) -> str:
        return "quadrature"

    @cached_property
    def posterior(self) -> MultivariateEmpirical:
        """Of the reported parameters."""
        return MultivariateEmpirical(self.reported, self.weights)

    @property
    def cov(self) -> np.ndarray:
        """Of u."""
        gaps = self.points - self.weights @ self.points
        return (gaps * self.weights[:, None]).T @ gaps

    @property
    def reported_root(self) -> np.ndarray:
        """F with F Fᵀ the covariance of the reported parameters."""
        gaps = self.reported - self.weights @ self.reported
        return qr_factor(np.sqrt(self.weights)[:, None] * gaps).T

    def draws(self, n: int, rng: Any) -> np.ndarray:
        """(n, P) functions u."""
        return self.points[generator(rng).choice(len(self.points), size=n, p=self.weights)]

    def along(self, Z: np.ndarray) -> PredictorPoints:
        """a at some rows."""
        return PredictorPoints(Z @ self.points.T, self.weights)


def _rotated(target: Target) -> np.ndarray:
    """F Q, with Q the reflection that swaps the first axis with a direction of irrational slopes."""
    normal = np.sqrt([1.0, 2.0, 5.0])[: target.dim] if target.dim <= MOST_DIMENSIONS else np.ones(target.dim)
    Q = np.eye(target.dim) - 2 * np.outer(normal, normal) / (normal @ normal)
    return target.root @ Q


def _finer(points: np.ndarray, step: float) -> np.ndarray:
    """A grid of that step over the box of some points, or coarser where that would be too many."""
    low, high = points.min(axis=0) - 1, points.max(axis=0) + 1
    step = max(step, float(np.prod(high - low) / MOST_KEPT) ** (1 / len(low)))
    sides = [
        np.arange(np.floor(a / step), np.ceil(b / step) + 1) * step for a, b in zip(low, high, strict=True)
    ]
    return np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, len(sides))
