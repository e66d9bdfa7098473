r"""Counts that add, with the likelihood of the rows they came from.

Multinomial  log L(p) = log L(c/n) − Σ D(c_k, n p_k),  n = Σ c_k trials
Poisson      log L(λ) = log L(c/n) − D(c, n λ),         n rows

with the deviance D(x, m) = x log(x/m) + m − x. Kept at its maximum the likelihood has the size of its own
logarithm: no binomial coefficient of a million trials has to cancel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import HeaderMismatch
from suffice._core.records import frozen_array, record, same_kind
from suffice.distributions._numerics.special import deviance


@record
class Tally:
    """Counts over an exposure n, and the log likelihood at the rates counts/n; NaN where it is not known."""

    n: float
    counts: np.ndarray
    log_likelihood: float

    @classmethod
    def of(cls, n: Any, counts: Any, log_likelihood: Any) -> Tally:
        """From totals."""
        return cls(float(n), frozen_array(counts), float(log_likelihood))

    @property
    def rates(self) -> np.ndarray:
        """Counts over n; all equal where n is zero."""
        return self.counts / self.n if self.n > 0 else np.full(len(self.counts), 1 / len(self.counts))

    def at(self, rates: Any) -> Any:
        """Log likelihood at other rates (..., K); −inf where a rate of zero meets a count."""
        return self.log_likelihood - np.sum(deviance(self.counts, self.n * np.asarray(rates)), axis=-1)

    @same_kind
    def __add__(self, other: Tally) -> Tally:
        if self.counts.shape != other.counts.shape:
            sizes = f"{len(self.counts)} and {len(other.counts)}"
            raise HeaderMismatch(f"Cannot combine tallies of {sizes} classes.")
        both = Tally.of(self.n + other.n, self.counts + other.counts, 0.0)
        return Tally.of(both.n, both.counts, self.at(both.rates) + other.at(both.rates))
