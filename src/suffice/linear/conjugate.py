r"""Bayesian linear regression with unknown noise, in closed form (PRML §3.3.2, Exercises 3.12 and 3.13).

Prior        p(w, β) = N(w | m₀, S₀/β) Gam(β | a₀, b₀)                                       (3.112)
Likelihood   y | w, β ~ N(b + Φ w, β⁻¹ I)
Posterior    the same form with S⁻¹ = S₀⁻¹ + ΦᵀΦ,  m = S (S₀⁻¹ m₀ + Φᵀy)                       (3.113)
             a = a₀ + N/2,  b = b₀ + ½ min_w [‖y − Φw‖² + (w − m₀)ᵀ S₀⁻¹ (w − m₀)]
Predictive   y* ~ t(2a, φ*ᵀm, (b/a)(1 + φ*ᵀ S φ*))                                            (3.114)
Evidence     −(N/2) log 2π + ½ log |S|/|S₀| + a₀ log b₀ − a log b + log Γ(a) − log Γ(a₀)

The rate is written as a minimum, which is a sum of squares of the stacked triangle: no difference of large
numbers is taken. A flat intercept is integrated out: N − 1 in place of N and a term −½ log N.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Self

import numpy as np
from scipy.special import gammaln

from suffice._core.errors import Unsupported, check_number
from suffice._core.numerics import LOG_2PI
from suffice._core.random import generator
from suffice._core.records import estimator
from suffice._estimator import check_not_empty, open_inputs
from suffice.bases._base import as_table
from suffice.distributions import StudentT
from suffice.engine import one_blas_thread
from suffice.linear._functions import RegressionFunctions
from suffice.linear._gaussian_weights import GaussianWeights
from suffice.linear._solvers.gaussian_prior import GaussianPrior, warn_weak_prior
from suffice.linear._solvers.normal_gamma import WeightsAndPrecision
from suffice.linear._solvers.spread import Spread
from suffice.statistics import Triangle
from suffice.statistics.leave_out import LeftOut, Smoother
from suffice.statistics.lstsq import System
from suffice.statistics.penalized import Stacked, stacked


def posterior(s: System, prior: GaussianPrior, alpha: float) -> Stacked:
    """Eq. 3.113 for all targets, in units of the noise: prior rows √α S₀^{−½} under the triangle."""
    rows = np.sqrt(alpha) * prior.whiten
    return stacked(s.R, s.Z, rows @ s.penalty, rows @ prior.mean)


def misfit(s: System, fit: Stacked) -> np.ndarray:
    """min_w [‖y − Φw‖² + (w − m₀)ᵀ S₀⁻¹ (w − m₀)] per target."""
    return fit.misfit + np.sum(s.left_over**2, axis=0)


def log_evidence(
    s: System, prior: GaussianPrior, fit: Stacked, alpha: float, start: tuple[float, float], end: tuple
) -> np.ndarray:
    """The log probability of each target, from (shape, rate) before and after the data."""
    (a0, b0), (a, b) = start, end
    q = s.size
    log_volume = np.linalg.slogdet(s.penalty)[1] + 0.5 * (q * np.log(alpha) - prior.log_det - fit.log_det)
    return log_volume - (a - a0) * LOG_2PI + a0 * np.log(b0) - a * np.log(b) + gammaln(a) - gammaln(a0)


@estimator
class ConjugateLinearRegression(GaussianWeights):
    """Linear regression with a normal–gamma prior on the weights and the precision of the noise.

    Everything is exact: the posterior, the Student-t predictions, and the evidence.

    Parameters
    ----------
    prior_precision
        How tightly the weights are held at `prior_mean`, in units of the noise: their prior is
        N(prior_mean, prior_cov / (prior_precision · β)) for noise of precision β.
    prior_mean, prior_cov
        Zero and the identity by default. With `intercept="prior"` both cover the intercept, first.
    shape, rate
        Of the gamma prior of β: as good as 2·shape observations of noise with variance rate/shape.
    intercept
        "flat": every value is equally plausible beforehand. "prior": it has the weights' prior.
    fit_intercept, basis, standardize, weight_kind
        As in `BayesianLinearRegression`.

    Notes
    -----
    With shape and rate growing at a fixed ratio the noise becomes known, and this is `BayesianLinearRegression`
    with noise_precision = shape/rate and prior_precision times as much. With prior_precision, shape and rate
    towards zero the predictions tend to Student-t with the location of `LinearRegression` and the same
    dof · scale², but as many more degrees of freedom as there are weights with a prior: each brings a
    factor √β, however wide its prior is.

    Examples
    --------
    >>> from suffice.linear import ConjugateLinearRegression
    >>> model = ConjugateLinearRegression(0.1, shape=2, rate=1.5, intercept="prior")
    >>> model = model.fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 2.0, 5.0])
    >>> model.predict_dist([[1.5]])[0]
    StudentT(dof=8, loc=2.72352, scale=0.961021)
    >>> print(f"{model.log_evidence_:.4f}", model.posterior_.precision())
    -9.2701 Gamma(shape=4, rate=2.96928)
    """

    prior_precision: float = 1.0
    _: KW_ONLY
    shape: float = 1.0
    rate: float = 1.0

    shape_: float = field(init=False)
    rate_: Any = field(init=False)

    @one_blas_thread()
    def solve(self, statistics: Triangle) -> Self:
        """Write every fitted attribute from the statistics."""
        t, (alpha, a0, b0) = statistics, self._given()
        check_not_empty(t.n)
        s, prior = self._problem(t)
        fit = posterior(s, prior, alpha)
        n, extra = self._rule.integrated(self._sample_size(t), self._log_weight(t), t)
        a, b = a0 + n / 2, b0 + misfit(s, fit) / 2
        warn_weak_prior(s, [(fit, 1 / alpha)])
        self._publish(t, s.function(fit.mean))
        self.shape_, self.rate_, self.root_, self.span_ = a, self._one(b), fit.root, s.span
        self.well_determined_parameters_ = fit.trace(s.R)
        self.effective_parameters_ = self.well_determined_parameters_ + self._rule.flat
        self.log_evidence_ = float(np.sum(log_evidence(s, prior, fit, alpha, (a0, b0), (a, b)) + extra))
        self.evidence_kind_ = "exact"
        return self

    def _given(self) -> tuple[float, float, float]:
        self._check_rules()
        alpha, a, b = (
            check_number(name, getattr(self, name), low=0, strict=True)
            for name in ("prior_precision", "shape", "rate")
        )
        return alpha, a, b

    # -- the posterior --------------------------------------------------------------------------------
    @property
    @one_blas_thread()
    def posterior_(self) -> WeightsAndPrecision:
        """Of (intercept, weights) on the raw columns and the precision of the noise; batched over targets."""
        mean, cov = self._rule.raw(self.function_, self._spread)
        if self.statistics_.header.n_targets is None:
            return WeightsAndPrecision(mean[0], cov[0], self.shape_, self.rate_)
        return WeightsAndPrecision(mean, np.repeat(cov, len(mean), axis=0), self.shape_, self.rate_)

    @property
    def _spread(self) -> Spread:
        """The uncertainty of (value at center, slope) in units of the noise, the same for all targets."""
        rest = np.full(1, 1 / np.sqrt(float(self.prior_precision)))
        return self._rule.spread(self.root_[None], np.ones(1), self.statistics_.n, self._span(), rest)

    # -- prediction -----------------------------------------------------------------------------------
    @one_blas_thread()
    def predict_dist(self, X: Any, *, noise: bool = True) -> StudentT:
        """Student-t of a new observation; `noise=False` for the function alone."""
        X = open_inputs(self, X)
        z = self.function_.deviations(X)
        spread = np.sum(self._spread.rows(z)[0] ** 2, axis=1) + float(noise)
        scale = np.sqrt(np.multiply.outer(spread, np.atleast_1d(self.rate_) / self.shape_))
        return self._with_notes(
            StudentT(2 * self.shape_, self._shaped(self.function_(X)), self._shaped(scale)), X
        )

    # -- validation -----------------------------------------------------------------------------------
    def _why_hat_varies(self) -> str | None:
        return "the prior is on columns standardized in each fold" if self.standardize else None

    def _smoother(self, t: Triangle) -> Smoother:
        """Its `sse` is the penalized one, and so is that of every smaller fit: both fall by Σ w e r."""
        s, prior = self._problem(t)
        fit = posterior(s, prior, self._given()[0])
        constant = 1 / t.n if self._rule.flat else 0.0
        root = s.spread(fit.root)
        return Smoother(s.function(fit.mean), root, constant, None, None, misfit(s, fit), s.counted)

    def left_out_dist(self, left: LeftOut, single: bool) -> StudentT:
        """Student-t with the shape and the rate after each smaller fit."""
        _, a0, b0 = self._given()
        shape = a0 + (self._left_out_size(left) - float(self._rule.flat)) / 2
        rate = b0 + left.sse[left.fold] / 2
        scale = np.sqrt(rate * ((1 + left.spread) / shape)[:, None])
        dof, mean = 2 * shape, left.predictions
        return StudentT(dof, mean[:, 0], scale[:, 0]) if single else StudentT(dof[:, None], mean, scale)

    # -- sampling -------------------------------------------------------------------------------------
    @one_blas_thread()
    def sample_functions(
        self, n: int, random_state: Any = None, *, n_features: int = 1
    ) -> RegressionFunctions:
        """Regression functions drawn from the posterior, or from the prior before `fit`.

        Prior draws need a proper intercept; `n_features` says how many columns their inputs have.
        """
        return self._draws(n, generator(random_state), n_features)[0]

    @one_blas_thread()
    def sample_datasets(self, n: int, X: Any, random_state: Any = None) -> np.ndarray:
        """Targets at X drawn from the model: a precision each, a function, and noise of that precision."""
        rng_functions, rng_noise = generator(random_state).spawn(2)
        X = as_table(X)
        functions, beta = self._draws(n, rng_functions, X.shape[1])
        values = functions(X)
        beta = beta[:, 0] if functions.squeeze else beta
        beta = beta.reshape(n, 1, *beta.shape[1:])
        return values + rng_noise.standard_normal(values.shape) / np.sqrt(beta)

    def _draws(
        self, n: int, rng: np.random.Generator, n_features: int
    ) -> tuple[RegressionFunctions, np.ndarray]:
        """Functions and the precisions (n, k) they were drawn with."""
        if not self.__sklearn_is_fitted__():
            return self._prior_draws(n, rng, n_features)
        f = self.function_
        beta = rng.standard_gamma(self.shape_, (n, len(f.value))) / np.atleast_1d(self.rate_)
        draws = tuple(f.replaced(w[:, 0], w[:, 1:].T) for w in self._spread.draws(f, n, rng, np.sqrt(beta)))
        return RegressionFunctions(draws, self.statistics_.header.n_targets is None), beta

    def _prior_draws(
        self, n: int, rng: np.random.Generator, n_features: int
    ) -> tuple[RegressionFunctions, np.ndarray]:
        alpha, a0, b0 = self._given()
        if self._rule.flat or self.standardize:
            raise Unsupported(
                "Draws from the prior need intercept='prior' (or fit_intercept=False) and standardize=False; "
                "otherwise fit first."
            )
        basis, prior = self._prior_before(n_features)
        beta = rng.standard_gamma(a0, (n, 1)) / b0
        center = prior.mean[:, 0]
        weights = center + (prior.sample(n, alpha, rng) - center) / np.sqrt(beta)
        return self._functions_of(weights, basis, n_features), beta
