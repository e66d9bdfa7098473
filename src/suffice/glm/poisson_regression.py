r"""Poisson regression: counts whose log rate is linear (FCML EX 4.6).

Model        y ~ Poisson(e^a),  a = b + φ(x)ᵀ w (+ offset)
Estimate     maximizes Σ log p(y_n | x_n) − (α/2) ‖w‖²
Covariance   (Φᵀ diag(e^a) Φ + αI)⁻¹
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

import numpy as np

from suffice._core.errors import InvalidInput, NotCounts, check_choice, warn
from suffice._core.records import storable
from suffice.glm._shell.dispersed import DispersedModel
from suffice.glm._shell.model import GeneralizedLinear
from suffice.glm._shell.numbers import NumericModel
from suffice.glm._shell.refits import Refits
from suffice.likelihoods import Likelihood, PoissonLog
from suffice.likelihoods._base import as_targets


@storable
@dataclass(eq=False, repr=False)
class PoissonRegression(Refits, DispersedModel, NumericModel, GeneralizedLinear):
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
        Newton's method ends when what is left to gain is below tol (1 + |objective|), or after so many steps.

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
    dispersion: Literal["known", "pearson"] = "known"

    def _check_own_parameters(self) -> None:
        self._check_penalty()
        check_choice("dispersion", self.dispersion, ("known", "pearson"))

    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        return PoissonLog()

    def _check_targets(self, y: np.ndarray) -> np.ndarray:
        return counts_of(y)

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
