r"""Generalized linear models: any likelihood, any link (DTU §8.3, eq. 8.23, Method 8.3.1).

Model        y ~ p(· | μ),  g(μ) = η = b + φ(x)ᵀ w (+ offset)
Estimate     maximizes Σ log p(y_n | x_n) − (α/2) ‖w‖²;  DTU: minimizes Σ d(y_n, g⁻¹(η_n))
Covariance   φ (−H)⁻¹ with the Hessian observed, or Φᵀ diag(E[v]) Φ expected;  φ = 1 or Pearson's χ²/(n − p)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice
from suffice._core.records import storable
from suffice.engine import Rows
from suffice.glm._fit.pass_sums import SumsAt, split, sums_at
from suffice.glm._fit.plan import Plan
from suffice.glm._shell.dispersed import DispersedModel
from suffice.glm._shell.model import GeneralizedLinear
from suffice.glm._shell.numbers import NumericModel
from suffice.likelihoods import (
    BernoulliLogit,
    CustomLikelihood,
    GammaLog,
    GaussianIdentity,
    Likelihood,
    PoissonLog,
    linked,
)

FEW = 8_192
NAMES: dict[str, Likelihood] = {
    "gaussian": GaussianIdentity(),
    "bernoulli": BernoulliLogit(),
    "poisson": PoissonLog(),
    "gamma": GammaLog(),
}


@storable
@dataclass(eq=False, repr=False)
class GLM(DispersedModel, NumericModel, GeneralizedLinear):
    """A likelihood of numbers whose mean, seen through a link, is linear.

    Parameters
    ----------
    likelihood
        What targets are like given their mean: "gaussian", "bernoulli", "poisson", "gamma", or an object such as
        `GaussianIdentity(precision)`, `BinomialLogit(trials)`, `NegativeBinomialLog(dispersion)`, `GammaLog(shape)`, or
        `CustomLikelihood` for a cost of one's own.
    link
        The function of the mean that is linear: "identity", "log", "logit", "probit", "cloglog", "sqrt",
        "reciprocal", or a `Link`; the likelihood's own by default.
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
        "known": the likelihood has the variance. "pearson" or "deviance": so many times that, estimated from what the
        fit leaves over.
    information
        What covariances are made of: the curvature "observed", or the one "expected" (Fisher's), which is the same for
        a likelihood with the natural link.
    tol, max_iter
        Newton's method ends when what is left to gain is below tol (1 + |objective|), or after so many steps.

    Attributes
    ----------
    dispersion_
        φ, in units of the variance that the likelihood has; covariances are multiplied by it.
    deviance_, null_deviance_, pearson_chi2_
        Misfit under the likelihood as given: of the model, of the best constant, and Pearson's.
    log_likelihood_
        With a normal or gamma likelihood whose dispersion is estimated, at the likeliest dispersion, which then counts
        as a parameter in `aic_` and `bic_`; otherwise of the likelihood as given.

    Notes
    -----
    Where a mean may not be negative but the link allows it (identity, sqrt, reciprocal), the fit begins at the mean
    and stays inside; a prediction outside is NaN, with a warning.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.glm import GLM
    >>> x, t = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 0, 1]
    >>> model = GLM("bernoulli", "cloglog", information="expected").fit(x, t)
    >>> print(f"{model.coef_[0]:.4f} ± {model.cov_params_[1, 1] ** 0.5:.4f}, deviance {model.deviance_:.4f}")
    0.8543 ± 0.6908, deviance 4.8118
    """

    likelihood: Likelihood | str = "gaussian"
    link: Any = None
    _: KW_ONLY
    dispersion: Literal["known", "pearson", "deviance"] = "known"
    information: Literal["observed", "expected"] = "observed"

    @classmethod
    def book(
        cls,
        inverse_link: Callable[[np.ndarray], np.ndarray],
        cost: Callable[[np.ndarray, np.ndarray], np.ndarray],
        **options: Any,
    ) -> Self:
        """DTU's general linear model (Method 8.3.1): ŷ = g(x̃ᵀw) with the smallest Σ d(y, ŷ).

        Examples
        --------
        >>> import numpy as np
        >>> from suffice.glm import GLM
        >>> def huber(y, yhat):  # squares nearby, absolute values far out
        ...     return np.sqrt(1 + (y - yhat) ** 2) - 1
        >>> x, y = np.arange(6.0)[:, None], [0.1, 0.9, 50.0, 2.9, 4.1, 4.9]
        >>> GLM.book(lambda a: a, huber).fit(x, y).predict([[2.0]]).round(1)
        array([2.2])
        """
        return cls(CustomLikelihood(inverse_link, cost), **options)

    def _check_own_parameters(self) -> None:
        self._check_penalty()
        check_choice("dispersion", self.dispersion, ("known", "pearson", "deviance"))
        check_choice("information", self.information, ("observed", "expected"))
        if isinstance(_family(self.likelihood), CustomLikelihood):
            self._check_cost()
        self._likelihood(None)

    def _check_cost(self) -> None:
        """A cost has neither another link, nor a variance, nor anything expected."""
        wrong = {"link": None, "dispersion": "known", "information": "observed"}
        for name, needed in wrong.items():
            if (value := getattr(self, name)) not in (needed, "deviance"):
                raise InvalidParameter(
                    f"{name} must be {needed!r} for a CustomLikelihood, which has an inverse link and a cost but is no "
                    f"density; got {value!r:.60}."
                )

    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        return linked(_family(self.likelihood), self.link)

    def _check_targets(self, y: np.ndarray) -> np.ndarray:
        return self._likelihood(None).check(y)

    def begin(self, rows: Rows, plan: Plan) -> np.ndarray:
        """A constant at the mean; where some rows cannot have it, a line through the links of targets near it.

        Anew: no other model of the room has a link that does not take every number.
        """
        if self._possible(rows, plan, plan.first()):
            return super().begin(rows, plan)
        u = self._drawn(rows[:FEW], plan)
        if not self._possible(rows, plan, u):
            raise InvalidInput(
                f"No line was found along which every row has a mean under link={self.link!r}: targets may all be 0, "
                "or a line through the origin or an offset leave no room. Take a link for every number (log, logit)."
            )
        return u

    def _possible(self, rows: Rows, plan: Plan, u: np.ndarray) -> bool:
        with np.errstate(all="ignore"):
            u = self._free(plan) @ (u if self.fit_intercept else u[1:])
            return bool(np.isfinite(sums_at(rows, plan, SumsAt(u, "gradient")).log_likelihood))

    def _free(self, plan: Plan) -> np.ndarray:
        """J: u = J b, where the constant may not be free."""
        d = plan.n_columns - 1
        if self.fit_intercept:
            return np.eye(1 + d)
        return np.vstack([-plan.to_raw()[0, 1:].astype(float), np.eye(d)])

    def _drawn(self, rows: Rows, plan: Plan) -> np.ndarray:
        """Least squares of links of targets that are moved halfway to their mean."""
        y, offset = split(rows.Y)
        w = np.ones(len(y)) if rows.weight is None else rows.weight
        mean = np.average(np.where(w > 0, y, 0.0), weights=w)
        with np.errstate(all="ignore"):
            eta = np.ravel(plan.likelihood.link((y + mean) / 2))
        eta = np.where(np.isfinite(eta), eta, 0.0) - (0.0 if offset is None else offset)
        free = self._free(plan)
        root = np.sqrt(w)[:, None]
        found: Any = np.linalg.lstsq((plan.design(rows.X) @ free) * root, eta * root[:, 0], rcond=None)[0]
        return free @ found[:, None]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = not self._takes_negative()
        return tags

    def _takes_negative(self) -> bool:
        try:
            _family(self.likelihood).check(np.array([-1.0]))
        except ValueError:
            return False
        return True


def _family(likelihood: Any) -> Likelihood:
    """A likelihood of numbers, from itself or its name."""
    if isinstance(likelihood, str) and likelihood in NAMES:
        return NAMES[likelihood]
    if not isinstance(likelihood, Likelihood):
        names = ", ".join(map(repr, NAMES))
        raise InvalidParameter(
            f"likelihood must be one of {names}, or a likelihood such as GammaLog(2.0); got {likelihood!r:.60}."
        )
    if likelihood.several:
        raise InvalidParameter(
            f"likelihood must have one function per row; got {likelihood!r}. Use SoftmaxRegression for classes."
        )
    return likelihood
