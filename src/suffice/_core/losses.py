"""Losses: one number per row, smaller is better, and the interval that suits their mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import stdtrit
from sklearn.base import is_classifier, is_regressor

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.proportions import jeffreys
from suffice._core.records import record


@record
class Loss:
    """A name, what it compares the truth with, and its formula.

    `needs` is "predict" or "predict_dist"; `function(y, prediction)` returns one loss per row.
    """

    name: str
    needs: str
    function: Callable[[np.ndarray, Any], np.ndarray]
    binary: bool = False
    numeric: bool = False

    @property
    def squared(self) -> bool:
        """Whether statistics alone can give it."""
        return self.function is LOSSES["squared"].function

    @property
    def modest(self) -> bool:
        """Whether it asks no more of a distribution than a decision or log p of the targets."""
        return self.needs == "predict" or self.function is LOSSES["log"].function

    def __call__(self, y: np.ndarray, prediction: Any) -> np.ndarray:
        if self.numeric:
            y = _numbers(self.name, y)
        if self.needs == "predict" and np.size(prediction) == np.size(y):
            prediction = np.reshape(prediction, np.shape(y))  # a column for a vector, or the other way round
        values = np.asarray(self.function(y, prediction), dtype=float)
        if values.shape != (len(y),):
            raise InvalidInput(
                f"The loss {self.name!r} must return one value per row; got shape {values.shape} for {len(y)} rows."
            )
        return values


def _numbers(name: str, y: Any) -> np.ndarray:
    try:
        return np.asarray(y) if np.asarray(y).dtype.kind in "biuf" else np.asarray(y).astype(float)
    except (TypeError, ValueError):
        raise InvalidInput(f"The loss {name!r} needs numbers; y holds {np.asarray(y).flat[0]!r}.") from None


def _per_row(values: np.ndarray) -> np.ndarray:
    """The mean over targets."""
    return values.reshape(len(values), int(np.prod(values.shape[1:]))).mean(axis=1)


LOSSES = {
    "squared": Loss("squared", "predict", lambda y, p: _per_row((y - p) ** 2), numeric=True),
    "absolute": Loss("absolute", "predict", lambda y, p: _per_row(np.abs(y - p)), numeric=True),
    "misclassification": Loss("misclassification", "predict", lambda y, p: (y != p).astype(float), True),
    "log": Loss("log", "predict_dist", lambda y, d: _per_row(-d.log_prob(y))),
}


def resolve_loss(loss: Any, model: Any) -> Loss:
    """A loss from its name, a function of (y, prediction), or None for the default of the model's kind."""
    if isinstance(model, type) or not hasattr(model, "get_params"):
        raise InvalidParameter(f"model must be an estimator, such as Ridge(); got {model!r}.")
    if isinstance(loss, Loss):
        return loss
    if loss is None:
        if is_classifier(model):
            return LOSSES["misclassification"]
        if is_regressor(model):
            return LOSSES["squared"]
        raise InvalidParameter(f"There is no default loss for {type(model).__name__}; give loss=.")
    if callable(loss):
        return Loss(getattr(loss, "__name__", "custom"), "predict", loss)
    if loss == "misclassification" and is_regressor(model):
        raise InvalidParameter(
            f"The loss 'misclassification' needs a classifier; got {type(model).__name__}."
        )
    if not isinstance(loss, str) or loss not in LOSSES:
        raise InvalidParameter(f"loss must be one of {', '.join(LOSSES)} or a function; got {loss!r}.")
    return LOSSES[loss]


def mean_interval(
    losses: np.ndarray, weight: np.ndarray, confidence: float, binary: bool
) -> tuple[float, float] | None:
    """Jeffreys for 0/1 losses, Student-t for others; None where one row or an infinite loss hides the spread."""
    n = float(weight.sum())
    if not binary and (n <= 1 or not np.isfinite(losses).all()):
        return None
    total = float(weight @ losses)
    spread = 0.0 if binary else float(weight @ (losses - total / n) ** 2)
    return _interval(n, total, spread, confidence, binary)


def interval_of_sums(
    n: float, total: float, squares: float, confidence: float, binary: bool
) -> tuple[float, float] | None:
    """The same from the weight of the rows, the sum of their losses and that of the squares of these."""
    if not binary and (n <= 1 or not np.isfinite(squares)):
        return None
    return _interval(float(n), float(total), max(float(squares - total**2 / n), 0.0), confidence, binary)


def _interval(n: float, total: float, spread: float, confidence: float, binary: bool) -> tuple[float, float]:
    if binary:
        low, high = jeffreys(total, n, confidence)
        return float(low), float(high)
    mean = total / n
    half = float(stdtrit(n - 1, 0.5 + confidence / 2) * np.sqrt(spread / (n - 1)) / np.sqrt(n))
    return mean - half, mean + half
