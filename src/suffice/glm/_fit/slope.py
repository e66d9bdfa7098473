r"""What one pass over the rows leaves behind: log likelihood, gradient and curvature at some functions u.

    log likelihood   Σ w log p(y | a)
    gradient         Σ w z gᵀ                 (1 + d, K)
    gram             Σ w v ⊗ z zᵀ             (K (1 + d), K (1 + d)), one function after the other

Sums over rows, so slopes of disjoint rows add, but only those at the same u. In place of the gram, a pass can factor
√(w v) z by Householder reflections, which does not square the condition of the columns.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from suffice._core.linalg import cross_products, eigh, qr_factor, qr_stacked
from suffice._core.records import record
from suffice.engine import Rows
from suffice.glm._fit.plan import Plan
from suffice.statistics.header import Fingerprint, Header

STEP = 4096  # rows whose columns are worked on while they are near


@record
class At:
    """The functions to visit, what to see there, and how much a row of each class counts."""

    u: np.ndarray
    see: Literal["slope", "gram", "factor"] = "gram"
    class_weight: np.ndarray | None = None


@record
class Slope:
    """Sums over rows at one u; `gram` and `factor` where they were asked for."""

    header: Header
    rows: int
    n: float
    log_likelihood: float
    saturated: float
    gradient: np.ndarray
    targets: np.ndarray
    gram: np.ndarray | None = None
    factor: np.ndarray | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        """Of the targets alone: sums and squares of numbers, weights of classes."""
        return Fingerprint(self.rows, self.n, self.targets[0], self.targets[1])

    def __add__(self, other: Slope) -> Slope:
        if not isinstance(other, Slope):
            return NotImplemented
        self.header.check(other.header)
        gram = None if self.gram is None or other.gram is None else self.gram + other.gram
        factor = (
            None if self.factor is None or other.factor is None else qr_stacked(self.factor, other.factor)
        )
        return Slope(
            self.header,
            self.rows + other.rows,
            self.n + other.n,
            self.log_likelihood + other.log_likelihood,
            self.saturated + other.saturated,
            self.gradient + other.gradient,
            self.targets + other.targets,
            gram,
            factor,
        )


def slope(rows: Rows, plan: Plan, at: At) -> Slope:
    """The pass over validated rows."""
    total = _nothing(plan, at)
    for a in range(0, len(rows), STEP):
        total = _add_block(total, rows[a : a + STEP], plan, at)
    return total


def _nothing(plan: Plan, at: At) -> Slope:
    p, k = plan.n_columns, plan.n_functions
    width = 1 if plan.classes is None else len(plan.classes)
    square = np.zeros((p * k, p * k))
    return Slope(
        plan.header,
        0,
        0.0,
        0.0,
        0.0,
        np.zeros((p, k)),
        np.zeros((2, width)),
        square if at.see == "gram" else None,
        square if at.see == "factor" else None,
    )


def _add_block(total: Slope, rows: Rows, plan: Plan, at: At) -> Slope:
    z = plan.design(rows.X)
    y, offset = split(rows.Y)
    weight = row_weights(rows, at)
    a = z @ at.u + offset[:, None]
    a = a if plan.likelihood.several else a[:, 0]
    log_prob, g, v = plan.likelihood.terms(y, a)
    saturated = plan.likelihood.saturated(y)
    if weight is not None:
        counts = weight > 0  # a row that does not count may be as wild as it likes
        log_prob, saturated = (np.where(counts, t, 0.0) * weight for t in (log_prob, saturated))
        g = np.where(counts[:, None], g.reshape(len(y), -1), 0.0) * weight[:, None]
        v = np.where(counts.reshape(-1, *[1] * (v.ndim - 1)), v, 0.0) * weight.reshape(-1, *[1] * (v.ndim - 1))
    w = np.ones(len(y)) if weight is None else weight
    return replace(
        total,
        rows=total.rows + int(np.count_nonzero(w)),
        n=total.n + float(w.sum()),
        log_likelihood=total.log_likelihood + float(log_prob.sum()),
        saturated=total.saturated + float(saturated.sum()),
        gradient=total.gradient + z.T @ g.reshape(len(y), -1),
        targets=total.targets + _targets(y, w, plan),
        gram=None if total.gram is None else total.gram + gram(z, v),
        factor=None if total.factor is None else qr_stacked(total.factor, factor(z, v)),
    )


def split(Y: np.ndarray) -> tuple[np.ndarray, Any]:
    """Targets, and what is added to a: a second column, or nothing."""
    return (Y, np.zeros(1)) if Y.ndim == 1 else (Y[:, 0], Y[:, 1])


def row_weights(rows: Rows, at: At) -> np.ndarray | None:
    """How often each row counts, by its own weight and that of its class."""
    if at.class_weight is None:
        return rows.weight
    by_class = at.class_weight[rows.Y]
    return by_class if rows.weight is None else by_class * rows.weight


def _targets(y: np.ndarray, w: np.ndarray, plan: Plan) -> np.ndarray:
    if plan.classes is not None:
        return np.tile(np.bincount(y, w, minlength=len(plan.classes)), (2, 1))
    used = np.where(w > 0, y, 0.0)
    return np.array([[w @ used], [w @ used**2]])


def gram(z: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Σ v ⊗ z zᵀ. Where all weights have one sign, as the square of one matrix, at half the work."""
    if v.ndim == 1:
        return _weighted(z, v)
    p, k = z.shape[1], v.shape[1]
    out = np.empty((k * p, k * p))
    for i in range(k):
        for j in range(i + 1):
            block = _weighted(z, v[:, i, j])
            out[i * p : (i + 1) * p, j * p : (j + 1) * p] = block
            out[j * p : (j + 1) * p, i * p : (i + 1) * p] = block
    return out


def _weighted(z: np.ndarray, v: np.ndarray) -> np.ndarray:
    low, high = v.min(initial=0.0), v.max(initial=0.0)
    if low < 0 < high or not np.isfinite(low + high):
        return (z.T * v) @ z
    squares = cross_products(z * np.sqrt(np.abs(v))[:, None])
    return -squares if low < 0 else squares


def factor(z: np.ndarray, v: np.ndarray) -> np.ndarray:
    """R with RᵀR = Σ v ⊗ z zᵀ, from the rows; a direction that curves the other way is left out."""
    if v.ndim == 1:
        return qr_factor(np.asfortranarray(z * np.sqrt(np.maximum(v, 0.0))[:, None]), overwrite=True)
    values, vectors = eigh(v)
    roots = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]  # (N, K, K): v = roots rootsᵀ
    wide = np.einsum("nkr,np->nrkp", roots, z).reshape(-1, v.shape[1] * z.shape[1])
    return qr_factor(np.asfortranarray(wide), overwrite=True)


__all__ = ["At", "Slope", "factor", "gram", "row_weights", "slope", "split"]
