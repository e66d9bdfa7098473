r"""The estimator around a mixture: door, starts, and the loop. What it answers when fitted is in `answers.py`.

table ─▶ door ─▶ rows ─▶ starts (n_init, side by side) ─▶ em ─▶ the best ─▶ weights_, components, trace_

Final classes say of which kind they are (`_kind`: their tables, starts and draws) and which attributes they write
(`_write`). Rows may also come in batches, from files or a cluster: `engine.fit`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import count
from typing import Any, Self

import numpy as np
from sklearn.base import DensityMixin
from sklearn.exceptions import ConvergenceWarning

from suffice._components.count_starts import fitted_to
from suffice._components.given import concentration_of, given_weights
from suffice._components.kinds.protocol import ColumnPlan
from suffice._components.normal.gaps import pattern_codes
from suffice._components.rows import counted, refuse_empty_columns
from suffice._components.smoothing import AFTER_SAMPLE
from suffice._components.starts import METHODS, starting_responsibilities
from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NotConverged,
    check_choice,
    check_flags,
    check_integer,
    check_number,
    warn,
)
from suffice._core.random import streams
from suffice._core.records import frozen_array
from suffice._core.trace import Trace
from suffice._estimator import Estimator, remember_columns
from suffice.engine import Rows, one_blas_thread, parallel
from suffice.engine.reduce import merged
from suffice.inference import Converged, em
from suffice.inference.newton import check_limit
from suffice.mixtures._shell.answers import PIECE, MixtureAnswers
from suffice.mixtures._shell.mixing import ExpectedSums, Mixing, expectation, maximized


class MixtureNotConverged(NotConverged, ConvergenceWarning):
    """The iteration reached its limit; scikit-learn's category as well."""


@dataclass(eq=False, repr=False)
class MixtureShell(MixtureAnswers, DensityMixin, Estimator, ABC):
    """p(x) = Σ_k π_k p(x | k), fitted by expectation–maximization: parameters, fitted attributes and passes."""

    _: KW_ONLY
    tol: float = 1e-6
    max_iter: int = 1000
    n_init: int = 1
    init_params: str = "kmeans"
    weights_init: Any = None
    random_state: Any = None
    warm_start: bool = False
    hard: bool = False
    prior: Any = None
    weights_prior: Any = None

    weights_: np.ndarray = field(init=False)
    mixing_: Mixing = field(init=False)
    converged_: bool = field(init=False)
    n_iter_: int = field(init=False)
    lower_bound_: float = field(init=False)
    lower_bounds_: list[float] = field(init=False)
    restarts_: np.ndarray = field(init=False)
    trace_: Trace = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    verbose = 0  # overridden where it is a parameter
    verbose_interval = 10

    @abstractmethod
    def _write(self, mixing: Mixing) -> None:
        """The fitted attributes of this family, and warnings about it."""

    def _check_parameters(self) -> None:
        for name in ("n_components", "n_init"):
            check_integer(name, getattr(self, name), 1)
        check_number("tol", self.tol, low=0.0)
        check_limit(self.max_iter, least=0)
        check_choice("init_params", self.init_params, METHODS)
        check_flags(self, "warm_start", "hard")
        if not isinstance(self.verbose, bool | np.bool_):
            check_number("verbose", self.verbose, low=0.0)
        check_number("verbose_interval", self.verbose_interval, low=1.0)
        self._kind.check()

    # -- the door --------------------------------------------------------------------------------------------
    @property
    def takes_tables(self) -> bool:
        """Whether batches of a source reach the door as they are."""
        return self._kind.takes_tables

    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: ColumnPlan | None = None
    ) -> tuple[Rows, ColumnPlan]:
        """Validated rows, NaN where a cell is missing; with `like`, of the same columns.

        Rows of weight zero are read as missing: what they hold is nobody's business.
        """
        self._check_parameters()
        return self._kind.open_rows(self, X, sample_weight, like)

    # -- the passes, from whatever source --------------------------------------------------------------------
    def begin(self, rows: Rows, plan: ColumnPlan, whole: bool) -> Mixing:
        """A start; the best of several, as far as the rows at hand tell. From a sample it goes as far as it can."""
        self._check_enough(rows, plan)
        starts = self._starts(rows, plan)
        if self._continues or self._kind.all_given or (whole and len(starts) == 1):
            return starts[0]
        found = parallel(lambda start: self._iterated(rows, plan, start, lambda: None), starts)
        best = _best(found)
        return starts[best] if whole else _smoothed(found[best].params)

    def expect(self, rows: Rows, plan: ColumnPlan, params: Mixing) -> ExpectedSums:
        rows = counted(rows)
        return expectation(rows.X, rows.weight, params, self.hard)

    def completed(self, statistics: ExpectedSums, params: Mixing) -> ExpectedSums:
        return statistics.under(params)

    def noted(self, statistics: ExpectedSums) -> dict[str, float]:
        """L and the bound that the last maximization promised; at the start, where none came before, L."""
        params = statistics.params
        assert params is not None
        promised = params.promised if np.isfinite(params.promised) else statistics.objective
        return {"likelihood": statistics.likelihood, "bound": promised - params.log_prior}

    def maximize(self, statistics: ExpectedSums) -> Mixing:
        return maximized(statistics)

    def conclude(self, params: Mixing, statistics: ExpectedSums, trace: Trace) -> Self:
        self.mixing_, self.trace_ = params, trace
        remember_columns(self, params.header)
        self.weights_ = np.array(params.weights)
        self.converged_, self.n_iter_ = bool(trace.converged), len(trace) - 1
        per_row = trace.objective / statistics.n
        self.lower_bounds_ = per_row[:-1].tolist()  # scikit-learn's: what each step began with
        self.lower_bound_ = float(per_row[-2:][0])
        self.restarts_ = frozen_array([self.lower_bound_])
        self._write(params)
        if not self.converged_ and self.max_iter > 0:
            warn(_why_not(per_row, self.max_iter, self.tol), MixtureNotConverged)
        return self

    # -- the fit ---------------------------------------------------------------------------------------------
    @one_blas_thread()
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit by expectation–maximization; y is ignored."""
        rows, plan = self.door(X, None, sample_weight)
        rows = self._arranged(counted(rows))
        self._check_enough(rows, plan)
        self.reported(lambda tick: self._fit_rows(rows, plan, tick), None)
        self._kind.remember(self, X)
        return self

    def _arranged(self, rows: Rows) -> Rows:
        """Rows with the same known cells beside each other, where each pattern then is factored once."""
        if not self._kind.orders_gaps or not (missing := np.isnan(rows.X)).any():
            return rows
        return rows[np.argsort(pattern_codes(missing), kind="stable")]

    def _fit_rows(self, rows: Rows, plan: ColumnPlan, tick: Callable[[], None]) -> Self:
        starts = self._starts(rows, plan)
        found = parallel(lambda start: self._iterated(rows, plan, start, tick), starts)
        best = found[_best(found)]
        self.conclude(best.params, best.statistics, best.trace)
        self.restarts_ = frozen_array([_began_with(f) / f.statistics.n for f in found])
        return self

    # -- starts ----------------------------------------------------------------------------------------------
    def _starts(self, rows: Rows, plan: ColumnPlan) -> list[Mixing]:
        base = self._kind.base(rows, plan, self.n_components)
        if self._continues:
            self._check_same_columns(plan)
            components = self._kind.continued(self.mixing_.components, base, plan)
            return [replace(self._equal_weights(components, plan), weights=self.mixing_.weights)]
        if self._kind.all_given:
            return [self._with_given(self._equal_weights(base, plan), plan)]
        seeds = streams(self.random_state, self.n_init)
        return parallel(lambda rng: self._start(rows, plan, base, rng), seeds)

    def _start(self, rows: Rows, plan: ColumnPlan, base: Any, rng: np.random.Generator) -> Mixing:
        K = self.n_components
        units = self._kind.units(rows, plan, K)
        responsibilities = starting_responsibilities(units, rows.weight, K, self.init_params, rng)
        return self._with_given(self._from_responsibilities(rows, plan, base, responsibilities), plan)

    def _from_responsibilities(
        self, rows: Rows, plan: ColumnPlan, base: Any, responsibilities: np.ndarray
    ) -> Mixing:
        """What responsibilities for the rows make of the base."""
        if rows.weight is not None:
            responsibilities = responsibilities * rows.weight[:, None]
        made = self._equal_weights(fitted_to(base, rows, responsibilities), plan)
        return replace(made, weights=made.weights_from(responsibilities.sum(axis=0)))

    def _equal_weights(self, components: Any, plan: ColumnPlan) -> Mixing:
        K = self.n_components
        concentration = concentration_of(self.weights_prior, K)
        return Mixing(frozen_array(np.full(K, 1 / K)), components, plan.header, concentration)

    def _with_given(self, start: Mixing, plan: ColumnPlan) -> Mixing:
        """A start with what the user gave in place of what was found."""
        components, weights = self._kind.start(start.components, start.weights, plan), start.weights
        if self.weights_init is not None:
            weights = given_weights(self.weights_init, self.n_components, start.concentration)
        return replace(start, weights=weights, components=components)

    # -- the loop --------------------------------------------------------------------------------------------
    def _iterated(self, rows: Rows, plan: ColumnPlan, start: Mixing, tick: Callable[[], None]) -> Converged:
        pieces = [rows[a : a + PIECE] for a in range(0, len(rows), PIECE)]
        steps = count()

        def expect(params: Mixing) -> ExpectedSums:
            parts = parallel(lambda piece: self.expect(piece, plan, params), pieces)
            tick()
            done = self.completed(merged(parts), params)
            self._show(next(steps), done)
            return done

        return em(
            start,
            expect,
            self.maximize,
            tol=self.tol,
            max_iter=self.max_iter,
            noted=self.noted,
            before=self.before,
            quiet=True,
        )

    def _show(self, step: int, statistics: ExpectedSums) -> None:
        """Say where the iteration stands, if that was asked for."""
        if self.verbose and step % self.verbose_interval == 0:
            print(f"step {step}: {statistics.objective / statistics.n:.6f} per row")

    @property
    def _continues(self) -> bool:
        """Whether to begin where the last fit ended."""
        return self.warm_start and hasattr(self, "mixing_")

    @property
    def before(self) -> float:
        """What the step that ended the last fit began with, per row, where this one goes on from it."""
        stepped = self._continues and getattr(self, "n_iter_", 0) > 0
        return self.lower_bound_ if stepped else -np.inf

    def _check_enough(self, rows: Rows, plan: ColumnPlan) -> None:
        refuse_empty_columns(rows.X, plan.header.feature_names)
        if len(rows) < self.n_components:
            raise InvalidInput(
                f"Expected n_samples >= n_components; got n_components={self.n_components} and {len(rows)} rows of "
                "weight above zero. Choose fewer components."
            )

    def _check_same_columns(self, plan: ColumnPlan) -> None:
        if plan.header.n_features != self.n_features_in_ or self.mixing_.n_components != self.n_components:
            raise InvalidParameter(
                f"warm_start goes on from {self.mixing_.n_components} components of {self.n_features_in_} columns; got "
                f"n_components={self.n_components} and {plan.header.n_features} columns. Set warm_start=False."
            )

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> np.ndarray:
        """Fit, then the most probable component of every row."""
        return self.fit(X, y, sample_weight).predict(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        for name, value in self._kind.input_tags.items():
            setattr(tags.input_tags, name, value)
        return tags


def _smoothed(mixing: Mixing) -> Mixing:
    """What was fitted to some of the rows, as a start for all: nothing that these may hold is impossible."""
    return replace(mixing, components=mixing.components.smoothed(mixing.weights, AFTER_SAMPLE))


def _best(found: list[Converged]) -> int:
    """The highest bound; the first of equal ones."""
    return int(np.argmax([_began_with(f) for f in found]))


def _began_with(found: Converged) -> float:
    """The objective that the last step began with."""
    return float(found.trace.objective[-2:][0])


def _why_not(per_row: np.ndarray, max_iter: int, tol: float) -> str:
    """What a fit that stopped at its limit says."""
    change = float(per_row[-1] - per_row[-2])
    text = f"The best start did not converge in max_iter={max_iter} iterations: the last "
    if change < 0:
        return (
            f"{text}lowered the log likelihood per row by {-change:.2g}. What is added to variances (reg_covar) is no "
            "step upwards; choose less of it, and look at trace_."
        )
    return (
        f"{text}raised the log likelihood per row by {change:.2g}, and tol={tol:g}. Raise max_iter or tol, or look at "
        "trace_."
    )
