"""What linear models with a Gaussian prior on the weights share: N(prior_mean, prior_cov / precision)."""

from __future__ import annotations

from abc import ABC
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

import numpy as np

from suffice._core.errors import check_choice, check_flags
from suffice._estimator import LinearModel, LinearSmoother
from suffice.bases import Basis
from suffice.linear._functions import RegressionFunctions
from suffice.linear._solvers.gaussian_prior import GaussianPrior
from suffice.linear._solvers.intercept import InterceptRule
from suffice.statistics import Triangle
from suffice.statistics.dependence import exact
from suffice.statistics.lstsq import RowSpace, System


@dataclass(eq=False, repr=False)
class GaussianWeights(LinearSmoother, LinearModel, ABC):
    """A linear model whose weights have a Gaussian prior, the intercept a flat one or theirs."""

    _: KW_ONLY
    prior_mean: Any = None
    prior_cov: Any = None
    intercept: Literal["flat", "prior"] = "flat"
    fit_intercept: bool = True
    standardize: bool = False

    root_: np.ndarray = field(init=False)
    span_: RowSpace | None = field(init=False)
    effective_parameters_: Any = field(init=False)
    well_determined_parameters_: Any = field(init=False)
    log_evidence_: float = field(init=False)
    evidence_kind_: str = field(init=False)

    def _check_rules(self) -> None:
        check_flags(self, "fit_intercept", "standardize")
        check_choice("intercept", self.intercept, ("flat", "prior"))

    @property
    def _rule(self) -> InterceptRule:
        return InterceptRule(self.fit_intercept, self.intercept)

    def _problem(self, t: Triangle) -> tuple[System, GaussianPrior]:
        """Least squares of the parameters with a prior, and this prior."""
        s = exact(self._rule.system(t, self.standardize))
        s = s.in_row_space() if self.prior_mean is None and self.prior_cov is None else s
        return s, GaussianPrior.of(self.prior_mean, self.prior_cov, s.size, t.header.n_outputs)

    def _span(self) -> RowSpace | None:
        return getattr(self, "span_", None)  # files of earlier versions have none

    @property
    def ignores_scale(self) -> bool:
        """No: a prior has a scale."""
        return False

    # -- before a fit ---------------------------------------------------------------------------------
    def _prior_before(self, n_features: int) -> tuple[Basis | None, GaussianPrior]:
        """The basis and the prior of so many columns."""
        basis = None if self.basis is None else self.basis.resolve(np.zeros((2, n_features)))
        d = n_features if basis is None else basis.size(n_features)
        return basis, GaussianPrior.of(self.prior_mean, self.prior_cov, d + self.fit_intercept, 1)

    def _functions_of(self, weights: np.ndarray, basis: Basis | None, n_features: int) -> RegressionFunctions:
        """From draws of the parameters with a prior, one per row."""
        if not self.fit_intercept:
            weights = np.hstack([np.zeros((len(weights), 1)), weights])
        return RegressionFunctions.of_weights(weights, basis, n_features)
