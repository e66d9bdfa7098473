r"""Components of yes and no: every column a coin of its own.

Density       log p(x | k) = Σ_d x_d log p_kd + (1 − x_d) log(1 − p_kd), over known cells             (FCML 6.20)
Step          p_kd = (a − 1 + Σ_n r_nk x_nd) / (a + b − 2 + Σ_n r_nk), sums over known cells of d     (FCML 6.22, 6.23)
Prior         p_kd ~ Beta(a, b), a, b ≥ 1; a = b = 1 is maximum likelihood

0 log 0 = 0: a coin that always falls on one side excludes rows with the other, and no others.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import betaln, xlog1py, xlogy

from suffice._components.cells import Cells, CellSums, Terms, log_of, possible
from suffice._components.count_table import CountTable, prior_of_columns
from suffice._core.errors import InvalidParameter
from suffice._core.records import frozen_array, record
from suffice.distributions import Bernoulli, Beta, ProductDistribution


@record
class Bernoullis(CountTable):
    """K rows of probabilities of one (K, D), and a Beta prior: one for all columns, one each, or None."""

    probabilities: np.ndarray
    prior: Any = None

    @classmethod
    def of(cls, probabilities: Any, prior: Beta | None = None) -> Bernoullis:
        return cls(frozen_array(probabilities), prior)

    @property
    def table(self) -> np.ndarray:
        return self.probabilities

    @property
    def even(self) -> float:
        return 0.5

    def with_table(self, table: np.ndarray) -> Bernoullis:
        return replace(self, probabilities=frozen_array(table))

    @property
    def n_parameters(self) -> int:
        return self.probabilities.size

    @property
    def added(self) -> tuple[Any, Any]:
        """What the prior adds to the counts of one and of zero: a − 1 and b − 1."""
        return (0.0, 0.0) if self.prior is None else (self.prior.a - 1, self.prior.b - 1)

    @property
    def log_prior(self) -> float:
        if self.prior is None:
            return 0.0
        (a, b), p = self.added, self.probabilities
        logs = xlogy(a, p) + xlog1py(b, -p) - betaln(self.prior.a, self.prior.b)
        return float(logs.sum())

    # -- seeing rows -----------------------------------------------------------------------------------------
    @cached_property
    def _terms(self) -> Terms:
        one, zero = possible(self._log_one), possible(self._log_zero)
        return Terms.of(one - zero, zero)

    @cached_property
    def _excluded(self) -> Terms | None:
        """The same for the number of impossible cells."""
        never_one, never_zero = np.isneginf(self._log_one), np.isneginf(self._log_zero)
        if not (never_one.any() or never_zero.any()):
            return None
        return Terms.of(never_one * 1.0 - never_zero, never_zero * 1.0)

    @cached_property
    def _log_one(self) -> np.ndarray:
        return log_of(self.probabilities)

    @cached_property
    def _log_zero(self) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.log1p(-self.probabilities)

    def evaluate(self, X: Any) -> BernoulliRows:
        cells = Cells.of(X)
        return BernoulliRows(cells, self.log_cells(cells))

    # -- fitting ---------------------------------------------------------------------------------------------
    def maximized(self, sums: CellSums) -> Bernoullis:
        """Eq. 6.23; a column of which a component has no known cell, and no prior, stays where it is."""
        a, b = self.added
        one = sums.total + a
        whole = one + sums.without(sums.missing + sums.total) + b
        found = whole > 0
        p = np.where(found, one / np.where(found, whole, 1.0), self.probabilities)
        return self.with_table(p)

    def expected_log(self, sums: CellSums, before: Bernoullis) -> float:
        p, zeros = self.probabilities, sums.without(sums.missing + sums.total)
        return float((xlogy(sums.total, p) + xlog1py(zeros, -p)).sum())

    # -- parts -----------------------------------------------------------------------------------------------
    def with_rule_of(self, base: Bernoullis) -> Bernoullis:
        return replace(self, prior=base.prior)

    def marginal(self, columns: np.ndarray) -> Bernoullis:
        return Bernoullis.of(self.probabilities[:, columns], prior_of_columns(self.prior, columns))

    def densities(self) -> tuple[ProductDistribution, ...]:
        return tuple(ProductDistribution([Bernoulli(p) for p in row]) for row in self.probabilities)


@record
class BernoulliRows:
    """Rows and their log densities."""

    cells: Cells
    logs: np.ndarray

    def weighted_sums(self, responsibilities: np.ndarray) -> CellSums:
        return self.cells.sums(responsibilities)


def as_beta(prior: Any, D: int) -> Beta | None:
    """What the user wrote, for D columns."""
    if prior is None:
        return None
    if not isinstance(prior, Beta) or prior.batch_shape not in ((), (D,)):
        raise InvalidParameter(
            f"prior must be None, a Beta, or a Beta of {D} numbers each, one per column of X; got {prior!r:.80}."
        )
    if np.any(np.minimum(prior.a, prior.b) < 1):
        raise InvalidParameter(
            "prior must have a >= 1 and b >= 1 (below, the most probable probability is on the edge); got "
            f"{prior!r:.80}."
        )
    return prior
