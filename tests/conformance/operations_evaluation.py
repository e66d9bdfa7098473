"""Operations of the conformance cases about validation: what it costs, what it finds, what it may not be trusted for.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, LeaveOneOut

from suffice import datasets
from suffice.baselines import MajorityClassifier
from suffice.bases import GaussianBasis, Polynomial
from suffice.evaluation import (
    LOSSES,
    bias_variance_path,
    cross_validate,
    cv_cost,
    junk_attributes,
    validate_path,
)
from suffice.linear import LinearRegression, Ridge


def power(exponent: float, factor: float = 1.0) -> Callable[[int], float]:
    return lambda n: factor * n**exponent


class ValidationCost:
    """Fits and their cost; training on n rows costs `train_factor · n^exponent`, testing likewise."""

    def __init__(
        self,
        n: int,
        outer: Any,
        inner: Any = None,
        candidates: int = 1,
        exponent: float = 1.0,
        train_factor: float = 1.0,
        test_factor: float = 1.0,
    ):
        prices = {"train_cost": power(exponent, train_factor), "test_cost": power(exponent, test_factor)}
        self.cost = cv_cost(n, outer, inner, candidates=candidates, **prices)
        self.n = n

    def total(self):
        return self.cost.total

    def fits(self):
        return self.cost.fits

    def rows_tested(self):
        return sum(test for _, test in self.cost.outer)

    def smallest_training_share(self):
        return min(train for train, _ in self.cost.outer) / self.n


class AddingAttributes:
    """Least squares with more and more attributes of random numbers, a fixed set of rows held out."""

    def __init__(self, n: int, held_out: int, attributes: int, random_state: int):
        data = datasets.quadratic_curve(n, random_state=random_state)
        X = np.column_stack([data.X, data.X**2])
        split = [(np.arange(n - held_out), np.arange(n - held_out, n))]
        self.path = junk_attributes(
            LinearRegression(), X, data.y, range(attributes + 1), cv=split, random_state=random_state
        )

    def training_never_rises(self):
        return bool(np.all(np.diff(self.path.train) <= 0))

    def test_always_falls(self):
        return bool(np.all(np.diff(self.path.test) < 0))


class FoldsOfOne:
    """K-fold cross-validation with as many folds as rows, and leave-one-out."""

    def __init__(self, data: str):
        record = getattr(datasets, data)()
        self.n = len(record.y)
        self.folds, self.loo = (
            cross_validate(LinearRegression(), record.X, record.y, cv=cv)
            for cv in (KFold(self.n), LeaveOneOut())
        )

    def largest_difference(self):
        return np.abs(self.folds.losses - self.loo.losses).max()

    def fits(self):
        return cv_cost(self.n, self.n).fits


class ThresholdAccuracy:
    """Scores made into classes, one where they are at least the threshold."""

    def __init__(self, y: list[int], scores: list[float], thresholds: list[float]):
        truth, scores = np.array(y), np.array(scores)
        wrong = LOSSES["misclassification"]
        self.thresholds = thresholds
        self.values = [1 - wrong(truth, (scores >= v).astype(int)).mean() for v in thresholds]

    def accuracy(self):
        return self.values

    def best(self):
        return self.thresholds[int(np.argmax(self.values))]


class MajorityBaseline:
    """The error of always saying the most frequent class."""

    def __init__(self, counts: list[int]):
        self.y = np.repeat(np.arange(len(counts)), counts)
        self.X = np.zeros((len(self.y), 1))

    def accuracy(self):
        return MajorityClassifier().fit(self.X, self.y).score(self.X, self.y)

    def error(self):
        return 1 - self.accuracy()


class ValidatedOrders:
    """Leave-one-out loss of all polynomial orders in one search."""

    def __init__(self, data: str, orders: list[int]):
        record = getattr(datasets, data)()
        model = LinearRegression(basis=Polynomial(1))
        self.path = validate_path(model, record.X, record.y, "basis__degree", orders, cv=LeaveOneOut())

    def losses(self):
        return self.path.test

    def best(self):
        return self.path.best

    def refits(self):
        return self.path.how == "refit"


class PenaltyTradeOff:
    """Bias² and variance of Gaussians with a penalty on all weights, by ln λ (PRML eqs 3.45–3.47)."""

    def __init__(
        self, n: int, sets: int, centers: int, width: float, noise: float, logs: dict, random_state: int
    ):
        self.logs = np.linspace(logs["low"], logs["high"], logs["number"])
        self.n, self.noise, self.centers = n, noise, centers
        self.basis = GaussianBasis(np.linspace(0, 1, centers), width)
        self.sets, self.random_state = sets, random_state

    @cached_property
    def _path(self):
        grid = np.linspace(0, 1, self.n)[:, None]

        def simulate(rng):
            return grid, truth(grid) + self.noise * rng.standard_normal(self.n)

        def truth(X):
            return np.sin(2 * np.pi * X[:, 0])

        return bias_variance_path(
            Ridge.book(1.0, "prml", basis=self.basis), simulate, truth, "alpha", np.exp(self.logs),
            n_sets=self.sets, test=1000, noise=self.noise**2, random_state=self.random_state,
        )  # fmt: skip

    def number_of_weights(self):
        return 1 + self.centers

    def best_log_penalty(self):
        return np.log(self._path.best)

    def distance_of_the_test_minimum(self):
        return abs(self.logs[int(np.argmin(self._path.test_error))] - self.best_log_penalty())

    def variance_never_rises(self):
        return bool(np.all(np.diff(self._path.variance) <= 0))


OPERATIONS: dict[str, Callable] = {
    "adding_attributes": AddingAttributes,
    "folds_of_one": FoldsOfOne,
    "majority_baseline": MajorityBaseline,
    "penalty_trade_off": PenaltyTradeOff,
    "threshold_accuracy": ThresholdAccuracy,
    "validated_orders": ValidatedOrders,
    "validation_cost": ValidationCost,
}
