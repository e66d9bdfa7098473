"""What a family of components offers to whoever shares rows out between them."""

from __future__ import annotations

from typing import Any, Protocol, Self

import numpy as np


class Seen(Protocol):
    """Some rows under all components."""

    @property
    def logs(self) -> np.ndarray:
        """log p(x_n | k) of the known cells, (N, K)."""
        ...

    def weigh(self, shares: np.ndarray) -> Any:
        """Sums under shares (N, K), in which weights of rows are contained. May be called once."""
        ...


class Components(Protocol):
    """K densities of rows of the same columns, and the rule by which they are fitted.

    Sums add over rows seen by the same components, and only those can make of them what follows.
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
        """Rows that are best seen at a time."""
        ...

    def see(self, X: Any) -> Seen: ...

    def maximized(self, sums: Any) -> Self:
        """The components under which the rows behind these sums, and the prior, are most probable."""
        ...

    def expected_log(self, sums: Any, before: Self) -> float:
        """E Σ_n log p(x_n | k), by the sums that components `before` gathered, and the entropy of missing cells."""
        ...

    def ruled_by(self, base: Self) -> Self:
        """The same densities, to be fitted on by the rule of others: their prior, their floor."""
        ...

    def marginal(self, columns: np.ndarray) -> Self: ...

    def densities(self) -> tuple[Any, ...]:
        """A distribution of rows per component."""
        ...

    def ordered(self, order: np.ndarray) -> Self:
        """The same components under other numbers."""
        ...
