"""What components of counts have in common: a table of parameters, one per component and column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from suffice._components.cells import Cells, Terms, block_of
from suffice._components.smoothing import Smoothing


class CountTable(ABC):
    """K rows of parameters (K, D) under which the log density of a row is a sum over its cells."""

    @property
    @abstractmethod
    def table(self) -> np.ndarray:
        """The parameters."""

    @property
    @abstractmethod
    def even(self) -> float:
        """A parameter under which no cell is impossible."""

    @abstractmethod
    def with_table(self, table: np.ndarray) -> Self:
        """Other parameters under the same prior."""

    @property
    @abstractmethod
    def _terms(self) -> Terms:
        """What cells add to the log density where they are possible."""

    @property
    @abstractmethod
    def _excluded(self) -> Terms | None:
        """The same for the number of impossible cells; None where none is."""

    @property
    def n_components(self) -> int:
        return len(self.table)

    @property
    def n_columns(self) -> int:
        return self.table.shape[1]

    @property
    def block(self) -> int:
        return block_of(self.n_columns)

    def log_cells(self, cells: Cells) -> np.ndarray:
        """Σ_d over the known cells, (N, K), −inf where one of them is impossible."""
        logs = cells.logs(self._terms)
        if self._excluded is not None:
            logs[cells.logs(self._excluded) > 0.5] = -np.inf
        return logs

    def smoothed(self, weights: np.ndarray, smoothing: Smoothing) -> Self:
        return self.with_table(smoothing.applied(self.table, weights, self.even))

    def ordered(self, order: np.ndarray) -> Self:
        return self.with_table(self.table[order])


def prior_of_columns(prior: Any, columns: np.ndarray) -> Any:
    """The prior of some columns: one each, or one for all."""
    return prior[columns] if prior is not None and prior.batch_shape else prior
