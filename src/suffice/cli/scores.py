"""How good predictions were, where the truth is in the table: sums that grow batch by batch."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from suffice._core.records import record
from suffice.prepare import Mismatch
from suffice.prepare.looking._decimal_marks import check_decimals
from suffice.prepare.transforming._column_codes import as_numbers, as_words

LEAST = 1e-300  # a probability of zero would make the loss infinite


class BatchScore(Protocol):
    """Collects batches, then tells."""

    def add(self, columns: dict[str, np.ndarray], found: dict[str, np.ndarray]) -> None: ...
    def lines(self, level: float) -> list[str]: ...


@record
class Done:
    """Rows predicted, what was unlike the fit, and how good the predictions were."""

    rows: int
    mismatch: Mismatch | None
    score: BatchScore


class NoTruth:
    """There is no truth to compare with."""

    def add(self, columns: dict[str, np.ndarray], found: dict[str, np.ndarray]) -> None:
        """Nothing to compare."""

    def lines(self, level: float) -> list[str]:
        return []


class NumberScore:
    """Squared errors, and how many lie in their intervals."""

    def __init__(self, target: str):
        self.target = target
        self.n = self.inside = self.judged = 0
        self.squares = 0.0

    def add(self, columns: dict[str, np.ndarray], found: dict[str, np.ndarray]) -> None:
        check_decimals(columns[self.target], f"Column {self.target!r}")
        y = as_numbers(columns[self.target])
        off = np.square(y - found["prediction"].astype(float))
        known = ~np.isnan(off)
        self.n += int(known.sum())
        self.squares += float(off[known].sum())
        if "low" in found:
            self.judged += int(known.sum())
            self.inside += int(((y >= found["low"]) & (y <= found["high"]))[known].sum())

    def lines(self, level: float) -> list[str]:
        from suffice.study.numbers import number, percent

        if not self.n:
            return [f"Column {self.target!r} has no numbers to compare the predictions with."]
        loss = self.squares / self.n
        out = [
            f"{_rows_with_truth(self.n, self.target)}: mean squared error {number(loss)}, "
            f"typical error {number(math.sqrt(loss))}."
        ]
        if self.judged:
            out.append(
                f"{percent(self.inside / self.judged, 1)} of them lie in their {100 * level:g} % intervals."
            )
        return out


class Labels:
    """Right labels, and the logarithms of the probabilities of the true ones."""

    def __init__(self, target: str, classes: np.ndarray):
        self.target = target
        self.labels = [str(word) for word in as_words(np.asarray(classes))]
        self.names = [f"probability of {c}" for c in classes]
        self.n = self.right = self.judged = self.strange = 0
        self.logs = 0.0

    def add(self, columns: dict[str, np.ndarray], found: dict[str, np.ndarray]) -> None:
        truth, given = as_words(columns[self.target]), as_words(found["prediction"])
        place = {label: k for k, label in enumerate(self.labels)}
        known = np.array(
            [t is not None and g is not None for t, g in zip(truth, given, strict=True)], dtype=bool
        )
        self.n += int(known.sum())
        self.right += int(sum(t == g for t, g in zip(truth[known], given[known], strict=True)))
        at = np.array([place.get(t, -1) for t in truth[known]], dtype=int)
        self.strange += int((at < 0).sum())
        if all(name in found for name in self.names):
            shares = np.column_stack([found[name][known] for name in self.names]).astype(float)
            p = shares[np.flatnonzero(at >= 0), at[at >= 0]]
            self.judged += len(p)
            self.logs -= float(np.log(np.maximum(p, LEAST)).sum())

    def lines(self, level: float) -> list[str]:
        from suffice.study.numbers import number, percent

        if not self.n:
            return [f"Column {self.target!r} has no labels to compare the predictions with."]
        words = f"{_rows_with_truth(self.n, self.target)}: {percent(self.right / self.n, 1)} right"
        out = [words + (f", log loss {number(self.logs / self.judged)}." if self.judged else ".")]
        if self.strange:
            rows = "1 row has" if self.strange == 1 else f"{self.strange:,} rows have"
            out.append(f"{rows} a label that the model does not know; the log loss leaves them out.")
        return out


def _rows_with_truth(n: int, target: str) -> str:
    return f"On {n:,} {'row' if n == 1 else 'rows'} with a known {target!r}"


def score_for(classes: Any, target: str | None) -> BatchScore:
    """What can be compared: labels, numbers, or nothing."""
    if target is None:
        return NoTruth()
    return NumberScore(target) if classes is None else Labels(target, classes)
