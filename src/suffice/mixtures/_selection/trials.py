"""Every candidate fitted to all rows and to the training rows of every fold, side by side, and what the fits said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from suffice._core.errors import AtBound, NotConverged, SufficeError, SufficeWarning, hold_warnings
from suffice._core.records import record
from suffice.engine import parallel
from suffice.mixtures._selection.candidates import MixtureCandidate

Split = tuple[np.ndarray, np.ndarray]
SHORT = {AtBound: "is at a bound (collapsed)", NotConverged: "did not converge"}


@record
class WeightedTable:
    """Rows and their weights, as they were given."""

    X: Any
    weight: np.ndarray | None

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def fit(self, model: Any, rows: np.ndarray | None) -> Any:
        """Fitted to some rows; None are all."""
        if rows is None:
            return model.fit(self.X, sample_weight=self.weight)
        weight = None if self.weight is None else self.weight[rows]
        return model.fit(_safe_indexing(self.X, rows), sample_weight=weight)

    def log_likelihood(self, fitted: Any) -> float:
        """Σ w log p(x) over the rows that count."""
        if self.weight is None:
            return float(fitted.score_samples(self.X).sum())
        rows = np.flatnonzero(self.weight > 0)
        return float(self.weight[rows] @ fitted.score_samples(_safe_indexing(self.X, rows)))

    def weights(self, rows: np.ndarray) -> np.ndarray:
        return np.ones(len(rows)) if self.weight is None else self.weight[rows]


@record
class MixtureTrial:
    """A fit to all rows (fold −1), with Σ log p(x), or of a fold, with the log densities of its test rows."""

    candidate: MixtureCandidate
    fold: int
    fitted: Any = None
    log_likelihood: float = float("nan")
    logs: np.ndarray | None = None
    warnings: tuple[tuple[str, type[SufficeWarning]], ...] = ()
    error: Exception | None = None


def trials(
    model: Any,
    table: WeightedTable,
    candidates: Sequence[MixtureCandidate],
    splits: Sequence[Split],
    n_init: int,
    seed: int,
) -> list[MixtureTrial]:
    """Of every candidate on all rows, then in every fold, in this order; the largest are begun first."""
    jobs = [(c, fold) for c in candidates for fold in range(-1, len(splits))]
    order = sorted(range(len(jobs)), key=lambda i: -jobs[i][0].n_components)

    def run(i: int) -> MixtureTrial:
        candidate, fold = jobs[i]
        return attempt(candidate.made(model, n_init, seed), table, candidate, fold, splits)

    done = dict(zip(order, parallel(run, order), strict=True))
    return [done[i] for i in range(len(jobs))]


def attempt(
    model: Any, table: WeightedTable, candidate: MixtureCandidate, fold: int, splits: Sequence[Split]
) -> MixtureTrial:
    """One fit, its warnings kept, its failure a result."""
    with hold_warnings() as held:
        try:
            if fold < 0:
                fitted = table.fit(model, None)
                likelihood = table.log_likelihood(fitted)
                return MixtureTrial(
                    candidate, fold, fitted=fitted, log_likelihood=likelihood, warnings=tuple(held)
                )
            train, test = splits[fold]
            logs = table.fit(model, train).score_samples(_safe_indexing(table.X, test))
            return MixtureTrial(candidate, fold, logs=logs, warnings=tuple(held))
        except SufficeError as error:
            return MixtureTrial(candidate, fold, warnings=tuple(held), error=error)


def remarks(done: Sequence[MixtureTrial], n_folds: int) -> list[str]:
    """What was said of each candidate: in full on all rows, counted over folds."""
    out = []
    for trial in done:
        if trial.fold < 0:
            out += [f"{trial.candidate}: {message}" for message, _ in trial.warnings]
    counted = Counter(
        (t.candidate, kind) for t in done if t.fold >= 0 for kind in {_short(c) for _, c in t.warnings}
    )
    out += [f"{candidate}: {kind} in {n} of {n_folds} folds" for (candidate, kind), n in counted.items()]
    return out


def _short(category: type[SufficeWarning]) -> str:
    words = [word for kind, word in SHORT.items() if issubclass(category, kind)]
    return words[0] if words else f"warns ({category.__name__})"


def failures_of(done: Sequence[MixtureTrial]) -> list[str]:
    """A line for each fit that failed; raises where no candidate has a whole one."""
    failed = [t for t in done if t.error is not None]
    wholes = [t for t in done if t.fold < 0]
    if all(t.error is not None for t in wholes):
        raise wholes[0].error  # type: ignore[misc]
    return [f"{t.candidate}{_where(t.fold)} failed: {t.error}" for t in failed]


def _where(fold: int) -> str:
    return "" if fold < 0 else f" in fold {fold}"
