r"""Probit regression: labels of a normal error that stays below a linear function.

Model        P(y = 1 | x) = Φ(a),  a = b + φ(x)ᵀ w,  Φ the normal cumulative
Estimate     maximizes Σ log p(y_n | x_n) − (α/2) ‖w‖²
Covariance   the inverse of minus the Hessian there (of the data seen, not its expectation)
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, check_flags, check_number
from suffice._core.records import storable
from suffice._core.trace import Trace
from suffice.bases import Basis
from suffice.glm._fit.pass_sums import PassSums
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Prior, RawColumns
from suffice.glm._shell.labels import LabelledModel
from suffice.glm._shell.refits import Refits
from suffice.likelihoods import BernoulliProbit, Likelihood
from suffice.statistics import AffineFunction


@storable
@dataclass(eq=False, repr=False)
class ProbitRegression(Refits, LabelledModel):
    """Two classes, with a normal error in place of logistic regression's.

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
    class_weight
        How much a row of each class counts: by label, or "balanced" for n / (classes × n_c).
    tol, max_iter
        The climb ends when what is left to gain is below tol (1 + |objective|), or after so many steps.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.glm import ProbitRegression
    >>> x, t = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 0, 1]
    >>> model = ProbitRegression().fit(x, t)
    >>> print(model.intercept_.round(3), model.coef_.round(3))
    [-1.777] [[0.695]]
    """

    _: KW_ONLY
    prior_precision: float = 0.0
    fit_intercept: bool = True
    penalize_intercept: bool = False
    basis: Basis | None = None
    standardize: bool = False
    class_weight: Any = None
    tol: float = 1e-14
    max_iter: int = 100

    plan_: Plan = field(init=False)
    likelihood_: Likelihood = field(init=False)
    function_: AffineFunction = field(init=False)
    statistics_: PassSums = field(init=False)
    basis_: Basis | None = field(init=False)
    classes_: np.ndarray = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: np.ndarray = field(init=False)
    root_: np.ndarray = field(init=False)
    log_likelihood_: float = field(init=False)
    deviance_: float = field(init=False)
    n_parameters_: int = field(init=False)
    n_iter_: int = field(init=False)
    trace_: Trace = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_flags(self, "penalize_intercept")
        check_number("prior_precision", self.prior_precision, low=0.0)

    @property
    def _precision(self) -> float:
        return float(self.prior_precision)

    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        if classes is not None and len(classes) > 2:
            raise InvalidInput(
                f"Only binary classification is supported: ProbitRegression tells two classes apart; y has "
                f"{len(classes)}. Use SoftmaxRegression."
            )
        return BernoulliProbit()

    def _prior(self, plan: Plan, columns: RawColumns) -> Prior:
        return Prior.penalty(self.prior_precision, columns, self.penalize_intercept and self.fit_intercept)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
