r"""Logistic regression (FCML §4.2–4.3, §5.2.2; Herbst §4.3; DTU §8.2; PRML §4.3.2).

Model        P(y = 1 | x) = σ(a),  a = b + φ(x)ᵀ w                         (FCML 4.3, DTU 8.18, PRML 4.87)
Estimate     (b, w) maximizes Σ log p(y_n | x_n) − (α/2) ‖w‖²,  α = 1/C    (FCML 4.5 with σ² = 1/α)
Steps        w ← w + s (ΦᵀVΦ + αI)⁻¹ (Φᵀ(y − p) − α w),  V = diag p(1 − p),  s = 1, ½, ¼, …   (FCML 4.6–4.11)
Covariance   (ΦᵀVΦ + αI)⁻¹ at the estimate

More than two classes have a softmax: one function per class, with weights that sum to zero over classes.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, Self

import numpy as np

from suffice._core.errors import InvalidParameter, check_choice, check_flags, check_number
from suffice._core.records import storable
from suffice._core.trace import Trace
from suffice.bases import Basis
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Columns, Prior, symmetric
from suffice.glm._fit.slope import Slope
from suffice.glm._shell.labels import LabelledModel
from suffice.glm._shell.refits import Refits
from suffice.likelihoods import BernoulliLogit, Likelihood, Softmax
from suffice.statistics import Affine

BOOKS: dict[str, dict[str, Any]] = {
    "fcml": {"fit_intercept": False},
    "lecture3": {"penalize_intercept": True},
    "herbst": {"penalize_intercept": True},
    "dtu": {"penalize_intercept": True},
}


@storable
@dataclass(eq=False, repr=False)
class LogisticRegression(Refits, LabelledModel):
    """Classes whose log odds are linear, by maximum of the penalized likelihood.

    Parameters
    ----------
    C
        One over the precision of the weights, as in scikit-learn; 1 unless one of the two is given. Infinite is maximum
        likelihood.
    prior_precision
        The precision itself (α). 0 is maximum likelihood.
    fit_intercept
        Whether to add a constant.
    penalize_intercept
        Whether the constant is shrunk too, as the texts do.
    basis
        Functions of the inputs; the penalty is on the weights of its raw columns.
    standardize
        Penalize the weights of standardized columns (divisor n); weights are reported for the original ones. Without
        an intercept the function is then zero at the mean of the columns, and `intercept_` is the constant this takes.
    class_weight
        How much a row of each class counts: by label, or "balanced" for n / (classes × n_c).
    covariance
        Whether to find `cov_params_`. None: unless there are many classes, columns and rows, where it would take many
        times as long as the weights themselves.
    tol, max_iter
        The climb ends when what is left to gain is below tol (1 + |objective|), or after so many steps.

    Attributes
    ----------
    coef_, intercept_
        One row for two classes (log odds of the second), one per class otherwise.
    cov_params_
        Covariance of (intercept, weights), class by class.
    trace_
        Objective, gradient and step of every Newton step.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.glm import LogisticRegression
    >>> x, t = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 0, 1]
    >>> LogisticRegression(prior_precision=0).fit(x, t).summary()
    term          estimate   std error         z         p              95 % interval
    intercept      -2.8035       2.563     -1.09      0.27  [    -7.8272,      2.2201]
    x0              1.0904      0.9749      1.12      0.26  [   -0.82025,      3.0011]
    """

    _: KW_ONLY
    C: float | None = None
    prior_precision: float | None = None
    fit_intercept: bool = True
    penalize_intercept: bool = False
    basis: Basis | None = None
    standardize: bool = False
    class_weight: Any = None
    covariance: bool | None = None
    tol: float = 1e-14
    max_iter: int = 100

    plan_: Plan = field(init=False)
    likelihood_: Likelihood = field(init=False)
    function_: Affine = field(init=False)
    statistics_: Slope = field(init=False)
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

    @classmethod
    def book(
        cls, precision: float, text: Literal["fcml", "lecture3", "herbst", "dtu"] = "fcml", **options: Any
    ) -> Self:
        """The model as a text writes it: FCML has no constant (§4.2), the others hold it like the weights.

        `precision` is α of the prior N(0, α⁻¹ I); FCML's σ² is its inverse.
        """
        check_choice("text", text, tuple(BOOKS))
        return cls(prior_precision=precision, **(BOOKS[text] | options))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_flags(self, "penalize_intercept")
        if self.covariance is not None:
            check_flags(self, "covariance")
        if self.C is not None and self.prior_precision is not None:
            raise InvalidParameter(
                f"C is 1 / prior_precision; give one of them. Got C={self.C!r} and "
                f"prior_precision={self.prior_precision!r}."
            )
        if self.C is not None and not (isinstance(self.C, float) and np.inf == self.C):
            check_number("C", self.C, low=0.0, strict=True)
        if self.prior_precision is not None:
            check_number("prior_precision", self.prior_precision, low=0.0)

    @property
    def _precision(self) -> float:
        if self.prior_precision is not None:
            return float(self.prior_precision)
        return 1.0 if self.C is None else 1 / float(self.C)

    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        n = 2 if classes is None else len(classes)
        return BernoulliLogit() if n <= 2 else Softmax(n, reduced=True)

    def _prior(self, plan: Plan, columns: Columns) -> Prior:
        between = symmetric(len(plan.classes)) if plan.likelihood.several else None
        return Prior.penalty(
            self._precision, columns, self.penalize_intercept and self.fit_intercept, between
        )
