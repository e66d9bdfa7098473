r"""Bayesian ridge regression: one precision for all weights, one for the noise, each with a gamma prior (MacKay 1992).

Prior        w ~ N(0, λ⁻¹ I),  λ ~ Gamma(λ₁, λ₂)
Likelihood   y | w ~ N(b + Φ w, α⁻¹ I),  α ~ Gamma(α₁, α₂)
Fixed point  λ = (γ + 2λ₁)/(mᵀm + 2λ₂),  α = (n − γ + 2α₁)/(‖y − Φm‖² + 2α₂),  γ = Σ α s²/(λ + α s²)
             (PRML 3.92, 3.95 without priors)

Here α is the precision of the noise and λ that of the weights, as scikit-learn has them; PRML has β and α. With the
precisions found, everything else is `BayesianLinearRegression` at those precisions.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Literal, Self

import numpy as np

from suffice._core.errors import check_flags, check_number, warn
from suffice._core.linalg import EPS, solve_square, svd
from suffice._core.records import estimator, record
from suffice._core.trace import Trace
from suffice._estimator import check_is_fitted, check_no_effect, check_not_empty
from suffice._estimator.convergence import SolverNotConverged
from suffice.distributions import MultivariateNormal, Normal
from suffice.distributions._base import noted
from suffice.engine import one_blas_thread
from suffice.linear._return_std import ReturnsStd, check_steps
from suffice.linear.bayesian import BayesianLinearRegression
from suffice.statistics import Triangle
from suffice.statistics.dependence import exact
from suffice.statistics.lstsq import SIZES, system


@record
class Rotated:
    """The problem where it is diagonal: singular values s, targets z along them, what is left of them, n."""

    s: np.ndarray
    z: np.ndarray
    back: np.ndarray
    rest: float
    n: float
    size: int

    @classmethod
    def of(cls, t: Triangle, fit_intercept: bool, standardize: bool, n: float) -> Rotated:
        p = exact(system(t, fit_intercept, standardize)).in_row_space()
        if p.is_diagonal:
            U, s, back = svd(p.R / p.sizes)
        else:
            U, s, back = svd(p.R @ solve_square(p.penalty, np.eye(p.size), SIZES))
        back = back if p.span is None else back @ p.span.directions.T
        z = U.T @ p.Z[:, 0]
        rest = float(np.sum((p.Z[:, 0] - U @ z) ** 2) + np.sum(p.left_over[:, 0] ** 2))
        return cls(s, z, back, rest, n, p.size + p.outside)

    def weights(self, alpha: float, lam: float) -> np.ndarray:
        """m = (ΦᵀΦ + λ/α)⁻¹ Φᵀy, along the singular directions."""
        return self.s * self.z / (self.s**2 + lam / alpha)

    def misfit(self, m: np.ndarray) -> float:
        """‖y − Φm‖²."""
        return self.rest + float(np.sum((self.z - self.s * m) ** 2))


@record
class Hyper:
    """Shapes and rates of the gamma priors on α and λ."""

    alpha_1: float
    alpha_2: float
    lambda_1: float
    lambda_2: float

    def score(self, p: Rotated, alpha: float, lam: float, m: np.ndarray) -> float:
        """The logarithm of evidence and priors, at the weights m."""
        log_det = np.sum(np.log(lam + alpha * p.s**2)) + (p.size - len(p.s)) * np.log(lam)
        likelihood = p.size * np.log(lam) + p.n * np.log(alpha) - alpha * p.misfit(m) - lam * float(m @ m)
        priors = (
            self.lambda_1 * np.log(lam)
            - self.lambda_2 * lam
            + self.alpha_1 * np.log(alpha)
            - self.alpha_2 * alpha
        )
        return float(priors + 0.5 * (likelihood - log_det - p.n * np.log(2 * np.pi)))

    def improved(self, p: Rotated, alpha: float, lam: float, m: np.ndarray) -> tuple[float, float]:
        """MacKay's step for both precisions."""
        gamma = float(np.sum(alpha * p.s**2 / (lam + alpha * p.s**2)))
        tiny = np.finfo(float).tiny
        new_lam = (gamma + 2 * self.lambda_1) / max(float(m @ m) + 2 * self.lambda_2, tiny)
        new_alpha = (p.n - gamma + 2 * self.alpha_1) / max(p.misfit(m) + 2 * self.alpha_2, tiny)
        return max(new_alpha, tiny), max(new_lam, tiny)


def find(
    p: Rotated, prior: Hyper, start: tuple[float, float], max_iter: int, tol: float
) -> tuple[float, float, Trace]:
    """Both precisions by fixed-point steps, until the weights move by less than `tol` in all."""
    alpha, lam = start
    scores, path, before, converged = [], [], None, False
    for i in range(max_iter):
        m = p.weights(alpha, lam)
        scores.append(prior.score(p, alpha, lam, m))
        path.append((alpha, lam))
        alpha, lam = prior.improved(p, alpha, lam, m)
        if i and np.sum(np.abs(p.back.T @ (before - m))) < tol:
            converged = True
            break
        before = m
    scores.append(prior.score(p, alpha, lam, p.weights(alpha, lam)))
    alphas, lams = np.array([*path, (alpha, lam)]).T
    return alpha, lam, Trace(np.array(scores), converged, {"alpha": alphas, "lambda": lams})


@estimator
class BayesianRidge(ReturnsStd):
    """Ridge regression whose penalty and noise are found from the data, under scikit-learn's names.

    Parameters
    ----------
    max_iter, tol
        Most steps, and the change of all weights together below which they end.
    alpha_1, alpha_2
        Shape and rate of the gamma prior on the precision of the noise.
    lambda_1, lambda_2
        Shape and rate of the gamma prior on the precision of the weights.
    alpha_init, lambda_init
        Where the precisions begin; None: one over the variance of the target, and one.
    compute_score
        Whether `scores_` keeps the objective of every step; `trace_` has it in any case.
    fit_intercept
        Whether to add a constant; every value of it is equally plausible beforehand.
    copy_X, verbose
        Taken for scikit-learn's sake and without effect.
    basis, standardize
        As in `BayesianLinearRegression`.

    Attributes
    ----------
    alpha_, lambda_
        Precision of the noise, and of the weights.
    sigma_
        Covariance of the weights of the columns.
    models_
        `BayesianLinearRegression` at these precisions, for each target: posterior, evidence, predictive distributions.

    Notes
    -----
    Steps, their number and their answer are scikit-learn's, but for the last of `scores_`, which belongs here to the
    precisions returned. The gamma priors are in the units of the target and of the
    columns, and the steps stop early by default: `BayesianLinearRegression` has neither, and finds the maximum
    of the evidence to all digits.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.linear import BayesianRidge
    >>> data = diabetes()
    >>> model = BayesianRidge().fit(data.X, data.y)
    >>> print(f"{model.alpha_:.6f} {model.lambda_:.6f} in {model.n_iter_} steps")
    0.000324 0.082304 in 26 steps
    >>> mean, std = model.predict(data.X[:1], return_std=True)
    >>> print(mean.round(1), std.round(1))
    [204.6] [55.9]
    """

    _: KW_ONLY
    max_iter: int = 300
    tol: float = 1e-3
    alpha_1: float = 1e-6
    alpha_2: float = 1e-6
    lambda_1: float = 1e-6
    lambda_2: float = 1e-6
    alpha_init: float | None = None
    lambda_init: float | None = None
    compute_score: bool = False
    fit_intercept: bool = True
    copy_X: bool = True
    verbose: bool | int = False
    standardize: bool = False

    weight_kind: Literal["counts", "precision"] = field(init=False, default="counts")

    alpha_: Any = field(init=False)
    lambda_: Any = field(init=False)
    models_: tuple[BayesianLinearRegression, ...] = field(init=False)
    scores_: np.ndarray = field(init=False)
    trace_: Trace | tuple[Trace, ...] = field(init=False)
    n_iter_: int = field(init=False)

    @one_blas_thread()
    def solve(self, statistics: Triangle) -> Self:
        """Write every fitted attribute from the statistics."""
        t = statistics
        check_not_empty(t.n)
        prior = self._checked()
        fits = [self._target(t.target(j), prior) for j in range(t.header.n_outputs)]
        models = tuple(
            self._at_precisions(alpha, lam).solve(t.target(j)) for j, (alpha, lam, _) in enumerate(fits)
        )
        functions = [m.function_ for m in models]
        value, slope = np.concatenate([f.value for f in functions]), np.hstack([f.slope for f in functions])
        self._publish(t, functions[0].replaced(value, slope))
        self.models_ = models
        alphas, lams, traces = zip(*fits, strict=True)
        self.alpha_, self.lambda_ = self._one(np.array(alphas)), self._one(np.array(lams))
        self.trace_ = traces[0] if len(traces) == 1 else traces
        self.n_iter_ = max(len(trace) for trace in traces) - 1
        self.scores_ = (
            np.concatenate([trace.objective for trace in traces]) if self.compute_score else np.empty(0)
        )
        if not all(trace.converged for trace in traces):
            warn(f"The weights had not settled after max_iter = {self.max_iter} steps.", SolverNotConverged)
        return self

    def _target(self, t: Triangle, prior: Hyper) -> tuple[float, float, Trace]:
        """The precisions for one target, and the way there."""
        n = self._sample_size(t)
        start = (self.alpha_init or 1 / (float(t.scatter_y[0]) / n + EPS), self.lambda_init or 1.0)
        p = Rotated.of(t, self.fit_intercept, self.standardize, n)
        return find(p, prior, start, int(self.max_iter), self.tol)

    def _checked(self) -> Hyper:
        check_flags(self, "fit_intercept", "standardize", "compute_score")
        check_no_effect(self, "copy_X", "verbose", "tol")
        check_steps(self.max_iter)
        for name in ("alpha_init", "lambda_init"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name), low=0, strict=True)
        names = ("alpha_1", "alpha_2", "lambda_1", "lambda_2")
        return Hyper(*(check_number(name, getattr(self, name), low=0) for name in names))

    def _at_precisions(self, alpha: float, lam: float) -> BayesianLinearRegression:
        return BayesianLinearRegression(
            lam,
            noise_precision=alpha,
            fit_intercept=self.fit_intercept,
            basis=self.basis,
            standardize=self.standardize,
        )

    # -- reading --------------------------------------------------------------------------------------
    @property
    def intercept(self) -> str:
        """Every constant is equally plausible beforehand; evidence is comparable with models that say so too."""
        return "flat"

    @property
    def posterior_(self) -> MultivariateNormal:
        """Of (intercept, weights) at the precisions found; one per target."""
        each = [m.posterior_ for m in self.models_]
        if self.statistics_.header.n_targets is None:
            return each[0]
        return MultivariateNormal(np.stack([d.mean for d in each]), np.stack([d.cov for d in each]))

    @property
    def sigma_(self) -> np.ndarray:
        """Covariance of the weights, in the precision of the table; one per target."""
        weights = slice(int(self.fit_intercept), None)
        return self.posterior_.cov[..., weights, weights].astype(self.coef_.dtype)

    @property
    def log_evidence_(self) -> float:
        """log p(y) at the precisions found, without their priors."""
        return float(sum(m.log_evidence_ for m in self.models_))

    @property
    def evidence_kind_(self) -> str:
        """Given the precisions, weights and constant are integrated out exactly."""
        return "exact"

    @property
    def effective_parameters_(self) -> Any:
        """The trace of the hat matrix, in which a constant is one; one per target."""
        return self._one(np.array([m.effective_parameters_ for m in self.models_]))

    # -- prediction -----------------------------------------------------------------------------------
    def predict_dist(self, X: Any, *, noise: bool = True) -> Normal:
        """Normal of a new observation, with the uncertainty of weights and constant."""
        check_is_fitted(self)
        each = [m.predict_dist(X, noise=noise) for m in self.models_]
        if self.statistics_.header.n_targets is None:
            return each[0]
        whole = Normal(np.column_stack([d.mean for d in each]), np.column_stack([d.std for d in each]))
        return noted(whole, each[0].notes)
