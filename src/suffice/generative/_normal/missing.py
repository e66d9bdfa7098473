r"""Normal densities fitted to rows with missing cells, by expectation–maximization.

Known cells  o, of a row x: x_o ~ N(μ_o, Σ_oo)
Expectation  with B = Σ_oo⁻¹ Σ_o·, the expected row is x̂ − μ = (x_o − μ_o) B, and its cells vary by V = Σ − Σ_·o B
Maximization the mean of the x̂, and what a model makes of the scatter Σ_n w_n ((x̂ − μ)ᵀ(x̂ − μ) + V) of complete rows

Rows with the same known cells enter by their count, sum and cross products, so a pass does not touch the rows again.
All of it happens in units of the columns' spread. The iteration goes on until Σ is what a model makes of the expected
scatter; without shrinkage and with divisor n that is the maximum of the observed likelihood, which then never falls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._components.normal.given import column_moments, refuse_sizes
from suffice._components.rows import refuse_empty_columns, without_idle
from suffice._core.errors import NotConverged, hold_warnings, warn
from suffice._core.linalg import cholesky, eigh, qr_factor
from suffice._core.numerics import LOG_2PI
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace
from suffice.generative._normal.marginal import patterns
from suffice.generative._normal.part import ScatterPart
from suffice.generative._normal.root import Root
from suffice.generative._normal.whitener import dependent_columns
from suffice.inference import em

AT_ONCE = 1 << 21  # numbers in the matrices of the patterns treated together
COLLAPSED = 1e-4  # of a unit column: what is left of it beside the others when a covariance becomes singular
THIN = 0.05  # the same, when iterations ran out on the way


# -- the rows of a class, by which of their cells are known ----------------------------------------------
@record
class Observed:
    """Patterns of known cells (P, D) with the weight, sum and cross products of their rows, zero where unknown."""

    known: np.ndarray
    n: np.ndarray
    total: np.ndarray
    products: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, weight: np.ndarray) -> Observed:
        """Of rows that are centred and scaled already; rows without a known cell or weight say nothing."""
        known = ~np.isnan(X)
        used = known.any(axis=1) & (weight > 0)
        masks, which = patterns(known[used])
        filled, w = np.nan_to_num(X[used]), weight[used]
        order = np.argsort(which, kind="stable")
        starts = np.searchsorted(which[order], np.arange(len(masks)))
        n, total = np.bincount(which, w, len(masks)), np.zeros(masks.shape)
        np.add.at(total, which, w[:, None] * filled)
        groups = np.split(order, starts[1:])
        products = [np.dot((filled[g] * w[g, None]).T, filled[g]) for g in groups] if len(masks) else []
        shape = (len(masks), X.shape[1], X.shape[1])
        return cls(masks, n, total, np.array(products).reshape(shape))

    def expected(self, mean: np.ndarray, cov: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """Sum of x̂ − μ, the scatter about μ, and the log likelihood of what is known."""
        d = len(mean)
        first, second, objective = np.zeros(d), np.zeros((d, d)), 0.0
        step = max(AT_ONCE // (4 * d * d), 1)
        for a in range(0, len(self.n), step):
            part = self._expected(slice(a, a + step), mean, cov)
            first, second, objective = first + part[0], second + part[1], objective + part[2]
        return first, second, objective

    def _expected(self, rows: slice, mean: np.ndarray, cov: np.ndarray) -> tuple[Any, Any, float]:
        o, n, total = self.known[rows].astype(float), self.n[rows], self.total[rows]
        m = o * mean
        shift = total[:, :, None] * m[:, None, :]
        Q = self.products[rows] - shift - shift.transpose(0, 2, 1)
        Q += n[:, None, None] * m[:, :, None] * m[:, None, :]  # (P, D, D), about μ
        M = cov * o[:, :, None] * o[:, None, :]
        M[:, np.arange(len(mean)), np.arange(len(mean))] += 1 - o  # Σ_oo, and ones where nothing is known
        log_root = np.log(np.diagonal(cholesky(M, "the covariance"), axis1=1, axis2=2)).sum(axis=1)
        solved = np.linalg.solve(M, np.concatenate([o[:, :, None] * cov, Q], axis=2))
        B, squares = solved[:, :, : len(mean)], np.trace(solved[:, :, len(mean) :], axis1=1, axis2=2)
        first = np.einsum("pd,pde->e", total - n[:, None] * m, B)
        scatter = np.einsum("pdi,pdj->ij", B, Q @ B) + n.sum() * cov - cov @ np.einsum("p,pde->de", n, B)
        objective = -0.5 * (n @ (o.sum(axis=1) * LOG_2PI + 2 * log_root) + squares.sum())
        return first, scatter, float(objective)


# -- expectation–maximization ----------------------------------------------------------------------------
@record
class ExpectedClasses:
    """The classes as they would be if missing cells were known, and how likely the known ones are."""

    parts: tuple[ScatterPart, ...]
    objective: float
    n: float


@record
class KnownCells:
    """Centre and variance of the known cells of each column, over all rows."""

    center: np.ndarray
    variance: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, weight: np.ndarray, names: tuple[str, ...]) -> KnownCells:
        """Raises for a column without a known cell, or whose squares do not exist."""
        X = without_idle(X, weight)
        refuse_empty_columns(X, names)
        refuse_sizes(X, names)
        return cls(*column_moments(X, weight))


def fit_with_gaps(
    X: np.ndarray,
    codes: list[np.ndarray],
    weight: np.ndarray,
    columns: KnownCells,
    roots: Callable[[tuple[ScatterPart, ...]], list[np.ndarray]],
    tol: float,
    max_iter: int,
) -> tuple[tuple[ScatterPart, ...], Trace]:
    """Classes (their rows in `codes`) with the means and scatters from which `roots` makes their covariances."""
    unit = np.where(columns.variance > 0, np.sqrt(columns.variance), 1.0)
    scaled = (X - columns.center) / unit
    observed = [Observed.of(scaled[rows], weight[rows]) for rows in codes]

    def expect(parts: tuple[ScatterPart, ...]) -> ExpectedClasses:
        covariances = roots(parts)
        _refuse_collapse(parts, covariances, COLLAPSED)
        known = [
            _expected(o, p, root, columns.center, unit)
            for o, p, root in zip(observed, parts, covariances, strict=True)
        ]
        return ExpectedClasses(tuple(k[0] for k in known), sum(k[1] for k in known), sum(p.n for p in parts))

    few = [False] * len(codes)
    while True:
        start = tuple(_start(o, columns, unit, f) for o, f in zip(observed, few, strict=True))
        try:
            with hold_warnings() as stopped:
                found = em(start, expect, lambda e: e.parts, tol=tol, max_iter=max_iter)
            if stopped:  # on the way to a singular covariance, or only slow
                _refuse_collapse(found.params, roots(found.params), THIN)
            break
        except Collapse as collapse:
            few[collapse.place] = True
    if stopped:
        warn(
            f"The likelihood of the known cells still changed after {len(found.trace) - 1} iterations; raise "
            f"em_max_iter={max_iter}, or em_tol={tol:g}, or choose shrinkage='auto'.",
            NotConverged,
        )
    return found.params, found.trace


class Collapse(Exception):
    """The covariance of the class at `place` becomes singular: the likelihood has no maximum."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def _refuse_collapse(parts: tuple[ScatterPart, ...], covariances: list[np.ndarray], tolerance: float) -> None:
    for place, (part, root) in enumerate(zip(parts, covariances, strict=True)):
        if not part.few and len(dependent_columns(Root.of(root), tolerance)):
            raise Collapse(place)


def _start(o: Observed, columns: KnownCells, unit: np.ndarray, few: bool) -> ScatterPart:
    """Independent columns with the moments of the known cells; those of all classes for a column without any."""
    n = o.n @ o.known
    some = n > 0
    mean = np.where(some, o.total.sum(axis=0) / np.where(some, n, 1.0), 0.0)
    square = np.einsum("pdd->d", o.products) / np.where(some, n, 1.0)
    variance = np.where(some, np.maximum(square - mean**2, 0.0), columns.variance / unit**2)
    weight = float(o.n.sum())
    weight = weight if weight > 0 else 1.0
    factor = np.diag(np.sqrt(weight * variance) * unit)
    center = frozen_array(columns.center + mean * unit)
    return ScatterPart(weight, center, frozen_array(factor), few)


def _expected(
    o: Observed, part: ScatterPart, root: np.ndarray, center: np.ndarray, unit: np.ndarray
) -> tuple[ScatterPart, float]:
    """One class after another pass, and its log likelihood."""
    if not len(o.n):
        return part, 0.0
    root = root / unit
    mean = (part.mean - center) / unit
    first, scatter, objective = o.expected(mean, root.T @ root)
    n, move = part.n, first / part.n
    scatter = scatter - n * np.outer(move, move)
    values, vectors = eigh((scatter + scatter.T) / 2)
    factor = qr_factor(np.asfortranarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T * unit))
    jacobian = float(o.n @ (o.known @ np.log(unit)))
    moved = ScatterPart(n, frozen_array(center + (mean + move) * unit), frozen_array(factor), part.few)
    return moved, objective - jacobian
