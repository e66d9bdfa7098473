"""The operations that a conformance case may name: each fits the library's models and answers by name.

An operation is a class. Its constructor takes the case's `inputs`; every public method is one answer, named
as in the case's `expected`. Nothing here knows a right answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import LeaveOneOut

from suffice import datasets
from suffice._core.errors import AtBound
from suffice.bases import CustomBasis, GaussianBasis, Polynomial, SigmoidBasis, TanhBasis
from suffice.evaluation import cross_validate
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.statistics import Triangle

from .operations_approximation import OPERATIONS as APPROXIMATION
from .operations_attributes import OPERATIONS as ATTRIBUTES
from .operations_bases import OPERATIONS as ON_BASES
from .operations_bayes import OPERATIONS as BAYES
from .operations_beliefs import OPERATIONS as BELIEFS
from .operations_by_hand import OPERATIONS as BY_HAND
from .operations_classes import OPERATIONS as CLASSES
from .operations_comparisons import OPERATIONS as COMPARISONS
from .operations_curves import OPERATIONS as CURVES
from .operations_distributions import OPERATIONS as DISTRIBUTIONS
from .operations_dtu13 import OPERATIONS as DTU_13
from .operations_evaluation import OPERATIONS as EVALUATION
from .operations_evidence import OPERATIONS as EVIDENCE
from .operations_gaussian import OPERATIONS as GAUSSIAN
from .operations_heights import OPERATIONS as HEIGHTS
from .operations_logistic import OPERATIONS as LOGISTIC
from .operations_measures import OPERATIONS as MEASURES
from .operations_mixtures import OPERATIONS as MIXTURES
from .operations_pictures import OPERATIONS as PICTURES
from .operations_planes import OPERATIONS as PLANES
from .operations_probability import OPERATIONS as PROBABILITY
from .operations_sampling import OPERATIONS as SAMPLING
from .operations_selection import OPERATIONS as SELECTION
from .operations_series import OPERATIONS as SERIES
from .operations_shrinkage import OPERATIONS as SHRINKAGE
from .operations_similarity import OPERATIONS as SIMILARITY
from .operations_summaries import OPERATIONS as SUMMARIES
from .operations_text import OPERATIONS as TEXT
from .operations_transforms import OPERATIONS as TRANSFORMS


# -- inputs -----------------------------------------------------------------------------------------------
def table(values: Any) -> np.ndarray:
    """A table from a list of rows, a list of numbers, a grid or a draw of normal numbers."""
    if isinstance(values, dict) and "number" in values:
        values = np.linspace(values["low"], values["high"], values["number"])
    elif isinstance(values, dict):
        values = np.random.default_rng(values["random_state"]).standard_normal(values["normal"])
    values = np.asarray(values, dtype=float)
    return values[:, None] if values.ndim == 1 else values


class Data:
    """X and y of a case, by name or by value, and the query points in the same units."""

    def __init__(self, data=None, arguments=None, X=None, y=None, rows=None, rescale=None, at=None):
        if data is not None:
            record = getattr(datasets, data)(**(arguments or {}))
            X, y = record.X, record.y
        self.raw = table(X)[:rows]
        self.rescale = rescale or {"subtract": 0.0, "divide": 1.0}
        self.X = self.moved(self.raw)
        self.y = None if y is None else np.asarray(y, dtype=float)[:rows]
        self.at = None if at is None else self.moved(table(at))

    def moved(self, X: np.ndarray) -> np.ndarray:
        return (X - self.rescale["subtract"]) / self.rescale["divide"]


DATA = ("data", "arguments", "X", "y", "rows", "rescale", "at")


def split(inputs: dict[str, Any]) -> tuple[Data, dict[str, Any]]:
    """The data of a case, and what is left of its inputs."""
    rest = {k: v for k, v in inputs.items() if k not in DATA}
    return Data(**{k: v for k, v in inputs.items() if k in DATA}), rest


def make_basis(kind: str, **options: Any):
    """A basis by name."""
    return BASES[kind](**options)


BASES: dict[str, Callable] = {
    "polynomial": Polynomial,
    "gaussian": lambda low, high, number, width: GaussianBasis(np.linspace(low, high, number), width),
    "line and sine": lambda shift, scale: CustomBasis(
        [lambda X: X[:, 0], lambda X: np.sin((X[:, 0] - shift) / scale)]
    ),
    "cos x, sin 4x": lambda: CustomBasis([lambda X: np.cos(X[:, 0]), lambda X: np.sin(4 * X[:, 0])]),
    "sigmoid": lambda centers, scale: SigmoidBasis(centers, scale),
    "tanh": lambda centers, scale: TanhBasis(centers, scale),
}


def weights_of(model: Any) -> np.ndarray:
    """(intercept, weights), one column per target where there are several; no intercept, no entry."""
    if not model.fit_intercept:
        return model.coef_
    return np.concatenate([np.asarray(model.intercept_)[None], model.coef_.T])


# -- least squares ----------------------------------------------------------------------------------------
class WorkingTable:
    """Means and cross-products of one attribute and the target, from the triangle."""

    def __init__(self, **inputs: Any):
        data, _ = split(inputs)
        t = Triangle.of(data.X, data.y)
        raw = t.factor.copy()
        raw[:, 1:] += np.outer(t.factor[:, 0], t.layout.shift)
        self.products, self.n = raw.T @ raw, t.n
        self.t, self.factor = t, t.factor

    def gram(self):
        return self.products[:2, :2]

    def mean_x(self):
        return self.t.mean_x[0]

    def mean_t(self):
        return self.t.mean_y

    def mean_xt(self):
        return self.products[1, 2] / self.n

    def mean_xx(self):
        return self.products[1, 1] / self.n

    def covariance(self):
        return self.factor[1:, 1] @ self.factor[1:, 2] / self.n

    def variance(self):
        return self.factor[1:, 1] @ self.factor[1:, 1] / self.n


class LeastSquares:
    """LinearRegression and what it says about itself."""

    def __init__(self, basis=None, weight=None, weight_kind="counts", **inputs: Any):
        self.data, rest = split(inputs)
        assert not rest, f"unknown inputs {rest}"
        basis = make_basis(**basis) if basis else None
        self.model = LinearRegression(basis=basis, weight_kind=weight_kind)
        self.model.fit(self.data.X, self.data.y, sample_weight=weight)
        self.phi = self.data.X if basis is None else basis(self.data.X)

    def weights(self):
        return weights_of(self.model)

    def intercept(self):
        return self.model.intercept_

    def slope(self):
        return self.model.coef_[0]

    def predictions(self):
        return self.model.predict(self.data.at)

    def _residual(self):
        return self.data.y - self.model.predict(self.data.X)

    def largest_residual(self):
        return np.abs(self._residual()).max()

    def largest_hat_error(self):
        """H² = H, Hᵀ = H and Hy = ŷ (PRML §3.1.2)."""
        H = self.model.hat_matrix(self.data.X)
        fitted = self.model.predict(self.data.X)
        return max(np.abs(H @ H - H).max(), np.abs(H - H.T).max(), np.abs(H @ self.data.y - fitted).max())

    def largest_residual_projection(self):
        """Φᵀ(t − Φw) = 0, the constant included."""
        r = self._residual()
        return max(abs(r.sum()), np.abs(self.phi.T @ r).max())

    def sum_of_squares(self):
        return self.model.noise_variance_ml_ * len(self.data.y)

    def mean_loss(self):
        return self.model.noise_variance_ml_

    def r_squared(self):
        return self.model.score(self.data.X, self.data.y)

    def noise_variance_ml(self):
        return self.model.noise_variance_ml_

    def noise_variance(self):
        return self.model.noise_variance_

    def residual_covariance_ml(self):
        return self.model.noise_covariance_ml_

    def log_likelihood(self):
        return self.model.log_likelihood_

    def gram_inverse_24(self):
        return 24 * self.model.cov_params_ / self.model.noise_variance_

    def cov_params(self):
        return self.model.cov_params_

    def _to_ml(self):
        return self.model.noise_variance_ml_ / self.model.noise_variance_

    def cov_ml(self):
        return self.model.cov_params_ * self._to_ml()

    def information_inverse(self):
        return np.linalg.inv(self.model.fisher_information_)

    def mean_variance_ml(self):
        return self.model.predict_dist(self.data.at, noise=False).scale ** 2 * self._to_ml()

    def error_bar_ml(self):
        return np.sqrt(self.mean_variance_ml())


class PseudoInverse:
    """(ΦᵀΦ)⁻¹Φᵀ: the weights of as many targets as rows, each one at its own row."""

    def __init__(self, times: float = 1.0, **inputs: Any):
        data, _ = split(inputs)
        self.model = LinearRegression().fit(data.X, times * np.eye(len(data.X)))

    def matrix(self):
        return weights_of(self.model)


class FromWeights:
    """Rows made from known weights, and what a fit finds in them."""

    def __init__(self, weights: list[float], basis=None, **inputs: Any):
        self.data, _ = split(inputs)
        basis = make_basis(**basis) if basis else None
        phi = self.data.X if basis is None else basis(self.data.X)
        y = weights[0] + phi @ np.array(weights[1:], dtype=float)
        self.model = LinearRegression(basis=basis).fit(self.data.X, y)

    def weights(self):
        return weights_of(self.model)

    def predictions(self):
        return self.model.predict(self.data.at)

    def signs(self):
        return np.sign(self.model.coef_)

    def importance(self):
        return self.model.summary().importance[1:]


class Information:
    """A design of four points with the moments of a given Fisher information."""

    def __init__(self, information: list[list[float]]):
        total = information[0][0]
        mean, square = information[0][1] / total, information[1][1] / total
        spread = math.sqrt(square - mean**2)
        X = np.array([mean - spread, mean + spread] * 2)[:, None]
        noise = math.sqrt(len(X) / total) * np.array([1, 1, -1, -1])  # orthogonal to 1 and x
        self.model = LinearRegression().fit(X, 3 * X[:, 0] - 2 + noise)

    def matrix(self):
        return self.model.fisher_information_

    def covariance(self):
        return self.model.cov_params_ * self.model.noise_variance_ml_ / self.model.noise_variance_


class RepeatedLine:
    """The same line fitted to many data sets at the same inputs, fifty targets at a time."""

    def __init__(self, n: int, datasets: int, weights: list[float], noise_variance: float, random_state: int):
        rng = np.random.default_rng(random_state)
        X = rng.random((n, 1))
        Y = weights[0] + weights[1] * X + math.sqrt(noise_variance) * rng.standard_normal((n, datasets))
        self.models = [LinearRegression().fit(X, part) for part in np.split(Y, datasets // 50, axis=1)]

    def mean_weights(self):
        return np.mean([weights_of(m) for m in self.models], axis=(0, 2))

    def mean_noise_variance_ml(self):
        return np.mean([m.noise_variance_ml_ for m in self.models])


class Crossing:
    """Where two fitted lines meet."""

    def __init__(self, first: str, second: str, every: int):
        data = [getattr(datasets, name)() for name in (first, second)]
        self.models = [LinearRegression().fit(d.X, d.y) for d in data]
        self.every = every

    def x(self):
        (a, b), (c, d) = (weights_of(m) for m in self.models)
        return (c - a) / (b - d)

    def y(self):
        return self.models[0].predict([[self.x()]])[0]

    def rounded_up(self):
        return self.every * math.ceil(self.x() / self.every)

    def after(self):
        return [m.predict([[self.rounded_up()]])[0] for m in self.models]

    def before(self):
        return [m.predict([[self.rounded_up() - self.every]])[0] for m in self.models]


class MissingGames:
    """Years divisible by four between the first and the last row that are not in the table."""

    def __init__(self, data: str):
        years = getattr(datasets, data)().X[:, 0]
        self.years = np.setdiff1d(np.arange(years.min(), years.max() + 1, 4), years)

    def first(self):
        return self.years[0]

    def all(self):
        return self.years


def leave_one_out(model: Any, data: Data) -> float:
    """Mean squared error, each row predicted without itself."""
    return cross_validate(model, data.X, data.y, cv=LeaveOneOut()).estimate


# -- polynomial orders ------------------------------------------------------------------------------------
class Orders:
    """Polynomials of several orders on all rows."""

    def __init__(self, orders: list[int], **inputs: Any):
        self.data, _ = split(inputs)
        self.models = [LinearRegression(basis=Polynomial(k)).fit(self.data.X, self.data.y) for k in orders]

    def sum_of_squares(self):
        return [m.noise_variance_ml_ * len(self.data.y) for m in self.models]

    def root_mean_square(self):
        return [math.sqrt(m.noise_variance_ml_) for m in self.models]

    def predictions(self):
        return [m.predict(self.data.at) for m in self.models]

    def log_likelihood(self):
        return [m.log_likelihood_ for m in self.models]

    def log_likelihood_always_rises(self):
        return bool(np.all(np.diff(self.log_likelihood()) > 0))


class HoldoutOrders:
    """Training and validation loss by order; rows whose first column is `from` or more are held out."""

    def __init__(self, orders: list[int], **inputs: Any):
        start = inputs.pop("from")
        data, _ = split(inputs)
        late = data.raw[:, 0] >= start
        self.orders, self.losses = orders, []
        for k in orders:
            model = LinearRegression(basis=Polynomial(k)).fit(data.X[~late], data.y[~late])
            residual = data.y - model.predict(data.X)
            self.losses.append([np.mean(residual[part] ** 2) for part in (~late, late)])

    def training(self):
        return [a for a, _ in self.losses]

    def validation(self):
        return [b for _, b in self.losses]

    def best(self):
        return self.orders[int(np.argmin(self.validation()))]

    def training_never_rises(self):
        return bool(np.all(np.diff(self.training()) <= 0))


class LeaveOneOutOrders:
    """Leave-one-out loss by order."""

    def __init__(self, orders: list[int], **inputs: Any):
        self.data, _ = split(inputs)
        self.orders = orders

    @cached_property
    def _losses(self):
        models = [LinearRegression(basis=Polynomial(k)) for k in self.orders]
        return [leave_one_out(m, self.data) for m in models]

    def losses(self):
        return self._losses

    def best(self):
        return self.orders[int(np.argmin(self._losses))]


class LeaveOneOutRidge:
    """Leave-one-out loss of the text's ridge (average loss, all weights penalized) by λ."""

    def __init__(self, degree: int, lam: list[float], **inputs: Any):
        data, _ = split(inputs)
        models = [Ridge.book(v, text="fcml", basis=Polynomial(degree)) for v in lam]
        self.lam = lam
        self.losses = [leave_one_out(m, data) for m in models]

    def best(self):
        return self.lam[int(np.argmin(self.losses))]

    def smallest(self):
        return min(self.losses)


# -- ridge ------------------------------------------------------------------------------------------------
class RidgeFit:
    """Ridge in the library's own convention."""

    def __init__(self, alpha: float, fit_intercept: bool = True, **inputs: Any):
        self.data, _ = split(inputs)
        self.model = Ridge(alpha, fit_intercept=fit_intercept).fit(self.data.X, self.data.y)

    def weights(self):
        return weights_of(self.model)


class RidgeBook:
    """Ridge in a text's convention."""

    def __init__(self, lam: float, text: str, **inputs: Any):
        self.data, _ = split(inputs)
        self.model = Ridge.book(lam, text=text).fit(self.data.X, self.data.y)

    def weights(self):
        return weights_of(self.model)

    def predictions(self):
        return self.model.predict(self.data.at)


# -- Bayesian regression ----------------------------------------------------------------------------------
def bayesian(basis=None, noise_variance=None, intercept="prior", **options: Any) -> BayesianLinearRegression:
    """The model of the texts: a prior on all weights, the bias among them, unless a case says otherwise."""
    if noise_variance is not None:
        options["noise_precision"] = 1 / noise_variance
    if "prior_cov" in options:
        options["prior_cov"] = np.array(options["prior_cov"], dtype=float)
        options.setdefault("prior_precision", 1.0)
    return BayesianLinearRegression(
        basis=make_basis(**basis) if basis else None, intercept=intercept, **options
    )


class Bayes:
    """BayesianLinearRegression: posterior, predictive distribution and evidence."""

    def __init__(self, below: float | None = None, **inputs: Any):
        self.data, options = split(inputs)
        self.below = below
        self.model = bayesian(**options).fit(self.data.X, self.data.y)

    def mean(self):
        return self.model.posterior_.mean

    def cov(self):
        return self.model.posterior_.cov

    def number_of_weights(self):
        return len(self.model.posterior_.mean)

    def log_evidence(self):
        return self.model.log_evidence_

    def prior_precision(self):
        return self.model.prior_precision_

    def noise_precision(self):
        return self.model.noise_precision_

    def effective_parameters(self):
        return self.model.well_determined_parameters_

    def predictive_mean(self):
        return self.model.predict_dist(self.data.at).mean

    def predictive_variance(self):
        return self.model.predict_dist(self.data.at).var

    def probability_below(self):
        return self.model.predict_dist(self.data.at).cdf(self.below)

    def excess_over_bias(self):
        """Predictive variance less the noise and the variance of the bias."""
        return self.predictive_variance() - 1 / self.model.noise_precision_ - self.cov()[0, 0]

    def _misfit(self):
        return np.sum((self.data.y - self.model.predict(self.data.X)) ** 2)

    def fixed_point_prior_precision(self):
        """Eq. 3.92: γ / mᵀm, equal to α at a stationary point of the evidence."""
        return self.effective_parameters() / np.sum(self.mean() ** 2)

    def fixed_point_noise_precision(self):
        """Eq. 3.95: (N − γ) / ‖t − Φm‖²."""
        return (len(self.data.y) - self.effective_parameters()) / self._misfit()

    def twice_energy(self):
        """2E(m) = β‖t − Φm‖² + α mᵀm."""
        return self.noise_precision() * self._misfit() + self.prior_precision() * np.sum(self.mean() ** 2)


class BayesAtBound(Bayes):
    """The same, where the evidence is largest without any weights and the model says so."""

    def __init__(self, **inputs: Any):
        with pytest.warns(AtBound, match="the evidence rises until all weights"):
            super().__init__(**inputs)


class BayesOneByOne:
    """Every posterior is the prior of the next row."""

    def __init__(self, prior_precision: float = 1.0, prior_cov=None, **inputs: Any):
        data, options = split(inputs)
        cov = np.eye(1 + data.X.shape[1]) if prior_cov is None else np.array(prior_cov, dtype=float)
        self.m, self.S = np.zeros(len(cov)), cov / prior_precision
        for x, y in zip(data.X, data.y, strict=True):
            model = bayesian(prior_mean=self.m, prior_cov=self.S, **options).fit(x[None], [y])
            self.m, self.S = model.posterior_.mean, model.posterior_.cov

    def mean(self):
        return self.m

    def cov(self):
        return self.S


class ShrinkingVariance:
    """The predictive variance as rows come in one by one."""

    def __init__(self, **inputs: Any):
        data, options = split(inputs)
        models = [bayesian(**options).fit(data.X[:n], data.y[:n]) for n in range(1, len(data.y) + 1)]
        self.variances = np.array([m.predict_dist(data.at).var for m in models])

    def never_grows(self):
        return bool(np.all(np.diff(self.variances, axis=0) <= 1e-12))


class EvidenceOrders:
    """Log evidence of polynomials by order."""

    def __init__(self, orders: list[int], prior_precision: float, noise_precision: float, **inputs: Any):
        data, _ = split(inputs)
        options = {"prior_precision": prior_precision, "noise_precision": noise_precision}
        models = [bayesian({"kind": "polynomial", "degree": k}, **options) for k in orders]
        self.orders, self.values = orders, [m.fit(data.X, data.y).log_evidence_ for m in models]

    def log_evidence(self):
        return self.values

    def best(self):
        return self.orders[int(np.argmax(self.values))]

    def drops_from_1_to_2(self):
        return self.values[self.orders.index(2)] < self.values[self.orders.index(1)]


class EvidenceBroadening:
    """Log evidence of one model for several prior precisions."""

    def __init__(self, prior_precision: list[float], noise_precision: float, **inputs: Any):
        data, _ = split(inputs)
        models = [bayesian(prior_precision=a, noise_precision=noise_precision) for a in prior_precision]
        self.values = [m.fit(data.X, data.y).log_evidence_ for m in models]

    def log_evidence(self):
        return self.values


class Kernel:
    """The equivalent kernel at some points, over the rows of the fit; the targets do not matter."""

    def __init__(self, **inputs: Any):
        self.data, options = split(inputs)
        model = bayesian(**options).fit(self.data.X, np.sin(3 * self.data.X[:, 0]))
        self.k = model.equivalent_kernel(self.data.at, self.data.X)

    def sums(self):
        return self.k.sum(axis=1)

    def has_negative_values(self):
        return bool((self.k < 0).any(axis=1).all())

    def largest_distance_of_peak(self):
        peaks = self.data.X[np.argmax(self.k, axis=1), 0]
        return np.abs(peaks - self.data.at[:, 0]).max()


OPERATIONS: dict[str, Callable] = {
    "bayes": Bayes,
    "bayes_at_bound": BayesAtBound,
    "bayes_one_by_one": BayesOneByOne,
    "crossing": Crossing,
    "evidence_broadening": EvidenceBroadening,
    "evidence_orders": EvidenceOrders,
    "from_weights": FromWeights,
    "holdout_orders": HoldoutOrders,
    "information": Information,
    "kernel": Kernel,
    "least_squares": LeastSquares,
    "leave_one_out_orders": LeaveOneOutOrders,
    "leave_one_out_ridge": LeaveOneOutRidge,
    "missing_games": MissingGames,
    "orders": Orders,
    "pseudo_inverse": PseudoInverse,
    "repeated_line": RepeatedLine,
    "ridge": RidgeFit,
    "ridge_book": RidgeBook,
    "shrinking_variance": ShrinkingVariance,
    "working_table": WorkingTable,
    **BAYES,
    **BELIEFS,
    **BY_HAND,
    **ON_BASES,
    **COMPARISONS,
    **CLASSES,
    **CURVES,
    **DISTRIBUTIONS,
    **DTU_13,
    **EVIDENCE,
    **GAUSSIAN,
    **HEIGHTS,
    **LOGISTIC,
    **MEASURES,
    **MIXTURES,
    **PICTURES,
    **PLANES,
    **PROBABILITY,
    **SAMPLING,
    **SERIES,
    **APPROXIMATION,
    **ATTRIBUTES,
    **SHRINKAGE,
    **SIMILARITY,
    **SUMMARIES,
    **TEXT,
    **TRANSFORMS,
    **EVALUATION,
    **SELECTION,
}
