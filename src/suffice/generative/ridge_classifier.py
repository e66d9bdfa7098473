r"""Least squares to targets of plus and minus one, with a quadratic penalty: a classifier (Herbst §4.1.3, PRML §3.1.4).

    minimize  Σ_n c_n ‖t_n − b − Wᵀ x_n‖² + α ‖W‖²,   t_nc = 1 where row n is of class c, else −1

c_n is the weight of the row's class. Two classes have one function, positive for the second. In class c the targets are
constant, so triangles of the classes say all that the rows would (`LeastSquaresClassifier`); folds, merging and
forgetting come with them.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Literal, final

import numpy as np

from suffice._core.errors import InvalidParameter, as_numbers, check_flags
from suffice._core.linalg import column_lengths
from suffice._core.records import estimator
from suffice._estimator import check_is_fitted, check_no_effect, warn_ill_conditioned
from suffice._estimator.labels import LabelPlan
from suffice.engine import Rows, one_blas_thread
from suffice.generative._normal.triangles import ClassTriangles, gather_triangles, with_targets
from suffice.generative._shell.class_weights import check_class_weight, class_weights
from suffice.generative._shell.from_statistics import FromClassStatistics
from suffice.inference.active_set import LassoProblem, least_squares
from suffice.statistics import AffineFunction, ClassStatistics, Triangle
from suffice.statistics.dependence import exact, weak_condition
from suffice.statistics.lstsq import System, system
from suffice.statistics.penalized import penalized

SOLVERS = ("auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs")
PASSES = 100  # of the active set, for each column


def signs(n_classes: int) -> np.ndarray:
    """The targets of the rows of each class (classes, functions)."""
    both = 2 * np.eye(n_classes) - 1
    return both[:, 1:] if n_classes == 2 else both


def signed(statistics: ClassStatistics, class_weight: Any) -> Triangle:
    """The triangle of [1, X, T] with each row counted by the weight of its class."""
    counts = statistics.counts
    weights = class_weights(class_weight, counts.classes, counts.counts)
    if not np.any(weights * counts.counts > 0):
        raise InvalidParameter(f"class_weight leaves no row that counts; got {dict(class_weight)!r}.")
    return with_targets(statistics, np.sqrt(weights), signs(len(weights)))


def ridge(t: Triangle, alpha: Any, fit_intercept: bool) -> AffineFunction:
    """The functions of all targets, for one penalty or one for each."""
    k = t.header.n_outputs
    alphas = np.broadcast_to(as_numbers("alpha", alpha), (k,))
    if np.any(alphas == 0):
        plain = t.lstsq(fit_intercept=fit_intercept)
        warn_ill_conditioned(plain.condition)
    s = exact(system(t, fit_intercept)).in_row_space()
    functions = {a: _penalized(s, a) if a > 0 else plain.function for a in np.unique(alphas)}
    slope = np.column_stack([functions[a].slope[:, j] for j, a in enumerate(alphas)])
    return functions[alphas[0]].replaced(s.value, slope)


def _penalized(s: System, alpha: float) -> AffineFunction:
    """The functions of all targets for one penalty."""
    fit = penalized(s, alpha)
    warn_ill_conditioned(weak_condition(s, fit))
    return s.function(fit.mean)


def ridge_above_zero(s: System, alpha: float) -> AffineFunction:
    """The same with no weight below zero."""
    lengths = column_lengths(s.R)
    lengths = np.where(lengths > 0, lengths, 1.0)
    weights = np.empty((s.R.shape[1], s.Z.shape[1]))
    for j, z in enumerate(s.Z.T):
        size = float(np.linalg.norm(z)) or 1.0
        problem = LassoProblem((s.R / lengths).T, z / size, None, alpha / lengths**2, positive=True)
        weights[:, j] = least_squares(problem, PASSES * (1 + len(lengths))).weights * size / lengths
    return s.function(weights)


def check_alpha(name: str, alpha: Any) -> np.ndarray:
    """Numbers, finite and not negative."""
    values = as_numbers(name, alpha)
    if values.ndim > 1 or not values.size or not np.all((values >= 0) & (values < np.inf)):
        raise InvalidParameter(f"{name} must be a finite number >= 0, or one per function; got {alpha!r}.")
    return values


@final
@estimator
class RidgeClassifier(ClassTriangles, FromClassStatistics):
    """Ridge regression on targets of plus and minus one; the largest output wins.

    Parameters
    ----------
    alpha
        Penalty; larger values shrink the weights more. A vector holds one per function.
    fit_intercept
        Whether to add a constant.
    class_weight
        How much a row of each class counts: by label, or "balanced" for n / (classes × n_c).
    positive
        Whether no weight may be below zero.
    copy_X, max_iter, tol, solver, random_state
        Taken for scikit-learn's sake and without effect: the minimum is solved for directly and exactly.

    Attributes
    ----------
    coef_, intercept_
        One row per class; for two classes weights (columns,), as scikit-learn 1.9 has them, positive for the second.

    Notes
    -----
    Outputs are no probabilities, so there is no `predict_proba`. `LogisticRegression` has both.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice.generative import RidgeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RidgeClassifier().fit(X, y)
    >>> print(f"{model.score(X, y):.3f}", model.coef_[0].round(3))
    0.853 [ 0.127  0.471 -0.445 -0.121]
    """

    alpha: Any = 1.0
    _: KW_ONLY
    fit_intercept: bool = True
    copy_X: bool = True
    max_iter: int | None = None
    tol: float = 1e-4
    class_weight: Any = None
    solver: Literal["auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"] = "auto"
    positive: bool = False
    random_state: Any = None

    function_: AffineFunction = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: np.ndarray = field(init=False)
    n_iter_: np.ndarray = field(init=False)

    def _check_parameters(self) -> None:
        check_flags(self, "fit_intercept", "positive")
        values = check_alpha("alpha", self.alpha)
        if self.positive and values.ndim:
            raise InvalidParameter(f"alpha must be one number where positive=True; got {self.alpha!r}.")
        check_class_weight(self.class_weight)
        check_no_effect(self, "copy_X", "max_iter", "tol", "random_state", solver=SOLVERS)

    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        return gather_triangles(rows, plan)

    def _solve(self, statistics: ClassStatistics) -> None:
        t = signed(statistics, self.class_weight)
        if np.ndim(self.alpha) and np.size(self.alpha) != t.header.n_outputs:
            raise InvalidParameter(
                f"alpha must be a number or one per function ({t.header.n_outputs}); got {self.alpha!r}."
            )
        if self.positive:
            self.function_ = ridge_above_zero(system(t, self.fit_intercept), float(self.alpha))
        else:
            self.function_ = ridge(t, self.alpha, self.fit_intercept)
        intercept, coef = self.function_.raw()
        self.coef_ = coef[:, 0] if len(intercept) == 1 else coef.T
        self.intercept_ = intercept if self.fit_intercept else np.zeros(len(intercept))
        self.n_iter_ = np.ones(len(intercept), dtype=int)

    @property
    def solver_(self) -> str:
        """The solver asked for; "cholesky" where the choice was left to the model."""
        check_is_fitted(self)
        return "cholesky" if self.solver == "auto" else self.solver

    @one_blas_thread()
    def decision_function(self, X: Any) -> np.ndarray:
        """The outputs, a column per class; of two classes the one function, positive for the second."""
        X = self._open_inputs(X)
        values = self.function_(X)
        if values.shape[1] == 1:
            return values[:, 0]
        return np.where(self.class_count_ > 0, values, -np.inf)  # a class without rows is never chosen

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest output; the first in sorted order of several."""
        values = self.decision_function(X)
        if values.ndim > 1:
            return self.classes_[np.argmax(values, axis=1)]
        if not np.all(self.class_count_ > 0):
            return np.repeat(self.classes_[self.class_count_ > 0], len(values))
        return self.classes_[(values > 0).astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # few tables suit such planes
        tags.classifier_tags.poor_score = self.positive or not self.fit_intercept
        return tags

    @property
    def n_parameters_(self) -> int:
        """Weights and constants."""
        return self.coef_.size + len(self.intercept_) * self.fit_intercept
