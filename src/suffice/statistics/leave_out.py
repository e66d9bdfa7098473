r"""Every row predicted by the model without its fold, from one fit to all rows.

For a (penalized) least-squares fit with rows x_i, weights w_i and M = XᵀWX + PᵀP, write K = X M⁻¹ Xᵀ.
Without the rows g the weights are ŵ − M⁻¹X_gᵀW_g e_g, where the residuals e_g of that smaller fit solve

    (I − K_gg W_g) e_g = r_g          (for one row  e = r / (1 − h), FCML §1.5.2)

with r the residuals of the full fit. The same system gives the spread x_gᵀ M_g⁻¹ x_g that the smaller fit
has at its own test rows, and the squared error it leaves on its training rows. A fold whose rows nearly
determine a direction alone (an eigenvalue of W^½ K W^½ above 1 − 10⁻⁶) is marked for refitting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from suffice._core.linalg import eigh
from suffice._core.records import record
from suffice.statistics.folds import Index, Partition
from suffice.statistics.lstsq import AffineFunction, Solution, System

ALONE = 1 - 1e-6
BLOCK = 8192  # rows at a time


@record
class Smoother:
    """A fit that is linear in the targets: its function, and K = constant + (z B)(z B)ᵀ at deviations z.

    `image` is R B with RᵀR = XᵀWX, and `pull` = Bᵀ times the gradient of the penalty, both None without penalty.
    With `counted`, the value at the center is the first coordinate of z.
    """

    function: AffineFunction
    root: np.ndarray
    constant: float
    image: np.ndarray | None
    pull: np.ndarray | None
    sse: np.ndarray
    counted: bool = False

    @classmethod
    def of_solution(cls, s: Solution, n: float) -> Smoother:
        """Plain least squares."""
        return cls(s.function, s.basis, 1 / n if s.fit_intercept else 0.0, None, None, s.sse)

    @classmethod
    def of_system(cls, s: System, mean: np.ndarray, root: np.ndarray, constant: float) -> Smoother:
        """A penalized fit u = `mean` of a system, with root rootᵀ = (RᵀR + PᵀP)⁻¹."""
        residual = s.Z - s.R @ mean
        sse = np.sum(residual**2, axis=0) + np.sum(s.left_over**2, axis=0)
        image = s.R @ root
        return cls(s.function(mean), s.spread(root), constant, image, image.T @ residual, sse, s.counted)

    @property
    def parameters(self) -> int:
        """Directions that the rows determine, the constant among them."""
        return self.root.shape[1] + bool(self.constant)

    def coordinates(self, deviations: np.ndarray) -> np.ndarray:
        """z B, row by row: K is their inner products."""
        if self.counted:
            return self.root[0] + deviations @ self.root[1:]
        return deviations @ self.root


@record
class LeftOut:
    """What the models without each fold say: one entry per tested row, in the order of the table.

    `predictions` (N, k), `spread` (N,) the variance factor of the function at the row, and per fold
    the squared error `sse` (K, k), weight `n` (K,) and number `rows` (K,) of its training rows. Folds in
    `alone` have no closed form: their rows must be refitted. `fold` (N,) names the fold of each row.
    `parameters` is the rank of the fit, the constant among it.
    """

    predictions: np.ndarray
    spread: np.ndarray
    sse: np.ndarray
    n: np.ndarray
    rows: np.ndarray
    alone: np.ndarray
    fold: np.ndarray
    parameters: int


def leave_out(
    s: Smoother,
    deviations: Callable[[Index], np.ndarray],
    Y: np.ndarray,
    weight: np.ndarray | None,
    folds: Partition,
) -> LeftOut:
    """The closed form for every fold, some thousand rows at a time.

    `deviations(rows)` is the design of some rows less the center of the function.
    """
    predictions, spread = np.full(Y.shape, np.nan), np.full(len(Y), np.nan)
    per_fold = []
    for a, b in _stretches(folds):
        rows, starts = folds.between(a, b), folds.starts[a : b + 1] - folds.starts[a]
        w = np.ones(starts[-1]) if weight is None else weight[rows]
        Z = deviations(rows)
        Q = s.coordinates(Z)
        residual = Y[rows] - s.function.value - Z @ s.function.slope
        error, spread[rows], alone = _solved(s, Q, residual, w, starts)
        predictions[rows] = Y[rows] - error
        sse = _training_error(s, Q, residual, error, w, starts[:-1])
        counts = (np.add.reduceat(v, starts[:-1]) for v in (w, (w > 0).astype(float)))
        alone |= np.any(sse < 1e-6 * s.sse, axis=1)  # a difference of nearly equal sums has no digits
        per_fold.append((sse, *counts, alone))
    sse, n, counted, alone = (np.concatenate(parts) for parts in zip(*per_fold, strict=True))
    fold = np.full(len(Y), -1)
    fold[folds.order] = np.repeat(np.arange(len(folds)), folds.sizes)
    return LeftOut(predictions, spread, sse, n.sum() - n, counted.sum() - counted, alone, fold, s.parameters)


def _stretches(folds: Partition) -> Iterator[tuple[int, int]]:
    """Ranges of folds with about BLOCK rows each."""
    a = 0
    while a < len(folds):
        b = int(np.searchsorted(folds.starts, folds.starts[a] + BLOCK, side="right")) - 1
        b = min(max(b, a + 1), len(folds))
        yield a, b
        a = b


def _solved(s: Smoother, Q: np.ndarray, residual: np.ndarray, w: np.ndarray, starts: np.ndarray) -> tuple:
    """Residuals without the fold, spread there, and which folds stand alone; folds of one size together."""
    sizes = np.diff(starts)
    error, spread = np.empty_like(residual), np.empty(len(residual))
    alone = np.zeros(len(sizes), dtype=bool)
    for size in np.unique(sizes):
        which = np.flatnonzero(sizes == size)
        rows = starts[which][:, None] + np.arange(size)  # (folds, size)
        solve = _singles if size == 1 else _groups
        error[rows], spread[rows], alone[which] = solve(s.constant, Q[rows], residual[rows], w[rows])
    return error, spread, alone


def _singles(constant: float, Q: np.ndarray, r: np.ndarray, w: np.ndarray) -> tuple:
    k = constant + np.einsum("fir,fir->fi", Q, Q)  # (folds, 1)
    alone = (k * w)[:, 0] > ALONE
    left = np.where(alone[:, None], 1.0, 1 - k * w)
    return r / left[..., None], k / left, alone


def _groups(constant: float, Q: np.ndarray, r: np.ndarray, w: np.ndarray) -> tuple:
    K = constant + Q @ np.swapaxes(Q, 1, 2)  # (folds, size, size)
    root = np.sqrt(w)
    alone = eigh(root[:, :, None] * K * root[:, None, :])[0][:, -1] > ALONE
    K[alone] = 0.0
    both = np.linalg.solve(np.eye(K.shape[1]) - K * w[:, None, :], np.concatenate([r, K], axis=2))
    k = r.shape[2]
    return both[..., :k], np.einsum("fii->fi", both[..., k:]), alone


def _training_error(
    s: Smoother, Q: np.ndarray, residual: np.ndarray, error: np.ndarray, w: np.ndarray, starts: np.ndarray
) -> np.ndarray:
    """‖y − Xŵ_g‖² over the training rows: that over all rows, changed by the step of the weights."""
    weighted = w[:, None] * error
    if s.pull is None or s.image is None:  # plain least squares: the step is orthogonal to the residuals
        return np.maximum(s.sse - np.add.reduceat(weighted * residual, starts, axis=0), 0.0)
    total = np.add.reduceat(weighted, starts, axis=0)  # (K, k)
    tested = np.add.reduceat(weighted * error, starts, axis=0)
    # (K, k, r), in coordinates of B
    step = np.add.reduceat(weighted[:, :, None] * Q[:, None, :], starts, axis=0)
    grown = np.sum((step @ s.image.T) ** 2, axis=2) + s.constant * total**2
    return np.maximum(s.sse + 2 * np.einsum("fkr,rk->fk", step, s.pull) + grown - tested, 0.0)
