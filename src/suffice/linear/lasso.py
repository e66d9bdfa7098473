r"""Least squares with a penalty on the absolute size of the weights (PRML eq. 3.29 with q = 1, DTU §14.1.1).

    minimize  1/(2n) ‖y − b − Φ w‖² + α ‖w‖₁

The text's λ, which multiplies ½ Σ|w| beside ½ SSE, is α = λ/(2n). All weights are zero from
α = max_j |φ_jᵀ(y − ȳ)| / n on; below it they enter one by one. From the triangle the minimum is found exactly, by the
set of weights that are not zero (`inference.active_set`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy.sparse import csr_array

from suffice._core.errors import check_flag
from suffice._core.records import storable
from suffice._estimator import LinearPath
from suffice.bases import Basis
from suffice.linear import _elastic
from suffice.linear._shrinking import Shrinking
from suffice.linear._solvers.unit import UnitSystem
from suffice.statistics import AffineFunction, Triangle


@storable
@dataclass(eq=False, repr=False)
class Lasso(Shrinking):
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
    _: KW_ONLY
    fit_intercept: bool = True
    precompute: Any = False
    copy_X: bool = True
    max_iter: int | None = 1000
    tol: float = 1e-4
    warm_start: bool = False
    positive: bool = False
    random_state: Any = None
    selection: Literal["cyclic", "random"] = "cyclic"
    basis: Basis | None = None
    standardize: bool = False
    weight_kind: Literal["counts", "precision"] = "counts"

    statistics_: Triangle = field(init=False)
    function_: AffineFunction = field(init=False)
    basis_: Basis | None = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: float = field(init=False)
    noise_variance_ml_: Any = field(init=False)
    effective_parameters_: Any = field(init=False)
    dual_gap_: Any = field(init=False)
    n_iter_: Any = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    @property
    def mixing(self) -> float:
        """The share of the absolute values in the penalty."""
        return 1.0

    def penalty(self, weights: np.ndarray) -> float:
        """Σ|w|."""
        return float(np.sum(np.abs(weights)))

    @property
    def sparse_coef_(self) -> csr_array:
        """The weights as a sparse matrix, a row per target."""
        return csr_array(np.atleast_2d(self.coef_))

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            Target, or several in columns.
        sample_weight
            How often each row counts; see `weight_kind`.
        check_input
            Taken for scikit-learn's sake and without effect: tables are always checked.
        """
        check_flag("check_input", check_input)
        return super().fit(X, y, sample_weight)

    def _check(self) -> None:
        _elastic.check(self)

    def _minimize(self, t: Triangle, unit: UnitSystem, alphas: np.ndarray) -> list[tuple[np.ndarray, float]]:
        return _elastic.minima(self, t, unit, alphas)

    # -- validation -----------------------------------------------------------------------------------
    path_parameters: ClassVar[tuple[str, ...]] = ("alpha",)

    def solve_paths(
        self, statistics: Sequence[Triangle], parameter: str, values: Sequence[Any]
    ) -> list[LinearPath]:
        """For each statistic the functions of all penalties, each from the solution of the next larger one."""
        return _elastic.paths(self, statistics, parameter, values)
