r"""A row of independent numbers: one distribution per column.

Density      log p(x) = Σ_d log p_d(x_d); a density times probabilities where some columns are discrete
Missing      a NaN cell is integrated out: ∫ p_d(x_d) dx_d = 1, so it adds nothing to the sum
Moments      those of the columns; Cov X is diagonal
Conditional  the columns that are not observed, unchanged
Fit          each column by itself, from the cells that are there
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn, final

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.random import streams
from suffice._core.records import record
from suffice.distributions._base import Multivariate, Univariate
from suffice.distributions._checks import assign, check_broadcast, common_shape, real, sample_shape, weights
from suffice.distributions._numerics.counts import last_axis
from suffice.distributions._numerics.gaussian import coordinates, observed
from suffice.distributions._numerics.one_dimensional import lumpy


@final
@record
class ProductDistribution(Multivariate):
    """Independent numbers side by side, each with its own kind of distribution.

    Parameters
    ----------
    columns
        The distribution of each column: univariate, of numbers, with or without a density, all single or of one
        batch shape.

    Examples
    --------
    >>> from suffice.distributions import Bernoulli, Normal, Poisson, ProductDistribution
    >>> d = ProductDistribution([Normal(1.0, 2.0), Poisson(3.0), Bernoulli(0.2)])
    >>> print(d.mean, f"{d.log_prob([0.0, 2.0, 1.0]):.4f}", f"{d.log_prob([0.0, float('nan'), 1.0]):.4f}")
    [1.  3.  0.2] -4.8424 -3.3465
    >>> d.condition([1, 2], [2.0, 1.0])
    ProductDistribution(columns=(Normal(mean=1, std=2),))
    """

    columns: Any

    _event_ndim: ClassVar[dict[str, int]] = {"columns": 0}

    def __post_init__(self) -> None:
        columns = _checked(self.columns)
        batch = common_shape(**{f"columns[{j}]": c.batch_shape for j, c in enumerate(columns)})
        assign(self, columns=tuple(c if c.batch_shape == batch else c._broadcast(batch) for c in columns))

    @property
    def dim(self) -> int:
        """Number of columns, D."""
        return len(self.columns)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """Mean of each column."""
        return _side_by_side([c.mean for c in self.columns])

    @property
    def var(self) -> Any:
        """Variance of each column."""
        return _side_by_side([c.var for c in self.columns])

    @property
    def std(self) -> Any:
        """Standard deviation of each column."""
        return _side_by_side([c.std for c in self.columns])

    @property
    def cov(self) -> Any:
        """The variances on a diagonal."""
        return np.where(np.eye(self.dim, dtype=bool), self.var[..., None, :], 0.0)

    @property
    def mode(self) -> Any:
        """Mode of each column."""
        return _side_by_side([c.mode for c in self.columns])

    def entropy(self) -> Any:
        """The sum over the columns; those with a density add their differential entropy."""
        return np.sum([c.entropy() for c in self.columns], axis=0)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density of rows (..., D): Σ log p_d(x_d). NaN cells are integrated out and add nothing.

        Columns with a density and discrete ones may stand side by side: it is then the density of the former
        times the probabilities of the latter.
        """
        x = last_axis(x, self.dim, self.batch_shape)
        logs = np.stack([_log_cells(c, x[..., j]) for j, c in enumerate(self.columns)], axis=-1)
        with np.errstate(invalid="ignore"):
            return np.where(np.isneginf(logs).any(axis=-1), -np.inf, logs.sum(axis=-1))[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval of each column by itself: (low, high), both (..., D)."""
        low, high = zip(*(c.interval(level) for c in self.columns), strict=True)
        return _side_by_side(low), _side_by_side(high)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch, D): each column from its own stream."""
        sample_shape(n)
        return _side_by_side(
            [c.sample(n, r) for c, r in zip(self.columns, streams(rng, self.dim), strict=True)]
        )

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> NoReturn:
        """Each column has its own kind of statistics."""
        raise Unsupported(
            "ProductDistribution has no statistics of its own; take those of each column, as in "
            "Normal.statistics(x[:, 0])."
        )

    @classmethod
    def fit(
        cls, x: Any, weight: Any = None, families: Sequence[type[Univariate]] | None = None
    ) -> ProductDistribution:
        """Maximum likelihood of one family per column, such as [Normal, Poisson], each from the cells that
        are not NaN; weight 2 counts a row twice."""
        if families is None:
            raise Unsupported(
                "ProductDistribution.fit needs one family per column, such as families=[Normal, Poisson]."
            )
        table = np.asarray(real(x))
        if table.ndim != 2 or table.shape[1] != len(families):
            raise InvalidInput(f"x must be a table (N, {len(families)}); got shape {table.shape}.")
        given = weights(weight, len(table))
        return cls([_fitted(f, table, given, j) for j, f in enumerate(families)])

    @property
    def n_parameters(self) -> int:
        """The parameters of all columns."""
        return sum(c.n_parameters for c in self.columns)

    # -- marginals and conditionals --------------------------------------------------------------------

    @property
    def discrete(self) -> tuple[bool, ...]:
        """Which columns have probabilities in place of a density."""
        return tuple(lumpy(c) for c in self.columns)

    _discrete = discrete

    def marginal(self, idx: Any) -> Any:
        """Some columns: an integer gives that one; a list, slice or mask a `ProductDistribution`."""
        index = coordinates(idx, self.dim)
        if index.ndim == 0:
            return self.columns[int(index)]
        if len(set(index.tolist())) < len(index):
            raise InvalidInput(f"idx must pick distinct columns, or they are not independent; got {idx!r}.")
        return ProductDistribution([self.columns[j] for j in index])

    def condition(self, idx: Any, values: Any) -> ProductDistribution:
        """The other columns, given that those in `idx` have `values`: they do not change; NaN means not observed."""
        seen, values, free = observed(idx, values, self.dim, self.batch_shape)
        for j, value in zip(seen, np.moveaxis(values, -1, 0), strict=True):
            self._check_possible(int(j), value)
        rest = self.marginal(free)
        batch = np.broadcast_shapes(values.shape[:-1], self.batch_shape)
        return rest if rest.batch_shape == batch else rest._broadcast(batch)

    def _check_possible(self, j: int, value: Any) -> None:
        impossible = np.isneginf(self.columns[j]._log_prob_of_rows(value))
        if np.any(impossible):
            first = np.broadcast_to(value, np.shape(impossible))[impossible].flat[0]
            raise InvalidInput(
                f"values must be possible; column {j} cannot be {first:g} under {self.columns[j]!r}."
            )


def _checked(columns: Any) -> tuple[Any, ...]:
    """One univariate distribution of numbers per column."""
    parts = tuple(columns) if isinstance(columns, Sequence) else ()
    if not parts:
        raise InvalidParameter(f"columns must be a sequence of distributions, one or more; got {columns!r}.")
    for j, part in enumerate(parts):
        if not isinstance(part, Univariate) or not _of_numbers(part):
            raise InvalidParameter(
                f"columns[{j}] must be a univariate distribution of numbers; got {part!r}. Code labels as numbers."
            )
    return parts


def _of_numbers(part: Univariate) -> bool:
    """Not of labels, which have no mean, nor a mixture of vectors, whose mean is one."""
    try:
        return np.shape(part.mean) == part.batch_shape
    except Unsupported:
        return False


def _side_by_side(columns: Sequence[Any]) -> np.ndarray:
    """Values of the columns in a new last axis."""
    return np.stack([np.asarray(c, dtype=float) for c in columns], axis=-1)


def _log_cells(column: Univariate, x: np.ndarray) -> np.ndarray:
    """log p of the cells of one column, 0 where they are missing."""
    missing = np.isnan(x)
    shape = check_broadcast(x.shape, column.batch_shape)
    if missing.all():
        return np.zeros(shape)
    if not missing.any():
        return np.broadcast_to(column._log_prob_of_rows(x), shape)
    there = x[~missing].flat[0]  # any value that is asked for anyway
    return np.where(missing, 0.0, column._log_prob_of_rows(np.where(missing, there, x)))


def _fitted(family: type[Univariate], table: np.ndarray, weight: np.ndarray | None, j: int) -> Univariate:
    """One column from the cells that are there."""
    there = ~np.isnan(table[:, j])
    if len(table) and not there.any():
        raise InvalidInput(f"x must have a value in every column; column {j} is all NaN.")
    return family.fit(table[there, j], None if weight is None else weight[there])
