"""Leaving single rows out of one fit with normal densities: the scatter of a class loses one direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import record
from suffice.engine import Rows
from suffice.generative._normal.covariance import FLOOR, centred_factor, pooled
from suffice.generative._normal.part import ScatterPart, variance_over_all
from suffice.generative._shell.bayes_rule import log_posterior, priors_without
from suffice.statistics.layout import dense

MARGIN = 100.0  # above the least variance, where leaving a row out could bring a column down to it
ALONE = 1e-6  # share of the scatter below which a row left out is fitted anew


@record
class Deviation:
    """A row left out of its class, in units of the scatter T of that class or of all: z = (x − mean of its class) T⁻¹.

    Without the row, of weight w, the class has n' = n_c − w, its mean moves by −w (x − m_c) / n', and the scatter loses
    a zᵀz with a = w n_c / n'; `left` = 1 − a ‖z‖² is the share of the scatter that stays in the direction z.
    """

    size: np.ndarray
    rest: np.ndarray
    factor: np.ndarray
    square: np.ndarray
    left: np.ndarray

    @classmethod
    def of(cls, z: np.ndarray, size: np.ndarray, weight: np.ndarray) -> Deviation:
        """From whitened deviations (N, r), the weight of each row's class and its own."""
        rest = size - weight
        factor = weight * size / np.where(rest > 0, rest, 1.0)
        square = np.einsum("nr,nr->n", z, z)
        return cls(size, rest, factor, square, 1 - factor * square)

    @property
    def alone(self) -> np.ndarray:
        """Rows that take a direction, or their class, with them."""
        return (self.left < ALONE) | ~(self.rest > 0)

    @property
    def safe(self) -> np.ndarray:
        return np.where(self.alone, 1.0, self.left)

    @property
    def own(self) -> np.ndarray:
        """Squared distance of the row to the mean of its class, both without it."""
        rest = np.where(self.rest > 0, self.rest, 1.0)
        return (self.size / rest) ** 2 * self.square / self.safe


def _floored(roots: list[np.ndarray], fitted: Any) -> np.ndarray:
    """Which columns have the least variance allowed, a share of that over all rows, which every row changes."""
    total = variance_over_all(tuple(ScatterPart.of(p) for p in fitted.statistics_.parts if p is not None))
    within = np.array([np.square(root).sum(axis=0) for root in roots])
    return (within < FLOOR * total * (1 + MARGIN)) & (total > 0)


def _pooled(fitted: Any) -> np.ndarray:
    parts = [p for p in fitted.statistics_.parts if p is not None]
    return pooled([centred_factor(p) for p in parts]) / np.sqrt(fitted.class_count_.sum())


def linear_left_out(fitted: Any, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """log P(c | x) of every row by a linear analysis without it, and which rows must be refitted.

    The inverse of the shared scatter changes by rank one (Sherman–Morrison), hence the distances to all means.
    """
    n, C = rows.X.shape[0], fitted.class_count_
    w = np.ones(n) if rows.weight is None else rows.weight
    W = fitted.whitener_
    if W.rank < fitted.means_.shape[1] or np.any(C == 0) or np.any(_floored([_pooled(fitted)], fitted)[0]):
        return np.zeros((n, len(C))), np.ones(n, dtype=bool)
    total = C.sum()
    unit = 1 / np.sqrt(total - len(C) if fitted.unbiased else total)  # from covariance to scatter
    white = np.dot(dense(rows.X) - fitted.xbar_, W.matrix) * unit
    centers = (fitted.means_ - fitted.xbar_) @ W.matrix * unit
    own = white - centers[rows.Y]
    d = Deviation.of(own, C[rows.Y], w)
    squares, inner = np.empty((2, n, len(C)))
    for c, center in enumerate(centers):  # a table of rows, classes and columns would be large
        gap = white - center
        squares[:, c], inner[:, c] = np.einsum("nr,nr->n", gap, gap), np.einsum("nr,nr->n", gap, own)
    squares += (d.factor / d.safe)[:, None] * inner**2
    squares[np.arange(n), rows.Y] = d.own
    freedom = total - w - (len(C) if fitted.unbiased else 0)
    priors = np.log(priors_without(fitted.class_log_prior_, fitted.priors, C, rows.Y, w))
    return log_posterior(-0.5 * freedom[:, None] * squares + priors, fitted.class_log_prior_), d.alone


def quadratic_left_out(fitted: Any, rows: Rows, regularized: bool) -> tuple[np.ndarray, np.ndarray]:
    """The same of a quadratic analysis: the density of the row's own class changes, its determinant included."""
    n, C = rows.X.shape[0], fitted.class_count_
    w = np.ones(n) if rows.weight is None else rows.weight
    parts = [ScatterPart.of(p) for p in fitted.statistics_.parts if p is not None]
    if regularized or np.any(C == 0) or np.any(_floored([p.factor / np.sqrt(p.n) for p in parts], fitted)):
        return np.zeros((n, len(C))), np.ones(n, dtype=bool)
    X, dim = dense(rows.X), rows.X.shape[1]
    varies = int(np.sum(variance_over_all(tuple(parts)) > 0))  # a column that never does has the variance one
    logs = fitted._log_densities(X)
    alone = np.zeros(n, dtype=bool)
    for c, (mean, white) in enumerate(zip(fitted.means_, fitted.whiteners_, strict=True)):
        mine = np.flatnonzero(np.equal(rows.Y, c))
        before = C[c] - 1 if fitted.unbiased else C[c]
        d = Deviation.of(np.dot(X[mine] - mean, white.matrix) / np.sqrt(before), C[c], w[mine])
        after = before - w[mine]
        alone[mine] = d.alone | ~(after > 0)
        after = np.where(after > 0, after, 1.0)
        log_root = white.log_root + 0.5 * (np.log(d.safe) + varies * np.log(before / after))
        logs[mine, c] = -0.5 * after * d.own - log_root - 0.5 * dim * np.log(2 * np.pi)
    priors = np.log(priors_without(fitted.class_log_prior_, fitted.priors, C, rows.Y, w))
    return log_posterior(logs + priors, fitted.class_log_prior_), alone
