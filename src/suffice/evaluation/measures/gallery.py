"""Which rows are wrong (DTU §7.3.2, Fig. 7.10), and how often the truth was among the best k.

A gallery of mistakes shows label noise: the mistakes a model is most sure of come first. Where labels are ambiguous,
a prediction is better judged by whether the truth is among its k best classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, check_fraction
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice.evaluation.findings import Measured
from suffice.evaluation.measures._intervals import proportion
from suffice.evaluation.measures._labels import check_lengths, check_weights, encode, label_array, numbers_of


@record
class Misclassified:
    """Row numbers of mistakes, the most confident first.

    `rows`, `true` and `predicted` are aligned; `certainty` is NaN where no scores were given, and then rows keep their
    order. `gallery[label]` holds the rows of one true class.
    """

    rows: np.ndarray
    true: np.ndarray
    predicted: np.ndarray
    certainty: np.ndarray
    classes: np.ndarray

    def __getitem__(self, label: Any) -> np.ndarray:
        if label not in self.classes.tolist():
            raise InvalidParameter(f"There is no class {label!r}; the classes are {self.classes.tolist()}.")
        return self.rows[self.true == label]

    def by_class(self) -> dict[Any, np.ndarray]:
        """Row numbers for every true class, an empty array where none is wrong."""
        return {label: self[label] for label in self.classes.tolist()}

    def frame(self, kind: str = "pandas") -> Any:
        """One row per mistake."""
        columns = {
            "row": self.rows,
            "true": self.true,
            "predicted": self.predicted,
            "certainty": self.certainty,
        }
        return to_frame(columns, kind)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        counts = ", ".join(f"{label!r}: {len(rows)}" for label, rows in self.by_class().items())
        return f"<Misclassified: {len(self)} rows ({counts})>"


def misclassified(y: Any, yhat: Any, confidence_scores: Any = None) -> Misclassified:
    """Rows whose prediction is wrong, by true class, the mistakes made with most confidence first.

    Parameters
    ----------
    y, yhat
        True and predicted labels.
    confidence_scores
        How sure the model was of each prediction: one number per row, or one column per class, of which the largest
        counts.

    Examples
    --------
    >>> from suffice.evaluation import misclassified
    >>> wrong = misclassified(list("aabbb"), list("abaab"), [0.9, 0.6, 0.7, 0.95, 0.8])
    >>> wrong["b"]
    array([3, 2])
    """
    true, predicted = label_array("y", y), label_array("yhat", yhat)
    n = check_lengths(y=true, yhat=predicted)
    classes, (i, j) = encode(None, y=true, yhat=predicted)
    certainty = np.full(n, np.nan) if confidence_scores is None else _certainty(confidence_scores, n)
    wrong = np.flatnonzero(i != j)
    wrong = wrong[np.argsort(-certainty[wrong], kind="stable")]
    return Misclassified(wrong, classes[i[wrong]], classes[j[wrong]], certainty[wrong], classes)


def _certainty(scores: Any, n: int) -> np.ndarray:
    array = np.asarray(scores)
    if array.ndim == 2 and array.shape[1]:
        array = array.max(axis=1)
    return numbers_of("confidence_scores", array, n)


def top_k(
    y: Any,
    scores: Any,
    k: int = 5,
    labels: Any = None,
    *,
    ties: str = "average",
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> Measured:
    """How often the true class is among the k best-scored, with a Jeffreys interval.

    Parameters
    ----------
    y
        True labels.
    scores
        One column per class.
    k
        How many classes may be named.
    labels
        The class of each column; the sorted classes of `y` if left out.
    ties
        "average": what breaking ties at random gives on average, k/C for constant scores; "last": later columns win,
        as in scikit-learn.
    sample_weight
        How often each row counts.
    confidence
        Level of the interval.

    Examples
    --------
    >>> from suffice.evaluation import top_k
    >>> top_k([0, 1, 2, 2], [[5, 3, 1], [3, 4, 1], [4, 3, 2], [1, 3, 2]], k=2)
    0.75 [0.284, 0.972]
    """
    check_choice("ties", ties, ("average", "last"))
    level = check_fraction("confidence", confidence)
    classes, codes, values = open_scores(label_array("y", y), scores, labels)
    check_k(k, len(classes))
    weight = check_weights(sample_weight, len(codes))
    ranks = (average_ranks if ties == "average" else _ranks_last)(codes, values, weight)
    return proportion(float(ranks[:k].sum()), float(ranks.sum()), level)


def check_k(k: Any, n_classes: int) -> None:
    """A whole number between 1 and the number of classes."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= n_classes:
        raise InvalidParameter(
            f"k must be a whole number from 1 to the number of classes, {n_classes}; got {k!r}."
        )


def open_scores(true: np.ndarray, scores: Any, labels: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes, codes of the truth, and finite scores with one column per class."""
    values = np.asarray(scores)
    if values.ndim != 2 or values.dtype.kind not in "biufO":
        raise InvalidInput(f"scores must be a table with one column per class; got shape {values.shape}.")
    values = values.astype(float)
    check_lengths(y=true, scores=values)
    if not np.isfinite(values).all():
        row, column = np.argwhere(~np.isfinite(values))[0].tolist()
        raise InvalidInput(f"scores must be finite; got {values[row, column]} at row {row}, column {column}.")
    classes, (codes,) = encode(labels, y=true)
    if len(classes) != values.shape[1]:
        raise InvalidInput(
            f"scores has {values.shape[1]} columns for {len(classes)} classes {classes.tolist()[:12]}; "
            "give labels= with the class of each column."
        )
    return classes, codes, values


def average_ranks(codes: np.ndarray, values: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """Weight of the rows whose truth has rank 1, 2, …: shared equally among the ranks that a tie spans."""
    own = values[np.arange(len(codes)), codes][:, None]
    better, tied = (values > own).sum(axis=1), (values == own).sum(axis=1)
    share = (1.0 if weight is None else weight) / tied
    c = values.shape[1]
    edges = np.bincount(better, share, c + 1) - np.bincount(better + tied, share, c + 1)
    return np.maximum(np.cumsum(edges)[:c], 0.0)


def _ranks_last(codes: np.ndarray, values: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    own = values[np.arange(len(codes)), codes][:, None]
    later = np.arange(values.shape[1]) > codes[:, None]
    ahead = ((values > own) | ((values == own) & later)).sum(axis=1)
    return np.bincount(ahead, weight, values.shape[1])
