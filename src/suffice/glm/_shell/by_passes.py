r"""How generalized linear models are fitted: the door, and passes over rows, wherever they are.

table ─▶ door ─▶ rows, plan ─▶ passes: sums at u ─▶ Newton ─▶ mode ─▶ what is written
"""

from __future__ import annotations

import copy
from abc import ABC
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Self, cast

import numpy as np

from suffice._core.errors import InvalidInput, Unsupported, check_flags, check_number, hold_warnings
from suffice._core.memory import need_memory
from suffice._core.records import frozen_array
from suffice._estimator import Estimator, check_weight, open_table
from suffice._estimator.labels import check_two_classes
from suffice._estimator.linear_model import agreed_header, with_basis
from suffice.engine import Rows, one_blas_thread, parallel
from suffice.engine.reduce import merged
from suffice.glm._fit.mode import find_mode
from suffice.glm._fit.pass_sums import ColumnSpreads, Visit, passes_over
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import RawColumns
from suffice.glm._fit.problem import LinkProblem, not_visited
from suffice.glm._fit.quasi_newton import from_few, hessian_is_expensive
from suffice.glm._shell.interface import LinkModel
from suffice.inference.newton import check_limit
from suffice.likelihoods import Likelihood
from suffice.statistics import Header, Triangle

FEW = 8_192  # rows that a fit to many begins from
MANY = 4 * FEW
PIECE = 16_384


class FittedByPasses(LinkModel, ABC):
    """A model that looks for the mode of a log posterior by passes over rows (`engine.protocols.FitsByPasses`)."""

    def _check_parameters(self) -> None:
        check_flags(self, "fit_intercept", "standardize")
        check_number("tol", self.tol, low=0.0)
        check_limit(self.max_iter, self._fewest_steps)
        self._check_own_parameters()

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
        y, model = np.asarray(y), cast(Estimator, self)
        n = len(y) if y.ndim else 0
        X, _, header = open_table(model, X, np.zeros(n), like=None if like is None else like.header)
        header = Header(header.n_features, header.features, None, 0)
        weight = check_weight(sample_weight, X)
        targets, classes = self._open_targets(y, weight, like)
        Y = targets if offset is None else np.column_stack([targets, open_offset(offset, len(targets))])
        rows = Rows(X, Y, weight)
        if like is not None:
            agreed_header(header, like.header, self.basis, X)
            return rows, like
        likelihood = self._likelihood(classes)
        start = self._constant(likelihood, targets, weight)
        if offset is not None and self.fit_intercept:
            start = start - np.average(Y[:, 1], weights=weight)
        return rows, Plan.of(with_basis(header, self.basis, X, weight), X, weight, likelihood, start, classes)

    def _constant(self, likelihood: Likelihood, y: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
        """The constant with the mean of the targets; zero where that has no link, or there is no constant."""
        k, more = likelihood.n_functions, self._prior_targets
        w = np.ones(len(y)) if weight is None else weight
        if more:
            y, w = np.append(y, more), np.append(w, np.ones(len(more)))
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
        """Functions to begin from: where there are many rows, those that fit a few of them.

        A model whose likelihood does not allow every function, or that may begin at its last fit, asks this last.
        """
        if hessian_is_expensive(plan) and len(rows) > 2 * plan.n_functions * plan.n_columns:
            visit = passes_over(rows, plan)
            with hold_warnings():  # the fit to all rows will say what is wrong with them
                u = from_few(self._problem(plan, visit), rows, self._class_weights(plan, visit))
            return u if np.isfinite(u).all() else plan.first()
        if plan.n_functions > 1 or (
            len(rows) < MANY and len(rows) != FEW
        ):  # so many come from a source with more
            return plan.first()
        few = rows[np.linspace(0, len(rows) - 1, FEW).astype(np.intp)]
        small = self._problem(plan, None).over(passes_over(few, plan), len(few) / len(rows))
        with hold_warnings():
            mode = find_mode(small, plan.first(), tol=1e-3, max_iter=20)
        return mode.u if np.isfinite(mode.u).all() and mode.unbounded is None else plan.first()

    def start_for(self, plan: Plan) -> np.ndarray | None:
        """The functions of this fit in a plan with its units and classes; None in another."""
        own = self.plan_
        if own.layout is not plan.layout or not np.array_equal(own.classes, plan.classes):
            return None
        u = plan.functions_of(self.function_)
        return u if np.isfinite(u).all() else None

    def expect(self, rows: Rows, plan: Plan, at: Any) -> Any:
        """One pass over some rows: what `at` asks for."""
        return at.over(rows, plan)

    def fit_by_passes(
        self, plan: Plan, start: np.ndarray, visit: Visit, tick: Callable[[], None] | None = None
    ) -> Self:
        """Find the mode by passes over all rows, wherever they are, and write every fitted attribute; or, on failure,
        none."""
        if plan.classes is not None:
            check_two_classes(self, plan.classes)
        new = copy.copy(self)
        problem, mode = new._find(plan, start, visit, tick)
        new._conclude(problem, mode)
        new._look_again(problem, mode)
        self.__dict__ = new.__dict__
        return self

    def _problem(self, plan: Plan, visit: Visit | None) -> LinkProblem:
        """What is maximized; without passes it is taken that the prior does not ask how far columns spread."""
        columns, free = self._columns(plan, visit)
        return LinkProblem(plan, self._prior(plan, columns), free, visit or not_visited)

    def _columns(self, plan: Plan, visit: Visit | None) -> tuple[RawColumns, np.ndarray]:
        """Spreads and means of the raw columns where they matter, and J."""
        d = plan.n_columns - 1
        need_memory(
            2 * 8 * (1 + d) ** 2,
            f"A fit of {d} columns, which keeps two squares of them,",
            "Leave columns out, as by a smaller vocabulary or fewer hashes.",
        )
        t: Triangle | None = visit(ColumnSpreads()) if self.standardize and visit is not None else None
        columns = (
            RawColumns.plain(d)
            if t is None
            else RawColumns(t.raw_scale(), frozen_array(t.mean_offset / plan.scale))
        )
        if self.fit_intercept:
            return columns, np.eye(1 + d)
        constant = plan.to_raw()[0, 1:].astype(float)  # b = u₀ + constantᵀ u
        if t is not None:
            constant = t.mean_offset / plan.scale
        return columns, np.vstack([-constant, np.eye(d)])


def _pieces(rows: Rows) -> list[Rows]:
    """Slices of equal size, an even number where there are many rows; who works on them does not matter."""
    m = -(-len(rows) // PIECE)
    if m < 2:
        return [rows]
    ends = np.linspace(0, len(rows), m + m % 2 + 1).astype(int).tolist()
    return [rows[a:b] for a, b in pairwise(ends)]


def open_offset(offset: Any, n: int) -> np.ndarray:
    try:
        values = np.asarray(offset, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(f"offset must be numbers; got {offset!r:.60}.") from None
    if values.shape != (n,) or not np.isfinite(values).all():
        raise InvalidInput(f"offset must be {n} finite numbers, one per row; got shape {values.shape}.")
    return values


__all__ = ["FittedByPasses", "open_offset"]
