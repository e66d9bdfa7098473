r"""Measures of a table of counts: of all classes, of one class against the rest, and means over classes.

`TableMeasures` has no state of its own: it reads `table`, `labels`, `positive` and `confidence` of the record.
"""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_choice, check_number
from suffice._core.proportions import jeffreys
from suffice.evaluation.findings import Measured
from suffice.evaluation.measures import _forms
from suffice.evaluation.measures._intervals import (
    CORRELATION,
    UNIT,
    delta,
    proportion,
    square_and_add,
    undefined,
)
from suffice.evaluation.measures.per_class import PerClass

RATES: dict[str, tuple[str, str]] = {  # m and what joins it to make n, among the cells of a class and the rest
    "tpr": ("tp", "fn"), "fnr": ("fn", "tp"), "fpr": ("fp", "tn"), "tnr": ("tn", "fp"),
    "precision": ("tp", "fp"), "npv": ("tn", "fn"),
}  # fmt: skip
ALIASES = {"sensitivity": "tpr", "recall": "tpr", "specificity": "tnr"}


def _cell(name: str, meaning: str) -> property:
    """A count of the positive class, or of every class against the rest."""
    return property(lambda self: self._cells()[name], doc=meaning)


def _rate(name: str, meaning: str) -> property:
    """A share of these counts, with its interval."""
    return property(lambda self: self._share(*RATES[name], name), doc=meaning)


class TableMeasures(ABC):
    """What can be measured of a table; the record adds the table. Adds no state."""

    table: np.ndarray
    labels: np.ndarray
    positive: Any
    confidence: float

    # -- the table ----------------------------------------------------------------------------------------------
    @property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        return float(self.table.sum())

    def transpose(self) -> np.ndarray:
        """Rows predicted, columns true, as FCML Table 5.2 prints it; `labels=[1, 0]` puts TP first."""
        return self.table.T

    tp = _cell("tp", "Rows of the class that were predicted so.")
    fn = _cell("fn", "Rows of the class that were predicted otherwise.")
    fp = _cell("fp", "Rows of other classes that were predicted as this one.")
    tn = _cell("tn", "Rows of other classes that were predicted as such.")

    def _cells(self) -> dict[str, Any]:
        """The four cells of the positive class, or of every class against the rest."""
        cells = _against_rest(self.table)
        k = self._positive_index()
        return cells if k is None else {name: float(v[k]) for name, v in cells.items()}

    def _positive_index(self) -> int | None:
        listed = self.labels.tolist()
        if self.positive is not None:
            return listed.index(self.positive)
        if len(listed) > 2:
            return None
        if len(listed) == 1:
            raise InvalidParameter(
                f"Only the class {listed[0]!r} occurs; name both with labels=[...] and positive=... "
                "to measure one against the other."
            )
        raise InvalidParameter(
            f"positive must say which of {listed[0]!r} and {listed[1]!r} is the positive class; got None."
        )

    # -- all classes --------------------------------------------------------------------------------------------
    @property
    def accuracy(self) -> Measured:
        """The share of rows that are right."""
        return proportion(float(np.trace(self.table)), self.n, self.confidence)

    @property
    def error(self) -> Measured:
        """The share of rows that are wrong."""
        return proportion(self.n - float(np.trace(self.table)), self.n, self.confidence)

    @property
    def scaled_accuracy(self) -> Measured:
        """Mean recall: what accuracy would be if all classes had as many rows. NaN when a class has none."""
        sizes = self.table.sum(axis=1)
        if not sizes.all() or len(sizes) < 2:
            empty = self.labels[sizes == 0].tolist()
            return undefined(
                self.confidence, f"0/0: no rows of {', '.join(map(repr, empty)) or 'a second class'}"
            )
        return _mean(np.diag(self.table), sizes, self.confidence)

    @property
    def kappa(self) -> Measured:
        """Agreement beyond what the margins give by chance (Cohen)."""
        return delta(_forms.kappa, self.table, self.confidence, CORRELATION)

    @property
    def matthews(self) -> Measured:
        """The correlation of truth and prediction; NaN when either is constant."""
        return delta(_forms.matthews, self.table, self.confidence, CORRELATION)

    # -- one class ----------------------------------------------------------------------------------------------
    tpr = _rate("tpr", "TP/(TP + FN).")
    fpr = _rate("fpr", "FP/(FP + TN).")
    tnr = _rate("tnr", "TN/(TN + FP).")
    fnr = _rate("fnr", "FN/(FN + TP).")
    precision = _rate("precision", "TP/(TP + FP): how often an alarm is right.")
    npv = _rate("npv", "TN/(TN + FN): how often the absence of an alarm is right.")

    recall = sensitivity = tpr
    specificity = tnr

    @property
    def prevalence(self) -> Any:
        """The share of rows whose true class it is."""
        cells = self._cells()
        return self._proportion("prevalence", cells["tp"] + cells["fn"], np.full_like(cells["tp"], self.n))

    @property
    def f1(self) -> Any:
        """The harmonic mean of precision and recall."""
        cells = self._cells()
        shared = self._proportion("f1", cells["tp"], cells["tp"] + cells["fp"] + cells["fn"])
        return _as_f1(shared)

    @property
    def youden(self) -> Any:
        """TPR − FPR: 0 for a coin, 1 for perfection."""
        k = self._positive_index()
        if k is None:
            raise InvalidParameter(
                f"Youden's index is for two classes; give positive= one of {self.labels.tolist()}."
            )
        m, n = np.array([self.tp, self.fp]), np.array([self.tp + self.fn, self.fp + self.tn])
        if not n.all():
            return undefined(self.confidence)
        return square_and_add([1.0, -1.0], m, n, self.confidence, (-1.0, 1.0))

    def f_beta(self, beta: float = 1.0) -> Any:
        """(1 + β²) PR/(β² P + R) of precision P and recall R; recall weighs β times as much."""
        if check_number("beta", beta, low=0.0, strict=True) == 1.0:
            return self.f1
        k = self._positive_index()
        values = [self._f_beta(j, beta) for j in (range(len(self.labels)) if k is None else (k,))]
        return values[0] if k is not None else self._per_class(f"f{beta:g}", values)

    def _f_beta(self, k: int, beta: float) -> Measured:
        return delta(lambda p: _forms.f_beta(p, k, beta), self.table, self.confidence, UNIT)

    def _share(self, cell: str, other: str, name: str) -> Any:
        cells = self._cells()
        return self._proportion(name, cells[cell], cells[cell] + cells[other])

    def _proportion(self, name: str, m: Any, n: Any) -> Any:
        if not np.ndim(m):
            return proportion(m, float(n), self.confidence)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = m / n
        return PerClass(
            name, self.labels, values, *jeffreys(m, n, self.confidence), self.confidence, "Jeffreys"
        )

    def _per_class(self, name: str, values: list[Measured]) -> PerClass:
        ends = np.array([v.interval or (np.nan, np.nan) for v in values])
        return PerClass(
            name,
            self.labels,
            np.array(values, dtype=float),
            ends[:, 0],
            ends[:, 1],
            self.confidence,
            "delta method",
        )

    # -- means over classes -------------------------------------------------------------------------------------
    def macro(self, name: str) -> Measured:
        """The plain mean over classes of a rate or of f1, each against the rest; classes without one are left out."""
        if name in ("f1", "f_beta"):
            some = np.flatnonzero(self.table.sum(axis=1) + self.table.sum(axis=0)).tolist()
            return delta(lambda p: _forms.macro_f_beta(p, some, 1.0), self.table, self.confidence, UNIT)
        m, n = self._pairs(name)
        return _mean(m[n > 0], n[n > 0], self.confidence) if n.any() else undefined(self.confidence)

    def micro(self, name: str) -> Measured:
        """The rate of all classes' cells added up: a row is wrong for two classes and right for the others.

        Precision, recall and f1 are then the accuracy, false positives the error shared among the other classes.
        """
        check_choice("name", ALIASES.get(name, name), (*RATES, "f1"))
        error, others = self.error, max(len(self.labels) - 1, 1)
        shares = 1.0 / others if ALIASES.get(name, name) in ("fpr", "tnr", "npv") else 1.0
        value, low, high = (shares * v for v in (float(error), *(error.interval or (np.nan, np.nan))))
        if name not in ("fpr", "fnr"):
            value, low, high = 1 - value, 1 - high, 1 - low
        return Measured(value, (low, high), self.confidence, "Jeffreys")

    def _pairs(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        rate = ALIASES.get(name, name)
        check_choice("name", rate, tuple(RATES))
        cells = _against_rest(self.table)
        m, other = (cells[cell] for cell in RATES[rate])
        return m, m + other


def _against_rest(table: np.ndarray) -> dict[str, np.ndarray]:
    tp, true, predicted = np.diag(table), table.sum(axis=1), table.sum(axis=0)
    return {"tp": tp, "fn": true - tp, "fp": predicted - tp, "tn": table.sum() - true - predicted + tp}


def _mean(m: np.ndarray, n: np.ndarray, confidence: float) -> Measured:
    return square_and_add(np.full(len(n), 1 / len(n)), m, n, confidence, (0.0, 1.0))


def _as_f1(shared: Any) -> Any:
    """F = 2 q/(1 + q) of q = TP/(TP + FP + FN): increasing, so the ends of the interval move with it."""
    if isinstance(shared, Measured):
        ends = None if shared.interval is None else (_to_f1(shared.interval[0]), _to_f1(shared.interval[1]))
        return Measured(_to_f1(float(shared)), ends, shared.confidence, shared.method)
    values, low, high = (_to_f1(v) for v in (shared.values, shared.low, shared.high))
    return PerClass("f1", shared.labels, values, low, high, shared.confidence, shared.method)


def _to_f1(q: Any) -> Any:
    return 2 * q / (1 + q)
