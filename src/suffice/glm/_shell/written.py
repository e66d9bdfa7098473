"""Weights that the user writes: `coef_` and `intercept_` of a fitted classifier may be changed, and predictions follow.

Those as they were fitted are kept beside them. As long as nothing was changed, predictions come from the function about
the center of the columns, which keeps more digits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self, cast

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.special import log_expit, log_softmax

from suffice._core.errors import HeaderMismatch
from suffice._core.records import frozen_array
from suffice._estimator import Estimator, check_is_fitted, open_inputs
from suffice._estimator.summary import Summary
from suffice.glm._fit.plan import Plan
from suffice.glm._shell.curvature_summary import summary_of_curvature
from suffice.glm._shell.functions import Functions
from suffice.glm._shell.interface import LinkModel
from suffice.glm._shell.labels import decisions, log_probabilities
from suffice.glm._shell.model import BLOCK


class WrittenWeights(LinkModel, ABC):
    """A model of labels whose weights can be written, thinned out and rounded."""

    classes_: np.ndarray
    coef_: Any
    intercept_: Any
    fitted_weights_: np.ndarray

    @property
    @abstractmethod
    def _levels_matter(self) -> bool:
        """Whether the functions of several classes need not sum to zero."""

    def _remember_weights(self) -> None:
        self.fitted_weights_ = frozen_array(self._weights())

    def _weights(self) -> np.ndarray:
        """(functions, 1 + d), as they are now."""
        coef: Any = self.coef_
        dense = np.atleast_2d(coef.toarray() if issparse(coef) else coef)
        intercept = np.ravel(self.intercept_)
        if len(intercept) not in (1, len(dense)):
            raise HeaderMismatch(
                f"coef_ has the weights of {len(dense)} functions and intercept_ {len(intercept)} constants; write one "
                "constant for each function, or one for all."
            )
        return np.column_stack([np.broadcast_to(intercept, (len(dense),)), dense])

    @property
    def _as_fitted(self) -> bool:
        return np.array_equal(self._weights(), self.fitted_weights_)

    def _rounded_as(self, X: Any) -> Self:
        """Weights of a float32 table in float32, as scikit-learn's are; predictions keep all digits."""
        if getattr(X, "dtype", None) == np.float32:
            self.coef_ = self.coef_.astype(np.float32)
            self.intercept_ = self.intercept_.astype(np.float32)
            self._remember_weights()
        return self

    def _from_weights(self, X: Any) -> np.ndarray:
        """The values of all functions that are reported, from `coef_` and `intercept_`: (N, functions)."""
        X = open_inputs(cast(Estimator, self), X)
        weights = self._weights().astype(float)
        function = Functions.of_weights(weights, self.basis_, self.n_features_in_).function
        return np.concatenate([function(X[a : a + BLOCK]) for a in range(0, max(X.shape[0], 1), BLOCK)])

    def decision_function(self, X: Any) -> np.ndarray:
        """The log odds of the second of two classes; (rows, classes) of several, up to a constant per row."""
        check_is_fitted(self)
        if self._as_fitted and not self._levels_matter:
            return decisions(self, self._values(X))
        a = self._from_weights(X)
        return a[:, 0] if a.shape[1] == 1 else a

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """log P(c | x), exact where the probability itself would vanish."""
        check_is_fitted(self)
        if self._as_fitted:
            return log_probabilities(self.likelihood_, self._values(X))
        a = self._from_weights(X)
        return log_softmax(a, axis=1) if a.shape[1] > 1 else np.column_stack([log_expit(-a), log_expit(a)])

    def summary(self, confidence: float = 0.95) -> Summary:
        """Estimates, standard errors, z, p and intervals of all weights."""
        return summary_of_curvature(self, confidence)

    # -- a start -----------------------------------------------------------------------------------------------
    def _start_at_weights(self, plan: Plan) -> np.ndarray | None:
        """u (1 + d, K) of the weights as they are now; None where they are of other columns or classes."""
        if not hasattr(self, "fitted_weights_") or not np.array_equal(self.classes_, plan.classes):
            return None
        weights = self._weights().astype(float)
        if weights.shape[1] != plan.n_columns or not np.isfinite(weights).all():
            return None
        theta = (weights[:-1] - weights[-1] if plan.likelihood.several else weights).T  # (1 + d, K)
        if plan.layout.frame is not None:
            return np.linalg.solve(plan.to_raw().astype(float), theta)
        return np.vstack([theta[0] + plan.layout.shift_x @ theta[1:], theta[1:] * plan.scale[:, None]])

    # -- sparse weights ----------------------------------------------------------------------------------------
    def sparsify(self) -> Self:
        """Hold `coef_` as a sparse matrix."""
        check_is_fitted(self)
        self.coef_ = csr_array(self.coef_)
        return self

    def densify(self) -> Self:
        """Hold `coef_` as an array again."""
        check_is_fitted(self)
        coef: Any = self.coef_
        self.coef_ = coef.toarray() if issparse(coef) else coef
        return self
