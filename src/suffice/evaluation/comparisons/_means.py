"""What a mean of losses says, in one record and one sentence: shared by the tests of both setups."""

from __future__ import annotations

import numpy as np

from suffice._core.records import record
from suffice.evaluation.comparisons._inputs import Interval, counted
from suffice.evaluation.comparisons._student import MeanPosterior
from suffice.evaluation.findings import Finding, chance, leader, number, percent


@record(repr=True)
class Setting:
    """What the values are (rows or splits), how many are enough, and for whom the conclusion holds."""

    scope: str
    unit: str
    enough: int
    assumptions: tuple[str, ...]


def describe_mean(
    m: MeanPosterior, level: float, setting: Setting, test: str, name: str, loss: str
) -> Finding:
    """The mean loss of one model; without an interval where nothing varies."""
    interval = m.interval(level) if 0 < m.scale < np.inf else None
    effect = f"{name} has a mean {_loss(loss)} of {number(m.center)}"
    sentence = f"{effect}{_spread(interval, level)} (n = {counted(size(m), setting.unit)}), {setting.scope}."
    return Finding(
        test, m.center, interval, sentence, level, n=size(m), assumptions=setting.assumptions, notes=doubts(m, setting)
    )  # fmt: skip


def describe_difference(
    m: MeanPosterior, level: float, setting: Setting, test: str, names: tuple[str, str], loss: str
) -> Finding:
    """How the mean losses of two models differ; without interval and test where a difference never varies."""
    same, varies = m.scale == 0 and m.center == 0, 0 < m.scale < np.inf
    interval = m.interval(level) if varies or same else None
    p_value = m.p_value() if varies else 1.0 if same else None
    tested = "" if p_value is None else f", {test.removesuffix(' test').lower()} {chance(p_value)}"
    effect = difference_words(m.center, interval, level, names, loss)
    sentence = f"{effect} (n = {counted(size(m), setting.unit)}){tested}, {setting.scope}."
    return Finding(
        test, m.center, interval, sentence, level, p_value, m.statistic if varies else None, size(m),
        assumptions=setting.assumptions, notes=doubts(m, setting), loss_difference=m.center,
    )  # fmt: skip


def difference_words(
    center: float, interval: Interval | None, level: float, names: tuple[str, str], loss: str
) -> str:
    """The effect with its interval, as a size and a direction."""
    a, b = names
    if center == 0:
        return f"The mean {_loss(loss)} of {a} and {b} is the same{_spread(interval, level)}"
    if center < 0 and interval is not None:
        interval = -interval[1], -interval[0]
    way = "lower" if center < 0 else "higher"
    effect = f"The mean {_loss(loss)} of {a} is {way} than that of {b} by {number(abs(center))}"
    return f"{effect}{leader(center, names)}{_spread(interval, level)}"


def _spread(interval: Interval | None, level: float) -> str:
    if interval is None:
        return ""
    return f", {percent(level)} interval [{number(interval[0])}, {number(interval[1])}]"


def size(m: MeanPosterior) -> int:
    """How many values there were."""
    return int(m.dof) + 1


def doubts(m: MeanPosterior, setting: Setting) -> tuple[str, ...]:
    """What stands against a mean: few values, or none that differ."""
    n, notes = size(m), []
    if n == 1:
        return ("A single value shows no spread; there is no interval.",)
    if n < setting.enough:
        notes.append(
            f"{counted(n, setting.unit)} are few for a mean to be normal; take {setting.enough} or more."
        )
    if m.scale == 0 and m.center == 0:
        notes.append("All values are zero; the data show no difference at all.")
    elif m.scale == 0:
        notes.append("All values are equal; without spread there is no interval and no test.")
    return tuple(notes)


def _loss(loss: str) -> str:
    return loss if loss.endswith("loss") else f"{loss} loss"
