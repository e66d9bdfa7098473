"""What a model implements so that the engine can fit it from any source."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, Self, runtime_checkable

from suffice._core.trace import Trace
from suffice.engine.reduce import Rows


@runtime_checkable
class FromStatistics(Protocol):
    """A model whose fit factors through statistics.

    `door` validates, `gather` counts validated rows, `solve` writes the fitted attributes.
    `collect(X, y, sample_weight)` is the first two, and `fit` is all three. `state_needs_data` says whether
    the door takes more from the rows than their columns (knots, centres): then folds cannot share it.
    Models with equal `statistics_key` collect equal statistics, so candidates of a search share them.
    """

    @property
    def state_needs_data(self) -> bool: ...
    @property
    def statistics_key(self) -> Hashable: ...
    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Any = None
    ) -> tuple[Rows, Any]: ...
    def gather(self, rows: Rows, plan: Any) -> Any: ...
    def collect(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any: ...
    def solve(self, statistics: Any) -> Any: ...


@runtime_checkable
class Doubts(Protocol):
    """A model that says when statistics of a training set have lost digits that its rows still have."""

    def doubt(self, statistics: Any) -> str | None: ...


@runtime_checkable
class Iterates(Protocol):
    """A model that passes over the rows again and again (EM, IRLS), until its objective stops growing.

    `begin` makes the first parameters from validated rows, a sample of the source or the whole of it; `expect` counts
    rows under parameters; `maximize` makes the next parameters from the sum. Statistics have `objective`, a sum over
    rows, and `n`, their number. `completed` adds to the sum over all rows what belongs to the parameters (a prior), and
    `noted` says what the trace should show of it. `conclude` writes the fitted attributes, and warns of a trace that
    has not converged. Parameters are records, so that they travel to workers and into checkpoints. `before` is the
    objective per row that the step to the start began with, where a fit goes on from another; else minus infinity.
    """

    tol: float
    max_iter: int

    @property
    def before(self) -> float: ...

    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Any = None
    ) -> tuple[Rows, Any]: ...
    def begin(self, rows: Rows, plan: Any, whole: bool) -> Any: ...
    def expect(self, rows: Rows, plan: Any, params: Any) -> Any: ...
    def completed(self, statistics: Any, params: Any) -> Any: ...
    def noted(self, statistics: Any) -> dict[str, float]: ...
    def maximize(self, statistics: Any) -> Any: ...
    def conclude(self, params: Any, statistics: Any, trace: Trace) -> Self: ...


@runtime_checkable
class FitsByPasses(Protocol):
    """A model fitted by passes over the rows, which says itself what the next one sums (Newton's method).

    `survey` counts what must be known of all rows before the first pass (`needs_survey`; classes, for instance), and
    `with_survey` puts it into the plan. `begin` makes parameters to begin with from validated rows; `expect` is a pass
    over some rows, and `fit_by_passes(plan, start, visit, tick)` writes the fitted attributes, where `visit(at)` is the
    sum of `expect` over all rows. `start_for(plan)` of a fitted model is where a fit to most of its rows may begin;
    None where the plan has other classes.
    """

    @property
    def needs_survey(self) -> bool: ...
    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Any = None
    ) -> tuple[Rows, Any]: ...
    def start_for(self, plan: Any) -> Any: ...
    def survey(self, rows: Rows, plan: Any) -> Any: ...
    def with_survey(self, plan: Any, survey: Any) -> Any: ...
    def begin(self, rows: Rows, plan: Any) -> Any: ...
    def expect(self, rows: Rows, plan: Any, params: Any) -> Any: ...
    def fit_by_passes(
        self, plan: Any, start: Any, visit: Callable[[Any], Any], tick: Callable[[], None] | None = None
    ) -> Self: ...


@runtime_checkable
class CountsErrors(Protocol):
    """A fitted model that reads its total squared error (mean over targets) off a statistic of other rows."""

    def squared_error(self, statistics: Any) -> float: ...


@runtime_checkable
class GathersGroups(Protocol):
    """A model that gathers groups of rows, numbered from 0, for less than one after the other."""

    def gather_groups(self, rows: Rows, plan: Any, group: Any, n_groups: int) -> list[Any]: ...


@runtime_checkable
class GapsShow(Protocol):
    """A model that can leave NaN in X to `gather`, which refuses it, and save a pass over the rows."""

    @property
    def gaps_show(self) -> bool: ...
    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Any = None, finite: bool = True
    ) -> tuple[Rows, Any]: ...


@runtime_checkable
class TakesTables(Protocol):
    """A model whose door reads columns of any kind itself: it gets tables, not numbers made of them."""

    @property
    def takes_tables(self) -> bool: ...


def takes_tables(model: Any) -> bool:
    """Whether batches reach the door of a model as they are."""
    return isinstance(model, TakesTables) and model.takes_tables


@runtime_checkable
class ShowsProgress(Protocol):
    """A model with callbacks: `work(tick)` is one task of some steps (None: unknown), each announced by `tick()`."""

    def reported(self, work: Callable[[Callable[[], None]], Any], steps: int | None = 0) -> Any: ...
