"""The oracle of validation: clone, fit on the training rows, predict the test rows. No statistics anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from suffice._core.errors import NumericalError

EPS = np.finfo(float).eps


@dataclass(frozen=True)
class Refits:
    """Models fitted fold by fold, and what they say: of test rows, and when asked of training rows."""

    fitted: list[Any]
    X: Any
    y: np.ndarray
    splits: list[tuple[np.ndarray, np.ndarray]]
    loss: Any
    weight: np.ndarray

    @property
    def tests(self) -> list[np.ndarray]:
        return [test for _, test in self.splits]

    @cached_property
    def tables(self) -> list[Any]:
        return [_safe_indexing(self.X, test) for test in self.tests]

    @cached_property
    def predictions(self) -> list[np.ndarray]:
        return [f.predict(A) for f, A in zip(self.fitted, self.tables, strict=True)]

    @cached_property
    def distributions(self) -> list[Any]:
        return [distribution(f, A) for f, A in zip(self.fitted, self.tables, strict=True)]

    @cached_property
    def losses(self) -> list[np.ndarray]:
        return self._losses(self.tests, self.tables)

    @cached_property
    def fold_losses(self) -> np.ndarray:
        return self._means(self.losses, self.tests)

    @cached_property
    def train_losses(self) -> np.ndarray:
        rows = [train for train, _ in self.splits]
        return self._means(self._losses(rows, [_safe_indexing(self.X, r) for r in rows]), rows)

    @cached_property
    def sizes(self) -> np.ndarray:
        return np.array([self.weight[test].sum() for test in self.tests])

    @property
    def estimate(self) -> float:
        return float(self.fold_losses @ self.sizes / self.sizes.sum())

    def _losses(self, rows: list[np.ndarray], tables: list[Any]) -> list[np.ndarray]:
        loss = LOSSES[self.loss]
        return [loss(self.y[r], f, A) for r, f, A in zip(rows, self.fitted, tables, strict=True)]

    def _means(self, losses: list[np.ndarray], rows: list[np.ndarray]) -> np.ndarray:
        return np.array([np.average(v, weights=self.weight[r]) for v, r in zip(losses, rows, strict=True)])


def mean_over_targets(values: Any) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    return values if values.ndim == 1 else values.mean(axis=1)


def pinball(y: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    """A loss that no statistic knows."""
    gap = y - prediction
    return mean_over_targets(np.maximum(0.9 * gap, -0.1 * gap))


def predict_dist(fitted: Any, X: Any) -> Any:
    """Of the model, or of the last step of a Pipeline."""
    if isinstance(fitted, Pipeline):
        return fitted[-1].predict_dist(fitted[:-1].transform(X) if len(fitted) > 1 else X)
    return fitted.predict_dist(X)


LOSSES = {
    "squared": lambda y, fitted, X: mean_over_targets((y - fitted.predict(X)) ** 2),
    "absolute": lambda y, fitted, X: mean_over_targets(np.abs(y - fitted.predict(X))),
    "log": lambda y, fitted, X: mean_over_targets(-predict_dist(fitted, X).log_prob(y)),
    pinball: lambda y, fitted, X: pinball(y, fitted.predict(X)),
    "misclassification": lambda y, fitted, X: (fitted.predict(X) != y).astype(float),
}


def fit(model: Any, X: Any, y: Any, rows: np.ndarray, weight: np.ndarray | None = None) -> Any:
    """A fitted clone; weights go to `fit`, or to every step of a Pipeline that takes them."""
    names = [] if weight is None else ["sample_weight"]
    if names and isinstance(model, Pipeline):
        names = [f"{n}__sample_weight" for n, s in model.steps if has_fit_parameter(s, "sample_weight")]
    options = {} if weight is None else dict.fromkeys(names, weight[rows])
    return clone(model).fit(_safe_indexing(X, rows), np.asarray(y)[rows], **options)


def refits(model: Any, X: Any, y: Any, splits: Any, loss: Any = "squared", weight: Any = None) -> Refits:
    """Every fold by hand."""
    y = np.asarray(y)
    w = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    fitted = [fit(model, X, y, train, None if weight is None else w) for train, _ in splits]
    return Refits(fitted, X, y, splits, loss, w)


def distribution(fitted: Any, X: Any) -> Any:
    """`predict_dist`, or None where the model has none, or none here."""
    try:
        return predict_dist(fitted, X)
    except (AttributeError, NumericalError):
        return None


def unit(y: Any, loss: Any = "predict") -> float:
    """The scale of y in the units of a loss: its spread, so that a huge mean hides nothing."""
    scale = float(np.std(y))
    return {"squared": scale**2, "log": 1.0, "misclassification": 1.0}.get(loss, scale)


def assert_close(mine: Any, theirs: Any, y: Any, loss: Any = "predict", rtol: float = 1e-9) -> None:
    """Equal to `rtol` of the larger of the value and the scale of y, and to the rounding of y itself."""
    mine, theirs = np.asarray(mine, dtype=float), np.asarray(theirs, dtype=float)
    assert mine.shape == theirs.shape
    assert np.array_equal(
        np.where(np.isfinite(mine), 0.0, mine), np.where(np.isfinite(theirs), 0.0, theirs), equal_nan=True
    )
    mine, theirs = mine[np.isfinite(mine)], theirs[np.isfinite(theirs)]
    rounding = 16 * EPS * float(np.abs(np.asarray(y, dtype=float)).max())
    if loss == "squared":
        rounding = 2 * rounding * np.sqrt(np.abs(theirs)) + rounding**2
    elif loss == "log":
        rounding = 16 * rounding / unit(y)
    allowed = rtol * np.maximum(np.abs(theirs), unit(y, loss)) + rounding
    if loss == "predict":  # the mean of y is no part of its scale
        allowed = rtol * np.maximum(np.abs(theirs - np.mean(y)), unit(y)) + rounding
    worst = np.max(np.abs(mine - theirs) / allowed, initial=0.0)
    assert worst <= 1, f"{worst:.3g} times what is allowed"
