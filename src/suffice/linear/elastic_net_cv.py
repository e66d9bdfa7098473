r"""The elastic net with penalties that predict rows left out best (PRML eq. 3.29, q = 1 and q = 2).

    (ρ̂, α̂) = argmin mean over folds of (1/n_f) ‖y_f − ŷ_f(ρ, α)‖²,     ŷ_f fitted to the other folds

Training sets are sums of statistics, which all ρ and α share (`_elastic_cv`).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, as_numbers
from suffice._core.records import estimator
from suffice.linear._elastic import ElasticModel
from suffice.linear._elastic_cv import ChoosesShrinkage
from suffice.linear.elastic_net import ElasticNet


@estimator
class ElasticNetCV(ChoosesShrinkage):
    """The elastic net with penalties chosen by cross-validation.

    Parameters
    ----------
    l1_ratio
        ρ, from 0 (squares only) to 1 (the lasso); or several to choose from. Zero needs `alphas`.
    eps
        The smallest penalty of a grid, as a share of the largest, at which all weights are zero.
    alphas
        How many penalties the grid of each ρ has, equally spaced in their logarithms; or the penalties.
    fit_intercept
        Whether to add a constant, which is not penalized.
    max_iter, tol
        As in `ElasticNet`.
    cv
        None for five blocks of rows, an integer for so many, a splitter, or pairs of training and test rows.
    positive
        Whether no weight may be below zero.
    precompute, copy_X, verbose, n_jobs, random_state, selection
        Taken for scikit-learn's sake and without effect: all minima are exact, from products gathered once.

    Attributes
    ----------
    alpha_, l1_ratio_
        The penalty chosen, and its ρ.
    alphas_
        The penalties tried, the largest first; a row for each of several ρ.
    mse_path_
        Mean squared error of each (ρ and) penalty in each fold.
    dual_gap_, n_iter_
        As in `ElasticNet`, of the fit to all rows.
    best_estimator_
        The `ElasticNet` with these penalties, with its statistics.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.linear import ElasticNetCV
    >>> data = diabetes()
    >>> model = ElasticNetCV(l1_ratio=[0.5, 0.9, 1.0]).fit(data.X, data.y)
    >>> print(model.l1_ratio_, f"{model.alpha_:.3f}", model.mse_path_.shape)
    1.0 0.564 (3, 100, 5)
    """

    _: KW_ONLY
    l1_ratio: Any = 0.5
    verbose: Any = 0

    best_estimator_: ElasticNet = field(init=False)
    l1_ratio_: float = field(init=False)

    def _shares(self) -> np.ndarray:
        shares = np.atleast_1d(as_numbers("l1_ratio", self.l1_ratio))
        if shares.ndim != 1 or not shares.size or not np.all((shares >= 0) & (shares <= 1)):
            raise InvalidParameter(
                f"l1_ratio must be a number in [0, 1] or a list of such; got {self.l1_ratio!r}."
            )
        return shares

    def _model(self, share: float, alpha: float = 1.0) -> ElasticModel:
        return ElasticNet(alpha, l1_ratio=share, **self._options())

    def _write_share(self, share: float) -> None:
        self.l1_ratio_ = share
