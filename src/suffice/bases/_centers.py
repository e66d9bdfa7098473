r"""Functions of one shape at many centres: φ_j(x) = f((x − μ_j) / s).

What `GaussianBasis`, `SigmoidBasis` and `TanhBasis` share: centres given as a vector, as a table of points,
as a number of them, or as "the rows"; a common width; names and owners. Inside, centres are points (M, D)
with NaN where a function ignores a column.
"""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar, Self

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_integer, check_number
from suffice._core.params import Parametric
from suffice._core.records import frozen_array, record, short
from suffice.bases._base import Frameless


@record
class AtData(Parametric):
    """Centres at the distinct rows of the fit, or at `n` of them, evenly spaced in their sorted order."""

    n: int | None = None

    def __post_init__(self) -> None:
        if self.n is not None:
            object.__setattr__(self, "n", check_integer("n", self.n, 1))

    def points(self, X: np.ndarray) -> np.ndarray:
        """The chosen rows (n, D); neither the order of the rows nor repeated ones matter."""
        rows = np.unique(X, axis=0)
        if self.n is None:
            return rows
        if self.n > len(rows):
            raise InvalidParameter(
                f"n must be at most the number of distinct rows, {len(rows)}; got {self.n}. Take n=None for all."
            )
        return rows[np.rint(np.linspace(0, len(rows) - 1, self.n)).astype(int)]


class Centered(Frameless, ABC):
    """A basis whose columns are one function moved to several centres."""

    centers: Any
    width: float | None
    word: ClassVar[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "centers", check_centers(self.centers))
        if self.width is not None:
            object.__setattr__(self, "width", check_number("width", self.width, low=0, strict=True))
        elif isinstance(self.centers, np.ndarray) and self.centers.ndim == 1:
            check_apart(self.centers)

    @property
    def needs_data(self) -> bool:
        return isinstance(self.centers, int | AtData)

    def resolve(self, X: np.ndarray) -> Self:
        centers: Any = self.centers
        if not self.needs_data:
            return self.replaced(width=spacing(centers)) if self.width is None else self
        if self.width is None and X.shape[1] > 1:
            raise InvalidParameter("width must be given when centres are spread over several columns.")
        if isinstance(centers, AtData):
            centers = centers.points(X)
            centers = centers[:, 0] if X.shape[1] == 1 else centers
            width = mean_spacing(centers) if self.width is None else self.width
        else:
            centers = spread(X, centers)
            width = spacing(centers) if self.width is None else self.width
        return self.replaced(centers=centers, width=width)

    def points(self, n_features: int) -> np.ndarray:
        """Centres (M, D); a vector of centres becomes M functions per column, blind to the others."""
        if self.centers.ndim == 1:
            return per_column(np.repeat(self.centers[:, None], n_features, axis=1))
        if self.centers.shape[1] != n_features:
            raise InvalidInput(
                f"{type(self).__name__} has centres in {self.centers.shape[1]} dimensions; X has {n_features} columns."
            )
        return self.centers

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        def place(point: np.ndarray) -> str:
            return ",".join(f"{f}≈{v:.4g}" for f, v in zip(features, point, strict=True) if not np.isnan(v))

        return tuple(f"{self.word}({place(p)})" for p in self.points(len(features)))

    def size(self, n_features: int) -> int:
        if self.width is None:
            raise InvalidParameter(
                f"width of {type(self).__name__} must be a number once it is fitted; got None."
            )
        return len(self.centers) * n_features if self.centers.ndim == 1 else len(self.points(n_features))

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(map(int, np.flatnonzero(~np.isnan(p)))) for p in self.points(n_features))

    def __repr__(self) -> str:
        name, centers = type(self).__name__, self.centers
        if isinstance(centers, AtData):
            return f"{name}.at_data({centers.n!r}, width={self.width!r})"
        return f"{name}({short(centers)}, width={self.width!r})"


class Stepped(Centered, ABC):
    """Functions of one column each, such as steps: a centre is a place on one axis."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.centers, AtData):
            raise InvalidParameter(f"centers of {type(self).__name__} must be numbers; got {self.centers!r}.")
        if not isinstance(self.centers, int) and self.centers.ndim == 2:
            seen = np.sum(~np.isnan(self.centers), axis=1)
            if np.any(seen != 1):
                raise InvalidParameter(
                    f"centers: a function of {type(self).__name__} looks at one column, so each row must have one "
                    f"number and NaN elsewhere; row {int(np.argmax(seen != 1))} has {int(seen[seen != 1][0])}."
                )

    def gaps(self, X: np.ndarray) -> np.ndarray:
        """(x − μ_j) / s, one column per function (N, M)."""
        points = self.points(X.shape[1])
        owner = np.argmax(~np.isnan(points), axis=1)
        return (X[:, owner] - points[np.arange(len(points)), owner]) / self.width


# -- checks and rules ---------------------------------------------------------------------------------------
def check_centers(value: Any) -> int | AtData | np.ndarray:
    """A number of centres, the rows, or a read-only array of positions."""
    if isinstance(value, AtData):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        if value < 1:
            raise InvalidParameter(f"centers must be at least 1; got {value}.")
        return int(value)
    centers = frozen_array(as_numbers("centers", value))
    if not _valid(centers):
        raise InvalidParameter(
            f"centers must be an integer, a vector or a table of finite numbers; got {value!r}."
        )
    return centers


def _valid(centers: np.ndarray) -> bool:
    """Finite, but a table may ignore columns by NaN, as long as each function looks at one."""
    if centers.ndim == 2:
        return centers.size > 0 and not np.isinf(centers).any() and not np.isnan(centers).all(axis=1).any()
    return centers.ndim == 1 and centers.size > 0 and bool(np.isfinite(centers).all())


def spread(X: np.ndarray, number: int) -> np.ndarray:
    """Evenly spaced over the range of each column; one alone sits in the middle."""
    low, high = X.min(axis=0), X.max(axis=0)
    centers = np.linspace(low, high, number) if number > 1 else ((low + high) / 2)[None]
    return centers[:, 0] if X.shape[1] == 1 else per_column(centers)


def per_column(centers: np.ndarray) -> np.ndarray:
    """Centres (M, D) of separate columns, written as points that ignore (NaN) all columns but one."""
    m, d = centers.shape
    out = np.full((m * d, d), np.nan)
    for j in range(d):
        out[j * m : (j + 1) * m, j] = centers[:, j]
    return out


def spacing(centers: np.ndarray) -> float:
    """The distance between neighbours on a line."""
    _check_line(centers)
    return float(np.min(np.diff(np.sort(centers)))) or 1.0


def check_apart(centers: np.ndarray) -> None:
    """Raise if a centre is given twice, which leaves no distance between neighbours to take as the width."""
    line = np.sort(centers)
    if np.any(same := np.diff(line) == 0):
        raise InvalidParameter(
            f"centers contains {line[int(np.argmax(same))]:.6g} twice, so the distance between neighbours is no width; "
            "drop one, or give width."
        )


def mean_spacing(centers: np.ndarray) -> float:
    """The mean distance between neighbours: rows may lie as near to each other as they like."""
    _check_line(centers)
    return float(np.ptp(centers)) / (len(centers) - 1)


def _check_line(centers: np.ndarray) -> None:
    if centers.ndim != 1 or len(centers) < 2:
        raise InvalidParameter("width must be given unless there are two or more centres on a line.")
