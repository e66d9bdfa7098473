"""Products, ratios and shares of two columns of any sign: some rows first, then all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from suffice.prepare.looking._checks.leaks.predictions import line_error
from suffice.prepare.looking._checks.wording import quoted

ROWS = 200
CLOSE = 0.9995
ERROR = 0.01
CLIFF = 15.0
MOST = 20
Found = tuple[list[int], float, str]
FORMS: tuple[tuple[str, Callable[[np.ndarray, np.ndarray], np.ndarray]], ...] = (
    ("{a} × {b}", lambda a, b: a * b),
    ("{a} / {b}", lambda a, b: a / b),
    ("{a} / ({a} + {b})", lambda a, b: a / (a + b)),
)


def of_pairs(X: np.ndarray, y: np.ndarray, names: Sequence[str]) -> Found | None:
    """The pair of columns and the form that determine y, with the error; None if there is none."""
    some = _spread_rows(X, y)
    tried = [
        (_error(X, y, i, j, form), [i, j], text.format(a=quoted(names[i]), b=quoted(names[j])))
        for text, form in FORMS
        for i, j in _close(X[some], y[some], form)
    ]
    good = [
        (max(float(f"{error:.2g}"), 1e-6), text, pair, error) for error, pair, text in tried if error <= ERROR
    ]
    if not good:
        return None
    _, text, pair, error = min(good)
    return pair, error, text


def _spread_rows(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Rows that stand for all, the same in whatever order the rows come."""
    order = np.lexsort((*X.T[:4], y))
    return order[np.linspace(0, len(y) - 1, min(ROWS, len(y))).astype(int)]


def _close(X: np.ndarray, y: np.ndarray, form: Callable) -> list[tuple[int, int]]:
    """Pairs whose form grows with y almost perfectly, the closest first."""
    y = (y - y.mean()) / (y.std() or 1.0)
    found = []
    for i in range(X.shape[1]):
        Z = form(X[:, [i]], X)
        Z = Z - Z.mean(axis=0)
        r = y @ Z / (len(y) * np.sqrt(np.mean(Z**2, axis=0)))
        found += [(float(-r[j]), i, int(j)) for j in np.flatnonzero(np.isfinite(r) & (r > CLOSE)) if j != i]
    return [(i, j) for _, i, j in sorted(found)[:MOST]]


def _error(X: np.ndarray, y: np.ndarray, i: int, j: int, form: Callable) -> float:
    """Error of the form on rows not seen; infinite if both columns, as they are, come nearly as close."""
    z = form(X[:, i], X[:, j])
    if not np.all(np.isfinite(z)) or not z.std() > 0:
        return np.inf
    error = line_error((z[:, None] - z.mean()) / z.std(), y)
    plain = line_error((X[:, [i, j]] - X[:, [i, j]].mean(axis=0)) / X[:, [i, j]].std(axis=0), y)
    return error if plain > CLIFF * error else np.inf
