"""The door of this room: labels, probabilities, distributions, numbers and weights are checked here, once."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.numerics import first_nonfinite
from suffice._core.records import record
from suffice.distributions import Bernoulli, Categorical, Distribution, MixtureDistribution
from suffice.distributions._base import Univariate
from suffice.tables.cells import gaps

SUM_SLACK = 1e-6  # how far a row of probabilities may be from one


# -- numbers --------------------------------------------------------------------------------------------
def open_numbers(name: str, values: Any) -> np.ndarray:
    """Finite numbers, at least one."""
    try:
        array = np.asarray(values)
        array = array if array.dtype.kind in "biuf" else array.astype(float)
    except (TypeError, ValueError):
        raise InvalidInput(f"{name} must be numbers; got {values!r:.60}.") from None
    array = array.astype(float)
    if array.size == 0:
        raise InvalidInput(f"{name} is empty; at least one row is needed.")
    place = first_nonfinite(array) if array.ndim else None if np.isfinite(array) else f"{array}"
    if place:
        raise InvalidInput(f"{name} contains {place}. Leave such rows out first.")
    return array


def open_weight(sample_weight: Any, n: int) -> np.ndarray:
    """How often each row counts; once unless given."""
    if sample_weight is None:
        return np.ones(n)
    weight = open_numbers("sample_weight", sample_weight)
    if weight.shape != (n,):
        raise InvalidInput(f"sample_weight must have one number per row, {n}; got shape {weight.shape}.")
    if np.any(weight < 0) or not np.any(weight > 0):
        raise InvalidInput(f"sample_weight must be zero or more and not all zero; got {weight.min():g}.")
    return weight


# -- distributions --------------------------------------------------------------------------------------
def open_distribution(y: Any, distribution: Any) -> tuple[np.ndarray, Univariate]:
    """Targets (one row each, one or more columns) and a forecast for every one of them."""
    if isinstance(distribution, list | tuple) and distribution and isinstance(distribution[0], Distribution):
        raise InvalidInput(
            "There is one distribution per fold, so rows are tested more or less than once, or folds have different "
            "kinds; score each fold with its own rows, or cross-validate with a splitter that tests every row once."
        )
    if isinstance(distribution, MixtureDistribution) and distribution._vector:
        raise Unsupported("A mixture of vectors is not scored as a whole; take a marginal.")
    if not isinstance(distribution, Univariate):
        raise Unsupported(
            f"distribution must be a univariate distribution, such as model.predict_dist(X); got "
            f"{type(distribution).__name__}."
        )
    y = np.atleast_1d(open_numbers("y", y))
    if distribution.batch_shape not in ((), y.shape):
        raise InvalidInput(
            f"y has shape {y.shape} and the distribution is a batch {distribution.batch_shape}; give one forecast "
            "per target, or a single one for all."
        )
    return y, distribution


def per_row(values: np.ndarray) -> np.ndarray:
    """The mean over the targets of a row."""
    return values.reshape(len(values), -1).mean(axis=1)


# -- classes --------------------------------------------------------------------------------------------
@record
class Forecasts:
    """Probabilities (N, K) of K outcomes, and which of them happened; the last one is `positive` of two."""

    probabilities: np.ndarray
    codes: np.ndarray
    classes: tuple[Any, ...]

    @property
    def hits(self) -> np.ndarray:
        """(N, K): one where the outcome happened."""
        return (self.codes[:, None] == np.arange(len(self.classes))).astype(float)


def open_labels(y: Any) -> np.ndarray:
    """A vector of labels without gaps."""
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise InvalidInput(f"y must be a vector of labels; got shape {labels.shape}.")
    if len(labels) == 0:
        raise InvalidInput("y is empty; at least one row is needed.")
    if labels.dtype.kind == "O":
        if (missing := gaps(labels)).any():
            raise InvalidInput(f"y contains NaN at row {int(np.argmax(missing))}. Leave such rows out first.")
        labels = np.array(labels.tolist())
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise InvalidInput(f"y contains {first_nonfinite(labels)}. Leave such rows out first.")
    return labels


def open_forecasts(y: Any, forecast: Any, classes: Any = None, positive: Any = None) -> Forecasts:
    """Labels and probabilities of any accepted shape: a vector, a table, Bernoulli or Categorical."""
    labels = open_labels(y)
    if isinstance(forecast, Categorical):
        classes, forecast = forecast.classes, forecast.probabilities
        forecast = np.broadcast_to(forecast, (len(labels), len(classes))) if forecast.ndim == 1 else forecast
    elif isinstance(forecast, Bernoulli):
        forecast = np.broadcast_to(forecast.p, labels.shape) if not forecast.batch_shape else forecast.p
        positive = 1 if positive is None else positive
    p = _open_probabilities(forecast, len(labels))
    return _of_vector(labels, p, classes, positive) if p.ndim == 1 else _of_table(labels, p, classes)


def _open_probabilities(forecast: Any, n: int) -> np.ndarray:
    p = open_numbers("probabilities", forecast)
    if p.ndim not in (1, 2) or len(p) != n:
        raise InvalidInput(f"y has {n} rows and probabilities the shape {p.shape}; one row each is needed.")
    if p.ndim == 2 and p.shape[1] < 2:
        raise InvalidInput("probabilities is a table with one column; give a vector, or a column per class.")
    outside = (p < 0) | (p > 1)
    if outside.any():
        row = int(np.argwhere(outside)[0][0])
        raise InvalidInput(f"probabilities must be in [0, 1]; got {p[outside][0]:g} at row {row}.")
    if p.ndim == 2 and np.any(np.abs(p.sum(axis=1) - 1) > SUM_SLACK):
        row = int(np.argmax(np.abs(p.sum(axis=1) - 1)))
        raise InvalidInput(f"Each row of probabilities must sum to one; row {row} sums to {p[row].sum():g}.")
    return p


def _of_vector(labels: np.ndarray, p: np.ndarray, classes: Any, positive: Any) -> Forecasts:
    """The probability of one label; whatever else happened is the other outcome."""
    known = np.unique(labels if classes is None else np.asarray(classes))
    if positive is None and len(known) > 2:
        raise InvalidInput(
            f"A vector of probabilities is about one label, and y has {len(known)}: {known[:5].tolist()}, …; say "
            "which with positive=, or give a column per class."
        )
    if positive is None:
        positive = _larger(known)
    elif known.dtype.kind in "US" and not isinstance(positive, str):
        raise InvalidParameter(
            f"positive must be a label of y, such as {known[0].item()!r}; got {positive!r}."
        )
    hits = labels == positive
    others = known[known != positive]
    negative = others[0].item() if len(others) == 1 else f"not {positive}"
    return Forecasts(np.column_stack([1 - p, p]), hits.astype(int), (negative, _plain(positive)))


def _larger(known: np.ndarray) -> Any:
    """The second of two labels; of a single one it can only be told for 0 and 1."""
    if len(known) == 2:
        return known[1]
    if known.dtype.kind in "biuf" and known[0] in (0, 1):
        return known.dtype.type(1)
    raise InvalidInput(
        f"y has only the label {known[0].item()!r}; say with positive= what the probabilities are of."
    )


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _of_table(labels: np.ndarray, p: np.ndarray, classes: Any) -> Forecasts:
    known = np.unique(labels) if classes is None else np.asarray(classes)
    if len(known) != p.shape[1]:
        raise InvalidInput(
            f"probabilities has {p.shape[1]} columns and there are {len(known)} classes, {known[:5].tolist()}; give "
            "classes= in the order of the columns."
        )
    order = np.argsort(known, kind="stable")
    place = np.minimum(np.searchsorted(known[order], labels), len(known) - 1)
    codes = order[place]
    wrong = known[codes] != labels
    if wrong.any():
        raise InvalidInput(
            f"y has the label {labels[wrong][0].item()!r}, which is not among the classes {known.tolist()}."
        )
    return Forecasts(p, codes, tuple(known.tolist()))
