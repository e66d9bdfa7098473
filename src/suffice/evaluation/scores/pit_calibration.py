"""Calibration of distributions of numbers: the histogram of their PIT, tests of uniformity, coverage."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import check_integer
from suffice._core.frames import to_frame
from suffice._core.proportions import jeffreys
from suffice._core.records import frozen_array, record
from suffice._core.showing import InWords
from suffice.distributions._base import Univariate
from suffice.evaluation.findings import Finding
from suffice.evaluation.scores.pit import LEVELS, IntervalCoverage, interval_coverage, pit, uniformity


@record
class PitCalibration(InWords):
    """Where outcomes fell in their forecasts.

    `pit` holds a number per row, uniform when forecasts are right; `edges` and `counts` are its histogram and
    `low`, `high` Jeffreys intervals of the counts. `kolmogorov` and `chi_square` test uniformity; `coverage` is that
    of central intervals.
    """

    pit: np.ndarray
    edges: np.ndarray
    counts: np.ndarray
    low: np.ndarray
    high: np.ndarray
    kolmogorov: Finding
    chi_square: Finding
    coverage: IntervalCoverage
    n: int
    confidence: float

    @property
    def sentence(self) -> str:
        """For a paper."""
        return f"{self.kolmogorov.sentence} {self.coverage}."

    def frame(self, kind: str = "pandas") -> Any:
        """One row per bin of the PIT."""
        columns = {"from": self.edges[:-1], "to": self.edges[1:], "counts": self.counts}
        return to_frame(columns | {"low": self.low, "high": self.high}, kind)

    def _repr_html_(self) -> str:
        return (
            f"<p>{self.kolmogorov.sentence}</p><p>{self.chi_square.sentence}</p>{self.coverage._repr_html_()}"
        )


def pit_calibration(
    y: Any, distribution: Univariate, bins: Any, sample_weight: Any, confidence: float, rng: Any
) -> PitCalibration:
    """The record for a distribution per row, or one for all."""
    check_integer("bins", bins, 2)
    u = pit(y, distribution, rng)
    coverage = interval_coverage(y, distribution, LEVELS, sample_weight=sample_weight, confidence=confidence)
    counts, edges = np.histogram(u, bins=int(bins), range=(0.0, 1.0))
    low, high = (u.size * e for e in jeffreys(counts, u.size, confidence))
    arrays = {"pit": u, "edges": edges, "counts": counts, "low": low, "high": high}
    frozen: dict[str, Any] = {k: frozen_array(v) for k, v in arrays.items()}
    return PitCalibration(
        kolmogorov=uniformity(u, confidence=confidence),
        chi_square=uniformity(u, method="chi-square", bins=int(bins), confidence=confidence),
        coverage=coverage,
        n=u.size,
        confidence=confidence,
        **frozen,
    )
