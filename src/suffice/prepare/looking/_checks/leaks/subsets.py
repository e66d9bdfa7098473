"""The few columns whose line determines a target: all pairs, then all columns and fewer and fewer of them."""

from __future__ import annotations

import numpy as np

from suffice.prepare.looking._checks.leaks.predictions import agreeing, line_error

PAIR, SUM = 0.02, 0.01
CLIFF = 15.0
EXACT = 1e-5
MOST = 12
PAIRS, CLOSE = 8, 0.9  # how many pairs are tried, and from which R² on


def sufficient(X: np.ndarray, y: np.ndarray) -> tuple[list[int], np.ndarray] | None:
    """Columns that determine y on rows not seen, none of which can be left out, and the rows that agree; or None."""
    A, t = (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()
    gram, moment = A.T @ A / len(t), A.T @ t / len(t)
    for chosen in _pairs(gram, moment):
        kept = agreeing(A[:, chosen], t)
        if _is_identity(A[kept], t[kept], chosen, PAIR):
            return sorted(chosen), kept
    kept = agreeing(A, t) if len(t) >= 3 * (A.shape[1] + 2) else np.ones(len(t), dtype=bool)
    found = _of_all(A[kept], t[kept])
    return (sorted(found), kept) if found is not None and _is_identity(A[kept], t[kept], found, SUM) else None


def _is_identity(A: np.ndarray, t: np.ndarray, chosen: list[int], most: float) -> bool:
    error = line_error(A[:, chosen], t)
    if error > most:
        return False
    less = min(line_error(A[:, [k for k in chosen if k != j]], t) for j in chosen)
    return less > CLIFF * max(error, 1e-9) and less > 10 * EXACT


def _pairs(gram: np.ndarray, moment: np.ndarray) -> list[list[int]]:
    """The pairs with the largest R², from correlations alone."""
    rest = np.where(1 - gram**2 > 1e-9, 1 - gram**2, np.inf)
    explained = (moment[:, None] ** 2 + moment**2 - 2 * np.outer(moment, moment) * gram) / rest
    rows, columns = np.triu_indices(len(moment), 1)
    value = explained[rows, columns]
    best = np.argsort(-value, kind="stable")[:PAIRS]
    return [[int(rows[i]), int(columns[i])] for i in best if value[i] > CLOSE]


def _of_all(A: np.ndarray, t: np.ndarray) -> list[int] | None:
    """From all columns (of few rows: from those that help most in turn) down to the few that are needed."""
    n, d = A.shape
    t = t - t.mean()
    gram, moment = np.cov(A.T, bias=True), (A - A.mean(axis=0)).T @ t / n
    size = np.sqrt(np.where(np.diag(gram) > 0, np.diag(gram), 1.0))
    gram, moment = gram / np.outer(size, size), moment / (size * (t.std() or 1.0))
    chosen = list(range(d)) if n >= 3 * (d + 2) else _forward(gram, moment, max(3, n // 6))
    if line_error(A[:, chosen], t) > SUM:
        return None
    return _backward(gram, moment, chosen)


def _forward(gram: np.ndarray, moment: np.ndarray, most: int) -> list[int]:
    """Columns added one by one, each the one that leaves the least."""
    chosen: list[int] = []
    while len(chosen) < min(most, len(moment)):
        others = [j for j in range(len(moment)) if j not in chosen]
        left = [_residual_share(gram, moment, [*chosen, j]) for j in others]
        chosen.append(others[int(np.argmin(left))])
        if min(left) < EXACT**2:
            break
    return chosen


def _residual_share(gram: np.ndarray, moment: np.ndarray, chosen: list[int]) -> float:
    """The share of variance that a line leaves."""
    G = gram[np.ix_(chosen, chosen)] + 1e-10 * np.eye(len(chosen))
    return max(float(1 - moment[chosen] @ np.linalg.solve(G, moment[chosen])), 0.0)


def _backward(gram: np.ndarray, moment: np.ndarray, chosen: list[int]) -> list[int] | None:
    """Leave out what costs least, as long as it costs little; None if more are left than anyone would call parts."""
    most = max(9 * _residual_share(gram, moment, chosen), 1e-8)
    while len(chosen) > 2:
        unit = np.eye(len(chosen))
        inverse = np.linalg.solve(gram[np.ix_(chosen, chosen)] + 1e-10 * unit, unit)
        weights = inverse @ moment[chosen]
        cost = weights**2 / np.diag(inverse)
        fewer = [c for i, c in enumerate(chosen) if i != int(np.argmin(cost))]
        if _residual_share(gram, moment, fewer) > most:
            break
        chosen = fewer
    return chosen if len(chosen) <= MOST else None
