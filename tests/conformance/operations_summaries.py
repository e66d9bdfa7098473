"""Operations about descriptions of columns: moments, percentiles, modes, correlation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice.prepare import describe
from suffice.statistics import ColumnSummary
from suffice.statistics.tallies import percentiles


class Summary:
    """One column of numbers: values, pairs of a value and its count, or 1 … first; added from two parts."""

    def __init__(self, values=None, counts=None, first=None, at=None, below=None, frequency_of=None):
        values = range(1, first + 1) if first is not None else values
        x = np.asarray(values if counts is None else np.repeat(*np.transpose(counts)), dtype=float)
        half = len(x) // 2
        self.c = describe({"x": x}, {"x": "ratio"})["x"]
        self.numbers = (ColumnSummary.of(x[:half]) + ColumnSummary.of(x[half:])).numbers
        self.x, self.at, self.level, self.of = x, at, below, frequency_of

    def mean(self):
        return self.numbers.powers.average

    def std(self):
        return self.c.std

    def median(self):
        return self.c.median

    def quartiles(self):
        return self.c.quartiles

    def percentiles(self):
        return percentiles(*self.numbers.counts.weighted, self.at)

    def modes(self):
        return self.c.modes

    def frequencies(self):
        held = dict(self.numbers.counts.top(len(self.x)))
        return [held.get(float(v), 0) for v in self.of]

    def below_and_above(self):
        cut = percentiles(*self.numbers.counts.weighted, [self.level])[0]
        return [int((self.x < cut).sum()), int((self.x > cut).sum())]


class LineCorrelation:
    """The correlation of x with a x + b, for several a."""

    def __init__(self, x, slopes, offset):
        x = np.asarray(x, dtype=float)
        table = {"x": x} | {f"y{a}": a * x + offset for a in slopes}
        self.d = describe(table, dict.fromkeys(table, "interval"))

    def correlations(self):
        return self.d.correlation[0, 1:]


OPERATIONS: dict[str, Callable] = {"summary": Summary, "line_correlation": LineCorrelation}
