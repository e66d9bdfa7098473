r"""The test of one pair of models, and the interval that belongs to it: it excludes 0 exactly where the test rejects.

Mean    t = x̄/(f s) of the loss saved per unit; interval x̄ ± q f s.
Root    against the baseline. Where the columns say something, the gain of a well-scaled model is half its first step u,
        and the square root of a gain has the same error whatever its size; so with t = ū/(f s_u)

            interval  x̄ (1 − q/t)|1 − q/t|  to  x̄ (1 + q/t)²

        It is asked where the model gains at all (x̄ > 0), does not seem to go too far, and the mean does not settle the
        matter. A model that overshoots may be worse than the baseline although its first step gains. One whose
        penalty or prior is chosen by the training rows finds its scale; any other must not lose by a standard error
        or more in its last step. (At the edge, without that, least squares made a false claim in 9 % of tables.)
Rank    where a few of many units decide the mean, and typical ones are on its side: the same t, of signed ranks; the
        interval holds the shifts that it does not reject (Hodges and Lehmann), the estimate is in their middle.

Columns against the baseline, for the surest first step and those like it, where they leave open what a score test of
        all columns settles (`columns`): the lower end with t as sure as that test, whose p-value, times SIDES, is
        the claim's; the upper end as of the first step, for how large the gain is that test does not say. The test
        knows no sides. The first step must lean to the model by itself, which takes most of what the second side
        would cost: without structure a gain is claimed in 3 to 4 % of tables at 5 %.

f = 1 in time, where every row is predicted from earlier ones. Elsewhere rows train and test in turn, so each pair of
rows counts twice: were the columns to say nothing, the variance of what a model seems to save is twice that of
independent rows (f = √2), and less where they say something. f = 1.25 keeps false claims of a gain below 5 %.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit
from scipy.stats import rankdata

from suffice.study.claims.gains import Gains
from suffice.study.claims.units import Mean, Units, quantile
from suffice.study.sections import Interval

FEW, DECIDE = 0.001, 0.5  # a thousandth of the units, at least one, that makes up half of the sum of squares
ENOUGH = 300  # units; with fewer, one that stands out is no rarity
TOO_FAR = 0.32  # chance of a last step that seems to lose: one standard error
HALVINGS = 60
SIDES = 1.25  # what a p-value without sides is multiplied by
IN_TURN = 1.25  # by how much means are less sure where rows train and test in turn
TINY = 1e-300


@dataclass(frozen=True)
class PairTest:
    """What the first model of a pair saves against the second: an estimate, and how sure it is.

    `z` is the test in units of a normal law, positive where the first is better. `moves` says how far each unit moves
    the mean that is tested, `count` how many independent units there are. `p` is the p-value of a test that is one for
    all models; None where the family finds it. `t_high` is for the upper end of the interval, where it is not `t`.
    """

    kind: Literal["mean", "root", "rank", "columns"]
    estimate: float
    t: float
    dof: float
    moves: np.ndarray
    count: int
    units: Units
    whole: np.ndarray
    error: float
    p: float | None = None
    t_high: float | None = None

    @property
    def z(self) -> float:
        """The normal quantile with the same chance of being exceeded."""
        if self.t == 0 or self.dof <= 0:
            return 0.0
        tail = max(float(stdtr(self.dof, -abs(self.t))), TINY)
        return float(np.sign(self.t) * -ndtri(tail))

    @property
    def varies(self) -> bool:
        """Whether there is anything to test by."""
        return self.t != 0 and self.dof > 0

    def interval(self, z: float) -> Interval | None:
        """What the test does not reject at the critical value z of a normal law."""
        if not self.varies:
            return None
        q = quantile(self.dof, 2 * float(ndtr(-z)))
        if not np.isfinite(q):
            return None
        if self.kind == "rank":
            return self._shifts(q, abs(self.z) > z)
        if self.kind in ("root", "columns"):
            a, b = 1 - q / self.t, 1 + q / (self.t if self.t_high is None else self.t_high)
            return float(self.estimate * a * abs(a)), float(self.estimate * b**2)
        return float(self.estimate - q * self.error), float(self.estimate + q * self.error)

    def _shifts(self, q: float, rejected: bool) -> Interval:
        """The shifts that signed ranks do not reject; halving finds their ends nearly, on which side of 0 is known."""
        low, high = (_shift_with(self.units, self.whole, side * q * factor(self.units)) for side in (1, -1))
        if not rejected:
            return min(low, 0.0), max(high, 0.0)
        return (max(low, TINY), high) if self.t > 0 else (low, min(high, -TINY))


def mean_test(units: Units, whole: np.ndarray) -> PairTest:
    """Of the mean loss saved; or of ranks where a few units decide that mean and typical ones are on its side."""
    m, f = units.mean(whole), factor(units)
    if few_decide(units, whole):
        ranks = _rank_test(units, whole)
        if ranks.estimate * m.mean > 0:
            return ranks
    return PairTest("mean", m.mean, m.t / f, m.dof, m.moves, m.count, units, whole, f * m.error)


def factor(units: Units) -> float:
    """By how much errors are larger than those of independent units."""
    return 1.0 if units.kind == "stretches" else IN_TURN


def first_step_test(units: Units, g: Gains, finds_scale: bool = False) -> PairTest | None:
    """Of a model against the baseline by its first step; None where that is not fair."""
    whole, first, last = units.mean(g.whole), units.mean(g.first), units.mean(g.last)
    too_far = not finds_scale and last.t < -quantile(last.dof, TOO_FAR)
    if not whole.mean > 0 or too_far or few_decide(units, g.whole) or few_decide(units, g.first):
        return None
    return PairTest(
        "root", whole.mean, first.t / factor(units), first.dof, first.moves, first.count, units, g.whole, 0.0
    )


def by_columns(step: PairTest, p_columns: float, critical: float, alone: float) -> PairTest:
    """The test of a first step, made as sure as what all columns say (`said`, a p-value without sides).

    That is one test for all models, so it pays for none of them: it is held against `alone`, the critical value of a
    single test, and put in the units of the family's `critical` one.
    """
    p = min(1.0, SIDES * p_columns)
    z = -float(ndtri(p / 2)) * critical / alone
    if z <= 0:
        return step
    return replace(step, kind="columns", t=float(stdtrit(step.dof, ndtr(z))), p=p, t_high=step.t)


def few_decide(units: Units, values: np.ndarray) -> bool:
    """Whether a thousandth of the units, at least one, make up half of the sum of squares: then means mean little."""
    x = units.per_unit(values)
    squares = (x - x.mean()) ** 2
    few = max(1, int(FEW * len(squares)))
    if len(squares) < ENOUGH or not squares.sum() > 0:
        return False
    return bool(np.partition(squares, -few)[-few:].sum() > DECIDE * squares.sum())


# -- ranks ---------------------------------------------------------------------------------------------------------
def _signed_ranks(units: Units, whole: np.ndarray, shift: float) -> Mean:
    """Signed ranks of what units save beyond a shift, as shares of the largest; every group counts once."""
    x = units.per_unit(whole) - shift
    return units.alone().mean(np.sign(x) * rankdata(np.abs(x)) / len(x))


def _rank_test(units: Units, whole: np.ndarray) -> PairTest:
    ranks, middle = _signed_ranks(units, whole, 0.0), _shift_with(units, whole, 0.0)
    return PairTest(
        "rank", middle, ranks.t / factor(units), ranks.dof, ranks.moves, ranks.count, units, whole, 0.0
    )


def _shift_with(units: Units, whole: np.ndarray, t: float) -> float:
    """The shift at which the test of signed ranks has the value t, which falls as the shift grows."""
    x = units.per_unit(whole)
    low, high = float(x.min()), float(x.max())
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if _signed_ranks(units, whole, middle).t > t:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
