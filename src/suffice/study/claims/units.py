r"""What counts as independent: tested rows, groups of them, or stretches of time; and the error of a mean over these.

Rows      a weight is a number of equal rows:  var(x̄) = Σ w (x − x̄)² / (W (W − 1)),  W − 1 degrees of freedom
Groups    rows of one group are alike, so groups are what varies. With their shares p_g of the rows and their means x_g

          var(x̄) = Σ_g p_g² (x_g − x̄)² / (1 − p_g)

          (CR2, Bell and McCaffrey 2002), with Satterthwaite's degrees of freedom were the x_g equally uncertain. For
          groups of equal size that is the t test of their means, s²/G on G − 1.
Time      neighbours are alike, so the variance is that of the slowest movements, read off the first ν cosines
          (Müller; Lazarus, Lewis, Stock and Watson 2018):

          Λ_j = √(2/n) Σ_t (x_t − x̄) cos(π j (t − ½)/n),  var(x̄) = Σ_j Λ_j² / (ν n),  ν degrees of freedom

          ν + 1 is the number of stretches that are worth as much as independent rows. It is as large as keeps the bias
          of the variance below 3 %, were the series an autoregression of order one, and at most 1.2 n^(2/3).
"""

from __future__ import annotations

import numpy as np
from scipy.fft import dct
from scipy.special import stdtrit

from suffice._core.records import record
from suffice.study.numbers import number
from suffice.study.reading.problem import Problem
from suffice.study.sections import Interval

BIAS = 0.135  # √(0.03 · 6 / π²): the share of cosines at which the variance is 3 % off
MOST, FEWEST = 1.2, 3  # cosines: times n^(2/3), and at least


@record
class Mean:
    """A mean over `count` units, its standard error and degrees of freedom, and how far each unit moves it."""

    mean: float
    error: float
    dof: float
    moves: np.ndarray
    count: int

    @property
    def t(self) -> float:
        """The mean in standard errors; 0 where nothing varies."""
        return self.mean / self.error if self.error > 0 else 0.0


@record
class Units:
    """How the tested `rows` of a problem count: `weight` of each, and `place`, the number of its group or moment.

    `kind` is "rows", "groups" or "stretches"; `noun` is what a unit is called in a sentence.
    """

    kind: str
    noun: str
    rows: np.ndarray
    weight: np.ndarray
    place: np.ndarray | None = None

    @property
    def share(self) -> np.ndarray:
        """The part of each tested row in every mean of the study; these add up to one."""
        return self.weight / self.weight.sum()

    @property
    def totals(self) -> np.ndarray:
        """The weight of every unit."""
        return self.weight if self.place is None else np.bincount(self.place, weights=self.weight)

    def per_unit(self, values: np.ndarray) -> np.ndarray:
        """A value per unit: the mean over a group, else that of the row."""
        x = np.asarray(values, dtype=float)
        return x if self.place is None else np.bincount(self.place, weights=self.weight * x) / self.totals

    def alone(self) -> Units:
        """The same where every unit has one value: a group is its own row."""
        if self.place is None:
            return self
        n = int(self.place.max()) + 1
        return Units("rows" if self.kind == "groups" else self.kind, self.noun, np.arange(n), np.ones(n))

    def mean(self, values: np.ndarray) -> Mean:
        """The mean of a number per tested row, with its error."""
        x, p = self.per_unit(values), self.totals / self.weight.sum()
        mean = float(p @ x)
        off = x - mean
        error, dof, count = self._error(off, p)
        noise = 1e-12 * float(np.abs(x).max(initial=0.0))
        return Mean(mean, error if error > noise else 0.0, dof, off * p, count)

    def _error(self, off: np.ndarray, p: np.ndarray) -> tuple[float, float, int]:
        """The standard error of a mean with shares p, its degrees of freedom, and the number of units."""
        if self.kind == "stretches":
            error, nu = _error_in_time(off * p * len(p))
            return error, nu, nu + 1
        if self.kind == "groups":
            return *_error_of_groups(off, p), len(p)
        total = float(self.weight.sum())
        error = float(np.sqrt(p @ off**2 / (total - 1))) if total > 1 else 0.0
        return error, total - 1, round(total)

    def interval(self, values: np.ndarray, confidence: float) -> Interval | None:
        """Of the mean of a loss, which is never negative: Student-t on its logarithm; None where nothing varies."""
        m = self.mean(values)
        if not (m.error > 0 and m.mean > 0 and np.isfinite(m.error)):
            return None
        reach = float(np.exp(quantile(m.dof, 1 - confidence) * m.error / m.mean))
        return m.mean / reach, m.mean * reach

    def counted(self, n: float) -> str:
        """The number of units in words, as `210 firms` or `203 rows in 14 independent stretches`."""
        rows = number(float(round(self.weight.sum())))
        if self.kind == "stretches":
            return f"{rows} rows in {number(n)} independent stretches"
        return f"{number(n)} {self.noun}"


def _error_of_groups(off: np.ndarray, p: np.ndarray) -> tuple[float, float]:
    """The standard error of Σ p x, given x less that mean, and its degrees of freedom."""
    if len(p) < 2:
        return 0.0, 0.0
    a = p**2 / (1 - p)
    P = float(p @ p)
    s0, s1, s2 = (float(a @ p**k) for k in range(3))
    own = 1 - 2 * p + P  # variance of x_g − x̄, were that of every x_g one
    among = float(a**2 @ (own**2 - (P - 2 * p) ** 2))
    squares = among + P**2 * s0**2 + 2 * s2 * s0 + 2 * s1**2 - 4 * P * s1 * s0
    return float(np.sqrt(a @ off**2)), float(a @ own) ** 2 / squares


def _error_in_time(off: np.ndarray) -> tuple[float, int]:
    """The standard error of the mean of a series, given less its mean, and the number of cosines."""
    n = len(off)
    nu = slow_cosines(off)
    slow = dct(off, type=2)[1 : nu + 1] / np.sqrt(2 * n)  # Λ, as scipy's DCT-II is 2 Σ x cos
    return float(np.sqrt(slow @ slow / nu / n)), nu


def slow_cosines(off: np.ndarray) -> int:
    """How many of the slowest cosines of a series, given less its mean, have about the same variance."""
    n, size = len(off), float(off @ off)
    r = float(off[1:] @ off[:-1]) / size if size > 0 else 0.0
    r = min(max(r, 0.0) + 1 / np.sqrt(n), 0.99)  # an upper guess
    nu = n * BIAS * (1 - r) / np.sqrt(2 * r)
    return int(np.clip(nu, min(FEWEST, max(n - 1, 1)), max(MOST * n ** (2 / 3), 1)))


def quantile(dof: float, alpha: float) -> float:
    """How far the mean may be off in standard errors, with the chance alpha of being further off either way."""
    return float(stdtrit(dof, 1 - alpha / 2)) if dof > 0 else np.inf


# -- of a problem --------------------------------------------------------------------------------------------------
def units_of(problem: Problem, rows: np.ndarray) -> Units:
    """The units among the tested rows of a problem."""
    weight = np.asarray(problem.weights, dtype=float)[rows]
    if problem.in_time:
        stamps = None if problem.stamps is None else np.unique(problem.stamps[rows], return_inverse=True)[1]
        alone = stamps is None or len(np.unique(stamps)) == len(rows)
        return Units("stretches", "stretches", rows, weight, None if alone else stamps)
    if problem.groups is None:
        return Units("rows", "rows", rows, weight)
    place = np.unique(problem.groups[rows], return_inverse=True)[1]
    return Units("groups", problem.group_noun, rows, weight, place)
