"""What a fit to labels found: the classes, how often each is mistaken, and for which other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from suffice.engine.protocols import FitsByPasses


def baseline_loss(fit: Any) -> float | None:
    """The error of the label that is most frequent in the other folds; None for a baseline itself."""
    from suffice.baselines import MajorityClassifier, PriorClassifier

    if isinstance(fit.model, MajorityClassifier | PriorClassifier):
        return None
    wrong = sum(_missed(train.counts, test.counts) for train, test in fit.statistics.pairs())
    return float(wrong / fit.statistics.sizes.sum())


def _missed(train: Any, test: Any) -> float:
    """Rows of other labels than the most frequent one."""
    label = train.classes[np.argmax(train.counts)]
    return float(test.counts[test.classes != label].sum())


def confusion(fit: Any, confidence: float) -> Any:
    """True against given labels of rows not fitted; None without folds, and for numbers."""
    from suffice.evaluation import Confusion

    pairs = None if fit.validation is None else fit.validation.label_pairs
    if pairs is None:
        return None
    labels = sorted({label for true, given, _ in pairs for label in (true, given)})
    table = np.zeros((len(labels), len(labels)))
    for true, given, weight in pairs:
        table[labels.index(true), labels.index(given)] = weight
    return Confusion.of_table(table, labels, confidence=confidence)


def classes(model: Any, table: Any, confidence: float) -> list[dict[str, Any]]:
    """Every class with its weight, its share, its prior (None where the model has none), and the share of its rows that
    is given another label."""
    labels, counts = _counted(model)
    priors = np.exp(model.class_log_prior_) if hasattr(model, "class_log_prior_") else counts / counts.sum()
    stated = [None] * len(labels) if isinstance(model, FitsByPasses) else priors.tolist()
    errors = {} if table is None else dict(_errors(table, confidence))
    return [
        {"label": c, "weight": n, "share": n / counts.sum(), "prior": p, **errors.get(c, {})}
        for c, n, p in zip(labels, counts.tolist(), stated, strict=True)
    ]


def _counted(model: Any) -> tuple[list[Any], np.ndarray]:
    statistics, labels = model.statistics_, model.classes_.tolist()
    if isinstance(model, FitsByPasses):
        return labels, np.asarray(statistics.targets[0], dtype=float)
    counts = statistics.counts
    return counts.classes.tolist(), np.asarray(counts.counts, dtype=float)


def _errors(table: Any, confidence: float) -> Iterable[tuple[Any, dict[str, Any]]]:
    """Jeffreys intervals, class by class."""
    from suffice._core.proportions import jeffreys

    for i, label in enumerate(table.labels.tolist()):
        n = float(table.table[i].sum())
        wrong = n - float(table.table[i, i])
        if n > 0:
            low, high = jeffreys(wrong, n, confidence)
            yield label, {"error": wrong / n, "low": float(low), "high": float(high)}
