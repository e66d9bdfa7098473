"""The estimator around mixtures of counts: checks of cells, starts that exclude nothing, and draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from suffice._core.records import frozen_array
from suffice.engine import Rows
from suffice.mixtures._counts.rows import as_counts, refuse_cells
from suffice.mixtures._counts.starts import alike, coordinates, reopened, softened
from suffice.mixtures._shell.frames import frame_of, framed
from suffice.mixtures._shell.mixing import Mixing
from suffice.mixtures._shell.model import MixturePlan, MixtureShell
from suffice.mixtures._shell.starts import shares_in_units


class CountMixture(MixtureShell, ABC):
    """A mixture whose components have one table of parameters (K, D), called "probabilities" or "rates"."""

    prior: Any
    frame_: str | None

    _parameter: ClassVar[str]

    # -- what final classes say ------------------------------------------------------------------------------
    @abstractmethod
    def _check_cells(self, X: Any, names: tuple[str, ...]) -> Any:
        """Rows as the components see them; raises for cells that they give no meaning to."""

    @abstractmethod
    def _one(self, rows: Rows) -> Any:
        """A single component of the family, with its prior."""

    @abstractmethod
    def _check_table(self, value: Any, shape: tuple[int, int]) -> np.ndarray:
        """The table of a start that the user gave, if it is one."""

    @abstractmethod
    def _stretched(self, X: Any) -> Any:
        """Cells in units whose distances mean something."""

    @abstractmethod
    def _even(self, n_columns: int) -> float:
        """A parameter under which no cell is impossible."""

    @abstractmethod
    def _draw_rows(self, table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A row from each row of parameters."""

    # -- what the shell asks ---------------------------------------------------------------------------------
    def _check_rows(self, X: Any, names: tuple[str, ...]) -> Any:
        X = as_counts(X)
        refuse_cells(
            X, lambda x: x < 0, names, "Negative values in data", "Nothing is counted less than zero times."
        )
        return self._check_cells(X, names)

    def _first_shares(self, rows: Rows, plan: MixturePlan, rng: np.random.Generator) -> np.ndarray:
        at = coordinates(self._stretched(rows.X), self.n_components)
        return shares_in_units(at, rows.weight, self.n_components, self.init_params, rng)

    def _base(self, rows: Rows, plan: MixturePlan) -> Any:
        return alike(self._one(rows), rows, self.n_components)

    @property
    def _table_init(self) -> Any:
        return getattr(self, f"{self._parameter}_init")

    @property
    def _all_given(self) -> bool:
        """Weights that were not given are equal."""
        return self._table_init is not None

    def _given(self, start: Mixing, plan: MixturePlan) -> Mixing:
        table = getattr(start.components, self._parameter)
        made = softened(table, start.weights)
        if self._table_init is not None:
            made = self._check_table(self._table_init, table.shape)
        components = replace(start.components, **{self._parameter: frozen_array(made)})
        return replace(start, weights=self._weights_given(start), components=components)

    def _reopened(self, mixing: Mixing) -> Mixing:
        table = getattr(mixing.components, self._parameter)
        made = reopened(table, mixing.weights, self._even(table.shape[1]))
        return replace(mixing, components=replace(mixing.components, **{self._parameter: frozen_array(made)}))

    # -- the fit ---------------------------------------------------------------------------------------------
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit by expectation–maximization; y is ignored."""
        super().fit(X, y, sample_weight)
        self.frame_ = frame_of(X)
        return self

    def _write(self, mixing: Mixing) -> None:
        self.frame_ = None
        setattr(self, f"{self._parameter}_", np.array(getattr(mixing.components, self._parameter)))

    def _draw(self, labels: np.ndarray, rng: np.random.Generator) -> Any:
        """Rows as a table of the kind that was fitted; an array where that was none."""
        table = getattr(self.mixing_.components, self._parameter)
        rows = self._draw_rows(table[labels], rng)
        if self.frame_ is None:
            return rows.astype(float)
        return framed(dict(zip(self._names, rows.astype(np.int64).T, strict=True)), self.frame_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags
