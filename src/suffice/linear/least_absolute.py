r"""Median regression: the smallest sum of absolute residuals (FCML §1.1.3).

Loss         Σ w |y − b − φᵀw|,  smallest where 0 is a subgradient: some p rows are met exactly
Decision     predict(x) = b + φ(x)ᵀw, the median of y given x
Noise        y | x ~ Laplace(predict(x), s),  ŝ = Σ w |residual| / n        (maximum likelihood)

There is no closed form; `_solvers/absolute.py` finds the optimum and its certificate on orthonormal columns, for the
residuals of least squares.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Literal, Self, final

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from suffice._core.errors import NotConverged, check_choice, check_flags, warn
from suffice._core.records import estimator
from suffice._estimator import Estimator, open_inputs, remember_columns, warn_dependent, warn_ill_conditioned
from suffice.bases import Basis
from suffice.distributions import LaplaceDistribution
from suffice.engine import Rows, one_blas_thread
from suffice.linear._solvers.absolute import Vertex, least_absolute, linear_program, reweighted
from suffice.linear.linear_regression import LinearRegression
from suffice.statistics import AffineFunction, Layout, Solution, Triangle
from suffice.statistics.layout import dense

START = {"auto": reweighted, "descent": reweighted, "linear_program": linear_program}
TOLERANCE = 1e-8
ROUNDING = 1e-13  # residuals below this part of what they are a difference of are those of a perfect fit


@final
@estimator
class LeastAbsoluteDeviations(MultiOutputMixin, RegressorMixin, Estimator):
    """Linear regression by least absolute deviations: a line through the median, which a wild row cannot drag away.

    Parameters
    ----------
    fit_intercept
        Whether to add a constant.
    basis
        Functions of the inputs; None uses the columns as they are.
    standardize
        Measure the weights in standardized columns (divisor n). It changes the fit only where columns are dependent,
        and without an intercept, where the fit is then zero at the mean of the columns instead of the origin, and
        `intercept_` is the constant this takes. Weights are reported for the original columns.
    solver
        Where the walk over vertices starts: "descent" from reweighted least squares, which is the quicker;
        "linear_program" from the solution of the dual linear program. "auto" takes the first, and the second where
        the certificate of the first is not good enough. All end at the optimum.

    Attributes
    ----------
    optimality_
        How far the subgradient condition and the duality gap are from zero, relative; below 1e-8.
    unique_
        Whether no other weights are as good. Where this is False, the weights are one corner of the best set, the
        same for every order of the rows.
    noise_scale_
        Mean absolute residual.

    Notes
    -----
    `predict_dist` is a Laplace distribution at the prediction with the maximum-likelihood scale: it leaves out the
    uncertainty of the weights.

    A row that is wild in y has a bounded pull; one that is wild in x does not.

    Examples
    --------
    >>> from suffice.linear import LeastAbsoluteDeviations
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [1.0, 3.0, 4.9, 7.0, 90.0]
    >>> model = LeastAbsoluteDeviations().fit(X, y)
    >>> print(f"{model.intercept_:.2f} {model.coef_[0]:.2f}")
    1.00 2.00
    """

    _: KW_ONLY
    fit_intercept: bool = True
    basis: Basis | None = None
    standardize: bool = False
    solver: Literal["auto", "linear_program", "descent"] = "auto"

    function_: AffineFunction = field(init=False)
    basis_: Basis | None = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: Any = field(init=False)
    noise_scale_: Any = field(init=False)
    optimality_: float = field(init=False)
    unique_: bool = field(init=False)

    _input_tags = ("sparse",)

    @one_blas_thread()
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations.
        y
            Target, or several in columns.
        sample_weight
            How often each row counts.
        """
        check_flags(self, "fit_intercept", "standardize")
        check_choice("solver", self.solver, tuple(START))
        squares = LinearRegression(fit_intercept=self.fit_intercept, basis=self.basis)
        rows, layout = squares.door(X, y, sample_weight)
        rows = merged(rows)
        t = squares.gather(rows, Layout.plan(layout.header, rows.X, rows.Y, rows.weight))
        s = t.lstsq(fit_intercept=self.fit_intercept, standardize=self.standardize)
        warn_dependent(t, s.constant, s.dependent)
        warn_ill_conditioned(s.condition)
        columns, rest = orthonormal(s, t, rows)
        found = [self._vertex(columns, r, rows.weight) for r in rest.T]
        self._publish(s, t, found)
        left = rest - columns @ np.column_stack([v.theta for v in found])
        self.noise_scale_ = self._one((rows.weight / t.n) @ np.abs(left))
        return self

    def _vertex(self, columns: np.ndarray, y: np.ndarray, weight: np.ndarray) -> Vertex:
        found = least_absolute(columns, y, weight, START[self.solver])
        if self.solver == "auto" and found.optimality > TOLERANCE:
            return least_absolute(columns, y, weight, linear_program)
        return found

    def _publish(self, s: Solution, t: Triangle, found: list[Vertex]) -> None:
        theta = np.column_stack([v.theta for v in found])
        skip = int(self.fit_intercept)
        lift = theta[0] / np.sqrt(t.n) if skip else 0.0
        function = s.function.replaced(s.function.value + lift, s.function.slope + s.basis @ theta[skip:])
        intercept, coef = function.raw()
        self.function_, self.basis_ = function, t.header.basis
        self.coef_ = coef[:, 0] if t.header.n_targets is None else coef.T
        self.intercept_ = self._one(intercept)
        self.optimality_ = max(v.optimality for v in found)
        self.unique_ = all(v.unique for v in found)
        remember_columns(self, t.header)
        if self.optimality_ > TOLERANCE:
            warn(
                f"The weights are optimal to {self.optimality_:.1e} only; look for columns that nearly depend on "
                "each other, or for weights that differ by many orders of magnitude.",
                NotConverged,
            )

    @one_blas_thread()
    def predict(self, X: Any) -> np.ndarray:
        """The median of y at each row."""
        X = open_inputs(self, X)
        return self._shaped(self.function_(X))

    @one_blas_thread()
    def predict_dist(self, X: Any) -> LaplaceDistribution:
        """Laplace at the prediction with the mean absolute residual; without the weights' uncertainty."""
        X = open_inputs(self, X)
        center = self.function_(X)
        scale = np.broadcast_to(self.noise_scale_, center.shape)
        return LaplaceDistribution(self._shaped(center), self._shaped(scale))

    def _single(self) -> bool:
        return self.function_.layout.header.n_targets is None

    def _shaped(self, a: np.ndarray) -> np.ndarray:
        return a[..., 0] if self._single() else a

    def _one(self, a: np.ndarray) -> Any:
        return float(a[0]) if self._single() else a


def merged(rows: Rows) -> Rows:
    """Rows that count, in an order of their own, equal ones as one: so that their order decides nothing."""
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    used = weight > 0
    X, Y, weight = dense(rows.X)[used], rows.Y[used], weight[used]
    cells = np.column_stack([X, Y])
    order = np.lexsort(cells.T)
    new = np.append(True, np.any(np.diff(cells[order], axis=0) != 0, axis=1))
    first = order[new]
    return Rows(X[first], Y[first], np.add.reduceat(weight[order], np.flatnonzero(new)))


def orthonormal(s: Solution, t: Triangle, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Orthonormal columns that span the design, the constant first; and what least squares leaves of y."""
    z = s.function.deviations(rows.X)
    columns = z @ s.basis
    if s.fit_intercept:
        columns = np.column_stack([np.full(len(z), 1 / np.sqrt(t.n)), columns])
    rest = rows.Y - (s.function.value + z @ s.function.slope)
    size = np.max(np.abs(z) @ np.abs(s.function.slope) + np.abs(rows.Y - s.function.value), axis=0)
    perfect = (np.max(np.abs(rest), axis=0) <= ROUNDING * size) | (len(z) <= columns.shape[1])
    return columns, np.where(perfect, 0.0, rest)
