r"""Least squares to one-of-K targets, a classifier to learn from rather than to use (Herbst §4.1.3, PRML §4.1.3).

Targets      t_n has a one at the class of row n and zeros elsewhere
Fit          W̃ minimizes ‖X̃ W̃ − T‖²,  X̃ = [1, X];  by QR of X̃, never by X̃ᵀX̃    (Herbst §4.1.3, PRML eq. 4.16)
Outputs      y(x) = W̃ᵀ x̃ sum to one for every x, if there is an intercept; they are below zero and above one too
Decision     the largest output

In class c the targets are constant, so the triangle of [1, X, T] is [R_c | R_c e_1 e_cᵀ] with R_c that of [1, X].
Stacking these and factoring again is least squares on all rows, without a second look at them.

Two failures are the point. Rows far on the right side of a boundary pull it towards them, since an output above one is
an error; for two classes the direction is that of `LinearDiscriminantAnalysis`, which suffers too, while `Perceptron`
asks for the side only. And of three classes along a line the middle one may win nowhere: no linear function is large in
the middle. There `LinearDiscriminantAnalysis`, on the same statistics, is right.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, final

import numpy as np

from suffice._core.errors import RankDeficient, check_flags, warn
from suffice._core.records import storable
from suffice.engine import one_blas_thread
from suffice.generative._normal.triangles import FromClassTriangles, with_targets
from suffice.generative._shell.bayes_rule import log_priors
from suffice.generative._shell.linear_decision import LinearDecision
from suffice.statistics import Affine, ClassStatistics, Counts


def root_weights(choice: Any, counts: Counts) -> np.ndarray:
    """√(P_c n / n_c), by which rows of a class count so that it has its prior in place of its share."""
    share = counts.counts / counts.n
    ratio = np.divide(np.exp(log_priors(choice, counts)), share, out=np.zeros_like(share), where=share > 0)
    return np.sqrt(ratio)


@final
@storable
@dataclass(eq=False, repr=False)
class LeastSquaresClassifier(LinearDecision, FromClassTriangles):
    """Linear regression on one-of-K targets; the largest output wins.

    Parameters
    ----------
    fit_intercept
        Whether to add a constant. Without it outputs do not sum to one.
    priors
        How much the squared errors of a class count: None or "empirical" by its rows, "uniform" for all classes alike,
        or one number per class, with sum one.

    Attributes
    ----------
    coef_, intercept_
        Of the output of each class; of two classes, of the second less the first.

    Notes
    -----
    Outputs are no probabilities, so there is no `predict_proba`. Use `LinearDiscriminantAnalysis` for these.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative import LeastSquaresClassifier
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 3.0], [4.0, 3.0], [3.0, 4.0]])
    >>> model = LeastSquaresClassifier().fit(X, ["low", "low", "low", "high", "high", "high"])
    >>> print(model.outputs([[9.0, 9.0]]).round(4), model.predict([[9.0, 9.0]]))
    [[ 2.8313 -1.8313]] ['high']
    """

    _: KW_ONLY
    fit_intercept: bool = True
    priors: Any = None

    statistics_: ClassStatistics = field(init=False)
    classes_: np.ndarray = field(init=False)
    class_count_: np.ndarray = field(init=False)
    function_: Affine = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: np.ndarray = field(init=False)
    squared_error_: float = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    def _check_parameters(self) -> None:
        check_flags(self, "fit_intercept")

    def _solve(self, statistics: ClassStatistics) -> None:
        scale = root_weights(self.priors, statistics.counts)
        solution = with_targets(statistics, scale, np.eye(len(scale))).lstsq(fit_intercept=self.fit_intercept)
        if solution.dependent:
            names = np.array(statistics.header.feature_names, dtype=object)[list(solution.dependent)]
            warn(
                f"Columns are dependent: {', '.join(map(repr, names[:6].tolist()))} can be had from others, so many "
                "weights fit alike; the smallest were taken. Leave such columns out.",
                RankDeficient,
            )
        self.function_ = solution.function
        self.squared_error_ = float(solution.sse.sum())
        intercept, coef = solution.function.raw()
        self._write_discriminants(coef.T, intercept, np.zeros(len(coef)))

    @one_blas_thread()
    def outputs(self, X: Any) -> np.ndarray:
        """y(x), a column per class; what least squares made of targets of zero and one."""
        X = self._open_inputs(X)
        return self.function_(X)

    def decision_function(self, X: Any) -> np.ndarray:
        """The outputs; of two classes, that of the second less that of the first."""
        values = self._of_seen(X)
        return values[:, 1] - values[:, 0] if values.shape[1] == 2 else values

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest output; the first in sorted order of several."""
        best = np.argmax(self._of_seen(X), axis=1)
        return self.classes_[best]

    def _of_seen(self, X: Any) -> np.ndarray:
        """The outputs; −inf for classes without rows."""
        values = self.outputs(X)
        return np.where(self.class_count_ > 0, values, -np.inf)

    @property
    def n_parameters_(self) -> int:
        """Weights of the outputs that are free: with an intercept they sum to one."""
        k, d = len(self.classes_), self.n_features_in_
        return (k - 1) * (d + 1) if self.fit_intercept else k * d
