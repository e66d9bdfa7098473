r"""Lloyd's algorithm for k-means (FCML §6.2, DTU §18.2).

    labels    z_n = argmin_k ‖x_n − c_k‖²             ties go to the lowest k
    centers   c_k = Σ_{z_n=k} w_n x_n / Σ_{z_n=k} w_n
    objective E   = Σ_n w_n ‖x_n − c_{z_n}‖²          never rises

Norms run over the cells that are known, and a center's cell is the mean of the known cells of its rows; neither step
can then raise E. Distances are taken from differences, not from ‖x‖² − 2xᵀc + ‖c‖², which loses the digits of rows
that are near each other and far from the origin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    NotConverged,
    NumericalError,
    check_choice,
    check_integer,
    check_number,
    warn,
)
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace
from suffice.inference._rows import ShiftedRows, as_objective, as_table, loops_for, open_rows
from suffice.inference.newton import check_limit

Empty = Literal["farthest", "keep", "raise"]


@record
class Lloyd:
    """Centers, the cluster of every row, and E and the rows that changed cluster (`changed`) in every pass."""

    centers: np.ndarray
    labels: np.ndarray
    trace: Trace
    n_iter: int

    def __repr__(self) -> str:
        return f"Lloyd({len(self.centers)} centers, {self.trace!r})"


def lloyd(
    X: Any,
    centers: Any,
    *,
    weight: Any = None,
    tol: float = 0.0,
    max_iter: int = 300,
    empty: Empty = "farthest",
    threads: int = 1,
) -> Lloyd:
    """Alternate between labels and means until no row changes its cluster.

    Parameters
    ----------
    X
        Rows; NaN is a cell that is not known. A row without any goes to cluster 0 and does not count.
    centers
        Where to begin; NaN stands for the mean of the column.
    weight
        How often each row counts.
    tol
        Stop also when the squared moves of the centers, added up, are at most this part of the mean variance of the
        columns.
    max_iter
        Passes over the rows at most.
    empty
        What becomes of a center without rows: "farthest" moves it to the row that is farthest from its own center,
        with the rows that are nearer there; "keep" leaves it; "raise" is an error.
    threads
        Threads that share the rows of a long table; the result does not depend on it.

    Examples
    --------
    >>> from suffice.inference import lloyd
    >>> found = lloyd([[3], [6], [7], [9], [10], [11], [14]], [[4], [7], [14]])
    >>> found.centers.ravel(), found.trace.objective
    (array([ 3. ,  8. , 12.5]), array([24. , 14.5]))
    """
    check_number("tol", tol, low=0.0)
    check_limit(max_iter)
    check_choice("empty", empty, ("farthest", "keep", "raise"))
    _check_threads(threads)
    rows = open_rows(X, weight)
    enough = tol * rows.variance() if tol else 0.0
    objective: list[float] = []
    changed: list[int] = []
    settled = False
    with ThreadPoolExecutor(threads) as pool:
        clusters = _Clusters(rows, _start(rows, centers), threads, pool.map if threads > 1 else map)
        while True:
            changed.append(clusters.assign() + _refilled(clusters, empty, len(changed)))
            objective.append(as_objective(np.dot(rows.weight, clusters.squared)))
            done = settled or changed[-1] == 0
            if done or len(objective) >= max_iter:
                break
            settled = clusters.move() <= enough
    if not done:
        warn(
            f"{changed[-1]} rows still changed cluster after {max_iter} passes; raise max_iter={max_iter}, or "
            f"tol={tol:g}.",
            NotConverged,
        )
    trace = Trace(frozen_array(objective), done, {"changed": frozen_array(changed, int)})
    at = frozen_array(clusters.centers + rows.shift)
    return Lloyd(at, frozen_array(clusters.labels, np.intp), trace, len(objective))


class _Clusters:
    """Where an iteration stands. `lower` and `moved` spare the compiled loop most distances."""

    def __init__(
        self, rows: ShiftedRows, centers: np.ndarray, threads: int, spread: Callable[..., Iterable[int]]
    ):
        n = len(rows.values)
        edges = np.linspace(0, n, min(threads, n) + 1).astype(int)
        self.pieces, self.spread = [slice(a, e) for a, e in pairwise(edges)], spread
        self.rows, self.centers = rows, centers
        self.labels, self.squared = np.full(n, -1), np.zeros(n)
        self.lower, self.moved = np.zeros(n), 0.0
        self.loops = loops_for(rows.values, centers)

    def assign(self) -> int:
        """Every row to its nearest center; how many rows that is new for."""
        return sum(self.spread(self._assign, self.pieces))

    @np.errstate(over="ignore")
    def _assign(self, piece: slice) -> int:
        rows, at = self.rows, (self.centers, self.moved)
        state = self.labels[piece], self.squared[piece], self.lower[piece]
        return self.loops.nearest(rows.values[piece], rows.weight[piece], rows.holes, *at, *state)

    def empty(self) -> np.ndarray:
        """The clusters without rows."""
        return np.flatnonzero(np.bincount(self.labels, self.rows.weight, len(self.centers)) == 0)

    def move(self) -> float:
        """Centers to the means of their rows; the sum of their squared moves. What is not known stays.

        A mean is taken as c + mean(x − c): that of equal rows is then exact once c is near, and no center is moved
        again and again for the sake of rounding.
        """
        rows, sums, known = self.rows, np.zeros_like(self.centers), np.zeros_like(self.centers)
        self.loops.totals(rows.values, rows.weight, rows.holes, self.centers, self.labels, sums, known)
        means = self.centers + np.divide(sums, known, out=sums, where=known > 0)
        squares = np.sum((means - self.centers) ** 2, axis=1)
        self.centers, self.moved = means, float(np.sqrt(np.max(squares)))
        return float(np.sum(squares))

    def take(self, k: int, row: int) -> int:
        """Move center k to a row, and the rows that are nearer there; how many rows that is new for."""
        x, rows = self.rows.values[row], self.rows
        self.centers[k] = np.where(np.isnan(x), self.centers[self.labels[row]], x)
        squared = rows.squares(self.centers[k : k + 1])[0]
        nearer = squared < self.squared
        self.labels[nearer], self.squared[nearer] = k, squared[nearer]
        self.lower[:] = 0.0
        return int(np.count_nonzero(nearer & (rows.weight > 0)))


def _refilled(clusters: _Clusters, empty: Empty, iteration: int) -> int:
    """Deal with centers without rows; how many rows changed cluster. Each one that moves lowers E."""
    changed = 0
    while empty != "keep" and len(found := clusters.empty()):
        if empty == "raise":
            raise NumericalError(
                f"Cluster {found[0]} has no rows in iteration {iteration}; begin elsewhere, ask for fewer clusters, "
                'or choose empty="farthest".'
            )
        away = np.where(clusters.rows.weight > 0, clusters.squared, 0.0)
        farthest = int(np.argmax(away))
        if away[farthest] == 0:  # every row sits on a center
            break
        changed += clusters.take(int(found[0]), farthest)
    return changed


def _start(rows: ShiftedRows, centers: Any) -> np.ndarray:
    table = as_table("centers", centers)
    d = rows.values.shape[1]
    if not len(table) or table.shape[1] != d:
        raise InvalidInput(f"centers must have shape (clusters, {d}); got {table.shape}.")
    if np.isinf(table).any():
        raise InvalidInput("centers must be finite, or NaN for the mean of a column; got inf.")
    return rows.as_centers(table - rows.shift)


def _check_threads(threads: Any) -> None:
    check_integer("threads", threads, 1)
