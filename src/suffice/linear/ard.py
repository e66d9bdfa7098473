r"""Linear regression with one precision per weight: automatic relevance determination, relevance vectors.

Prior        w_i ~ N(0, 1/α_i), each weight with a precision of its own        (PRML §3.6 names it; Ch. 7.2)
Likelihood   y | w ~ N(b + Φ w, β⁻¹ I)
Evidence     log ∫ p(y | w) p(w) dw, maximized over all α_i and β: many α_i diverge, and their weights vanish
Fixed point  α_i = γ_i/m_i²,  γ_i = 1 − α_i S_ii,  1/β = ‖y − Φm‖²/(N − Σ γ_i)

With bumps at the rows as basis the surviving bumps are the relevance vectors. The search is in `_solvers/relevance.py`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from numbers import Real
from typing import Any, Literal, Self

import numpy as np

from suffice._core.errors import (
    AtBound,
    InvalidInput,
    InvalidParameter,
    check_choice,
    check_flags,
    check_number,
    warn,
)
from suffice._core.linalg import EPS, column_lengths, solve_square
from suffice._core.memory import need_memory
from suffice._core.numerics import LOG_2PI
from suffice._core.records import estimator, record
from suffice._core.trace import Trace
from suffice._estimator import check_no_effect, check_not_empty, open_inputs
from suffice._estimator.convergence import SolverNotConverged
from suffice.bases import GaussianBasis
from suffice.distributions import MultivariateNormal, Normal
from suffice.engine import one_blas_thread
from suffice.linear._return_std import ReturnsStd, check_steps
from suffice.linear._solvers.intercept import InterceptRule, as_normal
from suffice.linear._solvers.relevance import Relevance, find
from suffice.linear._solvers.spread import Spread
from suffice.linear._solvers.tableau import TableauProblem, log_evidence
from suffice.statistics import Triangle
from suffice.statistics.lstsq import SIZES, System
from suffice.statistics.penalized import stacked

LARGE = 1e140  # numbers whose squares, times those of others, are numbers
LONG = 1e153  # a length whose square is a number
WORTH = 10.0  # log evidence that no threshold should throw away silently


@record
class ScaledTarget:
    """One target's problem in units of its own: columns of unit length, a target of unit length.

    `back` turns scaled weights into the unknowns of the system: a matrix (q, q), or a number for each (q,). `unit` is
    the length of the target.
    """

    problem: TableauProblem
    back: np.ndarray
    norm: np.ndarray
    unit: float

    def unknowns(self, on: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(q, m) from the scaled weights (on, m) of some columns, the others being zero."""
        if self.back.ndim == 2:
            return self.back[:, on] @ v
        out = np.zeros((len(self.back), v.shape[1]))
        out[on] = self.back[on, None] * v
        return out


def scaled(s: System, target: int, n: float, beta: float | None) -> ScaledTarget:
    """The columns of the parameters that have a prior, whatever frame the system is in."""
    z, left = s.Z[:, target], float(np.sum(s.left_over[:, target] ** 2))
    need_memory(
        4 * 8 * s.size**2,
        f"A search over the precisions of {s.size} weights",
        "BayesianRidge has one for all.",
    )
    if s.is_diagonal:
        inverse = 1 / s.sizes
        A, norm = s.R * inverse, column_lengths(s.R) * inverse
        there = norm > 0
    else:
        inverse = solve_square(s.penalty, np.eye(s.size), SIZES)
        A = s.R @ inverse
        norm = column_lengths(A)
        # else the rounding of larger columns
        there = norm > 16 * EPS * (column_lengths(s.R) @ np.abs(inverse))
    A, norm = np.where(there, A, 0.0), np.where(there, norm, 1.0)
    _check_squares(s, norm)
    floor = (4 * EPS) ** 2 * (float(s.triangle.fingerprint.squares[target]) or 1.0)
    unit = float(np.sqrt(max(float(z @ z) + left, floor)))
    if not 1 / LONG < unit < LONG:
        raise InvalidInput(
            f"The targets, times the roots of their weights, have a length of {unit:.0e}, whose square "
            f"{'overflows' if unit > 1 else 'vanishes'}; rescale y or the weights."
        )
    known = None if beta is None else beta * unit**2
    p = TableauProblem(A / norm, z / unit, left / unit**2, n, known, floor / unit**2)
    return ScaledTarget(p, inverse / norm, norm, unit)


def _check_squares(s: System, norm: np.ndarray) -> None:
    """The precision of a weight is in the units of its column squared; powers of large numbers may have none."""
    for j in np.flatnonzero((norm > LARGE) | (norm < 1 / LARGE))[:1]:
        names = ("intercept",) * s.counted + s.triangle.header.column_names
        raise InvalidInput(
            f"Column {names[j]!r} has numbers of the order {norm[j]:.0e}, whose squares "
            f"{'overflow' if norm[j] > 1 else 'vanish'}; rescale it."
        )


@record
class SparsePosterior:
    """One target's answer: precisions, posterior of the unknowns, relevance, evidence, and how it was found."""

    alphas: np.ndarray
    beta: float
    mean: np.ndarray
    root: np.ndarray
    relevance: np.ndarray
    log_evidence: float
    trace: Trace
    found: Relevance


def sparse_fit(c: ScaledTarget, found: Relevance, extra: float) -> SparsePosterior:
    """Posterior and evidence at the precisions that were found, from one factorization."""
    p, on = c.problem, np.flatnonzero(np.isfinite(found.ratios))
    beta = p.noise_precision(found.energy)
    lam, q = found.ratios[on], len(found.ratios)
    fit = stacked(p.A[:, on], p.y[:, None], np.diag(np.sqrt(lam)), np.zeros((len(on), 1)))
    relevance = np.zeros(q)
    relevance[on] = 1 - lam * np.sum(fit.root**2, axis=1)
    constant = extra - p.n * (0.5 * LOG_2PI + np.log(c.unit))
    evidence = constant + log_evidence(p.n, beta, lam, fit.log_det, float(fit.misfit[0]) + p.left)
    return SparsePosterior(
        found.ratios * (c.norm / c.unit) ** 2 * beta,
        beta / c.unit**2,
        c.unknowns(on, fit.mean)[:, 0] * c.unit,
        c.unknowns(on, fit.root) * (c.unit / np.sqrt(beta)),
        relevance,
        evidence,
        Trace(found.log_evidences + constant, found.converged, {}),
        found,
    )


def _side_by_side(roots: list[np.ndarray]) -> np.ndarray:
    """(k, q, m), with columns of zeros where a target has fewer relevant weights than others."""
    most = max((root.shape[1] for root in roots), default=0)
    return np.stack([np.pad(root, ((0, 0), (0, most - root.shape[1]))) for root in roots])


@estimator
class ARDRegression(ReturnsStd):
    """Linear regression that finds which columns matter: one precision per weight, by evidence.

    Weights whose precision diverges are exactly zero. With bumps at the rows of the fit as `basis` this is the
    relevance vector machine.

    Parameters
    ----------
    noise_precision
        One over the variance of the noise (β), or "evidence" to find it together with the others.
    intercept
        "flat": every value is equally plausible beforehand. "prior": it is one more weight, the first, with a
        precision of its own.
    fit_intercept, basis, standardize, weight_kind
        As in `BayesianLinearRegression`.
    threshold_lambda
        Weights whose prior precision exceeds this are pruned, as in scikit-learn, but whatever the units of y and of
        the columns: the precision counts as it is where the noise and every column have a mean square of one.
        Infinity keeps every weight that raises the evidence.
    max_iter
        The most changes of single precisions, for each column.
    alpha_1, alpha_2, lambda_1, lambda_2
        scikit-learn's gamma priors on the precisions. Their defaults stand for none here; other values are refused.
    compute_score
        Whether `scores_` keeps the evidence of every change; `trace_` has it in any case.
    tol, copy_X, verbose
        Taken for scikit-learn's sake and without effect: changes are exact, and end where none is left to make.

    Attributes
    ----------
    alpha_, lambda_
        Precision of the noise, and of the weights (infinite where pruned).
    sigma_
        Covariance of the weights that were kept.

    Notes
    -----
    The evidence of many precisions has several maxima; the search starts without weights and takes the best
    change first. Each change is the exact maximum over one precision (and the noise), so the evidence in `trace_`
    never falls. With more columns than rows its maximum often is a nearly exact fit with
    little noise and many weights; a known noise_precision prevents that.

    Pruned weights have the prior precision infinity. `relevance_` is γ, the share of each weight that the data
    determine. As the precisions are chosen by maximizing it, `log_evidence_` is a little too high to compare with
    models whose precisions were fixed beforehand.

    `effective_parameters_` is the trace of the hat matrix, in which a flat intercept is one, as in `Ridge`.
    `well_determined_parameters_` is the γ of the evidence (PRML 3.91), which leaves a flat intercept out.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.linear import ARDRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((100, 5))
    >>> y = 1 + 2 * X[:, 1] - X[:, 3] + 0.1 * rng.standard_normal(100)
    >>> model = ARDRegression().fit(X, y)
    >>> print(model.coef_.round(2), model.relevance_.round(2))
    [ 0.    2.01  0.   -0.99  0.  ] [0. 1. 0. 1. 0.]
    """

    _: KW_ONLY
    noise_precision: float | Literal["evidence"] = "evidence"
    intercept: Literal["flat", "prior"] = "flat"
    fit_intercept: bool = True
    standardize: bool = False
    threshold_lambda: float = 10_000.0
    max_iter: int = 300
    tol: float = 1e-3
    alpha_1: float = 1e-6
    alpha_2: float = 1e-6
    lambda_1: float = 1e-6
    lambda_2: float = 1e-6
    compute_score: bool = False
    copy_X: bool = True
    verbose: bool | int = False

    prior_precisions_: np.ndarray = field(init=False)
    noise_precision_: Any = field(init=False)
    relevance_: np.ndarray = field(init=False)
    effective_parameters_: Any = field(init=False)
    well_determined_parameters_: Any = field(init=False)
    root_: np.ndarray = field(init=False)
    log_evidence_: float = field(init=False)
    evidence_kind_: str = field(init=False)
    trace_: Trace | tuple[Trace, ...] = field(init=False)
    n_iter_: int = field(init=False)

    @one_blas_thread()
    def solve(self, statistics: Triangle) -> Self:
        """Write every fitted attribute from the statistics."""
        t, beta = statistics, self._given()
        check_not_empty(t.n)
        n, extra = self._rule.integrated(self._sample_size(t), self._log_weight(t), t)
        if beta is None and n <= 0:
            raise InvalidInput(
                "With n_samples = 1 and a flat intercept nothing is left to find a precision from; add rows."
            )
        s = self._rule.system(t, self.standardize)
        fits = []
        for c in (scaled(s, j, n, beta) for j in range(t.header.n_outputs)):
            most = float(self.threshold_lambda) / self._sample_size(t)
            fits.append(sparse_fit(c, find(c.problem, self.max_iter * s.size, most), extra))
        self._publish(t, s.function(np.column_stack([f.mean for f in fits])))
        self.prior_precisions_ = self._per_target([f.alphas for f in fits])
        kept = np.isfinite(self.prior_precisions_)[..., int(s.counted) :]
        self.coef_ = np.where(kept, self.coef_, 0.0)  # a change of frame may leave rounding
        self.noise_precision_ = self._per_target([f.beta for f in fits])
        self.relevance_ = self._per_target([f.relevance for f in fits])
        self.well_determined_parameters_ = self._per_target([float(f.relevance.sum()) for f in fits])
        self.effective_parameters_ = self.well_determined_parameters_ + float(self._rule.flat)
        self.root_ = _side_by_side([f.root for f in fits])
        self.log_evidence_ = float(sum(f.log_evidence for f in fits))
        self.evidence_kind_ = "exact"
        self.trace_ = fits[0].trace if len(fits) == 1 else tuple(f.trace for f in fits)
        self.n_iter_ = max(1, *(f.found.steps for f in fits))
        self._warn_of_limits(fits)
        return self

    def _given(self) -> float | None:
        """The precision of the noise if it is fixed."""
        check_flags(self, "fit_intercept", "standardize")
        check_choice("intercept", self.intercept, ("flat", "prior"))
        most = self.threshold_lambda
        if isinstance(most, bool) or not isinstance(most, Real) or not most > 0:
            raise InvalidParameter(
                f"threshold_lambda must be a number > 0, infinity among them; got {most!r}."
            )
        check_steps(self.max_iter)
        check_flags(self, "compute_score")
        check_no_effect(self, "copy_X", "verbose", "tol")
        for name in ("alpha_1", "alpha_2", "lambda_1", "lambda_2"):
            if check_number(name, getattr(self, name), low=0) not in (0, 1e-6):
                raise InvalidParameter(
                    f"{name} must be 1e-6 or 0, which stand for no gamma prior on the precisions; got "
                    f"{getattr(self, name)!r}. BayesianRidge has such priors."
                )
        if isinstance(self.noise_precision, str):
            check_choice("noise_precision", self.noise_precision, ("evidence",))
            return None
        return check_number("noise_precision", self.noise_precision, low=0, strict=True)

    @property
    def _rule(self) -> InterceptRule:
        return InterceptRule(self.fit_intercept, self.intercept)

    def _warn_of_limits(self, fits: list[SparsePosterior]) -> None:
        if any(f.found.exact for f in fits):
            beta = max(f.beta for f in fits)
            warn(
                "The columns fit the target exactly, or nearly: the evidence rises until there is no noise "
                f"(noise_precision stopped at {beta:.3g}). With few rows, give noise_precision.",
                AtBound,
            )
        lost = max(f.found.lost for f in fits)
        if lost > WORTH:
            warn(
                f"threshold_lambda = {self.threshold_lambda:g} pruned weights that would raise the log evidence by "
                f"{lost:.3g}: they are small, but many rows tell that they are there. Raise threshold_lambda, up to "
                "infinity, to keep them.",
                AtBound,
            )
        if not all(f.trace.converged for f in fits):
            warn(
                f"The precisions had not settled after max_iter = {self.max_iter} changes per column.",
                SolverNotConverged,
            )

    # -- the posterior --------------------------------------------------------------------------------
    @property
    @one_blas_thread()
    def posterior_(self) -> MultivariateNormal:
        """Of (intercept, weights) on the raw columns, intercept first; pruned weights have variance zero."""
        mean, cov = self._rule.raw(self.function_, self._spread)
        return as_normal(mean, cov, self.statistics_.header.n_targets is None)

    @property
    def _spread(self) -> Spread:
        return self._rule.spread(self.root_, 1 / np.atleast_1d(self.noise_precision_), self.statistics_.n)

    @property
    def sigma_(self) -> Any:
        """Covariance of the weights that were kept, one matrix per target."""
        kept = np.isfinite(np.atleast_2d(self.prior_precisions_))[:, -self.statistics_.n_columns :]
        cov = np.atleast_3d(self.posterior_.cov.T).T[:, -kept.shape[1] :, -kept.shape[1] :]
        parts = [c[np.ix_(k, k)].astype(self.coef_.dtype) for c, k in zip(cov, kept, strict=True)]
        return parts[0] if self.statistics_.header.n_targets is None else parts

    @property
    def alpha_(self) -> Any:
        """Precision of the noise."""
        return self.noise_precision_

    @property
    def lambda_(self) -> np.ndarray:
        """Precisions of the weights."""
        return self.prior_precisions_[..., -self.statistics_.n_columns :]

    @property
    def scores_(self) -> np.ndarray:
        """The log evidence after each change; empty unless `compute_score`."""
        traces = (self.trace_,) if isinstance(self.trace_, Trace) else self.trace_
        return np.concatenate([t.objective for t in traces]) if self.compute_score else np.empty(0)

    @property
    def relevance_vectors_(self) -> np.ndarray:
        """Centres of the bumps that were kept (for some target), one per row."""
        if not isinstance(self.basis_, GaussianBasis):
            raise AttributeError(
                f"Relevance vectors are centres of a GaussianBasis; this model has basis={self.basis!r}. "
                "See relevance_ for the columns that were kept."
            )
        kept = np.any(np.atleast_2d(self.coef_) != 0, axis=0)
        return self.basis_.points(self.n_features_in_)[kept]

    # -- prediction -----------------------------------------------------------------------------------
    @one_blas_thread()
    def predict_dist(self, X: Any, *, noise: bool = True) -> Normal:
        """Normal of a new observation, with the weights' uncertainty; `noise=False` for the function alone."""
        X = open_inputs(self, X)
        variance = np.sum(self._spread.rows(self.function_.deviations(X)) ** 2, axis=2).T  # (N, k)
        variance = variance + (1 / np.atleast_1d(self.noise_precision_) if noise else 0.0)
        return self._with_notes(Normal(self._shaped(self.function_(X)), self._shaped(np.sqrt(variance))), X)

    def _per_target(self, values: list[Any]) -> Any:
        return values[0] if self.statistics_.header.n_targets is None else np.array(values)
