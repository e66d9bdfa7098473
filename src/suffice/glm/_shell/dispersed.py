r"""What models of numbers add when the scatter of the targets is estimated too: dispersion, residuals, null deviance.

dispersion φ   Pearson's χ²/(n − p), or the deviance/(n − p), or 1 where the likelihood knows the variance
covariance     φ (−H)⁻¹
"""

from __future__ import annotations

import copy
from abc import ABC
from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np

from suffice._core.errors import NumericalError, check_choice
from suffice.distributions import Distribution
from suffice.engine import Rows
from suffice.glm._fit.fisher import (
    UnderLikelihood,
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
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._shell.numbers import NumericModel

LOST = 1e-6  # of the log likelihood: a difference of two sums that has lost six of its digits
KINDS = ("deviance", "pearson", "response", "working")


class DispersedModel(NumericModel, ABC):
    """A model of numbers with φ times the variance that its likelihood has."""

    dispersion: str

    dispersion_: float
    pearson_chi2_: float
    null_deviance_: float

    _dispersions: tuple[str, ...] = ("known", "pearson", "deviance")

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("dispersion", self.dispersion, self._dispersions)

    @property
    def _expects(self) -> bool:
        """Whether covariances come from the information expected, not from the one observed."""
        return False

    # -- the fit -----------------------------------------------------------------------------------------------
    def expect(self, rows: Rows, plan: Plan, at: Any) -> Any:
        """As every model of the room; and passes under another likelihood."""
        return at.sums(rows, plan) if isinstance(at, UnderLikelihood) else super().expect(rows, plan, at)

    def fit_by_passes(
        self,
        plan: Plan,
        start: np.ndarray,
        visit: Callable[[Any], Any],
        tick: Callable[[], None] | None = None,
    ) -> Self:
        """Climb, then look at the scatter about the mode; on failure nothing is written."""
        new = copy.copy(self)
        problem, mode = new._ascended(plan, start, visit, tick)
        if np.isfinite(mode.objective):
            mode = in_units_of_scatter(
                problem, constant_runs_off(problem, mode), visit, self.tol, self.max_iter
            )
        if self._expects and mode.unbounded is None and np.isfinite(mode.objective):
            mode = expecting(problem, mode, visit)
        new._conclude(plan, problem, mode)
        new._assess(plan, problem, mode, visit)
        self.__dict__ = new.__dict__
        return self

    def _assess(self, plan: Plan, problem: LinkProblem, mode: Mode, visit: Callable[[Any], Any]) -> None:
        n, left = self.statistics_.n, self.statistics_.n - self.n_parameters_
        self.pearson_chi2_ = chi_square(plan, mode.u, visit)
        self.null_deviance_ = null_deviance(plan, mode, visit)
        if plan.likelihood.has_dispersion or self.deviance_ <= LOST * abs(self.log_likelihood_):
            self.deviance_ = deviance(plan, mode.u, visit)
        if self.dispersion == "known":
            self.dispersion_ = 1.0
            return
        misfit = self.pearson_chi2_ if self.dispersion == "pearson" else self.deviance_
        self.dispersion_ = misfit / left if left > 0 else float("nan")
        self.root_ = np.sqrt(self.dispersion_) * self.root_
        if plan.likelihood.has_dispersion and self.deviance_ > 0:
            likely = plan.likelihood.likeliest_dispersion(self.deviance_ / n)
            self.log_likelihood_ = log_likelihood_under(plan.likelihood.dispersed(likely), mode.u, visit)
            self.n_parameters_ += 1

    @property
    def _root(self) -> np.ndarray:
        F = super()._root
        if np.isnan(self.dispersion_):
            p = self.coef_.size + self.fit_intercept
            raise NumericalError(
                f"No residual degrees of freedom: n = {self.statistics_.n:g} and {p} parameters. Uncertainty needs "
                'more rows, fewer columns, or dispersion="known".'
            )
        return F

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
