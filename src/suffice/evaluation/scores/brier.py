r"""The Brier score: squared error of probabilities, and what it is made of.

Two classes       BS = mean (p − o)²,  o = 1 where the event happened
Several           BS = mean Σ_k (p_k − o_k)²
Decomposition     BS = reliability − resolution + uncertainty + spread − covariance

over bins b of forecasts, with n_b rows, mean forecast p̄_b and frequency ō_b, and N rows with frequency ō in all:

    reliability   Σ n_b (p̄_b − ō_b)² / N        zero when every bin keeps its promise
    resolution    Σ n_b (ō_b − ō)² / N          how different the bins turn out
    uncertainty   ō (1 − ō)                      the score of the base rate as a forecast
    spread        Σ_b Σ (p − p̄_b)² / N           of the forecasts inside the bins
    covariance    2 Σ_b Σ (p − p̄_b)(o − ō_b) / N of forecasts and outcomes inside the bins

The last two vanish when all forecasts in a bin are equal; with them the identity is exact for any bins. Several
classes: the sum over the classes, each against the rest.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from suffice._core.errors import check_fraction
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice.evaluation.scores._bins import bin_of, edges_of
from suffice.evaluation.scores._door import Forecasts, open_forecasts, open_weight
from suffice.evaluation.scores.score import Score, mean_score


@record
class BrierParts:
    """Terms of the decomposition; `total` puts them together again."""

    reliability: float
    resolution: float
    uncertainty: float
    spread: float
    covariance: float

    @property
    def total(self) -> float:
        """reliability − resolution + uncertainty + spread − covariance."""
        return self.reliability - self.resolution + self.uncertainty + self.spread - self.covariance

    def __add__(self, other: BrierParts) -> BrierParts:
        return BrierParts(*(a + b for a, b in zip(self._terms(), other._terms(), strict=True)))

    def _times(self, factor: float) -> BrierParts:
        return BrierParts(*(factor * a for a in self._terms()))

    def _terms(self) -> tuple[float, ...]:
        return self.reliability, self.resolution, self.uncertainty, self.spread, self.covariance

    def frame(self, kind: str = "pandas") -> Any:
        """One row per term, with the sign it enters with."""
        names = ("reliability", "resolution", "uncertainty", "spread", "covariance")
        return to_frame({"term": list(names), "sign": [1, -1, 1, 1, -1], "value": list(self._terms())}, kind)

    def __str__(self) -> str:
        return (
            f"{self.total:.4g} = reliability {self.reliability:.4g} − resolution {self.resolution:.4g} + uncertainty "
            f"{self.uncertainty:.4g} + within bins {self.spread - self.covariance:.4g}"
        )


class Brier(Score):
    """The mean Brier score; `parts` is its decomposition."""

    parts: BrierParts

    @classmethod
    def of(cls, score: Score, parts: BrierParts) -> Self:
        """A score with its decomposition."""
        made = cls(float(score), score.interval, score.confidence, score.method, score.rows)
        made.parts = parts
        return made


def brier(
    y: Any,
    probabilities: Any,
    *,
    classes: Any = None,
    positive: Any = None,
    bins: int | Literal["forecasts"] = 10,
    strategy: Literal["uniform", "quantile"] = "uniform",
    halve: bool | None = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> Brier:
    """The Brier score with its interval, and its decomposition.

    Parameters
    ----------
    y
        Labels: what happened.
    probabilities
        A vector (of `positive`), a table with a column per class, or a `Bernoulli` or `Categorical` distribution.
    classes
        The labels in the order of the columns; the sorted labels of y unless given.
    positive
        The label that a vector of probabilities is of; the larger of two unless given.
    bins
        How many bins the decomposition has; "forecasts": one for every different forecast, for those that take few
        values.
    strategy
        Bins of the same width, or with the same number of rows.
    halve
        Whether the sum over classes is halved. By default for two classes alone, where it is (p − o)² then, as in
        scikit-learn; the score of two classes as Brier wrote it is not halved.
    sample_weight
        How often each row counts.

    Returns
    -------
    Brier
        The mean, smaller is better, with Student's interval; `rows` holds every row, `parts` the decomposition.

    Notes
    -----
    Measured coverage of the 95 % interval with 200 rows of calibrated forecasts: 0.95 for those between 0 and 1, 0.94
    for those between 0 and 0.2, whose score is skewed; with 50 rows 0.94 and 0.91.

    Examples
    --------
    >>> from suffice.evaluation import brier
    >>> score = brier([0, 1, 1, 0, 1], [0.1, 0.8, 0.8, 0.1, 0.3], bins="forecasts")
    >>> print(f"{score:.4f}", score.parts)
    0.1180 0.118 = reliability 0.118 − resolution 0.24 + uncertainty 0.24 + within bins 0
    """
    confidence = check_fraction("confidence", confidence)
    f = open_forecasts(y, probabilities, classes, positive)
    weight = open_weight(sample_weight, len(f.codes))
    factor = 0.5 if (len(f.classes) == 2 if halve is None else halve) else 1.0
    rows = factor * np.sum((f.probabilities - f.hits) ** 2, axis=1)
    parts = _sum([decompose(p, o, weight, bins, strategy) for p, o in _columns(f)])
    return Brier.of(mean_score(rows, weight, confidence), parts._times(factor))


def _columns(f: Forecasts) -> Any:
    return zip(f.probabilities.T, f.hits.T, strict=True)


def _sum(parts: list[BrierParts]) -> BrierParts:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def decompose(p: np.ndarray, o: np.ndarray, weight: np.ndarray, bins: Any, strategy: str) -> BrierParts:
    """The terms for the probability p of one event and its outcomes o."""
    w = weight / weight.sum()
    different, index = _groups(p, weight, bins, strategy)
    share, mean, happened = (np.bincount(index, weights=v) for v in (w, w * p, w * o))
    safe = np.where(share > 0, share, 1.0)
    forecast = mean / safe if different is None else different
    frequency, base = happened / safe, float(w @ o)
    dp, do = p - forecast[index], o - frequency[index]
    return BrierParts(
        float(share @ (forecast - frequency) ** 2),
        float(share @ (frequency - base) ** 2),
        base * (1 - base),
        float(w @ dp**2),
        float(2 * w @ (dp * do)),
    )


def _groups(
    p: np.ndarray, weight: np.ndarray, bins: Any, strategy: str
) -> tuple[np.ndarray | None, np.ndarray]:
    """The bin of every row, and the forecast of each bin where all its rows have the same."""
    if bins == "forecasts":
        different, index = np.unique(p, return_inverse=True)
        return different, index
    return None, bin_of(p, edges_of(p, weight, bins, strategy))
