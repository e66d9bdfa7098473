r"""Piecewise polynomials (PRML §3.1): B-splines of degree p on knots t₁ < … < t_K.

Between two knots a column is a polynomial; across a knot it has p − 1 continuous derivatives. The end knots
are repeated p + 1 times (clamped). The K + p − 1 B-splines sum to 1 everywhere inside, so the first is left
out: with the intercept of the model the others span the same functions, and each weight is identifiable.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_choice, check_integer
from suffice._core.records import frozen_array, record, short
from suffice.bases._base import Frameless


@record
class SplineBasis(Frameless):
    """B-splines on given knots, without the first one.

    Parameters
    ----------
    knots
        A rising vector of at least two positions, ends included, used for every input column on its own; a
        table (K, D) of them, one column per input (NaN below where a column has fewer); or an integer of at
        least two, for that many quantiles of the distinct values of each column, filled in from the data of the fit
        (a row seen twice moves no knot).
    degree
        Of the pieces: 0 for steps, 1 for broken lines, 3 for smooth curves.
    extrapolation
        What happens beyond the end knots: "linear" goes on along the tangent, "constant" stays at the value
        of the end, "error" refuses, naming the value.

    Examples
    --------
    >>> from suffice.bases import SplineBasis
    >>> SplineBasis([0.0, 1.0, 2.0], degree=1)([0.0, 0.5, 1.0, 2.0, 3.0])
    array([[ 0. ,  0. ],
           [ 0.5,  0. ],
           [ 1. ,  0. ],
           [ 0. ,  1. ],
           [-1. ,  2. ]])
    """

    knots: Any
    degree: int = 3
    extrapolation: Literal["linear", "constant", "error"] = "linear"

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", check_integer("degree", self.degree, 0))
        check_choice("extrapolation", self.extrapolation, ("linear", "constant", "error"))
        if isinstance(self.knots, int | np.integer):
            object.__setattr__(self, "knots", check_integer("knots", self.knots, 2))
        else:
            object.__setattr__(self, "knots", _check_knots(self.knots))

    @property
    def needs_data(self) -> bool:
        return isinstance(self.knots, int)

    def resolve(self, X: np.ndarray) -> SplineBasis:
        if not isinstance(self.knots, int):
            return self
        at = np.linspace(0, 1, self.knots)
        for j, x in enumerate(X.T):
            if x.min() == x.max():
                raise InvalidInput(
                    f"knots: column {j} of X is constant at {x[0]:.6g}, so it has no quantiles."
                )
        knots = np.column_stack([np.quantile(np.unique(x), at) for x in X.T])
        return self.replaced(knots=knots[:, 0] if X.shape[1] == 1 else knots)

    def design(self, X: np.ndarray, frame: object) -> np.ndarray:
        pieces = [
            self._columns(x, t, j) for j, (x, t) in enumerate(zip(X.T, self._lines(X.shape[1]), strict=True))
        ]
        return np.hstack(pieces)

    def _columns(self, x: np.ndarray, knots: np.ndarray, j: int) -> np.ndarray:
        """B-splines of one input, the first left out."""
        low, high = knots[0], knots[-1]
        if self.extrapolation == "error":
            _refuse_outside(x, low, high, j)
        t = np.concatenate([[low] * self.degree, knots, [high] * self.degree])
        inside = np.clip(x, low, high)  # NaN stays
        out = _splines(inside, t, self.degree)
        if self.extrapolation == "linear" and self.degree > 0 and np.any(outside := x != inside):
            slopes = _end_slopes(t, self.degree)  # (2, M): at both ends
            beyond = (x - inside)[outside, None]
            out[outside] += beyond * np.where(beyond > 0, slopes[1], slopes[0])
        return out[:, 1:]

    def _lines(self, n_features: int) -> list[np.ndarray]:
        """The knots of each input."""
        if self.knots.ndim == 1:
            return [self.knots] * n_features
        if self.knots.shape[1] != n_features:
            raise InvalidInput(
                f"SplineBasis has knots for {self.knots.shape[1]} columns; X has {n_features} columns."
            )
        return [k[~np.isnan(k)] for k in self.knots.T]

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        lines = self._lines(len(features))
        return tuple(
            f"spline{i}({f})"
            for f, t in zip(features, lines, strict=True)
            for i in range(1, self._count(t) + 1)
        )

    def size(self, n_features: int) -> int:
        return sum(map(self._count, self._lines(n_features)))

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        lines = self._lines(n_features)
        return tuple((j,) for j, t in enumerate(lines) for _ in range(self._count(t)))

    def _count(self, knots: np.ndarray) -> int:
        return len(knots) + self.degree - 2

    def __repr__(self) -> str:
        rule = "" if self.extrapolation == "linear" else f", extrapolation={self.extrapolation!r}"
        return f"SplineBasis({short(self.knots)}, degree={self.degree}{rule})"


def _splines(x: np.ndarray, t: np.ndarray, degree: int) -> np.ndarray:
    """All B-splines (N, M) at points inside the knots; NaN gives NaN."""
    from scipy.interpolate import BSpline

    gap = np.isnan(x)
    out = np.zeros((len(x), len(t) - degree - 1))
    if len(x):
        out[:] = BSpline.design_matrix(np.where(gap, t[0], x), t, degree).toarray()
    out[gap] = np.nan
    return out


def _end_slopes(t: np.ndarray, degree: int) -> np.ndarray:
    """Derivatives of the B-splines at the two ends: two of them rise or fall there, the others are flat."""
    out = np.zeros((2, len(t) - degree - 1))
    first, last = degree / (t[degree + 1] - t[0]), degree / (t[-1] - t[-degree - 2])
    out[0, :2] = -first, first
    out[1, -2:] = -last, last
    return out


def _refuse_outside(x: np.ndarray, low: float, high: float, j: int) -> None:
    outside = (x < low) | (x > high)
    if outside.any():
        raise InvalidInput(
            f"Column {j} of X contains {x[outside][0]:.6g}, outside its knots [{low:.6g}, {high:.6g}]. Widen the "
            "knots, or choose extrapolation='linear' or 'constant'."
        )


def _check_knots(value: Any) -> np.ndarray:
    """A rising vector, or a table of rising columns with NaN at the bottom."""
    knots = frozen_array(as_numbers("knots", value))
    lines = [knots] if knots.ndim == 1 else [_unpadded(k) for k in knots.T] if knots.ndim == 2 else []
    good = [len(t) > 1 and np.isfinite(t).all() and bool(np.all(np.diff(t) > 0)) for t in lines]
    if not good or not all(good):
        raise InvalidParameter(
            f"knots must be an integer >= 2, or two or more finite numbers in rising order (per column); got {value!r}."
        )
    return knots


def _unpadded(k: np.ndarray) -> np.ndarray:
    """Without the NaN at the bottom; one in the middle stays and is refused."""
    filled = np.flatnonzero(~np.isnan(k))
    return k[: filled[-1] + 1] if len(filled) else k[:0]
