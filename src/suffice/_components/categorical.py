r"""Components with independent columns of categories: latent classes (FCML §6.3.6 for two values).

Density       log p(x | k) = Σ_d log p_kd(x_d) over the known cells, x_d a code 0, 1, … of column d
Sums          Σ_n r_nk [x_nd = v], a number per component, column and value: a missing cell says nothing
Maximization  p_kd(v) = (n_kdv + α_dv − 1) / Σ_u (n_kdu + α_du − 1), with a Dirichlet(α_d) prior; α = 1 without

The values of all columns stand below each other, T in all, so that a block of rows is one sparse matrix of ones Z
(N, T): log densities are Z log p, and sums Zᵀ r.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import gammaln, xlogy

from suffice._components.given import alpha_of, checked_alpha
from suffice._components.smoothing import Smoothing
from suffice._components.sums import FieldSums
from suffice._core.errors import InvalidParameter
from suffice._core.records import frozen_array, record
from suffice.distributions import Categorical, Dirichlet, ProductDistribution


@record
class ValueSums(FieldSums):
    """The weight of every value in every component, (T, K)."""

    counts: np.ndarray


@record
class Categoricals:
    """Probabilities (T, K) of the values of all columns, how many each column has, and α (T,) or None."""

    table: np.ndarray
    sizes: np.ndarray
    concentration: Any = None

    @classmethod
    def of(cls, probabilities: Sequence[np.ndarray], concentration: np.ndarray | None = None) -> Categoricals:
        """From (K, values) for every column."""
        table = np.concatenate([np.asarray(p, dtype=float).T for p in probabilities])
        sizes = [np.shape(p)[1] for p in probabilities]
        alpha = None if concentration is None else frozen_array(concentration)
        return cls(frozen_array(table), frozen_array(sizes, dtype=np.intp), alpha)

    @property
    def n_components(self) -> int:
        return self.table.shape[1]

    @property
    def n_columns(self) -> int:
        return len(self.sizes)

    @property
    def n_parameters(self) -> int:
        return self.n_components * int(np.sum(self.sizes - 1))

    @property
    def block(self) -> int:
        return 4096

    @cached_property
    def starts(self) -> np.ndarray:
        """The place of the first value of each column."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def logs(self) -> np.ndarray:
        """log p, (T, K)."""
        with np.errstate(divide="ignore"):
            return np.log(self.table)

    @property
    def probabilities(self) -> tuple[np.ndarray, ...]:
        """(K, values) of every column."""
        return tuple(part.T for part in np.split(self.table, self.starts[1:]))

    @property
    def log_prior(self) -> float:
        """Σ_kd log Dirichlet(p_kd | α_d)."""
        if self.concentration is None:
            return 0.0
        a = self.concentration
        constant = np.sum(gammaln(self._totals(a))) - np.sum(gammaln(a))
        return float(self.n_components * constant + xlogy((a - 1)[:, None], self.table).sum())

    def _totals(self, values: np.ndarray) -> np.ndarray:
        """Sums over the values of each column."""
        return np.add.reduceat(values, self.starts, axis=0)

    def evaluate(self, X: np.ndarray) -> CategoricalRows:
        ones = indicators(X, self.sizes)
        return CategoricalRows(ones, ones @ self.logs)

    def maximized(self, sums: ValueSums) -> Categoricals:
        """The shares of the values; a component without known cells in a column stays as it is there."""
        counts = (
            sums.counts if self.concentration is None else sums.counts + (self.concentration - 1)[:, None]
        )
        total = np.repeat(self._totals(counts), self.sizes, axis=0)
        table = np.where(total > 0, counts / np.where(total > 0, total, 1.0), self.table)
        return Categoricals(frozen_array(table), self.sizes, self.concentration)

    def expected_log(self, sums: ValueSums, before: Categoricals) -> float:
        return float(xlogy(sums.counts, self.table).sum())

    def with_rule_of(self, base: Categoricals) -> Categoricals:
        return replace(self, concentration=base.concentration)

    def smoothed(self, weights: np.ndarray, smoothing: Smoothing) -> Categoricals:
        even = 1 / np.repeat(self.sizes, self.sizes)
        return replace(self, table=frozen_array(smoothing.applied(self.table.T, weights, even).T))

    def marginal(self, columns: np.ndarray) -> Categoricals:
        """That of some columns, by which nothing can be fitted to a prior any more."""
        parts = self.probabilities
        return Categoricals.of([parts[j] for j in columns])

    def densities(self) -> tuple[ProductDistribution, ...]:
        """Distributions of codes."""
        parts = self.probabilities
        return tuple(
            ProductDistribution([Categorical(p[k]) for p in parts]) for k in range(self.n_components)
        )

    def ordered(self, order: np.ndarray) -> Categoricals:
        return Categoricals(frozen_array(self.table[:, order]), self.sizes, self.concentration)


@record
class CategoricalRows:
    """Ones where rows have values, (N, T), and log densities."""

    ones: Any
    logs: np.ndarray

    def weighted_sums(self, responsibilities: np.ndarray) -> ValueSums:
        return ValueSums(self.ones.T @ responsibilities)


def indicators(X: np.ndarray, sizes: np.ndarray) -> sparse.csr_array:
    """A one for every known cell, at its row and its value; (N, T) from codes in which NaN is a missing cell."""
    known = ~np.isnan(X)
    first = np.cumsum(sizes) - sizes
    places = (np.where(known, X, 0.0) + first)[known].astype(np.intp)
    ends = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    return sparse.csr_array((np.ones(len(places)), places, ends), shape=(len(X), int(np.sum(sizes))))


def as_concentration(prior: Any, size: int, name: str) -> np.ndarray | None:
    """α of the values of a column, from a number or a Dirichlet."""
    if prior is None:
        return None
    alpha = alpha_of(prior)
    number = isinstance(alpha, int | float | np.number) and not isinstance(alpha, bool)
    if not number and (not isinstance(prior, Dirichlet) or np.shape(alpha) != (size,)):
        raise InvalidParameter(
            f"prior of column {name!r} must be None, a number, or one Dirichlet with an entry for each of its {size} "
            f"values; got {prior!r:.80}."
        )
    alpha = np.broadcast_to(np.asarray(alpha, dtype=float), (size,))
    return checked_alpha(f"prior of column {name!r}", alpha, "shares", prior)
