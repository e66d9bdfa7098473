r"""Gaussian bumps (PRML eq. 3.4): φ_j(x) = exp(−(x − μ_j)² / 2s²)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from suffice._core.records import record
from suffice.bases._centers import AtData, Centered


@record
class GaussianBasis(Centered):
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

    word: ClassVar[str] = "bump"
    __repr__ = Centered.__repr__

    @classmethod
    def at_data(cls, n: int | None = None, *, width: float | None = None) -> GaussianBasis:
        """Bumps at the rows of the fit, where the data are (PRML §3.6): D columns do not need a grid in D dimensions.

        Parameters
        ----------
        n
            How many of the distinct rows become centres, evenly spaced in their sorted order; None takes all.
        width
            Standard deviation of a bump. None: the mean distance between neighbouring centres, for one column.

        Examples
        --------
        >>> from suffice.bases import GaussianBasis
        >>> basis = GaussianBasis.at_data(3, width=1.0)
        >>> basis, basis.needs_data
        (GaussianBasis.at_data(3, width=1.0), True)
        >>> import numpy as np
        >>> basis.resolve(np.array([[0.0], [9.0], [1.0], [1.0], [4.0], [5.0]]))
        GaussianBasis([0., 4., 9.], width=1.0)
        """
        return cls(AtData(n), width)

    def design(self, X: np.ndarray, frame: object) -> np.ndarray:
        points = self.points(X.shape[1])
        squares = np.zeros((len(X), len(points)))
        with np.errstate(over="ignore"):  # far out a bump is 0
            for x, center in zip(X.T, points.T, strict=True):
                gap = (x[:, None] - center) / self.width
                squares += np.where(np.isnan(center), 0.0, gap**2)
        return np.exp(-0.5 * squares)
