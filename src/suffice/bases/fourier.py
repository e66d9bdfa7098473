r"""Waves (PRML §3.1): sin(2πkx/P) and cos(2πkx/P) for k = 1 … K.

Each column is one frequency and is felt everywhere; the constant of the series is the model's intercept.
The phase x/P is reduced to [−½, ½] before it is multiplied, so far from the origin a high harmonic is as
accurate as x/P is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_integer
from suffice._core.records import frozen_array, record, short
from suffice.bases._base import Frameless


@record
class FourierBasis(Frameless):
    """Pairs of sine and cosine, lower frequencies first.

    Parameters
    ----------
    n_harmonics
        Number of pairs per input column (K).
    period
        Length after which the slowest wave repeats (P): a number, or one per input column. None: the range
        of each column in the data of the fit; the function then ends where it began.

    Examples
    --------
    >>> from suffice.bases import FourierBasis
    >>> FourierBasis(1, period=4.0)([0.0, 0.5, 1.0]).round(4)
    array([[0.    , 1.    ],
           [0.7071, 0.7071],
           [1.    , 0.    ]])
    >>> FourierBasis(2, period=7).names(("day",))
    ('sin(2π·day/7)', 'cos(2π·day/7)', 'sin(4π·day/7)', 'cos(4π·day/7)')
    """

    n_harmonics: int
    period: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_harmonics", check_integer("n_harmonics", self.n_harmonics, 1))
        if self.period is not None:
            period = frozen_array(as_numbers("period", self.period))
            if period.ndim > 1 or not period.size or not np.all((period > 0) & (period < np.inf)):
                raise InvalidParameter(
                    f"period must be a number > 0, or one per column; got {self.period!r}."
                )
            object.__setattr__(self, "period", period if period.ndim else float(period))

    @property
    def needs_data(self) -> bool:
        return self.period is None

    def resolve(self, X: np.ndarray) -> FourierBasis:
        if self.period is not None:
            return self
        reach = np.ptp(X, axis=0)
        if np.any(reach == 0):
            raise InvalidInput(
                f"period: column {int(np.argmax(reach == 0))} of X is constant, so its range is no period; give one."
            )
        return FourierBasis(self.n_harmonics, float(reach[0]) if len(reach) == 1 else reach)

    def design(self, X: np.ndarray, frame: object) -> np.ndarray:
        turns = X / self._periods(X.shape[1])
        turns = turns - np.rint(turns)
        angle = 2 * np.pi * turns[:, :, None] * np.arange(1, self.n_harmonics + 1)  # (N, D, K)
        return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(
            len(X), 2 * X.shape[1] * self.n_harmonics
        )

    def _periods(self, n_features: int) -> np.ndarray:
        period = np.asarray(self.period)
        if period.ndim and len(period) != n_features:
            raise InvalidInput(
                f"FourierBasis has periods for {len(period)} columns; X has {n_features} columns."
            )
        return np.broadcast_to(period, (n_features,))

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            f"{wave}({2 * k}π·{f}/{period:.4g})"
            for f, period in zip(features, self._periods(len(features)), strict=True)
            for k in range(1, self.n_harmonics + 1)
            for wave in ("sin", "cos")
        )

    def size(self, n_features: int) -> int:
        return 2 * self.n_harmonics * len(self._periods(n_features))

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        return tuple((j,) for j in range(n_features) for _ in range(2 * self.n_harmonics))

    def __repr__(self) -> str:
        return f"FourierBasis({self.n_harmonics}, period={short(self.period)})"
