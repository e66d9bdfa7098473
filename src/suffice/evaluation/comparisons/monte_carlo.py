r"""p-values and coverage by simulation (DTU Technical notes 11.2.1 and 11.2.2, Fig. 11.2).

p-value    b of m simulated statistics are as extreme as the observed one:  (b + 1)/(m + 1), or b/m as in the text
Coverage   c of S intervals contain the truth they were simulated from:  c/S

Both are shares, so both have Jeffreys' interval. The observed statistic is itself one draw under the null
hypothesis; counting it makes the test exact, P(p ≤ α) ≤ α for any m, where b/m can be zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, check_choice, check_number
from suffice._core.frames import to_frame
from suffice._core.random import streams
from suffice._core.records import record
from suffice._core.showing import Paragraph
from suffice.evaluation.comparisons._inputs import check_confidence, finite, whole
from suffice.evaluation.comparisons.accuracy import share_interval
from suffice.evaluation.findings import Finding, Measured, chance, number, percent

SIDES = ("two-sided", "greater", "less")
ROUNDING = 1e-12
ASSUMPTIONS = (
    "The null statistics are drawn independently under the null hypothesis, like the observed one.",
)


# -- p-values -------------------------------------------------------------------------------------
def monte_carlo_p(
    statistic: float,
    null_samples: Any,
    side: Literal["two-sided", "greater", "less"] = "two-sided",
    *,
    count: Literal["with observed", "plain"] = "with observed",
    confidence: float = 0.95,
) -> Finding:
    """The p-value of a statistic, from statistics simulated under the null hypothesis.

    Parameters
    ----------
    statistic
        The observed value.
    null_samples
        Values simulated under the null hypothesis.
    side
        What is extreme: "two-sided" counts |t| ≥ |observed| (for statistics that are symmetric about zero under the
        null), "greater" and "less" one side.
    count
        "with observed" counts the observed statistic among the draws, (b + 1)/(m + 1); "plain" is b/m, as in the text.
    confidence
        Level of the interval for the p-value that infinitely many draws would give.

    Notes
    -----
    Values within a relative 1e-12 of the observed one count as equal to it, so that rounding does not break ties.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.evaluation import monte_carlo_p
    >>> null = np.random.default_rng(0).standard_normal(999)
    >>> print(monte_carlo_p(2.0, null))
    37 of 999 statistics simulated under the null hypothesis are as extreme as 2: p = 0.038, 95 % interval
    [0.0266, 0.0501] for the simulation's error.
    """
    observed, draws = check_number("statistic", statistic), finite("null_samples", null_samples)
    check_choice("side", side, SIDES)
    check_choice("count", count, ("with observed", "plain"))
    level, m = check_confidence(confidence), len(draws)
    b = extreme(observed, draws, side)
    p_value, interval = b / m if count == "plain" else (b + 1) / (m + 1), share_interval(b, m, level)
    sentence = (
        f"{b} of {m} statistics simulated under the null hypothesis are as extreme as {number(observed)}: "
        f"{chance(p_value)}, {percent(level)} interval [{number(interval[0])}, {number(interval[1])}] for the "
        "simulation's error."
    )
    notes = ("No draw is as extreme: b/m is 0, which no p-value is.",) if p_value == 0 else ()
    return Finding(
        "Monte Carlo test",
        p_value,
        interval,
        sentence,
        level,
        p_value,
        observed,
        m,
        b / m,
        ASSUMPTIONS,
        notes,
    )


def extreme(observed: float, draws: np.ndarray, side: str) -> int:
    """How many draws are at least as extreme as the observed value."""
    if side == "two-sided":
        observed, draws = abs(observed), np.abs(draws)
    elif side == "less":
        observed, draws = -observed, -draws
    return int(np.count_nonzero(draws >= observed - ROUNDING * abs(observed)))


# -- coverage -------------------------------------------------------------------------------------
@record
class Coverage(Paragraph):
    """Intervals of simulated data sets and the truths they should contain.

    `share` is the part that contains them, with its own interval; `intervals` has one row per data set and
    `covered` says which contain the truth: what Fig. 11.2 draws.
    """

    share: Measured
    intervals: np.ndarray
    truths: np.ndarray
    covered: np.ndarray
    nominal: float | None

    @property
    def as_nominal(self) -> bool | None:
        """Whether the nominal level lies in the interval of the share; None if no level was named."""
        low, high = self.share.interval or (0.0, 1.0)
        return None if self.nominal is None else low <= self.nominal <= high

    @property
    def sentence(self) -> str:
        """The share, its interval, and the level it should have."""
        low, high = self.share.interval or (0.0, 1.0)
        said = "" if self.nominal is None else f", against {percent(self.nominal)} nominal"
        return (
            f"{int(self.covered.sum())} of {len(self.covered)} simulated intervals contain the truth: coverage "
            f"{number(self.share)}, {percent(self.share.confidence)} interval [{number(low)}, {number(high)}]{said}."
        )

    def frame(self, kind: str = "pandas") -> Any:
        """One row per simulated data set."""
        low, high = self.intervals.T
        return to_frame({"truth": self.truths, "low": low, "high": high, "covered": self.covered}, kind)


def coverage(
    interval: Callable[[Any], Any],
    simulate: Callable[[Any, np.random.Generator], Any],
    truth: Any,
    n: int = 1000,
    random_state: Any = None,
    *,
    nominal: float | None = 0.95,
    confidence: float = 0.95,
) -> Coverage:
    """How often an interval contains the truth, by simulation.

    Parameters
    ----------
    interval
        From data to a pair (low, high), or to anything with an `interval`, such as a `Finding`.
    simulate
        `simulate(truth, rng)` draws a data set.
    truth
        The parameter: a number, or a function of a Generator that draws one from its prior for every data set (the
        test of a Bayesian interval).
    n
        Number of data sets.
    random_state
        Seed or Generator; truths and data come from two streams.
    nominal
        The level the intervals claim; None to leave it out.
    confidence
        Level of the interval for the coverage.

    Examples
    --------
    Fig. 11.2: how often Jeffreys' interval contains an accuracy of 0.7.

    >>> from suffice.evaluation import accuracy_from_counts, coverage
    >>> found = coverage(
    ...     lambda m: accuracy_from_counts(m, 100), lambda theta, rng: rng.binomial(100, theta), 0.7, 100, 0
    ... )
    >>> print(found)
    97 of 100 simulated intervals contain the truth: coverage 0.97, 95 % interval [0.922, 0.991], against 95 % nominal.
    """
    times, level = whole("n", n, low=1), check_confidence(confidence)
    for_truth, for_data = streams(random_state, 2)
    truths = np.array(
        [truth(for_truth) if callable(truth) else check_number("truth", truth) for _ in range(times)]
    )
    ends = np.array([_ends(interval(simulate(theta, for_data)), i) for i, theta in enumerate(truths)])
    covered = (ends[:, 0] <= truths) & (truths <= ends[:, 1])
    hits = int(covered.sum())
    share = Measured(hits / times, share_interval(hits, times, level), level, "Jeffreys")
    return Coverage(share, ends, truths, covered, None if nominal is None else check_confidence(nominal))


def _ends(found: Any, i: int) -> tuple[float, float]:
    pair = found.interval if hasattr(found, "interval") else found
    try:
        low, high = map(float, pair)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"interval must return a pair of numbers; for data set {i} it gave {pair!r}."
        ) from None
    if not low <= high:
        raise InvalidInput(f"interval must return low <= high; for data set {i} it gave ({low}, {high}).")
    return low, high
