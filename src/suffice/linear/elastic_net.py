r"""Least squares with both penalties, on the size and on the square of the weights (PRML eq. 3.29, q = 1 and q = 2).

    minimize  1/(2n) ‖y − b − Φ w‖² + α ρ ‖w‖₁ + ½ α (1 − ρ) ‖w‖²

ρ = 1 is the lasso, ρ = 0 is `Ridge(n α)`. The square makes columns that say the same share their weight, and the
minimum unique. The search is the lasso's, with n α (1 − ρ) added to each column's product with itself.
"""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any

from suffice._core.records import estimator
from suffice.linear._elastic import ElasticModel


@estimator
class ElasticNet(ElasticModel):
    """Linear regression whose penalty sets weights to exactly zero and lets like columns share them.

    Parameters
    ----------
    alpha
        Penalty for the average loss; larger values leave fewer weights. A vector holds one per target. Zero is
        least squares.
    l1_ratio
        ρ, from 0 (squares only) to 1 (the lasso).
    fit_intercept
        Whether to add a constant, which is not penalized.
    positive
        Whether no weight may be below zero.
    max_iter
        Most passes for one penalty; None for 1000. Each solves for all weights that are not zero at once.
    tol
        A duality gap above `tol` times the mean square of the target is warned about; the gap is usually a few
        roundings, whatever the tolerance.
    precompute, copy_X, warm_start, random_state, selection
        Taken for scikit-learn's sake and without effect: the minimum is exact, from products gathered once.
    basis
        Functions of the inputs; the penalty is on the weights of its raw columns.
    standardize
        Penalize the weights of standardized columns (divisor n); weights are reported for the original ones. Without
        an intercept the function is then zero at the mean of the columns, and `intercept_` is the constant this takes.
    weight_kind
        As in `LinearRegression`. The loss is averaged over the total weight either way.

    Attributes
    ----------
    dual_gap_
        How far the objective is from its minimum at most.
    n_iter_
        Passes.
    effective_parameters_
        The trace of ∂ŷ/∂y at the solution, and the constant.

    Notes
    -----
    `predict_dist` is a Normal at the prediction with the maximum-likelihood residual variance: it leaves out the
    uncertainty of the weights.

    Examples
    --------
    >>> from suffice.linear import ElasticNet
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 0.0], [3.0, 1.0]], [1.0, 3.0, 2.0, 5.0]
    >>> model = ElasticNet(0.5).fit(X, y)
    >>> print(f"{model.intercept_:.4f}", model.coef_.round(4))
    1.6250 [0.75 0.  ]
    """

    alpha: Any = 1.0
    _: KW_ONLY
    l1_ratio: float = 0.5

    @property
    def mixing(self) -> float:
        """The share of the absolute values in the penalty."""
        return self.l1_ratio
