"""What a family of components offers to models that make responsibilities: mixtures, and chains of states."""

from __future__ import annotations

from typing import Any, Protocol, Self

import numpy as np

from suffice._components.smoothing import Smoothing


class RowDensities(Protocol):
    """Some rows under all components."""

    @property
    def logs(self) -> np.ndarray:
        """log p(x_n | k) of the known cells, (N, K)."""
        ...

    def weighted_sums(self, responsibilities: np.ndarray) -> Any:
        """Sums under responsibilities (N, K), in which weights of rows are contained. May be called once."""
        ...


class Components(Protocol):
    """K densities of rows of the same columns, and the rule by which they are fitted.

    Sums add over rows evaluated by the same components, and only those can make of them what follows.
    """

    @property
    def n_components(self) -> int: ...
    @property
    def n_columns(self) -> int: ...
    @property
    def n_parameters(self) -> int:
        """Free numbers of all components together."""
        ...

    @property
    def log_prior(self) -> float:
        """log p(parameters); zero without a prior."""
        ...

    @property
    def block(self) -> int:
        """Rows that are best evaluated at a time."""
        ...

    def evaluate(self, X: Any) -> RowDensities: ...

    def maximized(self, sums: Any) -> Self:
        """The components under which the rows behind these sums, and the prior, are most probable."""
        ...

    def expected_log(self, sums: Any, before: Self) -> float:
        """E Σ_n log p(x_n | k), by the sums that components `before` gathered, and the entropy of missing cells."""
        ...

    def with_rule_of(self, base: Self) -> Self:
        """The same densities, to be fitted on by the rule of others: their prior, their floor."""
        ...

    def smoothed(self, weights: np.ndarray, smoothing: Smoothing) -> Self:
        """Nearer to each other, so that no component excludes rows for ever; densities that exclude none stay."""
        ...

    def marginal(self, columns: np.ndarray) -> Self: ...

    def densities(self) -> tuple[Any, ...]:
        """A distribution of rows per component."""
        ...

    def ordered(self, order: np.ndarray) -> Self:
        """The same components under other numbers."""
        ...
