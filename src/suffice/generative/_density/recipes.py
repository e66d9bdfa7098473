r"""Densities of classes: what is kept of the rows of a class, and the density p(x | c) that follows from it.

FittedFamily  a distribution class: statistics that add, then maximum likelihood from them. A family of one number
              describes several columns as independent within the class, p(x | c) = Π_d p(x_d | c)   (FCML §5.2.1.5)
Given         a distribution that is known: nothing is kept of the rows
Learned       a family without statistics that add, or any estimator with `fit` and `score_samples`: fitted to rows
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from suffice._core.errors import (
    HeaderMismatch,
    InvalidInput,
    InvalidParameter,
    SufficeError,
    Unsupported,
    hold_warnings,
    warn,
)
from suffice._core.records import record
from suffice.distributions import Distribution, Histogram, MixtureDistribution, MultivariateNormal, Normal
from suffice.distributions._base import Multivariate
from suffice.generative._density.densities import Conditional, Foreign, Independent, Joint, named, of_rows
from suffice.generative._normal.regular import check_squares, floored, regular_normal
from suffice.statistics import Header, Moments
from suffice.statistics.columns import ColumnMoments, gather_columns


@record
class Context:
    """Of the class being fitted: its label, the names of the columns, and their spread over the rows of all classes."""

    label: Any
    names: tuple[str, ...]
    total: np.ndarray | None = None
    features: tuple[str, ...] | None = None  # the names again, where the user gave them


class Recipe(Protocol):
    """How the density of a class follows from its rows."""

    @property
    def key(self) -> str: ...
    @property
    def why_not_summed(self) -> str | None: ...
    def check(self, columns: int, label: Any) -> None: ...
    def gather(self, X: np.ndarray, weight: np.ndarray | None, context: Context) -> DensityStatistics: ...
    def solve(self, statistics: DensityStatistics, context: Context) -> Conditional: ...
    def fit(self, X: np.ndarray, weight: np.ndarray | None, context: Context) -> Conditional: ...


# -- statistics ---------------------------------------------------------------------------------------
@record
class DensityStatistics:
    """Statistics of a family: one of the rows, or one per column; none where the density is given."""

    family: str
    parts: tuple[Any, ...]

    def __add__(self, other: DensityStatistics) -> DensityStatistics:
        pairs = self._paired(other)
        return DensityStatistics(self.family, tuple(a + b for a, b in pairs))

    def __sub__(self, other: DensityStatistics) -> DensityStatistics:
        pairs = self._paired(other)
        try:
            return DensityStatistics(self.family, tuple(a - b for a, b in pairs))
        except TypeError:
            raise Unsupported(
                f"Statistics of {self.family} add, but rows cannot be taken out of them; fit the rest anew."
            ) from None

    def _paired(self, other: DensityStatistics) -> Any:
        if self.family != other.family or len(self.parts) != len(other.parts):
            raise HeaderMismatch(f"Cannot combine statistics of {self.family} with those of {other.family}.")
        return zip(self.parts, other.parts, strict=True)


def total_scale(parts: Any) -> np.ndarray | None:
    """The standard deviation of the columns over the rows of all classes that keep moments; None if none does."""
    kept = [m for p in parts if p is not None and (m := _columns(p.parts)) is not None]
    if not kept:
        return None
    n, means, norms = (np.array(values) for values in zip(*kept, strict=True))
    gaps = means - n @ means / n.sum()
    unit = np.maximum(norms.max(axis=0), np.abs(gaps).max(axis=0))
    unit = np.where(unit > 0, unit, 1.0)  # squares of what is at most one do not overflow
    return unit * np.sqrt((np.square(norms / unit).sum(axis=0) + n @ np.square(gaps / unit)) / n.sum())


def _columns(parts: tuple[Any, ...]) -> tuple[float, np.ndarray, np.ndarray] | None:
    """Weight, means and roots of the scatter of the columns, from moments of any shape."""
    if parts and isinstance(parts[0], ColumnMoments):
        return parts[0].weight, parts[0].mean, parts[0].norm
    if not parts or not all(isinstance(m, Moments) for m in parts):
        return None
    means = np.concatenate([np.atleast_1d(m.mean) for m in parts])
    scatter = np.concatenate([np.diagonal(np.atleast_2d(m.scatter)) for m in parts])
    return parts[0].n, means, np.sqrt(scatter)


# -- recipes ------------------------------------------------------------------------------------------
@record
class FittedFamily:
    """Maximum likelihood in a family of distributions, from statistics that add."""

    cls: Any

    @property
    def key(self) -> str:
        return self.cls.__name__

    @property
    def why_not_summed(self) -> str | None:
        return None

    @property
    def whole(self) -> bool:
        """Whether it describes rows rather than single numbers."""
        return issubclass(self.cls, Multivariate)

    def check(self, columns: int, label: Any) -> None:
        """Any number of columns will do."""

    def gather(self, X: np.ndarray, weight: np.ndarray | None, context: Context) -> DensityStatistics:
        if self.cls is MultivariateNormal:
            check_squares(X, context.names)
        if self.cls is Normal:
            header = Header(X.shape[1], context.names, n_targets=0)
            return DensityStatistics(self.key, (gather_columns(header, X, weight),))
        try:
            if self.whole:
                return DensityStatistics(self.key, (self.cls.statistics(X, weight),))
            return DensityStatistics(
                self.key, tuple(self._column(X, j, weight, context) for j in range(X.shape[1]))
            )
        except InvalidInput as error:
            raise InvalidInput(
                f"Class {context.label!r} is to have the density {self.key}: {error}"
            ) from None

    def _column(self, X: np.ndarray, j: int, weight: np.ndarray | None, context: Context) -> Any:
        try:
            return self.cls.statistics(X[:, j], weight)
        except InvalidInput as error:
            raise InvalidInput(f"column {context.names[j]!r}: {error}") from None

    def solve(self, statistics: DensityStatistics, context: Context) -> Conditional:
        expected = 1 if self.whole or self.cls is Normal else len(context.names)
        if len(statistics.parts) != expected:
            raise HeaderMismatch(
                f"{self.key} of class {context.label!r} has {len(statistics.parts)} statistics for {expected}."
            )
        total = np.zeros(len(context.names)) if context.total is None else context.total
        if self.cls is MultivariateNormal:
            return Joint(regular_normal(statistics.parts[0], total, context.label, context.names))
        if self.cls is Normal:
            return Joint(floored(statistics.parts[0], total))
        try:
            made = tuple(self.cls.from_statistics(part) for part in statistics.parts)
        except (SufficeError, ArithmeticError) as error:
            raise InvalidInput(f"Class {context.label!r} has no density {self.key}: {error}") from None
        return Joint(made[0]) if self.whole else Independent(made)

    def fit(self, X: np.ndarray, weight: np.ndarray | None, context: Context) -> Conditional:
        statistics = self.gather(X, weight, context)
        total = total_scale((statistics,))
        return self.solve(statistics, Context(context.label, context.names, total))


@record
class Given:
    """A distribution that is known."""

    distribution: Distribution

    @property
    def key(self) -> str:
        return "given"

    @property
    def why_not_summed(self) -> str | None:
        return None

    def check(self, columns: int, label: Any) -> None:
        """Raise unless it describes so many columns."""
        d = self.distribution
        batch, whole = d.batch_shape, of_rows(d)
        takes = int(np.shape(_place(d))[-1]) if whole else int(np.prod(batch))
        odd = len(batch) > (0 if whole else 1)
        if odd or takes != columns:
            raise InvalidParameter(
                f"The density of class {label!r} describes {takes} columns; X has {columns}. For columns that are "
                "independent within a class give a batch with one distribution per column."
            )

    def gather(self, X: np.ndarray, weight: np.ndarray | None, context: Context) -> DensityStatistics:
        return DensityStatistics(self.key, ())

    def solve(self, statistics: DensityStatistics, context: Context) -> Conditional:
        return Joint(self.distribution)

    def fit(self, X: np.ndarray, weight: np.ndarray | None, context: Context) -> Conditional:
        return Joint(self.distribution)


@dataclass(frozen=True, eq=False)
class Learned:
    """Fitted to the rows themselves: a family without statistics that add, or an estimator, cloned for the class."""

    source: Any
    why_not_summed: str

    @property
    def key(self) -> str:
        return f"rows of {getattr(self.source, '__name__', type(self.source).__name__)}"

    def check(self, columns: int, label: Any) -> None:
        """Any number of columns will do."""

    def gather(self, X: np.ndarray, weight: np.ndarray | None, context: Context) -> DensityStatistics:
        raise Unsupported(f"The rows of class {context.label!r} cannot be summed up: {self.why_not_summed}.")

    def solve(self, statistics: DensityStatistics, context: Context) -> Conditional:
        raise Unsupported(f"The rows of class {context.label!r} cannot be summed up: {self.why_not_summed}.")

    def fit(self, X: np.ndarray, weight: np.ndarray | None, context: Context) -> Conditional:
        with about_class(context.label):
            return self._fit(X, weight, context)

    def _fit(self, X: np.ndarray, weight: np.ndarray | None, context: Context) -> Conditional:
        family: Any = self.source
        if not isinstance(self.source, type):
            return Foreign(_fitted(clone(self.source), named(X, self.source, context.features), weight))
        if issubclass(self.source, Multivariate):
            return Joint(family.fit(X, weight))
        return Independent(tuple(family.fit(x, weight) for x in X.T))


@runtime_checkable
class DensityEstimator(Protocol):
    """What scikit-learn's density models have."""

    def fit(self, X: Any) -> Any: ...
    def score_samples(self, X: Any) -> Any: ...


def recipe(density: Any) -> Recipe:
    """How a class gets its density from what the user wrote."""
    if isinstance(density, type) and issubclass(density, Distribution):
        reason = _why_by_rows(density)
        return FittedFamily(density) if reason is None else Learned(density, reason)
    if isinstance(density, Distribution):
        return Given(density)
    if isinstance(density, DensityEstimator) and not isinstance(density, type):
        return Learned(density, f"{type(density).__name__} is fitted to the rows themselves")
    raise InvalidParameter(
        "density must be a class of suffice.distributions, a distribution, an estimator with fit and score_samples, or "
        f"a dict with one of these per class; got {density!r:.80}."
    )


def takes_gaps(density: Any) -> bool:
    """Whether missing cells are inside the model: of an estimator that says so, for itself or for every class."""
    if isinstance(density, Mapping):
        return bool(density) and all(takes_gaps(d) for d in density.values())
    return isinstance(density, BaseEstimator) and get_tags(density).input_tags.allow_nan


def refusing_gaps(density: Any) -> str:
    """Which class's density does not take missing cells, where others do; else nothing."""
    if not isinstance(density, Mapping) or not any(map(takes_gaps, density.values())):
        return ""
    label, odd = next(((c, d) for c, d in density.items() if not takes_gaps(d)), (None, None))
    shown = odd.__name__ if isinstance(odd, type) else repr(odd)
    return "" if odd is None else f"The density of class {label!r} takes no missing cells: {shown:.60}."


def takes_text(density: Any) -> bool:
    """Whether some density would take text from elsewhere, as mixtures of mixed tables do."""
    if isinstance(density, Mapping):
        return any(takes_text(d) for d in density.values())
    return isinstance(density, BaseEstimator) and get_tags(density).input_tags.string


@contextmanager
def about_class(label: Any) -> Iterator[None]:
    """Errors and warnings inside name the class."""
    try:
        with hold_warnings() as held:
            yield
    except SufficeError as error:
        raise type(error)(f"The density of class {label!r}: {error}") from error
    for message, category in held:
        warn(f"The density of class {label!r}: {message}", category)


def _place(d: Any) -> Any:
    """Some row that a density of rows describes; that of a mixture has a mode by search alone."""
    return d.mean if isinstance(d, MixtureDistribution) else d.mode


def _why_by_rows(family: Any) -> str | None:
    """None if its statistics add, else the reason."""
    if family is Histogram:
        return "the bins of a Histogram are placed by the rows"
    try:
        family.statistics(np.empty((0, 1)) if issubclass(family, Multivariate) else np.empty(0))
    except Unsupported as error:
        return str(error).rstrip(".")
    except SufficeError:
        return None
    return None


def _fitted(estimator: Any, X: Any, weight: np.ndarray | None) -> Any:
    if weight is None or np.all(weight == 1):
        return estimator.fit(X)
    if not has_fit_parameter(estimator, "sample_weight"):
        raise Unsupported(
            f"{type(estimator).__name__} takes no sample_weight; repeat rows, or choose another density."
        )
    return estimator.fit(X, sample_weight=weight)
