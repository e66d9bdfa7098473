"""Operations of the conformance cases about the selection of columns.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer. A
subset of the columns 1, 2 and 4 is answered as the number 124, the one without columns as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from suffice.evaluation import Selection, select_features
from suffice.linear import LinearRegression


def number(subset: Iterable[str]) -> int:
    return int("".join(subset) or 0)


class Walk:
    """One walk over a table of errors, or the comparison of all its subsets."""

    def __init__(self, errors: dict[str, float], direction: str):
        self.found = select_features(errors, direction=direction)

    def path(self):
        return [number(subset) for subset in self.found.path]

    def errors(self):
        return self.found.errors

    def selected(self):
        return number(self.found.selected)

    def error(self):
        return self.found.error

    def subsets(self):
        return len(self.found.tried)


class Quiz:
    """Both walks over a table of errors, against the best of all subsets."""

    def __init__(self, errors: dict[str, float]):
        self.found: dict[str, Selection] = {
            direction: select_features(errors, direction=direction)
            for direction in ("forward", "backward", "exhaustive")
        }

    def forward(self):
        return [number(subset) for subset in self.found["forward"].path]

    def backward(self):
        return [number(subset) for subset in self.found["backward"].path]

    def forward_errors(self):
        return self.found["forward"].errors

    def backward_errors(self):
        return self.found["backward"].errors

    def best(self):
        return number(self.found["exhaustive"].selected)

    def backward_is_better(self):
        return self.found["backward"].error < self.found["forward"].error

    def backward_finds_the_best(self):
        return self.found["backward"].selected == self.found["exhaustive"].selected

    def forward_finds_the_best(self):
        return self.found["forward"].selected == self.found["exhaustive"].selected


class Numbers:
    """How many subsets of a table with so many columns are looked at, if no walk stops early."""

    def __init__(self, columns: int, exhaustive: bool = False):
        rng = np.random.default_rng(0)
        X, y = rng.standard_normal((50, columns)), rng.standard_normal(50)

        def count(direction: str, size: int | None) -> int:
            return len(select_features(LinearRegression(), X, y, direction, 5, size).tried)

        self.counts = {"forward": count("forward", columns), "backward": count("backward", 0)}
        if exhaustive:
            self.counts["all"] = count("exhaustive", None)

    def forward(self):
        return self.counts["forward"]

    def backward(self):
        return self.counts["backward"]

    def all(self):
        return self.counts["all"]


OPERATIONS: dict[str, Callable] = {
    "selection_numbers": Numbers,
    "selection_quiz": Quiz,
    "selection_walk": Walk,
}
