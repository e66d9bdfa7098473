r"""Logistic regression (FCML §4.2–4.3, §5.2.2; Herbst §4.3; DTU §8.2; PRML §4.3.2).

Model        P(y = 1 | x) = σ(a),  a = b + φ(x)ᵀ w                         (FCML 4.3, DTU 8.18, PRML 4.87)
Estimate     (b, w) maximizes Σ log p(y_n | x_n) − (α/2) ‖w‖²,  α = 1/C    (FCML 4.5 with σ² = 1/α)
Steps        w ← w + s (ΦᵀVΦ + αI)⁻¹ (Φᵀ(y − p) − α w),  V = diag p(1 − p),  s = 1, ½, ¼, …   (FCML 4.6–4.11)
Covariance   (ΦᵀVΦ + αI)⁻¹ at the estimate
With ρ       α ρ Σ|w| + ½ α (1 − ρ) ‖w‖² in place of (α/2) ‖w‖²: lasso and elastic net (PRML eq. 3.29)

More than two classes have a softmax: one function per class, with weights that sum to zero over classes where ρ = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Literal, Self

import numpy as np

from suffice._core.errors import NotConverged, Unsupported, check_choice, check_flags, hold_warnings, warn
from suffice._core.records import storable
from suffice._estimator.convergence import AS_PEERS
from suffice.bases import Basis
from suffice.engine import Rows
from suffice.glm._fit.elastic_net import AbsolutePenalty, find_sparse_mode
from suffice.glm._fit.mode import Mode
from suffice.glm._fit.pass_sums import Visit, weighted
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Prior, RawColumns
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._shell.labels import LabelledModel
from suffice.glm._shell.model import GeneralizedLinear
from suffice.glm._shell.peer_penalty import (
    check_penalty,
    penalizes_constant,
    precision,
    scaling,
    share_of_absolutes,
    warn_of_ignored,
)
from suffice.glm._shell.penalized import penalized_mode, ties, weighted_problem
from suffice.glm._shell.refits import Refits
from suffice.glm._shell.written import WrittenWeights
from suffice.inference.newton_on_sums import trace_of
from suffice.likelihoods import BernoulliLogit, Likelihood, Softmax

GOAL = 1e-14  # what may be left to gain, beside the objective, unless less is asked for
COARSE = (
    1e-4  # by a tolerance above this one: scikit-learn's default, which its solvers' answers are far below
)
BOOKS: dict[str, dict[str, Any]] = {
    "fcml": {"fit_intercept": False},
    "lecture3": {"penalize_intercept": True},
    "herbst": {"penalize_intercept": True},
    "dtu": {"penalize_intercept": True},
}


@storable
@dataclass(eq=False, repr=False)
class LogisticRegression(Refits, WrittenWeights, LabelledModel, GeneralizedLinear):
    """Classes whose log odds are linear, by maximum of the penalized likelihood.

    Parameters
    ----------
    penalty
        As scikit-learn had it before 1.8: "l2", "l1", "elasticnet" (`l1_ratio` then counts) or None, no penalty.
        "deprecated" leaves it to `C` and `l1_ratio`.
    C
        One over the precision of the weights, as in scikit-learn; 1 unless one of the two is given. Infinite is maximum
        likelihood.
    prior_precision
        The precision itself (α). 0 is maximum likelihood.
    l1_ratio
        ρ, the share of the absolute values in the penalty α (ρ Σ|w| + ½ (1 − ρ) Σw²): 0 for squares alone, 1 for the
        lasso, which sets weights to exactly zero.
    fit_intercept
        Whether to add a constant.
    intercept_scaling
        Of use where `solver="liblinear"`, which penalizes the constant like the weight of a column of this value.
    penalize_intercept
        Whether the constant is shrunk too, as the texts do.
    basis
        Functions of the inputs; the penalty is on the weights of its raw columns.
    standardize
        Penalize the weights of standardized columns (divisor n); weights are reported for the original ones. Without
        an intercept the function is then zero at the mean of the columns, and `intercept_` is the constant this takes.
    class_weight
        How much a row of each class counts: by label, or "balanced" for n / (classes × n_c).
    covariance
        Whether to find `cov_params_`. None: unless there are many classes, columns and rows, where it would take many
        times as long as the weights themselves. With absolute values in the penalty there is none.
    solver
        Without effect but for "liblinear", whose constant is penalized: Newton's method finds the one maximum of every
        penalty, for any number of classes.
    tol
        Up to 10⁻⁴, scikit-learn's default, fits go to the last digits: until what is left to gain is below
        10⁻¹⁴ (1 + |objective|). Above, until it is below tol² (1 + |objective|), which saves time where many classes
        meet many columns.
    max_iter
        Steps at most. 0 leaves all weights at zero.
    warm_start
        Begin at the weights of the last fit.
    dual, random_state, verbose, n_jobs
        Taken for scikit-learn's sake and without effect: nothing is drawn, printed or sent away.

    Attributes
    ----------
    coef_, intercept_
        One row for two classes (log odds of the second), one per class otherwise. They may be changed; predictions
        follow.
    n_iter_
        Steps, in an array of one.
    n_parameters_
        Weights that are not zero, and constants, where absolute values are penalized.
    cov_params_
        Covariance of (intercept, weights), class by class.
    trace_
        Objective, gradient and step of every Newton step.

    Notes
    -----
    With absolute values in the penalty there are no standard errors, and `cov_params_` and `summary` raise: weights
    that a penalty has set to zero have no normal distribution about their estimate. `suffice.evaluation` has intervals
    for losses, and a bootstrap.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.glm import LogisticRegression
    >>> x, t = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 0, 1]
    >>> LogisticRegression(prior_precision=0).fit(x, t).summary()
    term          estimate   std error         z         p              95 % interval
    intercept      -2.8035       2.563     -1.09      0.27  [    -7.8272,      2.2201]
    x0              1.0904      0.9749      1.12      0.26  [   -0.82025,      3.0011]
    """

    penalty: Any = "deprecated"
    _: KW_ONLY
    C: float | None = None
    l1_ratio: float | None = 0.0
    dual: bool = False
    tol: float = 1e-4
    fit_intercept: bool = True
    intercept_scaling: float = 1
    class_weight: Any = None
    random_state: Any = None
    solver: Literal["lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"] = "lbfgs"
    max_iter: int = 100
    verbose: int = 0
    warm_start: bool = False
    n_jobs: int | None = None
    prior_precision: float | None = None
    penalize_intercept: bool = False
    basis: Basis | None = None
    standardize: bool = False
    covariance: bool | None = None

    classes_: np.ndarray = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: np.ndarray = field(init=False)
    fitted_weights_: np.ndarray = field(init=False)
    n_iter_: np.ndarray = field(init=False)

    @classmethod
    def book(
        cls, precision: float, text: Literal["fcml", "lecture3", "herbst", "dtu"] = "fcml", **options: Any
    ) -> Self:
        """The model as a text writes it: FCML has no constant (§4.2), the others hold it like the weights.

        `precision` is α of the prior N(0, α⁻¹ I); FCML's σ² is its inverse.
        """
        check_choice("text", text, tuple(BOOKS))
        return cls(prior_precision=precision, **(BOOKS[text] | options))

    _fewest_steps: ClassVar[int] = 0

    def _check_own_parameters(self) -> None:
        if self.covariance is not None:
            check_flags(self, "covariance")
        check_penalty(self)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            Labels: strings, booleans or whole numbers.
        sample_weight
            How often each row counts.
        """
        warn_of_ignored(self)
        fitted = self._fit(X, y, sample_weight)
        return fitted if self.solver == "liblinear" else fitted._rounded_as(X)

    @property
    def _precision(self) -> float:
        return precision(self)

    @property
    def _goal(self) -> float:
        return self.tol**2 if self.tol > COARSE else min(self.tol, GOAL)

    @property
    def zeroes_weights(self) -> bool:
        """Whether absolute values are penalized."""
        return share_of_absolutes(self) > 0

    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        n = 2 if classes is None else len(classes)
        return BernoulliLogit() if n <= 2 else Softmax(n, reduced=True)

    def _prior(self, plan: Plan, columns: RawColumns) -> Prior:
        squares = self._precision * (1 - share_of_absolutes(self))
        return Prior.penalty(squares, columns, penalizes_constant(self), ties(plan, self), scaling(self))

    # -- the fit -----------------------------------------------------------------------------------------------
    def begin(self, rows: Rows, plan: Plan) -> np.ndarray:
        """Functions to begin from: those of the last fit, if asked for.

        Anew: no other model of the room begins at its last fit, or takes no step.
        """
        if self.max_iter == 0:
            return np.zeros((plan.n_columns, plan.n_functions))
        start = self._start_at_weights(plan) if self.warm_start else None
        return super().begin(rows, plan) if start is None else start

    def fit_by_passes(
        self, plan: Plan, start: np.ndarray, visit: Visit, tick: Callable[[], None] | None = None
    ) -> Self:
        """As every model of the room; anew, for a fit that did not converge warns as scikit-learn's does, too."""
        with hold_warnings() as held:
            super().fit_by_passes(plan, start, visit, tick)
        for message, category in held:
            text = self._not_converged() if category is NotConverged else message
            warn(text, AS_PEERS.get(category, category))
        return self

    def _find(self, plan: Plan, start: np.ndarray, visit: Visit, tick: Any) -> tuple[LinkProblem, Mode]:
        if self.max_iter == 0:
            return self._not_begun(plan, start, visit)
        if self._penalizes_absolutes:
            return self._find_zeroes(plan, start, visit, tick)
        return penalized_mode(self, plan, start, visit, tick, self._goal)

    def _look_again(self, problem: LinkProblem, mode: Mode) -> None:
        """There is nothing to look for."""

    def _not_begun(self, plan: Plan, start: np.ndarray, visit: Visit) -> tuple[LinkProblem, Mode]:
        """Where no step is allowed."""
        problem = weighted_problem(self, plan, visit)
        at = problem.at(problem.parameters(start), "gradient")
        size = float(np.abs(at.gradient).max(initial=0.0))
        warn("No step was allowed.", NotConverged)
        nothing, trace = np.zeros((len(at.gradient), 0)), trace_of([(at.objective, size, 0.0, 1.0)], False)
        return problem, Mode(start, at.sums, at.objective, None, nothing, float("nan"), trace)

    @property
    def _penalizes_absolutes(self) -> bool:
        return self.zeroes_weights and self._precision > 0

    def _find_zeroes(
        self, plan: Plan, start: np.ndarray, visit: Visit, tick: Any
    ) -> tuple[LinkProblem, Mode]:
        """As `_find`, where weights may become zero."""
        columns, free = self._columns(plan, visit)
        share = share_of_absolutes(self)
        penalty = AbsolutePenalty(
            columns.terms(penalizes_constant(self), scaling(self)),
            columns.spread,
            self._precision * share,
            self._precision * (1 - share),
        )
        none = Prior.penalty(0.0, columns, False, np.eye(plan.n_functions))
        problem = LinkProblem(plan, none, free, weighted(visit, self._class_weights(plan, visit)))
        options: dict[str, Any] = {"tol": self._goal, "max_iter": self.max_iter, "tick": tick}
        return problem, find_sparse_mode(problem, penalty, start, **options)

    def _not_converged(self) -> str:
        """In the words of scikit-learn's solvers, so that filters for these hold."""
        return (
            f"The fit with solver={self.solver} failed to converge: Newton solver did not converge after "
            f"{self.n_iter_[0]} iterations, with a gradient of {self.trace_.columns['gradient'][-1]:.3g}. The max_iter "
            "was reached which means the coef_ did not converge. Increase the number of iterations. Or standardize "
            "the columns."
        )

    def _publish(self, problem: LinkProblem, mode: Mode) -> None:
        """As every model of labels; anew, for weights may be exact zeros, and may be written afterwards."""
        super()._publish(problem, mode)
        self.n_iter_ = np.array([_steps(mode)], dtype=np.int32)
        if mode.weights is not None:
            self.coef_ = np.array(mode.weights)
            self.n_parameters_ = int(np.count_nonzero(self.coef_)) + problem.shape[0] * self.fit_intercept
        self._remember_weights()

    @property
    def _levels_matter(self) -> bool:
        return self._penalizes_absolutes and len(self.classes_) > 2

    def _no_covariance(self) -> Exception | None:
        if self._penalizes_absolutes:
            return Unsupported(
                "Weights have no covariance where absolute values are penalized (l1_ratio > 0): those at zero are not "
                "about normal. Take l1_ratio=0 for standard errors, or suffice.evaluation.bootstrap."
            )
        return self._too_costly()


def _steps(mode: Mode) -> int:
    return int(np.count_nonzero(mode.trace.columns.get("step", 0)))
