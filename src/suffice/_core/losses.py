"""Losses: one number per row, smaller is better, and the interval that suits their mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.special import stdtrit
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.numerics import half_deviance
from suffice._core.proportions import jeffreys
from suffice._core.records import record


@record
class Loss:
    """A name, what it compares the truth with, and its formula.

    `needs` is "predict", "predict_dist" or "score_samples"; `function(y, prediction)` returns one loss per row, where a
    prediction by "score_samples" is the log density of every row and y is not looked at. `refused(y, prediction)` says
    where the loss is not defined: why, and a mask of the rows.
    """

    name: str
    needs: str
    function: Callable[[np.ndarray, Any], np.ndarray]
    binary: bool = False
    numeric: bool = False
    refused: Callable[[np.ndarray, Any], Iterator[tuple[str, np.ndarray]]] | None = None

    @property
    def of_density(self) -> bool:
        """Whether it judges a density of the rows instead of predictions of targets."""
        return self.needs == "score_samples"

    @property
    def squared(self) -> bool:
        """Whether statistics alone can give it."""
        return self.function is LOSSES["squared"].function

    @property
    def modest(self) -> bool:
        """Whether it asks no more of a distribution than a decision or log p of the targets."""
        return self.needs == "predict" or self.function is LOSSES["log"].function

    def __call__(self, y: Any, prediction: Any, rows: np.ndarray | None = None) -> np.ndarray:
        """One loss per row; `rows` are their numbers, for messages."""
        if self.numeric:
            y = _numbers(self.name, y)
        if self.needs == "predict" and np.size(prediction) == np.size(y):
            prediction = np.reshape(prediction, np.shape(y))  # a column for a vector, or the other way round
        if self.refused is not None:
            self._refuse(y, prediction, rows)
        values = np.asarray(self.function(y, prediction), dtype=float)
        n = len(prediction if self.of_density else y)
        if values.shape != (n,):
            raise InvalidInput(
                f"The loss {self.name!r} must return one value per row; got shape {values.shape} for {n} rows."
            )
        return values

    def _refuse(self, y: np.ndarray, prediction: np.ndarray, rows: np.ndarray | None) -> None:
        assert self.refused is not None
        for why, bad in self.refused(y, prediction):
            if bad.any():
                at = tuple(np.argwhere(bad)[0])
                row = at[0] if rows is None else rows[at[0]]
                raise InvalidInput(
                    f"The loss {self.name!r} needs {why}; row {row} has y = {float(y[at]):g} and "
                    f"prediction {float(prediction[at]):g}."
                )


def _numbers(name: str, y: Any) -> np.ndarray:
    try:
        return np.asarray(y) if np.asarray(y).dtype.kind in "biuf" else np.asarray(y).astype(float)
    except (TypeError, ValueError):
        raise InvalidInput(f"The loss {name!r} needs numbers; y holds {np.asarray(y).flat[0]!r}.") from None


def _per_row(values: np.ndarray) -> np.ndarray:
    """The mean over targets."""
    return values.reshape(len(values), int(np.prod(values.shape[1:]))).mean(axis=1)


def _not_counted(y: np.ndarray, prediction: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Where the Poisson deviance 2 (y log(y/μ) − y + μ) is not defined."""
    yield "y >= 0", ~(y >= 0)
    yield "predictions >= 0, and > 0 where y > 0", ~(prediction >= 0) | ((prediction == 0) & (y > 0))


LOSSES = {
    "squared": Loss("squared", "predict", lambda y, p: _per_row((y - p) ** 2), numeric=True),
    "absolute": Loss("absolute", "predict", lambda y, p: _per_row(np.abs(y - p)), numeric=True),
    "misclassification": Loss("misclassification", "predict", lambda y, p: (y != p).astype(float), True),
    "log": Loss("log", "predict_dist", lambda y, d: _per_row(-d.log_prob(y))),
    "poisson": Loss(
        "poisson",
        "predict",
        lambda y, p: _per_row(2 * half_deviance(y, p)),
        numeric=True,
        refused=_not_counted,
    ),
    "log density": Loss("log density", "score_samples", lambda _, logs: -logs),
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
        if is_density(model):
            return LOSSES["log density"]
        raise InvalidParameter(f"There is no default loss for {type(model).__name__}; give loss=.")
    if callable(loss):
        return Loss(getattr(loss, "__name__", "custom"), "predict", loss)
    if not isinstance(loss, str) or loss not in LOSSES:
        raise InvalidParameter(f"loss must be one of {', '.join(LOSSES)} or a function; got {loss!r}.")
    _check_kind(LOSSES[loss], model)
    return LOSSES[loss]


def _check_kind(loss: Loss, model: Any) -> None:
    name = type(model).__name__
    if loss.name == "misclassification" and is_regressor(model):
        raise InvalidParameter(f"The loss 'misclassification' needs a classifier; got {name}.")
    if loss.name == "poisson" and is_classifier(model):
        raise InvalidParameter(f"The loss 'poisson' needs a regressor; got {name}.")
    if loss.of_density and not is_density(model):
        raise InvalidParameter(
            f"The loss {loss.name!r} needs a density: score_samples and no targets; got {name}."
        )
    if not loss.of_density and is_density(model):
        raise InvalidParameter(
            f"{name} is a density and predicts no targets, so it has no {loss.name} loss; leave loss out for "
            "'log density'."
        )


# their score_samples, if any, is about something else
TOLD_APART = (
    "classifier",
    "regressor",
    "outlier_detector",
)


def is_density(model: Any) -> bool:
    """Whether a model has a log density for every row and no targets.

    A wrapper (Pipeline, search) has what its innermost estimator has, which only asking the object itself tells.
    """
    if not hasattr(model, "score_samples"):
        return False
    tags = get_tags(model)
    return tags.estimator_type not in TOLD_APART and not tags.target_tags.required


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
