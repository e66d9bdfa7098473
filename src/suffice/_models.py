"""Models and statistics of different rows, joined and divided: `merge` and `forget`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from sklearn.base import clone

from suffice._core.disclosure import is_statistic
from suffice._core.errors import HeaderMismatch, InvalidInput, SufficeError, Unsupported
from suffice._core.records import same
from suffice.engine.protocols import FromStatistics

M = TypeVar("M")


def merge(parts: Iterable[M], *, names: Sequence[str] | None = None) -> M:
    """All rows that the given parts have seen, exactly: a new model of models, or the sum of statistics.

    Parameters
    ----------
    parts
        Fitted models with the same parameters; or statistics of one kind, such as triangles or the folds that
        `engine.cross_validate` left. All must describe the same columns.
    names
        What to call the parts in messages, for example their files.

    Examples
    --------
    >>> import suffice
    >>> from suffice.linear import LinearRegression
    >>> a = LinearRegression().fit([[1.0], [3.0]], [4.8, 11.3])
    >>> b = LinearRegression().fit([[5.0], [7.0]], [17.2, 23.6])
    >>> suffice.merge([a, b]).statistics_.rows
    4
    >>> suffice.merge([a.statistics_, b.statistics_])
    Triangle(n=4, columns=1, targets=1)
    """
    parts = list(parts)
    if not parts:
        raise InvalidInput("merge needs at least one model or statistic.")
    labels = [""] * len(parts) if names is None else [f"{name}: " for name in names]
    total: Any = None
    for part, label in zip(parts, labels, strict=True):
        try:
            _check_alike(parts[0], part)
            total = summed(part) if total is None else total + summed(part)
        except SufficeError as error:
            raise type(error)(f"{label}{error}") if label else error from None
    return total if is_statistic(parts[0]) else clone(parts[0]).solve(total)


def summed(part: Any) -> Any:
    """What adds in a part: itself, or the statistics of a model."""
    return part if is_statistic(part) else part.statistics_


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
        if why := getattr(model, "why_no_statistics", None):
            raise Unsupported(f"This {type(model).__name__} can be neither merged nor divided: {why}.")
        raise InvalidInput(f"This {type(model).__name__} is not fitted; call fit first.")


def _check_alike(first: Any, other: Any) -> None:
    """Raise unless both are statistics of one kind, or fitted models that differ in their rows alone."""
    if not is_statistic(other):
        _check_fitted(other)
    if type(first) is not type(other):
        raise HeaderMismatch(f"Cannot merge {type(first).__name__} with {type(other).__name__}.")
    if is_statistic(other):
        return
    mine, theirs = first.get_params(deep=False), other.get_params(deep=False)
    for name, value in mine.items():
        if not same(value, theirs[name]):
            raise HeaderMismatch(
                f"Cannot merge models with different {name}: {value!r} and {theirs[name]!r}."
            )
