r"""Wavelets (PRML §3.1): functions localized in space and in frequency.

On an interval, with u = (x − low)/(high − low), level j = 0 … J − 1 holds 2^j copies of one shape, each half
as wide as those of the level before:

    φ_jk(x) = 2^{j/2} ψ(2^j u − k),     k = 0 … 2^j − 1

    haar     ψ(v) = 1 on [0, ½), −1 on [½, 1), 0 elsewhere
    ricker   ψ(v) = (1 − t²) e^{−t²/2},  t = 2 (v − ½)            (the Mexican hat)

Haar columns are orthonormal on the interval and orthogonal to the constant, so on a regular lattice of 2^J
points they and the intercept are the discrete wavelet transform. A shape that is narrow in space contains many
frequencies, and the other way round: a Ricker shape of width s has its power about frequency √2/(2πs).
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_choice, check_integer
from suffice._core.records import frozen_array, record, short
from suffice.bases._base import Frameless

MOST_LEVELS = 14  # a fit keeps the square of 16,383 numbers, 2 GB


@record
class WaveletBasis(Frameless):
    """One shape at 2^j positions for each of several scales, coarse ones first.

    Parameters
    ----------
    levels
        Number of scales (J), at most 14; there are 2^J − 1 columns per input.
    kind
        "haar", orthogonal steps; "ricker", smooth and not orthogonal.
    interval
        Ends (low, high) of the interval that level 0 covers; a table (2, D) has them for each input column.
        None: the range of each column in the data of the fit. Haar columns are 0 outside.

    Examples
    --------
    >>> from suffice.bases import WaveletBasis
    >>> WaveletBasis(2, interval=(0.0, 4.0))([0.5, 1.5, 2.5, 3.5]).round(4)
    array([[ 1.    ,  1.4142,  0.    ],
           [ 1.    , -1.4142,  0.    ],
           [-1.    ,  0.    ,  1.4142],
           [-1.    ,  0.    , -1.4142]])
    """

    levels: int
    kind: Literal["haar", "ricker"] = "haar"
    interval: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", check_levels(self.levels))
        check_choice("kind", self.kind, tuple(SHAPES))
        if self.interval is not None:
            ends = frozen_array(as_numbers("interval", self.interval))
            if ends.ndim not in (1, 2) or len(ends) != 2 or not ends.size or not np.isfinite(ends).all():
                raise InvalidParameter(
                    f"interval must be two finite numbers (per column); got {self.interval!r}."
                )
            if np.any(ends[0] >= ends[1]):
                raise InvalidParameter(f"interval must end above where it begins; got {self.interval!r}.")
            object.__setattr__(self, "interval", ends)

    @property
    def needs_data(self) -> bool:
        return self.interval is None

    def resolve(self, X: np.ndarray) -> WaveletBasis:
        if self.interval is not None:
            return self
        ends = np.stack([X.min(axis=0), X.max(axis=0)])
        flat = ends[0] == ends[1]
        if flat.any():
            raise InvalidInput(
                f"interval: column {int(np.argmax(flat))} of X is constant, so its range is no interval; give one."
            )
        return self.replaced(interval=ends[:, 0] if X.shape[1] == 1 else ends)

    def design(self, X: np.ndarray, frame: object) -> np.ndarray:
        low, high = self._ends(X.shape[1])
        U = (X - low) / (high - low)
        return np.hstack([_level(u, j, self.kind) for u in U.T for j in range(self.levels)])

    def _ends(self, n_features: int) -> np.ndarray:
        if self.interval.ndim == 1:
            return np.repeat(self.interval[:, None], n_features, axis=1)
        if self.interval.shape[1] != n_features:
            raise InvalidInput(
                f"WaveletBasis has intervals for {self.interval.shape[1]} columns; X has {n_features} columns."
            )
        return self.interval

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        places = [(j, k) for j in range(self.levels) for k in range(2**j)]
        return tuple(f"{self.kind}{j},{k}({f})" for f in features for j, k in places)

    def size(self, n_features: int) -> int:
        return (2**self.levels - 1) * self._ends(n_features).shape[1]

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        return tuple((i,) for i in range(n_features) for _ in range(2**self.levels - 1))

    def __repr__(self) -> str:
        return f"WaveletBasis({self.levels}, kind={self.kind!r}, interval={short(self.interval)})"


def check_levels(value: Any) -> int:
    """`value` as a number of scales whose columns fit into memory."""
    levels = check_integer("levels", value, 1)
    if levels > MOST_LEVELS:
        columns = f"{2**levels - 1:,}" if levels < 64 else f"2^{levels} − 1"
        raise InvalidParameter(
            f"levels must be at most {MOST_LEVELS}; got {levels}, which makes {columns} columns per input. "
            "About log2 of the number of rows is all that they can tell apart."
        )
    return levels


def _level(u: np.ndarray, j: int, kind: str) -> np.ndarray:
    """The 2^j columns of one scale (N, 2^j)."""
    return 2 ** (j / 2) * SHAPES[kind](2**j * u[:, None], np.arange(2**j))


def _haar(v: np.ndarray, k: np.ndarray) -> np.ndarray:
    """+1 on the left half of cell k, −1 on its right half; the last cell keeps its right end."""
    cell = np.where(v == len(k), len(k) - 1, np.floor(v))
    sign = np.where(v - cell < 0.5, 1.0, -1.0)
    return np.where(np.isnan(v), np.nan, np.where(cell == k, sign, 0.0))


def _ricker(v: np.ndarray, k: np.ndarray) -> np.ndarray:
    square = np.clip(2 * (v - k - 0.5), -40, 40) ** 2  # e^{−800} is 0
    return (1 - square) * np.exp(-0.5 * square)


SHAPES = {"haar": _haar, "ricker": _ricker}
