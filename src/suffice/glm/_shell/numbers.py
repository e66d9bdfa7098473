"""Generalized linear models of numbers and counts: one function, whose inverse link is the mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from suffice._core.errors import InvalidInput, Unsupported
from suffice._core.table_checks import column_or_1d
from suffice._estimator import refuse_nonfinite
from suffice.distributions import Distribution
from suffice.glm._fit.mode import Mode
from suffice.glm._fit.pass_sums import Visit
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._shell.by_passes import open_offset
from suffice.glm._shell.interface import LinkModel


class NumericModel(RegressorMixin, LinkModel, ABC):
    """E[y | x] = g⁻¹(a(x))."""

    coef_: np.ndarray
    intercept_: float

    @abstractmethod
    def _check_targets(self, y: np.ndarray) -> np.ndarray:
        """Targets as the likelihood counts them, or an error that names the first wrong one."""

    @abstractmethod
    def predict(self, X: Any, offset: Any = None) -> np.ndarray:
        """The mean of y at each row."""

    @abstractmethod
    def predict_dist(self, X: Any, offset: Any = None) -> Distribution:
        """p(y | x)."""

    def _open_targets(self, y: Any, weight: np.ndarray | None, like: Plan | None) -> tuple[np.ndarray, Any]:
        values = _numbers(y)
        if values.ndim == 2 and values.shape[1] == 1:
            values = column_or_1d(values, warn=True)
        if values.ndim != 1:
            raise InvalidInput(
                f"y must be one column of numbers; got shape {values.shape}. Fit the targets one by one."
            )
        return self._check_targets(values), None

    def _class_weights(self, plan: Plan, visit: Visit | None) -> None:
        return None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            One number per row.
        sample_weight
            How often each row counts.
        offset
            A known part of a(x), one number per row: for counts, the logarithm of how long was counted.
        """
        return self._fit(X, y, sample_weight, offset)

    def _publish(self, problem: LinkProblem, mode: Mode) -> None:
        intercept, weights = self.function_.raw()
        self.coef_ = weights[:, 0]
        self.intercept_ = float(intercept[0]) if self._has_constant else 0.0

    def _terms(self) -> tuple[tuple[str, ...], np.ndarray, tuple[str, ...]]:
        names = self.plan_.header.column_names
        w = np.concatenate([[self.intercept_], self.coef_])
        return (("intercept", *names), w, ()) if self.fit_intercept else (names, w[1:], ())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # a mean of g⁻¹(0) at the origin suits few tables
        tags.regressor_tags.poor_score = not self.fit_intercept
        return tags

    # -- prediction --------------------------------------------------------------------------------------------
    def linear_predictor(self, X: Any, offset: Any = None) -> np.ndarray:
        """a(x), before the inverse link."""
        a = self._values(X)[:, 0]
        return a if offset is None else a + open_offset(offset, len(a))

    def _distribution_at(self, plan: Plan, a: np.ndarray) -> Distribution:
        """Of rows with these a."""
        return plan.likelihood.distribution(a)

    def _for_losses(self, plan: Plan, a: np.ndarray) -> Distribution:
        return self._distribution_at(plan, a)

    def survey(self, rows: Any, plan: Plan) -> Any:
        """Numbers need no survey."""
        raise Unsupported("Numbers need no survey.")

    @property
    def needs_survey(self) -> bool:
        return False

    def with_survey(self, plan: Plan, survey: Any) -> Plan:
        return plan


def _numbers(y: Any) -> np.ndarray:
    """Targets as finite numbers, or an error that names the first that is none."""
    values = np.asarray(y)
    try:
        values = values.astype(float)
    except (TypeError, ValueError):
        first = values.flat[0] if values.size else y
        raise InvalidInput(
            f"y must be numbers; got {str(first)!r:.40} at row 0. For labels, use a classifier."
        ) from None
    refuse_nonfinite("y", values)
    return values
