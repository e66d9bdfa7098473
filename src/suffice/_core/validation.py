"""The record of a validation: what every way of cross-validating returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.frames import to_frame
from suffice._core.records import record


@record
class Validation:
    """Out-of-fold losses and predictions.

    `estimate` is the average loss with its `interval` (from pooled per-row losses; None when a row is
    tested more than once). `how` says what answered: "statistics", "closed form", "warm refit" or "refit", the slowest
    that any fold needed; `notes` say which folds fell back and why. Predictions are aligned with the rows
    (NaN where a row was never tested) when each is tested at most once; otherwise one array per fold.
    `statistics` are those of the folds where a source was read in one pass (`suffice.engine.cross_validate`); there
    are no losses and predictions of single rows then, but for labels `label_pairs`, the weight of the rows of each true
    label that were given each label, as triples (true, given, weight). `scores` are what scikit-learn's
    `cross_validate` returns, where they were asked for; `result["test_score"]` reads them.
    """

    estimate: float
    interval: tuple[float, float] | None
    fold_losses: np.ndarray
    fold_sizes: np.ndarray
    losses: Any
    predictions: Any
    probabilities: Any
    distributions: Any
    how: str
    notes: tuple[str, ...]
    loss: str
    confidence: float
    statistics: Any = None
    label_pairs: tuple[tuple[Any, Any, float], ...] | None = None
    scores: Mapping[str, Any] | None = None

    def __getitem__(self, name: str) -> Any:
        """An entry of `scores`, as of the dictionary that scikit-learn's `cross_validate` returns."""
        if self.scores is None or name not in self.scores:
            has = "none were asked for" if self.scores is None else f"there are {', '.join(self.scores)}"
            raise KeyError(
                f"{name}: of scores, {has}. Give cross_validate scoring=, for example 'r2' or 'accuracy'."
            )
        return self.scores[name]

    def frame(self, kind: str = "pandas") -> Any:
        """One row per fold."""
        k = len(self.fold_losses)
        return to_frame({"fold": np.arange(k), "size": self.fold_sizes, "loss": self.fold_losses}, kind)

    def __str__(self) -> str:
        spread = ""
        if self.interval is not None:
            low, high = self.interval
            spread = f", {100 * self.confidence:g} % interval [{low:.5g}, {high:.5g}]"
        return f"{self.loss} loss {self.estimate:.5g}{spread} over {len(self.fold_losses)} folds (from {self.how})"

    def __repr__(self) -> str:
        return f"<Validation: {self}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{i}</td><td>{n:g}</td><td>{v:.5g}</td></tr>"
            for i, (n, v) in enumerate(zip(self.fold_sizes, self.fold_losses, strict=True))
        )
        return f"<p>{self}</p><table><tr><th>fold</th><th>size</th><th>loss</th></tr>{rows}</table>"
