"""A model, or a Pipeline that ends in one, as a model that is fitted from statistics of the table."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier

from suffice.engine.protocols import FromStatistics
from suffice.evaluation._levels.pipelines import NotSeenThrough, steps_of
from suffice.evaluation._levels.prepared import kind_of
from suffice.evaluation._levels.routing import keeps_weights_out
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.evaluation.protocols import LinearInColumns, SumsUp


def see_through(model: Any, table: ValidationTable) -> tuple[Any, str | None]:
    """The model as one fitted from statistics of the table, or None and why not."""
    if table.weight is not None and (why := keeps_weights_out(model)):
        return None, why
    steps = steps_of(model)
    if steps is not None:
        last = steps[-1][1]
        if not isinstance(last, LinearInColumns) and not (
            is_classifier(last) and isinstance(last, FromStatistics)
        ):
            return None, f"its last step ({type(last).__name__}) is not fitted from a triangle"
        try:
            model = kind_of(last)(steps, table.X, table.weight is not None)
        except NotSeenThrough as reason:
            return None, str(reason)
        except (ValueError, TypeError, KeyError, IndexError) as error:  # refitting says it in its own words
            return None, f"its steps cannot be bound to the table: {error}"
    if not isinstance(model, FromStatistics):
        return None, f"{type(model).__name__} is not fitted from statistics"
    if model.state_needs_data:
        return None, "its basis takes centres from the rows of each training set"
    why = model.why_not_summed(table.X) if isinstance(model, SumsUp) else None
    return (model, None) if why is None else (None, why)
