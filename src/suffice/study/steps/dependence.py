"""Means of rows that are not independent: those of one group, or near each other in time.

Σ w x / W has the variance  G/(G − 1) Σ_g (Σ_{i∈g} wᵢ (xᵢ − x̄))² / W²  over G clusters, with t(G − 1) for its interval:
a cluster counts once, whatever the number of its rows. In time the clusters are stretches of equal length.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy import stats

from suffice._core.records import record
from suffice.evaluation import Finding, TwoLayer
from suffice.evaluation.setups import compare
from suffice.study.reading.problem import Problem
from suffice.study.sections import Interval
from suffice.study.steps.validate import Trial, tested

STRETCHES = 10  # in which test rows in the order of time are cut


@record
class ClusteredMean:
    """A mean, its standard error and the degrees of freedom."""

    mean: float
    error: float
    dof: int

    @property
    def p_value(self) -> float | None:
        """Of no difference from zero; None where nothing varies."""
        return float(2 * stats.t(self.dof).sf(abs(self.mean) / self.error)) if self.error > 0 else None

    def interval(self, confidence: float) -> Interval | None:
        """Student-t, None where nothing varies."""
        half = float(stats.t(self.dof).ppf(0.5 + confidence / 2)) * self.error if self.dof > 0 else 0.0
        return (self.mean - half, self.mean + half) if half > 0 else None


def clustered_mean(values: np.ndarray, weight: np.ndarray | None, cluster: np.ndarray) -> ClusteredMean:
    """The mean of rows in clusters."""
    w = np.ones(len(values)) if weight is None else weight
    mean = float(w @ values / w.sum())
    _, place = np.unique(cluster, return_inverse=True)
    sums = np.bincount(place, weights=w * (values - mean))
    k = len(sums)
    error = float(np.sqrt(k / (k - 1) * (sums @ sums)) / w.sum()) if k > 1 else 0.0
    noise = 1e-12 * float(np.abs(values).max(initial=0.0))
    return ClusteredMean(mean, error if error > noise else 0.0, k - 1)


# -- in time -------------------------------------------------------------------------------------------------------
def in_time(layers: TwoLayer) -> bool:
    """Whether rows were predicted from earlier ones: then the first ones are never tested."""
    return bool((layers.fold < 0).any())


def stretches(layers: TwoLayer) -> np.ndarray:
    """In which stretch of time each tested row lies."""
    n = len(tested(layers))
    return np.arange(n) * min(STRETCHES, n) // n


def pair_findings(layers: TwoLayer, setup: str, confidence: float) -> dict[tuple[str, str], Finding]:
    """Every two models, the baseline last: by stretches of time, else by rows (Setup I) or folds (Setup II)."""
    if setup != "I" or not in_time(layers):
        found = compare(layers, setup, confidence)
        return dict(zip(found.pairs, found.findings, strict=True))
    names = [n for n in layers.names if n != layers.baseline] + [layers.baseline]
    return {(a, b): _in_stretches(layers, a, b, confidence) for a, b in combinations(names, 2)}


def _in_stretches(layers: TwoLayer, a: str, b: str, confidence: float) -> Finding:
    rows = tested(layers)
    first, second = (np.asarray(layers.losses[name], dtype=float)[rows] for name in (a, b))
    d = clustered_mean(
        first - second, None if layers.weight is None else layers.weight[rows], stretches(layers)
    )
    p = d.p_value
    said = f"The losses of {a} and {b} differ by {d.mean:.5g} on average over {d.dof + 1} stretches of time."
    return Finding(
        "t test over stretches of time", d.mean, d.interval(confidence), said, confidence, p, n=d.dof + 1
    )


# -- the loss of one model -----------------------------------------------------------------------------------------
def loss_interval(t: Trial, problem: Problem, confidence: float) -> Interval | None:
    """The interval of the mean loss: over rows; where these are not independent, over groups or stretches of time."""
    rows = tested(t.layers)
    weight = None if problem.weight is None else problem.weight[rows]
    losses = np.asarray(t.validation.losses, dtype=float)[rows]
    if problem.groups is not None:
        return clustered_mean(losses, weight, problem.groups[rows]).interval(confidence)
    if in_time(t.layers):
        return clustered_mean(losses, weight, stretches(t.layers)).interval(confidence)
    return t.validation.interval
