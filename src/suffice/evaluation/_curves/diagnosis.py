r"""What the end of a learning curve says (DTU §10.4, Figs 10.15 and 10.16).

At the largest training size let T be the training loss, G the loss on new rows, B that of the baseline and D
the target. Each is compared with the others fold by fold, and a difference counts when it is larger than
t(0.95) standard errors over the folds *and* large enough to matter.

gap        G − T, open when it counts and exceeds 10 % of G
fall       −dG / d log₂ m over the last doubling of the rows; counts when it exceeds 5 % of G, or 10 % where
           the gap is closed
high       T more than a quarter of the way from D to B; without D, more than half the way from 0 to B
hopeless   high, and known to be so: there is a D, or T is no better than B beyond chance. Without D noise alone may
           leave T high, as it does for most log losses

The rules, first match wins (`diagnose`):

1. unclear     one size only, no finite loss, or a standard error of G above half of B − G and of G
2. good        G has come within 10 % of the way from D to B: the target is reached
3. gap open, T hopeless  closing (fall counts): "too weak"; staying: "wrong method"
4. gap open, else        "good" when two thirds of the way from B to D (or T) are done; else closing: "more
                         data"; staying: "overfit"
5. gap closed            G still falling: "more data"; T low and no target: "good"; else "too weak"

The text's own warning holds here too: curves depend on the method, the loss and the data, and a rule is a
first guess that a person should check.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from suffice._core.records import record

LABELS = ("good", "overfit", "too weak", "wrong method", "more data", "unclear")
OPEN, FALLING, NEAR, HIGH_OF_TARGET, HIGH_OF_ZERO, MOSTLY = 0.1, 0.05, 0.1, 0.25, 0.5, 2 / 3


@record
class FoldMean:
    """A mean over folds, its standard error (0 where one fold cannot tell) and its degrees of freedom."""

    value: float
    error: float
    dof: int

    @classmethod
    def of(cls, folds: np.ndarray, weight: np.ndarray) -> FoldMean:
        """From one value per fold, averaged with the folds' weights."""
        error = float(standard_error(folds)) if len(folds) > 1 else 0.0
        return cls(float(folds @ weight / weight.sum()), error, len(folds) - 1)

    @property
    def reach(self) -> float:
        """How far chance goes in one direction: t(0.95) standard errors."""
        return float(stdtrit(self.dof, 0.95)) * self.error if self.error > 0 else 0.0

    def above(self, limit: float) -> bool:
        """Larger than the limit by more than chance."""
        return self.value - self.reach > limit


def standard_error(folds: np.ndarray) -> np.ndarray:
    """Of the mean over the last axis; NaN for one fold or an infinite loss. Large losses do not overflow."""
    k = folds.shape[-1]
    if k < 2:
        return np.full(folds.shape[:-1], np.nan)
    size = np.abs(folds).max(axis=-1, keepdims=True)
    unit = np.where(size > 0, size, 1.0)
    with np.errstate(invalid="ignore"):
        return unit[..., 0] * np.std(folds / unit, axis=-1, ddof=1) / np.sqrt(k)


@record
class Signs:
    """What is read off the end of a learning curve; `fall` is what the last doubling of the rows was worth."""

    size: int
    train: FoldMean
    test: FoldMean
    gap: FoldMean
    fall: FoldMean | None
    baseline: float | None
    target: float | None

    @property
    def scale(self) -> float:
        """What a difference is large or small against: the loss, and for one without a zero also its range."""
        size = abs(self.test.value)
        if self.baseline is None or min(self.train.value, self.test.value, self.baseline) >= 0:
            return size
        return max(size, abs(self.baseline - self.train.value))

    @property
    def open(self) -> bool:
        """Whether new rows cost more than rows seen."""
        return self.gap.above(0) and self.gap.value > OPEN * self.scale

    @property
    def falling(self) -> bool:
        """Whether more rows have lately lowered the loss on new ones."""
        if self.fall is None:
            return False
        enough = (FALLING if self.open else OPEN) * self.scale
        return self.fall.above(0) and self.fall.value > enough

    @property
    def reached(self) -> bool:
        """Whether the target is met, or as good as met on the way from the baseline."""
        if self.target is None:
            return False
        rest = 0.0 if self.baseline is None else max(self.baseline - self.target, 0.0)
        return self.test.value <= self.target + NEAR * rest

    @property
    def high(self) -> bool:
        """Whether even the rows seen are fitted badly."""
        if self.target is not None:
            rest = self.scale if self.baseline is None else max(self.baseline - self.target, 0.0)
            return self.train.above(self.target + HIGH_OF_TARGET * rest)
        if self.baseline is None:
            return False
        if min(self.train.value, self.baseline) < 0:  # a loss without a zero: the baseline alone judges
            return self.train.value + self.train.reach >= self.baseline
        return self.train.above(HIGH_OF_ZERO * self.baseline)

    @property
    def useless(self) -> bool:
        """Whether even the rows seen are fitted no better than by the baseline, as far as the folds tell."""
        return self.baseline is not None and self.train.value + self.train.reach >= self.baseline

    @property
    def hopeless(self) -> bool:
        """Whether the rows seen are fitted so badly that it cannot be noise alone, or that it does not matter."""
        return self.high and (self.target is not None or self.useless)

    @property
    def met(self) -> bool:
        """Whether the folds do not tell the loss on new rows from that on rows seen."""
        return not self.gap.above(0)

    @property
    def mostly_there(self) -> bool:
        """Whether two thirds of the way from the baseline to the target (else the training loss) are done."""
        if self.baseline is None:
            return False
        goal = self.train.value if self.target is None else self.target
        return self.baseline - self.test.value >= MOSTLY * (self.baseline - goal)

    @property
    def noisy(self) -> bool:
        """Whether the folds disagree too much to say anything."""
        if self.fall is None or not np.isfinite([self.train.value, self.test.value, self.fall.value]).all():
            return True
        room = 0.0 if self.baseline is None else abs(self.baseline - self.test.value)
        return self.test.error > 0.5 * max(room, self.scale)


def read_signs(
    sizes: np.ndarray,
    fold_train: np.ndarray,
    fold_test: np.ndarray,
    weight: np.ndarray,
    baseline: float | None = None,
    target: float | None = None,
) -> Signs:
    """The signs at the last size of curves with one row per size and one column per fold."""
    train, test = fold_train[-1], fold_test[-1]
    with np.errstate(invalid="ignore"):  # infinite losses
        gap = test - train
    return Signs(
        int(sizes[-1]),
        FoldMean.of(train, weight),
        FoldMean.of(test, weight),
        FoldMean.of(gap, weight),
        _fall(sizes, fold_test, weight),
        baseline,
        target,
    )


def _fall(sizes: np.ndarray, fold_test: np.ndarray, weight: np.ndarray) -> FoldMean | None:
    """Minus the slope of each fold's test loss on log₂ size, over the last doubling or the last three sizes."""
    if len(sizes) < 2:
        return None
    last = np.flatnonzero(2 * sizes >= sizes[-1])
    last = last if len(last) >= 3 else np.arange(max(len(sizes) - 3, 0), len(sizes))
    last = last[np.isfinite(fold_test[last]).all(axis=1)]
    if len(last) < 2:
        return None
    x = np.log2(sizes[last])
    x = x - x.mean()
    return FoldMean.of(-(x @ fold_test[last]) / (x @ x), weight)


def diagnose(signs: Signs) -> str:
    """One of `LABELS`, by the rules above.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.evaluation._curves.diagnosis import diagnose, read_signs
    >>> sizes, train = np.array([25, 50, 100]), np.zeros((3, 4))
    >>> test = 0.9 + 0.01 * np.array([[1, -1, 0, 2], [0, 1, -2, 1], [-1, 0, 1, 0]])
    >>> diagnose(read_signs(sizes, train, test, np.ones(4), baseline=1.0))
    'overfit'
    """
    s = signs
    if s.noisy:
        return "unclear"
    if s.reached:
        return "good"
    if s.open and s.hopeless:
        return "too weak" if s.falling else "wrong method"
    if s.open and s.mostly_there:
        return "good"
    if s.falling:
        return "more data"
    if s.open:
        return "overfit"
    return "good" if s.target is None and not s.high else "too weak"
