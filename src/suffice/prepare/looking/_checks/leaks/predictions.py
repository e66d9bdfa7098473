r"""Errors on rows not seen, in the spread of what is predicted: each row is predicted from all others.

Line         y_i − ŷ_i of the fit without row i is r_i / (1 − h_i), h the diagonal of the hat matrix
Neighbours   the mean of the rows just below and just above in x; rows of one x count as one
Levels       the mean of the other rows with the same value
"""

from __future__ import annotations

import numpy as np

from suffice._core.linalg import qr_pivoted

BETWEEN = 0.93


def line_error(A: np.ndarray, y: np.ndarray, kept: np.ndarray | slice = slice(None)) -> float:
    """Error of least squares with a constant, without the row; the worse of the mean square and the typical row."""
    return spread_of_errors(line_residuals(A[kept], y[kept]), y[kept])


def agreeing(A: np.ndarray, y: np.ndarray) -> np.ndarray:
    """All rows but at most one in a hundred that a line does not fit, as where a first row has no row before it."""
    n, most = len(y), max(len(y) // 100, int(len(y) >= 40))
    kept = np.ones(n, dtype=bool)
    B = np.column_stack([np.ones(n), A])
    for _ in range(3 if most else 0):
        G = B[kept].T @ B[kept] / n + 1e-10 * np.eye(B.shape[1])
        errors = np.abs(y - B @ np.linalg.solve(G, B[kept].T @ y[kept] / n))
        kept = errors <= np.partition(errors, n - most - 1)[n - most - 1]
    usual = float(np.sqrt(np.mean(errors[kept] ** 2))) if most else 0.0
    return errors <= max(6 * usual, 1e-6 * float(np.std(y))) if most else kept


def line_residuals(A: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Residuals of each row under the fit to all others."""
    q, r, _ = qr_pivoted(np.column_stack([np.ones(len(y)), A]))
    size = np.abs(np.diag(r))
    q = q[:, size > 1e-10 * size[0]]
    left = np.clip(1 - np.einsum("ij,ij->i", q, q), 1e-9, 1)
    return (y - q @ (q.T @ y)) / left


def spread_of_errors(errors: np.ndarray, y: np.ndarray) -> float:
    """Errors in units of the spread of y, by mean squares and by medians, whichever is worse."""
    spread = float(np.std(y))
    if not spread > 0:
        return np.inf
    mean = float(np.sqrt(np.mean(errors**2))) / spread
    wide = float(np.median(np.abs(y - np.median(y))))
    typical = float(np.median(np.abs(errors))) / wide if wide > 0 else mean
    return max(mean, typical)


def neighbour_error(codes: np.ndarray, y: np.ndarray) -> float:
    """Error of the mean of the neighbours in order of the codes, but for the twentieth that is worst: sparse ends.

    Infinite if rows do not lie between their neighbours: where there is noise, only every third does.
    """
    codes = dense(codes)
    sizes = np.bincount(codes)
    if len(sizes) < 20:
        return np.inf
    means = np.bincount(codes, y) / sizes
    low, high = (
        np.append(np.nan, np.append(f(means[:-2], means[2:]), np.nan)) for f in (np.minimum, np.maximum)
    )
    errors = np.abs(y - (low + high)[codes] / 2)
    inside = np.mean((y >= low[codes]) & (y <= high[codes]))
    kept = errors <= np.nanquantile(errors, 0.95)
    return spread_of_errors(errors[kept], y[kept]) if inside > BETWEEN else np.inf


def serial_correlation(errors: np.ndarray, y: np.ndarray) -> float:
    """Correlation of errors with the next ones in the order of y; errors of equal y in their own order."""
    e = errors[np.lexsort((errors, y))]
    e = e - e.mean()
    size = float(e @ e)
    return float(e[1:] @ e[:-1]) / size if size > 0 else 0.0


def level_error(codes: np.ndarray, y: np.ndarray) -> float:
    """Error of the mean of the other rows of the same level; a lone row is predicted by the mean of all."""
    sizes = np.bincount(codes)
    sums = np.bincount(codes, y)
    others = np.maximum(sizes - 1, 1)[codes]
    guess = np.where(sizes[codes] > 1, (sums[codes] - y) / others, (y.sum() - y) / max(len(y) - 1, 1))
    return spread_of_errors(y - guess, y)


def dense(codes: np.ndarray) -> np.ndarray:
    """Codes that leave no number out, in the same order."""
    met = np.bincount(codes) > 0
    return (np.cumsum(met) - 1)[codes]


def misplaced(codes: np.ndarray, y: np.ndarray, sign: float = 1.0) -> int:
    """How many rows break the rule that a larger code never has a smaller y; equal values break nothing.

    A row breaks it if its y lies below the largest y of a smaller x, or above the smallest y of a larger x: the
    fewer of the two counts.
    """
    y, k = sign * y, int(codes.max()) + 1
    low, high = np.full(k, np.inf), np.full(k, -np.inf)
    np.minimum.at(low, codes, y)
    np.maximum.at(high, codes, y)
    before = np.append(-np.inf, np.maximum.accumulate(high)[:-1])
    after = np.append(np.minimum.accumulate(low[::-1])[::-1][1:], np.inf)
    return min(int(np.count_nonzero(y < before[codes])), int(np.count_nonzero(y > after[codes])))
