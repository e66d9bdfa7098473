r"""Held-out log likelihood: rows judged by densities that were fitted without them (FCML §6.3.6, DTU 19.18).

value       Σ_n w_n l_n / Σ_n w_n,  l_n = log p(x_n | other rows), a mean where a row is tested more than once
std error   of that mean, from the spread of the l_n: √(Σ_n w_n (l_n − value)² / (n − 1) / n),  n = Σ_n w_n
per fold    the mean of a fold, whose spread over folds is what FCML Fig. 6.12 shows
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, check_cv

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.mixtures._selection.trials import MixtureTrial, Split, WeightedTable


@record
class HeldOut:
    """Of one candidate; NaN where a fold failed."""

    value: float
    std_error: float
    folds: np.ndarray


def splits_of(cv: Any, table: WeightedTable, seed: int) -> list[Split]:
    """Folds from an integer (shuffled, over the rows that count), a splitter, or pairs of row numbers."""
    rows = np.arange(len(table)) if table.weight is None else np.flatnonzero(table.weight > 0)
    whole = isinstance(cv, int | np.integer) and not isinstance(cv, bool)
    if isinstance(cv, str) or not (whole or hasattr(cv, "split") or isinstance(cv, Iterable)):
        raise InvalidInput(
            f"cv must be an integer, a splitter or pairs (training rows, test rows); got {cv!r:.80}."
        )
    try:
        if whole:
            shuffled = KFold(int(cv), shuffle=True, random_state=seed % 2**32)
            return [(rows[a], rows[b]) for a, b in shuffled.split(rows)]
        found = [(np.asarray(a), np.asarray(b)) for a, b in check_cv(cv).split(table.X)]
    except ValueError as error:
        raise InvalidInput(f"cv={cv!r:.80} cannot split these {len(rows)} rows: {error}") from error
    for i, (train, test) in enumerate(found):
        if not len(train) or not table.weights(test).sum() > 0:
            raise InvalidInput(f"Fold {i} of cv has no rows that count to train or to test; use fewer folds.")
    return found


def held_out(done: Sequence[MixtureTrial], splits: Sequence[Split], table: WeightedTable) -> HeldOut:
    """From the trials of one candidate, one per fold."""
    parts = [
        np.full(len(test), np.nan) if t.logs is None else t.logs
        for t, (_, test) in zip(done, splits, strict=True)
    ]
    means = [_mean(logs, table.weights(test)) for logs, (_, test) in zip(parts, splits, strict=True)]
    tested = np.concatenate([test for _, test in splits])
    times = np.bincount(tested, minlength=len(table))
    with np.errstate(invalid="ignore"):  # where a fold failed
        logs = np.bincount(tested, weights=np.concatenate(parts), minlength=len(table)) / np.maximum(times, 1)
    rows = np.flatnonzero(times)
    return HeldOut(*_mean_and_error(logs[rows], table.weights(rows)), np.array(means))


def _mean(values: np.ndarray, weight: np.ndarray) -> float:
    return float(weight @ np.where(weight > 0, values, 0.0) / weight.sum())


def _mean_and_error(values: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    n, mean = float(weight.sum()), _mean(values, weight)
    if n <= 1 or not np.isfinite(mean):
        return mean, float("nan")
    spread = float(weight @ np.where(weight > 0, values - mean, 0.0) ** 2)
    return mean, float(np.sqrt(spread / (n - 1) / n))
