r"""The median of the target, whatever the columns say (DTU eq. 4.4).

y ~ Laplace(m, s),   m̂ = median of y,   ŝ = Σ w |y − m̂| / n        (maximum likelihood)
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Self, final

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from suffice._core.errors import NumericalError
from suffice._core.records import estimator
from suffice._estimator import Estimator, check_weight, open_inputs, open_table, remember_columns
from suffice.distributions import LaplaceDistribution

TIE = 1e-12  # how closely two halves of the weight must agree to count as equal


def weighted_median(y: np.ndarray, weight: np.ndarray) -> float:
    """The middle of the values, each counted as often as its weight; halfway where a count splits evenly."""
    order = np.argsort(y, kind="stable")
    below = np.cumsum(weight[order])
    half = below[-1] / 2
    low = y[order[np.searchsorted(below, half * (1 - TIE))]]
    high = y[order[np.searchsorted(below, half * (1 + TIE), side="right")]]
    return low / 2 + high / 2 if low != high else low


def mean_absolute_deviation(y: np.ndarray, weight: np.ndarray, center: float) -> float:
    """Σ w |y − center| / Σ w: the scale of a Laplace distribution about its center."""
    return float((weight / weight.sum()) @ np.abs(y - center))


@final
@estimator
class MedianRegressor(MultiOutputMixin, RegressorMixin, Estimator):
    """Predicts the (weighted) median of y: what a model with absolute loss has to beat.

    Notes
    -----
    `predict_dist` is the Laplace distribution of which the median is the maximum-likelihood centre, with
    the mean absolute deviation as its scale; it leaves out the uncertainty of both. The observed targets
    themselves (`Empirical`) would be a distribution too, but one that calls every new value impossible.

    A median is not a function of sums over rows, so there are no statistics: it validates by refitting.

    Examples
    --------
    >>> from suffice.baselines import MedianRegressor
    >>> model = MedianRegressor().fit([[1.0], [2.0], [3.0], [4.0]], [2.0, 4.0, 5.0, 90.0])
    >>> model.predict([[10.0]])
    array([4.5])
    """

    median_: Any = field(init=False)
    noise_scale_: Any = field(init=False)
    n_: float = field(init=False)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations; checked, and otherwise ignored.
        y
            Target, or several in columns.
        sample_weight
            How often each row counts.
        """
        X, Y, header = open_table(self, X, y)
        weight = check_weight(sample_weight, X)
        weight = np.ones(len(Y)) if weight is None else weight
        Y, weight = Y[weight > 0], weight[weight > 0]
        medians = [weighted_median(column, weight) for column in Y.T]
        scales = [mean_absolute_deviation(column, weight, m) for column, m in zip(Y.T, medians, strict=True)]
        single = header.n_targets is None
        self.median_ = float(medians[0]) if single else np.array(medians)
        self.noise_scale_ = scales[0] if single else np.array(scales)
        self.n_ = float(weight.sum())
        remember_columns(self, header)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The median, for every row."""
        n = open_inputs(self, X).shape[0]
        return self._repeated(self.median_, n)

    def predict_dist(self, X: Any) -> LaplaceDistribution:
        """Laplace at the median; without the uncertainty of its centre and scale."""
        n = open_inputs(self, X).shape[0]
        if self.n_ <= 1:
            raise NumericalError(f"A spread needs a total weight above 1; got {self.n_:g}.")
        return LaplaceDistribution(self._repeated(self.median_, n), self._repeated(self.noise_scale_, n))

    def _repeated(self, value: Any, n: int) -> np.ndarray:
        return np.tile(value, (n, *[1] * np.ndim(value)))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.regressor_tags.poor_score = True  # that is what a baseline is for
        return tags
