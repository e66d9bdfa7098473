"""Rows far from those of the fit: what a predictive distribution says about them.

Uncertainty of weights grows with the distance, yet it takes the model to hold there too, and bumps forget that they do
not: far from their centers all are zero, and the prediction is the constant with the width of the noise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import record
from suffice.bases import GaussianBasis
from suffice.statistics import Layout

FAR = 10.0  # standard deviations
FADED = 0.01  # of the height of a bump: three widths from its center


@record
class Surroundings:
    """Where the rows of a fit lay: centers and standard deviations of the columns of its design.

    `limit` is how many of these a row is far away.
    """

    layout: Layout
    center: np.ndarray
    spread: np.ndarray
    limit: float = FAR

    @classmethod
    def of(
        cls, layout: Layout, center: np.ndarray, spread: np.ndarray, rows: int, alike: bool
    ) -> Surroundings:
        """Of so many rows; none of n rows of equal weight is further than √(n − 1) from their mean."""
        widest = np.sqrt(max(rows - 1, 1)) * (1 + 1e-6)
        return cls(layout, center, spread, min(FAR, widest) if alike else FAR)

    def notes(self, X: Any) -> tuple[str, ...]:
        """What is to be said about rows to predict."""
        basis = self.layout.header.basis
        if basis is None and isinstance(X, np.ndarray) and self._near(X):
            return ()
        design = self.layout.design(X)
        return self._of_distance(design) + (
            self._of_bumps(design) if isinstance(basis, GaussianBasis) else ()
        )

    def _near(self, X: np.ndarray) -> bool:
        """Whether the extremes of all columns are near, which they mostly are."""
        reach = self.limit * self.spread
        low, high = X.min(axis=0, initial=np.inf), X.max(axis=0, initial=-np.inf)
        return bool(np.all((low >= self.center - reach) & (high <= self.center + reach)))

    def _of_distance(self, design: np.ndarray) -> tuple[str, ...]:
        with np.errstate(over="ignore"):
            away = np.abs(design - self.center) / self.spread
        worst = away.max(axis=1, initial=0.0)
        if not np.any(worst > self.limit):
            return ()
        row = int(np.argmax(worst))
        column = int(np.argmax(away[row]))
        return (
            f"Row {row} lies {worst[row]:.3g} standard deviations from the middle of column "
            f"{self.layout.header.column_names[column]!r} in the fit{_more(worst > self.limit)}: predictions there are "
            "extrapolated, and their width takes the model to hold so far out.",
        )

    def _of_bumps(self, design: np.ndarray) -> tuple[str, ...]:
        lost = np.abs(design).max(axis=1, initial=0.0) < FADED
        if not lost.any():
            return ()
        return (
            f"Row {int(np.argmax(lost))} lies where every bump of the basis is near zero{_more(lost)}: the prediction "
            "there is the constant, and its width that of the noise, whatever the target does.",
        )


def _more(which: np.ndarray) -> str:
    """How many rows there are beside the one that is named."""
    others = int(which.sum()) - 1
    return "" if not others else f", and {others} more {'row is' if others == 1 else 'rows are'} as far out"
