"""One case: what the library said, and numbers beside those of an honest loop.

A case is a function of a `Trial`, whose random numbers come from its seed alone. What the library does goes through
`ask`, which keeps its warnings and turns its errors into the end of the case; what an honest loop does goes through
`honest`; `same` holds both side by side. A difference beyond `TOLERANCE` of the scale that came without a warning is
*silent*, and a finding.
"""

from __future__ import annotations

import contextlib
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice._core.errors import NotConverged, SufficeError, SufficeWarning

TOLERANCE = 1e-6
DIGITS = (
    16 * np.finfo(float).eps
)  # what a column far from zero has lost before anybody computes with it, per mean and spread
WELL = 1e8  # scaled conditions up to which numbers must agree
NO_DIGITS = 0.1  # of a spread: rounding of such columns is all there is
OUTCOMES = (
    "same",
    "said",
    "refused",
    "skipped",
    "no loop",
    "known",
    "beyond",
    "silent",
    "crash",
    "slow",
    "broken",
)
FINDINGS = ("beyond", "silent", "crash", "slow", "broken")  # broken: the attack itself


class Skip(Exception):
    """The case asks for nothing: the model has no such road."""


class Refused(Exception):
    """The library raised an error of its own."""


class Crashed(Exception):
    """The library raised an error that it did not mean to."""


class NoLoop(Exception):
    """The honest loop itself failed, so there is nothing to compare with."""


@dataclass(frozen=True)
class Difference:
    """The worst place where two numbers that should be one are not; `size` is in units of the scale."""

    what: str
    size: float
    mine: float
    theirs: float

    def __str__(self) -> str:
        return f"{self.what}: {self.mine:.9g} instead of {self.theirs:.9g} ({self.size:.2g} of the scale)"


@dataclass
class Trial:
    """A case while it runs.

    `about` describes it in words; `condition` is the worst scaled one that it met, `far` the worst ratio of a column's
    mean to its spread: a column of 1e9 ± 1e-4 holds three digits, and no two sums agree on more.
    """

    kind: str
    seed: int
    rng: np.random.Generator
    about: list[Any] = field(default_factory=list)
    model: str = ""
    tame: bool = False  # plain tables, whose rounding hides no small error of a formula
    condition: float = 1.0
    far: float = 1.0
    checks: int = 0
    said: list[str] = field(default_factory=list)
    noise: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)

    @classmethod
    def of(cls, kind: str, seed: int, attempt: int = 0, tame: bool = False) -> Trial:
        """The trial of a number; a later attempt draws another table where the first asks for nothing, and
        another model unless it is tame."""
        rng = np.random.default_rng([seed, attempt, *kind.encode()])
        return cls(kind, seed + 7919 * attempt * (not tame), rng, tame=tame)

    # -- drawing ---------------------------------------------------------------------------------------
    def one(self, values: Any) -> Any:
        """Any one of a sequence."""
        values = list(values)
        return values[int(self.rng.integers(len(values)))]

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def note(self, *words: Any) -> None:
        """Words about the case, put together only where somebody reads them."""
        self.about.extend(words)

    def posed(self, ill: tuple[float, float]) -> None:
        """Keep the worst condition and distance from zero."""
        self.condition, self.far = max(self.condition, ill[0]), max(self.far, ill[1])

    def rounded(self) -> None:
        """The table was written again in other digits: an ill-posed problem answers that with its condition."""
        self.far *= max(1.0, self.condition)

    # -- asking ----------------------------------------------------------------------------------------
    def ask(self, f: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """What the library answers; its warnings are kept."""
        with self._listening():
            try:
                return f(*args, **options)
            except Exception as error:
                if meant(error):
                    raise Refused(f"{type(error).__name__}: {error}") from error
                raise Crashed(f"{type(error).__name__}: {error} ({place(error)})") from error

    @contextlib.contextmanager
    def _listening(self) -> Iterator[None]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                yield
            finally:
                for w in caught:
                    mine = issubclass(w.category, SufficeWarning)
                    (self.said if mine else self.noise).append(f"{w.category.__name__}: {w.message}")

    def honest(self, f: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """What a loop without short cuts answers; nobody listens to it."""
        with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            try:
                found = f(*args, **options)
            except Skip:
                raise
            except Exception as error:
                raise NoLoop(f"{type(error).__name__}: {error}") from error
        if any(issubclass(w.category, NotConverged) for w in caught):
            raise NoLoop("a fit of the loop did not converge, and said so")
        return found

    # -- comparing -------------------------------------------------------------------------------------
    def same(self, what: str, mine: Any, theirs: Any, unit: Any = 1.0) -> None:
        """Both are equal to `TOLERANCE` of `unit`; infinities and gaps must be in the same places."""
        self.checks += 1
        a, b = np.asarray(mine, dtype=float), np.asarray(theirs, dtype=float)
        if a.shape != b.shape:
            self.differences.append(Difference(f"shape of {what}", np.inf, a.size, b.size))
            return
        if not a.size:
            return
        with np.errstate(all="ignore"):
            gap = np.abs(a - b) / np.broadcast_to(np.asarray(unit, dtype=float), a.shape)
        gap = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.where(np.isnan(gap), np.inf, gap))
        at = int(np.argmax(gap))
        if gap.flat[at] > max(TOLERANCE, DIGITS * self.far) and DIGITS * self.far < NO_DIGITS:
            self.differences.append(
                Difference(what, float(gap.flat[at]), float(a.flat[at]), float(b.flat[at]))
            )

    def equal(self, what: str, mine: Any, theirs: Any) -> None:
        """Words, labels and whole numbers."""
        wrong = np.atleast_1d(np.asarray(mine) != np.asarray(theirs))
        self.same(what, wrong.astype(float), np.zeros(wrong.shape))

    @property
    def worst(self) -> Difference | None:
        return max(self.differences, key=lambda d: d.size, default=None)


def place(error: Exception) -> str:
    """The last lines of the library that an error came through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "suffice" in f.filename]
    return " > ".join(f"{f.filename.rpartition('suffice/')[2]}:{f.lineno}" for f in frames[-3:])


def meant(error: Exception) -> bool:
    """Whether an error is a sentence for users: one of the library's, or of scikit-learn about what it was given."""
    if isinstance(error, SufficeError):
        return True
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    return isinstance(error, ValueError | TypeError) and "sklearn" in last
