"""Operations of the conformance cases about penalties on powers of the weights.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

import numpy as np

from suffice.linear import Lasso, QNormRegression, budget_of, with_budget


class LassoBook:
    """½ SSE + (λ/2) Σ|w| of a line, with the bias in the penalty or not; q = 1 must agree."""

    def __init__(self, X: list[float], y: list[float], lam: float, penalize_intercept: bool):
        x, n = np.asarray(X, dtype=float)[:, None], len(y)
        X = np.hstack([np.ones_like(x), x]) if penalize_intercept else x
        options = {"fit_intercept": not penalize_intercept}
        self.whole = penalize_intercept
        self.lasso = Lasso(lam / (2 * n), **options).fit(X, y)
        self.q_norm = QNormRegression(1.0, lam, **options).fit(X, y)
        self.data = X, y

    def _weights(self, model):
        return model.coef_ if self.whole else np.append(model.intercept_, model.coef_)

    def weights(self):
        return self._weights(self.lasso)

    def weights_of_q_1(self):
        return self._weights(self.q_norm)

    def weights_of_budget(self):
        """The penalty found again from the budget that its solution uses (eq. 3.30)."""
        return self._weights(with_budget(self.lasso, budget_of(self.lasso), *self.data))


class PowerMode:
    """One observation of one column: the mode of the weight under the prior of eq. 3.56."""

    def __init__(self, q: float, prior_precision: float, noise_precision: float):
        self.q, self.alpha = q, prior_precision / noise_precision

    def mode(self):
        model = QNormRegression(self.q, self.alpha, fit_intercept=False)
        return float(model.fit([[1.0]], [1.0]).coef_[0])


OPERATIONS = {"lasso_book": LassoBook, "power_mode": PowerMode}
