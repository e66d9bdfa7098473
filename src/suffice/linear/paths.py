r"""Weights along a penalty, and the penalty as a budget (PRML eqs 3.29–3.30, Fig. 3.17; DTU Fig. 14.2).

    minimize  loss(w) + λ Σ|w|^q     ⇔     minimize  loss(w)  subject to  Σ|w|^q ≤ η

Given λ, the budget is η = Σ|w*|^q at the solution; it falls as λ grows, so the λ of a budget is a root. Against γ, the
effective number of parameters, the weights start at zero together and end at least squares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq
from sklearn.base import clone

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported, as_numbers, check_number
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice._estimator import LinearModel, check_is_fitted
from suffice.engine import one_blas_thread
from suffice.linear._shrinking import Shrinking
from suffice.linear.bayesian import BayesianLinearRegression
from suffice.linear.q_norm import QNormRegression
from suffice.linear.ridge import Ridge
from suffice.statistics import Triangle


@record
class CoefficientPath:
    """Weights for several penalties, a row each, and how many parameters they amount to.

    `effective_parameters` is the trace of the hat matrix, or the number of weights that are not zero for the
    lasso; a constant that is fitted counts.
    """

    penalties: np.ndarray
    coef: np.ndarray
    intercept: np.ndarray
    effective_parameters: np.ndarray
    names: tuple[str, ...]
    parameter: str = "alpha"

    @property
    def n_nonzero(self) -> np.ndarray:
        """Weights that are not zero, for each penalty."""
        return np.count_nonzero(self.coef, axis=1)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per penalty."""
        ahead = {self.parameter: self.penalties, "effective_parameters": self.effective_parameters}
        weights = dict(zip(self.names, self.coef.T, strict=True))
        return to_frame(ahead | {"intercept": self.intercept} | weights, kind)

    def __repr__(self) -> str:
        low, high = self.penalties.min(), self.penalties.max()
        return (
            f"CoefficientPath({len(self.penalties)} × {self.parameter} {low:.3g} … {high:.3g}, "
            f"{len(self.names)} columns)"
        )


@one_blas_thread()
def coefficient_path(
    model: LinearModel, X: Any, y: Any = None, *, penalties: Any, sample_weight: Any = None
) -> CoefficientPath:
    """The weights of a model for each of several penalties, from one reading of the table.

    Parameters
    ----------
    model
        `Ridge`, `Lasso`, `ElasticNet`, `QNormRegression` (the penalty is `alpha`) or `BayesianLinearRegression`
        (`prior_precision`).
    X
        A table, or statistics that the model has collected.
    penalties
        In any order; they are kept in it.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.linear import Lasso, coefficient_path
    >>> data = diabetes()
    >>> path = coefficient_path(Lasso(standardize=True), data.X, data.y, penalties=[30.0, 10.0, 1.0])
    >>> path.n_nonzero, path.effective_parameters
    (array([2, 4, 7]), array([3., 5., 8.]))
    """
    parameter, t = _parameter(model), _statistics(model, X, y, sample_weight)
    values = np.atleast_1d(as_numbers("penalties", penalties))
    if values.ndim != 1 or not values.size:
        raise InvalidParameter(f"penalties must be a list of numbers; got shape {values.shape}.")
    fits = [clone(model).set_params(**{parameter: float(v)}).solve(t) for v in values]
    return CoefficientPath(
        frozen_array(values),
        frozen_array([f.coef_ for f in fits]),
        frozen_array([f.intercept_ for f in fits]),
        frozen_array([f.effective_parameters_ for f in fits]),
        tuple(map(str, t.header.column_names)),
        parameter,
    )


def budget_of(model: Ridge | Shrinking) -> float:
    """η = Σ|w|^q of a fitted model: the budget under which the loss alone has the same minimum.

    For `ElasticNet` η = ρ Σ|w| + ½ (1 − ρ) Σ w². With `standardize` the weights are those of the standardized columns,
    which the penalty sees.

    Examples
    --------
    >>> from suffice.linear import Lasso, budget_of
    >>> model = Lasso(0.5).fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 2.0, 5.0])
    >>> print(f"{budget_of(model):.4f}")
    0.7000
    """
    _need_penalty(model)
    check_is_fitted(model)
    _refuse_several(model.statistics_)
    scale = model.statistics_.raw_scale() if model.standardize else 1.0
    weights = model.coef_ * scale
    return float(weights @ weights) if isinstance(model, Ridge) else model.penalty(weights)


@one_blas_thread()
def with_budget(
    model: Ridge | Shrinking, budget: float, X: Any, y: Any = None, *, sample_weight: Any = None
) -> Any:
    """A fitted model whose penalty makes Σ|w|^q meet a budget; without penalty if least squares does.

    Parameters
    ----------
    model
        `Ridge`, `Lasso`, `ElasticNet`, or `QNormRegression` with q ≥ 1; its `alpha` is replaced.
    budget
        The largest Σ|w|^q allowed (η in PRML eq. 3.30).
    X
        A table, or statistics that the model has collected.

    Examples
    --------
    >>> from suffice.linear import Lasso, with_budget
    >>> model = with_budget(Lasso(), 0.7, [[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 2.0, 5.0])
    >>> print(f"{model.alpha:.4f} {model.coef_[0]:.4f}")
    0.5000 0.7000
    """
    _need_penalty(model)
    target = check_number("budget", budget, low=0, strict=True)
    if isinstance(model, QNormRegression) and model.q < 1:
        raise InvalidParameter(
            f"The budget of q={model.q:g} below 1 jumps as the penalty grows, so not every budget has a penalty. "
            "Use q >= 1."
        )
    t = _statistics(model, X, y, sample_weight)

    def solved(alpha: float) -> Any:
        return clone(model).set_params(alpha=alpha).solve(t)

    free = solved(0.0)
    most = budget_of(free)
    if most <= target:
        return free
    low, high = _bracket(lambda a: budget_of(solved(a)) - target, float(t.scatter_y.sum()) / most)
    if low == 0:
        return free
    log = brentq(
        lambda a: budget_of(solved(np.exp(a))) - target, np.log(low), np.log(high), xtol=1e-15, rtol=1e-15
    )
    return solved(float(np.exp(log)))


def _bracket(excess: Any, start: float) -> tuple[float, float]:
    """Penalties on both sides of a root; (0, 0) if even tiny ones are too large."""
    high = low = max(start, np.finfo(float).tiny)
    while excess(high) > 0:
        low, high = high, 16 * high
    for _ in range(80):
        if excess(low) >= 0:
            return low, high
        low, high = low / 16, low
    return 0.0, 0.0


def _statistics(model: Any, X: Any, y: Any, sample_weight: Any) -> Triangle:
    t = X if isinstance(X, Triangle) else model.collect(X, y, sample_weight)
    _refuse_several(t)
    return t


def _refuse_several(t: Triangle) -> None:
    if t.header.n_outputs != 1:
        raise InvalidInput(f"A path is of one target; got {t.header.n_outputs}. Take them one by one.")


def _parameter(model: Any) -> str:
    if isinstance(model, BayesianLinearRegression):
        return "prior_precision"
    if not isinstance(model, Ridge):
        _need_penalty(model)
    return "alpha"


def _need_penalty(model: Any) -> None:
    """Refuse models without a penalty on the size of their weights alone."""
    if isinstance(model, Shrinking) or (isinstance(model, Ridge) and not model.penalize_intercept):
        return
    if isinstance(model, Ridge):
        raise Unsupported(
            "penalize_intercept=True puts the constant into the penalty; leave it out for paths and budgets."
        )
    raise Unsupported(
        f"{type(model).__name__} has no penalty on the size of its weights; use Ridge, Lasso, ElasticNet "
        "or QNormRegression."
    )
