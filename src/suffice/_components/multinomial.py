r"""Components of counts that share out a total: the words of a document, drawn from the shares of its component.

Density       log p(x | T, k) = log T! − Σ_d log x_d! + Σ_d x_d log p_kd,   T = Σ_d x_d given
Step          p_kd = (α_d − 1 + Σ_n r_nk x_nd) / Σ_j (α_j − 1 + Σ_n r_nk x_nj)
Prior         p_k ~ Dirichlet(α), α ≥ 1

A row without any count has density one everywhere and says nothing. Totals are given, not modelled; where rows are
drawn, their totals are those of the rows that the fit began with. A missing count cannot be left out: the total is
given, so the other counts would tell what it was.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from suffice._components.cells import (
    Cells,
    Terms,
    log_factorials,
    log_of,
    possible,
    times,
)
from suffice._components.count_table import CountTable
from suffice._components.given import alpha_of, checked_alpha
from suffice._components.sums import FieldSums
from suffice._core.errors import InvalidParameter, Unsupported
from suffice._core.records import frozen_array, record
from suffice.distributions import Multinomial


@record
class Totals:
    """Totals of rows and their probabilities."""

    values: np.ndarray
    probabilities: np.ndarray

    @classmethod
    def of(cls, X: Any, weight: np.ndarray | None) -> Totals:
        values, which = np.unique(times(X, np.ones(X.shape[1])), return_inverse=True)
        counts = np.bincount(which, weight)
        return cls(frozen_array(values), frozen_array(counts / counts.sum()))

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return rng.choice(self.values, size=n, p=self.probabilities).astype(int)


@record
class MultinomialSums(FieldSums):
    """Σ r x (K, D), and Σ r (log T! − Σ log x!)."""

    total: np.ndarray
    orders: float


@record
class Multinomials(CountTable):
    """K rows of shares (K, D) that sum to one, α of a Dirichlet prior (D,) or None, and totals to draw or None."""

    probabilities: np.ndarray
    prior: Any = None
    totals: Any = None

    @classmethod
    def of(cls, probabilities: Any, prior: Any = None, totals: Totals | None = None) -> Multinomials:
        """With a Dirichlet, its α, or a number for all columns as the prior."""
        return cls(frozen_array(probabilities), as_concentration(prior, np.shape(probabilities)[1]), totals)

    @property
    def table(self) -> np.ndarray:
        return self.probabilities

    @property
    def even(self) -> float:
        return 1 / self.n_columns

    def with_table(self, table: np.ndarray) -> Multinomials:
        return replace(self, probabilities=frozen_array(table))

    @property
    def n_parameters(self) -> int:
        return self.n_components * (self.n_columns - 1)

    @property
    def log_prior(self) -> float:
        if self.prior is None:
            return 0.0
        constant = gammaln(self.prior.sum()) - gammaln(self.prior).sum()
        return float(self.n_components * constant + xlogy(self.prior - 1, self.probabilities).sum())

    # -- seeing rows -----------------------------------------------------------------------------------------
    @cached_property
    def _terms(self) -> Terms:
        return Terms.of(possible(log_of(self.probabilities)))

    @cached_property
    def _excluded(self) -> Terms | None:
        """Counts where the share is zero."""
        return Terms.of_zeros(self.probabilities)

    def evaluate(self, X: Any) -> MultinomialRows:
        cells = Cells(X)
        orders = gammaln(times(X, np.ones(X.shape[1])) + 1) - log_factorials(X)
        return MultinomialRows(cells, orders, self.log_cells(cells) + orders[:, None])

    # -- fitting ---------------------------------------------------------------------------------------------
    def maximized(self, sums: MultinomialSums) -> Multinomials:
        """A component without any count, and no prior, stays as it is."""
        counts = sums.total if self.prior is None else sums.total + (self.prior - 1)
        whole = counts.sum(axis=1, keepdims=True)
        p = np.where(whole > 0, counts / np.where(whole > 0, whole, 1.0), self.probabilities)
        return self.with_table(p)

    def expected_log(self, sums: MultinomialSums, before: Multinomials) -> float:
        return float(xlogy(sums.total, self.probabilities).sum()) + sums.orders

    # -- parts -----------------------------------------------------------------------------------------------
    def with_rule_of(self, base: Multinomials) -> Multinomials:
        return replace(self, prior=base.prior, totals=base.totals)

    def marginal(self, columns: np.ndarray) -> Multinomials:
        if not np.array_equal(np.sort(columns), np.arange(self.n_columns)):
            raise Unsupported(
                "Some counts of a multinomial have no density without the others: the total of the row is given. Use "
                "all columns, or PoissonMixture, whose columns are independent."
            )
        prior = None if self.prior is None else self.prior[columns]
        return Multinomials.of(self.probabilities[:, columns], prior, self.totals)

    def densities(self) -> tuple[Multinomial, ...]:
        if self.totals is None or len(self.totals.values) != 1:
            seen = "no" if self.totals is None else f"{len(self.totals.values)} different"
            raise Unsupported(
                f"A multinomial is a distribution given its total, and the rows had {seen} totals: make it for one, as "
                "MixtureDistribution(weights_, Multinomial(total, probabilities_))."
            )
        return tuple(Multinomial(self.totals.values[0], p) for p in self.probabilities)


@record
class MultinomialRows:
    """Rows, log T! − Σ log x! of each, and their log densities."""

    cells: Cells
    orders: np.ndarray
    logs: np.ndarray

    def weighted_sums(self, responsibilities: np.ndarray) -> MultinomialSums:
        total = times(self.cells.values.T, responsibilities).T
        return MultinomialSums(total, float(responsibilities.sum(axis=1) @ self.orders))


def as_concentration(prior: Any, D: int) -> np.ndarray | None:
    """α of what the user wrote, for D columns."""
    if prior is None:
        return None
    alpha = alpha_of(prior)
    number = isinstance(alpha, Real) and not isinstance(alpha, bool)
    if not (number or isinstance(alpha, np.ndarray)) or np.shape(alpha) not in ((), (D,)):
        raise InvalidParameter(
            f"prior must be None, a number, or a Dirichlet of {D} components, one per column of X; got {prior!r:.80}."
        )
    return checked_alpha("prior", np.broadcast_to(np.asarray(alpha, dtype=float), (D,)), "shares", prior)
