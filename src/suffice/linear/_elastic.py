r"""What the lasso and the elastic net share: minima for one penalty or a path of them, from the unit problem.

    1/(2n) ‖y − b − Φw‖² + α ρ ‖w‖₁ + ½ α (1 − ρ) ‖w‖²      times n/‖z‖² is the problem of `inference.active_set`

`ElasticModel` is the shell of both; the functions below it read its parameters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from scipy.sparse import csr_array

from suffice._core.errors import (
    InvalidParameter,
    check_choice,
    check_flag,
    check_flags,
    check_number,
    warn,
)
from suffice._estimator import LinearPath, check_no_effect, check_not_empty
from suffice._estimator.convergence import SolverNotConverged
from suffice.engine import one_blas_thread
from suffice.inference.active_set import ActiveSetSolution, least_squares, path
from suffice.linear._shrinking import Shrinking
from suffice.linear._solvers.unit import UnitSystem, unit_system
from suffice.linear.ridge import _penalties
from suffice.statistics import Triangle

SELECTIONS = ("cyclic", "random")
ROUNDING = 1e-14  # a gap below it says nothing, whatever the tolerance
PASSES = 1000  # at most, if none are named


class Fits(NamedTuple):
    """Penalized weights (columns, penalties) of one target, effective parameters, gaps and passes of each."""

    weights: np.ndarray
    effective: np.ndarray
    gaps: np.ndarray
    passes: np.ndarray


@dataclass(eq=False, repr=False)
class ElasticModel(Shrinking, ABC):
    """A linear model with a penalty on the size of the weights, or on their squares too."""

    _: KW_ONLY
    fit_intercept: bool = True
    precompute: Any = False
    copy_X: bool = True
    max_iter: int | None = 1000
    tol: float = 1e-4
    warm_start: bool = False
    positive: bool = False
    random_state: Any = None
    selection: Literal["cyclic", "random"] = "cyclic"
    standardize: bool = False

    effective_parameters_: Any = field(init=False)
    dual_gap_: Any = field(init=False)
    n_iter_: Any = field(init=False)

    @property
    @abstractmethod
    def mixing(self) -> float:
        """ρ, the share of the absolute values in the penalty."""

    @property
    def sparse_coef_(self) -> csr_array:
        """The weights as a sparse matrix, a row per target."""
        return csr_array(np.atleast_2d(self.coef_))

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Fit to a table; `check_input` is taken for scikit-learn's sake: tables are always checked.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            Target, or several in columns.
        sample_weight
            How often each row counts; see `weight_kind`.
        check_input
            Without effect.
        """
        check_flag("check_input", check_input)
        return super().fit(X, y, sample_weight)

    def penalty(self, weights: np.ndarray) -> float:
        """ρ Σ|w| + ½ (1 − ρ) Σ w²."""
        rho, sizes = self.mixing, np.sum(np.abs(weights))
        return float(sizes if rho == 1 else rho * sizes + 0.5 * (1 - rho) * (weights @ weights))

    def _check(self) -> None:
        check_flags(self, "fit_intercept", "standardize", "positive")
        check_number("tol", self.tol, low=0)
        names = ("max_iter", "precompute", "copy_X", "warm_start", "random_state")
        check_no_effect(self, *names, selection=SELECTIONS)
        if check_number("l1_ratio", self.mixing, low=0) > 1:
            raise InvalidParameter(f"l1_ratio must lie in [0, 1]; got {self.mixing!r}.")

    def _minimize(self, t: Triangle, unit: UnitSystem, alphas: np.ndarray) -> list[tuple[np.ndarray, float]]:
        found = list(_of_targets(self, t, unit, alphas[None]))
        single = t.header.n_targets is None
        self.dual_gap_ = float(found[0].gaps[0]) if single else np.array([f.gaps[0] for f in found])
        self.n_iter_ = (
            int(found[0].passes[0]) if single else np.array([f.passes[0] for f in found], dtype=int)
        )
        return [(f.weights[:, 0], float(f.effective[0])) for f in found]

    # -- validation -----------------------------------------------------------------------------------
    path_parameters: ClassVar[tuple[str, ...]] = ("alpha",)

    @one_blas_thread()
    def solve_paths(
        self, statistics: Sequence[Triangle], parameter: str, values: Sequence[Any]
    ) -> list[LinearPath]:
        """For each statistic the functions of all penalties, each from the solution of the next larger one."""
        check_choice("parameter", parameter, self.path_parameters)
        self._check()
        check_choice("weight_kind", self.weight_kind, ("counts", "precision"))
        return [_path(self, t, values) for t in statistics]


def _path(model: ElasticModel, t: Triangle, values: Sequence[Any]) -> LinearPath:
    check_not_empty(t.n)
    k = t.header.n_outputs
    alphas = np.stack([_penalties(v, k) for v in values])  # (values, targets)
    unit = unit_system(t, model.fit_intercept, model.standardize)
    columns = np.stack([f.weights for f in _of_targets(model, t, unit, alphas)], axis=-1)
    return LinearPath(unit.function(columns.reshape(t.n_columns, -1)), k, t.header.n_targets is None)


def _of_targets(model: ElasticModel, t: Triangle, unit: UnitSystem, alphas: np.ndarray) -> Iterator[Fits]:
    for j, problem in enumerate(unit.problems()):
        fits = _along(model, t, unit, problem.replaced(None, model.positive), j, alphas[:, j])
        _warn_of_gap(model, fits, unit.size(j) ** 2 / t.n)
        yield fits


def _along(
    model: ElasticModel, t: Triangle, unit: UnitSystem, problem: Any, j: int, alphas: np.ndarray
) -> Fits:
    """One target along its penalties; zero is least squares."""
    size, rho, most = unit.size(j), float(model.mixing), (model.max_iter or PASSES) * len(alphas)
    found = [ActiveSetSolution(np.zeros(0), 0.0, 1)] * len(alphas)
    weights, some = np.empty((t.n_columns, len(alphas))), np.flatnonzero(alphas > 0)
    squares = None if rho == 1 else size * (1 - rho) * unit.level(2)
    results = path(problem, rho * unit.level(), t.n * alphas[some] / size, most, squares)
    if len(some) < len(alphas):
        weights[:, alphas == 0], plain = _without_penalty(model, t, unit, problem, j)
        found = [plain] * len(alphas)
    for i, result in zip(some, results, strict=True):
        weights[:, i], found[i] = unit.weights(result.weights, j), result
    gaps = np.array([f.gap for f in found]) * size**2 / t.n
    return Fits(weights, np.array([f.trace for f in found]), gaps, np.array([f.passes for f in found]))


def _without_penalty(
    model: ElasticModel, t: Triangle, unit: UnitSystem, problem: Any, j: int
) -> tuple[np.ndarray, ActiveSetSolution]:
    """Weights in a column, and how they were found."""
    if not model.positive:
        weights, rank = model._plain(t, unit, j)
        return weights[:, None], ActiveSetSolution(weights, 0.0, 1, rank)
    found = least_squares(problem, model.max_iter or PASSES)
    return unit.weights(found.weights, j)[:, None], found


def _warn_of_gap(model: ElasticModel, fits: Fits, unit_of_gap: float) -> None:
    worst = float(fits.gaps.max(initial=0.0))
    if worst > max(model.tol, ROUNDING) * unit_of_gap:
        warn(
            f"The duality gap is {worst:.3g}, more than tol={model.tol:g} times the mean square of the target; "
            "increase max_iter, or alpha where columns nearly repeat each other.",
            SolverNotConverged,
        )
