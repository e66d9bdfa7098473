r"""Classes of unequal size (DTU §16.1.1): drop rows of the large ones, copy rows of the small ones, or weigh.

Under-sampling   every class keeps as many rows as the smallest has, chosen at random
Over-sampling    every class gets as many rows as the largest has: whole copies, the rest chosen at random
Weights          w_c = N / (K N_c): every class counts alike

All three change what a model takes for the base rates: its probabilities are then about a world with classes of
equal size. And all belong inside the training rows: a copy made before rows are split stands on both sides, and the
test no longer tests. `Balanced` resamples what its estimator is fitted to and nothing else.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from suffice._core.errors import InvalidInput, check_choice
from suffice._core.random import generator
from suffice._core.records import estimator
from suffice._core.table_checks import check_classification_targets, column_or_1d, validate_data
from suffice._estimator import Estimator


def undersample(X: Any, y: Any, rng: Any = None) -> tuple[Any, Any]:
    """Rows of larger classes dropped at random until all classes are of the size of the smallest.

    Parameters
    ----------
    X
        A table: array, frame, sparse matrix or list of rows.
    y
        Labels, one per row.
    rng
        Which rows stay.

    Returns
    -------
    X, y
        Of the kinds that were given, in the order of the rows.

    Notes
    -----
    Only for rows to train on: test rows must keep the proportions of the world. See `Balanced`.

    Examples
    --------
    >>> from suffice.prepare import undersample
    >>> undersample([[1], [2], [3], [4], [5]], ["a", "b", "a", "a", "b"], rng=0)
    ([[2], [3], [4], [5]], ['b', 'a', 'a', 'b'])
    """
    return _taken(X, y, "under", rng)


def oversample(X: Any, y: Any, rng: Any = None) -> tuple[Any, Any]:
    """Rows of smaller classes copied until all classes are of the size of the largest.

    Every row is copied equally often; what is then still missing is chosen at random.

    Parameters
    ----------
    X
        A table: array, frame, sparse matrix or list of rows.
    y
        Labels, one per row.
    rng
        Which rows are copied once more than the others of their class.

    Returns
    -------
    X, y
        Of the kinds that were given, in the order of the rows, copies beside their originals.

    Notes
    -----
    Only for rows to train on, after the split: a copy on the other side of it is a test row that the model has seen.
    See `Balanced`.

    Examples
    --------
    >>> from suffice.prepare import oversample
    >>> oversample([[1], [2], [3], [4], [5]], ["a", "b", "a", "a", "b"], rng=0)
    ([[1], [2], [3], [4], [5], [5]], ['a', 'b', 'a', 'a', 'b', 'b'])
    """
    return _taken(X, y, "over", rng)


def class_weights(y: Any, sample_weight: Any = None) -> dict[Any, float]:
    """Weights by class under which all classes count alike and the rows as many as before.

    As `class_weight="balanced"` in scikit-learn: N / (K N_c).

    Examples
    --------
    >>> from suffice.prepare import class_weights
    >>> class_weights(["a", "b", "a", "a"])
    {'a': 0.6666666666666666, 'b': 2.0}
    """
    labels = _labels(y)
    weight = np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weight.shape != labels.shape or not np.all(np.isfinite(weight) & (weight >= 0)):
        raise InvalidInput(
            f"sample_weight must be {len(labels)} finite numbers, zero or more; got {sample_weight!r:.60}."
        )
    classes, index = np.unique(labels[weight > 0], return_inverse=True)
    if len(classes) == 0:
        raise InvalidInput("No row counts, so there are no classes to weigh.")
    counts = np.bincount(index, weights=weight[weight > 0])
    return dict(zip(classes.tolist(), (weight.sum() / (len(classes) * counts)).tolist(), strict=True))


# -- rows -----------------------------------------------------------------------------------------------
def balanced_rows(labels: np.ndarray, how: str, rng: Any = None) -> np.ndarray:
    """Which rows a balanced table is made of, in increasing order."""
    check_choice("how", how, ("under", "over"))
    _, index = np.unique(labels, return_inverse=True)
    groups = [np.flatnonzero(index == k) for k in range(index.max() + 1)]
    sizes = [len(g) for g in groups]
    target, random = min(sizes) if how == "under" else max(sizes), generator(rng)
    return np.sort(np.concatenate([_of_size(rows, target, random) for rows in groups]))


def _of_size(rows: np.ndarray, target: int, rng: np.random.Generator) -> np.ndarray:
    copies, rest = divmod(target, len(rows))
    return np.concatenate([np.tile(rows, copies), rng.choice(rows, rest, replace=False)])


def _taken(X: Any, y: Any, how: str, rng: Any) -> tuple[Any, Any]:
    X, y = _indexable(X), _indexable(y)
    labels = _labels(y)
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if n != len(labels):
        raise InvalidInput(f"X has {n} rows and y has {len(labels)}; one label per row is needed.")
    rows = balanced_rows(labels, how, rng)
    return _safe_indexing(X.tocsr() if sparse.issparse(X) else X, rows), _safe_indexing(y, rows)


def _indexable(values: Any) -> Any:
    """What rows can be taken from: as it is, or as an array where it only promises to become one."""
    return values if hasattr(values, "shape") or isinstance(values, list | tuple) else np.asarray(values)


def _gaps(labels: np.ndarray) -> Any:
    """Where there is no label."""
    if labels.dtype.kind == "f":
        return ~np.isfinite(labels)
    return np.array([v is None or v != v for v in labels]) if labels.dtype.kind == "O" else False


def _labels(y: Any) -> np.ndarray:
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) == 0:
        raise InvalidInput(f"y must be a vector of labels, at least one; got shape {labels.shape}.")
    gaps = _gaps(labels)
    if np.any(gaps):
        row = int(np.argmax(gaps))
        word = "inf" if labels.dtype.kind == "f" and np.isinf(labels[row]) else "NaN"
        raise InvalidInput(f"y contains {word} at row {row}. Remove rows without a label first.")
    return _of_one_kind(labels.tolist()) if labels.dtype.kind == "O" else labels


def _of_one_kind(cells: list[Any]) -> np.ndarray:
    """Labels as an array in which each is still what it was: an array of 1 and "1" would be one of text."""
    first = isinstance(cells[0], str)
    odd = next((row for row, v in enumerate(cells) if isinstance(v, str) != first), None)
    if odd is not None:
        raise InvalidInput(
            f"y holds {cells[0]!r:.40} at row 0 and {cells[odd]!r:.40} at row {odd}: labels must be all text or none "
            "of them. Write them the same way."
        )
    array = np.array(cells)
    merged = array.dtype.kind == "f" and any(
        isinstance(v, int) and v != a for v, a in zip(cells, array.tolist(), strict=True)
    )
    return array if array.ndim == 1 and not merged else np.array(cells, dtype=object)


# -- the estimator --------------------------------------------------------------------------------------
def _delegated(name: str, doc: str) -> Any:
    """A method of the fitted estimator, offered where the estimator offers it."""

    def answer(self: Balanced, X: Any) -> Any:
        check_is_fitted(self, "estimator_")
        return getattr(self.estimator_, name)(X)

    answer.__name__, answer.__doc__ = name, doc
    return available_if(lambda self: hasattr(getattr(self, "estimator_", self.estimator), name))(answer)


@estimator
class Balanced(ClassifierMixin, MetaEstimatorMixin, Estimator):
    """A classifier fitted to rows in which all classes are of the same size.

    Resampling happens in `fit` alone, so cross-validation tests on rows as they are.

    Parameters
    ----------
    estimator
        Any classifier.
    how
        "under": rows of larger classes are dropped; "over": rows of smaller ones are copied.
    random_state
        Which rows.

    Notes
    -----
    Probabilities are about classes of equal size. Weights of rows are not taken: weight 2 and a row twice would be
    resampled differently. For those, give the estimator `class_weights` instead.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from suffice.evaluation import cross_validate
    >>> from suffice.prepare import Balanced
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(400) < 0.1
    >>> X = rng.normal(size=(400, 1)) + y[:, None]
    >>> plain, balanced = LogisticRegression(), Balanced(LogisticRegression())
    >>> [int(cross_validate(m, X, y, cv=5).predictions.sum()) for m in (plain, balanced)]
    [3, 138]
    """

    estimator: Any
    _: KW_ONLY
    how: Literal["under", "over"] = "under"
    random_state: Any = 0

    estimator_: Any = field(init=False)
    classes_: np.ndarray = field(init=False)

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the estimator to a balanced choice of the rows."""
        if y is None:
            raise InvalidInput("A classifier requires y to be passed, but the target y is None.")
        validate_data(self, X, skip_check_array=True)
        y = _indexable(y)
        y = y if np.ndim(y) == 1 else column_or_1d(y, warn=True)
        check_classification_targets(_labels(y))
        table, labels = _taken(X, y, self.how, self.random_state)
        self.estimator_ = clone(self.estimator).fit(table, labels)
        self.classes_ = self.estimator_.classes_
        return self

    predict = _delegated("predict", "The estimator's classes.")
    predict_proba = _delegated("predict_proba", "The estimator's probabilities, for classes of equal size.")
    predict_log_proba = _delegated("predict_log_proba", "Their logs.")
    decision_function = _delegated("decision_function", "The estimator's scores.")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags, tags.classifier_tags = inner.input_tags, inner.classifier_tags
        tags.target_tags.required = True
        tags.classifier_tags.multi_label = False
        return tags
