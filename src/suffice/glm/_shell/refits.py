"""How point estimates answer validation: exact refits that start near their answer, and rows left out approximately.

`suffice.evaluation.protocols` says what evaluation asks for. Models whose predictions need more than their weights (an
estimated dispersion, a posterior) do not have this.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import NumericalError, Unsupported, endless, hold_warnings, warn
from suffice._core.records import record
from suffice._core.trace import Trace
from suffice._estimator.labels import check_two_classes
from suffice.engine import Rows, parallel
from suffice.glm._fit.fold_refits import (
    MOST,
    FoldRows,
    NearMode,
    PriorGradient,
    mode_of_all,
    mode_of_sample,
    rows_left_out,
    values_without,
    without_folds,
)
from suffice.glm._fit.mode import Mode
from suffice.glm._fit.pass_sums import passes_over
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import RawColumns
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._fit.quasi_newton import hessian_is_expensive, is_large
from suffice.glm._fit.shared_hessian import STILL, factored_hessian, mode_by_gradients
from suffice.glm._fit.shared_hessian import mode_of_all as mode_of_all_functions
from suffice.statistics import Frame
from suffice.statistics.folds import Folds, Partition
from suffice.statistics.layout import dense

ABOUT = (
    0.05  # how far the last step of a fit to all rows may move a, for those to some of them to begin there
)
UNITS = 10.0  # of a frame: rows further apart have powers of their own
NEAR = 0.006  # and for rows to be taken out of it: what is left is far below what one step per row leaves


class Refits:
    """Fits to many training sets of one table, for one or several precisions."""

    plan_: Plan
    function_: Any

    @property
    def refit_parameters(self) -> tuple[str, ...]:
        """Parameters along which one fit begins from the other."""
        return ("prior_precision", "C") if hasattr(self, "C") else ("prior_precision",)

    def why_not_together(self) -> str | None:
        """None where refits can share the plan of all rows, else the reason."""
        model: Any = self
        if getattr(model, "dispersion", "known") != "known":
            return "its dispersion is estimated from the rows of each training set"
        return (
            "its basis takes centers from the rows of each training set" if model.state_needs_data else None
        )

    def refits(
        self,
        rows: Rows,
        plan: Plan,
        folds: Folds,
        parameter: str | None = None,
        values: Sequence[Any] = (None,),
    ) -> list[list[Any]]:
        """Models for every value (rows) and fold (columns), fitted to the training rows.

        None for folds whose training rows lack a class, which are another problem, and for those without a maximum:
        where a search without end stops depends on where it began, and a beginning at all rows has seen the test rows.
        An exception where a fit fails.
        """
        models = self._along(parameter, values)
        out: list[list[Any]] = [[None] * len(folds) for _ in values]
        usable = [i for i in range(len(folds)) if _shares_plan(rows, plan, folds.train(i))]
        if not usable:
            return out
        if self._fits_together(rows, plan, folds):
            self._fast(models, rows, plan, folds, out)
        elif self._shares_hessian(plan):
            self._by_one_gram(models, rows, plan, [(i, folds.train(i)) for i in usable], out)
        for j, model in enumerate(models):
            left = [i for i in usable if out[j][i] is None]
            start = _start(model, rows, plan) if left else None
            if start is not None:
                for i in left:
                    out[j][i] = _near_start(model, rows[folds.train(i)], plan, start)
            for i in set(range(len(folds))) - set(usable):
                out[j][i] = None
        return out

    def _along(self, parameter: str | None, values: Sequence[Any]) -> list[Any]:
        """A copy of the model for each value."""
        unfitted = clone(self)
        models = [copy.copy(unfitted) for _ in values]
        for model, value in zip(models, values, strict=True):
            if parameter is not None:
                model.set_params(**{parameter: value})
        for model in models:
            model._check_parameters()
        return models

    def _fits_together(self, rows: Rows, plan: Plan, folds: Folds) -> bool:
        """Whether all folds can be fitted together: one function, a prior that does not depend on the rows."""
        return (
            isinstance(folds, Partition)
            and self._penalty_is_fixed()
            and folds.rows == len(rows)
            and not plan.likelihood.several
            and len(rows) * plan.n_columns <= MOST
        )

    def _shares_hessian(self, plan: Plan) -> bool:
        """Whether a gram costs many gradients, and the prior does not depend on more than the spread of columns."""
        return hessian_is_expensive(plan) and not is_large(plan) and self._penalty_is_fixed()

    def _penalty_is_fixed(self) -> bool:
        """Whether weights of rows and of classes are known, and squares of the weights alone are penalized."""
        model: Any = self
        return (
            not getattr(model, "zeroes_weights", False)
            and (model.fit_intercept or not model.standardize)
            and not isinstance(getattr(model, "class_weight", None), str)
        )

    def _by_one_gram(
        self, models: list[Any], rows: Rows, plan: Plan, sets: list[tuple[int, Any]], out: list[list[Any]]
    ) -> None:
        """Several functions, from the tightest prior on; what does not arrive, or has no prior, is left open."""
        if not sets:
            return
        trains = [train for _, train in sets]
        whole, *parts = _units(models[0], rows, plan, trains)
        weights = models[0]._class_weights(plan, None)
        share = len(np.arange(len(rows))[trains[0]]) / len(rows)
        order = sorted(range(len(models)), key=lambda k: -models[k]._precision)
        u = models[order[0]].begin(rows, plan)
        for j in order:
            model = models[j]
            if not model._precision > 0:
                return
            problem = _problem(model, plan, whole).over(passes_over(rows, plan, weights))
            u = mode_of_all_functions(problem, u, model.max_iter)
            shared = factored_hessian(problem, u, share)
            if shared is None:
                return

            def refit(number: int, model: Any = model, shared: Any = shared, u: np.ndarray = u) -> Any:
                visit = passes_over(rows[trains[number]], plan, weights)
                own = _problem(model, plan, parts[number] if parts else whole).over(visit)
                b = mode_by_gradients(own, u, shared, STILL, model.max_iter)
                return None if b is None else _placed(model, own, b)

            for (i, _), fitted in zip(sets, parallel(refit, range(len(sets))), strict=True):
                out[j][i] = fitted

    def _fast(self, models: list[Any], rows: Rows, plan: Plan, folds: Any, out: list[list[Any]]) -> None:
        def one(place: FitNear) -> None:
            B, failed = without_folds(place.rows, place.priors, place.near.b)
            B = place.rows.parameters(B)
            for i in set(range(len(folds))) - failed:
                out[place.number][i] = _placed(models[place.number], place.problem, B[:, i])

        parallel(one, _path(models, rows, plan, folds, ABOUT))

    def refit_distributions(
        self,
        rows: Rows,
        plan: Plan,
        folds: Folds,
        parameter: str | None = None,
        values: Sequence[Any] = (None,),
    ) -> list[Any] | None:
        """For every value the distributions of all rows, in their order, by the models without their folds.

        None where models must be looked at one by one; None for a value of which that holds.
        """
        models = self._along(parameter, values)
        if not self._fits_together(rows, plan, folds) or not all(
            _shares_plan(rows, plan, folds.train(i)) for i in range(len(folds))
        ):
            return None
        back = np.argsort(folds.order)  # type: ignore[union-attr]

        def one(place: FitNear) -> tuple[int, Any]:
            B, failed = without_folds(place.rows, place.priors, place.near.b)
            a = None if failed else values_without(place.rows, B)[back]
            return place.number, None if a is None else models[place.number]._for_losses(plan, a)

        out = dict(parallel(one, _path(models, rows, plan, folds, ABOUT)))
        return [out.get(j) for j in range(len(models))]

    # -- rows left out, approximately --------------------------------------------------------------------------
    def nearly_left_out(
        self,
        rows: Rows,
        plan: Plan,
        parameter: str | None = None,
        values: Sequence[Any] = (None,),
        *,
        whole: bool = True,
    ) -> list[tuple[Any, np.ndarray]]:
        """For every value the distribution of each row by about the model without it, and the leverage of the row.

        Not `whole`: only what a loss asks of it.

        One Newton step from the fit to all rows takes a row out; its error is of the order of the square of what the
        row moves.
        """
        models = self._along(parameter, values)
        if plan.classes is not None:
            check_two_classes(self, plan.classes)
        everything = Partition.of_sizes([len(rows)])
        if getattr(self, "standardize", False) or not self._fits_together(rows, plan, everything):
            raise Unsupported(
                "Approximate leave-one-out is for one function and a prior that does not see the rows: two classes, "
                "standardize=False, class_weight not 'balanced', l1_ratio=0. Use approximate=False, or fewer folds."
            )

        def some(places: list[FitNear]) -> list[tuple[int, Any]]:
            near = [(place.near, place.rows.prior_of(place.problem)) for place in places]
            left = rows_left_out(places[0].rows, near)
            if left is None:
                raise NumericalError(
                    "Columns depend on each other, so a row cannot be taken out of one fit; leave columns out, or give "
                    "prior_precision > 0."
                )
            model: Any = self
            distribution = model._distribution_at if whole else model._for_losses
            return [
                (place.number, (distribution(plan, a), leverage))
                for place, (a, leverage) in zip(places, left, strict=True)
            ]

        groups = _by_shared_gram(_path(models, rows, plan, everything, NEAR))
        out = dict(pair for pairs in parallel(some, groups) for pair in pairs)
        for j in range(len(models)):
            if j not in out:
                which = "The fit" if parameter is None else f"The fit with {parameter}={values[j]!r}"
                raise NumericalError(
                    f"{which} has no maximum to take rows out of; give prior_precision > 0, or use approximate=False."
                )
        return [out[j] for j in range(len(models))]


@record
class FitNear:
    """The mode of all rows for one precision, or near enough; and the prior of every fold, or the one of all."""

    number: int
    problem: Any
    rows: Any
    near: NearMode
    priors: tuple[PriorGradient, ...]


def _by_shared_gram(places: list[FitNear]) -> list[list[FitNear]]:
    """Places in groups that share a look at the rows."""
    groups = [list(group) for _, group in groupby(places, key=lambda place: id(place.near.gram))]
    return sorted(groups, key=len, reverse=True)  # what takes longest begins first


def _path(models: list[Any], rows: Rows, plan: Plan, folds: Any, still: float) -> list[FitNear]:
    """The modes of all rows, from the precision in the middle both ways, side by side.

    Those without a mode are left out.
    """
    order = sorted(range(len(models)), key=lambda k: -models[k]._precision)
    weights = models[0]._class_weights(plan, None)
    whole, *parts = _units(models[0], rows, plan, (folds.train(i) for i in range(len(folds))))
    middle = len(order) // 2
    fold_rows = FoldRows(_problem(models[order[middle]], plan, whole), rows, folds, weights)

    def next_to(near: NearMode | None, j: int) -> FitNear | None:
        problem = _problem(models[j], plan, whole)
        prior = fold_rows.prior_of(problem)
        priors = tuple(fold_rows.prior_of(_problem(models[j], plan, part)) for part in parts) or (prior,)
        if near is None:
            start = fold_rows.coordinates(problem.parameters(plan.first()))
            near = mode_of_sample(fold_rows.single, prior, start, still)
            start = start if near is None else near.b
        else:
            start = near.predicted(prior)
            if near.away(start) <= still:  # no look is needed
                near = replace(near, b=start, gradient=prior(start[:, None])[:, 0])
                return FitNear(j, problem, fold_rows, near, priors)
        found = mode_of_all(fold_rows.single, prior, start, still, near)
        found = found or _from_scratch(models[j], problem, rows, fold_rows)
        return None if found is None else FitNear(j, problem, fold_rows, found, priors)

    def along(numbers: list[int]) -> list[FitNear]:
        places: list[FitNear] = []
        near = None if begin is None else begin.near
        for j in numbers:
            place = next_to(near, j)
            if place is not None:
                places.append(place)
                near = place.near
        return places

    begin = next_to(None, order[middle])
    up, down = parallel(along, [order[:middle][::-1], order[middle + 1 :]])
    return [*reversed(up), *([] if begin is None else [begin]), *down]


def _from_scratch(model: Any, problem: LinkProblem, rows: Rows, fold_rows: FoldRows) -> NearMode | None:
    with hold_warnings() as said:
        fitted = _attempt(model, rows, problem.plan, None)
    if isinstance(fitted, Exception) or endless(said):
        return None
    b = fold_rows.coordinates(problem.parameters(problem.plan.functions_of(fitted.function_)))
    gram, gradient, curvature = fold_rows.single.all_rows(b)
    return NearMode(b, gradient, gram, b, curvature)


def _units(model: Any, rows: Rows, plan: Plan, trains: Iterable[Any]) -> list[RawColumns]:
    """Spreads and means of the columns of all rows, and of every training set where a prior asks."""
    if not model.standardize:
        return [RawColumns.plain(plan.n_columns - 1)]
    sets = [slice(None), *trains]
    return parallel(lambda some: model._columns(plan, passes_over(rows[some], plan))[0], sets)


def _problem(model: Any, plan: Plan, columns: RawColumns) -> LinkProblem:
    d = plan.n_columns - 1
    free = np.eye(1 + d) if model.standardize else model._columns(plan, None)[1]
    return LinkProblem(plan, model._prior(plan, columns), free)


def _shares_plan(rows: Rows, plan: Plan, train: Any) -> bool:
    """Whether training rows have all classes, two at least, and powers about the origin of all rows keep digits."""
    return _has_all_classes(rows, plan, train) and _has_frame(rows, plan, train)


def _has_frame(rows: Rows, plan: Plan, train: Any) -> bool:
    """False where a wild row among the others is the reason for the origin and the unit in which powers are taken."""
    frame = plan.layout.frame
    if frame is None:
        return True
    X = dense(rows.X[train] if rows.weight is None else rows.X[train][rows.weight[train] > 0])
    own = Frame.spanning(X.min(axis=0), X.max(axis=0))
    far = np.abs(frame.center - own.center) > UNITS * own.scale
    return not np.any((far | (frame.scale > UNITS * own.scale)) & (X.min(axis=0) < X.max(axis=0)))


def _has_all_classes(rows: Rows, plan: Plan, train: Any) -> bool:
    if plan.classes is None:
        return True
    codes = rows.Y[train] if rows.weight is None else rows.Y[train][rows.weight[train] > 0]
    return 1 < len(plan.classes) == len(np.unique(codes))


def _start(model: Any, rows: Rows, plan: Plan) -> np.ndarray | None:
    """The functions of all rows, from which those of most rows are near; None where they have no maximum."""
    with hold_warnings() as said:
        found = _attempt(model, rows, plan, None)
    if endless(said):
        return None
    return plan.first() if isinstance(found, Exception) else plan.functions_of(found.function_)


def _attempt(model: Any, rows: Rows, plan: Plan, start: np.ndarray | None) -> Any:
    """A fitted copy, or the error."""
    try:
        return clone(model)._fit_rows(rows, plan, start)
    except Exception as error:  # reported by the validation that asked
        return error


def _near_start(model: Any, rows: Rows, plan: Plan, start: np.ndarray) -> Any:
    """A fitted copy, the error, or None where the fit did not converge."""
    with hold_warnings() as said:
        found = _attempt(model, rows, plan, start)
    if endless(said):
        return None
    for message, category in said:
        warn(message, category)
    return found


def _placed(model: Any, problem: LinkProblem, b: np.ndarray) -> Any:
    """The model with these weights: what it needs to predict."""
    new, nothing = copy.copy(model), np.zeros((len(b), 0))
    no_sums: Any = None
    new._place(
        problem, Mode(problem.functions(b), no_sums, 0.0, None, nothing, 0.0, Trace(np.zeros(0), True, {}))
    )
    return new
