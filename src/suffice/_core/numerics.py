"""Small numerical helpers that several rooms share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import kl_div

LOG_2PI = float(np.log(2 * np.pi))
TIED = 64 * float(np.finfo(float).eps)  # of the best score: what the order of a sum decides
LOST = 1e-6  # of x: a difference below that has lost six of its digits
_ARTANH = 1 / np.arange(3.0, 21.0, 2.0)  # of artanh(v)/v³ − 1/v², in v²


def log_sum_exp(a: np.ndarray, axis: int = -1) -> np.ndarray:
    """log Σ exp(a) without overflow; −inf for an empty or all −inf slice."""
    top = np.max(a, axis=axis, keepdims=True, initial=-np.inf)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.sum(np.exp(a - safe), axis=axis)) + np.squeeze(safe, axis=axis)


def first_largest(values: Any) -> int:
    """Where the largest number is, NaN left out; the first of those that differ by rounding alone."""
    values = np.ravel(values)
    top = float(np.fmax.reduce(values))
    return int(np.argmax(values >= top - (TIED * abs(top) if np.isfinite(top) else 0.0)))


def half_deviance(x: Any, m: Any) -> np.ndarray:
    """D(x, m) = x log(x/m) + m − x for x ≥ 0 and m ≥ 0, by its series where these terms cancel."""
    out = np.asarray(kl_div(x, m))
    near = out <= LOST * np.asarray(x)
    if not np.any(near):
        return out
    x, m = (np.broadcast_to(np.asarray(v, dtype=float), out.shape)[near] for v in (x, m))
    out[near] = near_deviance(x, m)
    return out


def near_deviance(x: Any, m: Any) -> Any:
    """The same by a series in v = (x − m)/(x + m), for |v| up to 0.1."""
    v = np.where(x == m, 0.0, (x - m) / np.where(x == m, 1.0, x + m))
    return (x - m) * v + 2 * x * v**3 * polynomial(_ARTANH, v * v)


def polynomial(coefficients: np.ndarray, x: Any) -> Any:
    """Horner's scheme, constant term first."""
    value = coefficients[-1]
    for c in coefficients[-2::-1]:
        value = value * x + c
    return value


def first_nonfinite(values: Any, columns: Sequence[str] = ()) -> str | None:
    """Where the first NaN or infinity is, in words; None if there is none. Of a sparse table, only stored cells."""
    bad, data = _nonfinite(values)
    if not len(bad):
        return None
    row, *rest = map(int, bad[0])
    word = "NaN" if np.isnan(data[0]) else "inf"
    column = "" if not rest else f", column {columns[rest[0]]!r}" if columns else f", column {rest[0]}"
    more = f" ({len(bad)} such cells)" if len(bad) > 1 else ""
    return f"{word} at row {row}{column}{more}"


def _nonfinite(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """Places of NaN and infinities in the order of reading, and what is there."""
    if not hasattr(values, "tocoo"):
        bad = np.argwhere(~np.isfinite(values))
        return bad, np.asarray(values)[tuple(bad.T)]
    cells = values.tocoo()
    wrong = np.flatnonzero(~np.isfinite(cells.data))
    wrong = wrong[np.lexsort((cells.col[wrong], cells.row[wrong]))]
    return np.column_stack([cells.row[wrong], cells.col[wrong]]), cells.data[wrong]


def strided_sample(n: int, most: int = 1024) -> slice:
    """A slice that picks at most `most` of `n` rows, evenly; all of them when they are few."""
    return slice(None, None, max(1, -(-n // most)))
