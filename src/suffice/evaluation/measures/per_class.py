"""One measure for each class: arrays for tables and plots, `Measured` one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice.evaluation.findings import Measured, words


@record
class PerClass:
    """A measure of each class against the rest, with its interval; NaN where it does not exist.

    Examples
    --------
    >>> from suffice.evaluation import confusion
    >>> recall = confusion(list("aabbbc"), list("abbbbb")).recall
    >>> recall["b"]
    1 [0.464, 1]
    >>> recall.values
    array([0.5, 1. , 0. ])
    """

    name: str
    labels: np.ndarray
    values: np.ndarray
    low: np.ndarray
    high: np.ndarray
    confidence: float = 0.95
    method: str = ""

    def __getitem__(self, label: Any) -> Measured:
        listed = self.labels.tolist()
        if label not in listed:
            raise InvalidParameter(f"There is no class {label!r}; the classes are {listed}.")
        return self._at(listed.index(label))

    def _at(self, k: int) -> Measured:
        value, interval = float(self.values[k]), (float(self.low[k]), float(self.high[k]))
        if np.isnan(value):
            return Measured(value, None, self.confidence, "0/0")
        return Measured(value, interval, self.confidence, self.method)

    def __iter__(self) -> Iterator[Measured]:
        return (self._at(k) for k in range(len(self.labels)))

    def __len__(self) -> int:
        return len(self.labels)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per class."""
        columns = {"label": self.labels, self.name: self.values, "low": self.low, "high": self.high}
        return to_frame(columns, kind)

    def __repr__(self) -> str:
        rows = (
            f"{label!r}: {words(m, m.interval)}" for label, m in zip(self.labels.tolist(), self, strict=True)
        )
        return f"<PerClass {self.name}: {'; '.join(rows)}>"
