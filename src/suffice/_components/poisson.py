r"""Components of counts without a bound: every column has a rate of its own.

Density       log p(x | k) = Σ_d x_d log λ_kd − λ_kd − log x_d!, over known cells
Step          λ_kd = (a − 1 + Σ_n r_nk x_nd) / (b + Σ_n r_nk), sums over known cells of d
Prior         λ_kd ~ Gamma(shape a, rate b), a ≥ 1

0 log 0 = 0: under a rate of zero, a count of zero is certain and all others are impossible.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from suffice._components.cells import Cells, CellSums, Terms, log_factorials, log_of, possible
from suffice._components.count_table import CountTable, prior_of_columns
from suffice._components.sums import FieldSums
from suffice._core.errors import InvalidParameter
from suffice._core.records import frozen_array, record
from suffice.distributions import Gamma, Poisson, ProductDistribution


@record
class PoissonSums(FieldSums):
    """Sums of cells, and Σ r log x! over all of them."""

    cells: CellSums
    factorials: float


@record
class Poissons(CountTable):
    """K rows of rates (K, D), and a Gamma prior: one for all columns, one each, or None."""

    rates: np.ndarray
    prior: Any = None

    @classmethod
    def of(cls, rates: Any, prior: Gamma | None = None) -> Poissons:
        return cls(frozen_array(rates), prior)

    @property
    def table(self) -> np.ndarray:
        return self.rates

    @property
    def even(self) -> float:
        return 1.0

    def with_table(self, table: np.ndarray) -> Poissons:
        return replace(self, rates=frozen_array(table))

    @property
    def n_parameters(self) -> int:
        return self.rates.size

    @property
    def added(self) -> tuple[Any, Any]:
        """What the prior adds to the events and to the rows in which they were counted: a − 1 and b."""
        return (0.0, 0.0) if self.prior is None else (self.prior.shape - 1, self.prior.rate)

    @property
    def log_prior(self) -> float:
        if self.prior is None:
            return 0.0
        events, rows = self.added
        constant = self.prior.shape * np.log(self.prior.rate) - gammaln(self.prior.shape)
        return float((constant + xlogy(events, self.rates) - rows * self.rates).sum())

    # -- seeing rows -----------------------------------------------------------------------------------------
    @cached_property
    def _terms(self) -> Terms:
        return Terms.of(possible(log_of(self.rates)), -self.rates)

    @cached_property
    def _excluded(self) -> Terms | None:
        """Counts where the rate is zero."""
        return Terms.of_zeros(self.rates)

    def evaluate(self, X: Any) -> PoissonRows:
        cells = Cells.of(X)
        factorials = log_factorials(cells.values)
        return PoissonRows(cells, factorials, self.log_cells(cells) - factorials[:, None])

    # -- fitting ---------------------------------------------------------------------------------------------
    def maximized(self, sums: PoissonSums) -> Poissons:
        """A column of which a component has no known cell, and no prior, stays where it is."""
        events, rows = self.added
        whole = sums.cells.known + rows
        found = whole > 0
        rates = (sums.cells.total + events) / np.where(found, whole, 1.0)
        return self.with_table(np.where(found, rates, self.rates))

    def expected_log(self, sums: PoissonSums, before: Poissons) -> float:
        cells = xlogy(sums.cells.total, self.rates) - sums.cells.known * self.rates
        return float(cells.sum()) - sums.factorials

    # -- parts -----------------------------------------------------------------------------------------------
    def with_rule_of(self, base: Poissons) -> Poissons:
        return replace(self, prior=base.prior)

    def marginal(self, columns: np.ndarray) -> Poissons:
        return Poissons.of(self.rates[:, columns], prior_of_columns(self.prior, columns))

    def densities(self) -> tuple[ProductDistribution, ...]:
        return tuple(ProductDistribution([Poisson(rate) for rate in row]) for row in self.rates)


@record
class PoissonRows:
    """Rows, Σ_d log x_d! of each, and their log densities."""

    cells: Cells
    factorials: np.ndarray
    logs: np.ndarray

    def weighted_sums(self, responsibilities: np.ndarray) -> PoissonSums:
        return PoissonSums(
            self.cells.sums(responsibilities), float(responsibilities.sum(axis=1) @ self.factorials)
        )


def as_gamma(prior: Any, D: int) -> Gamma | None:
    """What the user wrote, for D columns."""
    if prior is None:
        return None
    if not isinstance(prior, Gamma) or prior.batch_shape not in ((), (D,)):
        raise InvalidParameter(
            f"prior must be None, a Gamma, or a Gamma of {D} numbers each, one per column of X; got {prior!r:.80}."
        )
    if np.any(prior.shape < 1):
        raise InvalidParameter(
            f"prior must have shape >= 1 (below, the most probable rate is zero); got {prior!r:.80}."
        )
    return prior
