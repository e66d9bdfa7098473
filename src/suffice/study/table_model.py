"""A fitted model with the rules that turn a table into its columns: what a study hands over, in one file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import check_fraction
from suffice._core.records import record
from suffice.distributions import MixtureDistribution, NegativeBinomial, Normal, Poisson
from suffice.evaluation.protocols import Predictive
from suffice.prepare import Mismatch, TableEncoder
from suffice.study.reading.series_rule import SeriesRule
from suffice.study.reading.target_range import ANY_NUMBER, TargetRange


def wider(d: Any, factor: float) -> Any:
    """The same mean and `factor` times the standard deviation: normal, for counts negative binomial."""
    if factor == 1.0:
        return d
    if not isinstance(d, Poisson | NegativeBinomial | MixtureDistribution):
        return Normal(d.mean, factor * np.asarray(d.std))
    mean = np.asarray(d.mean)
    return NegativeBinomial.from_mean(
        mean, mean**2 / np.maximum(factor**2 * np.asarray(d.var) - mean, 1e-9 * mean)
    )


@record
class TableModel:
    """Predicts from tables as they come: numbers, categories, dates and gaps.

    `encoder` holds a rule per column, `model` predicts from its numbers. `target` is what is predicted, `task` one of
    regression, counts, binary and multi-class. Distributions are made `widen` times as wide as the model states
    them, where it is too sure of rows not seen. Predictions and the ends of intervals that lie outside `range`, the
    values that the target can have, are moved to its nearest end. A model of a `series` needs the rows before those to
    predict in the same table, in any order, with an empty target where that is not known yet; rows whose past is not
    known get NaN. Saved and loaded by `suffice.save` and `suffice.load`.
    """

    encoder: TableEncoder
    model: Any
    target: str
    task: str
    name: str
    title: str
    widen: float = 1.0
    range: TargetRange = ANY_NUMBER
    series: SeriesRule | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a table must have."""
        names = tuple(code.name for code in self.encoder.state_)
        return names if self.series is None else self.series.needed_columns(names)

    @property
    def classes(self) -> np.ndarray | None:
        """The labels in the order of the probabilities; None for numbers."""
        return getattr(self.model, "classes_", None)

    def mismatch(self, table: Any) -> Mismatch:
        """How a table differs from the one of the fit."""
        if self.series is None:
            return self.encoder.mismatch(table)
        columns, known = self.series.with_past(table)
        found = self.encoder.mismatch({name: values[known] for name, values in columns.items()})
        return replace(found, extra=tuple(name for name in found.extra if name not in self.columns))

    def predict(self, table: Any) -> np.ndarray:
        """A number within the target's range or a label per row; none for a table without rows."""
        Z, known = self._encoded(table)
        return self._predicted(Z) if known is None else _spread_out(self._predicted(Z), known)

    def _encoded(self, table: Any) -> tuple[np.ndarray, np.ndarray | None]:
        """Numbers of the rows that can be predicted, and which rows these are; None where all can."""
        if self.series is None:
            return self.encoder.transform(table), None
        columns, known = self.series.with_past(table)
        return self.encoder.transform({name: values[known] for name, values in columns.items()}), known

    def predict_dist(self, table: Any) -> Any:
        """The distribution of the target for every row, before its ends are cut to the range of the target.

        Of a series, for every row whose past is known.
        """
        return self._stated(self._encoded(table)[0])

    def _stated(self, Z: np.ndarray) -> Any:
        return wider(self.model.predict_dist(Z), self.widen)

    def interval(self, table: Any, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """The ends of the interval that holds a new value with probability `level`, within the target's range."""
        return self._ends(self.predict_dist(table), check_fraction("level", level))

    def _ends(self, d: Any, level: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = (self.range.clip(np.asarray(end, dtype=float)) for end in d.interval(level))
        return low, high

    def predict_proba(self, table: Any) -> np.ndarray:
        """The probability of every class, a column each."""
        return self._probabilities(self.encoder.transform(table))

    def _predicted(self, Z: np.ndarray) -> np.ndarray:
        if len(Z):
            made = np.asarray(self.model.predict(Z))
            return made if self.classes is not None else self.range.clip(made)
        return np.zeros(0, dtype=float if self.classes is None else self.classes.dtype)

    def _probabilities(self, Z: np.ndarray) -> np.ndarray:
        if len(Z) or self.classes is None:
            return np.asarray(self.model.predict_proba(Z))
        return np.zeros((0, len(self.classes)))

    def predict_table(self, table: Any, level: float = 0.95) -> dict[str, np.ndarray]:
        """Predictions as columns, a row for every row of the table.

        Parameters
        ----------
        level
            Of the predictive intervals of numbers.

        Returns
        -------
        dict
            Of numbers: `prediction`, the ends `low` and `high` of the interval that holds a new value with
            probability `level`, and the standard deviation `std`; NaN where the model states no distribution. Counts
            have whole ends, and nothing lies outside the target's range. Of classes: `prediction`, and `probability
            of X` for every class X. A table without rows gives the same columns, empty.

        Examples
        --------
        >>> from suffice.study import Study
        >>> model = Study("@olympic_100m_men", models=["linear"], folds=5, references=False).run().model
        >>> made = model.predict_table({"year": [2012]}, level=0.9)
        >>> {name: round(float(values[0]), 2) for name, values in made.items()}
        {'prediction': 9.59, 'low': 9.17, 'high': 10.02, 'std': 0.26}
        """
        level, (Z, known) = check_fraction("level", level), self._encoded(table)
        made = self._columns_of(Z, level)
        return made if known is None else {name: _spread_out(v, known) for name, v in made.items()}

    def _columns_of(self, Z: np.ndarray, level: float) -> dict[str, np.ndarray]:
        predicted = {"prediction": self._predicted(Z)}
        if self.classes is not None:
            P = self._probabilities(Z)
            return predicted | {f"probability of {c}": P[:, k] for k, c in enumerate(self.classes.tolist())}
        if not len(Z) or not isinstance(self.model, Predictive):
            return predicted | {name: np.full(len(Z), np.nan) for name in ("low", "high", "std")}
        d = self._stated(Z)
        ends = dict(zip(("low", "high"), self._ends(d, level), strict=True)) | {"std": d.std}
        return predicted | {
            name: np.broadcast_to(np.asarray(v, dtype=float), len(Z)).copy() for name, v in ends.items()
        }

    def __repr__(self) -> str:
        return f"<TableModel: {self.title} of {self.target!r} from {len(self.columns)} columns>"


def _spread_out(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """A value per row of the table, NaN where there is none."""
    made = np.full(len(known), np.nan)
    made[known] = values
    return made
