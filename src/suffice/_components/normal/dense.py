r"""Normal components whose columns vary together.

Density       log N(x | μ_k, Σ_k) = −½ ‖z‖² − log det L_k − ½ D log 2π,   z = L_k⁻¹ (x − μ_k),  Σ_k = L_k L_kᵀ
Sums          Σ_n r_nk,  Σ_n r_nk z_nk,  Σ_n r_nk z_nk z_nkᵀ: in units of the component, so that nothing cancels
Missing cells are integrated out of the density; in the sums they are expected, and their variance is added (`gaps.py`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from suffice._components.normal.components import NormalComponents
from suffice._components.normal.gaps import Runs, evaluate_runs
from suffice._components.normal.rule import Rule
from suffice._components.responsibilities import kernels
from suffice._components.sums import FieldSums
from suffice._core.linalg import cholesky, eigh, inverse_of_triangle
from suffice._core.numerics import LOG_2PI
from suffice._core.records import frozen_array, record

CELLS = 1 << 18  # of the whitened rows of a block: two megabytes, which stay near the processor


@record
class NormalSums(FieldSums):
    """Weight (K,), Σ z (K, D) and Σ z zᵀ (K, D, D) in units of the components, and the entropy of missing cells."""

    n: np.ndarray
    first: np.ndarray
    second: np.ndarray
    entropy: float = 0.0


@record
class NormalWhitening:
    """What all rows are seen through: a center near them, L⁻ᵀ, the shift of each component, and its log constant."""

    center: np.ndarray
    whiteners: np.ndarray
    shift: np.ndarray
    constant: np.ndarray


@record
class DenseNormals(NormalComponents):
    """K normal densities with covariances Σ_k, or one Σ for all (then `roots` has one entry)."""

    means: np.ndarray
    roots: np.ndarray
    rule: Rule

    @classmethod
    def of(cls, means: np.ndarray, covariances: np.ndarray, rule: Rule) -> DenseNormals:
        """From covariances (K, D, D) or (1, D, D)."""
        roots = cholesky((covariances + np.swapaxes(covariances, 1, 2)) / 2, "A covariance of the mixture")
        return cls(frozen_array(means), frozen_array(roots), rule)

    @property
    def block(self) -> int:
        return int(np.clip(CELLS // self.means.size, 64, 4096))

    @property
    def covariances(self) -> np.ndarray:
        """Σ_k, one per component."""
        return np.broadcast_to(self.own_covariances, (self.n_components, *self.roots.shape[1:]))

    @cached_property
    def own_covariances(self) -> np.ndarray:
        """Σ_k, or the one that is shared."""
        return self.roots @ np.swapaxes(self.roots, 1, 2)

    @property
    def spreads(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Σ_k, Σ_k⁻¹, and upper triangles W_k with W_k W_kᵀ = Σ_k⁻¹; one where it is shared."""
        W = self._whitening.whiteners
        return self.own_covariances, W @ np.swapaxes(W, 1, 2), W

    def thinnest(self, unit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The least variance of each component in some unit of the columns, and the column most along it."""
        values, vectors = eigh(self.covariances / (unit[:, None] * unit))
        return values[:, 0], np.abs(vectors[:, :, 0]).argmax(axis=1)

    @property
    def log_prior(self) -> float:
        return self.rule.prior.log_prob(self.means, self.own_covariances)

    # -- seeing rows -----------------------------------------------------------------------------------------
    @cached_property
    def _whitening(self) -> NormalWhitening:
        whiteners = np.array([inverse_of_triangle(root).T for root in self.roots])
        center = self.means.mean(axis=0)
        shift = np.squeeze((self.means - center)[:, None, :] @ whiteners, axis=1)
        constant = -0.5 * self.n_columns * LOG_2PI - np.log(np.diagonal(self.roots, axis1=1, axis2=2)).sum(
            axis=1
        )
        return NormalWhitening(
            center,
            np.ascontiguousarray(whiteners),
            shift,
            np.broadcast_to(constant, (self.n_components,)).copy(),
        )

    def evaluate(self, X: np.ndarray) -> DenseNormalRows | NormalRowsWithGaps:
        """Rows, by runs of the same known cells where some are missing."""
        runs = Runs.of(X)
        if runs is not None:
            return NormalRowsWithGaps(self, *evaluate_runs(X, runs, self.means, self.roots))
        whitening, (n, D) = self._whitening, X.shape
        Z, logs = np.empty((self.n_components, n, D)), np.empty((n, self.n_components))
        kernels().whitened(
            X - whitening.center, whitening.whiteners, whitening.shift, whitening.constant, Z, logs
        )
        return DenseNormalRows(Z, logs)

    # -- fitting ---------------------------------------------------------------------------------------------
    def maximized(self, sums: NormalSums) -> DenseNormals:
        roots = np.broadcast_to(self.roots, (self.n_components, *self.roots.shape[1:]))
        first = np.squeeze(roots @ sums.first[:, :, None], axis=2)
        second = roots @ sums.second @ np.swapaxes(roots, 1, 2)
        means, roots = self.rule.dense(sums.n, first, second, self.means, self.own_covariances)
        return DenseNormals(frozen_array(means), frozen_array(roots), self.rule)

    def expected_log(self, sums: NormalSums, before: DenseNormals) -> float:
        own = self._whitening.whiteners  # L⁻ᵀ
        turn = np.swapaxes(own, 1, 2) @ before.roots  # L⁻¹ L₀: from the units of `before` to ours
        turn = np.broadcast_to(turn, (self.n_components, *turn.shape[1:]))
        m = sums.first / np.where(sums.n > 0, sums.n, 1.0)[:, None]
        center = before.means + np.squeeze(before.roots @ m[:, :, None], axis=2)  # the mean of the rows
        gap = np.squeeze((center - self.means)[:, None, :] @ own, axis=1)
        scatter = sums.second - sums.n[:, None, None] * m[:, :, None] * m[:, None, :]
        squares = np.einsum("kij,kjl,kil->k", turn, scatter, turn) + sums.n * np.square(gap).sum(axis=1)
        return float(sums.n @ self._whitening.constant - 0.5 * squares.sum() + sums.entropy)

    # -- parts -----------------------------------------------------------------------------------------------
    def marginal(self, columns: np.ndarray) -> DenseNormals:
        covariances = self.own_covariances[:, columns[:, None], columns]
        return DenseNormals.of(self.means[:, columns], covariances, self.rule.marginal(columns))

    def drawn(self, labels: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Rows of these components from standard normal noise (N, D)."""
        out = self.means[labels]
        for k in np.unique(labels):
            out[labels == k] += noise[labels == k] @ self.roots[min(k, len(self.roots) - 1)].T
        return out

    def ordered(self, order: np.ndarray) -> DenseNormals:
        roots = self.roots if len(self.roots) == 1 else self.roots[order]
        return DenseNormals(frozen_array(self.means[order]), frozen_array(roots), self.rule)


@record
class DenseNormalRows:
    """Rows without gaps, whitened by every component (K, N, D)."""

    Z: np.ndarray
    logs: np.ndarray

    def weighted_sums(self, responsibilities: np.ndarray) -> NormalSums:
        K, _, D = self.Z.shape
        first, second = np.zeros((K, D)), np.empty((K, D, D))
        kernels().weighed(self.Z, responsibilities, first, second)
        return NormalSums(responsibilities.sum(axis=0), first, second)


@record
class NormalRowsWithGaps:
    """Rows by runs of the same known cells."""

    normals: DenseNormals
    runs: Runs
    roots: np.ndarray
    Z: np.ndarray
    logs: np.ndarray

    def weighted_sums(self, responsibilities: np.ndarray) -> NormalSums:
        normals, r = self.normals, np.ascontiguousarray(responsibilities[self.runs.places])
        first = np.zeros(normals.means.shape)
        second = np.zeros((*normals.means.shape, normals.n_columns))
        runs = self.runs
        entropy = kernels().gap_sums(
            runs.starts, runs.orders, runs.known, self.roots, self.Z, r, first, second
        )
        W = normals._whitening.whiteners
        first = np.squeeze(first[:, None, :] @ W, axis=1)
        return NormalSums(r.sum(axis=0), first, np.swapaxes(W, 1, 2) @ second @ W, float(entropy))


def as_rows(X: Any) -> np.ndarray:
    """Rows as the components see them: dense, float64, in memory order."""
    X = X.toarray() if hasattr(X, "toarray") else X
    return np.ascontiguousarray(X, dtype=float)
