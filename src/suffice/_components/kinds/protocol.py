"""What models of components of one kind do in their own way: how tables are opened, where fits begin, what is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from suffice._components.rows import without_idle
from suffice._core.records import record
from suffice._estimator import Estimator, check_weight, open_inputs, open_table
from suffice.engine import Rows
from suffice.statistics import Header


@record
class ColumnPlan:
    """The columns of the rows, for batches that come later."""

    header: Header
    details: Any = None


class ComponentKind(Protocol):
    """A frozen value that an estimator makes of its parameters."""

    @property
    def takes_tables(self) -> bool:
        """Whether batches of a source reach the door as they are."""
        ...

    @property
    def input_tags(self) -> dict[str, bool]:
        """What scikit-learn is to know of the input, beside missing cells."""
        ...

    @property
    def orders_gaps(self) -> bool:
        """Whether a fit is faster where rows with the same known cells stand beside each other."""
        ...

    @property
    def all_given(self) -> bool:
        """Whether the user gave all of a start."""
        ...

    def check(self) -> None:
        """Raise for parameters that only this kind has."""
        ...

    # -- the door --------------------------------------------------------------------------------------------
    def open_rows(
        self, model: Any, X: Any, sample_weight: Any, like: ColumnPlan | None
    ) -> tuple[Rows, ColumnPlan]:
        """Validated rows, NaN where a cell is missing; with `like`, of the same columns."""
        ...

    def open_inputs(self, model: Any, X: Any, header: Header, components: Any) -> Any:
        """Rows for an answer, of the columns of the fit."""
        ...

    def check_cells(self, X: Any, names: tuple[str, ...], components: Any) -> Any:
        """Rows as the components take them; raises for cells that they cannot be."""
        ...

    def remember(self, model: Any, X: Any) -> None:
        """Write down what draws need to know of the table that was fitted (`frame_`)."""
        ...

    # -- starts ----------------------------------------------------------------------------------------------
    def base(self, rows: Rows, plan: ColumnPlan, K: int) -> Any:
        """K components that are all alike, with the rule they are fitted by: of the size of the rows, no better."""
        ...

    def units(self, rows: Rows, plan: ColumnPlan, K: int) -> np.ndarray:
        """Numbers of every row whose squared distances mean something."""
        ...

    def start(self, components: Any, weights: np.ndarray, plan: ColumnPlan) -> Any:
        """Components to begin with: what the user gave in place of what was found."""
        ...

    def continued(self, before: Any, base: Any, plan: ColumnPlan) -> Any:
        """The components of the last fit, fitted on by the rule of a base."""
        ...

    # -- draws -----------------------------------------------------------------------------------------------
    def draw(self, components: Any, labels: np.ndarray, rng: Any, names: Any, frame: Any) -> Any:
        """A row from the component of each label, as a table of the kind that was fitted."""
        ...


Check = Callable[[Any, tuple[str, ...]], Any]


def open_number_rows(
    model: Estimator, X: Any, sample_weight: Any, like: ColumnPlan | None, check: Check
) -> tuple[Rows, ColumnPlan]:
    """Rows of numbers, checked cell by cell; those that do not count are read as missing."""
    header = None if like is None else like.header
    X, empty, header = open_table(model, X, supervised=False, like=header, gaps=True)
    weight = check_weight(sample_weight, X)
    X = check(without_idle(X, weight), header.feature_names)
    return Rows(X, empty, weight), ColumnPlan(header) if like is None else like


def open_number_inputs(model: Estimator, X: Any, header: Header, check: Check) -> Any:
    """Rows of numbers for an answer."""
    return check(open_inputs(model, X, gaps=True), header.feature_names)
