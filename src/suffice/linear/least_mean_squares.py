r"""One step per row: the least-mean-squares rule (PRML §3.1.3).

Step         w ← w + η (t − wᵀφ) φ                                          (PRML 3.23)
On average   E{w_k} = w* + (I − ηR)ᵏ (w₀ − w*),   R = E{φφᵀ}                 for independent rows
Stable       η < 2/λ_max(R): the mean settles;   η ≤ 1/max ‖φ‖²: no step overshoots its own row

A constant η keeps the weights moving about least squares; η/(1 + decay·k) lets them come to rest. Standardized
columns (φ − mean)/std make the eigenvalues of R alike, so that all directions settle at the same pace.
"""

from __future__ import annotations

import numbers
from dataclasses import field
from typing import Any, Literal, Self, final

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NotConverged,
    NumericalError,
    Unsupported,
    check_flags,
    check_number,
    warn,
)
from suffice._core.random import generator
from suffice._core.records import estimator, frozen_array
from suffice._core.trace import Trace
from suffice._estimator import Estimator, open_inputs, open_table, remember_columns
from suffice._estimator.linear_model import agreed_header, with_basis
from suffice.bases import Basis
from suffice.distributions import Normal
from suffice.engine import one_blas_thread
from suffice.linear._solvers.online import Progress, Unit, advice, beginning, passed, stable_rate
from suffice.statistics import AffineFunction, Layout
from suffice.statistics.layout import dense, evaluate


def refuse_weights(method: str, unknown: dict[str, Any]) -> None:
    """Raise for weights, and for what no method takes; a signature with weights would promise them."""
    if unknown.pop("sample_weight", None) is not None:
        raise Unsupported(
            "LeastMeanSquares takes no sample_weight: a row has its say when it comes. To count it twice, show it "
            "twice, or use LinearRegression."
        )
    if unknown:
        raise TypeError(f"LeastMeanSquares.{method} got an unexpected argument {min(unknown)!r}.")


@final
@estimator
class LeastMeanSquares(MultiOutputMixin, RegressorMixin, Estimator):
    """Linear regression that learns from one row at a time.

    Parameters
    ----------
    learning_rate
        Size of a step (η). "auto" takes half the inverse of the largest ‖φ‖² seen so far, which cannot diverge.
    decay
        Steps shrink as η/(1 + decay·k) with the number k of steps taken; zero keeps them constant.
    epochs
        How often `fit` goes through the rows.
    shuffle
        Whether `fit` takes the rows in a new order in each epoch. `partial_fit` takes them as they come.
    random_state
        Seed of the shuffles.
    fit_intercept
        Whether to add a constant: a column of ones, moved by steps like the others.
    basis
        Functions of the inputs, as the equations write them.
    standardize
        Take the steps in standardized columns (divisor n), which is quicker where columns are far from zero or of
        unlike size. `fit` takes mean and standard deviation from all its rows, `partial_fit` from the first rows it is
        given; later ones keep them. Weights are reported for the original columns. Without an intercept the function
        is zero at the mean of the columns, and `intercept_` is the constant this takes.

    Attributes
    ----------
    trace_
        Mean squared error per pass, of each row before its own step.
    stable_rate_
        2/λ_max of the mean φφᵀ of the rows seen (standardized where the steps are): a constant rate above it diverges.

    Notes
    -----
    The answer depends on the order of the rows: that is the rule, not a defect. One epoch without shuffling is the
    same as `partial_fit` in any pieces, unless columns are standardized.

    `predict_dist` is a Normal at the prediction with the mean squared error of the last pass, each row judged before
    its own step; it leaves out the uncertainty of the weights.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.linear import LeastMeanSquares
    >>> x = np.random.default_rng(0).uniform(-1, 1, 500)
    >>> model = LeastMeanSquares(0.1).fit(x[:, None], 1 + 2 * x)
    >>> print(f"{model.intercept_:.3f} {model.coef_[0]:.3f}")
    1.000 2.000
    """

    learning_rate: float | Literal["auto"] = "auto"
    decay: float = 0.0
    epochs: int = 1
    shuffle: bool = False
    random_state: Any = None
    fit_intercept: bool = True
    basis: Basis | None = None
    standardize: bool = False

    progress_: Progress = field(init=False)
    function_: AffineFunction = field(init=False)
    basis_: Basis | None = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: Any = field(init=False)
    noise_variance_: Any = field(init=False)
    trace_: Trace = field(init=False)

    @one_blas_thread()
    def fit(self, X: Any, y: Any, **unknown: Any) -> Self:
        """Start from zero and go through the rows.

        Parameters
        ----------
        X
            Rows are observations, in the order in which they are learned from.
        y
            Target, or several in columns.
        """
        refuse_weights("fit", unknown)
        progress, Phi, Y = self._opened(X, y, None)
        rng = generator(self.random_state)
        history: list[float] = []
        for _ in range(self.epochs):
            order = rng.permutation(len(Y)) if self.shuffle else slice(None)
            progress = self._pass(progress, Phi[order], Y[order], again=bool(history))
            history.append(float(np.mean(progress.squared_errors) / progress.rows))
        return self._publish(progress, Y, history)

    @one_blas_thread()
    def partial_fit(self, X: Any, y: Any, **unknown: Any) -> Self:
        """Go on with more rows, once, in the order given."""
        refuse_weights("partial_fit", unknown)
        earlier = getattr(self, "progress_", None)
        start, Phi, Y = self._opened(X, y, earlier)
        if earlier is None and self.standardize and len(Y) < 2:
            raise InvalidInput(
                "standardize takes mean and standard deviation from the first rows; got 1 row. Begin with more."
            )
        progress = self._pass(start, Phi, Y)
        new = float(np.mean(progress.squared_errors - start.squared_errors) / len(Y))
        history = [] if earlier is None else list(self.trace_.objective)
        return self._publish(progress, Y, [*history, new])

    def _opened(self, X: Any, y: Any, earlier: Progress | None) -> tuple[Progress, np.ndarray, np.ndarray]:
        """Where to start, the columns φ of validated rows, in their unit, and the targets."""
        self._check()
        like = None if earlier is None else earlier.header
        X, Y, header = open_table(self, X, y, like=like)
        header = (
            with_basis(header, self.basis, X) if like is None else agreed_header(header, like, self.basis, X)
        )
        Phi = evaluate(header, None, dense(X))
        unit = Unit.of(Phi, self.standardize) if earlier is None else earlier.unit
        Phi = np.column_stack([np.ones(len(Phi)), unit(Phi)]) if self.fit_intercept else unit(Phi)
        if earlier is not None and Phi.shape[1] != len(earlier.weights):
            raise InvalidParameter("fit_intercept was changed after the first rows; call fit to start again.")
        return beginning(header, unit, Phi.shape[1]) if earlier is None else earlier, Phi, Y

    def _pass(self, p: Progress, Phi: np.ndarray, Y: np.ndarray, again: bool = False) -> Progress:
        """One step per row; in a later epoch the errors are counted afresh."""
        with np.errstate(over="ignore"):
            sizes = np.maximum.accumulate(np.maximum(np.einsum("nd,nd->n", Phi, Phi), p.largest))
        if not np.isfinite(sizes[-1]):
            raise NumericalError(
                "The squared length of a row overflows; divide the columns by their size first."
            )
        with np.errstate(divide="ignore", over="ignore"):
            rates = (
                np.where(sizes > 1e-300, 0.5 / sizes, 0.0)
                if self.learning_rate == "auto"
                else self.learning_rate
            )
        steps = p.steps + np.arange(len(Y))
        W, squares = passed(p.weights, Phi, Y, rates / (1 + self.decay * steps))
        if not (np.isfinite(W).all() and np.isfinite(squares).all()):
            hint = advice(self.learning_rate, Phi.T @ Phi / len(Phi), float(sizes[-1]))
            raise NumericalError(f"The weights grew without bound. {hint}")
        total = squares.sum(axis=0) + (0.0 if again else p.squared_errors)
        gram, rows = (p.gram, p.rows) if again else (p.gram + Phi.T @ Phi, p.rows + len(Y))
        return Progress(p.header, p.unit, W, p.steps + len(Y), float(sizes[-1]), gram, rows, total)

    def _check(self) -> None:
        if self.learning_rate != "auto":
            check_number("learning_rate", self.learning_rate, low=0, strict=True)
        check_number("decay", self.decay, low=0)
        if not isinstance(self.epochs, numbers.Integral) or isinstance(self.epochs, bool) or self.epochs < 1:
            raise InvalidParameter(f"epochs must be a whole number >= 1; got {self.epochs!r}.")
        check_flags(self, "shuffle", "fit_intercept", "standardize")

    def _publish(self, p: Progress, Y: np.ndarray, history: list[float]) -> Self:
        k, single = p.header.n_outputs, p.header.n_targets is None
        W = p.weights if self.fit_intercept else np.vstack([np.zeros(k), p.weights])
        layout = Layout(p.header, frozen_array(np.concatenate([p.unit.center, np.zeros(k)])))
        self.progress_, self.basis_ = p, p.header.basis
        self.function_ = AffineFunction(layout, p.unit.center, W[0].copy(), W[1:] / p.unit.scale[:, None])
        intercept, coef = self.function_.raw()
        self.coef_ = coef[:, 0] if single else coef.T
        self.intercept_ = float(intercept[0]) if single else intercept
        variance = p.squared_errors / p.rows
        self.noise_variance_ = float(variance[0]) if single else variance
        self.trace_ = Trace(np.array(history), False, {})
        remember_columns(self, p.header)
        self._warn_if_worse(p, Y, history[-1])
        return self

    def _warn_if_worse(self, p: Progress, Y: np.ndarray, last: float) -> None:
        nothing = float(np.mean(Y**2))
        if self.learning_rate != "auto" and last > nothing and self.learning_rate * p.largest > 2:
            words = f"The mean squared error of the last pass, {last:.3g}, exceeds that of zero weights, {nothing:.3g}"
            warn(f"{words}. {advice(self.learning_rate, p.gram / p.rows, p.largest)}", NotConverged)

    @property
    def stable_rate_(self) -> float:
        """2/λ_max of the mean φφᵀ: constant rates above it diverge."""
        return stable_rate(self.progress_.gram / self.progress_.rows)

    @one_blas_thread()
    def predict(self, X: Any) -> np.ndarray:
        """The value of the line at each row."""
        X = open_inputs(self, X)
        return self._shaped(self.function_(X))

    @one_blas_thread()
    def predict_dist(self, X: Any) -> Normal:
        """Normal at the prediction with the mean squared error before each step; without the weights' uncertainty."""
        X = open_inputs(self, X)
        mean = self.function_(X)
        std = np.sqrt(np.broadcast_to(self.noise_variance_, mean.shape))
        return Normal(self._shaped(mean), self._shaped(std))

    def _shaped(self, a: np.ndarray) -> np.ndarray:
        return a[..., 0] if self.progress_.header.n_targets is None else a

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.regressor_tags.poor_score = True  # one pass over few rows is not enough
        return tags
