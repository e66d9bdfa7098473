r"""What models of numbers add when the scatter of the targets is estimated too: dispersion, residuals, null deviance.

dispersion φ   Pearson's χ²/(n − p), or the deviance/(n − p), or 1 where the likelihood knows the variance
covariance     φ (−H)⁻¹
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from suffice._core.errors import NumericalError, check_choice
from suffice._estimator.summary import Summary
from suffice.distributions import Distribution
from suffice.glm._fit.fisher import (
    chi_square,
    constant_runs_off,
    deviance,
    expecting,
    in_units_of_scatter,
    log_likelihood_under,
    null_deviance,
    pearson,
)
from suffice.glm._fit.mode import Mode
from suffice.glm._fit.pass_sums import Visit
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._shell.curvature_summary import summary_of_curvature
from suffice.glm._shell.interface import LinkModel
from suffice.glm._shell.penalized import PenalizedWeights, penalized_mode

LOST = 1e-6  # of the log likelihood: a difference of two sums that has lost six of its digits
KINDS = ("deviance", "pearson", "response", "working")


@dataclass(eq=False, repr=False)
class DispersedModel(PenalizedWeights, LinkModel, ABC):
    """A model of numbers with φ times the variance that its likelihood has."""

    coef_: np.ndarray = field(init=False)
    intercept_: float = field(init=False)
    n_iter_: int = field(init=False)
    dispersion_: float = field(init=False)
    pearson_chi2_: float = field(init=False)
    null_deviance_: float = field(init=False)

    linear_predictor: ClassVar[Callable[..., np.ndarray]]  # of `NumericModel`, which stands behind
    dispersion = "known"
    information = "observed"  # what covariances are made of: the curvature observed, or the one expected

    # -- the fit -----------------------------------------------------------------------------------------------
    def _find(self, plan: Plan, start: np.ndarray, visit: Visit, tick: Any) -> tuple[LinkProblem, Mode]:
        """The mode; then a look at the scatter about it."""
        problem, mode = penalized_mode(self, plan, start, visit, tick, self.tol)
        if np.isfinite(mode.objective):
            mode = in_units_of_scatter(problem, constant_runs_off(problem, mode), self.tol, self.max_iter)
        if self.information == "expected" and mode.unbounded is None and np.isfinite(mode.objective):
            mode = expecting(problem, mode)
        return problem, mode

    def _look_again(self, problem: LinkProblem, mode: Mode) -> None:
        """Write how far targets scatter."""
        n, left = self.statistics_.n, self.statistics_.n - self.n_parameters_
        likelihood = problem.plan.likelihood
        self.pearson_chi2_ = chi_square(problem, mode.u)
        self.null_deviance_ = null_deviance(problem, mode)
        if likelihood.has_dispersion or self.deviance_ <= LOST * abs(self.log_likelihood_):
            self.deviance_ = deviance(problem, mode.u)
        if self.dispersion == "known":
            self.dispersion_ = 1.0
            return
        misfit = self.pearson_chi2_ if self.dispersion == "pearson" else self.deviance_
        self.dispersion_ = misfit / left if left > 0 else float("nan")
        self.root_ = np.sqrt(self.dispersion_) * self.root_
        if likelihood.has_dispersion and self.deviance_ > 0:
            likely = likelihood.dispersed(likelihood.likeliest_dispersion(self.deviance_ / n))
            self.log_likelihood_ = log_likelihood_under(likely, problem, mode.u)
            self.n_parameters_ += 1

    def _no_covariance(self) -> Exception | None:
        if not np.isnan(self.dispersion_):
            return None
        p = self.coef_.size + self.fit_intercept
        return NumericalError(
            f"No residual degrees of freedom: n = {self.statistics_.n:g} and {p} parameters. Uncertainty needs "
            'more rows, fewer columns, or dispersion="known".'
        )

    def summary(self, confidence: float = 0.95) -> Summary:
        """Estimates, standard errors, z, p and intervals of all weights."""
        return summary_of_curvature(self, confidence)

    # -- what is left over -------------------------------------------------------------------------------------
    def residuals(
        self,
        X: Any,
        y: Any,
        kind: Literal["deviance", "pearson", "response", "working"] = "deviance",
        offset: Any = None,
    ) -> np.ndarray:
        """What the model leaves over of y.

        Parameters
        ----------
        kind
            "response" is y − μ; "pearson" that in units of the standard deviation which the likelihood has there;
            "deviance" the signed root of the row's share of the deviance; "working" (y − μ) dη/dμ, on the scale of
            the linear predictor.
        """
        check_choice("kind", kind, KINDS)
        a = self.linear_predictor(X, offset)
        values, _ = self._open_targets(y, None, None)
        likelihood = self.likelihood_
        off = values - likelihood.mean(a)
        if kind == "response":
            return off
        if kind == "deviance":
            return np.sign(off) * np.sqrt(np.maximum(likelihood.deviance(values, a), 0.0))
        if kind == "pearson":
            return np.copysign(pearson(likelihood, values, a), off)
        return likelihood.gradient(values, a) / likelihood.expected_curvature(a)

    # -- prediction --------------------------------------------------------------------------------------------
    def predict(self, X: Any, offset: Any = None) -> np.ndarray:
        """The mean of y at each row."""
        a = self.linear_predictor(X, offset)
        return self.likelihood_.mean(a)

    def predict_dist(self, X: Any, offset: Any = None) -> Distribution:
        """p(y | x) at the estimate, with the dispersion where that is estimated; without the weights' uncertainty."""
        a = self.linear_predictor(X, offset)
        if self.dispersion == "known":
            return self._with_notes(self.likelihood_.distribution(a), X)
        if not self.dispersion_ > 0:
            raise NumericalError(
                f"The dispersion is {self.dispersion_:g}: {self.statistics_.n:g} rows and {self.coef_.size} weights "
                'leave no scatter to tell it from. Give more rows, or dispersion="known".'
            )
        return self._with_notes(self.likelihood_.spread(a, self.dispersion_), X)


__all__ = ["DispersedModel"]
