"""What a model with a link is to the classes that make one: its shell, its kind of targets, how it is estimated.

`GeneralizedLinear` fits and reports; classes of one side each (numbers or labels, penalty or posterior, dispersion)
stand beside it and say what it asks for. Every method here is written once for every model.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np

from suffice._core.trace import Trace
from suffice._estimator.summary import Summary
from suffice.bases import Basis
from suffice.glm._fit.mode import Mode
from suffice.glm._fit.pass_sums import PassSums, Visit
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Prior, RawColumns
from suffice.glm._fit.problem import LinkProblem
from suffice.likelihoods import Likelihood
from suffice.statistics import AffineFunction


class LinkModel(ABC):
    """p(y | x) = p(y | a(x)), a linear in the columns of a basis."""

    basis: Basis | None
    fit_intercept: bool
    standardize: bool
    tol: float
    max_iter: int
    reported: Callable[..., Any]

    plan_: Plan
    likelihood_: Likelihood
    function_: AffineFunction
    statistics_: PassSums
    basis_: Basis | None
    root_: np.ndarray
    log_likelihood_: float
    deviance_: float
    n_parameters_: int
    trace_: Trace
    n_iter_: Any
    n_features_in_: int

    _fewest_steps: ClassVar[int] = 1
    _prior_targets: ClassVar[tuple[int, ...]] = ()  # which count as seen in the constant to begin with
    parametrization = "full"  # of several classes: a function of each

    # -- of a class ----------------------------------------------------------------------------------------------
    @abstractmethod
    def _check_own_parameters(self) -> None:
        """Refuse values of the parameters that not every model has."""

    @abstractmethod
    def _open_targets(self, y: Any, weight: np.ndarray | None, like: Plan | None) -> tuple[np.ndarray, Any]:
        """Targets as the likelihood counts them, and the classes, if that is what they are."""

    @abstractmethod
    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        """The likelihood of these targets."""

    @abstractmethod
    def _prior(self, plan: Plan, columns: RawColumns) -> Prior:
        """The prior, or penalty, on the weights."""

    @abstractmethod
    def _class_weights(self, plan: Plan, visit: Visit | None) -> np.ndarray | None:
        """How much a row of each class counts; None for one."""

    @abstractmethod
    def _find(self, plan: Plan, start: np.ndarray, visit: Visit, tick: Any) -> tuple[LinkProblem, Mode]:
        """The problem that these rows pose, and its mode."""

    @abstractmethod
    def _conclude(self, problem: LinkProblem, mode: Mode) -> None:
        """Write every fitted attribute."""

    @abstractmethod
    def _look_again(self, problem: LinkProblem, mode: Mode) -> None:
        """Write what takes further passes over the rows."""

    @abstractmethod
    def _publish(self, problem: LinkProblem, mode: Mode) -> None:
        """Write the weights and what else the class reports."""

    @abstractmethod
    def _no_covariance(self) -> Exception | None:
        """Why there is none, where there is none."""

    @abstractmethod
    def _terms(self) -> tuple[tuple[str, ...], np.ndarray, tuple[str, ...]]:
        """Names and values of all weights, in the order of `cov_params_`, and the class whose function each is of; none
        where there is one function."""

    # -- of the shell --------------------------------------------------------------------------------------------
    @abstractmethod
    def _check_parameters(self) -> None:
        """Refuse values of parameters that are none."""

    @abstractmethod
    def _fit(self, X: Any, y: Any, sample_weight: Any, offset: Any = None) -> Self:
        """Fit to a table."""

    @abstractmethod
    def _columns(self, plan: Plan, visit: Visit | None) -> tuple[RawColumns, np.ndarray]:
        """Spreads and means of the raw columns where they matter, and J."""

    @abstractmethod
    def _constant(self, likelihood: Likelihood, y: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
        """The constant with the mean of the targets."""

    @property
    @abstractmethod
    def _has_constant(self) -> bool:
        """Whether a(0) is not zero."""

    @property
    @abstractmethod
    def _root(self) -> np.ndarray:
        """F with F Fᵀ the covariance of all weights, or an error that says why there is none."""

    @abstractmethod
    def _too_costly(self) -> Exception | None:
        """Where the Hessian was not asked for."""

    @abstractmethod
    def _values(self, X: Any) -> np.ndarray:
        """a(x): (N, K)."""

    @abstractmethod
    def _with_notes(self, d: Any, X: Any) -> Any:
        """A predictive distribution with its notes about rows far from those of the fit."""

    @abstractmethod
    def summary(self, confidence: float = 0.95) -> Summary:
        """Estimates, standard errors, z, p and intervals of all weights."""

    @abstractmethod
    def __sklearn_is_fitted__(self) -> bool: ...


__all__ = ["LinkModel"]
