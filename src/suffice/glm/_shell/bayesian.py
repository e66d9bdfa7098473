r"""Generalized linear models with a prior: the posterior by a choice of inference, the precision by its evidence.

Prior        τ ~ N(m₀, S₀/α) over the weights (and, with intercept="prior", the intercept before them)
Posterior    p(θ | D) ∝ p(y | X, θ) p(τ), by `inference`
Evidence     log ∫ p(y | X, θ) p(τ) p(b) dτ db, with p(b) = 1 for a flat intercept of counts, and σ(b) uniform for
             one of labels, whose evidence must be a probability

The mode is found as for every generalized linear model; `target` wraps it for `inference`, which does not know what
the model is, while the model does not know which inference it was given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, ClassVar, Literal, cast

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NumericalError,
    Unsupported,
    as_numbers,
    check_choice,
    check_fraction,
    check_integer,
    check_number,
    hold_warnings,
)
from suffice._core.linalg import check_symmetric, cholesky, semidefinite_factor
from suffice._core.random import generator
from suffice._core.trace import Trace
from suffice._estimator import Estimator, check_is_fitted, open_inputs
from suffice._estimator.summary import Summary
from suffice.bases import Basis
from suffice.distributions import Distribution
from suffice.engine import one_blas_thread
from suffice.glm._fit.listing import RowsWanted, compiled_joint
from suffice.glm._fit.log_densities import LogDensitiesAt
from suffice.glm._fit.mode import Mode, find_mode
from suffice.glm._fit.pass_sums import SumsAt, Visit
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.precision import LOWEST, search, warn_bound
from suffice.glm._fit.prior import Prior, RawColumns
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._shell.curvature_summary import summary_of_curvature
from suffice.glm._shell.functions import Functions
from suffice.glm._shell.interface import LinkModel
from suffice.inference import NUTS, LaplaceApproximation, MetropolisHastings, Quadrature
from suffice.inference.laplace_approximation import LaplacePosterior
from suffice.inference.posterior import Approximation, Inference, PredictorPoints, Target

AT_ONCE = 1 << 21  # rows × points of a prediction
STILL = 1e-12  # in units of a column: what rounding alone makes of one that does not vary
ROUGH = 1e-10  # a gain left to a search on the way, whose last step makes it second order


CHOICES: dict[str, Callable[[], Inference]] = {
    "laplace": LaplaceApproximation,
    "quadrature": Quadrature,
    "metropolis-hastings": MetropolisHastings,
    "nuts": NUTS,
}


@dataclass(eq=False, repr=False)
class BayesianModel(LinkModel, ABC):
    """What both Bayesian models share; final classes put it before the shell of their targets."""

    prior_precision: float | Literal["evidence"] = "evidence"
    _: KW_ONLY
    prior_mean: Any = None
    prior_cov: Any = None
    inference: Any = "laplace"
    intercept: Literal["flat", "prior"] = "flat"
    fit_intercept: bool = True
    basis: Basis | None = None
    standardize: bool = False
    tol: float = 1e-14
    max_iter: int = 100

    n_iter_: int = field(init=False)
    approximation_: Any = field(init=False)
    laplace_: LaplacePosterior = field(init=False)
    prior_precision_: float = field(init=False)
    effective_parameters_: float = field(init=False)
    well_determined_parameters_: float = field(init=False)
    log_evidence_: float = field(init=False)
    log_evidence_error_: float = field(init=False)
    evidence_kind_: str = field(init=False)
    search_: Trace = field(init=False)

    _sigmoid: ClassVar[bool]
    _lowest: ClassVar[int] = LOWEST

    @property
    @abstractmethod
    def _proper_intercept(self) -> bool:
        """Whether there is no intercept with p(b) = 1."""

    @abstractmethod
    def _with_intercept_prior(self, plan: Plan, visit: Visit) -> Visit:
        """Passes over the rows that also see what is not normal in the prior."""

    def _check_own_parameters(self) -> None:
        check_choice("intercept", self.intercept, ("flat", "prior"))
        if isinstance(self._choice, type) or not isinstance(self._choice, Inference):
            raise InvalidParameter(
                f"inference must be one of {', '.join(map(repr, CHOICES))} or a choice such as NUTS(2000); got "
                f"{self.inference!r:.60}."
            )
        if isinstance(self.prior_precision, str) and self.prior_precision != "evidence":
            raise InvalidParameter(
                f"prior_precision must be 'evidence' or a number > 0; got {self.prior_precision!r}."
            )
        if not isinstance(self.prior_precision, str) and (
            check_number("prior_precision", self.prior_precision, low=0.0) == 0
        ):
            raise InvalidParameter(
                "prior_precision must be a number > 0; got 0. A prior of precision zero is improper and has no "
                f"evidence. Use {type(self).__name__.removeprefix('Bayesian')}(prior_precision=0)."
            )

    def set_params(self, **params: Any) -> Any:
        """As scikit-learn's; the name of an inference becomes a choice where a setting of it is given.

        Anew, for what names stand for is known here alone.
        """
        given = params.get("inference", self.inference)
        inside = any(name.startswith("inference__") for name in params)
        if inside and isinstance(given, str) and given in CHOICES:
            params = {**params, "inference": CHOICES[given]()}
        shell: Any = super()
        return shell.set_params(**params)

    @property
    def _choice(self) -> Any:
        """What `inference` says; a name stands for a choice with its default settings."""
        known = CHOICES.get(self.inference) if isinstance(self.inference, str) else None
        return self.inference if known is None else known()

    # -- the prior -------------------------------------------------------------------------------------------
    @property
    def _held(self) -> bool:
        """Whether the intercept has the weights' prior."""
        return self.fit_intercept and self.intercept == "prior"

    def _prior(self, plan: Plan, columns: RawColumns) -> Prior:
        return self._prior_at(self._first_precision(plan, columns), columns)

    def _prior_at(self, precision: float, columns: RawColumns) -> Prior:
        mean, cov = open_prior(self.prior_mean, self.prior_cov, len(columns.spread) + self._held)
        return Prior.normal(precision, mean, cov, columns, self._held)

    def _first_precision(self, plan: Plan, columns: RawColumns) -> float:
        """The given one; else that of one row's worth of scaled columns."""
        if not isinstance(self.prior_precision, str):
            return float(self.prior_precision)
        return self._unit(columns, plan.scale)

    def _unit(self, columns: RawColumns, spread: np.ndarray) -> float:
        """The precision at which the weights of columns in units of their spread have a prior variance of about one."""
        with np.errstate(divide="ignore", over="ignore"):
            size = np.linalg.norm(self._prior_at(1.0, columns).root[:, 1:], axis=0) / spread
        used = np.isfinite(size) & (size > 0)
        return float(np.exp(-2 * np.mean(np.log(size[used])))) if used.any() else 1.0

    # -- the mode --------------------------------------------------------------------------------------------
    def _find(self, plan: Plan, start: np.ndarray, visit: Visit, tick: Any) -> tuple[LinkProblem, Mode]:
        """The mode under the given precision or the most probable one, and the posterior about it."""
        columns, free = self._columns(plan, visit)
        rows, visit = visit, self._with_intercept_prior(plan, visit)
        first = self._first_precision(plan, columns)
        last = [start]

        def mode_at(precision: float, tol: float) -> tuple[LinkProblem, Mode]:
            problem = LinkProblem(plan, self._prior_at(precision, columns), free, visit)
            mode = find_mode(problem, last[0], tol=max(tol, self.tol), max_iter=self.max_iter, tick=tick)
            last[0] = mode.u
            return problem, mode

        def target_at(log_precision: float) -> Target:
            return self._target(*self._proper(*mode_at(float(np.exp(log_precision)), ROUGH)), columns)

        self.search_, precision = _no_search(), first
        if isinstance(self.prior_precision, str):
            with hold_warnings():  # of the fits on the way; the last one speaks for itself
                sums = rows(SumsAt(plan.first()))
                first = self._unit(columns, _spreads(plan, sums.gram))
                found = search(
                    lambda t: _finite(lambda: target_at(t).laplace_log_evidence),
                    lambda t: _finite(lambda: self._choice.log_evidence(target_at(t))),
                    float(np.log(first)),
                    float(sums.n),
                    self._lowest,
                )
            warn_bound(found)
            self.search_, precision = found.trace, float(np.exp(found.log_precision))
            last[0] = start
        problem, mode = self._proper(*mode_at(precision, self.tol))
        self._infer(self._target(problem, mode, columns, tick), problem, precision)
        sums = mode.sums if visit is rows else rows(SumsAt(mode.u, "gradient"))
        return problem, replace(mode, sums=sums, raw_root=self.approximation_.reported_root)

    def _look_again(self, problem: LinkProblem, mode: Mode) -> None:
        """There is nothing to look for."""

    def _no_covariance(self) -> Exception | None:
        return None

    def _proper(self, problem: LinkProblem, mode: Mode) -> tuple[LinkProblem, Mode]:
        """The same, if there is a posterior to speak of."""
        if mode.unbounded is not None and self._proper_intercept:
            raise NumericalError(
                "The prior is so wide that the likelihood grows as far as its digits go: the targets are separated. "
                "Raise prior_precision."
            )
        if mode.unbounded is not None:
            raise InvalidInput(
                "The posterior is improper: with a flat intercept the likelihood grows without end, for all targets "
                "that count are alike. Use intercept='prior'."
            )
        if mode.null.shape[1]:
            raise NumericalError(
                "The posterior has no finite spread in some direction: the prior is too wide for columns that depend "
                "on each other. Raise prior_precision, or leave columns out."
            )
        return problem, mode

    def _target(self, problem: LinkProblem, mode: Mode, columns: RawColumns, tick: Any = None) -> Target:
        prior, plan, free = problem.prior, problem.plan, problem.free
        constant = prior.log_constant + _log_volume(plan, columns)

        def log_densities(b: np.ndarray) -> np.ndarray:
            E = b @ problem.root.T - prior.place
            log_likelihoods = problem.visit(LogDensitiesAt(free @ b.T)).log_likelihood
            return log_likelihoods - 0.5 * np.sum(E * E, axis=1) + constant

        def value_and_gradient(b: np.ndarray) -> tuple[float, np.ndarray]:
            found = problem.at(b, "gradient")
            return found.objective + constant, found.gradient

        G = plan.to_raw() @ free
        names = plan.header.column_names
        return Target(
            problem.parameters(mode.u),
            mode.root,
            mode.objective + constant,
            mode.log_det,
            free,
            G if problem.whole else G[1:],
            ("intercept", *names) if self.fit_intercept else names,
            log_densities,
            value_and_gradient,
            self._sigmoid,
            lambda: compiled_joint(problem, problem.visit(RowsWanted()), constant),
            tick or (lambda: None),
        )

    def _infer(self, target: Target, problem: LinkProblem, precision: float) -> None:
        """Write what the choice of inference says."""
        found: Approximation = self._choice.approximate(target)
        self.approximation_ = found
        self.laplace_ = LaplaceApproximation().approximate(target)
        self.log_evidence_ = float(found.log_evidence)
        self.log_evidence_error_ = float(found.log_evidence_error)
        self.evidence_kind_ = found.evidence_kind
        self.prior_precision_ = precision
        root = problem.prior.root @ problem.plan.to_terms(problem.prior.center)
        held = float(np.sum((root @ found.cov).astype(float) * root.astype(float)))  # α tr S₀⁻¹ S
        self.well_determined_parameters_ = len(root) - held
        flat = self.fit_intercept and self.intercept == "flat"
        self.effective_parameters_ = self.well_determined_parameters_ + flat

    # -- the posterior ---------------------------------------------------------------------------------------
    @property
    def posterior_(self) -> Distribution:
        """Of (intercept, weights) on the raw columns, intercept first where there is one."""
        check_is_fitted(self)
        return self.approximation_.posterior

    def summary(self, confidence: float = 0.95) -> Summary:
        """Estimates, standard deviations and intervals of all weights under the posterior.

        Of a Laplace approximation at the mode, with normal quantiles; else
        posterior means and quantiles, z their ratio to the standard deviation and p twice the probability of the other
        sign.
        """
        if self.evidence_kind_ == "laplace":
            return summary_of_curvature(self, confidence)
        check_fraction("confidence", confidence)
        terms, _, _ = self._terms()
        posterior: Any = self.posterior_
        mean, std = np.asarray(posterior.mean), np.sqrt(np.diagonal(posterior.cov))
        sides = [posterior.marginal(j) for j in range(len(terms))]
        ends = np.array([[d.quantile(0.5 - confidence / 2), d.quantile(0.5 + confidence / 2)] for d in sides])
        below = np.array([float(d.cdf(0.0)) for d in sides])
        p = 2 * np.minimum(below, 1 - below)
        return Summary(terms, mean, std, mean / std, p, ends[:, 0], ends[:, 1], None, confidence, "z")

    @one_blas_thread()
    def _average(self, X: Any, report: Callable[[PredictorPoints], np.ndarray], of: Any = None) -> np.ndarray:
        """What `report` makes of a(x) under the posterior, block by block."""
        X = open_inputs(cast(Estimator, self), X)
        along = self.approximation_.along if of is None else of
        n = X.shape[0]
        points = along(self.plan_.design(X[:1])).values.shape[1]
        step = max(AT_ONCE // max(points, 2048), 1)
        return np.concatenate([report(along(self.plan_.design(X[a : a + step]))) for a in range(0, n, step)])

    @one_blas_thread()
    def sample_boundaries(self, n: int, random_state: Any = None, *, n_features: int = 1) -> Functions:
        """Functions a(x) drawn from the posterior, or from the prior before `fit`.

        For two classes each is a boundary, where it is zero. Prior draws need a fixed precision and a proper intercept;
        `n_features` says how many columns their inputs have.
        """
        rng = generator(random_state)
        check_integer("n", n, 1)
        if not self.__sklearn_is_fitted__():
            return self._prior_functions(int(n), rng, n_features)
        return Functions(self.plan_.function(self.approximation_.draws(int(n), rng).T))

    def _prior_functions(self, n: int, rng: np.random.Generator, n_features: int) -> Functions:
        self._check_parameters()
        if (
            isinstance(self.prior_precision, str)
            or (self.fit_intercept and not self._held)
            or self.standardize
        ):
            raise Unsupported(
                "Draws from the prior need prior_precision as a number, intercept='prior' (or fit_intercept=False) and "
                "standardize=False; otherwise fit first."
            )
        basis = None if self.basis is None else self.basis.resolve(np.zeros((2, n_features)))
        d = n_features if basis is None else len(basis.owners(n_features))
        mean, cov = open_prior(self.prior_mean, self.prior_cov, d + self._held)
        root = cholesky(cov, "prior_cov") / np.sqrt(self.prior_precision)
        weights = mean + rng.standard_normal((n, len(mean))) @ root.T
        if not self.fit_intercept:
            weights = np.hstack([np.zeros((n, 1)), weights])
        return Functions.of_weights(weights, basis, n_features)


def open_prior(mean: Any, cov: Any, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance for so many parameters; zero and the identity unless given."""
    m = np.zeros(size) if mean is None else as_numbers("prior_mean", mean)
    C = np.eye(size) if cov is None else as_numbers("prior_cov", cov)
    if m.shape != (size,) or not np.isfinite(m).all():
        raise InvalidParameter(f"prior_mean must be {size} finite numbers; got shape {m.shape}.")
    if C.shape != (size, size) or not np.isfinite(C).all():
        raise InvalidParameter(f"prior_cov must be a finite {size} × {size} matrix; got shape {C.shape}.")
    check_symmetric(C, "prior_cov")
    return m, C


def _log_volume(plan: Plan, columns: RawColumns) -> float:
    """log |∂τ/∂b|: the prior is a density over τ, the weights of raw or standardized columns."""
    transfer = plan.layout.raw_transfer()[0].astype(float)
    in_units = np.log(columns.spread).sum() - np.log(plan.scale).sum()
    return float(np.linalg.slogdet(transfer)[1] + in_units)


def _spreads(plan: Plan, gram: np.ndarray) -> np.ndarray:
    """Standard deviations of the raw columns, from the curvature at a constant: of all rows, so weights are counts.

    Zero for a column that varies by rounding alone.
    """
    mean = gram[0, 1:] / gram[0, 0]
    cov = gram[1:, 1:] / gram[0, 0] - np.outer(mean, mean)
    to_raw = plan.to_raw()[1:, 1:].astype(float)
    root = semidefinite_factor((cov + cov.T) / 2, "the covariance of the columns")
    spread = np.linalg.norm(np.linalg.solve(to_raw.T, root), axis=1)
    unit = np.linalg.norm(np.linalg.solve(to_raw.T, np.eye(len(root))), axis=1)
    return np.where(spread > STILL * unit, spread, 0.0)


def _no_search() -> Trace:
    return Trace(np.zeros(0), True, {"prior_precision": np.zeros(0)})


def _finite(f: Callable[[], float]) -> float:
    """−inf where there is no posterior to speak of."""
    try:
        value = f()
    except NumericalError:
        return -np.inf
    return value if np.isfinite(value) else -np.inf
