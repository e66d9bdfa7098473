"""What generalized linear models report of their mode: weights, their uncertainty, a(x)."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from suffice._core.errors import (
    NotFinite,
    Unsupported,
)
from suffice._core.trace import Trace
from suffice._estimator import Estimator, check_is_fitted, open_inputs, remember_columns
from suffice._estimator.far_rows import Surroundings
from suffice.bases import Basis
from suffice.distributions._base import noted
from suffice.engine import one_blas_thread, parallel
from suffice.glm._fit.mode import Mode, smallest, warn_inflated, warn_separated, warn_undetermined
from suffice.glm._fit.pass_sums import PassSums
from suffice.glm._fit.plan import STILL, Plan
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._shell.by_passes import FittedByPasses
from suffice.likelihoods import Likelihood
from suffice.statistics import AffineFunction

BLOCK = 16_384


@dataclass(eq=False, repr=False)
class FittedLink:
    """What every model of the room writes."""

    plan_: Plan = field(init=False)
    likelihood_: Likelihood = field(init=False)
    function_: AffineFunction = field(init=False)
    statistics_: PassSums = field(init=False)
    basis_: Basis | None = field(init=False)
    root_: np.ndarray = field(init=False)
    log_likelihood_: float = field(init=False)
    deviance_: float = field(init=False)
    n_parameters_: int = field(init=False)
    trace_: Trace = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)


class GeneralizedLinear(FittedLink, FittedByPasses, Estimator, ABC):
    """p(y | x) = p(y | a(x)), a linear in the columns of a basis."""

    def _with_notes(self, d: Any, X: Any) -> Any:
        """A predictive distribution with its notes about rows far from those of the fit."""
        layout = self.plan_.layout
        around = Surroundings(
            layout, layout.shift_x, np.where(self.plan_.scale == STILL, np.inf, self.plan_.scale)
        )
        return noted(d, around.notes(open_inputs(self, X)))

    def _conclude(self, problem: LinkProblem, mode: Mode) -> None:
        """What every model reports."""
        if not np.isfinite(mode.objective):
            raise NotFinite("The log likelihood is not finite; rescale the columns or remove wild rows.")
        u, plan = mode.u, problem.plan
        if mode.unbounded is not None:
            warn_separated(plan, mode.unbounded)
        elif mode.null.shape[1]:
            warn_undetermined(problem, mode.null, mode.sums.rows)
        else:
            warn_inflated(mode.inflation, u)
        if mode.null.shape[1]:
            u = smallest(problem, u, mode.null)
        sums = mode.sums
        self.statistics_ = replace(sums, gram=None, factor=None)
        self.trace_ = mode.trace
        self.n_iter_ = len(mode.trace)
        self.log_likelihood_ = sums.log_likelihood
        self.deviance_ = 2 * (sums.saturated - sums.log_likelihood)
        self.__dict__.pop("root_", None)
        if mode.root is None:
            self.n_parameters_ = int(np.prod(problem.shape))
        else:
            self.n_parameters_ = mode.root.shape[1]
            self.root_ = raw_root(problem, mode) if mode.raw_root is None else mode.raw_root
        self._place(problem, replace(mode, u=u))

    def _place(self, problem: LinkProblem, mode: Mode) -> None:
        """What the model needs to predict."""
        plan = problem.plan
        self.plan_, self.likelihood_, self.function_ = plan, plan.likelihood, plan.function(mode.u)
        self.basis_ = plan.header.basis
        remember_columns(self, plan.header)
        self._publish(problem, mode)

    @property
    def _has_constant(self) -> bool:
        """Whether a(0) is not zero: a function through zero at the mean of its columns has a constant too."""
        return self.fit_intercept or self.standardize

    # -- the weights and their uncertainty -------------------------------------------------------------------
    @property
    def cov_params_(self) -> np.ndarray:
        """Covariance of (intercept, weights), function by function: the inverse of minus the Hessian of the log
        posterior (of the log likelihood where there is no prior). NaN where the rows determine nothing."""
        F = self._root
        return F @ F.T

    @property
    def _root(self) -> np.ndarray:
        check_is_fitted(self)
        if (why_not := self._no_covariance()) is not None:
            raise why_not
        return self.root_

    def _too_costly(self) -> Exception | None:
        """Where the Hessian was not asked for."""
        if hasattr(self, "root_"):
            return None
        return Unsupported(
            f"The covariance of {self.n_parameters_} weights was not computed, for it takes many times as long as "
            "the fit; fit with covariance=True."
        )

    @property
    def aic_(self) -> float:
        """2 × parameters − 2 × log likelihood."""
        return 2 * self.n_parameters_ - 2 * self.log_likelihood_

    @property
    def bic_(self) -> float:
        """log n × parameters − 2 × log likelihood."""
        return float(np.log(self.statistics_.n)) * self.n_parameters_ - 2 * self.log_likelihood_

    # -- prediction ------------------------------------------------------------------------------------------
    @one_blas_thread()
    def _values(self, X: Any) -> np.ndarray:
        """a(x): (N, K)."""
        X = open_inputs(self, X)
        blocks = range(0, max(X.shape[0], 1), BLOCK)
        return np.concatenate(parallel(lambda a: self.function_(X[a : a + BLOCK]), blocks))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "function_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def raw_root(problem: LinkProblem, mode: Mode) -> np.ndarray:
    """F with F Fᵀ the covariance of (intercept, weights) on the raw columns; NaN where undetermined."""
    K, q = problem.shape
    G = problem.plan.to_raw() @ problem.free
    G = G if problem.whole else G[1:]
    F = np.concatenate([(G @ part).astype(float) for part in mode.root.reshape(K, q, -1)])
    if mode.null.shape[1]:
        loose = np.abs(np.concatenate([(G @ part).astype(float) for part in mode.null.reshape(K, q, -1)]))
        reach = np.tile(np.abs(G).sum(axis=1), K) * np.abs(mode.null).max()  # if all of u were loose
        F[loose.max(axis=1) > 1e-8 * reach] = np.nan
    return F
