r"""The perceptron: correct the weights by each row that is on the wrong side (Rosenblatt; PRML §4.1.7).

Decision     y(x) = sign(wᵀx̃),  x̃ = (x, 1), t = ±1 the class
Step         w ← w + η t x̃  for a row with t wᵀx̃ ≤ 0, and none for others      (PRML eq. 4.55)
Bound        if some unit vector u has t uᵀx̃ ≥ γ > 0 for all rows, steps from zero end after at most (R / γ)² of them,
             R = max ‖x̃‖                                                         (Novikoff's theorem)

Each step adds at least η γ to uᵀw and at most η² R² to ‖w‖²; after M steps M η γ ≤ uᵀw ≤ ‖w‖ ≤ η R √M. Of classes that
no plane separates the weights never come to rest. Several classes are as many problems, each against all others.
"""

from __future__ import annotations

import numbers
from dataclasses import KW_ONLY, field
from typing import Any, Literal, Self, final

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin
from sklearn.model_selection import StratifiedShuffleSplit

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NotConverged,
    NumericalError,
    Unsupported,
    as_numbers,
    check_choice,
    check_flags,
    check_fraction,
    check_number,
    warn,
)
from suffice._core.random import generator, streams
from suffice._core.records import estimator, frozen_array
from suffice._core.trace import Trace
from suffice._estimator import (
    Estimator,
    check_is_fitted,
    check_no_effect,
    open_inputs,
    open_table,
    remember_columns,
)
from suffice._estimator.labels import check_two_classes, listed, open_labels
from suffice.engine import one_blas_thread
from suffice.generative._perceptron_rule import (
    PerceptronRule,
    Plane,
    joint_trace,
    learn,
    longest,
    margin,
    problems,
    sides,
)
from suffice.generative._shell.class_weights import check_class_weight, step_weights
from suffice.generative._shell.from_statistics import without_targets
from suffice.generative._shell.linear_decision import LinearDecision
from suffice.statistics import Header


@final
@estimator
class Perceptron(LinearDecision, ClassifierMixin, Estimator):
    """A plane that is moved by each row on its wrong side.

    Parameters
    ----------
    penalty
        None, "l2", "l1" or "elasticnet": every row shrinks all weights, or pulls them towards zero.
    alpha, l1_ratio
        Size of the penalty, and the share of the absolute values in "elasticnet".
    fit_intercept
        Whether to add a constant, which steps move like a column of ones.
    max_iter
        Most passes over the rows.
    tol, n_iter_no_change
        Stop when the mean loss has not fallen by `tol` in so many passes, one after the other. None goes on until a
        pass has no mistakes (without a penalty), or to the limit.
    shuffle
        Whether each pass takes the rows in a new order.
    eta0
        Size of a step. From zero, without a penalty, it scales weights and constant and changes nothing else.
    verbose, n_jobs
        Taken for scikit-learn's sake and without effect.
    random_state
        Seed of the shuffles, and of the rows held out.
    early_stopping, validation_fraction
        Whether to hold out this share of the rows of each class and to stop when the share of them on their side has
        not risen by `tol` in `n_iter_no_change` passes.
    class_weight
        Factors of the steps that rows of a class cause, by label; "balanced" is n / (classes × rows of the class).
    warm_start
        Whether a further fit starts from the weights of the one before.

    Attributes
    ----------
    trace_
        Mistakes per pass, of all problems together; `converged` if the last pass had none.
    mistakes_
        Steps taken, for each problem.
    margin_, radius_
        γ of the plane found and R. A plane that does not separate the rows has a margin of zero or less.
    bound_
        (R/γ)² for each problem: no order of the rows takes more steps. Infinite where nothing separates the rows, NaN
        with a penalty, weights of classes or a start other than zero.
    t_
        One more than the rows that were looked at, in passes of all of them.

    Notes
    -----
    For `shuffle=False` weights are those of scikit-learn's Perceptron on dense rows; on sparse rows that one moves the
    constant by a hundredth of a step, and "l1" pulls the weights of stored cells alone;
    what it takes for the objective of "l1" and "elasticnet" lags behind. Shuffles are drawn from another generator.
    Without a penalty a pass without mistakes ends the fit, where scikit-learn goes on without changing anything.

    Which side of a plane a row is on has no probability, so there is no `predict_proba`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative import Perceptron
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 3.0], [4.0, 3.0], [3.0, 4.0]])
    >>> model = Perceptron(shuffle=False).fit(X, [0, 0, 0, 1, 1, 1])
    >>> print(model.coef_, model.intercept_, model.trace_.objective)
    [[2. 2.]] [-3.] [2. 3. 0.]
    >>> print(model.mistakes_, "of at most", model.bound_.round())
    [5] of at most [442.]
    """

    _: KW_ONLY
    penalty: Literal["l2", "l1", "elasticnet"] | None = None
    alpha: float = 0.0001
    l1_ratio: float = 0.15
    fit_intercept: bool = True
    max_iter: int = 1000
    tol: float | None = 1e-3
    shuffle: bool = True
    verbose: int = 0
    eta0: float = 1.0
    n_jobs: int | None = None
    random_state: Any = 0
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 5
    class_weight: Any = None
    warm_start: bool = False

    n_iter_: int = field(init=False)
    t_: float = field(init=False)
    planes_: tuple[Plane, ...] = field(init=False)
    trace_: Trace = field(init=False)
    mistakes_: np.ndarray = field(init=False)
    margin_: np.ndarray = field(init=False)
    radius_: float = field(init=False)
    bound_: np.ndarray = field(init=False)

    _input_tags = ("sparse",)

    @one_blas_thread()
    def fit(self, X: Any, y: Any, *, coef_init: Any = None, intercept_init: Any = None) -> Self:
        """Pass over the rows, starting from zero unless told otherwise.

        Parameters
        ----------
        X
            Rows are observations; sparse tables stay sparse.
        y
            Labels: strings, booleans or whole numbers.
        coef_init, intercept_init
            Weights and constants to start from, of the shapes of `coef_` and `intercept_`.
        """
        X, labels, header = self._opened(X, y, None)
        classes = self._several(listed(labels, None))
        reach = longest(X, self.fit_intercept)
        start = self._start(classes, X.shape[1], coef_init, intercept_init)
        held = self._held(labels, classes)
        planes = self._learned(X, labels, classes, start, self._rule(self.max_iter), held)
        self._publish(planes, classes, header, reach)
        self.t_ = 1.0 + self.n_iter_ * (len(labels) - int(np.sum(held)) if held is not None else len(labels))
        found = [
            margin(X, signs, p, self.fit_intercept)
            for signs, p in zip(sides(labels, classes), planes, strict=True)
        ]
        self._publish_bound(np.array(found), any(p.constant or np.any(p.weights) for p in start))
        if self.n_iter_ == self.max_iter and not self.trace_.converged:
            warn(
                f"The last of {self.max_iter} passes still had {self.trace_.objective[-1]:g} mistakes. Raise max_iter; "
                "if no plane separates the classes the weights never come to rest, and another model fits better.",
                NotConverged,
            )
        return self

    @one_blas_thread()
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """One pass over more rows, from where the weights stand.

        `classes` lists all labels and is needed in the first call if some are not among its rows. The margin of rows
        seen earlier is not known, so `margin_` and `bound_` are NaN.
        """
        fitted = hasattr(self, "planes_")
        if self.early_stopping or isinstance(self.class_weight, str):
            raise Unsupported(
                "early_stopping=True and class_weight='balanced' need all rows at once; leave them out, or give the "
                "weights of the classes."
            )
        X, labels, header = self._opened(X, y, self._header() if fitted else None)
        known = listed(labels, self.classes_ if fitted else classes)
        if fitted and classes is not None and not np.array_equal(listed(labels, classes), self.classes_):
            raise InvalidInput(f"classes must be those of the first call, {self.classes_.tolist()}.")
        known = self._several(known)
        start = Plane(frozen_array(np.zeros(X.shape[1])), 0.0)
        before = list(self.planes_) if fitted else [start] * problems(known)
        reach = max(longest(X, self.fit_intercept), self.radius_ if fitted else 0.0)
        rows = getattr(self, "t_", 1.0) if fitted else 1.0
        self._publish(self._learned(X, labels, known, before, self._rule(1)), known, header, reach)
        self.t_ = rows + len(labels)
        self._publish_bound(np.full(len(before), np.nan))
        return self

    def _learned(
        self,
        X: Any,
        labels: np.ndarray,
        classes: np.ndarray,
        start: list[Plane],
        rule: PerceptronRule,
        held: np.ndarray | None = None,
    ) -> list[Plane]:
        rngs = streams(self.random_state, len(start)) if self.shuffle else [None] * len(start)
        weights = step_weights(self.class_weight, labels, classes)
        problems_ = zip(sides(labels, classes), start, rngs, weights, strict=True)
        return [learn(X, signs, plane, rule, rng, weight, held) for signs, plane, rng, weight in problems_]

    def _start(self, classes: np.ndarray, columns: int, coef: Any, intercept: Any) -> list[Plane]:
        """Zero, or what is given, or the weights of the fit before."""
        k = problems(classes)
        if coef is None and intercept is None and self.warm_start and hasattr(self, "planes_"):
            if np.array_equal(classes, self.classes_) and self.coef_.shape[1] == columns:
                return [Plane(p.weights, p.constant) for p in self.planes_]
            raise InvalidInput(
                f"warm_start=True needs the classes {self.classes_.tolist()} and {self.coef_.shape[1]} columns of the "
                f"fit before; got {classes.tolist()} and {columns} columns."
            )
        weights = _given("coef_init", coef, (k, columns))
        constants = _given("intercept_init", intercept, (k,))
        return [Plane(frozen_array(w), float(b)) for w, b in zip(weights, constants, strict=True)]

    def _held(self, labels: np.ndarray, classes: np.ndarray) -> np.ndarray | None:
        """Which rows are held out: the same share of every class."""
        if not self.early_stopping:
            return None
        size = max(int(np.ceil(self.validation_fraction * len(labels))), len(classes))
        seed = int(generator(self.random_state).integers(2**31))
        split = StratifiedShuffleSplit(test_size=size, random_state=seed)
        try:
            _, test = next(split.split(np.zeros((len(labels), 1)), labels))
        except ValueError as error:
            raise InvalidInput(
                f"early_stopping=True cannot hold out validation_fraction={self.validation_fraction!r} of "
                f"{len(labels)} rows: {error}"
            ) from error
        held = np.zeros(len(labels), dtype=bool)
        held[test] = True
        return held

    def _opened(self, X: Any, y: Any, like: Header | None) -> tuple[Any, np.ndarray, Header]:
        """Validated rows, in the storage that the loops read, with their labels."""
        self._check()
        labels = open_labels(y)
        X, _, header = open_table(self, X, np.zeros(len(labels)), like=like)
        header = without_targets(header)
        if sparse.issparse(X):
            X = X.astype(float)
            X.sum_duplicates()
            return X, labels, header
        return np.ascontiguousarray(X, dtype=float), labels, header

    def _header(self) -> Header:
        names = getattr(self, "feature_names_in_", None)
        return Header(self.n_features_in_, None if names is None else tuple(names), None, 0)

    def _several(self, classes: np.ndarray) -> np.ndarray:
        check_two_classes(self, classes, " List others with partial_fit(classes=...).")
        return classes

    def _rule(self, passes: int) -> PerceptronRule:
        tol = -np.inf if self.tol is None else float(self.tol)
        share = {"l1": 1.0, "elasticnet": float(self.l1_ratio)}.get(self.penalty or "", 0.0)
        alpha = float(self.alpha) if self.penalty is not None else 0.0
        patience = int(self.n_iter_no_change)
        return PerceptronRule(float(self.eta0), bool(self.fit_intercept), passes, tol, patience, alpha, share)

    def _check(self) -> None:
        check_flags(self, "fit_intercept", "shuffle", "early_stopping", "warm_start")
        check_no_effect(self, "verbose", "n_jobs")
        if self.penalty is not None:
            check_choice("penalty", self.penalty, ("l2", "l1", "elasticnet"))
        check_number("alpha", self.alpha, low=0)
        if check_number("l1_ratio", self.l1_ratio, low=0) > 1:
            raise InvalidParameter(f"l1_ratio must lie in [0, 1]; got {self.l1_ratio!r}.")
        check_fraction("validation_fraction", self.validation_fraction)
        check_class_weight(self.class_weight)
        check_number("eta0", self.eta0, low=0, strict=True)
        if self.tol is not None:
            check_number("tol", self.tol, low=0)
        for name in ("max_iter", "n_iter_no_change"):
            value = getattr(self, name)
            if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
                raise InvalidParameter(f"{name} must be a whole number >= 1; got {value!r}.")

    def _publish(self, planes: list[Plane], classes: np.ndarray, header: Header, reach: float) -> None:
        coef = np.array([p.weights for p in planes])
        if not np.isfinite(coef).all():
            raise NumericalError("The weights overflowed; divide the columns by their size first.")
        self.classes_, self.planes_ = classes, tuple(planes)
        self.coef_, self.intercept_ = coef, np.array([p.constant for p in planes])
        self.n_iter_ = max(len(p.mistakes) for p in planes)
        self.trace_ = joint_trace(planes, classes)
        self.radius_ = reach
        remember_columns(self, header)

    def _publish_bound(self, margins: np.ndarray, moved: bool = False) -> None:
        """Novikoff's theorem is about plain steps from zero."""
        self.mistakes_ = np.array([sum(p.mistakes) for p in self.planes_])
        self.margin_ = margins
        with np.errstate(divide="ignore"):
            self.bound_ = np.where(margins <= 0, np.inf, np.square(self.radius_ / margins))
        if moved or self.penalty is not None or self.class_weight is not None:
            self.bound_ = np.full(len(margins), np.nan)

    def _linear_inputs(self, X: Any) -> Any:
        return open_inputs(self, X)

    def decision_function(self, X: Any) -> np.ndarray:
        """y(x), positive for the second of two classes; (rows, classes) of several."""
        return self._linear_decision(self._linear_inputs(X))

    def predict(self, X: Any) -> np.ndarray:
        """The class on whose side a row is; of several, the one whose plane has it farthest inside, by wᵀx̃."""
        check_is_fitted(self)
        values = self.decision_function(X)
        best = (values > 0).astype(int) if values.ndim == 1 else np.argmax(values, axis=1)
        return self.classes_[best]

    @property
    def n_parameters_(self) -> int:
        """Weights and constants of all planes."""
        return self.coef_.size + (self.intercept_.size if self.fit_intercept else 0)


def _given(name: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A start as an array, zeros where none is given."""
    if values is None:
        return np.zeros(shape)
    found = as_numbers(name, values)
    if found.size != np.prod(shape) or not np.isfinite(found).all():
        raise InvalidInput(f"{name} must hold finite numbers of shape {shape}; got shape {found.shape}.")
    return found.reshape(shape)
