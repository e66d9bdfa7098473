r"""Counts from rates and back (DTU quiz 16.2).

FP = FPR · TN / (1 − FPR),   TP = TPR · (N − TN − FP),   FN = (N − TN − FP) − TP
"""

from __future__ import annotations

from typing import Any

from suffice._core.errors import InvalidInput, InvalidParameter, check_number
from suffice._core.records import record
from suffice.evaluation.measures.confusion import Confusion


@record
class ConfusionCounts:
    """The four cells of two classes; not whole when they were worked out from rounded rates."""

    tp: float
    fn: float
    fp: float
    tn: float

    @property
    def n(self) -> float:
        """All rows."""
        return self.tp + self.fn + self.fp + self.tn

    def confusion(self, *, confidence: float = 0.95) -> Confusion:
        """The table with all its measures."""
        return Confusion.of_counts(self.tp, self.fn, self.fp, self.tn, confidence=confidence)


def counts_from_rates(n: float, tn: float, tpr: float, fpr: float) -> ConfusionCounts:
    """The four cells behind printed rates.

    Parameters
    ----------
    n
        All rows.
    tn
        True negatives.
    tpr, fpr
        Rates of true and false positives; a false-positive rate of 1 leaves no true negatives to start from.

    Examples
    --------
    Quiz 16.2:

    >>> from suffice.evaluation import counts_from_rates
    >>> print(f"{counts_from_rates(n=1000, tn=489, tpr=0.412, fpr=0.164).tp:.1f}")
    171.0
    """
    n, tn = check_number("n", n, low=0.0, strict=True), check_number("tn", tn, low=0.0)
    tpr, fpr = _rate("tpr", tpr), _rate("fpr", fpr)
    if fpr == 1 or (tn == 0 and fpr < 1):
        raise InvalidInput(
            f"tn={tn:g} and fpr={fpr:g} do not say how many negatives there are; this needs tn > 0 and fpr < 1."
        )
    fp = fpr * tn / (1 - fpr)
    positives = n - tn - fp
    if positives < -1e-9 * n:
        raise InvalidInput(f"tn={tn:g} and fpr={fpr:g} make {tn + fp:g} negatives, more than n={n:g} rows.")
    positives = max(positives, 0.0)
    return ConfusionCounts(tpr * positives, (1 - tpr) * positives, fp, tn)


def rates_from_counts(tp: float, fn: float, fp: float, tn: float) -> dict[str, float]:
    """The arguments of `counts_from_rates` that lead to these cells.

    Examples
    --------
    >>> from suffice.evaluation import counts_from_rates, rates_from_counts
    >>> rates = rates_from_counts(tp=12, fn=69, fp=10, tn=215)
    >>> counts_from_rates(**rates)
    ConfusionCounts(tp=12, fn=69, fp=10, tn=215)
    """
    cells = Confusion.of_counts(tp, fn, fp, tn)
    return {"n": cells.n, "tn": cells.tn, "tpr": float(cells.tpr), "fpr": float(cells.fpr)}


def _rate(name: str, value: Any) -> float:
    number = check_number(name, value, low=0.0)
    if number > 1:
        raise InvalidParameter(f"{name} must lie in [0, 1]; got {value!r}.")
    return number
