r"""Gaussian bumps (PRML eq. 3.4): φ_j(x) = exp(−(x − μ_j)² / 2s²)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_number
from suffice._core.records import record, short
from suffice.bases._base import Frameless


@record
class GaussianBasis(Frameless):
    """Bumps of one width at given centres.

    Parameters
    ----------
    centers
        A vector of positions, used for every input column on its own; a table (M, D) of points, for
        bumps in D dimensions (NaN where a bump ignores a column); or an integer, for that many evenly
        spaced over the range of each column, filled in from the data of the fit.
    width
        Standard deviation of a bump (s). None: the distance between neighbouring centres.

    Examples
    --------
    >>> from suffice.bases import GaussianBasis
    >>> GaussianBasis([0.0, 1.0], width=0.5)([0.0, 0.5]).round(4)
    array([[1.    , 0.1353],
           [0.6065, 0.6065]])
    """

    centers: Any
    width: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.centers, int | np.integer) and not isinstance(self.centers, bool):
            if self.centers < 1:
                raise InvalidParameter(f"centers must be at least 1; got {self.centers}.")
            object.__setattr__(self, "centers", int(self.centers))
        else:
            centers = as_numbers("centers", self.centers)
            centers.setflags(write=False)
            if not _valid(centers):
                raise InvalidParameter(
                    f"centers must be an integer, a vector or a table of finite numbers; got {self.centers!r}."
                )
            object.__setattr__(self, "centers", centers)
        if self.width is not None:
            object.__setattr__(self, "width", check_number("width", self.width, low=0, strict=True))

    @property
    def needs_data(self) -> bool:
        return isinstance(self.centers, int)

    def resolve(self, X: np.ndarray) -> GaussianBasis:
        centers: Any = self.centers
        if isinstance(centers, int):
            low, high = X.min(axis=0), X.max(axis=0)
            centers = np.linspace(low, high, centers) if centers > 1 else ((low + high) / 2)[None]
            if X.shape[1] > 1 and self.width is None:
                raise InvalidParameter("width must be given when centres are spread over several columns.")
            centers = centers[:, 0] if X.shape[1] == 1 else _PerColumn(centers).flat(X.shape[1])
        width = _spacing(centers) if self.width is None else self.width
        return GaussianBasis(centers, width)

    def design(self, X: np.ndarray, frame: object) -> np.ndarray:
        points = self._points(X.shape[1])
        squares = np.zeros((len(X), len(points)))
        for x, center in zip(X.T, points.T, strict=True):
            gap = (x[:, None] - center) / self.width
            squares += np.where(np.isnan(center), 0.0, gap**2)
        return np.exp(-0.5 * squares)

    def _points(self, n_features: int) -> np.ndarray:
        """Centres (M, D); a vector of centres becomes M bumps per column, blind to the others."""
        if self.centers.ndim == 2:
            if self.centers.shape[1] != n_features:
                raise InvalidInput(
                    f"GaussianBasis has centres in {self.centers.shape[1]} dimensions; X has {n_features} columns."
                )
            return self.centers
        if n_features == 1:
            return self.centers[:, None]
        return _PerColumn(np.repeat(self.centers[:, None], n_features, axis=1)).flat(n_features)

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        def word(point: np.ndarray) -> str:
            return ",".join(f"{f}≈{v:.4g}" for f, v in zip(features, point, strict=True) if not np.isnan(v))

        return tuple(f"bump({word(p)})" for p in self._points(len(features)))

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(map(int, np.flatnonzero(~np.isnan(p)))) for p in self._points(n_features))

    def __repr__(self) -> str:
        return f"GaussianBasis({short(self.centers)}, width={self.width!r})"


class _PerColumn:
    """Centres (M, D) of separate columns, written as points that ignore (NaN) all columns but one."""

    def __init__(self, centers: np.ndarray):
        self.centers = centers

    def flat(self, n_features: int) -> np.ndarray:
        m = len(self.centers)
        out = np.full((m * n_features, n_features), np.nan)
        for j in range(n_features):
            out[j * m : (j + 1) * m, j] = self.centers[:, j]
        return out


def _valid(centers: np.ndarray) -> bool:
    """Finite, but a table may ignore columns by NaN, as long as each bump looks at one."""
    if centers.ndim == 2:
        return centers.size > 0 and not np.isinf(centers).any() and not np.isnan(centers).all(axis=1).any()
    return centers.ndim == 1 and centers.size > 0 and bool(np.isfinite(centers).all())


def _spacing(centers: np.ndarray) -> float:
    if centers.ndim != 1 or len(centers) < 2:
        raise InvalidParameter("width must be given unless there are two or more centres on a line.")
    return float(np.min(np.diff(np.sort(centers)))) or 1.0
