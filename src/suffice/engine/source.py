"""Fit a model to a source that is not one table in memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Protocol, TypeVar, runtime_checkable

from suffice._core.errors import InvalidInput, Unsupported
from suffice.engine.reduce import Rows, reduce


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


M = TypeVar("M", bound=FromStatistics)


def fit(model: M, source: Any) -> M:
    """Fit to a pair (X, y), a triple (X, y, weight), or an iterator of such batches; returns the model.

    Batches are read once and forgotten, so the source may be larger than memory. Everything that
    depends on data before the first row is counted (columns, basis, classes) is taken from the first
    batch; later batches must agree with it.
    """
    if not isinstance(model, FromStatistics):
        raise Unsupported(f"{type(model).__name__} is not fitted from statistics; call its fit.")
    if isinstance(source, tuple):
        return model.solve(model.collect(*source))
    return model.solve(reduce(_checked(model, source), lambda part: model.gather(*part)))


def _checked(model: FromStatistics, batches: Iterable[Any]) -> Iterable[tuple[Rows, Any]]:
    plan = None
    for i, batch in enumerate(batches):
        if not isinstance(batch, tuple) or len(batch) not in (2, 3):
            raise InvalidInput(f"Batch {i} must be (X, y) or (X, y, weight); got {type(batch).__name__}.")
        rows, plan = model.door(*batch, like=plan)
        yield rows, plan
