r"""The probability integral transform: where in its forecast each outcome fell.

Number       u = F(y), uniform on [0, 1] when F is the distribution of y
Count        u = P(Y < y) + v P(Y = y), v uniform: randomized, so that it is uniform too
Coverage     the share of outcomes inside central intervals of the forecasts, level by level

A ∪-shaped histogram of u says that forecasts are too narrow, a ∩ too wide, a slope that they are biased.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from suffice._core.errors import InvalidInput, check_choice, check_fraction, check_integer
from suffice._core.frames import to_frame
from suffice._core.proportions import jeffreys
from suffice._core.random import generator
from suffice._core.records import frozen_array, record
from suffice._core.showing import table_of_texts, with_notes
from suffice.distributions import Categorical, Discrete, Empirical, MixtureDistribution
from suffice.distributions._base import Univariate
from suffice.evaluation.findings import Finding, chance, number, percent
from suffice.evaluation.scores._crps_forms import COUNTS
from suffice.evaluation.scores._door import open_distribution, open_numbers, open_weight

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99)


def pit(y: Any, distribution: Any, rng: Any = None) -> np.ndarray:
    """The probability integral transform of every outcome: uniform when the forecasts are right.

    Parameters
    ----------
    y
        What happened, numbers.
    distribution
        A forecast per row, or one for all.
    rng
        For discrete distributions, whose jumps are filled at random.

    Examples
    --------
    >>> from suffice.distributions import Normal, Poisson
    >>> from suffice.evaluation import pit
    >>> pit([0.0, 1.0, -3.0], Normal(0.0, 1.0)).round(4)
    array([0.5   , 0.8413, 0.0013])
    >>> pit([2, 0], Poisson(1.5), rng=0).round(4)
    array([0.7177, 0.0602])
    """
    y, distribution = open_distribution(y, distribution)
    above = np.asarray(distribution.cdf(y), dtype=float)
    if not has_jumps(distribution):
        return above
    below = np.clip(above - distribution.prob(y), 0.0, 1.0)
    return below + generator(rng).random(y.shape) * (above - below)


def has_jumps(d: Univariate) -> bool:
    """Whether single values have probability."""
    if isinstance(d, MixtureDistribution):
        return any(has_jumps(c) for c in d.components)
    return isinstance(d, (*COUNTS, Discrete, Empirical, Categorical))


# -- uniformity -----------------------------------------------------------------------------------------
def uniformity(
    u: Any,
    *,
    method: Literal["kolmogorov", "chi-square"] = "kolmogorov",
    bins: int = 10,
    confidence: float = 0.95,
) -> Finding:
    """Whether numbers in [0, 1], such as a PIT, are uniform.

    Parameters
    ----------
    u
        The numbers.
    method
        "kolmogorov": the largest distance D between their distribution function and the diagonal, exact p-value.
        "chi-square": counts in `bins` bins of equal width; blind to what happens inside a bin, but it adds up over
        them.

    Returns
    -------
    Finding
        `estimate` is D, with an interval for the distance of the true distribution function: D ± the quantile of
        D under uniformity, which by the triangle inequality covers at least as often as it says. For "chi-square" it
        is the mean squared relative deviation of the bins' probabilities, (χ² − bins + 1)/n, with the interval
        of a noncentral χ².

    Notes
    -----
    The PIT of a model fitted to the same rows is not independent: use held-out rows. Type-I error of the
    chi-square test at 5 %: 0.045 to 0.055 from five rows per bin on.

    Examples
    --------
    >>> from suffice.evaluation import uniformity
    >>> finding = uniformity([0.02, 0.03, 0.05, 0.5, 0.93, 0.96, 0.97, 0.99])
    >>> print(f"{finding.estimate:.3f} {finding.p_value:.4f}")
    0.430 0.0736
    """
    confidence = check_fraction("confidence", confidence)
    check_choice("method", method, ("kolmogorov", "chi-square"))
    u = np.ravel(open_numbers("u", u))
    if np.any((u < 0) | (u > 1)):
        raise InvalidInput(f"u must be in [0, 1]; got {u[(u < 0) | (u > 1)][0]:g}.")
    return _kolmogorov(u, confidence) if method == "kolmogorov" else _chi_square(u, bins, confidence)


def _kolmogorov(u: np.ndarray, confidence: float) -> Finding:
    n = len(u)
    found = stats.kstest(u, "uniform")
    d, p = float(found.statistic), float(found.pvalue)
    reach = _reach(n, confidence)
    interval = (max(d - reach, 0.0), min(d + reach, 1.0))
    sentence = (
        f"The distribution function of {n} values is at most {number(d)} from the diagonal, {percent(confidence)} "
        f"interval [{number(interval[0])}, {number(interval[1])}] for the distance behind them; "
        f"Kolmogorov–Smirnov {chance(p)} "
        "if they were uniform."
    )
    return Finding(
        "Kolmogorov–Smirnov", d, interval, sentence, confidence, p, d, n, None, ("values are independent",)
    )


@lru_cache(maxsize=256)
def _reach(n: int, confidence: float) -> float:
    """The quantile of the largest distance for n uniform values; its root finding takes longer than the test."""
    return float(stats.kstwo.ppf(confidence, n))


def _chi_square(u: np.ndarray, bins: int, confidence: float) -> Finding:
    check_integer("bins", bins, 2)
    n, dof = len(u), int(bins) - 1
    counts = np.histogram(u, bins=int(bins), range=(0.0, 1.0))[0]
    statistic = float(np.sum((counts - n / bins) ** 2) / (n / bins))
    p = float(stats.chi2.sf(statistic, dof))
    low, high = (
        _noncentral(statistic, dof, tail) / n for tail in ((1 + confidence) / 2, (1 - confidence) / 2)
    )
    effect = min(max((statistic - dof) / n, low), high)
    sentence = (
        f"Counts of {n} values in {bins} equal bins deviate from equal ones by a mean square of {number(effect)} "
        f"relative to them, {percent(confidence)} interval [{number(low)}, {number(high)}]; χ²({dof}) = "
        f"{number(statistic)}, {chance(p)} if they were uniform."
    )
    notes = (
        (f"{n / bins:.3g} values per bin are few: χ² is approximate from five on",) if n < 5 * bins else ()
    )
    return Finding(
        "chi-square",
        effect,
        (low, high),
        sentence,
        confidence,
        p,
        statistic,
        n,
        None,
        ("values are independent",),
        notes,
    )


def _noncentral(statistic: float, dof: int, tail: float) -> float:
    """The noncentrality under which the statistic is the quantile `tail`; 0 where none is."""
    if statistic <= 0 or stats.chi2.cdf(statistic, dof) <= tail:
        return 0.0
    top = statistic + 10 * np.sqrt(2 * statistic + dof) + 40
    while stats.ncx2.cdf(statistic, dof, top) > tail:
        top *= 2

    def excess(c: float) -> float:
        return float(stats.ncx2.cdf(statistic, dof, c) if c > 0 else stats.chi2.cdf(statistic, dof)) - tail

    return float(brentq(excess, 0.0, top))


# -- coverage -------------------------------------------------------------------------------------------
@record
class IntervalCoverage:
    """How many outcomes fell into central intervals: `observed` shares by level, with Jeffreys intervals.

    `width` is the mean width of the intervals: of two forecasts that cover alike the narrower is better.
    """

    levels: np.ndarray
    observed: np.ndarray
    low: np.ndarray
    high: np.ndarray
    width: np.ndarray
    n: float
    confidence: float
    notes: tuple[str, ...] = ()

    def frame(self, kind: str = "pandas") -> Any:
        """One row per level."""
        names = ("levels", "observed", "low", "high", "width")
        return to_frame({name: getattr(self, name) for name in names}, kind)

    def __str__(self) -> str:
        rows = zip(self.levels, self.observed, self.low, self.high, strict=True)
        told = "; ".join(f"{percent(v)} intervals cover {o:.3f} [{a:.3f}, {b:.3f}]" for v, o, a, b in rows)
        return with_notes(told, self.notes)

    def __repr__(self) -> str:
        first = str(self).partition("\n")[0]
        return f"<IntervalCoverage of {self.n:g} rows: {first}>"

    def _repr_html_(self) -> str:
        cells = zip(self.levels, self.observed, self.low, self.high, strict=True)
        rows = [(percent(v), f"{o:.3f}", f"[{a:.3f}, {b:.3f}]") for v, o, a, b in cells]
        return table_of_texts(("level", "covered", "interval"), rows)


def interval_coverage(
    y: Any,
    distribution: Any,
    levels: Sequence[float] = LEVELS,
    *,
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> IntervalCoverage:
    """How often central intervals of the forecasts hold what happened.

    Parameters
    ----------
    y
        What happened, numbers.
    distribution
        A forecast per row, or one for all.
    levels
        Probabilities that the intervals promise.
    sample_weight
        How often each row counts.

    Returns
    -------
    IntervalCoverage
        Shares with Jeffreys intervals (Bayesian: nominal on average over their prior), and mean widths.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.distributions import Normal
    >>> from suffice.evaluation import interval_coverage
    >>> y = np.random.default_rng(0).normal(size=200)
    >>> print(interval_coverage(y, Normal(0.0, 0.5), levels=[0.5, 0.9]))
    50 % intervals cover 0.255 [0.198, 0.319]; 90 % intervals cover 0.600 [0.531, 0.666]
    """
    confidence = check_fraction("confidence", confidence)
    y, distribution = open_distribution(y, distribution)
    if y.ndim > 1:
        raise InvalidInput(f"y must be a vector, one target; got shape {y.shape}. Take one column at a time.")
    weight = open_weight(sample_weight, len(y))
    wanted = [check_fraction("levels", float(v)) for v in np.atleast_1d(levels)]
    ends = [distribution.interval(v) for v in wanted]
    inside = np.array([(a <= y) & (y <= b) for a, b in ends])
    n, hits = float(weight.sum()), inside @ weight
    width = np.array([float(weight @ np.broadcast_to(b - a, y.shape)) / n for a, b in ends])
    low, high = jeffreys(hits, n, confidence)
    notes = (
        ("intervals of a discrete forecast hold at least what they promise",)
        if has_jumps(distribution)
        else ()
    )
    arrays = {"levels": wanted, "observed": hits / n, "low": low, "high": high, "width": width}
    frozen: dict[str, Any] = {k: frozen_array(v) for k, v in arrays.items()}
    return IntervalCoverage(n=n, confidence=confidence, notes=notes, **frozen)
