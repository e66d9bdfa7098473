r"""How generalized linear models are fitted: the door, and the climb by passes over rows, wherever they are.

table ─▶ door ─▶ rows, plan ─▶ passes: slope at u ─▶ climb ─▶ mode

Final classes say what targets are (`_open_targets`), which likelihood they have, and what prior the weights have; the
shell says what is written at the mode (`_conclude`).
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    Unsupported,
    check_flags,
    check_number,
    hold_warnings,
)
from suffice._core.memory import need_memory
from suffice._estimator import (
    Estimator,
    check_weight,
    open_table,
)
from suffice._estimator.linear_model import agreed_header, with_basis
from suffice.bases import Basis
from suffice.engine import Rows, one_blas_thread, parallel
from suffice.engine.reduce import merged
from suffice.glm._fit.mode import Mode, find_mode
from suffice.glm._fit.pass_sums import sums_at
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Prior, RawColumns
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._fit.quasi_newton import (
    after,
    first_steps_of_one,
    first_steps_of_several,
    from_few,
    hessian_is_expensive,
)
from suffice.inference.newton import check_limit
from suffice.likelihoods import Likelihood
from suffice.statistics import Header, Triangle
from suffice.statistics.triangle import gather

FEW = 8_192  # rows that a climb over many begins from
MANY = 4 * FEW
PIECE = 16_384


class FittedByPasses(Estimator, ABC):
    """A model that looks for the highest point of a log posterior."""

    basis: Basis | None
    fit_intercept: bool
    standardize: bool
    tol: float
    max_iter: int

    _fewest_steps: ClassVar[int] = 1

    # -- what final classes say ------------------------------------------------------------------------------
    @abstractmethod
    def _open_targets(self, y: Any, weight: np.ndarray | None, like: Plan | None) -> tuple[np.ndarray, Any]:
        """Targets as the likelihood counts them, and the classes, if that is what they are."""

    @abstractmethod
    def _likelihood(self, classes: np.ndarray | None) -> Likelihood:
        """The likelihood of these targets."""

    @abstractmethod
    def _prior(self, plan: Plan, columns: RawColumns) -> Prior:
        """The prior, or penalty, on the weights."""

    @abstractmethod
    def _conclude(self, plan: Plan, problem: LinkProblem, mode: Mode) -> None:
        """Write every fitted attribute."""

    def _check_parameters(self) -> None:
        check_flags(self, "fit_intercept", "standardize")
        check_number("tol", self.tol, low=0.0)
        check_limit(self.max_iter, self._fewest_steps)

    # -- the door --------------------------------------------------------------------------------------------
    @property
    def state_needs_data(self) -> bool:
        """Whether the basis takes centers or knots from the rows."""
        return self.basis is not None and self.basis.needs_data

    def door(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        like: Plan | None = None,
        offset: Any = None,
    ) -> tuple[Rows, Plan]:
        """Validated rows and where their columns sit; with `like`, those of an earlier table."""
        self._check_parameters()
        if y is None:
            raise InvalidInput(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        y = np.asarray(y)
        n = len(y) if y.ndim else 0
        X, _, header = open_table(self, X, np.zeros(n), like=None if like is None else like.header)
        header = Header(header.n_features, header.features, None, 0)
        weight = check_weight(sample_weight, X)
        targets, classes = self._open_targets(y, weight, like)
        Y = targets if offset is None else np.column_stack([targets, open_offset(offset, len(targets))])
        rows = Rows(X, Y, weight)
        if like is not None:
            agreed_header(header, like.header, self.basis, X)
            return rows, like
        likelihood = self._likelihood(classes)
        start = self._start(likelihood, targets, weight, classes)
        if offset is not None and self.fit_intercept:
            start = start - np.average(Y[:, 1], weights=weight)
        return rows, Plan.of(with_basis(header, self.basis, X, weight), X, weight, likelihood, start, classes)

    def _start(
        self, likelihood: Likelihood, y: np.ndarray, weight: np.ndarray | None, classes: Any
    ) -> np.ndarray:
        """The constant with the mean of the targets; zero where that has no link, or there is no constant."""
        k = likelihood.n_functions
        w = np.ones(len(y)) if weight is None else weight
        try:
            if likelihood.several:
                share = np.bincount(y, w, minlength=1 + k)  # one class is refused later, by name
                a = likelihood.link(share / share.sum())
            else:
                a = likelihood.link(np.atleast_1d(np.average(np.where(w > 0, y, 0.0), weights=w)))
        except (Unsupported, ZeroDivisionError):
            return np.zeros(k)
        usable = self.fit_intercept and np.isfinite(a).all()
        return np.broadcast_to(a, (k,)) if usable else np.zeros(k)

    # -- the fit ---------------------------------------------------------------------------------------------
    def _fit(self, X: Any, y: Any, sample_weight: Any, offset: Any = None) -> Self:
        with one_blas_thread():
            rows, plan = self.door(X, y, sample_weight, offset=offset)
            return self.reported(lambda tick: self._fit_rows(rows, plan, None, tick), None)

    def _fit_rows(self, rows: Rows, plan: Plan, start: np.ndarray | None, tick: Any = None) -> Self:
        """Fit to rows behind the door, from given functions or from what a few rows say."""
        start = self.begin(rows, plan) if start is None else start
        pieces = _pieces(rows)

        def visit(at: Any) -> Any:
            return merged(parallel(lambda some: self.expect(some, plan, at), pieces))

        return self.fit_by_passes(plan, start, visit, tick)

    def begin(self, rows: Rows, plan: Plan) -> np.ndarray:
        """Functions to begin from: where there are many rows, those that fit a few of them."""
        if hessian_is_expensive(plan) and len(rows) > 2 * plan.n_functions * plan.n_columns:
            return self._from_few(rows, plan)
        if plan.n_functions > 1 or (
            len(rows) < MANY and len(rows) != FEW
        ):  # so many come from a source with more
            return plan.first()
        few = rows[_strided(len(rows), FEW)]
        with hold_warnings():  # the fit to all rows will say what is wrong with them
            mode = self._rough_mode(
                plan, plan.first(), lambda at: sums_at(few, plan, at), 1e-3, len(few) / len(rows)
            )
        return mode.u if np.isfinite(mode.u).all() and mode.unbounded is None else plan.first()

    def _from_few(self, rows: Rows, plan: Plan) -> np.ndarray:
        """Where a Hessian is expensive: quasi-Newton steps on a sample."""
        columns, free = self._columns(plan, lambda at: self.expect(rows, plan, at))
        weights = self._class_weights(plan, lambda at: sums_at(rows, plan, at))
        with hold_warnings():
            u = from_few(LinkProblem(plan, self._prior(plan, columns), free), rows, weights)
        return u if np.isfinite(u).all() else plan.first()

    def start_for(self, plan: Plan) -> np.ndarray | None:
        """The functions of this fit in a plan with its units and classes; None in another."""
        own, f = self.plan_, self.function_
        if own.layout is not plan.layout or not np.array_equal(own.classes, plan.classes):
            return None
        u = np.vstack([f.value, f.slope * plan.scale[:, None]])
        return u if np.isfinite(u).all() else None

    def expect(self, rows: Rows, plan: Plan, at: Any) -> Any:
        """One pass over some rows: the slope at some functions, or their columns' means and spreads."""
        if at is None:
            return gather(plan.layout, rows.X, np.zeros((len(rows), 0)), rows.weight)
        return sums_at(rows, plan, at)

    def fit_by_passes(
        self,
        plan: Plan,
        start: np.ndarray,
        visit: Callable[[Any], Any],
        tick: Callable[[], None] | None = None,
    ) -> Self:
        """Climb by passes over all rows, wherever they are, and write every fitted attribute; or, on failure, none."""
        new = copy.copy(self)
        new._conclude(plan, *new._ascended(plan, start, visit, tick))
        self.__dict__ = new.__dict__
        return self

    def _ascended(
        self, plan: Plan, start: np.ndarray, visit: Callable[[Any], Any], tick: Any = None
    ) -> tuple[LinkProblem, Mode]:
        """The problem that these rows pose, and its mode."""
        columns, free = self._columns(plan, visit)
        problem = LinkProblem(plan, self._prior(plan, columns), free)
        weights = self._class_weights(plan, visit)
        common = (problem, start, visit, weights, self.max_iter, tick)
        if plan.n_functions == 1:
            base: Any = first_steps_of_one(*common)
        else:
            base = first_steps_of_several(*common, self._goal, self._wants_covariance)
        if isinstance(base, Mode):
            return problem, base
        options: dict[str, Any] = {"tol": self._goal, "max_iter": self.max_iter, "class_weight": weights}
        mode = find_mode(problem, base.u, visit, tick=tick, sums=base.sums, **options)
        return problem, replace(mode, trace=after(base.trace, mode.trace))

    @property
    def _goal(self) -> float:
        """What may be left to gain, beside the objective."""
        return self.tol

    @property
    def _wants_covariance(self) -> bool | None:
        """None: unless it takes many times as long as the fit."""
        return getattr(self, "covariance", None)

    def _rough_mode(
        self, plan: Plan, start: np.ndarray, visit: Callable[[Any], Any], tol: float, share: float
    ) -> Mode:
        """To about the mode of a share of the rows, with as much of the prior."""
        columns, free = self._columns(plan, visit if share == 1 else lambda at: None)
        prior = self._prior(plan, columns)
        prior = replace(prior, root=prior.root * np.sqrt(share), place=prior.place * np.sqrt(share))
        return find_mode(LinkProblem(plan, prior, free), start, visit, tol=tol, max_iter=20)

    def _columns(self, plan: Plan, visit: Callable[[Any], Any]) -> tuple[RawColumns, np.ndarray]:
        """Spreads and means of the raw columns where they matter, and J."""
        d = plan.n_columns - 1
        need_memory(
            2 * 8 * (1 + d) ** 2,
            f"A fit of {d} columns, which keeps two squares of them,",
            "Leave columns out, as by a smaller vocabulary or fewer hashes.",
        )
        t: Triangle | None = visit(None) if self.standardize else None
        columns = (
            RawColumns.plain(d)
            if t is None
            else RawColumns(t.raw_scale(), t.moved(t.layout.in_frame(None)).mean_x)
        )
        if self.fit_intercept:
            return columns, np.eye(1 + d)
        constant = plan.to_raw()[0, 1:].astype(float)  # b = u₀ + constantᵀ u
        if t is not None:
            constant = t.mean_offset / plan.scale
        return columns, np.vstack([-constant, np.eye(d)])

    def _class_weights(self, plan: Plan, visit: Callable[[Any], Any]) -> np.ndarray | None:
        """How much a row of each class counts; None for one."""
        return None


def _pieces(rows: Rows) -> list[Rows]:
    """Slices of equal size, an even number where there are many rows; who works on them does not matter."""
    m = -(-len(rows) // PIECE)
    if m < 2:
        return [rows]
    ends = np.linspace(0, len(rows), m + m % 2 + 1).astype(int).tolist()
    return [rows[a:b] for a, b in pairwise(ends)]


def _strided(n: int, most: int) -> np.ndarray:
    """At most so many row numbers, evenly spaced."""
    return np.linspace(0, n - 1, most).astype(np.intp)


def open_offset(offset: Any, n: int) -> np.ndarray:
    try:
        values = np.asarray(offset, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(f"offset must be numbers; got {offset!r:.60}.") from None
    if values.shape != (n,) or not np.isfinite(values).all():
        raise InvalidInput(f"offset must be {n} finite numbers, one per row; got shape {values.shape}.")
    return values


__all__ = ["FittedByPasses", "open_offset"]
