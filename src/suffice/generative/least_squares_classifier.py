r"""Least squares to one-of-K targets, a classifier to learn from rather than to use (Herbst §4.1.3, PRML §4.1.3).

Targets      t_n has a one at the class of row n and zeros elsewhere
Fit          W̃ minimizes ‖X̃ W̃ − T‖²,  X̃ = [1, X];  by QR of X̃, never by X̃ᵀX̃    (Herbst §4.1.3, PRML eq. 4.16)
Outputs      y(x) = W̃ᵀ x̃ sum to one for every x, if there is an intercept; they are below zero and above one too
Decision     the largest output

In class c the targets are constant, so the triangle of [1, X, T] is [R_c | R_c e_1 e_cᵀ] with R_c that of [1, X]: all
of T is a number √n_c in the first row of each R_c. With the R_c stacked and factored, S = Q R, the targets are the
first rows of the classes in Q, times √n_c, and what is left of them is Σ_c n_c (1 − ‖q_c‖²). No table has a row and a
column for each class.

Two failures are the point. Rows far on the right side of a boundary pull it towards them, since an output above one is
an error; for two classes the direction is that of `LinearDiscriminantAnalysis`, which suffers too, while `Perceptron`
asks for the side only. And of three classes along a line the middle one may win nowhere: no linear function is large in
the middle. There `LinearDiscriminantAnalysis`, on the same statistics, is right.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, final

import numpy as np

from suffice._core.errors import RankDeficient, check_flags, warn
from suffice._core.linalg import qr_thin
from suffice._core.records import estimator, frozen_array
from suffice._estimator import warn_ill_conditioned
from suffice._estimator.labels import LabelPlan
from suffice.engine import Rows, one_blas_thread
from suffice.generative._normal.triangles import ClassTriangles, gather_triangles
from suffice.generative._shell.bayes_rule import log_priors
from suffice.generative._shell.classifier import some_rows
from suffice.generative._shell.from_statistics import FromClassStatistics
from suffice.generative._shell.linear_decision import LinearDecision
from suffice.statistics import AffineFunction, ClassStatistics, Counts, Header, Layout, Triangle

AT_ONCE = 1 << 24  # outputs computed before the largest of each row is kept


def with_indicators(statistics: ClassStatistics, scale: np.ndarray) -> tuple[Triangle, float]:
    """The triangle of [1, X, T] for one-of-K targets T but for rows of T alone, and the sum of squares of these.

    From the triangles of the classes, each scaled by its root weight.
    """
    seen = [(c, part) for c, part in enumerate(statistics.parts) if part is not None]
    layout, k = seen[0][1].layout, len(statistics.parts)
    parts = [scale[c] * part.moved(layout).factor for c, part in seen]
    Q, R = qr_thin(np.vstack(parts))
    first = np.cumsum([0, *map(len, parts[:-1])])
    root_n = np.array([part[0, 0] for part in parts])
    targets = np.zeros((len(R), k))
    targets[:, [c for c, _ in seen]] = (Q[first] * root_n[:, None]).T
    left = float(root_n**2 @ np.maximum(1 - np.square(Q[first]).sum(axis=1), 0.0))
    header = Header(layout.header.n_features, layout.header.features, layout.header.basis, k)
    shift = frozen_array(np.concatenate([layout.shift, np.zeros(k)]))
    rows, n = sum(part.rows for _, part in seen), sum(part.n for _, part in seen)
    factor = frozen_array(np.hstack([R, targets]))
    return Triangle(factor, Layout(header, shift, layout.frame), rows, n), left


def root_weights(choice: Any, counts: Counts) -> np.ndarray:
    """√(P_c n / n_c), by which rows of a class count so that it has its prior in place of its share."""
    share = counts.counts / counts.n
    ratio = np.divide(np.exp(log_priors(choice, counts)), share, out=np.zeros_like(share), where=share > 0)
    return np.sqrt(ratio)


@final
@estimator
class LeastSquaresClassifier(ClassTriangles, LinearDecision, FromClassStatistics):
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

    function_: AffineFunction = field(init=False)
    squared_error_: float = field(init=False)

    def _check_parameters(self) -> None:
        check_flags(self, "fit_intercept")

    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        return gather_triangles(rows, plan)

    def _solve(self, statistics: ClassStatistics) -> None:
        scale = root_weights(self.priors, statistics.counts)
        triangle, left = with_indicators(statistics, scale)
        solution = triangle.lstsq(fit_intercept=self.fit_intercept)
        if solution.dependent:
            names = np.array(statistics.header.feature_names, dtype=object)[list(solution.dependent)]
            warn(
                f"Columns are dependent: {', '.join(map(repr, names[:6].tolist()))} can be had from others, so many "
                "weights fit alike; the smallest were taken. Leave such columns out.",
                RankDeficient,
            )
        warn_ill_conditioned(solution.condition)
        self.function_ = solution.function
        self.squared_error_ = float(solution.sse.sum()) + left
        intercept, coef = solution.function.raw()
        self._write_discriminants(coef.T, intercept, np.zeros(len(coef)))

    def _linear_inputs(self, X: Any) -> Any:
        return self._open_inputs(X)

    @one_blas_thread()
    def outputs(self, X: Any) -> np.ndarray:
        """y(x), a column per class; what least squares made of targets of zero and one."""
        X = self._open_inputs(X)
        return self.function_(X)

    @one_blas_thread()
    def decision_function(self, X: Any) -> np.ndarray:
        """The outputs; of two classes, that of the second less that of the first."""
        values = self._of_seen(self._open_inputs(X))
        return values[:, 1] - values[:, 0] if values.shape[1] == 2 else values

    @one_blas_thread()
    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest output; the first in sorted order of several."""
        X = self._open_inputs(X)
        step = max(1, AT_ONCE // len(self.classes_))
        some = range(0, max(X.shape[0], 1), step)
        best = np.concatenate([np.argmax(self._of_seen(some_rows(X, a, a + step)), axis=1) for a in some])
        return self.classes_[best]

    def _of_seen(self, X: Any) -> np.ndarray:
        """The outputs of validated rows; −inf for classes without any."""
        values = self.function_(X)
        values[:, ~(self.class_count_ > 0)] = -np.inf
        return values

    @property
    def n_parameters_(self) -> int:
        """Weights of the outputs that are free: with an intercept they sum to one."""
        k, d = len(self.classes_), self.n_features_in_
        return (k - 1) * (d + 1) if self.fit_intercept else k * d
