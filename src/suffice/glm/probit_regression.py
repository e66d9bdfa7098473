r"""Probit regression: labels of a normal error that stays below a linear function.

Model        P(y = 1 | x) = Φ(a),  a = b + φ(x)ᵀ w,  Φ the normal cumulative
Estimate     maximizes Σ log p(y_n | x_n) − (α/2) ‖w‖²
Covariance   the inverse of minus the Hessian there (of the data seen, not its expectation)
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import storable
from suffice.glm._shell.labels import LabelledModel, LabelsAtEstimate
from suffice.glm._shell.model import GeneralizedLinear
from suffice.glm._shell.penalized import PenalizedWeights
from suffice.glm._shell.refits import Refits
from suffice.likelihoods import BernoulliProbit, Likelihood


@storable
@dataclass(eq=False, repr=False)
class ProbitRegression(PenalizedWeights, Refits, LabelsAtEstimate, LabelledModel, GeneralizedLinear):
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
        Newton's method ends when what is left to gain is below tol (1 + |objective|), or after so many steps.

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
    class_weight: Any = None

    classes_: np.ndarray = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: np.ndarray = field(init=False)
    n_iter_: int = field(init=False)

    def _check_own_parameters(self) -> None:
        self._check_penalty()

    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        if classes is not None and len(classes) > 2:
            raise InvalidInput(
                f"Only binary classification is supported: ProbitRegression tells two classes apart; y has "
                f"{len(classes)}. Use SoftmaxRegression."
            )
        return BernoulliProbit()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
