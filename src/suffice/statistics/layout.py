"""Where a triangle's columns sit: header, frame of the basis, and the shift taken off every column.

A layout is planned once from a sample of the rows and handed to every block, thread or machine,
so that their triangles add without being moved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.numerics import strided_sample
from suffice._core.records import frozen_array, record
from suffice.statistics.header import Frame, Header


@record
class Layout:
    """Header, frame and shift: [1, Φ_frame(X) − shift, Y − shift] are the columns of the triangle."""

    header: Header
    shift: np.ndarray
    frame: Frame | None = None

    @classmethod
    def plan(
        cls,
        header: Header,
        X: Any,
        Y: np.ndarray,
        weight: np.ndarray | None = None,
        like: Layout | None = None,
    ) -> Layout:
        """Frame and provisional centers from at most about a thousand evenly spaced rows.

        An earlier layout is taken over if its centers will do: triangles in one layout add without being moved.
        """
        rows = strided_sample(X.shape[0])
        X, Y = dense(X[rows]), np.asarray(Y[rows], dtype=float)
        if weight is not None and np.any(weight[rows] > 0):
            used = weight[rows] > 0
            X, Y = X[used], Y[used]
        frame = header.basis.frame(X) if header.basis is not None and len(X) else None
        columns = np.hstack([evaluate(header, frame, X), Y])
        if like is not None and like.frame == frame and _near(like.shift, columns):
            return like
        return cls(header, frozen_array(_provisional_center(columns)), frame)

    @property
    def n_columns(self) -> int:
        """Columns of the design (without the constant and the targets)."""
        return len(self.shift) - self.header.n_outputs

    @property
    def shift_x(self) -> np.ndarray:
        return self.shift[: self.n_columns]

    @property
    def shift_y(self) -> np.ndarray:
        return self.shift[self.n_columns :]

    def design(self, X: Any) -> np.ndarray:
        """The columns Φ of the given rows, in this layout's frame, not shifted."""
        return evaluate(self.header, self.frame, dense(X))

    def union(self, other: Layout) -> Layout:
        """The layout in which triangles of both are added: mine unless the frames need widening."""
        if self.frame is None or other.frame is None or self.frame == other.frame:
            return self
        frame = self.frame.union(other.frame)
        return self if frame is self.frame else self.in_frame(frame)

    def in_frame(self, frame: Frame | None) -> Layout:
        """This layout seen from another frame; the shift moves along."""
        if frame == self.frame:
            return self
        A, b = self.transfer(frame)
        return Layout(self.header, frozen_array(np.concatenate([self.shift_x @ A + b, self.shift_y])), frame)

    def transfer(self, frame: Frame | None) -> tuple[np.ndarray, np.ndarray]:
        """(A, b) with Φ_frame = Φ_mine A + b."""
        if self.header.basis is None:
            return np.eye(self.n_columns), np.zeros(self.n_columns)
        return self.header.basis.transfer(self.frame, frame, self.header.n_features)

    def raw_transfer(self) -> tuple[np.ndarray, np.ndarray]:
        """(C, c) with Φ_mine = Φ_raw C + c: weights w here are C w on the raw columns."""
        if self.header.basis is None:
            return np.eye(self.n_columns), np.zeros(self.n_columns)
        return self.header.basis.transfer(None, self.frame, self.header.n_features)

    def check_loaded(self) -> int:
        """Bytes of the map between two frames, as high as wide; raises unless the shift has a number per column."""
        basis, n = self.header.basis, self.header.n_features
        if basis is not None and basis.needs_data:
            raise InvalidInput(f"{basis!r} is not filled in, as the basis of a fit is.")
        size = n if basis is None else basis.size(n)
        if size != self.n_columns:
            raise InvalidInput(f"shift has numbers for {self.n_columns} columns; there are {size}.")
        return 0 if basis is None else 32 * size * max(size, n)


def dense(X: Any) -> np.ndarray:
    """A dense float64 block, whatever the input's storage."""
    X = X.toarray() if hasattr(X, "toarray") else X
    return np.asarray(X, dtype=float)


def evaluate(header: Header, frame: Frame | None, X: np.ndarray) -> np.ndarray:
    """Basis columns of dense rows; a basis that yields a non-finite value is named."""
    if header.basis is None:
        return X
    with np.errstate(all="ignore"):
        columns = np.asarray(header.basis.design(X, frame), dtype=float)
    if not np.isfinite(columns.sum()):
        _refuse_nonfinite(header, columns)
    return columns


def _refuse_nonfinite(header: Header, columns: np.ndarray) -> None:
    bad = np.argwhere(~np.isfinite(columns))
    if len(bad):
        row, column = bad[0]
        raise InvalidInput(
            f"The basis yields {columns[row, column]} in its column {header.column_names[column]!r} "
            f"(first at row {row} of the block). Change the basis or the range of the inputs."
        )


def _near(shift: np.ndarray, columns: np.ndarray) -> bool:
    """Whether every column reaches, or nearly, to a center: subtracting that costs no digits then."""
    if len(columns) == 0 or columns.shape[1] != len(shift):
        return len(columns) == 0
    low, high = columns.min(axis=0), columns.max(axis=0)
    with np.errstate(over="ignore"):  # a reach that is infinite is long enough
        reach = high - low
        return bool(np.all((low - reach <= shift) & (shift <= high + reach)))


def _provisional_center(columns: np.ndarray) -> np.ndarray:
    """Column medians, which no wild value drags away; exactly the value of a constant column."""
    if len(columns) == 0:
        return np.zeros(columns.shape[1])
    with np.errstate(all="ignore"):  # NaN and infinity are reported by the triangle
        low, high = columns.min(axis=0), columns.max(axis=0)
        return np.where(low == high, low, np.median(columns, axis=0))
