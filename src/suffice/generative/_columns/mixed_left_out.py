"""A row left out of columns of different families: log p(x | c) of each row by the model without it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from suffice._estimator.raw_columns import codes_among
from suffice.generative._columns.mixed_counts import MixedCounts, numbered, valued
from suffice.generative._columns.normal_columns import ClassMoments, blocks, log_normal_left_out
from suffice.statistics.columns import ColumnMoments
from suffice.statistics.header import Header
from suffice.tables.typed import TypedTable

Answer = tuple[np.ndarray, np.ndarray]  # log p(x | c) without the row (N, C), and rows to refit


def log_poisson(x: np.ndarray, rate: Any) -> np.ndarray:
    """log Poi(x | rate), exact for a rate of zero."""
    return xlogy(x, rate) - rate - gammaln(x + 1)


def chosen_moments(parts: list[MixedCounts], kind: str) -> list[ColumnMoments]:
    """Moments of the columns of one family, in each class."""
    kinds = parts[0].kinds
    at = np.array([kinds[j] == kind for j in numbered(kinds)], dtype=bool)
    header = Header(int(at.sum()), None, None, 0)
    every = [p.moments for p in parts]
    return [ColumnMoments(header, m.rows, m.weight, m.n[at], m.mean[at], m.norm[at]) for m in every]


def columns_of_kind(X: TypedTable, kinds: tuple[str, ...], kind: str) -> np.ndarray:
    """The columns of one family, side by side."""
    columns = [X.columns[j] for j, k in enumerate(kinds) if k == kind]
    return np.column_stack(columns) if columns else np.empty((len(X), 0))


def gaussian_left_out(
    X: np.ndarray,
    y: np.ndarray,
    w: np.ndarray,
    parts: list[ColumnMoments],
    spread: Any,
    root: float,
    unbiased: bool,
) -> Answer:
    """The columns with normal densities, some rows at a time."""
    logs, alone = np.zeros((len(X), len(parts))), np.zeros(len(X), dtype=bool)
    if not X.shape[1]:
        return logs, alone
    moments = ClassMoments.of(parts)
    for cut in blocks(X):
        logs[cut], alone[cut] = log_normal_left_out(X[cut], y[cut], w[cut], moments, spread, root, unbiased)
    return logs, alone


def poisson_left_out(
    X: np.ndarray, y: np.ndarray, w: np.ndarray, parts: list[ColumnMoments], rate: np.ndarray, alpha: float
) -> Answer:
    """Columns of counts: only the rate of the row's own class changes."""
    logs, alone = np.zeros((len(X), len(parts))), np.zeros(len(X), dtype=bool)
    own = np.arange(len(X))
    for j, x in enumerate(X.T):
        there = ~np.isnan(x)
        x = np.where(there, x, 0.0)
        terms = log_poisson(x[:, None], rate[:, j])
        n, mean = (np.array([getattr(p, name)[j] for p in parts]) for name in ("n", "mean"))
        rest = n[y] - w + alpha
        alone |= there & (w > 0) & ~(n[y] - w > 0)
        events = np.maximum((n * mean)[y] - w * x, 0.0) + alpha
        terms[own, y] = log_poisson(x, events / np.where(rest > 0, rest, 1.0))
        logs += np.where(there[:, None], terms, 0.0)
    return logs, alone


def values_left_out(
    X: TypedTable, y: np.ndarray, w: np.ndarray, parts: list[MixedCounts], tables: Any, alpha: float
) -> Answer:
    """Columns of values: only a count of the row's own class changes, unless the value is the last of its kind."""
    logs, alone = np.zeros((len(X), len(parts))), np.zeros(len(X), dtype=bool)
    own, kinds = np.arange(len(X)), parts[0].kinds
    for i, j in enumerate(valued(kinds)):
        known, table = tables[i].values, tables[i].logs
        codes = codes_among(X.columns[j], known)
        there = (codes >= 0) & (codes < len(known))
        safe = np.where(there, codes, 0)
        counts = np.zeros((len(parts), len(known)))
        for c, part in enumerate(parts):
            counts[c, np.searchsorted(known, part.tables[i].classes)] = part.tables[i].counts
        left = np.maximum(counts[y, safe] - w, 0.0) + alpha
        below = np.maximum(counts.sum(axis=1)[y] - w, 0.0) + alpha * len(known)
        alone |= there & ~(below > 0)
        if kinds[j] == "categorical":
            alone |= there & (w > 0) & ~(counts.sum(axis=0)[safe] - w > 0)
        alone |= (codes == len(known)) & (w == 0)  # a value that only rows of weight zero have
        terms = table.T[np.where(there, codes, -1)]
        with np.errstate(divide="ignore", invalid="ignore"):
            terms[own, y] = np.where(there, np.log(left) - np.log(np.where(below > 0, below, 1.0)), 0.0)
        logs += terms
    return logs, alone
