"""What a test or an interval says: an effect with its uncertainty first, a p-value second, and a sentence.

`Finding`    the answer of a test: every one has the same shape, so that a report can print any
`Measured`   a number that knows how uncertain it is
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Self

from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice._core.showing import WithRemarks


@record
class Finding(WithRemarks):
    """An effect, its interval, a p-value where there is a test, and one sentence a paper could print.

    `estimate` is the effect in the units of the data; `interval` is at level `confidence`. `statistic` is what the
    p-value belongs to. `assumptions` say what the sentence relies on, `notes` what is doubtful here (few rows, clipped
    values), printed below the sentence. `observed` is the plain frequency where the estimate is a posterior mean.

    Of two models, `estimate` is what the texts have: a difference of accuracies or areas, or one of losses.
    `loss_difference` is loss A − loss B whatever the test, and `favours` says who is ahead by it.
    """

    name: str
    estimate: float
    interval: tuple[float, float] | None
    sentence: str
    confidence: float = 0.95
    p_value: float | None = None
    statistic: float | None = None
    n: int | None = None
    observed: float | None = None
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    loss_difference: float | None = None

    @property
    def favours(self) -> str | None:
        """Of two models the one with the smaller loss, "A" or "B", significant or not; None where none is ahead."""
        return ahead(self.loss_difference)

    def frame(self, kind: str = "pandas") -> Any:
        """One row."""
        low, high = self.interval or (float("nan"), float("nan"))
        columns = {
            "name": [self.name], "estimate": [self.estimate], "low": [low], "high": [high],
            "confidence": [self.confidence], "p_value": [self.p_value], "statistic": [self.statistic], "n": [self.n],
        }  # fmt: skip
        return to_frame(columns, kind)


class Measured(float):
    """A number with an interval: it computes and compares as the number.

    Examples
    --------
    >>> from suffice.evaluation import Measured
    >>> accuracy = Measured(0.75, (0.41, 0.94), method="Jeffreys")
    >>> accuracy + 0, accuracy.interval, accuracy
    (0.75, (0.41, 0.94), 0.75 [0.41, 0.94])
    """

    interval: tuple[float, float] | None
    confidence: float
    method: str

    def __new__(
        cls, value: float, interval: tuple[float, float] | None, confidence: float = 0.95, method: str = ""
    ) -> Self:
        self = super().__new__(cls, value)
        self.interval, self.confidence, self.method = interval, confidence, method
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return float(self), self.interval, self.confidence, self.method

    def __repr__(self) -> str:
        return words(self, self.interval)

    __str__ = __repr__


# -- two models ---------------------------------------------------------------------------------------------
def ahead(loss_difference: float | None) -> str | None:
    """Whose loss is smaller, if anyone's is."""
    if loss_difference is None or not loss_difference:
        return None
    return "A" if loss_difference < 0 else "B" if loss_difference > 0 else None


def leader(loss_difference: float, names: tuple[str, str]) -> str:
    """The same as a remark for a sentence, by name."""
    found = ahead(loss_difference)
    return "" if found is None else f", so {names[found == 'B']} is ahead"


# -- words ----------------------------------------------------------------------------------------------------
def number(value: float, digits: int = 3) -> str:
    """A number as a paper prints it.

    >>> number(0.123456), number(1234.5678), number(0.00001234), number(4e150), number(float("inf"))
    ('0.123', '1235', '1.23e-05', '4e+150', 'inf')
    """
    if not isfinite(value) or value == 0:
        return f"{value:g}"
    return f"{value:.0f}" if 10**digits <= abs(value) < 1e7 else f"{value:.{digits}g}"


def words(value: float, interval: tuple[float, float] | None) -> str:
    """A number and its interval."""
    if interval is None:
        return number(value)
    return f"{number(value)} [{number(interval[0])}, {number(interval[1])}]"


def chance(p: float) -> str:
    """A p-value as a paper prints it.

    >>> chance(0.04138), chance(0.00004), chance(1.0)
    ('p = 0.041', 'p < 0.001', 'p = 1')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def percent(level: float) -> str:
    """A level of confidence.

    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * level:g} %"
