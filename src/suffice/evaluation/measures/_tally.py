r"""What thresholds can tell of scores: how many positives and negatives there are at each distinct score.

Positive is predicted where score > θ. The curve of a measure therefore changes only at the distinct scores, and every
curve and area of this room is a function of the tally: rows with equal scores move together, which is what makes
slanted segments of an ROC curve. Tallies of parts of the rows add up to that of all.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np

from suffice._core.records import record
from suffice.evaluation.measures._labels import check_weights, numbers_of, positives


@record
class ScoreTally:
    """Distinct scores in increasing order, with the weight of positives and negatives at each."""

    scores: np.ndarray
    positives: np.ndarray
    negatives: np.ndarray

    @classmethod
    def of(cls, positive: np.ndarray, score: np.ndarray, weight: np.ndarray | None = None) -> Self:
        """From validated rows; those of weight zero are left out."""
        if weight is not None:
            kept = weight > 0
            positive, score, weight = positive[kept], score[kept], weight[kept]
        return cls(*_tallied(*_sorted_rows(positive, score, weight)))

    @cached_property
    def n_positive(self) -> float:
        """Weight of the positives."""
        return float(self.positives.sum())

    @cached_property
    def n_negative(self) -> float:
        """Weight of the negatives."""
        return float(self.negatives.sum())

    @cached_property
    def below(self) -> tuple[np.ndarray, np.ndarray]:
        """Weight of positives and of negatives at or below each score."""
        return np.cumsum(self.positives), np.cumsum(self.negatives)

    @cached_property
    def above(self) -> tuple[np.ndarray, np.ndarray]:
        """True and false positives at each threshold: first −∞, then the scores in increasing order."""
        total = np.zeros(len(self.scores) + 1), np.zeros(len(self.scores) + 1)
        for out, counts in zip(total, (self.positives, self.negatives), strict=True):
            out[:-1] = np.cumsum(counts[::-1])[::-1]
        return total

    @property
    def thresholds(self) -> np.ndarray:
        """−∞, where all rows are predicted positive, then every score; at the last of them none is."""
        return np.concatenate([[-np.inf], self.scores])

    def at(self, threshold: float) -> tuple[float, float, float, float]:
        """TP, FN, FP, TN where score > threshold is predicted positive."""
        k = int(np.searchsorted(self.scores, threshold, side="right"))
        tp, fp = (float(a[k]) for a in self.above)
        return tp, max(self.n_positive - tp, 0.0), fp, max(self.n_negative - fp, 0.0)


def _sorted_rows(
    positive: np.ndarray, score: np.ndarray, weight: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Scores in increasing order, which of them are positive, and their weights.

    Without weights each class is sorted by itself, by value, which is several times faster than sorting row numbers;
    a stable sort of the two runs is a merge.
    """
    if weight is not None:
        order = np.argsort(score, kind="stable")
        return score[order], positive[order], weight[order]
    runs = np.concatenate([np.sort(score.take(np.flatnonzero(which))) for which in (~positive, positive)])
    order = np.argsort(runs, kind="stable")
    return runs[order], order >= len(score) - np.count_nonzero(positive), None


def _tallied(
    score: np.ndarray, positive: np.ndarray, weight: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of equal score added up."""
    new = score[1:] != score[:-1]
    if new.all():
        ones = positive.astype(float) if weight is None else np.where(positive, weight, 0.0)
        return score, ones, (1.0 if weight is None else weight) - ones
    ends = np.append(np.flatnonzero(new), len(score) - 1)
    hits = np.cumsum(positive if weight is None else np.where(positive, weight, 0.0))[ends]
    rows = ends + 1 if weight is None else np.cumsum(weight)[ends]
    misses = rows - hits
    return score[ends], np.diff(hits, prepend=0).astype(float), np.diff(misses, prepend=0).astype(float)


@record
class Scored:
    """Rows as they came through the door; their tally is made when a curve is asked for."""

    positive: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None = None

    @cached_property
    def tally(self) -> ScoreTally:
        """Positives and negatives at each distinct score."""
        return ScoreTally.of(self.positive, self.score, self.weight)


def open_binary(y: Any, score: Any, positive: Any, sample_weight: Any, purpose: str) -> Scored:
    """The door: labels of two classes and finite scores."""
    rows = positives(y, positive, purpose)
    values = numbers_of("score", score, len(rows))
    weight = check_weights(sample_weight, len(rows))
    if weight is not None:
        positives(rows[weight > 0], True, purpose)  # both classes must have a row that counts
    return Scored(rows, values.copy() if values is score else values, weight)
