r"""How plausible each pair of weights is: likelihood, prior and posterior over two of them (PRML Fig. 3.7, FCML 3.7).

Likelihood   log p(y | w) = ½ n log β/2π − ½ β ‖y − Φw‖²                                   (PRML 3.11)
Prior        log p(w) = log N(w | m₀, S₀/α), a flat intercept entering with p(b) = 1       (PRML 3.48)
Posterior    log p(w | y) = log p(y | w) + log p(w) − log p(y)                             (Bayes' rule)

The other weights stay at their estimates, so with more than two weights a surface is a slice. Moving two weights by
a and b from there moves the residual of the triangle by a u + b v, so every point of the grid costs one short sum and
no rows are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported, as_numbers, check_number
from suffice._core.frames import to_frame
from suffice._core.numerics import LOG_2PI
from suffice._core.records import frozen_array, record
from suffice._core.showing import escape
from suffice._estimator import check_is_fitted
from suffice.engine import one_blas_thread
from suffice.linear._solvers.gaussian_prior import GaussianPrior
from suffice.linear.bayesian import BayesianLinearRegression
from suffice.linear.linear_regression import LinearRegression
from suffice.statistics import Triangle


@record
class WeightSurface:
    """Log densities over two weights, a row per value of the second and a column per value of the first.

    `log_prior` and `log_posterior` are None for a model without a prior. `peak` is the estimate of the two weights,
    and `held` that of all of them, the intercept first where there is one.
    """

    names: tuple[str, str]
    first: np.ndarray
    second: np.ndarray
    log_likelihood: np.ndarray
    log_prior: np.ndarray | None
    log_posterior: np.ndarray | None
    peak: tuple[float, float]
    held: np.ndarray

    def frame(self, kind: str = "pandas") -> Any:
        """One row per point of the grid."""
        parts = ("log_likelihood", "log_prior", "log_posterior")
        a, b = np.meshgrid(self.first, self.second)
        known = {name: getattr(self, name).ravel() for name in parts if getattr(self, name) is not None}
        return to_frame({self.names[0]: a.ravel(), self.names[1]: b.ravel()} | known, kind)

    def __repr__(self) -> str:
        a, b = self.peak
        size = f"{len(self.first)} × {len(self.second)}"
        return (
            f"<WeightSurface: {size} values of {self.names[0]} and {self.names[1]} around ({a:.4g}, {b:.4g})>"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"


@one_blas_thread()
def weight_surface(
    model: Any,
    weights: Sequence[int | str] = (0, 1),
    *,
    first: Any = None,
    second: Any = None,
    rows: tuple[Any, Any] | None = None,
    points: int = 101,
) -> WeightSurface:
    """Likelihood, prior and posterior of a fitted model over two of its weights.

    Parameters
    ----------
    model
        A fitted `LinearRegression` (likelihood alone, at the maximum-likelihood noise variance) or
        `BayesianLinearRegression`, of one target.
    weights
        Which two: "intercept" or names of columns, or numbers, of which 0 is the intercept where there is one.
    first, second
        Values of each weight, or a pair (low, high) of ends; four standard deviations around the estimate unless given.
    rows
        A pair (X, y) whose likelihood to take instead of that of the rows of the fit; that of a single row is a
        ridge along the lines that pass near it.
    points
        How many values between two ends.

    Examples
    --------
    >>> from suffice.linear import BayesianLinearRegression, weight_surface
    >>> model = BayesianLinearRegression.book(2.0, 25.0).fit([[0.5], [-0.6]], [-0.10, -0.65])
    >>> surface = weight_surface(model, first=(-1, 1), second=(-1, 1), points=5)
    >>> print(surface.names, surface.log_posterior.shape)
    ('intercept', 'x0') (5, 5)
    >>> print(surface.log_posterior.round(1)[3])
    [ -9.9   0.8  -1.4 -16.7 -44.9]
    """
    names, estimate, spread = _weights(model)
    i, j = _pair(weights, names)
    a, b = (
        _values(name, given, estimate[k], spread[k], points)
        for name, given, k in (("first", first, i), ("second", second, j))
    )
    t = model.statistics_ if rows is None else _other_rows(model, rows)
    likelihood = _log_likelihood(model, t, (i, j), a - estimate[i], b - estimate[j])
    prior = posterior = None
    if isinstance(model, BayesianLinearRegression):
        prior = _log_prior(model, estimate, (i, j), a, b)
        own = likelihood if rows is None else _log_likelihood(
            model, model.statistics_, (i, j), a - estimate[i], b - estimate[j]
        )  # fmt: skip
        posterior = frozen_array(own + prior - model.log_evidence_)
        prior = frozen_array(prior)
    arrays = (frozen_array(a), frozen_array(b), frozen_array(likelihood))
    peak = (float(estimate[i]), float(estimate[j]))
    return WeightSurface((names[i], names[j]), *arrays, prior, posterior, peak, frozen_array(estimate))


# -- what is drawn over what ----------------------------------------------------------------------------
def _weights(model: Any) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Names, estimates and standard deviations of all weights, the intercept first."""
    if not isinstance(model, LinearRegression | BayesianLinearRegression):
        raise Unsupported(
            "weight_surface needs a fitted LinearRegression or BayesianLinearRegression; "
            f"got {type(model).__name__}."
        )
    check_is_fitted(model)
    if model.statistics_.header.n_targets is not None:
        raise Unsupported("A surface belongs to one target; fit the targets one by one.")
    if model.standardize and isinstance(model, BayesianLinearRegression):
        raise Unsupported(
            "With standardize=True the prior is on other weights than those reported; "
            "standardize X beforehand and fit with standardize=False."
        )
    skip = 0 if model.fit_intercept else 1
    names = ("intercept", *model.statistics_.header.column_names)[skip:]
    estimate = np.concatenate([[model.intercept_], model.coef_])[skip:]
    cov = model.posterior_.cov if isinstance(model, BayesianLinearRegression) else model.cov_params_
    return names, estimate, np.sqrt(np.diagonal(np.atleast_2d(cov)))


def _pair(weights: Any, names: tuple[str, ...]) -> tuple[int, int]:
    rule = f"weights must be two of {list(names)}, or their numbers below {len(names)}; got {weights!r}."
    if isinstance(weights, str) or len(weights) != 2:
        raise InvalidParameter(rule)
    found = [names.index(w) if isinstance(w, str) and w in names else w for w in weights]
    if not all(isinstance(w, int | np.integer) and not isinstance(w, bool) for w in found):
        raise InvalidParameter(rule)
    if found[0] == found[1] or not all(0 <= w < len(names) for w in found):
        raise InvalidParameter(rule)
    return int(found[0]), int(found[1])


def _values(name: str, given: Any, at: float, spread: float, points: int) -> np.ndarray:
    if given is None:
        if not np.isfinite(spread) or spread == 0:
            raise InvalidInput(f"The data leave this weight no finite width; give {name}= a pair of ends.")
        given = (at - 4 * spread, at + 4 * spread)
    values = as_numbers(name, given)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all() or np.any(np.diff(values) <= 0):
        raise InvalidParameter(f"{name} must be finite numbers, two or more, that rise; got {given!r:.80}.")
    if len(values) > 2:
        return values
    return np.linspace(values[0], values[1], int(check_number("points", points, low=2)))


def _other_rows(model: Any, rows: Any) -> Triangle:
    if not isinstance(rows, tuple) or len(rows) != 2:
        raise InvalidInput(f"rows must be a pair (X, y); got {type(rows).__name__}.")
    return model.collect(*rows, like=model.statistics_)


# -- densities --------------------------------------------------------------------------------------------
def _log_likelihood(
    model: Any, t: Triangle, pair: tuple[int, int], a: np.ndarray, b: np.ndarray
) -> np.ndarray:
    """(b, a): log p(y | w) where the two weights differ from their estimates by a and b."""
    beta = _noise_precision(model)
    rest, u, v = _residual(model, t), *(_direction(t, k - model.fit_intercept + 1) for k in pair)
    moved = rest + a[None, :, None] * u + b[:, None, None] * v  # (b, a, columns of the triangle)
    n, extra = model._sample_size(t), model._log_weight(t)
    return 0.5 * n * (np.log(beta) - LOG_2PI) - 0.5 * beta * np.sum(moved**2, axis=2) + extra


def _noise_precision(model: Any) -> float:
    if isinstance(model, BayesianLinearRegression):
        return float(model.noise_precision_)
    if not model.noise_variance_ml_ > 0:
        raise Unsupported("The fit leaves no residuals, so its likelihood has no finite values.")
    return 1 / float(model.noise_variance_ml_)


def _residual(model: Any, t: Triangle) -> np.ndarray:
    """ŷ − y in the coordinates of the triangle: its squared length is the squared error of the rows."""
    f = model.function_
    t = t if t.layout.frame == f.layout.frame else t.moved(t.layout.in_frame(f.layout.frame))
    here = t.layout.shift_x - f.layout.shift_x - f.from_shift
    offset = f.value + here @ f.slope - t.layout.shift_y
    return (t.factor @ t.against_targets(f.slope, offset))[:, 0]


def _direction(t: Triangle, k: int) -> np.ndarray:
    """What one more unit of weight k adds to the predictions, in the same coordinates; 0 is the intercept."""
    column = np.zeros(t.factor.shape[1])
    if k == 0:
        column[0] = 1.0
        return t.factor @ column
    A, shift = t.layout.transfer(None)
    here = np.asarray(A[:, k - 1], dtype=float)
    column[1 : 1 + t.n_columns] = here
    column[0] = float(shift[k - 1]) + t.layout.shift_x @ here
    return t.factor @ column


def _log_prior(
    model: BayesianLinearRegression, estimate: np.ndarray, pair: tuple[int, int], a: np.ndarray, b: np.ndarray
) -> np.ndarray:
    """(b, a): log N(w | m₀, S₀/α) over the weights that have a prior."""
    free = int(model.fit_intercept and model.intercept == "flat")
    q = len(estimate) - free
    prior = GaussianPrior.of(model.prior_mean, model.prior_cov, q, 1)
    W, alpha = prior.whiten, float(model.prior_precision_)
    centered = W @ (estimate[free:] - prior.mean[:, 0])
    u, v = (W[:, k - free] if k >= free else np.zeros(q) for k in pair)
    i, j = pair
    moved = centered + (a - estimate[i])[None, :, None] * u + (b - estimate[j])[:, None, None] * v
    constant = 0.5 * q * (np.log(alpha) - LOG_2PI) - 0.5 * prior.log_det
    return constant - 0.5 * alpha * np.sum(moved**2, axis=2)
