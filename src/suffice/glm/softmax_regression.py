r"""Softmax regression: one of C classes (Herbst §4.3.2; DTU §15.3.2–15.3.3, eqs 15.16–15.18, 5.31; PRML §4.3.4).

Model        P(y = c | x) = exp a_c / Σ_c' exp a_c',  a_c = b_c + φ(x)ᵀ w_c
Estimate     maximizes Σ log p(y_n | x_n) − (α/2) Σ_c ‖w_c‖²
Full         a function per class. A common function can be added to all of them; the one with Σ_c w_c = 0 is meant,
             which any penalty prefers.
Reduced      the last class has a = 0, C − 1 functions are left, and those are penalized (DTU §15.3.3). For two
             classes this is logistic regression of the first.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

import numpy as np

from suffice._core.errors import check_choice, check_flags
from suffice._core.records import storable
from suffice.glm._shell.labels import LabelledModel, LabelsAtEstimate
from suffice.glm._shell.model import GeneralizedLinear
from suffice.glm._shell.penalized import PenalizedWeights
from suffice.glm._shell.refits import Refits
from suffice.likelihoods import Likelihood, Softmax


@storable
@dataclass(eq=False, repr=False)
class SoftmaxRegression(PenalizedWeights, Refits, LabelsAtEstimate, LabelledModel, GeneralizedLinear):
    """Several classes through functions that are linear in the columns.

    Parameters
    ----------
    prior_precision
        Precision of the weights (α); 0 is maximum likelihood.
    parametrization
        "full": a function per class. "reduced": relative to the last class.
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
    covariance
        Whether to find `cov_params_`. None: unless there are many classes, columns and rows, where it would take many
        times as long as the weights themselves.
    tol, max_iter
        Newton's method ends when what is left to gain is below tol (1 + |objective|), or after so many steps.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice.glm import SoftmaxRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SoftmaxRegression(prior_precision=1.0).fit(X[:, 2:], y)
    >>> print(model.coef_.round(3))
    [[-2.749 -1.169]
     [ 0.084 -0.908]
     [ 2.665  2.077]]
    """

    _: KW_ONLY
    parametrization: Literal["full", "reduced"] = "full"
    class_weight: Any = None
    covariance: bool | None = None

    classes_: np.ndarray = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: np.ndarray = field(init=False)
    n_iter_: int = field(init=False)

    def _check_own_parameters(self) -> None:
        self._check_penalty()
        if self.covariance is not None:
            check_flags(self, "covariance")
        check_choice("parametrization", self.parametrization, ("full", "reduced"))

    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        return Softmax(max(2, 2 if classes is None else len(classes)), reduced=True)
