r"""Rows with missing cells, taken together where the same cells are known.

With the columns of Σ = L Lᵀ reordered so that the known ones (o) come before the missing ones (m),

    L = [L_oo 0; L_mo L_mm]     z = L_oo⁻¹ (x_o − μ_o)     E[x_m | x_o] = μ_m + L_mo z     Cov[x_m | x_o] = L_mm L_mmᵀ

so one factorization per run and component gives the density of the known cells and what to expect of the others. It
starts from the root of Σ in the order of the columns: its rows are put in the new order and rotated to a triangle.
"""

from __future__ import annotations

import numpy as np

from suffice._components.responsibilities import kernels
from suffice._core.records import record

BITS = 62  # columns whose flags fit into one integer


@record
class Runs:
    """`places` puts rows in order; run r is rows starts[r] to starts[r + 1], its known[r] known columns first."""

    places: np.ndarray
    starts: np.ndarray
    orders: np.ndarray
    known: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray) -> Runs | None:
        """None where no cell is missing."""
        missing = np.isnan(X)
        if not missing.any():
            return None
        code = pattern_codes(missing)
        places = np.argsort(code, kind="stable")
        sorted_code = code[places]
        first = np.flatnonzero(np.r_[True, sorted_code[1:] != sorted_code[:-1]])
        patterns = missing[places[first]]
        return cls(
            places,
            np.r_[first, len(X)],
            np.argsort(patterns, axis=1, kind="stable"),
            (~patterns).sum(axis=1),
        )


def pattern_codes(missing: np.ndarray) -> np.ndarray:
    """A number per row that is the same where the same cells are missing."""
    n, D = missing.shape
    if D <= BITS:
        return missing @ (1 << np.arange(D))
    packed = np.packbits(missing, axis=1)
    whole = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    return np.unique(whole, return_inverse=True)[1].reshape(n)


def evaluate_runs(
    X: np.ndarray, runs: Runs, means: np.ndarray, bases: np.ndarray
) -> tuple[Runs, np.ndarray, np.ndarray, np.ndarray]:
    """The runs, roots of their covariances, whitened known cells in the order of runs, and logs in that of rows."""
    (n, D), K = X.shape, len(means)
    roots = np.empty((len(runs.known), len(bases), D, D))
    Z, logs = np.empty((n, K, D)), np.empty((n, K))
    rows = np.ascontiguousarray(X[runs.places])
    kernels().gap_logs(rows, runs.starts, runs.orders, runs.known, means, bases, roots, Z, logs)
    out = np.empty_like(logs)
    out[runs.places] = logs
    return runs, roots, Z, out
