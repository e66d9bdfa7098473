r"""Normal components whose columns are independent.

Density       log N(x | μ_k, diag σ_k²) = Σ_d −½ z_d² − log σ_kd − ½ log 2π,   z = (x − μ_k) / σ_k
Sums          Σ_n r_nk,  Σ_n r_nk z_nkd,  Σ_n r_nk z²_nkd over the rows in which d is known: a missing cell says nothing
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from suffice._components.normal.components import NormalComponents
from suffice._components.normal.rule import Rule
from suffice._components.responsibilities import kernels
from suffice._components.sums import FieldSums
from suffice._core.numerics import LOG_2PI
from suffice._core.records import frozen_array, record
from suffice.distributions import Normal, ProductDistribution


@record
class ColumnNormalSums(FieldSums):
    """Weight, Σ z and Σ z², each (K, D), in units of the components."""

    n: np.ndarray
    first: np.ndarray
    second: np.ndarray


@record
class ColumnNormals(NormalComponents):
    """K normal densities with variances (K, D)."""

    means: np.ndarray
    variances: np.ndarray
    rule: Rule

    @classmethod
    def of(cls, means: np.ndarray, variances: np.ndarray, rule: Rule) -> ColumnNormals:
        return cls(frozen_array(means), frozen_array(np.broadcast_to(variances, means.shape)), rule)

    @property
    def block(self) -> int:
        return 4096

    @property
    def covariances(self) -> np.ndarray:
        """Σ_k, one per component."""
        return self.variances[:, :, None] * np.eye(self.n_columns)

    @property
    def spreads(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """σ², 1/σ² and 1/σ, each (K, D)."""
        return self.variances, np.square(self.inverse), self.inverse

    def thinnest(self, unit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The least variance of each component in some unit of the columns, and its column."""
        scaled = self.variances / np.square(unit)
        return scaled.min(axis=1), scaled.argmin(axis=1)

    def independent(self) -> tuple[ProductDistribution, ...]:
        """The columns of every component apart."""
        pairs = zip(self.means, np.sqrt(self.variances), strict=True)
        return tuple(
            ProductDistribution([Normal(m, s) for m, s in zip(*pair, strict=True)]) for pair in pairs
        )

    @property
    def log_prior(self) -> float:
        return self.rule.prior.column_log_prob(self.means, self.variances)

    @cached_property
    def inverse(self) -> np.ndarray:
        """1 / σ."""
        return 1 / np.sqrt(self.variances)

    @cached_property
    def constant(self) -> np.ndarray:
        """−log σ − ½ log 2π."""
        return -0.5 * (LOG_2PI + np.log(self.variances))

    def evaluate(self, X: np.ndarray) -> ColumnNormalRows:
        logs = np.empty((len(X), self.n_components))
        kernels().column_logs(X, self.means, self.inverse, self.constant, logs)
        return ColumnNormalRows(self, X, logs)

    def maximized(self, sums: ColumnNormalSums) -> ColumnNormals:
        std = np.sqrt(self.variances)
        moments = sums.n, sums.first * std, sums.second * self.variances
        return ColumnNormals.of(*self.rule.columnwise(*moments, self.means, self.variances), self.rule)

    def expected_log(self, sums: ColumnNormalSums, before: ColumnNormals) -> float:
        std = np.sqrt(before.variances)
        m = sums.first / np.where(sums.n > 0, sums.n, 1.0)
        gap = (before.means + std * m - self.means) * self.inverse  # of the mean of the rows from ours
        scatter = np.square(std * self.inverse) * (sums.second - sums.n * np.square(m))
        squares = scatter + sums.n * np.square(gap)
        return float((sums.n * self.constant - 0.5 * squares).sum())

    def marginal(self, columns: np.ndarray) -> ColumnNormals:
        return ColumnNormals.of(
            self.means[:, columns], self.variances[:, columns], self.rule.marginal(columns)
        )

    def drawn(self, labels: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Rows of these components from standard normal noise (N, D)."""
        return self.means[labels] + noise * np.sqrt(self.variances)[labels]

    def ordered(self, order: np.ndarray) -> ColumnNormals:
        return ColumnNormals.of(self.means[order], self.variances[order], self.rule)


@record
class ColumnNormalRows:
    """Rows and their log densities."""

    normals: ColumnNormals
    X: np.ndarray
    logs: np.ndarray

    def weighted_sums(self, responsibilities: np.ndarray) -> ColumnNormalSums:
        n, first, second = np.zeros((3, *self.normals.means.shape))
        kernels().column_sums(
            self.X, self.normals.means, self.normals.inverse, responsibilities, n, first, second
        )
        return ColumnNormalSums(n, first, second)
