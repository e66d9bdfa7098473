"""What a model implements so that it is validated without refitting.

Evaluation knows no model. It asks through these Protocols, fastest answer first, and the record of a
validation says which one answered (`how`) and why a faster one did not (`notes`).

Level 1, "statistics"       `FromStatistics`: the fit factors through statistics that add. One pass over the
                            rows leaves a statistic per fold; the sum over the other folds is solved. Optional
                            on top of it:
                            `CountsErrors`   the fitted model reads its squared error off a statistic, so
                                             squared loss never visits the rows again;
                            `SolvesPath`     all values of a parameter at once (one decomposition per fold);
                            `Narrows`        statistics of a smaller model from those of a larger one
                                             (polynomial orders, column subsets);
                            `GathersFolds`   overlapping training sets at less than their sum.
Level 2, "closed form"      `HoldsOut`: predictions for every row by the model without the row's fold, from
                            one fit to all rows. Asked first when folds are smaller than the model.
                            `HoldsOutLabels` is the same for single rows of a classifier.
Level 3, "warm refit"       `RefitsTogether`: exact refits that share their work, each starting near its answer.
         "refit"            any scikit-learn estimator, from scratch.

On request only, "approximate leave-one-out": `LeavesOutNearly`, one Newton step per row in closed form.

All of them describe one model: a class that overrides `predict` overrides what answers for it here too.
The contract suite tests each level that a class declares against level 3, to 1e-9.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from suffice.distributions import Distribution
from suffice.engine.protocols import CountsErrors, Doubts, FromStatistics
from suffice.statistics import AffineFunction
from suffice.statistics.folds import Folds, Partition
from suffice.statistics.leave_out import LeftOut

__all__ = [
    "Conditioned",
    "CountsErrors",
    "Doubts",
    "FromStatistics",
    "GathersFolds",
    "HoldsOut",
    "HoldsOutLabels",
    "LeavesOutNearly",
    "LinearInColumns",
    "ListsClasses",
    "Narrows",
    "PathFit",
    "Predictive",
    "RefitsTogether",
    "Rescales",
    "SolvesPath",
    "SumsUp",
    "offers",
]


_OFFERS: dict[tuple[type, Any], bool] = {}


def offers(model: Any, protocol: Any) -> bool:
    """Whether a model implements a Protocol; asked once per class, since asking is slow."""
    key = (type(model), protocol)
    if key not in _OFFERS:
        _OFFERS[key] = isinstance(model, protocol)
    return _OFFERS[key]


@runtime_checkable
class Predictive(Protocol):
    """A model with a distribution for every prediction."""

    def predict_dist(self, X: Any) -> Distribution: ...


@runtime_checkable
class Conditioned(Protocol):
    """A fitted model that knows how ill-conditioned its scaled columns were."""

    @property
    def condition_(self) -> float: ...


class PathFit(Protocol):
    """Fits for several values of one parameter."""

    @property
    def function(self) -> AffineFunction: ...  # a column per value and target
    def replaced(self, function: AffineFunction) -> PathFit: ...
    def squared_error(self, statistics: Any) -> np.ndarray: ...  # (values,)
    def predict(self, X: Any) -> np.ndarray: ...  # (values, rows, ...)


@runtime_checkable
class SolvesPath(Protocol):
    """All values of one of the `path_parameters` from one decomposition of each of several statistics."""

    @property
    def path_parameters(self) -> tuple[str, ...]: ...
    def solve_paths(
        self, statistics: Sequence[Any], parameter: str, values: Sequence[Any]
    ) -> Sequence[PathFit]: ...


@runtime_checkable
class Narrows(Protocol):
    """Statistics of this model from those collected under a richer `statistics_key`."""

    def narrows(self, key: Hashable) -> bool: ...
    def narrow(self, statistics: Any) -> Any: ...


@runtime_checkable
class GathersFolds(Protocol):
    """Training and test statistics of folds that overlap, for less than gathering each.

    `visits` says how many rows all folds to come will read; the answer has `pairs(folds)`, one (training,
    test) pair of statistics per fold.
    """

    def fold_gatherer(self, rows: Any, plan: Any, visits: int) -> Any: ...


@runtime_checkable
class LinearInColumns(FromStatistics, Protocol):
    """A model fitted from a triangle, whose fit `function_` is affine in the columns, so that they may be mapped.

    One that also leaves folds out of one fit (`HoldsOut`) has `ignores_scale`: whether predictions stay the same when
    columns are measured in other units and from another origin.
    """

    basis: Any

    @property
    def path_parameters(self) -> tuple[str, ...]: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def doubt(self, statistics: Any) -> str | None: ...
    def fold_gatherer(self, rows: Any, plan: Any, visits: int) -> Any: ...
    def narrows(self, key: Hashable) -> bool: ...
    def narrow(self, statistics: Any) -> Any: ...


@runtime_checkable
class ListsClasses(Protocol):
    """Statistics per class, of which some may be listed and have no rows."""

    def of_classes_with_rows(self) -> Any: ...


@runtime_checkable
class Rescales(Protocol):
    """A model whose statistics tell those of scaled columns.

    `whole(statistics)` belongs to all rows and has `mean_x` and `scale()`; each part has `rescaled`.
    """

    def whole(self, statistics: Any) -> Any: ...


@runtime_checkable
class SumsUp(Protocol):
    """A model that is fitted from statistics for some tables: `why_not_summed` is None for those, else the reason."""

    def why_not_summed(self, X: Any) -> str | None: ...


@runtime_checkable
class HoldsOutLabels(Protocol):
    """A classifier that leaves single rows out of one fit.

    `left_out_labels(rows, plan)` is log P(c | x) of every row by the model without it, columns as in `plan.classes`,
    and which rows must be refitted. `why_not_held_out` and `left_out_pays` are those of `HoldsOut`.
    """

    def why_not_held_out(self, folds: Folds) -> str | None: ...
    def left_out_pays(self, folds: Folds, plan: Any) -> bool: ...
    def left_out_labels(self, rows: Any, plan: Any) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class RefitsTogether(Protocol):
    """A model that is fitted to many training sets of one table for less than one by one.

    `refits(rows, plan, folds, parameter, values)` has a fitted model for every value (rows) and fold (columns), equal
    to a fit from scratch; None for a fold that must be fitted so, an exception where the fit failed.
    `refit_distributions` has what these models say of the rows they have not seen, without the models, or None.
    `why_not_together` is None where this holds, else the reason; values may lie along `refit_parameters`.
    """

    @property
    def refit_parameters(self) -> tuple[str, ...]: ...
    def why_not_together(self) -> str | None: ...
    def refit_distributions(
        self, rows: Any, plan: Any, folds: Folds, parameter: str | None, values: Sequence[Any]
    ) -> list[Any] | None: ...
    def refits(
        self, rows: Any, plan: Any, folds: Folds, parameter: str | None, values: Sequence[Any]
    ) -> list[list[Any]]: ...


@runtime_checkable
class LeavesOutNearly(Protocol):
    """A model that says approximately what it would predict for every row without it, and the leverage of the row."""

    @property
    def refit_parameters(self) -> tuple[str, ...]: ...
    def door(self, X: Any, y: Any = None, sample_weight: Any = None) -> tuple[Any, Any]: ...
    def why_not_together(self) -> str | None: ...
    def nearly_left_out(
        self, rows: Any, plan: Any, parameter: str | None, values: Sequence[Any], *, whole: bool = True
    ) -> list[tuple[Any, np.ndarray]]: ...


@runtime_checkable
class HoldsOut(Protocol):
    """Predictions without refitting, for folds that partition the rows.

    `why_not_held_out(folds)` is None where the closed form holds, else the reason; `left_out_pays` says whether
    it is worth it. `reading(rows, plan)` is what models that differ only in their parameters can share,
    `left_out(reading, folds)` the answer, and `left_out_dist` its distributions. `heldout(X, y, splits)` is
    all of it for a caller.
    """

    def why_not_held_out(self, folds: Folds) -> str | None: ...
    def left_out_pays(self, folds: Folds, plan: Any) -> bool: ...
    def reading(self, rows: Any, plan: Any) -> Any: ...
    def left_out(self, reading: Any, folds: Partition) -> LeftOut: ...
    def left_out_dist(self, left: LeftOut, single: bool) -> Distribution: ...
