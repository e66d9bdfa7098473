"""Refits that share their work: every fold and every value of a parameter, each fit starting near its answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.losses import Loss
from suffice.evaluation._levels.fits import HeldOutFolds, ValidationTable, losses_of
from suffice.evaluation._levels.routing import keeps_weights_out
from suffice.evaluation.protocols import LeavesOutNearly, RefitsTogether
from suffice.statistics.folds import Folds, Pairs, Partition

CHECKED = 5  # rows of the largest leverage, and of the largest loss, whose exact refits are compared
HEAVY = 0.2  # leverage above which one Newton step is a poor stand-in for a refit


def why_not_warm(model: Any, table: ValidationTable) -> str | None:
    """None where refits share their work, else the reason."""
    if not isinstance(model, RefitsTogether):
        return f"{type(model).__name__} is fitted from scratch"
    if table.params:
        return "fit has further arguments"
    return _unweighted(model, table) or model.why_not_together()


def _unweighted(model: Any, table: ValidationTable) -> str | None:
    return None if table.weight is None else keeps_weights_out(model)


def alone(table: ValidationTable, folds: Folds) -> tuple[ValidationTable, Folds]:
    """Folds of some of the rows, as inner layers have them, as folds of a table of these rows and no others."""
    if not isinstance(folds, Partition) or folds.rows == len(table):
        return table, folds
    rows = np.sort(folds.order)
    weight = None if table.weight is None else table.weight[rows]
    part = ValidationTable(table.inputs(rows), table.targets(rows), weight, table.params)
    return part, Partition(np.searchsorted(rows, folds.order), folds.starts)


def warm_fits(
    model: Any,
    table: ValidationTable,
    folds: Folds,
    parameter: str | None = None,
    values: Sequence[Any] = (None,),
) -> list[list[Any]]:
    """A fitted model, or the error it met, for every value (rows) and fold (columns)."""
    rows, plan = model.door(table.X, table.y, table.weight)
    fits = model.refits(rows, plan, folds, parameter, values)
    for value, line in zip(values, fits, strict=True):
        alone = model if parameter is None else clone(model).set_params(**{parameter: value})
        for i, fitted in enumerate(line):
            if fitted is None:  # another problem than that of all rows: a class is missing
                line[i] = _fitted(alone, table, folds.train(i))
    return fits


def warm_distributions(
    model: Any, table: ValidationTable, folds: Folds, parameter: str | None, values: Sequence[Any]
) -> list[Any]:
    """What the refits say of the rows they have not seen, per value; None where they must be looked at one by one."""
    rows, plan = model.door(table.X, table.y, table.weight)
    return model.refit_distributions(rows, plan, folds, parameter, values) or [None] * len(values)


def decided(distribution: Any) -> Any:
    """What is predicted: the most probable class, or the mean."""
    return distribution.mode if hasattr(distribution, "probabilities") else distribution.mean


def _fitted(model: Any, table: ValidationTable, rows: Any) -> Any:
    try:
        return table.fit(model, rows)
    except Exception as error:  # raised again, and reported, where the fold is asked
        return error


def or_raise(fitted: Any) -> Any:
    """The model; the error it met is raised here."""
    if isinstance(fitted, Exception):
        raise fitted
    return fitted


# -- rows left out, approximately -------------------------------------------------------------------------------
def nearly(
    model: Any,
    table: ValidationTable,
    folds: Folds,
    parameter: str | None,
    values: Sequence[Any],
    whole: bool = True,
) -> list[Any]:
    """(distribution, leverage) of every row without itself, per value; an error where that is not defined."""
    if not isinstance(model, LeavesOutNearly):
        raise Unsupported(
            f"{type(model).__name__} does not leave rows out approximately; use approximate=False."
        )
    if table.params:
        raise Unsupported("approximate=True takes no further arguments of fit; use approximate=False.")
    if not (isinstance(folds, Partition) and folds.rows == len(table) and np.all(folds.sizes == 1)):
        raise InvalidParameter("approximate=True leaves single rows out; give cv=LeaveOneOut().")
    if parameter is not None and parameter not in model.refit_parameters:
        allowed = " or ".join(model.refit_parameters)
        raise InvalidParameter(
            f"approximate=True follows {allowed}; got {parameter!r}. Use approximate=False for other parameters."
        )
    if is_classifier(model):
        _refuse_last_rows(table)
    why = _unweighted(model, table) or model.why_not_together()
    if why is not None:
        raise Unsupported(f"Rows cannot be left out approximately: {why}; use approximate=False.")
    rows, plan = model.door(table.X, table.y, table.weight)
    return model.nearly_left_out(rows, plan, parameter, values, whole=whole)


def nearly_held(
    model: Any, table: ValidationTable, folds: Any, loss: Loss
) -> tuple[tuple[str, ...], list[HeldOutFolds]]:
    """What the approximation says of every row, with a note on how far it is from exact refits where it is worst."""
    (distribution, leverage), *_ = nearly(model, table, folds, None, (None,))
    fold = np.empty(len(table), dtype=np.intp)
    fold[folds.order] = np.arange(len(folds))
    held = _as_held(distribution, fold)
    y = table.targets(slice(None))
    losses = loss(y, distribution if loss.needs == "predict_dist" else decided(distribution))
    doubtful = np.unique([*np.argsort(-leverage)[:CHECKED], *np.argsort(-losses)[:CHECKED]])
    some = _some_folds(folds, fold[doubtful])
    fits = warm_fits(model, table, some)[0]
    gaps, failed = [], 0
    for i, fitted in enumerate(fits):
        if isinstance(fitted, Exception):
            failed += 1
            continue
        exact = losses_of(fitted, table, some.test(i), loss)[0]
        gaps.append(abs(float(exact - losses[doubtful[i]])))
    told = f"largest leverage {leverage.max(initial=0.0):.2g}"
    if gaps:
        told += f"; exact refits of the {len(gaps)} most doubtful rows differ by at most {max(gaps):.2g} in their loss"
    if failed:
        told += f"; {failed} such refits failed"
    notes = [f"rows are left out by one Newton step each ({told})"]
    if leverage.max(initial=0.0) > HEAVY:
        notes.append(
            f"{int(np.sum(leverage > HEAVY))} rows have a leverage above {HEAVY}, where one step is a poor stand-in "
            "for a refit; use approximate=False"
        )
    return tuple(notes), [held]


def _refuse_last_rows(table: ValidationTable) -> None:
    """A row that is the last of its class cannot be left out."""
    labels, counts = np.unique(np.asarray(table.y), return_counts=True)
    if counts.min() == 1:
        label = labels[np.argmin(counts)]
        raise InvalidInput(
            f"Class {label.item()!r} has one row; without it the class is unknown, so it cannot be left out."
        )


def _as_held(distribution: Any, fold: np.ndarray) -> HeldOutFolds:
    rows = np.arange(len(fold))
    if hasattr(distribution, "probabilities"):
        return HeldOutFolds(rows, fold, distribution.mode, distribution.probabilities, distribution)
    return HeldOutFolds(rows, fold, distribution.mean, None, distribution)


def _some_folds(folds: Partition, some: np.ndarray) -> Any:
    """Some of the folds, as pairs of training and test rows."""
    return Pairs(
        tuple(
            (folds.train(int(i)), np.atleast_1d(folds.order[folds.starts[i] : folds.starts[i + 1]]))
            for i in some
        )
    )
