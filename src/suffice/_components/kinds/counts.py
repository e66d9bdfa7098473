"""Components of counts: cells that are counts, starts that exclude nothing, draws as tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._components.count_cells import as_counts, refuse_cells
from suffice._components.count_starts import alike, coordinates
from suffice._components.frames import framed, library_of
from suffice._components.kinds.protocol import ColumnPlan, open_number_inputs, open_number_rows
from suffice._components.smoothing import AT_START
from suffice._core.records import record
from suffice.engine import Rows
from suffice.statistics import Header


@record
class CountFamily:
    """What one family of counts says: the name of their table of parameters, and functions.

    `check` raises for cells that the family gives no meaning to, `one` makes a single component of some rows under a
    prior, `given` checks the table of a start, `stretch` turns cells into units whose distances mean something, and
    `draw` draws a row of components for each row of parameters. `gaps`: whether cells may be missing.
    """

    parameter: str
    check: Callable[[Any, tuple[str, ...]], Any]
    one: Callable[[Rows, Any], Any]
    given: Callable[[str, Any, tuple[int, int]], np.ndarray]
    stretch: Callable[[Any], Any]
    draw: Callable[[Any, np.ndarray, np.random.Generator], np.ndarray]
    gaps: bool = True


@record
class CountKind:
    """Components that have one table of parameters (K, D)."""

    family: CountFamily
    table_init: Any
    prior: Any

    takes_tables = False
    orders_gaps = False

    @property
    def input_tags(self) -> dict[str, bool]:
        return {"positive_only": True, "sparse": True, "allow_nan": self.family.gaps}

    @property
    def all_given(self) -> bool:
        """Weights that were not given are equal."""
        return self.table_init is not None

    def check(self) -> None:
        """Nothing: what this kind is given is checked against the rows."""

    # -- the door --------------------------------------------------------------------------------------------
    def open_rows(
        self, model: Any, X: Any, sample_weight: Any, like: ColumnPlan | None
    ) -> tuple[Rows, ColumnPlan]:
        return open_number_rows(model, X, sample_weight, like, self._checked)

    def open_inputs(self, model: Any, X: Any, header: Header, components: Any) -> Any:
        return open_number_inputs(model, X, header, self._checked)

    def check_cells(self, X: Any, names: tuple[str, ...], components: Any) -> Any:
        return self._checked(X, names)

    def _checked(self, X: Any, names: tuple[str, ...]) -> Any:
        X = as_counts(X)
        refuse_cells(
            X, lambda x: x < 0, names, "Negative values in data", "Nothing is counted less than zero times."
        )
        return self.family.check(X, names)

    def remember(self, model: Any, X: Any) -> None:
        model.frame_ = library_of(X)

    # -- starts ----------------------------------------------------------------------------------------------
    def base(self, rows: Rows, plan: ColumnPlan, K: int) -> Any:
        return alike(self.family.one(rows, self.prior), rows, K)

    def units(self, rows: Rows, plan: ColumnPlan, K: int) -> np.ndarray:
        return coordinates(self.family.stretch(rows.X), K)

    def start(self, components: Any, weights: np.ndarray, plan: ColumnPlan) -> Any:
        if self.table_init is None:
            return components.smoothed(weights, AT_START)
        return components.with_table(
            self.family.given(f"{self.family.parameter}_init", self.table_init, components.table.shape)
        )

    def continued(self, before: Any, base: Any, plan: ColumnPlan) -> Any:
        return before.with_rule_of(base)

    # -- draws -----------------------------------------------------------------------------------------------
    def draw(self, components: Any, labels: np.ndarray, rng: Any, names: Any, frame: Any) -> Any:
        """Rows as a table of the kind that was fitted; an array where that was none."""
        rows = self.family.draw(components, components.table[labels], rng)
        if frame is None:
            return rows.astype(float)
        return framed(dict(zip(names, rows.astype(np.int64).T, strict=True)), frame)
