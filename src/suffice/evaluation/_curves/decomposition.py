r"""Where the error comes from: noise, bias and variance (PRML §3.2, DTU §14.2, FCML §2.8).

For training sets 𝒟_1 … 𝒟_L, their fits f_l, the mean fit f̄ = (1/L) Σ f_l and the true mean h(x) = E[y|x]

    bias²    = E_x (f̄(x) − h(x))²                          (PRML 3.46, DTU 14.7)
    variance = E_x (1/L) Σ_l (f_l(x) − f̄(x))²              (PRML 3.47)
    noise    = E_x E[(y − h(x))² | x]
    error    = noise + E_x (1/L) Σ_l (f_l(x) − h(x))² = noise + bias² + variance,

the last equality exactly, for any L, since deviations from f̄ sum to zero. Without h there remains

    (1/L) Σ_l (y − f_l(x))² = (y − f̄(x))² + (1/L) Σ_l (f_l(x) − f̄(x))²,

a *misfit* that holds bias² and noise together, and the variance. E_x is the mean over the points of a test set.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice._core.showing import Shown


@record
class BiasVariance(Shown):
    """Fits of many training sets at the same points, and what their error is made of.

    `predictions` has one row per training set and one column per point (NaN where a bootstrap set had the point
    for training), `targets` an observation at every point or None, `truth` the true mean there or None, and
    `noise` the noise variance, NaN where unknown. The mean of L fits still varies: on average `bias2` (and
    `misfit`) is too large by 1/L of the variance.
    """

    X: Any
    predictions: np.ndarray
    targets: np.ndarray | None
    truth: np.ndarray | None
    noise: float

    @cached_property
    def mean_prediction(self) -> np.ndarray:
        """f̄ at every point."""
        return np.nanmean(self.predictions, axis=0)

    @cached_property
    def point_bias2(self) -> np.ndarray:
        """(f̄ − h)² at every point."""
        return (self.mean_prediction - self._true()) ** 2

    @cached_property
    def point_variance(self) -> np.ndarray:
        """Mean square of f_l − f̄ at every point."""
        return np.nanmean((self.predictions - self.mean_prediction) ** 2, axis=0)

    @property
    def bias2(self) -> float:
        """Squared distance of the mean fit from the truth; NaN without truth."""
        return float(self.point_bias2.mean())

    @property
    def variance(self) -> float:
        """Mean square of single fits about their mean."""
        return float(self.point_variance.mean())

    @cached_property
    def error(self) -> float:
        """Expected squared error on new observations; without truth, that on the targets."""
        if self.truth is None:
            return self.test_error
        return self.noise + float(np.nanmean((self.predictions - self.truth) ** 2, axis=0).mean())

    @cached_property
    def test_error(self) -> float:
        """Squared error of single fits on the targets at the points; NaN without targets."""
        if self.targets is None:
            return np.nan
        return float(np.nanmean((self.predictions - self.targets) ** 2, axis=0).mean())

    @property
    def misfit(self) -> float:
        """Squared error of the mean fit on the targets: bias² and noise together; NaN without targets."""
        return np.nan if self.targets is None else float(((self.mean_prediction - self.targets) ** 2).mean())

    def _true(self) -> np.ndarray:
        return np.full(self.predictions.shape[1], np.nan) if self.truth is None else self.truth

    def frame(self, kind: str = "pandas") -> Any:
        """One row per point."""
        columns = {"mean_prediction": self.mean_prediction, "truth": self._true()}
        return to_frame(columns | {"bias2": self.point_bias2, "variance": self.point_variance}, kind)

    def __str__(self) -> str:
        sets, points = self.predictions.shape
        parts = f"noise {self.noise:.4g} + bias² {self.bias2:.4g}"
        if self.truth is None:
            parts = f"noise and bias² {self.misfit:.4g}"
        sizes = f"({sets} training sets, {points} points)"
        return f"error {self.error:.4g} = {parts} + variance {self.variance:.4g} {sizes}"

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>"
