"""A fitted model with the rules that turn a table into its columns: what a study hands over, in one file."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import record
from suffice.prepare import Mismatch, TableEncoder


@record
class TableModel:
    """Predicts from tables as they come: numbers, categories, dates and gaps.

    `encoder` holds a rule per column, `model` predicts from its numbers. `target` is what is predicted, `task` one of
    regression, counts, binary and multi-class. Saved and loaded by `suffice.save` and `suffice.load`.
    """

    encoder: TableEncoder
    model: Any
    target: str
    task: str
    name: str
    title: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a table must have."""
        return tuple(code.name for code in self.encoder.state_)

    @property
    def classes(self) -> np.ndarray | None:
        """The labels in the order of the probabilities; None for numbers."""
        return getattr(self.model, "classes_", None)

    def mismatch(self, table: Any) -> Mismatch:
        """How a table differs from the one of the fit."""
        return self.encoder.mismatch(table)

    def predict(self, table: Any) -> np.ndarray:
        """A number or a label per row."""
        return np.asarray(self.model.predict(self.encoder.transform(table)))

    def predict_dist(self, table: Any) -> Any:
        """The distribution of the target for every row."""
        return self.model.predict_dist(self.encoder.transform(table))

    def predict_proba(self, table: Any) -> np.ndarray:
        """The probability of every class, a column each."""
        return np.asarray(self.model.predict_proba(self.encoder.transform(table)))

    def __repr__(self) -> str:
        return f"<TableModel: {self.title} of {self.target!r} from {len(self.columns)} columns>"
