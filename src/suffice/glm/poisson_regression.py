r"""Poisson regression: counts whose log rate is linear (FCML EX 4.6).

Model        y ~ Poisson(e^a),  a = b + φ(x)ᵀ w (+ offset)
Estimate     maximizes Σ log p(y_n | x_n) − (α/2) ‖w‖²
Covariance   (Φᵀ diag(e^a) Φ + αI)⁻¹
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

import numpy as np

from suffice._core.errors import InvalidInput, NotCounts, check_flags, check_number, warn
from suffice._core.records import storable
from suffice._core.trace import Trace
from suffice.bases import Basis
from suffice.glm._fit.pass_sums import PassSums
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Prior, RawColumns
from suffice.glm._shell.dispersed import DispersedModel
from suffice.glm._shell.refits import Refits
from suffice.likelihoods import Likelihood, PoissonLog
from suffice.likelihoods._base import as_targets
from suffice.statistics import AffineFunction


@storable
@dataclass(eq=False, repr=False)
class PoissonRegression(Refits, DispersedModel):
    """Counts with a rate that is the exponential of a linear function.

    Parameters
    ----------
    prior_precision
        Precision of the weights (α); 0 is maximum likelihood.
    fit_intercept
        Whether to add a constant.
    penalize_intercept
        Whether the constant is shrunk too.
    basis
        Functions of the inputs; the penalty is on the weights of its raw columns.
    standardize
        Penalize the weights of standardized columns (divisor n); weights are reported for the original ones. Without
        an intercept the function is then zero at the mean of the columns, and `intercept_` is the constant this takes.
    dispersion
        "known": the variance is the mean. "pearson": so many times the mean, from χ²/(n − p), which widens standard
        errors and `predict_dist` (quasi-Poisson; the distribution is then negative binomial).
    tol, max_iter
        The climb ends when what is left to gain is below tol (1 + |objective|), or after so many steps.

    Notes
    -----
    Numbers that are not whole are taken with a warning: the estimate of the mean is right for any target with that
    mean (quasi-likelihood), while `predict_dist` is a distribution of counts. Counts over different times need
    `offset`, the logarithm of the time.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.glm import PoissonRegression
    >>> x, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [1, 1, 4, 9]
    >>> model = PoissonRegression().fit(x, y)
    >>> print(f"rate doubles every {np.log(2) / model.coef_[0]:.2f} units; {model.predict([[4.0]])[0]:.1f} at 4")
    rate doubles every 0.80 units; 21.2 at 4
    """

    _: KW_ONLY
    prior_precision: float = 0.0
    fit_intercept: bool = True
    penalize_intercept: bool = False
    basis: Basis | None = None
    standardize: bool = False
    dispersion: Literal["known", "pearson"] = "known"
    tol: float = 1e-14
    max_iter: int = 100

    plan_: Plan = field(init=False)
    likelihood_: Likelihood = field(init=False)
    function_: AffineFunction = field(init=False)
    statistics_: PassSums = field(init=False)
    basis_: Basis | None = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: float = field(init=False)
    root_: np.ndarray = field(init=False)
    log_likelihood_: float = field(init=False)
    deviance_: float = field(init=False)
    null_deviance_: float = field(init=False)
    pearson_chi2_: float = field(init=False)
    dispersion_: float = field(init=False)
    n_parameters_: int = field(init=False)
    n_iter_: int = field(init=False)
    trace_: Trace = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    _dispersions = ("known", "pearson")

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_flags(self, "penalize_intercept")
        check_number("prior_precision", self.prior_precision, low=0.0)

    @property
    def _precision(self) -> float:
        return float(self.prior_precision)

    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        return PoissonLog()

    def _check_targets(self, y: np.ndarray) -> np.ndarray:
        return counts_of(y)

    def _prior(self, plan: Plan, columns: RawColumns) -> Prior:
        return Prior.penalty(self.prior_precision, columns, self.penalize_intercept and self.fit_intercept)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags


def counts_of(y: np.ndarray) -> np.ndarray:
    """Numbers >= 0; a warning for the first that is not whole."""
    values = as_targets(y)
    if np.any(values < 0):
        row = int(np.argmax(values < 0))
        raise InvalidInput(
            f"Some value(s) of y are negative: counts are 0, 1, 2, …; got {values[row]:g} at row {row}."
        )
    if np.any(odd := values != np.floor(values)):
        row = int(np.argmax(odd))
        warn(
            f"y holds {values[row]:g} at row {row}, which is no count. The mean is fitted all the same "
            "(quasi-likelihood), but its distribution is not that of the targets.",
            NotCounts,
        )
    return values
