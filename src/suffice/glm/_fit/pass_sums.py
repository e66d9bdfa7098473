r"""What one pass over the rows leaves behind: log likelihood, gradient and curvature at some functions u.

    log likelihood   Σ w log p(y | a)
    gradient         Σ w z gᵀ                 (1 + d, K)
    gram             Σ w v ⊗ z zᵀ             (K (1 + d), K (1 + d)), one function after the other

Sums over rows, so sums of disjoint rows add, but only those at the same u. In place of the gram, a pass can factor
√(w v) z by Householder reflections, which does not square the condition of the columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from suffice._core.linalg import cross_products, eigh, qr_factor, qr_stacked
from suffice._core.memory import need_memory
from suffice._core.records import record
from suffice.engine import Rows
from suffice.glm._fit.plan import Plan
from suffice.likelihoods import Softmax
from suffice.statistics import Triangle
from suffice.statistics.header import Fingerprint, Header
from suffice.statistics.triangle import gather

STEP = 4096  # rows whose columns are copied and worked on while they are near
STRIDE = 16_384  # rows that are used where they are
AT_ONCE = 1024  # rows whose products with all functions are held at once


Wanted = Literal["gradient", "gram", "factor", "metric"]


@record
class SumsAt:
    """The functions to visit, what to sum there, and how much a row of each class counts."""

    u: np.ndarray
    wanted: Wanted = "gram"
    class_weight: np.ndarray | None = None
    every: int = 1  # visit one row of so many
    turn: np.ndarray | None = None  # T (1 + d, q): the gram is that of z T, and stays so

    def over(self, rows: Rows, plan: Plan) -> PassSums:
        """The pass over some rows."""
        return sums_at(rows, plan, self)


@record
class ColumnSpreads:
    """Asks for means and spreads of the columns."""

    def over(self, rows: Rows, plan: Plan) -> Triangle:
        """The pass over some rows."""
        return gather(plan.layout, rows.X, np.zeros((len(rows), 0)), rows.weight)


Visit = Callable[[Any], Any]  # what a pass over all rows leaves, wherever they are


def weighted(visit: Visit, class_weight: np.ndarray | None) -> Visit:
    """Passes in which a row of each class counts so much."""
    if class_weight is None:
        return visit
    return lambda at: visit(replace(at, class_weight=class_weight))


def passes_over(rows: Rows, plan: Plan, class_weight: np.ndarray | None = None) -> Visit:
    """Passes over these rows, in one piece."""
    return weighted(lambda at: at.over(rows, plan), class_weight)


@record
class PassSums:
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
    scatter: Any = None  # Σ w z zᵀ and Σ w v, of a pass for the "metric"
    curvature: Any = None

    @property
    def fingerprint(self) -> Fingerprint:
        """Of the targets alone: sums and squares of numbers, weights of classes."""
        return Fingerprint(self.rows, self.n, self.targets[0], self.targets[1])

    def __add__(self, other: PassSums) -> PassSums:
        if not isinstance(other, PassSums):
            return NotImplemented
        self.header.check(other.header)
        a, b = self.factor, other.factor
        factor = None if a is None or b is None else qr_stacked(a, b)
        return PassSums(
            self.header,
            self.rows + other.rows,
            self.n + other.n,
            self.log_likelihood + other.log_likelihood,
            self.saturated + other.saturated,
            self.gradient + other.gradient,
            self.targets + other.targets,
            _plus(self.gram, other.gram),
            factor,
            _plus(self.scatter, other.scatter),
            _plus(self.curvature, other.curvature),
        )


def _plus(a: np.ndarray | None, b: np.ndarray | None) -> np.ndarray | None:
    return None if a is None or b is None else a + b


def sums_at(rows: Rows, plan: Plan, at: SumsAt) -> PassSums:
    """The pass over validated rows."""
    rows = rows if at.every == 1 else rows[:: at.every]
    plain = at.wanted != "factor" and plan.takes_as_is(rows.X)
    if plain:
        u, turn = plan.as_is(at.u), None if at.turn is None else plan.as_is(at.turn)
    else:
        u, turn = at.u, at.turn
    total = _no_sums(plan, at)
    step = STRIDE if plain else STEP
    for a in range(0, len(rows), step):
        block = rows[a : a + step]
        columns: Any = PlainColumns(block.X) if plain else ScaledColumns(plan.design(block.X))
        total = _add_block(total, block, columns, plan, at, u, turn)
    return _from_as_is(total, plan, at) if plain else total


def _no_sums(plan: Plan, at: SumsAt) -> PassSums:
    p, k = plan.n_columns, plan.n_functions
    width = 1 if plan.classes is None else len(plan.classes)
    q = p if at.turn is None else at.turn.shape[1]
    square = None if at.wanted in ("gradient", "metric") else _square(q * k)
    return PassSums(
        plan.header,
        0,
        0.0,
        0.0,
        0.0,
        np.zeros((p, k)),
        np.zeros((2, width)),
        square if at.wanted == "gram" else None,
        square if at.wanted == "factor" else None,
        np.zeros((p, p)) if at.wanted == "metric" else None,
        np.zeros((k, k)) if at.wanted == "metric" else None,
    )


def _square(size: int) -> np.ndarray:
    need_memory(
        4 * 8 * size**2,
        f"The curvature in {size} weights",
        "Leave the covariance out (covariance=False), or fit fewer classes or columns.",
    )
    return np.zeros((size, size))


def _add_block(
    total: PassSums,
    rows: Rows,
    columns: Any,
    plan: Plan,
    at: SumsAt,
    u: np.ndarray,
    turn: np.ndarray | None = None,
) -> PassSums:
    y, offset = split(rows.Y)
    weight = row_weights(rows, at)
    a = columns.values(u)
    a = a if offset is None else a + offset[:, None]
    a = a if plan.likelihood.several else a[:, 0]
    v: Any = None
    if at.wanted == "gradient":
        log_prob, g = plan.likelihood.slopes(y, a)
    elif at.wanted in ("gram", "metric") and isinstance(plan.likelihood, Softmax):
        log_prob, g, v = plan.likelihood.slopes_and_shares(y, a)
    else:
        log_prob, g, v = plan.likelihood.terms(y, a)
    saturated = plan.likelihood.saturated(y)
    if weight is not None:
        log_prob, saturated, g = (_weighed(t, weight) for t in (log_prob, saturated, g))
        v = v if v is None or v.ndim == 2 else _weighed(v, weight)  # shares keep their own
    w = np.ones(len(y)) if weight is None else weight
    turned = columns if turn is None else ScaledColumns(columns.values(turn))
    return replace(
        total,
        rows=total.rows + int(np.count_nonzero(w)),
        n=total.n + float(w.sum()),
        log_likelihood=total.log_likelihood + float(log_prob.sum()),
        saturated=total.saturated + float(saturated.sum()),
        gradient=total.gradient + columns.transposed_times(g.reshape(len(y), -1)),
        targets=total.targets + _targets(y, w, plan),
        gram=None if total.gram is None else total.gram + gram(turned, v, weight, rough=at.every > 1),
        factor=None if total.factor is None else qr_stacked(total.factor, factor(columns.z, v)),
        scatter=None if total.scatter is None else total.scatter + columns.weighted(w),
        curvature=None
        if total.curvature is None
        else total.curvature + _curvature_sum(v, w).reshape(total.curvature.shape),
    )


def _curvature_sum(v: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The sum of weighted curvatures, or of those that shares of a softmax stand for."""
    if v.ndim != 2:
        return v.sum(axis=0)
    q = v[:, :-1].T * w
    return np.diag(q.sum(axis=1)) - q @ v[:, :-1]


def _weighed(terms: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Times the weights; a row that does not count may be as wild as it likes."""
    weight = weight.reshape(-1, *[1] * (terms.ndim - 1))
    return np.where(weight > 0, terms, 0.0) * weight


# -- the columns of a block -----------------------------------------------------------------------------------
class ScaledColumns:
    """z, copied from the table."""

    def __init__(self, z: np.ndarray) -> None:
        self.z = z

    def values(self, u: np.ndarray) -> np.ndarray:
        return self.z @ u

    def transposed_times(self, g: np.ndarray) -> np.ndarray:
        return self.z.T @ g

    def weighted(self, v: np.ndarray) -> np.ndarray:
        """zᵀ diag(v) z."""
        return _squares(self.z, v)

    def squared(self, q: np.ndarray, kind: Any) -> np.ndarray:
        """Σ (q ⊗ z)(q ⊗ z)ᵀ."""
        return sum_of_blocks(q, lambda rows: np.einsum("nk,np->nkp", q[rows], self.z[rows]).astype(kind))


class PlainColumns:
    """[1, x] for columns that need no units: rows of the table are used where they are, which is twice as fast."""

    def __init__(self, x: np.ndarray) -> None:
        self.x = x

    def values(self, u: np.ndarray) -> np.ndarray:
        if u.shape[1] == 1:
            return self.x @ u[1:] + u[0]
        a = u[1:].T @ self.x.T  # a function after the other, as likelihoods of several like them
        a += u[0][:, None]
        return a.T

    def transposed_times(self, g: np.ndarray) -> np.ndarray:
        return np.vstack([g.sum(axis=0), (g.T @ self.x).T])

    def weighted(self, v: np.ndarray) -> np.ndarray:
        d = self.x.shape[1]
        out = np.empty((1 + d, 1 + d))
        out[0, 0], out[0, 1:] = v.sum(), v @ self.x
        out[1:, 0], out[1:, 1:] = out[0, 1:], _squares(self.x, v)
        return out

    def squared(self, q: np.ndarray, kind: Any) -> np.ndarray:
        def outer_rows(rows: slice) -> np.ndarray:
            part, x = q[rows].astype(kind), self.x[rows].astype(kind)
            out = np.empty((*part.shape, 1 + x.shape[1]), dtype=kind)
            out[:, :, 0] = part
            np.multiply(part[:, :, None], x[:, None, :], out=out[:, :, 1:])
            return out

        return sum_of_blocks(q, outer_rows)


def sum_of_blocks(q: np.ndarray, outer_rows: Callable[[slice], np.ndarray]) -> np.ndarray:
    """The cross-products of a wide matrix that is made a thousand rows at a time."""
    parts = (outer_rows(slice(a, a + AT_ONCE)) for a in range(0, len(q), AT_ONCE))
    return sum(cross_products(part.reshape(len(part), -1)) for part in parts)  # type: ignore[return-value]


def _squares(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """xᵀ diag(v) x. Where all weights have one sign, as the square of one matrix, at half the work."""
    low, high = v.min(initial=0.0), v.max(initial=0.0)
    if low < 0 < high or not np.isfinite(low + high):
        return (x.T * v) @ x
    squares = cross_products(x * np.sqrt(np.abs(v))[:, None])
    return -squares if low < 0 else squares


def _from_as_is(total: PassSums, plan: Plan, at: SumsAt) -> PassSums:
    """The same sums for z."""
    gradient = _in_units(plan, total.gradient[None])[0]
    if total.scatter is not None:
        half = _in_units(plan, total.scatter[None])[0]
        return replace(total, gradient=gradient, scatter=_in_units(plan, half.T[None])[0])
    if total.gram is None or at.turn is not None:
        return replace(total, gradient=gradient)
    K, p = plan.n_functions, plan.n_columns
    half = _in_units(plan, total.gram.reshape(K, p, K * p)).reshape(K * p, K * p)
    gram = _in_units(plan, half.T.reshape(K, p, K * p)).reshape(K * p, K * p)
    return replace(total, gradient=gradient, gram=gram)


def _in_units(plan: Plan, sums: np.ndarray) -> np.ndarray:
    """Sums over [1, x] (…, p, …) as sums over z, along the middle axis: Σ (x − c)/s = (Σ x − c Σ 1)/s."""
    out = sums.copy()
    out[:, 1:] -= plan.layout.shift_x[:, None] * sums[:, :1]
    out[:, 1:] /= plan.scale[:, None]
    return out


def split(Y: np.ndarray) -> tuple[np.ndarray, Any]:
    """Targets, and what is added to a: a second column, or nothing."""
    return (Y, None) if Y.ndim == 1 else (Y[:, 0], Y[:, 1])


def row_weights(rows: Rows, at: SumsAt) -> np.ndarray | None:
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


def gram(columns: Any, v: np.ndarray, weight: np.ndarray | None, rough: bool = False) -> np.ndarray:
    """Σ v ⊗ z zᵀ for weighted curvatures (N,) or (N, K, K), or for shares (N, C) of a softmax, v = diag(p) − p pᵀ.

    Of shares all but the diagonal is one square, −Σ (p ⊗ z)(p ⊗ z)ᵀ, in single precision for a preconditioner.
    """
    if v.ndim == 1:
        return columns.weighted(v)
    k = v.shape[1] - 1 if v.ndim == 2 else v.shape[1]
    if v.ndim == 3:
        blocks = {(i, j): columns.weighted(v[:, i, j]) for i in range(k) for j in range(i + 1)}
        return np.block([[blocks[max(i, j), min(i, j)] for j in range(k)] for i in range(k)])
    p = v[:, :k]
    q = p if weight is None else np.sqrt(weight)[:, None] * p
    out = -columns.squared(q, np.float32 if rough else np.float64).astype(float)
    size = len(out) // k
    for i in range(k):
        curvature = p[:, i] * (1 - p[:, i])
        place = slice(i * size, (i + 1) * size)
        out[place, place] = columns.weighted(curvature if weight is None else weight * curvature)
    return out


def factor(z: np.ndarray, v: np.ndarray) -> np.ndarray:
    """R with RᵀR = Σ v ⊗ z zᵀ, from the rows; a direction that curves the other way is left out."""
    if v.ndim == 1:
        return qr_factor(np.asfortranarray(z * np.sqrt(np.maximum(v, 0.0))[:, None]), overwrite=True)
    values, vectors = eigh(v)
    roots = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]  # (N, K, K): v = roots rootsᵀ
    wide = np.einsum("nkr,np->nrkp", roots, z).reshape(-1, v.shape[1] * z.shape[1])
    return qr_factor(np.asfortranarray(wide), overwrite=True)


__all__ = [
    "ColumnSpreads",
    "PassSums",
    "SumsAt",
    "Visit",
    "passes_over",
    "row_weights",
    "split",
    "sums_at",
    "weighted",
]
