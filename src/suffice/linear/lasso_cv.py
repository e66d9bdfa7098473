r"""The lasso with the penalty that predicts rows left out best (PRML eq. 3.29 with q = 1, DTU §10.1).

    α̂ = argmin_α mean over folds of (1/n_f) ‖y_f − ŷ_f(α)‖²,     ŷ_f fitted to the other folds

Training sets are sums of statistics, so the table is read once (`_elastic_cv`).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from suffice._core.records import estimator
from suffice.linear._elastic import ElasticModel
from suffice.linear._elastic_cv import ChoosesShrinkage
from suffice.linear.lasso import Lasso


@estimator
class LassoCV(ChoosesShrinkage):
    """The lasso with a penalty chosen by cross-validation.

    Parameters
    ----------
    eps
        The smallest penalty of a grid, as a share of the largest, at which all weights are zero.
    alphas
        How many penalties a grid has, equally spaced in their logarithms; or the penalties.
    fit_intercept
        Whether to add a constant, which is not penalized.
    max_iter, tol
        As in `Lasso`.
    cv
        None for five blocks of rows, an integer for so many, a splitter, or pairs of training and test rows.
    positive
        Whether no weight may be below zero.
    precompute, copy_X, verbose, n_jobs, random_state, selection
        Taken for scikit-learn's sake and without effect: all minima are exact, from products gathered once.

    Attributes
    ----------
    alpha_
        The penalty chosen.
    alphas_
        Those tried, the largest first.
    mse_path_
        Mean squared error of each penalty (rows) in each fold (columns).
    dual_gap_, n_iter_
        As in `Lasso`, of the fit to all rows.
    best_estimator_
        The `Lasso` with this penalty, with its statistics.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.linear import LassoCV
    >>> data = diabetes()
    >>> model = LassoCV().fit(data.X, data.y)
    >>> print(f"{model.alpha_:.3f}", model.mse_path_.shape, (model.coef_ != 0).sum())
    0.564 (100, 5) 10
    """

    best_estimator_: Lasso = field(init=False)

    def _shares(self) -> np.ndarray:
        return np.ones(1)

    def _model(self, share: float, alpha: float = 1.0) -> ElasticModel:
        return Lasso(alpha, **self._options())

    def _write_share(self, share: float) -> None:
        """There is but one."""
