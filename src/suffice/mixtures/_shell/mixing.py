r"""Weights and components, and one step of expectation–maximization (FCML §6.3.3, DTU §19.2, Herbst §7.3).

Model        p(x) = Σ_k π_k p(x | k)
Expectation  r_nk = π_k p(x_n | k) / p(x_n)                           L = Σ_n w_n log p(x_n)
Maximization π_k = (Σ_n w_n r_nk + α_k − 1) / (Σ_n w_n + Σ_j (α_j − 1)), and components from their sums
Bound        B(r, θ) = Σ_nk w_n r_nk log (π_k p(x_n | k) / r_nk) ≤ L, equal right after the expectation  (FCML 6.8)

Sums add under the same parameters, so the rows may come in batches from anywhere.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from suffice._components.responsibilities import responsibilities_of
from suffice._core.errors import InvalidInput
from suffice._core.records import frozen_array, record
from suffice.engine.reduce import merged
from suffice.statistics import Header


@record
class Mixing:
    """Weights π and components of some columns; α of a Dirichlet prior on π (or None); the bound promised by a step."""

    weights: np.ndarray
    components: Any
    header: Header
    concentration: Any = None
    promised: float = float("nan")

    def check_loaded(self) -> int:
        """Nothing is made; raises unless the components have the columns of the header."""
        if self.components.n_columns != self.header.n_features:
            raise InvalidInput(
                f"There are {self.components.n_columns} columns for {self.header.n_features} inputs."
            )
        return 0

    @cached_property
    def log_weights(self) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.log(self.weights)

    @property
    def n_components(self) -> int:
        return len(self.weights)

    @property
    def n_parameters(self) -> int:
        return len(self.weights) - 1 + self.components.n_parameters

    @cached_property
    def log_prior(self) -> float:
        """log p(π) + log p(components); zero where there is none."""
        if self.concentration is None:
            return self.components.log_prior
        a = self.concentration
        weights = gammaln(a.sum()) - gammaln(a).sum() + xlogy(a - 1, self.weights).sum()
        return float(weights) + self.components.log_prior

    def weights_from(self, counts: np.ndarray) -> np.ndarray:
        """The likeliest weights of such counts of rows, or the most probable under the prior."""
        counts = counts if self.concentration is None else counts + self.concentration - 1
        return frozen_array(counts / counts.sum())

    def joint_logs(self, X: Any) -> np.ndarray:
        """log π_k p(x_n | k), (N, K)."""
        return self.components.evaluate(X).logs + self.log_weights


@record
class ExpectedSums:
    """Sums over rows under some parameters, `counts` those of responsibilities: all that the next ones depend on."""

    n: float
    likelihood: float
    entropy: float
    counts: np.ndarray
    sums: Any
    params: Mixing | None = None

    def __add__(self, other: ExpectedSums) -> ExpectedSums:
        return ExpectedSums(
            self.n + other.n,
            self.likelihood + other.likelihood,
            self.entropy + other.entropy,
            self.counts + other.counts,
            self.sums + other.sums,
        )

    def under(self, params: Mixing) -> ExpectedSums:
        """Complete: with the parameters it was taken under, whose prior counts once."""
        return ExpectedSums(self.n, self.likelihood, self.entropy, self.counts, self.sums, params)

    @property
    def objective(self) -> float:
        """L + log p(θ)."""
        return self.likelihood + (0.0 if self.params is None else self.params.log_prior)


def expectation(X: Any, weight: np.ndarray | None, mixing: Mixing, hard: bool = False) -> ExpectedSums:
    """Of validated rows, block by block."""
    step = mixing.components.block
    blocks = (slice(a, a + step) for a in range(0, X.shape[0], step))
    return merged(_block(X[b], None if weight is None else weight[b], mixing, hard) for b in blocks)


def _block(X: Any, weight: np.ndarray | None, mixing: Mixing, hard: bool) -> ExpectedSums:
    densities = mixing.components.evaluate(X)
    out = responsibilities_of(densities.logs + mixing.log_weights, weight, hard)
    n = float(X.shape[0] if weight is None else weight.sum())
    sums = densities.weighted_sums(out.values)
    return ExpectedSums(n, out.likelihood, out.entropy, out.values.sum(axis=0), sums)


def maximized(e: ExpectedSums) -> Mixing:
    """The parameters that make the bound highest, and how high they make it."""
    before = e.params
    assert before is not None  # complete
    components = before.components.maximized(e.sums)
    after = replace(before, weights=before.weights_from(e.counts), components=components)
    return replace(after, promised=_bound(e, before, after))


def _bound(e: ExpectedSums, before: Mixing, after: Mixing) -> float:
    """B(r, θ) of eq. 6.8 with the responsibilities of before, and the log prior."""
    expected = after.components.expected_log(e.sums, before.components)
    chosen = float(xlogy(e.counts, after.weights).sum())
    return chosen + expected + e.entropy + after.log_prior
