r"""The equalized histogram of an image.

Equalizing   level k of an image becomes x_k = Σ_{r ≤ k} n_r / n
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, check_integer
from suffice._core.records import record
from suffice.distributions._checks import frozen
from suffice.distributions.tables._text import html_line


@record
class Equalized:
    """An image whose grey levels were spread, the map from old to new levels, and how often each occurs."""

    image: np.ndarray
    table: np.ndarray
    before: np.ndarray

    @property
    def after(self) -> dict[float, float]:
        """How often each new level occurs: levels move and merge, but never split, so it is not flat."""
        levels, place = np.unique(self.table, return_inverse=True)
        counts = np.bincount(place, weights=self.before)
        return {k: c for k, c in zip(levels.tolist(), counts.tolist(), strict=True) if c > 0}

    @property
    def rounded(self) -> np.ndarray:
        """The image in whole levels 0 … L − 1."""
        return np.rint(self.image * (len(self.table) - 1)).astype(int)

    def _repr_html_(self) -> str:
        return html_line(self)


def histogram_equalize(image: Any, levels: int = 256) -> Equalized:
    """Spread the grey levels 0 … levels − 1 of an image: level k becomes the share of pixels up to k.

    Examples
    --------
    >>> from suffice.distributions import histogram_equalize
    >>> histogram_equalize([[0, 1, 1], [3, 3, 3]], levels=4).image.round(3)
    array([[0.167, 0.5  , 0.5  ],
           [1.   , 1.   , 1.   ]])
    """
    pixels = np.asarray(image)
    check_integer("levels", levels, 1)
    if pixels.size == 0 or pixels.dtype.kind not in "iu" or pixels.min() < 0 or pixels.max() >= levels:
        raise InvalidInput(f"image must hold whole grey levels 0 … {levels - 1}, one pixel at least.")
    before = np.bincount(pixels.ravel(), minlength=levels)
    table = np.cumsum(before) / pixels.size
    return Equalized(frozen(table[pixels]), frozen(table), frozen(before))
