r"""Which rows a loss is about: loss_i / Σ loss (DTU §7.3.1, Fig. 7.9).

Squared losses of a few far-off rows outweigh all the others; absolute losses share the attention out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers
from suffice._core.frames import to_frame
from suffice._core.losses import LOSSES, Loss
from suffice._core.records import frozen_array, record


@record
class LossShares:
    """The share of every row in the sum of the losses, in the order of the rows."""

    shares: np.ndarray
    losses: np.ndarray
    loss: str

    @property
    def order(self) -> np.ndarray:
        """Row numbers, those that weigh most first."""
        return np.argsort(-self.shares, kind="stable")

    @property
    def effective_rows(self) -> float:
        """1 / Σ share²: as many rows with equal losses would share the attention alike."""
        return float(1 / np.sum(self.shares**2))

    def frame(self, kind: str = "pandas") -> Any:
        """One row per row of the table, those that weigh most first."""
        rows = self.order
        return to_frame({"row": rows, "loss": self.losses[rows], "share": self.shares[rows]}, kind)

    def __repr__(self) -> str:
        first = self.order[0]
        return (
            f"<LossShares: row {first} has {self.shares[first]:.1%} of the {self.loss} loss of "
            f"{len(self.shares)} rows; {self.effective_rows:.3g} rows count>"
        )


def loss_shares(y: Any, prediction: Any, loss: str | Loss = "squared") -> LossShares:
    """How much every row contributes to the loss of some predictions.

    Parameters
    ----------
    loss
        A name for `cross_validate`, such as "squared", "absolute", "poisson" or "misclassification"; or a `Loss`.

    Examples
    --------
    >>> from suffice.evaluation import loss_shares
    >>> loss_shares([1.0, 2.0, 9.0], [2.0, 2.0, 3.0])
    <LossShares: row 2 has 97.3% of the squared loss of 3 rows; 1.06 rows count>
    >>> loss_shares([1.0, 2.0, 9.0], [2.0, 2.0, 3.0], "absolute").shares.round(3).tolist()
    [0.143, 0.0, 0.857]
    """
    if not isinstance(loss, Loss):
        if not isinstance(loss, str) or loss not in LOSSES or LOSSES[loss].of_density:
            names = ", ".join(repr(n) for n, of in LOSSES.items() if not of.of_density)
            raise InvalidParameter(f"loss must be one of {names}, or a Loss; got {loss!r}.")
        loss = LOSSES[loss]
    y = np.asarray(y)
    if len(y) == 0 or len(y) != len(prediction):
        raise InvalidInput(
            f"y and prediction must have as many rows, at least one; got {len(y)} and {len(prediction)}."
        )
    predicted = np.asarray(prediction) if loss.needs == "predict" else prediction
    if loss.numeric:
        predicted = as_numbers("prediction", predicted)
    values = loss(y, predicted)
    if not np.all(np.isfinite(values)):
        row = int(np.argmin(np.isfinite(values)))
        raise InvalidInput(f"The loss of row {row} is {values[row]}; shares need finite losses.")
    if values.min() < 0:
        row = int(np.argmin(values))
        raise InvalidInput(
            f"The loss of row {row} is {values[row]:.3g}; shares need losses that are not negative."
        )
    size = float(values.max())
    if size == 0:
        raise InvalidInput("All losses are zero, so no row has a share of their sum.")
    unit = values / size  # sums of very large losses do not overflow
    return LossShares(frozen_array(unit / unit.sum()), frozen_array(values), loss.name)
