"""What a statistic remembers about the table it came from, so that only like is added to like."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import numpy as np

from suffice._core.errors import HeaderMismatch
from suffice._core.records import frozen_array, record, same


class BasisColumns(Protocol):
    """What statistics ask of a resolved basis (see `suffice.bases`)."""

    def frame(self, X: np.ndarray) -> Frame | None: ...
    def design(self, X: np.ndarray, frame: Frame | None) -> np.ndarray: ...
    def transfer(
        self, old: Frame | None, new: Frame | None, n_features: int
    ) -> tuple[np.ndarray, np.ndarray]: ...
    def names(self, features: tuple[str, ...]) -> tuple[str, ...]: ...
    def size(self, n_features: int) -> int: ...

    @property
    def needs_data(self) -> bool: ...


@record
class Frame:
    """Origin and unit of each input column inside a basis: a numerical device, not a fitted state."""

    center: np.ndarray
    scale: np.ndarray

    @classmethod
    def spanning(cls, low: np.ndarray, high: np.ndarray) -> Frame:
        """The frame in which [low, high] is [−1, 1]."""
        half = (high - low) / 2
        return cls(frozen_array(low + half), frozen_array(np.where(half > 0, half, 1.0)))

    @property
    def at_origin(self) -> Frame:
        """The same reach with its centre at zero: what a model without intercept needs."""
        return Frame(frozen_array(np.zeros_like(self.center)), frozen_array(np.abs(self.center) + self.scale))

    def union(self, other: Frame) -> Frame:
        """This frame if it nearly covers the other, else the frame of both."""
        low, high = self.center - self.scale, self.center + self.scale
        low2, high2 = other.center - other.scale, other.center + other.scale
        slack = 0.5 * self.scale
        if np.all(low2 >= low - slack) and np.all(high2 <= high + slack):
            return self
        return Frame.spanning(np.minimum(low, low2), np.maximum(high, high2))


@record
class Header:
    """Columns, names, resolved basis and shape of the target. Equal headers add; others raise."""

    n_features: int
    features: tuple[str, ...] | None = None
    basis: Any = None
    n_targets: int | None = None

    @property
    def n_outputs(self) -> int:
        """Columns of y as a matrix: a vector counts as one."""
        return 1 if self.n_targets is None else self.n_targets

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        return self.features or tuple(f"x{j}" for j in range(self.n_features))

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns of the design, that is after the basis."""
        return self.feature_names if self.basis is None else tuple(self.basis.names(self.feature_names))

    def check(self, other: Header, what: str = "statistics") -> None:
        """Raise unless the two describe the same columns, naming the first difference."""
        for name, words in (
            ("n_features", "numbers of columns"),
            ("features", "column names"),
            ("basis", "bases"),
            ("n_targets", "shapes of y"),
        ):
            mine, theirs = getattr(self, name), getattr(other, name)
            if not same(mine, theirs):
                raise HeaderMismatch(
                    f"Cannot combine {what} with different {words}: {mine!r} and {theirs!r}."
                )


@record
class Fingerprint:
    """Additive, order-free summary of the targets alone: evidence is compared only on equal ones."""

    rows: int
    weight: float
    total: np.ndarray
    squares: np.ndarray

    def matches(self, other: Fingerprint, tolerance: float = 1e-9) -> bool:
        """Whether both describe the same targets, up to rounding."""
        if self.rows != other.rows or self.total.shape != other.total.shape:
            return False
        size = np.sqrt(np.maximum(self.weight * self.squares, np.finfo(float).tiny))
        return bool(
            np.isclose(self.weight, other.weight, rtol=tolerance, atol=0)
            and np.all(np.abs(self.total - other.total) <= tolerance * size)
            and np.allclose(self.squares, other.squares, rtol=tolerance, atol=0)
        )
