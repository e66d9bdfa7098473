"""On request only: rows left out of one fit approximately, by one Newton step each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.losses import Loss
from suffice.evaluation._levels.closed_form_level import folds_of_rows
from suffice.evaluation._levels.predictions import HeldOutFolds, losses_of
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.evaluation._levels.warm_level import decision_of, warm_fits, why_not_weighted
from suffice.evaluation.protocols import LeavesOutNearly
from suffice.statistics.folds import Folds, Pairs, Partition

HOW = "approximate leave-one-out"
CHECKED = 5  # rows of the largest leverage, and of the largest loss, whose exact refits are compared
HEAVY = 0.2  # leverage above which one Newton step is a poor stand-in for a refit


def open_for_steps(
    model: Any, table: ValidationTable, folds: Folds, parameter: str | None = None
) -> tuple[Any, Any]:
    """Validated rows and their plan, of a model that leaves rows out by a step; raises where that is not defined."""
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
    why = why_not_weighted(model, table) or model.why_not_together()
    if why is not None:
        raise Unsupported(f"Rows cannot be left out approximately: {why}; use approximate=False.")
    return model.door(table.X, table.y, table.weight)


def step_losses(
    model: Any, table: ValidationTable, folds: Folds, loss: Loss, parameter: str, values: Sequence[Any]
) -> tuple[np.ndarray, str]:
    """The loss of every row without itself (columns) for every value (rows), and a note on the largest leverage."""
    opened = open_for_steps(model, table, folds, parameter)
    answers = model.nearly_left_out(*opened, parameter, values, whole=not loss.modest)
    y = table.targets(slice(None))
    losses = np.stack([_losses(loss, y, distribution) for distribution, _ in answers])
    largest = max(float(leverage.max(initial=0.0)) for _, leverage in answers)
    return losses, f"rows are left out by one Newton step each (largest leverage {largest:.2g})"


def held_by_steps(
    model: Any, table: ValidationTable, folds: Any, loss: Loss
) -> tuple[tuple[str, ...], list[HeldOutFolds]]:
    """What the approximation says of every row, with a note on how far it is from exact refits where it is worst."""
    opened = open_for_steps(model, table, folds)
    ((distribution, leverage),) = model.nearly_left_out(*opened, None, (None,), whole=True)
    fold = folds_of_rows(folds)
    losses = _losses(loss, table.targets(slice(None)), distribution)
    doubtful = np.unique([*np.argsort(-leverage)[:CHECKED], *np.argsort(-losses)[:CHECKED]])
    some = _some_folds(folds, fold[doubtful])
    gaps, failed = [], 0
    for i, fitted in enumerate(warm_fits(model, opened, table, some)[0]):
        if isinstance(fitted, Exception):
            failed += 1
            continue
        exact = losses_of(fitted, table, some.test(i), loss)[0]
        gaps.append(abs(float(exact - losses[doubtful[i]])))
    return _notes(leverage, gaps, failed), [_as_held(distribution, fold)]


def _notes(leverage: np.ndarray, gaps: list[float], failed: int) -> tuple[str, ...]:
    found = f"largest leverage {leverage.max(initial=0.0):.2g}"
    if gaps:
        found += f"; exact refits of the {len(gaps)} most doubtful rows differ by at most {max(gaps):.2g} in their loss"
    if failed:
        found += f"; {failed} such refits failed"
    notes = (f"rows are left out by one Newton step each ({found})",)
    if leverage.max(initial=0.0) <= HEAVY:
        return notes
    return (
        *notes,
        f"{int(np.sum(leverage > HEAVY))} rows have a leverage above {HEAVY}, where one step is a poor stand-in "
        "for a refit; use approximate=False",
    )


def _losses(loss: Loss, y: np.ndarray, distribution: Any) -> np.ndarray:
    return loss(y, distribution if loss.needs == "predict_dist" else decision_of(distribution))


def _refuse_last_rows(table: ValidationTable) -> None:
    """A row that is the last of its class cannot be left out."""
    labels, counts = np.unique(np.asarray(table.y), return_counts=True)
    if counts.min() == 1:
        label = labels[np.argmin(counts)]
        raise InvalidInput(
            f"Class {label.item()!r} has one row; without it the class is unknown, so it cannot be left out."
        )


def _as_held(distribution: Any, fold: np.ndarray) -> HeldOutFolds:
    probabilities = getattr(distribution, "probabilities", None)
    return HeldOutFolds(np.arange(len(fold)), fold, decision_of(distribution), probabilities, distribution)


def _some_folds(folds: Partition, some: np.ndarray) -> Any:
    """Some of the folds, as pairs of training and test rows."""
    return Pairs(
        tuple(
            (folds.train(int(i)), np.atleast_1d(folds.order[folds.starts[i] : folds.starts[i + 1]]))
            for i in some
        )
    )
