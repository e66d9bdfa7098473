r"""The estimator around a mixture: door, starts, and the loop. What it answers when fitted is in `answers.py`.

table ─▶ door ─▶ rows ─▶ starts (n_init, side by side) ─▶ em ─▶ the best ─▶ weights_, components, trace_

Final classes say which components they have (`_base`), how a start is changed by what the user gave (`_given`), and
which attributes they write (`_write`). Rows may also come in batches, from files or a cluster: `engine.fit`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any, Self

import numpy as np
from sklearn.base import DensityMixin
from sklearn.exceptions import ConvergenceWarning

from suffice._components.normal.dense import as_rows
from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NotConverged,
    check_choice,
    check_flags,
    check_number,
    warn,
)
from suffice._core.random import streams
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace
from suffice._estimator import (
    Estimator,
    check_weight,
    open_table,
    remember_columns,
)
from suffice.engine import Rows, one_blas_thread, parallel
from suffice.engine.reduce import merged
from suffice.inference import Converged, em
from suffice.inference.newton import check_limit
from suffice.mixtures._shell.answers import PIECE, MixtureAnswers
from suffice.mixtures._shell.mixing import ExpectedSums, Mixing, expectation, maximized
from suffice.mixtures._shell.rows import counted, refuse_empty_columns, without_idle
from suffice.mixtures._shell.starts import HOWS, starting_shares
from suffice.mixtures._shell.weights import concentration_of, given_weights
from suffice.statistics import Header


class MixtureNotConverged(NotConverged, ConvergenceWarning):
    """The iteration reached its limit; scikit-learn's category as well."""


@record
class MixturePlan:
    """The columns of the rows, for batches that come later."""

    header: Header
    details: Any = None


class MixtureShell(MixtureAnswers, DensityMixin, Estimator, ABC):
    """p(x) = Σ_k π_k p(x | k), fitted by expectation–maximization."""

    n_components: int
    tol: float
    max_iter: int
    n_init: int
    init_params: str
    weights_init: Any
    weights_prior: Any
    random_state: Any
    warm_start: bool
    hard: bool

    weights_: np.ndarray
    mixing_: Mixing
    converged_: bool
    n_iter_: int
    lower_bound_: float
    lower_bounds_: list[float]
    restarts_: np.ndarray
    trace_: Trace

    # -- what final classes say ------------------------------------------------------------------------------
    @abstractmethod
    def _base(self, rows: Rows, plan: MixturePlan) -> Any:
        """K components that are all alike, with the rule they are fitted by: of the size of the rows, no better."""

    @abstractmethod
    def _given(self, start: Mixing, plan: MixturePlan) -> Mixing:
        """A start with what the user gave in place of what was found."""

    @abstractmethod
    def _write(self, mixing: Mixing) -> None:
        """The fitted attributes of this family, and warnings about it."""

    def _check_rows(self, X: Any, names: tuple[str, ...]) -> Any:
        """Rows as the components see them; raises for cells that they cannot be."""
        return X

    def _plan_details(self, X: Any, weight: np.ndarray | None, names: tuple[str, ...]) -> Any:
        """What later batches must agree with, beside the columns."""
        return None

    def _arranged(self, rows: Rows) -> Rows:
        """Rows in the order in which they are seen fastest."""
        return rows

    @property
    def _all_given(self) -> bool:
        """Whether the user gave all of a start."""
        return False

    def _check_parameters(self) -> None:
        for name in ("n_components", "n_init"):
            value = getattr(self, name)
            if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or value < 1:
                raise InvalidParameter(f"{name} must be an integer >= 1; got {value!r}.")
        check_number("tol", self.tol, low=0.0)
        check_limit(self.max_iter, least=0)
        check_choice("init_params", self.init_params, HOWS)
        check_flags(self, "warm_start", "hard")

    # -- the door --------------------------------------------------------------------------------------------
    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: MixturePlan | None = None
    ) -> tuple[Rows, MixturePlan]:
        """Validated rows, NaN where a cell is missing; with `like`, of the same columns."""
        self._check_parameters()
        X, empty, header = open_table(
            self, X, supervised=False, like=None if like is None else like.header, gaps=True
        )
        weight = check_weight(sample_weight, X)
        names = header.feature_names
        X = self._check_rows(without_idle(X, weight), names)
        if like is None:
            like = MixturePlan(header, self._plan_details(X, weight, names))
        return Rows(X, empty, weight), like

    # -- the passes, from whatever source --------------------------------------------------------------------
    def begin(self, rows: Rows, plan: MixturePlan, whole: bool) -> Mixing:
        """A start; the best of several, as far as the rows at hand tell. From a sample it goes as far as it can."""
        self._check_enough(rows, plan)
        starts = self._starts(rows, plan)
        if self._goes_on or self._all_given or (whole and len(starts) == 1):
            return starts[0]
        found = parallel(lambda start: self._climbed(rows, plan, start, lambda: None), starts)
        best = _best(found)
        return starts[best] if whole else self._reopened(found[best].params)

    def expect(self, rows: Rows, plan: MixturePlan, params: Mixing) -> ExpectedSums:
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
        return self.reported(lambda tick: self._fit_rows(rows, plan, tick), None)

    def _fit_rows(self, rows: Rows, plan: MixturePlan, tick: Callable[[], None]) -> Self:
        starts = self._starts(rows, plan)
        found = parallel(lambda start: self._climbed(rows, plan, start, tick), starts)
        best = found[_best(found)]
        self.conclude(best.params, best.statistics, best.trace)
        self.restarts_ = frozen_array([_began_with(f) / f.statistics.n for f in found])
        return self

    def _starts(self, rows: Rows, plan: MixturePlan) -> list[Mixing]:
        base = self._base(rows, plan)
        if self._goes_on:
            self._check_same_columns(plan)
            return [replace(self._blank(self._taken_up(base), plan), weights=self.mixing_.weights)]
        if self._all_given:
            return [self._given(self._blank(base, plan), plan)]
        seeds = streams(self.random_state, self.n_init)
        return parallel(lambda rng: self._start(rows, plan, base, rng), seeds)

    def _start(self, rows: Rows, plan: MixturePlan, base: Any, rng: np.random.Generator) -> Mixing:
        shares = self._first_shares(rows, plan, rng)
        return self._given(self._shared_out(rows, plan, base, shares), plan)

    def _first_shares(self, rows: Rows, plan: MixturePlan, rng: np.random.Generator) -> np.ndarray:
        """Shares (N, K) before there are components."""
        return starting_shares(as_rows(rows.X), rows.weight, self.n_components, self.init_params, rng)

    def _shared_out(self, rows: Rows, plan: MixturePlan, base: Any, shares: np.ndarray) -> Mixing:
        """What some shares of the components in the rows make of the base."""
        shares = shares if rows.weight is None else shares * rows.weight[:, None]
        blocks = [slice(a, a + base.block) for a in range(0, len(rows), base.block)]
        sums = merged(base.see(rows.X[b]).weigh(shares[b]) for b in blocks)
        blank = self._blank(base.maximized(sums), plan)
        return replace(blank, weights=blank.weights_from(shares.sum(axis=0)))

    def _blank(self, base: Any, plan: MixturePlan) -> Mixing:
        K = self.n_components
        return Mixing(frozen_array(np.full(K, 1 / K)), base, plan.header, self._concentration())

    def _climbed(self, rows: Rows, plan: MixturePlan, start: Mixing, tick: Callable[[], None]) -> Converged:
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

    def _reopened(self, mixing: Mixing) -> Mixing:
        """What was fitted to some of the rows, as a start for all: nothing that these may hold is impossible."""
        return mixing

    @property
    def _goes_on(self) -> bool:
        """Whether to begin where the last fit ended."""
        return self.warm_start and hasattr(self, "mixing_")

    @property
    def before(self) -> float:
        """What the step that ended the last fit began with, per row, where this one goes on from it."""
        stepped = self._goes_on and getattr(self, "n_iter_", 0) > 0
        return self.lower_bound_ if stepped else -np.inf

    def _taken_up(self, base: Any) -> Any:
        """The components of the last fit, fitted on by the rule of a base."""
        return self.mixing_.components.ruled_by(base)

    def _check_enough(self, rows: Rows, plan: MixturePlan) -> None:
        refuse_empty_columns(rows.X, plan.header.feature_names)
        if len(rows) < self.n_components:
            raise InvalidInput(
                f"Expected n_samples >= n_components; got n_components={self.n_components} and {len(rows)} rows of "
                "weight above zero. Choose fewer components."
            )

    def _check_same_columns(self, plan: MixturePlan) -> None:
        if plan.header.n_features != self.n_features_in_ or self.mixing_.n_components != self.n_components:
            raise InvalidParameter(
                f"warm_start goes on from {self.mixing_.n_components} components of {self.n_features_in_} columns; got "
                f"n_components={self.n_components} and {plan.header.n_features} columns. Set warm_start=False."
            )

    def _concentration(self) -> np.ndarray | None:
        """α of the Dirichlet prior on the weights."""
        return concentration_of(self.weights_prior, self.n_components)

    def _weights_given(self, start: Mixing) -> np.ndarray:
        """Weights of a start."""
        if self.weights_init is None:
            return start.weights
        return given_weights(self.weights_init, self.n_components, start.concentration)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> np.ndarray:
        """Fit, then the most probable component of every row."""
        return self.fit(X, y, sample_weight).predict(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


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
