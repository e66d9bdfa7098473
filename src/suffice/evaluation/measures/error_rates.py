r"""False acceptance, false rejection, and where they are equal (Herbst §1.2.1, Example 2, Fig. 1.2.2; Exercise 6).

An item is accepted where score > θ.

FAR(θ) = share of forged items accepted,   FRR(θ) = share of genuine items rejected
EER    = the value where FAR = FRR, on the segment between the two thresholds around the crossing
Base rate p of forgeries:   P(forged | rejected) = (1 − FAR) p / ((1 − FAR) p + FRR (1 − p))
Best threshold:             minimizes c_accept p FAR(θ) + c_reject (1 − p) FRR(θ); the EER only if both weigh the same
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_fraction, check_number
from suffice._core.frames import to_frame
from suffice._core.proportions import jeffreys
from suffice._core.records import record
from suffice._core.showing import Paragraph
from suffice.distributions import Detector, detector
from suffice.evaluation.findings import Measured, number, percent
from suffice.evaluation.measures._intervals import proportion
from suffice.evaluation.measures._labels import numbers_of
from suffice.evaluation.measures._tally import ScoreTally, open_binary

Curve = Callable[[int], float]


@record
class ErrorPoint:
    """Both error rates at one threshold, each a `Measured`; `cost` is the mean cost of an item where one was asked."""

    threshold: float
    far: Measured
    frr: Measured
    cost: float | None = None


@record
class ErrorRates(Paragraph):
    """False acceptance and false rejection over all thresholds.

    Notes
    -----
    The interval of the equal error rate moves either curve to the ends of its Jeffreys intervals, sees where the curves
    then cross, and adds the two effects in squares. Measured coverage at 95 % (normal scores, 1,500 tables each): 95 to
    97 % with 200 genuine and 200 forged items, for rates of 0.05 to 0.3; with 50 of each it is cautious (97 to 98 %).
    """

    tally: ScoreTally
    eer: Measured
    confidence: float = 0.95

    @cached_property
    def thresholds(self) -> np.ndarray:
        """−∞ first, where everything is accepted, then the distinct scores in increasing order."""
        return self.tally.thresholds

    @cached_property
    def far(self) -> np.ndarray:
        """False-acceptance rate at each threshold, from 1 to 0."""
        return self.tally.above[1] / self.tally.n_negative

    @cached_property
    def frr(self) -> np.ndarray:
        """False-rejection rate at each threshold, from 0 to 1."""
        return 1 - self.tally.above[0] / self.tally.n_positive

    @property
    def eer_threshold(self) -> float:
        """The score at which the two rates differ least, the lowest of several."""
        return float(self.thresholds[1:][np.argmin(np.abs(self.far - self.frr)[1:])])

    def at(self, threshold: float) -> ErrorPoint:
        """Both rates where score > threshold is accepted."""
        tp, fn, fp, tn = self.tally.at(threshold)
        far, frr = (proportion(m, m + other, self.confidence) for m, other in ((fp, tn), (fn, tp)))
        return ErrorPoint(float(threshold), far, frr)

    def with_base_rate(self, base_rate: Any, threshold: float | None = None) -> Detector:
        """What a rejection or an acceptance says when this share of items is forged.

        The detector's condition is *forged*, its positive result *rejected*: `posterior_positive` is P(forged |
        rejected), `1 - posterior_negative` is P(genuine | accepted). At the equal error rate if no threshold is given.
        """
        far, frr = (
            (self.eer, self.eer) if threshold is None else (self.at(threshold).far, self.at(threshold).frr)
        )
        return detector(sensitivity=1 - float(far), specificity=1 - float(frr), base_rate=base_rate)

    def best_threshold(self, base_rate: float, costs: tuple[float, float] = (1.0, 1.0)) -> ErrorPoint:
        """The threshold with the smallest mean cost when this share of items is forged.

        `costs` are those of accepting a forged item and of rejecting a genuine one. Of several the lowest threshold;
        −∞ accepts everything. Chosen on these rows, so its cost flatters.
        """
        p = check_number("base_rate", base_rate, low=0.0)
        if p > 1:
            raise InvalidParameter(f"base_rate must lie in [0, 1]; got {base_rate!r}.")
        accept, reject = (check_number(f"costs[{i}]", c, low=0.0) for i, c in enumerate(_pair(costs)))
        cost = accept * p * self.far + reject * (1 - p) * self.frr
        k = int(np.argmin(cost))
        point = self.at(float(self.thresholds[k]))
        return ErrorPoint(point.threshold, point.far, point.frr, float(cost[k]))

    @property
    def sentence(self) -> str:
        """The equal error rate in words."""
        low, high = self.eer.interval or (np.nan, np.nan)
        return (
            f"Equal error rate {number(self.eer)}, {percent(self.confidence)} interval [{number(low)}, "
            f"{number(high)}], at a threshold of about {number(self.eer_threshold)} "
            f"({self.tally.n_positive:g} genuine and {self.tally.n_negative:g} forged items)."
        )

    def frame(self, kind: str = "pandas") -> Any:
        """One row per threshold."""
        return to_frame({"threshold": self.thresholds, "far": self.far, "frr": self.frr}, kind)


def error_rates(
    genuine: Any = None,
    forged: Any = None,
    *,
    y: Any = None,
    score: Any = None,
    positive: Any = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> ErrorRates:
    """False-acceptance and false-rejection rates over all thresholds, and where they are equal.

    Parameters
    ----------
    genuine, forged
        Scores of genuine and of forged items; larger means more likely genuine. Turn the sign of a distance.
    y, score
        Instead: labels, the positive class being the genuine one, and a score for each.
    positive
        The genuine class. For True/False, 0/1 and −1/1 the larger one.
    sample_weight
        How often each row of `y` counts.
    confidence
        Level of the intervals.

    Examples
    --------
    >>> from suffice.evaluation import error_rates
    >>> rates = error_rates(genuine=[3.1, 2.4, 4.0, 1.2, 2.9], forged=[0.3, 1.5, 0.9, 2.6, 0.1])
    >>> rates.eer
    0.2 [0.0506, 0.483]
    >>> print(f"{rates.with_base_rate(0.01).posterior_positive:.3f}")
    0.039
    """
    level = check_fraction("confidence", confidence)
    by_items, by_rows = genuine is not None and forged is not None, y is not None and score is not None
    mixed = by_items and (y is not None or score is not None)
    if by_items == by_rows or mixed:
        raise InvalidParameter("Give either genuine= and forged=, the scores of each kind, or y= and score=.")
    if by_rows:
        tally = open_binary(y, score, positive, sample_weight, "an error curve").tally
    else:
        tally = _of_items(genuine, forged, sample_weight)
    return ErrorRates(tally, _equal_error(tally, level), level)


def _of_items(genuine: Any, forged: Any, sample_weight: Any) -> ScoreTally:
    if sample_weight is not None:
        raise InvalidParameter("sample_weight needs one row per item; give y= and score= instead.")
    real, fake = numbers_of("genuine", genuine), numbers_of("forged", forged)
    return ScoreTally.of(np.arange(len(real) + len(fake)) < len(real), np.concatenate([real, fake]))


# -- where the curves cross ---------------------------------------------------------------------------------------
def _equal_error(tally: ScoreTally, level: float) -> Measured:
    m, n = tally.n_positive, tally.n_negative
    hits, alarms = tally.above

    def far(end: int | None = None) -> Curve:
        return lambda k: float(alarms[k] / n if end is None else jeffreys(alarms[k], n, level)[end])

    def frr(end: int | None = None) -> Curve:
        return lambda k: float(1 - hits[k] / m if end is None else jeffreys(m - hits[k], m, level)[end])

    last = len(hits) - 1
    value = _crossing(far(), frr(), last)
    moved = [(_crossing(far(end), frr(), last), _crossing(far(), frr(end), last)) for end in (0, 1)]
    ends = [float(np.hypot(a - value, b - value)) for a, b in moved]
    interval = max(value - ends[0], 0.0), min(value + ends[1], 1.0)
    return Measured(value, interval, level, "square-and-add of Jeffreys intervals")


def _crossing(falling: Curve, rising: Curve, last: int) -> float:
    """The common value of the two polygons where they cross, found by halving."""
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if falling(middle) > rising(middle) else (low, middle)
    gap_low, gap_high = falling(low) - rising(low), falling(high) - rising(high)
    part = 0.0 if gap_low <= 0 else min(gap_low / (gap_low - gap_high), 1.0)
    return falling(low) + part * (falling(high) - falling(low))


def _pair(costs: Any) -> tuple[float, float]:
    if not hasattr(costs, "__len__") or isinstance(costs, str) or len(costs) != 2:
        raise InvalidParameter(
            f"costs must be two numbers, for accepting forged and rejecting genuine; got {costs!r}."
        )
    return costs[0], costs[1]
