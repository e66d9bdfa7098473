"""What templates need beside the records: values of any kind in words, and the numbers behind the slider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.study.numbers import code, number, percent, span
from suffice.study.sections import Claim, Classes, Compared, Interval, ModelComparison, Tile

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

MOST = 100  # rows of a table on the page; result.json has all
MOST_OPEN = 20  # rows of a table that is not folded
SHOWN_FINDINGS = 6  # of one severity, before the others are folded
FEW = 7  # values of a grid in full


def value(x: Any) -> str:
    """A parameter, option or number in a few letters."""
    if isinstance(x, bool | np.bool_) or x is None:
        return {True: "yes", False: "no"}.get(x if x is None else bool(x), "none")  # type: ignore[arg-type]
    if isinstance(x, int | float | np.integer | np.floating):
        return number(float(x))
    if isinstance(x, tuple | list):
        return _listed([value(v) for v in x])
    return str(x)


def setting(x: Any) -> str:
    """An option or a parameter as it would be typed, without zeros at its end: 0.95, 10,000."""
    if isinstance(x, tuple | list):
        return _listed([setting(v) for v in x])
    if isinstance(x, float | np.floating) and 1e-4 <= abs(float(x)) < 1e4:
        return f"{float(x):.4g}".replace("-", "−")
    return value(x)


def ends(column: Any) -> str:
    """The least, the middle and the largest value of a column of numbers; identifiers and codes without commas."""
    show = code if column.scale == "nominal" or column.role == "not used" else number
    return " … ".join(show(x) for x in (column.min, column.median, column.max))


def counted(n: float, noun: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{number(n)} {noun}" if n == 1 else f"{number(n)} {noun}s"


def _listed(words: Sequence[str]) -> str:
    if len(words) <= FEW:
        return ", ".join(words)
    return f"{words[0]}, {words[1]}, … {words[-1]} ({len(words)} values)"


def show_interval(interval: tuple[float, float], estimate: float | None = None) -> str:
    """An interval, or a dash where the model states none; a weight of exactly zero without one was dropped."""
    if np.isfinite(interval).all():
        return span(interval)
    return "dropped" if estimate == 0 else span(None)


def tiles(result: StudyResult) -> tuple[Tile, ...]:
    """The tiles of the answer, with the interval of each number that has one."""
    if result.comparison is None:
        return result.answer.tiles
    level, found = percent(result.comparison.confidence), intervals(result)
    return tuple(
        replace(t, detail=f"{level} interval {found[t.name]}; {t.detail}")
        if t.name in found and "interval" not in t.detail
        else t
        for t in result.answer.tiles
    )


def intervals(result: StudyResult) -> dict[str, str]:
    """Intervals of the best model's headline numbers, by the names of their tiles."""
    c, p = result.comparison, result.predictive
    if c is None:
        return {}
    best, found = c.of(c.best), {}
    if c.loss == "squared" and best.interval is not None:
        low, high = (float(np.sqrt(max(end, 0.0))) for end in best.interval)
        found["typical error"] = span((low, high))
    if isinstance(p, Classes) and p.accuracy_interval is not None:
        found["accuracy"] = shares(p.accuracy_interval)
    if isinstance(p, Classes) and p.auc_interval is not None:
        found["area under the ROC curve"] = span(p.auc_interval)
    if best.coverage is not None and best.coverage_interval is not None:
        name = next((t.name for t in result.answer.tiles if t.name.startswith("of rows inside")), "")
        found[name] = shares(best.coverage_interval)
    return found


def shares(interval: tuple[float, float]) -> str:
    """An interval of a share, in per cent."""
    return f"{percent(interval[0], 1)} to {percent(interval[1], 1)}"


def parameters(params: Mapping[str, Any]) -> str:
    """`name = value` of each."""
    return "; ".join(f"{name} = {setting(x)}" for name, x in params.items())


# -- the tests of the comparison -------------------------------------------------------------------------------
def corrected(d: Claim | None) -> float | None:
    """The p-value of a comparison of two models, corrected for the number of comparisons; None without a test."""
    return None if d is None else d.p_value


def to_baseline(m: Compared) -> tuple[float, Interval | None] | None:
    """By how much the loss of a model is above that of the baseline, with its interval; None of the baseline itself."""
    d = m.to_baseline
    return None if d is None else (d.lead(m.name), d.lead_interval(m.name))


def each_against(c: ModelComparison) -> list[str]:
    """Sentences about every model: against the baseline, and against the chosen one."""
    pairs = [[d.sentence for d in (m.to_baseline, m.to_best) if d is not None] for m in c.models]
    return list(dict.fromkeys(sentence for both in pairs for sentence in both))


def how_tested(c: ModelComparison) -> str:
    """Which folds, and what is claimed of what."""
    return (
        f"The models were judged on {c.splits}, and their parameters chosen by {c.inner} folds inside each training "
        f"part. {c.why}"
    )


def thresholds(result: StudyResult) -> dict[str, Any] | None:
    """What the slider moves through, and where it starts; None without two classes."""
    p = result.predictive
    if not isinstance(p, Classes) or p.thresholds is None or not len(p.thresholds.threshold):
        return None
    t = p.thresholds
    at = int(np.argmin(np.abs(np.asarray(t.threshold, dtype=float) - t.start)))
    columns = {
        "t": t.threshold,
        "tp": t.true_positive,
        "fp": t.false_positive,
        "tn": t.true_negative,
        "fn": t.false_negative,
    }
    data = {name: [round(float(v), 6) for v in column] for name, column in columns.items()}
    first = {name: column[at] for name, column in data.items()}
    return {"data": data, "at": at, "first": first, "rates": rates(first), "last": len(data["t"]) - 1}


def rates(cells: Mapping[str, float]) -> dict[str, float | None]:
    """Accuracy, precision and recall of the positive class, and false alarms among the others."""

    def share(part: float, whole: float) -> float | None:
        return part / whole if whole else None

    tp, fp, tn, fn = (cells[k] for k in ("tp", "fp", "tn", "fn"))
    return {
        "accuracy": share(tp + tn, tp + fp + tn + fn),
        "precision": share(tp, tp + fp),
        "recall": share(tp, tp + fn),
        "false alarms": share(fp, fp + tn),
    }
