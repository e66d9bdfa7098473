r"""What ranks of truths say about posteriors (Talts and others, 2018; Modrák and others, 2023).

Simulation   θ ~ p(θ),  D ~ p(D | θ),  θ₁ … θ_L ~ the posterior that is to be examined
Rank         r = #{θ_l < θ}, uniform on 0 … L for each parameter if the posterior is p(θ | D)
Shapes       ∪: posteriors too narrow;  ∩: too wide;  a slope: they lie too low or too high
Coverage     the share of truths inside a central interval, from the same ranks
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_fraction
from suffice._core.frames import to_frame
from suffice._core.proportions import jeffreys
from suffice._core.records import frozen_array, record
from suffice.inference.calibrating import uniform_ranks as uniform

CLEAR = 2.6  # standard errors (1 %) from which a shape has a name


@record
class FailedSimulation:
    """Which simulation has no rank, why, and the `SeedSequence` of what `simulate` was called with."""

    simulation: int
    reason: str
    entropy: Any
    spawn_key: tuple[int, ...]

    @property
    def repeat(self) -> str:
        """The call that makes its data again."""
        seed = f"np.random.SeedSequence({self.entropy}, spawn_key={self.spawn_key})"
        return f"simulate(np.random.default_rng({seed}))"

    def __str__(self) -> str:
        return f"simulation {self.simulation}: {self.reason} Repeat it with {self.repeat}."


@record
class RankHistogram:
    """Counts (B, D) of ranks in bins, and the counts expected of uniform ones with limits for each bin by itself."""

    edges: np.ndarray
    counts: np.ndarray
    expected: np.ndarray
    low: np.ndarray
    high: np.ndarray
    level: float


@record
class RankCurve:
    """Share of ranks below each point less that point, (K, D), and limits that uniform ranks keep at all points."""

    at: np.ndarray
    difference: np.ndarray
    low: np.ndarray
    high: np.ndarray
    level: float


@record
class RankCoverage:
    """Share of truths inside central intervals of probability `level`, with Jeffreys intervals; one per parameter."""

    level: float
    names: tuple[str, ...]
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    confidence: float

    def __repr__(self) -> str:
        rows = zip(self.names, self.share, self.low, self.high, strict=True)
        words = ", ".join(f"{name} {share:.3f} ({low:.3f} to {high:.3f})" for name, share, low, high in rows)
        return f"RankCoverage({100 * self.level:g} % intervals hold {words})"


@record
class Calibration:
    """Ranks of simulated truths among draws of their posteriors, and what they say.

    Parameters
    ----------
    ranks
        (simulation, parameter): how many of the draws lie below the truth.
    draws
        How many there are, L.
    names
        Of the parameters.
    failures
        Simulations without ranks.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import Calibration
    >>> rng = np.random.default_rng(0)
    >>> level, hollow = rng.integers(0, 100, 400), np.round(99 * rng.beta(0.5, 0.5, 400))
    >>> found = Calibration(np.column_stack([level, hollow]), 99, ("a", "b"))
    >>> print(found.calibrated(), found.p_values.round(3), found.coverage(0.9).share.round(3))
    False [0.772 0.   ] [0.878 0.74 ]
    >>> print(found.verdict)
    Not calibrated (400 simulations, 99 draws, p < 0.001). b: posteriors are too narrow (p < 0.001).
    """

    ranks: np.ndarray
    draws: int
    names: tuple[str, ...]
    failures: tuple[FailedSimulation, ...] = ()

    def __post_init__(self) -> None:
        ranks = np.asarray(self.ranks)
        if ranks.ndim != 2 or 0 in ranks.shape or np.any(ranks != np.round(ranks)):
            raise InvalidParameter(
                f"ranks must be whole numbers, (simulation, parameter); got {ranks.dtype} of shape {ranks.shape}."
            )
        if np.any((ranks < 0) | (ranks > self.draws)):
            raise InvalidParameter(
                f"ranks among {self.draws} draws lie in 0 … {self.draws}; got {ranks.min()} to {ranks.max()}."
            )
        if len(self.names) != ranks.shape[1]:
            raise InvalidParameter(f"names must be {ranks.shape[1]} names; got {list(self.names)}.")
        object.__setattr__(self, "ranks", frozen_array(ranks, dtype=int))
        object.__setattr__(self, "names", tuple(str(name) for name in self.names))

    @property
    def n(self) -> int:
        """Simulations with ranks."""
        return len(self.ranks)

    # -- tests ---------------------------------------------------------------------------------------------
    @property
    def chi2(self) -> np.ndarray:
        """The χ² statistic of each parameter."""
        return uniform.chi_square(self.ranks, self.draws)[0]

    @property
    def p_values(self) -> np.ndarray:
        """Of χ², each parameter by itself."""
        return uniform.chi_square(self.ranks, self.draws)[1]

    @property
    def adjusted(self) -> np.ndarray:
        """Of χ², after Holm for the number of parameters."""
        return uniform.holm_adjusted(self.p_values)

    @property
    def p_value(self) -> float:
        """Of all parameters together: the smallest after Holm."""
        return float(self.adjusted.min())

    def calibrated(self, level: float = 0.01) -> bool:
        """Whether the ranks of all parameters pass for uniform; the fits that failed have none."""
        return self.p_value >= check_fraction("level", level)

    # -- shapes --------------------------------------------------------------------------------------------
    def histogram(self, bins: int | None = None, level: float = 0.99) -> RankHistogram:
        """Counts in bins and binomial limits; as many bins as the simulations fill unless given."""
        if bins is not None and not (isinstance(bins, int | np.integer) and 2 <= bins <= self.draws + 1):
            raise InvalidParameter(f"bins must be an integer from 2 to {self.draws + 1}; got {bins!r}.")
        edges = uniform.bin_edges(self.n, self.draws, bins)
        share = np.diff(edges) / (self.draws + 1)
        low, high = uniform.binomial_limits(self.n, share, (1 - check_fraction("level", level)) / 2)
        counts = uniform.counts(self.ranks, edges)
        edges, counts, low, high = (frozen_array(a, dtype=int) for a in (edges, counts, low, high))
        return RankHistogram(edges, counts, frozen_array(self.n * share), low, high, level)

    def curve(self, level: float = 0.99) -> RankCurve:
        """The distribution function of the ranks less that of uniform ones, with simultaneous limits."""
        edges = np.unique(
            np.round(np.linspace(0, self.draws + 1, min(self.draws + 1, uniform.MOST_POINTS) + 1)).astype(int)
        )
        at = edges[1:-1] / (self.draws + 1)
        low, high = uniform.simultaneous_limits(self.n, tuple(at.tolist()), check_fraction("level", level))
        below = np.cumsum(uniform.counts(self.ranks, edges), axis=0)[:-1] / self.n
        low, high = (frozen_array(limit / self.n - at) for limit in (low, high))
        return RankCurve(frozen_array(at), frozen_array(below - at[:, None]), low, high, level)

    def coverage(self, level: float = 0.95, confidence: float = 0.95) -> RankCoverage:
        """Share of truths inside the central interval of each parameter.

        A rank on the edge of the interval counts in part, so that uniform ranks are inside with probability `level`
        whatever the number of draws.
        """
        hits = uniform.inside(self.ranks, self.draws, check_fraction("level", level)).sum(axis=0)
        low, high = jeffreys(hits, self.n, check_fraction("confidence", confidence))
        return RankCoverage(level, self.names, hits / self.n, low, high, confidence)

    @property
    def verdict(self) -> str:
        """A sentence on all parameters, one on each whose ranks are not uniform, and one on fits that failed."""
        adjusted = self.adjusted
        head = "No sign of miscalibration" if self.calibrated() else "Not calibrated"
        words = [f"{head} ({self.n} simulations, {self.draws} draws, {_chance(self.p_value)})."]
        for name, p, shape in zip(self.names, adjusted, self._shapes, strict=True):
            if p < 0.01:
                words.append(f"{name}: {shape} ({_chance(p)}).")
        if self.failures:
            total = self.n + len(self.failures)
            words.append(f"{len(self.failures)} of {total} fits failed and have no ranks; see failures.")
        return " ".join(words)

    @property
    def _shapes(self) -> list[str]:
        return [_shape(s, w) for s, w in zip(*uniform.shape_scores(self.ranks, self.draws), strict=True)]

    def frame(self, kind: str = "pandas") -> Any:
        """A table with a row per parameter."""
        half, most = self.coverage(0.5), self.coverage(0.95)
        columns = {
            "parameter": list(self.names),
            "chi2": self.chi2,
            "p_value": self.p_values,
            "adjusted": self.adjusted,
            "coverage_50": half.share,
            "coverage_95": most.share,
            "coverage_95_low": most.low,
            "coverage_95_high": most.high,
            "shape": self._shapes,
        }
        return to_frame(columns, kind)

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        size = f"{self.n} simulations{failed}, {self.draws} draws"
        return f"Calibration({size}, {len(self.names)} parameters, {_chance(self.p_value)})"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(self.verdict)}</p>"


def _shape(slope: float, width: float) -> str:
    """What ranks that are too high or low, too far from the middle or too near, mean."""
    found = []
    if abs(width) > CLEAR:
        found.append("are too narrow" if width > 0 else "are too wide")
    if abs(slope) > CLEAR:
        found.append("lie too low" if slope > 0 else "lie too high")
    order = found if abs(width) >= abs(slope) else found[::-1]
    return "posteriors " + " and ".join(order) if found else "no tilt or bend of the ranks"


def _chance(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"
