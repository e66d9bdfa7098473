r"""Least squares with a penalty on the absolute size of the weights (PRML eq. 3.29 with q = 1, DTU §14.1.1).

    minimize  1/(2n) ‖y − b − Φ w‖² + α ‖w‖₁

The text's λ, which multiplies ½ Σ|w| beside ½ SSE, is α = λ/(2n). All weights are zero from
α = max_j |φ_jᵀ(y − ȳ)| / n on; below it they enter one by one. From the triangle the minimum is found exactly, by the
set of weights that are not zero (`inference.active_set`).
"""

from __future__ import annotations

from typing import Any

from suffice._core.records import estimator
from suffice.linear._elastic import ElasticModel


@estimator
class Lasso(ElasticModel):
    """Linear regression whose penalty sets weights to exactly zero.

    Parameters
    ----------
    alpha
        Penalty for the average loss; larger values leave fewer weights. A vector holds one per target. Zero is
        least squares.
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
        Weights that are not zero, and the constant.

    Notes
    -----
    `predict_dist` is a Normal at the prediction with the maximum-likelihood residual variance: it leaves out the
    uncertainty of the weights. Which of several columns that say the same gets the weight is arbitrary, and small
    changes of `alpha` may choose others.

    Examples
    --------
    >>> from suffice.linear import Lasso
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 0.0], [3.0, 1.0]], [1.0, 3.0, 2.0, 5.0]
    >>> model = Lasso(0.5).fit(X, y)
    >>> print(f"{model.intercept_:.4f}", model.coef_.round(4))
    1.7000 [0.7 0. ]
    """

    alpha: Any = 1.0

    @property
    def mixing(self) -> float:
        """The share of the absolute values in the penalty."""
        return 1.0
