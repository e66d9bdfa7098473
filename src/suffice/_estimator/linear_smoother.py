"""Linear models whose predictions are a linear function of the targets: they are held out in closed form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from suffice._core.errors import NumericalError, Unsupported
from suffice._estimator.validation import Reading
from suffice.distributions import Distribution
from suffice.engine import Rows, one_blas_thread
from suffice.statistics import Layout, Partition, Triangle
from suffice.statistics.folds import as_folds
from suffice.statistics.leave_out import LeftOut, Smoother, leave_out


class LinearSmoother(ABC):
    """ŷ = S y with a hat matrix S that depends on the inputs alone, at least for some parameters of a `LinearModel`."""

    door: Callable[..., tuple[Rows, Layout]]  # these are those of the linear model
    gather: Callable[[Rows, Layout], Triangle]
    narrow: Callable[[Triangle], Triangle]
    _positions: Callable[[Any, int], list[int] | None]

    _starts_from_residuals: ClassVar[bool] = False  # which rows that are fitted exactly do not leave

    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out` equals refitting, else the reason."""
        if not isinstance(folds, Partition):
            return "the folds do not test every row once"
        return self._why_hat_varies()

    def left_out_pays(self, folds: Any, layout: Layout) -> bool:
        """Whether folds are so small that leaving them out of one fit beats merging their statistics."""
        enough = not self._starts_from_residuals or folds.rows > layout.n_columns + 1
        return enough and float(np.mean(folds.sizes)) < max(layout.n_columns, 2)

    def reading(self, rows: Rows, layout: Layout) -> Reading:
        """What candidates with the same statistics share in `left_out`."""
        return Reading.of(self.gather(rows, layout), rows)

    def left_out(self, reading: Reading, folds: Partition) -> LeftOut:
        """Predictions for every row by the model without the row's fold, from one fit to all rows."""
        s = self._smoother(self.narrow(reading.triangle))
        header, rows = reading.triangle.header, reading.rows
        columns = self._positions(header.basis, header.n_features)
        return leave_out(s, lambda i: reading.deviations(s.function, columns, i), rows.Y, rows.weight, folds)

    @one_blas_thread()
    def heldout(self, X: Any, y: Any, splits: Any, sample_weight: Any = None) -> Distribution:
        """The distribution of every row by the model without the row's fold, without refitting.

        Parameters
        ----------
        splits
            Pairs of training and test rows that test every row once.
        """
        rows, layout = self.door(X, y, sample_weight)
        folds = as_folds(splits, len(rows))
        reason = self.why_not_held_out(folds)
        if reason is not None or not isinstance(folds, Partition):
            raise Unsupported(
                f"There is no closed form here: {reason}. Use suffice.evaluation.cross_validate."
            )
        left = self.left_out(self.reading(rows, layout), folds)
        if left.alone.any():
            raise NumericalError(
                f"The rows of fold {int(np.argmax(left.alone))} determine a direction alone, so the closed form "
                "fails there. Use suffice.evaluation.cross_validate, which refits such folds."
            )
        return self.left_out_dist(left, layout.header.n_targets is None)

    @property
    @abstractmethod
    def ignores_scale(self) -> bool:
        """Whether predictions stay the same when columns are measured in other units, from another origin."""

    @abstractmethod
    def left_out_dist(self, left: LeftOut, single: bool) -> Distribution:
        """The predictive distribution of rows left out; `single` if y is a vector."""

    @abstractmethod
    def _why_hat_varies(self) -> str | None:
        """None if the hat matrix is the same function of the rows in every fold, else why not."""

    @abstractmethod
    def _smoother(self, t: Triangle) -> Smoother:
        """The fit as a linear function of the targets."""
