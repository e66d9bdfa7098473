r"""Do restarts agree? Expectation–maximization ends at a maximum, not always at the highest.

Two starts have found the same maximum when their log likelihoods per row differ by at most a tolerance: the
iteration stops some steps of `tol` below the top. What one start alone has found, more starts may still surpass.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice._core.records import frozen_array, record
from suffice.mixtures._selection.candidates import MixtureCandidate

STEPS = 10.0  # of tol, that an iteration may stop below its maximum
LEAST = 1e-6  # per row


def tolerance(tol: float) -> float:
    """Log likelihoods per row that are taken for the same."""
    return max(STEPS * tol, LEAST)


@record
class Optima:
    """For every candidate what each start reached, per row (NaN where there was none), and what counts as the same."""

    restarts: np.ndarray
    same: float

    @classmethod
    def of(cls, restarts: list[np.ndarray], same: float) -> Optima:
        most = max(len(r) for r in restarts)
        padded = [np.concatenate([r, np.full(most - len(r), np.nan)]) for r in restarts]
        return cls(frozen_array(padded), same)

    @property
    def tried(self) -> np.ndarray:
        return np.isfinite(self.restarts).sum(axis=1)

    @property
    def highest(self) -> np.ndarray:
        return np.max(np.nan_to_num(self.restarts, nan=-np.inf), axis=1, initial=-np.inf)

    @property
    def best(self) -> np.ndarray:
        """The start that reached most; the first of equal ones, −1 where none did."""
        first = np.argmax(np.nan_to_num(self.restarts, nan=-np.inf), axis=1)
        return np.where(self.tried > 0, first, -1)

    @property
    def found_by(self) -> np.ndarray:
        """Starts that found the highest maximum."""
        down = -np.sort(-self.restarts, axis=1)  # NaN are sorted to the end
        same = np.cumprod(np.diff(down, axis=1) >= -self.same, axis=1)
        return (self.tried > 0) + same.sum(axis=1)

    @property
    def distinct(self) -> np.ndarray:
        """Maxima, told apart by gaps between their log likelihoods."""
        gaps = np.diff(np.sort(self.restarts, axis=1), axis=1)  # NaN are sorted to the end
        return (self.tried > 0) + np.sum(gaps > self.same, axis=1)

    def lone(self, i: int) -> bool:
        """Whether one start alone found the best of several maxima."""
        return bool(self.tried[i] > 1 and self.found_by[i] == 1)

    def lead(self, i: int) -> float:
        """How far the next start ended below the best, per row; 0 for one start."""
        ordered = np.sort(self.restarts[i][np.isfinite(self.restarts[i])])
        return float(ordered[-1] - ordered[-2]) if len(ordered) > 1 else 0.0

    def luck(self, i: int) -> float:
        """How far the middle start ended below the best, per row."""
        return float(self.highest[i] - np.nanmedian(self.restarts[i]))


def hanging(
    candidates: Sequence[MixtureCandidate],
    values: np.ndarray,
    optima: Optima,
    best: int,
    n: float,
    criterion: str,
) -> list[str]:
    """Sentences on candidates that decide by the luck of a start.

    The best one, if a single start found it, or if its middle start would have lost; another one, if a single start
    found it and as much luck again would make it the best.
    """
    unit = 1.0 if criterion == "cv" else 2 * n
    with np.errstate(invalid="ignore"):
        behind = np.abs(values - values[best]) / unit
    behind[best] = np.inf
    runner_up = float(np.nanmin(behind))
    out = []
    for i, candidate in enumerate(candidates):
        if i == best:
            loses = optima.luck(i) > max(runner_up, optima.same)
            if optima.lone(i) or loses:
                out.append(
                    _found(candidate, optima, i)
                    + ("" if optima.lone(i) else ", and the middle one would lose")
                )
        elif criterion != "cv" and optima.lone(i) and optima.lead(i) > behind[i]:
            out.append(_found(candidate, optima, i) + ", and would be the best with as much luck again")
    if criterion != "cv" and runner_up < optima.same:
        out.append(
            f"{candidates[best]} leads by {runner_up:.2g} of log likelihood per row, less than the {optima.same:.2g} "
            "that an iteration may stop short of its end; lower tol"
        )
    return out


def _found(candidate: MixtureCandidate, optima: Optima, i: int) -> str:
    below = optima.lead(i) if optima.lone(i) else optima.luck(i)
    which = "the next" if optima.lone(i) else "the middle one"
    return (
        f"{candidate}: {optima.found_by[i]} of {optima.tried[i]} starts found its highest likelihood, {which} ended "
        f"{below:.3g} per row lower"
    )
