r"""Least squares with a quadratic penalty (FCML §1.6, PRML eqs 3.24–3.28, DTU eqs 14.3–14.4).

    minimize  ‖y − b − Φ w‖² + α ‖w‖²     ⇔     √α I stacked under Φ, factored again

The texts write the same penalty on other scales; `Ridge.book` translates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, field
from typing import Any, ClassVar, Literal, Self

import numpy as np

from suffice._core.errors import InvalidParameter, Unsupported, as_numbers, check_choice, check_flags
from suffice._core.records import estimator
from suffice._estimator import (
    LinearModel,
    LinearPath,
    LinearSmoother,
    check_is_fitted,
    check_no_effect,
    check_not_empty,
    warn_dependent,
    warn_ill_conditioned,
)
from suffice.distributions import Normal
from suffice.engine import one_blas_thread
from suffice.linear._positive import penalized as penalized_positive
from suffice.statistics import AffineFunction, Triangle
from suffice.statistics.dependence import exact, sizes_cancel, weak_condition
from suffice.statistics.leave_out import LeftOut, Smoother
from suffice.statistics.lstsq import System, system, system_with_intercept
from suffice.statistics.penalized import penalized, penalized_paths

SOLVERS = ("auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs")
PENALTY_SCALE = {
    "sum": lambda n: 1.0,
    "mean": lambda n: n,
    "unbiased": lambda n: n / (n - 1) if n > 1 else 1.0,
}
BOOKS: dict[str, dict[str, Any]] = {
    "fcml": {"penalty_scale": "mean", "penalize_intercept": True},
    "prml": {"penalize_intercept": True},
    "herbst": {"penalize_intercept": True},
    "dtu": {"penalty_scale": "unbiased", "standardize": True},
}


@estimator
class Ridge(LinearSmoother, LinearModel):
    """Linear regression with a penalty on the squared size of the weights.

    Parameters
    ----------
    alpha
        Penalty; larger values shrink the weights more. A vector holds one per target.
    fit_intercept
        Whether to add a constant.
    positive
        Whether no weight may be below zero.
    copy_X, max_iter, tol, solver, random_state
        Taken for scikit-learn's sake and without effect: the minimum is solved for directly and exactly.
    penalize_intercept
        Whether the constant is shrunk too, as some texts do.
    basis
        Functions of the inputs; the penalty is on the weights of its raw columns.
    standardize
        Penalize the weights of standardized columns (divisor n); weights are reported for the original ones. Without
        an intercept the function is then zero at the mean of the columns, and `intercept_` is the constant this takes.
    penalty_scale
        What `alpha` multiplies: "sum", the penalty for the summed loss; "mean", for the average loss
        (α n); "unbiased", for columns standardized with divisor n − 1 (α n/(n − 1)).
    weight_kind
        As in `LinearRegression`.

    Attributes
    ----------
    coef_
        Weights (columns,) of one target, also where y is a column, or (targets, columns).
    n_iter_
        Solutions per target: one.

    Notes
    -----
    `predict_dist` is a Normal at the prediction with the maximum-likelihood residual variance: it
    leaves out the uncertainty of the weights. `BayesianLinearRegression` has both.

    Examples
    --------
    >>> from suffice.linear import Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 2.0, 5.0]
    >>> model = Ridge(1.0).fit(X, y)
    >>> print(f"{model.intercept_:.4f} {model.coef_[0]:.4f}")
    1.3750 0.9167
    """

    alpha: Any = 1.0
    _: KW_ONLY
    fit_intercept: bool = True
    copy_X: bool = True
    max_iter: int | None = None
    tol: float = 1e-4
    solver: Literal["auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"] = "auto"
    positive: bool = False
    random_state: Any = None
    penalize_intercept: bool = False
    standardize: bool = False
    penalty_scale: Literal["sum", "mean", "unbiased"] = "sum"

    effective_parameters_: Any = field(init=False)
    n_iter_: np.ndarray = field(init=False)

    _one_row_of_weights = False

    @classmethod
    def book(
        cls, lam: float, text: Literal["fcml", "prml", "herbst", "dtu"] = "prml", **options: Any
    ) -> Self:
        """The penalty λ as a text writes it.

        "fcml": average loss + λ wᵀw over all weights, the constant among them (eq. 1.20). "prml" and
        "herbst": ½ SSE + (λ/2) wᵀw, constant included (PRML 3.27). "dtu": SSE + λ wᵀw on columns
        standardized with divisor n − 1, constant free (eq. 14.3).
        """
        check_choice("text", text, tuple(BOOKS))
        return cls(lam, **(BOOKS[text] | options))

    @one_blas_thread()
    def solve(self, statistics: Triangle) -> Self:
        """Write every fitted attribute from the statistics."""
        t = statistics
        check_not_empty(t.n)
        n, k = self._sample_size(t), t.header.n_outputs
        self._check()
        alphas = _penalties(self.alpha, k) * PENALTY_SCALE[self.penalty_scale](n)
        function, used = self._solve_positive(t, alphas) if self.positive else self._solve_each(t, alphas)
        self._publish(t, function)
        self.noise_variance_ml_ = self._one(function.sse(t) / n)
        self.effective_parameters_, self.n_iter_ = self._one(used), np.ones(k, dtype=int)
        return self

    @property
    def solver_(self) -> str:
        """The solver asked for; "cholesky" where the choice was left to the model."""
        check_is_fitted(self)
        return "cholesky" if self.solver == "auto" else self.solver

    def _check(self) -> None:
        check_flags(self, "fit_intercept", "penalize_intercept", "standardize", "positive")
        check_choice("penalty_scale", self.penalty_scale, tuple(PENALTY_SCALE))
        check_no_effect(self, "copy_X", "max_iter", "tol", "random_state", solver=SOLVERS)
        if self.positive and self.penalize_intercept:
            raise Unsupported(
                "positive=True with penalize_intercept=True is not solved here; use one or the other."
            )

    def _solve_positive(self, t: Triangle, alphas: np.ndarray) -> tuple[AffineFunction, np.ndarray]:
        return penalized_positive(t, alphas, self.fit_intercept, self.standardize)

    def _solve_each(self, t: Triangle, alphas: np.ndarray) -> tuple[AffineFunction, np.ndarray]:
        """The function of all targets, each with its penalty, and tr of the hat matrices."""
        fits = {a: self._solve_one(t, a) for a in np.unique(alphas)}
        functions, used = zip(*(fits[a] for a in alphas), strict=True)
        value = np.array([f.value[j] for j, f in enumerate(functions)])
        slope = np.column_stack([f.slope[:, j] for j, f in enumerate(functions)])
        return functions[0].replaced(value, slope), np.array(used)

    def _solve_one(self, t: Triangle, alpha: float) -> tuple[AffineFunction, float]:
        """The function for one penalty and its effective number of parameters, tr of the hat matrix."""
        if alpha == 0:
            plain = t.lstsq(fit_intercept=self.fit_intercept, standardize=self.standardize)
            warn_dependent(t, plain.constant, plain.dependent)
            warn_ill_conditioned(plain.condition)
            return plain.function, plain.rank + float(self.fit_intercept)
        s = self._system(t)
        fit = penalized(s, alpha)
        warn_ill_conditioned(weak_condition(s, fit))
        return s.function(fit.mean), fit.trace(s.R) + float(self.fit_intercept and not s.counted)

    def _system(self, t: Triangle) -> System:
        return exact(self._all_columns(t)).in_row_space()

    def _all_columns(self, t: Triangle) -> System:
        if self.fit_intercept and self.penalize_intercept:
            return system_with_intercept(t, self.standardize)
        return system(t, self.fit_intercept, self.standardize)

    # -- validation -----------------------------------------------------------------------------------
    path_parameters: ClassVar[tuple[str, ...]] = ("alpha",)

    @one_blas_thread()
    def solve_paths(
        self, statistics: Sequence[Triangle], parameter: str, values: Sequence[Any]
    ) -> list[LinearPath]:
        """For each statistic the functions of all penalties, from one decomposition where those are diagonal."""
        check_choice("parameter", parameter, self.path_parameters)
        self._check()
        for t in statistics:
            check_not_empty(t.n)
        k, single = statistics[0].header.n_outputs, statistics[0].header.n_targets is None
        if all(np.ndim(v) == 0 for v in values):
            penalties = np.repeat(_penalties(np.asarray(values), len(values)), k)
        else:
            penalties = np.concatenate([_penalties(v, k) for v in values])
        alphas = [penalties * PENALTY_SCALE[self.penalty_scale](self._sample_size(t)) for t in statistics]
        if self.positive:
            pairs = zip(statistics, alphas, strict=True)
            return [LinearPath(self._positive_path(t, a), k, single) for t, a in pairs]
        zero = np.any(penalties == 0)
        plain = [self._solve_one(t, 0.0)[0] if zero else None for t in statistics]
        systems = [self._system(t) for t in statistics]
        for s, a in zip(systems, alphas, strict=True):
            if sizes_cancel(s) and np.any(a > 0):
                warn_ill_conditioned(weak_condition(s, penalized(s, float(a[a > 0].min()))))
        functions = penalized_paths(systems, alphas, plain)
        return [LinearPath(f, k, single) for f in functions]

    def _positive_path(self, t: Triangle, alphas: np.ndarray) -> AffineFunction:
        """The functions of all penalties side by side, targets within penalties."""
        k = t.header.n_outputs
        each = [self._solve_positive(t, alphas[i : i + k])[0] for i in range(0, len(alphas), k)]
        value, slope = np.concatenate([f.value for f in each]), np.hstack([f.slope for f in each])
        return each[0].replaced(value, slope)

    def subset_system(self, statistics: Triangle) -> tuple[System, float] | None:
        """The least squares of any of the columns and its penalty; None if that differs, or weights are bounded."""
        if self.positive:
            return None
        t, alphas = statistics, np.unique(_penalties(self.alpha, statistics.header.n_outputs))
        if len(alphas) != 1:
            return None
        alpha = float(alphas[0]) * PENALTY_SCALE[self.penalty_scale](self._sample_size(t))
        return self._all_columns(t) if alpha > 0 else system(t, self.fit_intercept, self.standardize), alpha

    @property
    def ignores_scale(self) -> bool:
        """No: the prior or penalty has a scale."""
        return False

    def _why_hat_varies(self) -> str | None:
        if self.positive:
            return "which weights are zero differs between the folds"
        alpha = np.unique(as_numbers("alpha", self.alpha))
        if len(alpha) > 1:
            return "the penalties of the targets differ"
        if alpha[0] == 0 and not (self.standardize and not self.fit_intercept):
            return None
        if self.standardize:
            return "the penalty is on columns standardized in each fold"
        if self.penalty_scale != "sum":
            return "the penalty grows with the number of training rows"
        return None

    def _smoother(self, t: Triangle) -> Smoother:
        alpha = float(_penalties(self.alpha, t.header.n_outputs).max(initial=0.0))
        if alpha == 0:
            plain = t.lstsq(fit_intercept=self.fit_intercept, standardize=self.standardize)
            return Smoother.of_solution(plain, t.n)
        s = self._system(t)
        fit = penalized(s, alpha)
        if sizes_cancel(s):
            warn_ill_conditioned(weak_condition(s, fit))
        free = self.fit_intercept and not s.counted
        return Smoother.of_system(s, fit.mean, fit.root, 1 / t.n if free else 0.0)

    def left_out_dist(self, left: LeftOut, single: bool) -> Normal:
        """Normal with the residual variance that each smaller fit leaves on its own rows."""
        std = np.sqrt(left.sse[left.fold] / self._left_out_size(left)[:, None])
        return Normal(left.predictions[:, 0], std[:, 0]) if single else Normal(left.predictions, std)

    @one_blas_thread()
    def predict_dist(self, X: Any) -> Normal:
        """Normal at the prediction with the residual variance; without the weights' uncertainty."""
        return self._normal(X)


def _penalties(alpha: Any, k: int) -> np.ndarray:
    values = as_numbers("alpha", alpha)
    if values.ndim > 1 or (values.ndim == 1 and values.size != k):
        raise InvalidParameter(
            f"Number of targets and number of penalties do not correspond: {values.size} != {k}. alpha must be a "
            f"number or one per target ({k}); got {alpha!r}."
        )
    if not np.isfinite(values).all() or np.any(values < 0):
        raise InvalidParameter(f"alpha must be a finite number >= 0; got {alpha!r}.")
    return np.broadcast_to(values, (k,))
