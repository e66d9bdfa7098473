"""What templates need beside the records: values of any kind in words, and the numbers behind the slider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.study.numbers import number, span
from suffice.study.sections import Classes

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

MOST = 100  # rows of a table on the page; result.json has all
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


def _listed(words: Sequence[str]) -> str:
    if len(words) <= FEW:
        return ", ".join(words)
    return f"{words[0]}, {words[1]}, … {words[-1]} ({len(words)} values)"


def known(interval: tuple[float, float]) -> str:
    """An interval, or a dash where the model states none."""
    return span(interval if np.isfinite(interval).all() else None)


def parameters(params: Mapping[str, Any]) -> str:
    """`name = value` of each."""
    return "; ".join(f"{name} = {value(x)}" for name, x in params.items())


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
