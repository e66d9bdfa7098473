r"""Least squares with a penalty on the absolute size of the weights (PRML eq. 3.29 with q = 1, DTU §14.1.1).

    minimize  1/(2n) ‖y − b − Φ w‖² + α ‖w‖₁

The text's λ, which multiplies ½ Σ|w| beside ½ SSE, is α = λ/(2n). All weights are zero from
α = max_j |φ_jᵀ(y − ȳ)| / n on; below it they enter one by one. From the triangle the minimum is found exactly, by the
set of weights that are not zero (`_active_set`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from numbers import Integral
from typing import Any, ClassVar, Literal

import numpy as np

from suffice._core.errors import InvalidParameter, NotConverged, check_choice, check_number, warn
from suffice._core.records import storable
from suffice._estimator import LinearPath, check_not_empty
from suffice.bases import Basis
from suffice.engine import one_blas_thread
from suffice.linear._shrinking import Shrinking
from suffice.linear._solvers.active_set import Found, Problem, path
from suffice.linear._solvers.unit import UnitSystem, unit_system
from suffice.linear.ridge import _penalties
from suffice.statistics import Affine, Triangle


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
    basis
        Functions of the inputs; the penalty is on the weights of its raw columns.
    standardize
        Penalize the weights of standardized columns (divisor n); weights are reported for the original ones. Without
        an intercept the function is then zero at the mean of the columns, and `intercept_` is the constant this takes.
    max_iter
        Most passes for one penalty. Each solves for all weights that are not zero at once.
    tol
        A duality gap above `tol` times the mean square of the target is warned about; the gap is usually a few
        roundings.
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
    basis: Basis | None = None
    standardize: bool = False
    max_iter: int = 1000
    tol: float = 1e-9
    weight_kind: Literal["counts", "precision"] = "counts"

    statistics_: Triangle = field(init=False)
    function_: Affine = field(init=False)
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
    def power(self) -> float:
        """q of the penalty Σ|w|^q."""
        return 1.0

    def _check(self) -> None:
        super()._check()
        most = self.max_iter
        if isinstance(most, bool) or not isinstance(most, Integral) or most < 1:
            raise InvalidParameter(f"max_iter must be an integer >= 1; got {most!r}.")
        check_number("tol", self.tol, low=0)

    def _minimize(self, t: Triangle, unit: UnitSystem, alphas: np.ndarray) -> list[tuple[np.ndarray, float]]:
        found = [
            self._along(t, unit, problem, j, alphas[j : j + 1], t.n)
            for j, problem in enumerate(unit.problems())
        ]
        single = t.header.n_targets is None
        gaps = np.array([results[0].gap for _, results in found])
        passes = np.array([results[0].passes for _, results in found])
        self.dual_gap_ = float(gaps[0]) if single else gaps
        self.n_iter_ = int(passes[0]) if single else passes
        return [(weights[:, 0], float(np.count_nonzero(weights))) for weights, _ in found]

    def _along(
        self, t: Triangle, unit: UnitSystem, problem: Problem, j: int, alphas: np.ndarray, n: float
    ) -> tuple[np.ndarray, list[Found]]:
        """Weights (columns, penalties) of one target, and how each was found, the gaps in units of the objective."""
        size, out = unit.size(j), np.empty((t.n_columns, len(alphas)))
        found = [Found(np.zeros(0), 0.0, 1)] * len(alphas)
        some = np.flatnonzero(alphas > 0)
        results = path(problem, unit.level(), n * alphas[some] / size, self.max_iter * len(alphas))
        for i, result in zip(some, results, strict=True):
            out[:, i], found[i] = (
                unit.weights(result.weights, j),
                result._replace(gap=result.gap * size**2 / n),
            )
        if len(some) < len(alphas):
            out[:, alphas == 0] = self._plain(t, unit, j)[0][:, None]
        worst = max((f.gap for f in found), default=0.0)
        if worst > max(self.tol, 1e-14) * size**2 / n:
            warn(
                f"The duality gap is {worst:.3g}, more than tol={self.tol:g} times the mean square of the target; "
                "increase max_iter, or alpha where columns nearly repeat each other.",
                NotConverged,
            )
        return out, found

    # -- validation -----------------------------------------------------------------------------------
    path_parameters: ClassVar[tuple[str, ...]] = ("alpha",)

    @one_blas_thread()
    def solve_paths(
        self, statistics: Sequence[Triangle], parameter: str, values: Sequence[Any]
    ) -> list[LinearPath]:
        """For each statistic the functions of all penalties, each from the solution of the next larger one."""
        check_choice("parameter", parameter, self.path_parameters)
        self._check()
        check_choice("weight_kind", self.weight_kind, ("counts", "precision"))
        return [self._path(t, values) for t in statistics]

    def _path(self, t: Triangle, values: Sequence[Any]) -> LinearPath:
        check_not_empty(t)
        k, n = t.header.n_outputs, t.n
        alphas = np.stack([_penalties(v, k) for v in values])  # (values, targets)
        unit = unit_system(t, self.fit_intercept, self.standardize)
        problems = enumerate(unit.problems())
        weights = [self._along(t, unit, problem, j, alphas[:, j], n)[0] for j, problem in problems]
        columns = np.stack(weights, axis=-1).reshape(t.n_columns, -1)
        return LinearPath(unit.function(columns), k, t.header.n_targets is None)
