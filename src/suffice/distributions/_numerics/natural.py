"""Statistics of exponential families: values that add.

`NaturalMean` is the general one: the total weight and the mean of the natural statistics T(x).
`PrecisionMoments` is for pairs of a mean μ and a precision Λ. It keeps the centre and the scatter about it,
so that means far from zero lose no digits; two parts are joined by

    P = P₁ + P₂,   c = c₁ + P⁻¹ P₂ (c₂ − c₁),   S = S₁ + S₂ + (c₁ − c₂)ᵀ P₁ P⁻¹ P₂ (c₁ − c₂).
"""

from __future__ import annotations

import numpy as np

from suffice._core.errors import HeaderMismatch, NumericalError
from suffice._core.records import frozen_array, record, same_kind


@record
class NaturalMean:
    """n = Σ w and Σ w T(x) / n: a value that adds and subtracts."""

    n: float
    mean: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, weight: np.ndarray | None) -> NaturalMean:
        """From one row T(x) per observation, (N, P)."""
        w = np.ones(len(values)) if weight is None else weight
        n = float(w.sum())
        return cls(n, frozen_array(w @ values / n if n > 0 else np.zeros(values.shape[1])))

    @property
    def fingerprint(self) -> tuple[float]:
        """The total weight: densities have no targets to tell apart."""
        return (self.n,)

    def __add__(self, other: NaturalMean) -> NaturalMean:
        return self._combine(other, 1.0) if isinstance(other, NaturalMean) else NotImplemented

    @same_kind
    def __sub__(self, other: NaturalMean) -> NaturalMean:
        if other.n > self.n * (1 + 1e-12):
            raise NumericalError(f"Cannot take weight {other.n:g} out of {self.n:g}.")
        return self._combine(other, -1.0)

    def _combine(self, other: NaturalMean, sign: float) -> NaturalMean:
        if self.mean.shape != other.mean.shape:
            sizes = f"{self.mean.shape} and {other.mean.shape}"
            raise HeaderMismatch(f"Cannot combine statistics of shapes {sizes}.")
        n = self.n + sign * other.n
        if n <= 0:
            return NaturalMean(0.0, frozen_array(0 * self.mean))
        gap = other.mean - self.mean
        return NaturalMean(n, frozen_array(self.mean + sign * other.n / n * gap))


@record
class PrecisionMoments:
    """n = Σ w, P = Σ w Λ, Σ w log|Λ|, the centre c = P⁻¹ Σ w Λμ and the scatter Σ w (μ − c)ᵀΛ(μ − c)."""

    n: float
    precision: np.ndarray
    log_det: float
    centre: np.ndarray
    scatter: float

    @classmethod
    def of(
        cls, mean: np.ndarray, precision: np.ndarray, log_det: np.ndarray, weight: np.ndarray | None
    ) -> PrecisionMoments:
        """From means (N, D), precisions (N, D, D) and their log determinants (N,)."""
        w = np.ones(len(mean)) if weight is None else weight
        n, total = float(w.sum()), np.einsum("n,nij->ij", w, precision)
        if n == 0:
            return cls(0.0, frozen_array(total), 0.0, frozen_array(np.zeros(mean.shape[1])), 0.0)
        centre = mean.mean(axis=0)
        pulled = np.einsum("n,nij,nj->i", w, precision, mean - centre)
        centre = centre + np.linalg.solve(total, pulled)
        gap = mean - centre
        scatter = float(np.einsum("n,ni,nij,nj->", w, gap, precision, gap))
        return cls(n, frozen_array(total), float(w @ log_det), frozen_array(centre), scatter)

    @property
    def fingerprint(self) -> tuple[float]:
        """The total weight: densities have no targets to tell apart."""
        return (self.n,)

    @same_kind
    def __add__(self, other: PrecisionMoments) -> PrecisionMoments:
        if self.centre.shape != other.centre.shape:
            sizes = f"{self.centre.shape} and {other.centre.shape}"
            raise HeaderMismatch(f"Cannot combine statistics of shapes {sizes}.")
        if self.n == 0 or other.n == 0:
            return other if self.n == 0 else self
        gap, total = other.centre - self.centre, self.precision + other.precision
        step = np.linalg.solve(total, other.precision @ gap)
        return PrecisionMoments(
            self.n + other.n,
            frozen_array(total),
            self.log_det + other.log_det,
            frozen_array(self.centre + step),
            self.scatter + other.scatter + float(gap @ self.precision @ step),
        )
