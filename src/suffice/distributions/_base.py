"""What every distribution shares. `Distribution` ← `Univariate` | `Multivariate` ← the final classes.

The classes here are abstract and their concrete methods final; a distribution fills in the abstract
ones, has `mean`, `var`, `std` and `mode` as fields or properties, and overrides nothing. Its fields are
batched over leading dimensions; `_event_ndim` says how many trailing axes of each belong to one element.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, final, runtime_checkable

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.records import fields, same, short
from suffice._core.showing import escape


@runtime_checkable
class Completes(Protocol):
    """A distribution with optional fields, which it can fill in to be joined with one that has them."""

    def completed(self) -> Any: ...


def noted(d: Any, notes: tuple[str, ...]) -> Any:
    """A new distribution with notes, which are no part of its value."""
    if notes:
        object.__setattr__(d, "_notes", notes)
    return d


class Distribution(ABC):
    """A probability distribution, or a batch of independent ones with the same shape."""

    _event_ndim: ClassVar[dict[str, int]]
    _row_reading: ClassVar[dict[str, bool]] = {}  # keywords of `log_prob` that say that x has a value per row
    _independent: ClassVar[bool] = True  # whether `sample` makes new draws

    if TYPE_CHECKING:

        @property
        def mean(self) -> Any: ...
        @property
        def var(self) -> Any: ...
        @property
        def std(self) -> Any: ...
        @property
        def mode(self) -> Any: ...
        @property
        def _discrete(self) -> bool | tuple[bool, ...]: ...

    else:
        _discrete = False  # whether values have probabilities in place of a density; one per column if mixed

    @abstractmethod
    def entropy(self) -> Any:
        """−E log p(X), in nats."""

    @abstractmethod
    def log_prob(self, x: Any) -> Any:
        """Log density, or log probability of a discrete value."""

    @abstractmethod
    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""

    @abstractmethod
    def sf(self, x: Any) -> Any:
        """P(X > x), exact where the cdf is almost one."""

    @abstractmethod
    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where the probability underflows."""

    @abstractmethod
    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where the probability underflows."""

    @abstractmethod
    def quantile(self, p: Any) -> Any:
        """The smallest x with P(X ≤ x) ≥ p."""

    @abstractmethod
    def between(self, a: Any, b: Any) -> Any:
        """P(a < X ≤ b)."""

    @abstractmethod
    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval: (1 − level)/2 of the probability lies below it, as much above."""

    @abstractmethod
    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch, *event); without the first axis when n is None."""

    @classmethod
    @abstractmethod
    def statistics(cls, x: Any, weight: Any = None) -> Any:
        """The sufficient statistics of data: a value that adds."""

    @classmethod
    @abstractmethod
    def fit(cls, x: Any, weight: Any = None) -> Self:
        """Maximum likelihood; weight 2 counts a row twice."""

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """Free parameters of one element of the batch."""

    @final
    def prob(self, x: Any, **reading: Any) -> Any:
        """Density, or probability of a discrete value; keywords are those of `log_prob`."""
        return np.exp(self.log_prob(x, **reading))

    @final
    def _log_prob_of_rows(self, x: Any) -> Any:
        """`log_prob` of what is known to be values, one per row, whatever else it may look like."""
        return self.log_prob(x, **self._row_reading)

    @final
    @property
    def notes(self) -> tuple[str, ...]:
        """What a model that made this distribution says about it, such as rows far from those of its fit.

        Parts of a batch do not have them.
        """
        return getattr(self, "_notes", ())

    @final
    @property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the batch; () for a single distribution."""
        name, ndim = next(iter(self._event_ndim.items()))
        value = getattr(self, name)
        if isinstance(value, tuple):  # of distributions, all of one batch
            return value[0].batch_shape
        shape = np.shape(value)
        return shape[: len(shape) - ndim]

    @final
    def __len__(self) -> int:
        self._need_batch()
        return self.batch_shape[0]

    @final
    def __bool__(self) -> bool:
        return True

    @final
    def __getitem__(self, key: Any) -> Self:
        """Part of the batch: `d[3]`, `d[:5]`, `d[mask]`."""
        self._need_batch()
        key = key if isinstance(key, tuple) else (key,)
        if not any(k is Ellipsis for k in key):
            key = (*key, Ellipsis)
        return self._mapped(lambda array, ndim: array[(*key, *[slice(None)] * ndim)])

    @final
    def _mapped(self, change: Callable[[np.ndarray, int], np.ndarray]) -> Self:
        """A copy with every batched field changed; a tuple of distributions is changed inside."""

        def changed(value: Any, ndim: int) -> Any:
            if isinstance(value, tuple):
                return tuple(part._mapped(change) for part in value)
            return None if value is None else change(value, ndim)

        new = {k: changed(getattr(self, k), ndim) for k, ndim in self._event_ndim.items()}
        return type(self)(**{**fields(self), **new})

    @final
    def _broadcast(self, shape: tuple[int, ...]) -> Self:
        """The same, repeated to fill a batch."""
        return self._mapped(lambda a, ndim: np.broadcast_to(a, (*shape, *np.shape(a)[np.ndim(a) - ndim :])))

    @final
    @staticmethod
    def concatenate(parts: Sequence[Distribution]) -> Distribution:
        """One batch out of several of the same kind, along the first axis."""
        kinds = {type(p) for p in parts}
        if len(kinds) != 1:
            raise InvalidInput(
                f"Only batches of one kind can be joined; got {sorted(k.__name__ for k in kinds)}."
            )
        if any(_uneven([getattr(p, k) for p in parts]) for k in parts[0]._event_ndim):
            parts = [p.completed() if isinstance(p, Completes) else p for p in parts]
        first = parts[0]
        joined = {k: _joined([getattr(p, k) for p in parts]) for k in first._event_ndim}
        shared = {k: v for k, v in fields(first).items() if k not in joined}
        for p in parts:
            if not all(same(getattr(p, k), v) for k, v in shared.items()):
                raise InvalidInput(f"Batches with different {', '.join(shared)} cannot be joined.")
        return type(first)(**{**shared, **joined})

    def _need_batch(self) -> None:
        if not self.batch_shape:
            raise Unsupported(f"A single {type(self).__name__} has no length and cannot be indexed.")

    @final
    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{k}</th><td>{escape(short(v))}</td></tr>" for k, v in fields(self).items())
        batch = f" <small>batch {self.batch_shape}</small>" if self.batch_shape else ""
        notes = "".join(f"<tr><th>note</th><td>{escape(text)}</td></tr>" for text in self.notes)
        return f"<table><caption><b>{type(self).__name__}</b>{batch}</caption>{rows}{notes}</table>"

    @final
    def logpdf(self, x: Any) -> Any:
        """`log_prob`, by scipy's name."""
        return self.log_prob(x)

    @final
    def pdf(self, x: Any) -> Any:
        """`prob`, by scipy's name."""
        return self.prob(x)

    @final
    def logcdf(self, x: Any) -> Any:
        """`log_cdf`, by scipy's name."""
        return self.log_cdf(x)

    @final
    def logsf(self, x: Any) -> Any:
        """`log_sf`, by scipy's name."""
        return self.log_sf(x)

    @final
    def ppf(self, q: Any) -> Any:
        """`quantile`, by scipy's name."""
        return self.quantile(q)

    @final
    def rvs(self, size: int | None = None, random_state: Any = None) -> Any:
        """`sample`, by scipy's names."""
        return self.sample(size, random_state)


_GAUSS_NODES, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(12)


class Univariate(Distribution):
    """Distributions of one number or label: intervals come from the cdf and its inverse."""

    _smooth: ClassVar[bool]  # whether the density has no kink inside its support

    @final
    def between(self, a: Any, b: Any) -> Any:
        """P(a < X ≤ b): from whichever tail is small, and by quadrature over a narrow interval.

        Neither far out nor close together does a difference of nearly equal numbers cost digits.
        """
        if np.any(np.asarray(a) > np.asarray(b)):
            raise InvalidInput(f"between needs a <= b; got {a!r} and {b!r}.")
        above, below = self.sf(a), self.cdf(b)
        upper = above < 0.5
        mass = np.maximum(np.where(upper, above - self.sf(b), below - self.cdf(a)), 0.0)
        narrow = self._smooth & (mass < 0.1 * np.where(upper, above, below))
        return np.where(narrow, self._integral(a, b), mass)[()] if np.any(narrow) else mass[()]

    def _integral(self, a: Any, b: Any) -> Any:
        """∫ p(x) dx by Gauss's rule, for an interval over which the density hardly changes."""
        low, high = (np.clip(e, self.quantile(0.0), self.quantile(1.0)) for e in (a, b))
        half = np.where(np.isfinite(high - low), (high - low) / 2, 0.0)
        nodes = low + half + np.multiply.outer(_GAUSS_NODES, half)
        return half * np.tensordot(_GAUSS_WEIGHTS, self.prob(np.where(half > 0, nodes, low)), axes=1)

    @final
    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval (low, high): (1 − level)/2 of the probability lies below, as much above."""
        tail = (1 - check_level(level)) / 2
        return self.quantile(tail), self.quantile(1 - tail)


class Multivariate(Distribution):
    """Distributions of vectors: they have no quantiles, and say where to find some."""

    @final
    def cdf(self, x: Any) -> Any:
        """Not defined for vectors."""
        raise self._no("cdf")

    @final
    def sf(self, x: Any) -> Any:
        """Not defined for vectors."""
        raise self._no("sf")

    @final
    def log_cdf(self, x: Any) -> Any:
        """Not defined for vectors."""
        raise self._no("log_cdf")

    @final
    def log_sf(self, x: Any) -> Any:
        """Not defined for vectors."""
        raise self._no("log_sf")

    @final
    def quantile(self, p: Any) -> Any:
        """Not defined for vectors."""
        raise self._no("quantile")

    @final
    def between(self, a: Any, b: Any) -> Any:
        """Not defined for vectors."""
        raise self._no("between")

    def _no(self, what: str) -> Unsupported:
        return Unsupported(
            f"{what} is not defined for vectors; take .marginal(i).{what}(...) of a coordinate."
        )


def _uneven(values: list[Any]) -> bool:
    """Whether some have a value and others do not."""
    return len({v is None for v in values}) == 2


def _joined(values: list[Any]) -> Any:
    """Arrays along their first axis; tuples of distributions one by one; None where some have nothing."""
    if isinstance(values[0], tuple):
        return tuple(Distribution.concatenate(parts) for parts in zip(*values, strict=True))
    if any(v is None for v in values):
        return None
    return np.concatenate(values)


def check_level(level: Any) -> float:
    """A probability to cover, as a number in [0, 1]."""
    if isinstance(level, bool) or not isinstance(level, int | float | np.number) or not 0 <= level <= 1:
        raise InvalidParameter(f"level must be in [0, 1]; got {level!r}.")
    return float(level)
