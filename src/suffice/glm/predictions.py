r"""Four ways to predict a label from one normal posterior, side by side (FCML §4.5, PRML §4.5.2, Lecture 3).

plug-in      σ(m)                                      the mode alone
probit       σ(m / √(1 + π s²/8))                      (PRML 4.153)
quadrature   ∫ σ(a) N(a | m, s²) da                    (PRML 4.151), by a sum
sampled      mean of σ(aₛ), weights drawn from the posterior   (FCML 4.27)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.frames import to_frame
from suffice._core.records import record


@record
class PredictionComparison:
    """P(second class | x) at each row by four uses of Laplace's posterior, and as the model itself predicts (`model`).

    `mean` and `std` are those of a(x).
    """

    mean: np.ndarray
    std: np.ndarray
    plug_in: np.ndarray
    probit: np.ndarray
    quadrature: np.ndarray
    sampled: np.ndarray
    model: np.ndarray
    label: Any

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """By name, in the order of the frame."""
        names = ("mean", "std", "plug_in", "probit", "quadrature", "sampled", "model")
        return {name: getattr(self, name) for name in names}

    def __len__(self) -> int:
        return len(self.mean)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per row of the table."""
        return to_frame(self.columns, kind)

    def __repr__(self) -> str:
        gap = float(np.abs(self.plug_in - self.quadrature).max(initial=0.0))
        return f"PredictionComparison({len(self)} rows, P({self.label!r}); plug-in is off by up to {gap:.3g})"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>"
