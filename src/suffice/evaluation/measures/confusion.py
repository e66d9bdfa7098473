r"""Counts of true against predicted labels, and what follows from them (DTU §16.1, FCML §5.4, DTU §8.2.1).

Table          n_ij = rows of true class i that were predicted as j          (rows true, as in scikit-learn)
Rates          TPR = TP/(TP + FN)   FPR = FP/(FP + TN)   precision = TP/(TP + FP)      (DTU 16.4, 16.5; FCML 5.20, 5.21)
Scaled         mean over classes of n_ii/n_i·; for two classes TP/2N⁺ + TN/2N⁻         (DTU §16.1.2)
Weighted       w₁ TP + w₂ FN + w₃ FP + w₄ TN                                           (DTU 16.3)

A rate is m of n: the frequency m/n with a Jeffreys interval. A class against the rest makes four cells of any table.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, check_fraction
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice.evaluation.findings import Measured, percent, words
from suffice.evaluation.measures._intervals import proportion, student
from suffice.evaluation.measures._labels import (
    check_lengths,
    check_weights,
    encode,
    label_array,
    pick_positive,
)
from suffice.evaluation.measures._render import html_table, text_table
from suffice.evaluation.measures._table import TableMeasures
from suffice.evaluation.measures.gallery import average_ranks, check_k, open_scores

MOST_CLASSES = 10_000
SUMMARY = ("accuracy", "error", "scaled_accuracy", "kappa", "matthews")
OF_A_CLASS = ("tpr", "fpr", "tnr", "fnr", "precision", "npv", "f1", "prevalence")


@record
class Confused:
    """Rows of one class taken for another: how many, and which share of their true class."""

    true: Any
    predicted: Any
    count: float
    share: Measured

    def __repr__(self) -> str:
        return f"{self.true!r} taken for {self.predicted!r}: {self.count:g} ({words(self.share, self.share.interval)})"


@record
class Confusion(TableMeasures):
    """True against predicted labels: every measure of it is a `Measured`, a number with an interval.

    Measures of one class (`tpr`, `precision`, `f1` …) refer to `positive`. With more than two classes and no positive
    one they are a `PerClass`, each class against the rest. Without rows to measure it is NaN and has no interval.

    Notes
    -----
    Proportions have Jeffreys intervals, `f1` too: TP given TP + FP + FN is binomial. They hold their level on average
    over the prior; at a single rate near 0 or 1 they cover 91 to 99 %. `scaled_accuracy`, `youden` and macro means of
    rates add those of the classes in squares; `kappa`, `matthews`, `f_beta` and its macro mean use the delta method on
    a scale without edges, half a row spread over the table. Measured for these: 93 to 97 % from 100 rows on where
    five or more mistakes are expected, 92 % where two or three are (1,500 tables or more each). Weights are counts.
    """

    table: np.ndarray
    labels: np.ndarray
    positive: Any = None
    confidence: float = 0.95
    ranks: np.ndarray | None = None

    # -- made from counts ---------------------------------------------------------------------------------------
    @classmethod
    def of_table(
        cls,
        table: Any,
        labels: Any = None,
        *,
        rows: str = "true",
        positive: Any = None,
        confidence: float = 0.95,
    ) -> Self:
        """From a printed table; `rows="predicted"` for texts that lay it out the other way."""
        check_choice("rows", rows, ("true", "predicted"))
        counts = _counts(table)
        names = np.arange(len(counts)) if labels is None else _class_names(labels, len(counts))
        counts = counts if rows == "true" else counts.T
        return cls(
            frozen_array(counts),
            names,
            pick_positive(names, positive),
            check_fraction("confidence", confidence),
        )

    @classmethod
    def of_counts(cls, tp: float, fn: float, fp: float, tn: float, *, confidence: float = 0.95) -> Self:
        """From the four cells of two classes, 1 the positive one.

        >>> from suffice.evaluation import Confusion
        >>> Confusion.of_counts(tp=12, fn=69, fp=10, tn=215).precision
        0.545 [0.343, 0.737]
        """
        return cls.of_table([[tn, fp], [fn, tp]], [0, 1], confidence=confidence)

    def __add__(self, other: Confusion) -> Confusion:
        """Rows of both, such as those of two folds."""
        if not isinstance(other, Confusion):
            return NotImplemented
        if self.labels.tolist() != other.labels.tolist() or self.positive != other.positive:
            raise InvalidInput(
                f"Tables add when their classes are the same; got {self.labels.tolist()} and {other.labels.tolist()}. "
                "Give both the same labels=."
            )
        ranks = None if self.ranks is None or other.ranks is None else self.ranks + other.ranks
        table = frozen_array(self.table + other.table)
        return Confusion(table, self.labels, self.positive, self.confidence, ranks)

    # -- mistakes and their price -------------------------------------------------------------------------------
    def most_confused(self, k: int = 5) -> tuple[Confused, ...]:
        """The largest cells off the diagonal."""
        wrong = self.table - np.diag(np.diag(self.table))
        order = np.argsort(-wrong, axis=None, kind="stable")[:k]
        names, sizes = self.labels.tolist(), self.table.sum(axis=1)
        cells = [
            (i, j) for i, j in zip(*np.unravel_index(order, wrong.shape), strict=True) if wrong[i, j] > 0
        ]
        return tuple(
            Confused(
                names[i], names[j], float(wrong[i, j]), proportion(wrong[i, j], sizes[i], self.confidence)
            )
            for i, j in cells
        )

    def weighted(self, weights: Any, *, average: bool = False) -> Measured:
        """What all rows are worth (eq. 16.3): (w₁, w₂, w₃, w₄) for TP, FN, FP, TN, or a table laid out as this one.

        The interval is Student's t of the worth per row, times the number of rows; `average=True` leaves it per row.
        It needs many rows of every outcome whose weight stands out.
        """
        worth = self._worth(weights)
        mean = float((self.table * worth).sum() / self.n)
        variance = float((self.table * (worth - mean) ** 2).sum() / max(self.n - 1, 1.0))
        times = 1.0 if average else self.n
        interval = student(mean, variance, self.n, self.confidence)
        scaled = None if interval is None else (times * interval[0], times * interval[1])
        return Measured(times * mean, scaled, self.confidence, "Student t")

    def _worth(self, weights: Any) -> np.ndarray:
        worth = np.asarray(weights, dtype=float)
        if not np.isfinite(worth).all():
            raise InvalidParameter(f"weights must be finite; got {weights!r}.")
        if worth.shape == self.table.shape:
            return worth
        if worth.shape != (4,) or len(self.labels) != 2:
            raise InvalidParameter(
                f"weights must be four numbers for TP, FN, FP, TN of two classes or a table of shape "
                f"{self.table.shape}; got shape {worth.shape} for {len(self.labels)} classes."
            )
        w = worth.reshape(2, 2)
        return w if self._positive_index() == 0 else w[::-1, ::-1]

    def top_k(self, k: int) -> Measured:
        """How often the true class is among the k best-scored; needs `confusion(y, scores=...)`."""
        if self.ranks is None:
            raise InvalidParameter(
                "top_k needs the scores of all classes: make the table with confusion(y, scores=...)."
            )
        check_k(k, len(self.labels))
        return proportion(float(self.ranks[:k].sum()), self.n, self.confidence)

    # -- words --------------------------------------------------------------------------------------------------
    @property
    def sentence(self) -> str:
        """Accuracy in words."""
        right = float(np.trace(self.table))
        low, high = self.accuracy.interval or (np.nan, np.nan)
        return (
            f"{right:g} of {self.n:g} rows are right: accuracy {float(self.accuracy):.3f}, {percent(self.confidence)} "
            f"interval [{low:.3f}, {high:.3f}]."
        )

    def frame(self, kind: str = "pandas") -> Any:
        """The table: one row per true class, one column per predicted one."""
        columns = {
            "true": self.labels,
            **{str(c): self.table[:, j] for j, c in enumerate(self.labels.tolist())},
        }
        return to_frame(columns, kind)

    def measures(self, kind: str = "pandas") -> Any:
        """Every measure with its interval, long: label, measure, value, low, high; label None for all classes."""
        rows = [(None, name, getattr(self, name)) for name in SUMMARY]
        k = self._positive_index() if len(self.labels) > 1 else 0
        for name in OF_A_CLASS if len(self.labels) > 1 else ():
            found = getattr(self, name)
            several = zip(self.labels.tolist(), found, strict=True) if k is None else [(self.positive, found)]
            rows += [(label, name, value) for label, value in several]
        ends = [m.interval or (np.nan, np.nan) for _, _, m in rows]
        columns = {
            "label": [None if label is None else str(label) for label, _, _ in rows],
            "measure": [name for _, name, _ in rows],
            "value": [float(m) for _, _, m in rows],
            "low": [low for low, _ in ends], "high": [high for _, high in ends],
        }  # fmt: skip
        return to_frame(columns, kind)

    def __str__(self) -> str:
        return f"{self.sentence}\n{text_table(self.table, self.labels.tolist())}"

    def __repr__(self) -> str:
        return f"<Confusion: {self.sentence}>"

    def _repr_html_(self) -> str:
        return f"<p>{self.sentence}</p>{html_table(self.table, self.labels.tolist())}"


def confusion(
    y: Any,
    yhat: Any = None,
    *,
    scores: Any = None,
    labels: Any = None,
    positive: Any = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> Confusion:
    """True against predicted labels: a table, and every measure that follows from it with its interval.

    Parameters
    ----------
    y
        True labels: strings, booleans or whole numbers.
    yhat
        Predicted labels.
    scores
        Instead of `yhat`: a table with one column per class; the largest is the prediction, the first of several.
        Then `top_k` is there too.
    labels
        The classes in the order wanted; those of `y` and `yhat`, sorted, if left out. May list classes without rows.
    positive
        The class that rates refer to. For True/False, 0/1 and −1/1 the larger one.
    sample_weight
        How often each row counts.
    confidence
        Level of every interval.

    Examples
    --------
    >>> from suffice.evaluation import confusion
    >>> found = confusion([1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 1])
    >>> print(found)
    6 of 8 rows are right: accuracy 0.750, 95 % interval [0.408, 0.944].
    true\\predicted  0  1
                 0  4  1
                 1  1  2
    >>> found.tpr, found.fpr, found.scaled_accuracy
    (0.667 [0.177, 0.961], 0.2 [0.0225, 0.629], 0.733 [0.408, 0.905])
    """
    level = check_fraction("confidence", confidence)
    true = label_array("y", y)
    if (yhat is None) == (scores is None):
        raise InvalidParameter("Give either yhat, the predicted labels, or scores, one column per class.")
    if scores is not None:
        return _from_scores(true, scores, labels, positive, sample_weight, level)
    predicted = label_array("yhat", yhat)
    n = check_lengths(y=true, yhat=predicted)
    classes, (i, j) = encode(labels, y=true, yhat=predicted)
    table = _tabulate(i, j, check_weights(sample_weight, n), len(classes))
    return Confusion(table, classes, pick_positive(classes, positive), level)


def _from_scores(
    true: np.ndarray, scores: Any, labels: Any, positive: Any, sample_weight: Any, level: float
) -> Confusion:
    classes, codes, values = open_scores(true, scores, labels)
    weight = check_weights(sample_weight, len(true))
    table = _tabulate(codes, np.argmax(values, axis=1), weight, len(classes))
    ranks = frozen_array(average_ranks(codes, values, weight))
    return Confusion(table, classes, pick_positive(classes, positive), level, ranks)


def _tabulate(i: np.ndarray, j: np.ndarray, weight: np.ndarray | None, k: int) -> np.ndarray:
    if k > MOST_CLASSES:
        raise InvalidInput(f"y and yhat hold {k} classes, too many for a table; are they labels?")
    return frozen_array(np.bincount(i * k + j, weight, minlength=k * k).reshape(k, k))


def _counts(table: Any) -> np.ndarray:
    counts = np.asarray(table, dtype=float)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or not counts.size:
        raise InvalidInput(f"table must be square, one row and column per class; got shape {counts.shape}.")
    if not np.isfinite(counts).all() or (counts < 0).any() or not counts.any():
        raise InvalidInput(f"table must hold counts >= 0, some of them positive; got {counts.tolist()}.")
    return counts


def _class_names(labels: Any, n: int) -> np.ndarray:
    names = label_array("labels", labels)
    if len(names) != n or len(set(names.tolist())) != n:
        raise InvalidParameter(f"labels must name {n} classes, each once; got {names.tolist()}.")
    return np.array(names.tolist())
