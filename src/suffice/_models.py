"""Models of different rows, joined and divided: `merge` and `forget`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any, TypeVar

from sklearn.base import clone

from suffice._core.errors import HeaderMismatch, InvalidInput, Unsupported
from suffice._core.records import same
from suffice.engine.protocols import FromStatistics

M = TypeVar("M")


def merge(models: Iterable[M]) -> M:
    """A new model of all the rows that the given models have seen, exactly.

    Examples
    --------
    >>> import suffice
    >>> from suffice.linear import LinearRegression
    >>> a = LinearRegression().fit([[1.0], [3.0]], [4.8, 11.3])
    >>> b = LinearRegression().fit([[5.0], [7.0]], [17.2, 23.6])
    >>> suffice.merge([a, b]).statistics_.rows
    4
    """
    parts = list(models)
    if not parts:
        raise InvalidInput("merge needs at least one model.")
    for other in parts:
        _check_mergeable(parts[0], other)
    total = reduce(lambda x, y: x + y, (m.statistics_ for m in parts))  # type: ignore[attr-defined]
    return clone(parts[0]).solve(total)


def forget(model: M, X: Any, y: Any = None, sample_weight: Any = None) -> M:
    """A new model as if these rows had never been seen.

    Whether they were in the fit cannot be verified from statistics alone. Warns when little is left to
    determine some direction, and refuses when nothing is.
    """
    _check_fitted(model)
    gone = model.collect(X, y, sample_weight, like=model.statistics_)  # type: ignore[attr-defined]
    return clone(model).solve(model.statistics_ - gone)  # type: ignore[attr-defined]


def _check_fitted(model: Any) -> None:
    if not isinstance(model, FromStatistics):
        raise Unsupported(
            f"{type(model).__name__} is not a sum over rows, so it can be neither merged nor divided."
        )
    if not hasattr(model, "statistics_"):
        raise InvalidInput(f"This {type(model).__name__} is not fitted; call fit first.")


def _check_mergeable(first: Any, other: Any) -> None:
    _check_fitted(other)
    if type(first) is not type(other):
        raise HeaderMismatch(f"Cannot merge {type(first).__name__} with {type(other).__name__}.")
    mine, theirs = first.get_params(deep=False), other.get_params(deep=False)
    for name, value in mine.items():
        if not same(value, theirs[name]):
            raise HeaderMismatch(
                f"Cannot merge models with different {name}: {value!r} and {theirs[name]!r}."
            )
