"""Operations about transformations of columns: logarithms, one column per category, thresholds, fills."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.prepare import Binarizer, LogTransform, OneHotEncoder, SimpleImputer


class Logarithms:
    """How far apart two numbers are on the scale of logarithms."""

    def __init__(self, numbers: list[float]):
        self.z = LogTransform().fit_transform(np.array(numbers)[:, None])[:, 0]

    def difference(self):
        return self.z[1] - self.z[0]


class OneOutOfK:
    """A column of 1 … K as K columns, and back."""

    def __init__(self, values: list[int], categories: int):
        self.encoder = OneHotEncoder(categories=[list(range(1, categories + 1))], sparse_output=False)
        self.Z = self.encoder.fit_transform(np.array(values)[:, None])

    def rows(self):
        return self.Z

    def back(self):
        return self.encoder.inverse_transform(self.Z)[:, 0]


class Thresholded:
    """1 from the threshold on."""

    def __init__(self, values: list[float], threshold: float):
        self.z = Binarizer(threshold, inclusive=True).fit_transform(np.array(values)[:, None])[:, 0]

    def marks(self):
        return self.z


class Filled:
    """What the gaps of a column get."""

    def __init__(self, values: list[Any], strategy: str):
        column = [[np.nan if v == "NaN" else v] for v in values]
        self.imputer = SimpleImputer(strategy).fit(column)

    def value(self):
        return self.imputer.state_[0].value


OPERATIONS: dict[str, Callable[..., Any]] = {
    "logarithms": Logarithms,
    "one_out_of_k": OneOutOfK,
    "thresholded": Thresholded,
    "filled": Filled,
}
