r"""Least squares and everything it says about its own certainty (FCML §1.3, §2.7–2.10; PRML §3.1).

Model        y = b + φ(x)ᵀ w + ε,  ε ~ N(0, σ²)
Weights      ŵ minimizes Σ (y − b − φᵀw)²                                   (FCML 1.16, PRML 3.15)
Noise        σ̂² = SSE / n  (ML, FCML 2.36),   s² = SSE / (n − p)  (unbiased, FCML 2.53)
Covariance   cov{ŵ} = s² (ΦᵀΦ)⁻¹,  Fisher information ΦᵀΦ / σ̂²              (FCML 2.45, 2.47)
Predictive   y* ~ t_{n−p}(b + φ*ᵀŵ, s² (1 + φ*ᵀ(ΦᵀΦ)⁻¹φ*))
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Literal, Self

import numpy as np
from scipy.special import stdtr, stdtrit
from sklearn.base import clone

from suffice._core.errors import InvalidParameter, NumericalError, check_choice, check_flags, check_fraction
from suffice._core.linalg import svd
from suffice._core.memory import need_memory
from suffice._core.numerics import LOG_2PI
from suffice._core.records import estimator
from suffice._estimator import (
    LinearModel,
    LinearSmoother,
    check_is_fitted,
    check_no_effect,
    check_not_empty,
    open_inputs,
    warn_dependent,
    warn_ill_conditioned,
)
from suffice._estimator.summary import Summary
from suffice.distributions import StudentT
from suffice.engine import one_blas_thread
from suffice.linear._positive import solution as positive_solution
from suffice.statistics import AffineFunction, Solution, Triangle
from suffice.statistics.leave_out import LeftOut, Smoother
from suffice.statistics.lstsq import System, system

BOOKS: dict[str, dict[str, Any]] = {text: {"variance": "ml"} for text in ("fcml", "prml", "herbst")}


def leverage(solution: Solution, z: np.ndarray, n: float) -> np.ndarray:
    """φᵀ(ΦᵀΦ)⁻¹φ for rows z = φ − center, intercept included (PRML §3.1.2)."""
    return np.sum((z @ solution.basis) ** 2, axis=1) + (1 / n if solution.fit_intercept else 0.0)


def raw_root(function: AffineFunction, solution: Solution, n: float) -> np.ndarray:
    """F with F Fᵀ = (ΦᵀΦ)⁻¹ over (intercept, weights) on the raw columns; NaN where undetermined."""
    d, r = solution.basis.shape
    root = np.zeros((1 + d, 1 + r), dtype=np.longdouble)
    root[0, 0] = 1 / np.sqrt(n) if solution.fit_intercept else 0.0
    root[1:, 1:] = solution.basis
    F = function.raw_of(root).astype(float)
    loose = solution.looseness(function.to_raw().astype(float)[:, 1:])
    F[loose > 1e-8 * max(loose.max(), 1e-300)] = np.nan
    return F


@estimator
class LinearRegression(LinearSmoother, LinearModel):
    """Linear regression by least squares, with standard errors and predictive distributions.

    Parameters
    ----------
    fit_intercept
        Whether to add a constant.
    basis
        Functions of the inputs, for example `Polynomial(3)`; None uses the columns as they are.
    standardize
        Measure columns in standard deviations from their mean. With an intercept this changes nothing but the choice
        among equally good weights when columns depend on each other. Without one the function is zero at the mean of
        the columns instead of the origin, and `intercept_` is the constant this takes.
    positive
        Whether no weight may be below zero (non-negative least squares). The columns whose weights are zero are
        then left out, and what is said of certainty takes that for known; their standard errors are NaN.
    copy_X, tol, n_jobs
        Taken for scikit-learn's sake and without effect: least squares is solved for directly.
    weight_kind
        "counts": weight 2 equals the row twice. "precision": the noise variance of a row is σ²/weight,
        as in weighted least squares, and the number of rows counts in the degrees of freedom.
    rcond
        Columns that add less than this fraction of their length to the others count as dependent.
        None: about forty times the rounding error. `singular_cutoff` is one of singular values.
    singular_cutoff
        Truncated singular values (PRML §3.1.2): those up to this fraction of the largest count as zero, as `rcond` of
        `numpy.linalg.pinv` does. They are those of the columns, centred with an intercept, standardized with
        `standardize`; the fit then depends on the units of the columns. None: nothing is truncated.
    variance
        Which noise variance the uncertainties are made of. "unbiased": s² = SSE/(n − p) with Student-t
        quantiles. "ml": σ̂² = SSE/n with normal ones (Student-t with infinite degrees of freedom), which is
        too small by the factor 1 − p/n on average; the texts plug it in.

    Examples
    --------
    >>> from suffice.datasets import olympic_100m_men
    >>> from suffice.linear import LinearRegression
    >>> data = olympic_100m_men()
    >>> model = LinearRegression().fit(data.X, data.y)
    >>> print(f"{model.intercept_:.4f} {model.coef_[0]:.5f}")
    36.4165 -0.01333
    >>> low, high = model.predict_dist([[2012]]).interval(0.95)
    >>> print(f"{low[0]:.2f} to {high[0]:.2f} seconds")
    9.08 to 10.11 seconds
    """

    _: KW_ONLY
    fit_intercept: bool = True
    copy_X: bool = True
    tol: float = 1e-6
    n_jobs: int | None = None
    positive: bool = False
    standardize: bool = False
    rcond: float | None = None
    singular_cutoff: float | None = None
    variance: Literal["unbiased", "ml"] = "unbiased"

    solution_: Solution = field(init=False)
    rank_: int = field(init=False)
    dof_: float = field(init=False)
    noise_variance_: Any = field(init=False)
    noise_covariance_ml_: np.ndarray = field(init=False)
    log_likelihood_: float = field(init=False)
    aic_: float = field(init=False)
    bic_: float = field(init=False)

    _starts_from_residuals = True

    @classmethod
    def book(cls, text: Literal["fcml", "prml", "herbst"] = "fcml", **options: Any) -> Self:
        """Least squares with the noise variance that a text plugs in, σ̂² = SSE/n (FCML 2.36, PRML 3.21).

        `cov_params_` is then FCML's cov{ŵ} (2.47) and `predict_dist(X, noise=False).var` its σ²_new (2.51).

        Examples
        --------
        >>> from suffice.datasets import olympic_100m_men
        >>> from suffice.linear import LinearRegression
        >>> data = olympic_100m_men()
        >>> print(f"{LinearRegression.book('fcml').fit(data.X, data.y).cov_params_[0, 0]:.4f}")
        5.7972
        """
        check_choice("text", text, tuple(BOOKS))
        return cls(**(BOOKS[text] | options))

    @one_blas_thread()
    def solve(self, statistics: Triangle) -> Self:
        """Write every fitted attribute from the statistics."""
        t, rcond = statistics, self.rcond
        check_not_empty(t.n)
        check_flags(self, "fit_intercept", "standardize", "positive")
        check_no_effect(self, "copy_X", "tol", "n_jobs")
        check_choice("variance", self.variance, ("unbiased", "ml"))
        if rcond is not None:
            check_fraction("rcond", rcond)
        if self.singular_cutoff is not None:
            self._check_cutoff()
        s = self._solution(t)
        self._publish(t, s.function)
        n, p = self._sample_size(t), s.rank + bool(self.fit_intercept)
        residual = s.residual
        with np.errstate(divide="ignore"):
            self.solution_, self.rank_, self.dof_ = s, s.rank, n - p
            self.noise_variance_ml_ = self._scalar(s.sse / n)
            self.noise_variance_ = self._scalar(s.sse / (n - p) if n > p else np.full_like(s.sse, np.nan))
            self.noise_covariance_ml_ = residual.T @ residual / n
            logs = np.log(s.sse / n)
        if self._differ:
            self.noise_variance_ = np.array([m.noise_variance_ for m in self._alone()])
        self.log_likelihood_ = float(np.sum(-0.5 * n * (1 + LOG_2PI + logs) + self._log_weight(t)))
        parameters = (p + 1) * t.header.n_outputs
        self.aic_ = 2 * parameters - 2 * self.log_likelihood_
        self.bic_ = float(np.log(n)) * parameters - 2 * self.log_likelihood_
        return self

    def _check_cutoff(self) -> None:
        check_fraction("singular_cutoff", self.singular_cutoff)
        if self.rcond is not None or self.positive:
            raise InvalidParameter(
                "singular_cutoff goes with neither rcond nor positive=True: write "
                f"LinearRegression(singular_cutoff={self.singular_cutoff!r}) or LinearRegression(rcond={self.rcond!r})."
            )

    def _solution(self, t: Triangle) -> Solution:
        if self.positive:
            return positive_solution(t, self.fit_intercept, self.rcond, self.standardize)
        if self.singular_cutoff is not None:
            options = {"fit_intercept": self.fit_intercept, "standardize": self.standardize}
            return t.truncated_lstsq(self.singular_cutoff, **options)
        s = t.lstsq(fit_intercept=self.fit_intercept, rcond=self.rcond, standardize=self.standardize)
        warn_dependent(t, s.constant, s.dependent)
        warn_ill_conditioned(s.condition)
        return s

    @property
    def singular_(self) -> np.ndarray:
        """Singular values of the columns, centred if there is an intercept."""
        check_is_fitted(self)
        t = self.statistics_.moved(self.statistics_.layout.in_frame(None))
        if self.fit_intercept:
            return t.centered_svd()[0]
        rows = t.without_intercept().factor[:, 1 : 1 + t.n_columns]
        return svd(rows)[1][: t.n_columns]

    # -- the weights' uncertainty ---------------------------------------------------------------------
    @property
    def cov_params_(self) -> np.ndarray:
        """Covariance of (intercept, weights) with the noise variance of `variance`; one matrix per target.

        Entries of weights that the data do not determine are NaN. Without residual degrees of freedom there is none.
        """
        check_is_fitted(self)
        if self.variance != "ml":
            self._need_dof()
        if self._differ:
            return np.stack([m.cov_params_ for m in self._alone()])
        return self._outer(self._noise[0])

    @property
    def fisher_information_(self) -> np.ndarray:
        """ΦᵀΦ / σ̂² over (intercept, weights), at the maximum-likelihood noise variance."""
        check_is_fitted(self)
        p, k = 1 + self.statistics_.n_columns, np.size(self.noise_variance_ml_)
        need_memory(2 * 8 * (k + 1) * p * p, f"The information of {p} weights", "predict_dist needs none.")
        t = self.statistics_.moved(self.statistics_.layout.in_frame(None))
        A = t.factor[:, : 1 + t.n_columns].copy()
        A[0, 1:] += A[0, 0] * t.layout.shift_x
        A = A if self.fit_intercept else A[:, 1:]
        return self._scalar(A.T @ A / np.reshape(self.noise_variance_ml_, (-1, 1, 1)))

    @one_blas_thread()
    def summary(self, confidence: float = 0.95) -> Summary:
        """Estimates, standard errors, t, p, intervals, and importance |w|·σ_x, for one target."""
        check_is_fitted(self)
        check_fraction("confidence", confidence)
        if np.ndim(self.intercept_):
            raise NumericalError("summary() describes one target; fit the targets one by one.")
        self._need_dof()
        skip = 0 if self.fit_intercept else 1
        w = np.concatenate([[self.intercept_], self.coef_])[skip:]
        noise, dof = self._noise
        se = np.sqrt(noise) * np.linalg.norm(self._root(), axis=1)[skip:]
        spread = np.concatenate([[0.0], np.abs(self.coef_) * self.statistics_.raw_scale()])[skip:]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = w / se
        half = stdtrit(dof, 0.5 + confidence / 2) * se
        terms = ("intercept", *self.statistics_.header.column_names)[skip:]
        return Summary(terms, w, se, t, 2 * stdtr(dof, -np.abs(t)), w - half, w + half, spread, confidence)

    # -- prediction -----------------------------------------------------------------------------------
    @one_blas_thread()
    def predict_dist(self, X: Any, *, noise: bool = True) -> StudentT:
        """Student-t of a new observation; `noise=False` for the uncertainty of the mean alone."""
        X = open_inputs(self, X)
        self._need_dof()
        if self._differ:
            each = [m.predict_dist(X, noise=noise) for m in self._alone()]
            columns = (np.column_stack([getattr(d, k) for d in each]) for k in ("dof", "loc", "scale"))
            return self._with_notes(StudentT(*columns), X)
        z = self.function_.deviations(X)
        spread = leverage(self.solution_, z, self.statistics_.n) + float(noise)
        variance, dof = self._noise
        scale = np.sqrt(np.multiply.outer(spread, np.atleast_1d(variance)))
        mean = self.function_.value + z @ self.function_.slope
        self._need_determined(z)
        return self._with_notes(StudentT(dof, self._shaped(mean), self._shaped(scale)), X)

    def leverage(self, X: Any) -> np.ndarray:
        """How strongly each row would pull its own prediction (the diagonal of the hat matrix)."""
        X = open_inputs(self, X)
        return leverage(self.solution_, self.function_.deviations(X), self.statistics_.n)

    def hat_matrix(self, X: Any) -> np.ndarray:
        """H with ŷ = H y, where X are the (unweighted) rows of the fit (PRML Fig. 3.2)."""
        X = open_inputs(self, X)
        z = self.function_.deviations(X) @ self.solution_.basis
        return z @ z.T + (1 / self.statistics_.n if self.fit_intercept else 0.0)

    @property
    def condition_(self) -> float:
        """How ill-conditioned the unit-scaled columns are: digits lost are about its decimal logarithm."""
        return self.solution_.condition

    # -- validation -----------------------------------------------------------------------------------
    @property
    def ignores_scale(self) -> bool:
        """With an intercept, least squares has the same fitted values in any units."""
        return bool(self.fit_intercept) and (self.singular_cutoff is None or self.standardize)

    def subset_system(self, statistics: Triangle) -> tuple[System, float] | None:
        """The least squares of any of the columns, with no penalty; None where they are judged jointly."""
        if self.rcond is not None or self.singular_cutoff is not None or self.positive:
            return None
        return system(statistics, self.fit_intercept, self.standardize), 0.0

    def _why_hat_varies(self) -> str | None:
        if self.positive:
            return "which weights are zero differs between the folds"
        if self.singular_cutoff is not None:
            return "which singular values are dropped differs between the folds"
        if self.standardize and not self.fit_intercept:
            return "without an intercept, standardizing moves the origin in every fold"
        return None

    def _smoother(self, t: Triangle) -> Smoother:
        s = self._solution(t)
        return Smoother.of_solution(s, t.n)

    def left_out_dist(self, left: LeftOut, single: bool) -> StudentT:
        """Student-t with the noise variance and the leverage of the smaller fits."""
        size = self._left_out_size(left)
        dof = size - left.parameters
        if np.any(dof <= 0):
            raise NumericalError(f"Fold {left.fold[np.argmin(dof)]} has no residual degrees of freedom.")
        divisor, dof = (size, np.full(len(dof), np.inf)) if self.variance == "ml" else (dof, dof)
        scale = np.sqrt(left.sse[left.fold] / divisor[:, None] * (1 + left.spread)[:, None])
        mean = left.predictions
        return StudentT(dof, mean[:, 0], scale[:, 0]) if single else StudentT(dof[:, None], mean, scale)

    # -- helpers --------------------------------------------------------------------------------------
    @property
    def _noise(self) -> tuple[Any, float]:
        """The noise variance that uncertainties are made of, and its degrees of freedom."""
        return (
            (self.noise_variance_ml_, np.inf) if self.variance == "ml" else (self.noise_variance_, self.dof_)
        )

    def _scalar(self, a: np.ndarray) -> Any:
        """One target: its own value; several: one entry per target, first axis."""
        a = np.asarray(a)
        return (float(a[0]) if a.ndim == 1 else a[0]) if self.statistics_.header.n_targets is None else a

    def _root(self) -> np.ndarray:
        root = raw_root(self.function_, self.solution_, self.statistics_.n)
        if self.positive:  # a weight that is held at zero has no error of its own
            root[1:][~self.function_.slope.any(axis=1)] = np.nan
        return root

    def _outer(self, variance: Any) -> np.ndarray:
        check_is_fitted(self)
        p, k = 1 + self.statistics_.n_columns, np.size(variance)
        need_memory(
            2 * 8 * (k + 1) * p * p, f"The covariance of {p} weights", "predict_dist and leverage need none."
        )
        F = self._root()
        F = F if self.fit_intercept else F[1:]
        return self._scalar(np.reshape(variance, (-1, 1, 1)) * (F @ F.T))

    @property
    def _differ(self) -> bool:
        """Whether the targets have their own zeros, and so their own certainty."""
        return self.positive and self.statistics_.header.n_targets is not None

    def _alone(self) -> list[Self]:
        """A model per target."""
        t = self.statistics_
        return [clone(self).solve(t.target(j)) for j in range(t.header.n_outputs)]

    def _need_dof(self) -> None:
        if self.dof_ <= 0:
            n = self._sample_size(self.statistics_)
            raise NumericalError(
                f"No residual degrees of freedom: n = {n:g} and {n - self.dof_:g} parameters. "
                "Uncertainty needs more rows, fewer columns, or BayesianLinearRegression."
            )

    def _need_determined(self, z: np.ndarray) -> None:
        loose = np.flatnonzero(self.solution_.leaves_span(z))
        if len(loose):
            raise NumericalError(
                f"Row {loose[0]} leaves the span of the training rows, where the prediction is undetermined "
                "(see the RankDeficient warning of fit). Drop dependent columns, or use Ridge."
            )
