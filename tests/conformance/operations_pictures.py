"""Operations on the numbers behind pictures: boxes and bins."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.datasets import load_iris

from suffice.prepare import box_statistics, correlation_table, equal_bins


class Box:
    """Of values that are given with how often each occurs, with both kinds of whiskers."""

    def __init__(self, values: list, times: list):
        self.values = np.repeat(np.array(values, dtype=float), times)
        self.box, self.other = box_statistics(self.values), box_statistics(self.values, "deciles")

    def quartiles(self):
        return [self.box.lower, self.box.median, self.box.upper]

    def whiskers(self):
        return [self.box.low, self.box.high]

    def deciles(self):
        return [self.other.low, self.other.high]

    def outliers(self):
        return len(self.box.outliers)

    def mean(self):
        return float(self.values.mean())


class Irises:
    """The four measurements, column by column."""

    def __init__(self):
        self.X = load_iris().data
        self.boxes = [box_statistics(column) for column in self.X.T]

    def quartiles(self):
        return [[b.lower, b.median, b.upper] for b in self.boxes]

    def whiskers(self):
        return [[b.low, b.high] for b in self.boxes]

    def outliers(self):
        return [len(b.outliers) for b in self.boxes]

    def counted(self):
        """Sums of the heights of sixteen bins."""
        return [equal_bins(column, 16).counts.sum() for column in self.X.T]


class ShuffledBoxes:
    """Two columns that go together, and the second in another order."""

    def __init__(self, n: int, random_state: int):
        rng = np.random.default_rng(random_state)
        first = rng.normal(size=n)
        second = first + 0.1 * rng.normal(size=n)
        self.first, self.second, self.shuffled = first, second, rng.permutation(second)

    def boxes_differ(self):
        return float(box_statistics(self.second) != box_statistics(self.shuffled))

    def together(self):
        return correlation_table({"a": self.first, "b": self.second}).values[0, 1]

    def apart(self):
        return correlation_table({"a": self.first, "b": self.shuffled}).values[0, 1]


OPERATIONS: dict[str, Callable] = {"box": Box, "iris_boxes": Irises, "shuffled_boxes": ShuffledBoxes}
