"""Operations about measures of classifiers: tables of counts, thresholds, areas and error rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.evaluation import Confusion, confusion, counts_from_rates, delong, error_rates, roc
from suffice.evaluation.measures import _areas


class TableOfCounts:
    """A printed table, the four cells of two classes, or labels; rates refer to the class `positive`."""

    def __init__(
        self,
        counts: dict[str, float] | None = None,
        table: list[list[float]] | None = None,
        y: list[Any] | None = None,
        yhat: list[Any] | None = None,
        labels: list[Any] | None = None,
        weights: Any = None,
        k: int = 3,
    ):
        if counts is not None:
            self.c = Confusion.of_counts(**counts)
        elif table is not None:
            square = np.zeros(
                (len(table), len(table))
            )  # columns that the copy at hand does not show stay empty
            square[:, : len(table[0])] = table
            self.c = Confusion.of_table(square, np.arange(1, len(table) + 1), rows="predicted")
        else:
            self.c = confusion(y, yhat, labels=labels)
        self.weights, self.k, self.shown = weights, k, len(table[0]) if table is not None else None

    def accuracy(self):
        return self.c.accuracy

    def accuracy_interval(self):
        return self.c.accuracy.interval

    def error(self):
        return self.c.error

    def precision(self):
        return self.c.precision

    def recall(self):
        return self.c.recall

    def sensitivity(self):
        return self.c.sensitivity

    def specificity(self):
        return self.c.specificity

    def tnr(self):
        return self.c.tnr

    def fpr(self):
        return self.c.fpr

    def scaled_accuracy(self):
        return self.c.scaled_accuracy

    def weighted(self):
        return self.c.weighted(self.weights)

    def predicted_by_true(self):
        return self.c.transpose()

    def class_sizes(self):
        return self.c.table.sum(axis=1)[: self.shown]

    def class_recalls(self):
        return self.c.recall.values[: self.shown]

    def most_confused(self):
        """True class, predicted class and count of the largest cells off the diagonal."""
        return [[cell.true, cell.predicted, cell.count] for cell in self.c.most_confused(self.k)]


class Rates:
    """Counts worked out from rates."""

    def __init__(self, n: float, tn: float, tpr: float, fpr: float):
        self.counts = counts_from_rates(n, tn, tpr, fpr)

    def tp(self):
        return self.counts.tp

    def fp(self):
        return self.counts.fp

    def fn(self):
        return self.counts.fn


class Scores:
    """Labels and scores: the curve, its area, and the difference of two areas."""

    def __init__(self, y: list[int], score: list[float], other: list[float] | None = None):
        self.curve = roc(y, score)
        self.found = None if other is None else delong(y, score, other)

    def area(self):
        return self.curve.area

    def variance(self):
        return _areas.moments_of(self.curve.rows).variance

    def fpr(self):
        return self.curve.fpr

    def tpr(self):
        return self.curve.tpr

    def difference(self):
        return self.found.estimate

    def z(self):
        return self.found.statistic


class ErrorRatesOfItems:
    """Scores of genuine and forged items."""

    def __init__(self, genuine: list[float], forged: list[float], base_rate: float = 0.5):
        self.rates = error_rates(genuine, forged)
        self.told = self.rates.with_base_rate(base_rate)

    def eer(self):
        return self.rates.eer

    def threshold(self):
        return self.rates.eer_threshold

    def forged_given_rejected(self):
        return self.told.posterior_positive

    def forged_given_two_rejections(self):
        return self.told.after(2)

    def best_threshold(self):
        return self.rates.best_threshold(self.told.base_rate).threshold


OPERATIONS: dict[str, Callable] = {
    "error_rates_of_items": ErrorRatesOfItems,
    "rates_to_counts": Rates,
    "scores_of_two_classes": Scores,
    "table_of_counts": TableOfCounts,
}
