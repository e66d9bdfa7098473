r"""Decisions that are linear in x: y_c(x) = w_cᵀ x + b_c, the largest wins (PRML §4.1.1–4.1.2, Herbst §4.1).

For two classes there is one function, y(x) = wᵀx + b, positive for the second class. The signed distance of x from the
boundary is y(x) / ‖w‖. Between classes k and j of several it is (y_k − y_j) / ‖w_k − w_j‖.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice._estimator.labels import place_of
from suffice.engine import one_blas_thread


@dataclass(eq=False, repr=False)
class LinearDecision(ABC):
    """`coef_` and `intercept_`, one row per class, or one for two classes."""

    classes_: np.ndarray = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: np.ndarray = field(init=False)

    @abstractmethod
    def decision_function(self, X: Any) -> np.ndarray:
        """One number per row, positive for the second of two classes; (rows, classes) of several."""

    @abstractmethod
    def _linear_inputs(self, X: Any) -> Any:
        """Validated rows without gaps, or an error where boundaries are not linear."""

    def _write_discriminants(self, slope: np.ndarray, value: np.ndarray, center: np.ndarray) -> None:
        """From slopes (C, D) and the values (C,) at a center; −inf for a class without rows."""
        if len(value) == 2:
            slope, value = slope[1:] - slope[:1], value[1:] - value[:1]
        self.coef_, self.intercept_ = slope, value - slope @ center

    def _values(self, X: Any) -> np.ndarray:
        """Every y_c(x) of validated rows; sparse rows stay sparse."""
        with one_blas_thread():
            return np.asarray(X @ self.coef_.T) + self.intercept_

    def _linear_decision(self, X: Any) -> np.ndarray:
        """y(x), positive for the second of two classes; (rows, classes) of several."""
        values = self._values(X)
        return values[:, 0] if values.shape[1] == 1 else values

    def signed_distance(self, X: Any, between: tuple[Any, Any] | None = None) -> np.ndarray:
        """How far rows are from the boundary, in units of X.

        Two classes: positive on the side of the second. Several: `between=(a, b)` gives the distance from the boundary
        of two of them, positive on the side of b; without it, that of the class predicted to its nearest rival.
        """
        values = self._values(self._linear_inputs(X))
        if values.shape[1] == 1:
            with np.errstate(divide="ignore", invalid="ignore"):  # no direction, no distance
                return values[:, 0] / np.linalg.norm(self.coef_)
        if between is not None:
            a, b = (place_of(c, self.classes_) for c in between)
            return (values[:, b] - values[:, a]) / np.linalg.norm(self.coef_[b] - self.coef_[a])
        best = np.argmax(values, axis=1)
        gaps = values[np.arange(len(values)), best][:, None] - values
        apart = np.linalg.norm(self.coef_[:, None] - self.coef_[None], axis=-1)[best]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(apart > 0, gaps / apart, np.inf).min(axis=1)
