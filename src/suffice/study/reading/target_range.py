"""Which values a target can have at all, as far as its rows and its name tell.

counts      0 and above
positive    no row is negative, so 0 and above: prices, durations, amounts
shares      from 0 to 1 (or to 100), where the name says so or the rows reach both ends

A target far from an end is not touched by it. One row beyond an end, and there is no such end.
"""

from __future__ import annotations

import re

import numpy as np

from suffice._core.records import record

FEWEST = 10  # rows that tell an end
NEAR = 0.02  # how close to an end of a share rows must come to show that it is one
SHARE = r"share|rate|prop|proportion|fraction|frac|probability|prob"
PERCENT = r"percent|percentage|pct|perc|%"


@record
class TargetRange:
    """The lowest and the highest possible value, and a few words for why; infinite where there is no end."""

    low: float = -np.inf
    high: float = np.inf
    why: str = ""

    @property
    def ends(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def bounded(self) -> bool:
        return bool(np.isfinite(self.low) or np.isfinite(self.high))

    def clip(self, values: np.ndarray) -> np.ndarray:
        """The values, those beyond an end moved to it."""
        return np.clip(values, self.low, self.high) if self.bounded else values


ANY_NUMBER = TargetRange()


def target_range(y: np.ndarray, task: str, name: str = "") -> TargetRange:
    """The range of a target of numbers from its rows, its task and its name."""
    if task == "counts":
        return TargetRange(0.0, np.inf, "counts are not negative")
    if task != "regression" or len(y) < FEWEST or not np.min(y) >= 0:
        return ANY_NUMBER
    for top, words in ((1.0, SHARE), (100.0, PERCENT)):
        if np.max(y) <= top and (_named(name, words) or _reaches(y, top)):
            return TargetRange(0.0, top, f"all {len(y)} values lie between 0 and {top:g}, as shares do")
    return TargetRange(0.0, np.inf, f"none of {len(y)} values is negative")


def _named(name: str, words: str) -> bool:
    """Whether one of the words is a part of the name."""
    parts = re.split(r"[^a-z%]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return any(re.fullmatch(words, part) for part in parts)


def _reaches(y: np.ndarray, top: float) -> bool:
    """Whether the rows come close to both ends, as shares of a wide range do; of 100 that may be chance."""
    return top == 1.0 and np.min(y) <= NEAR and np.max(y) >= 1 - NEAR and len(np.unique(y)) > 2
