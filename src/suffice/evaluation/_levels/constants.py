"""The prediction that ignores the columns: what every model has to beat."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor

from suffice._core.errors import Unsupported
from suffice._core.losses import Loss
from suffice.baselines import MajorityClassifier, MeanRegressor, MedianRegressor, PriorClassifier


def constant_model(model: Any, loss: Loss) -> Any:
    """The best constant for a loss, as far as it is known: mean, median, majority or class frequencies."""
    if is_classifier(model):
        return MajorityClassifier() if loss.needs == "predict" else PriorClassifier()
    if is_regressor(model):
        return MedianRegressor() if loss.name == "absolute" else MeanRegressor()
    raise Unsupported(f"A constant prediction is for regressors and classifiers; got {type(model).__name__}.")
