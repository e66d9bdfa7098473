r"""A ridge classifier whose penalty does best on rows it has not seen (FCML §1.5.2, DTU §10.1.4).

Left out one by one, each row's residual has a closed form for every penalty,

    e_n = r_n / (1 − h_n),   h_n = c_n (1/N + z_nᵀ (RᵀR + αI)⁻¹ z_n)

from one fit to all rows. In other folds the penalty is scored by classifiers fitted to the statistics of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, field
from typing import Any, Self, final

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.metadata_routing import _raise_for_params

from suffice._core.errors import InvalidParameter, check_flags
from suffice._core.linalg import svd
from suffice._core.records import estimator
from suffice._estimator import Estimator, remember_columns
from suffice._estimator.chosen_by_folds import ChoosesByFolds
from suffice._estimator.labels import LabelPlan
from suffice.engine import Rows, one_blas_thread
from suffice.generative._shell.class_weights import check_class_weight, class_weights
from suffice.generative.ridge_classifier import RidgeClassifier, check_alpha, signed, signs
from suffice.statistics import ClassStatistics
from suffice.statistics.folds import Folds
from suffice.statistics.lstsq import system

BLOCK = 16_384


def left_out_errors(
    model: RidgeClassifier, rows: Rows, statistics: ClassStatistics, alphas: np.ndarray
) -> np.ndarray:
    """Residuals (N, functions, alphas) of every row by the classifier without it.

    In the directions V of R = U S Vᵀ all penalties share one look at the rows: h is a sum over directions.
    """
    t = signed(statistics, model.class_weight)
    T = signs(len(statistics.counts.classes))[rows.Y]
    weight = row_weights(model, rows, statistics)
    s = system(t, model.fit_intercept)
    U, sigma, Vt = svd(s.R)
    power = sigma[:, None] ** 2 + alphas  # (d, alphas)
    B = (U.T @ s.Z)[:, :, None] * (sigma[:, None] / power)[:, None]  # (d, functions, alphas)
    shared = 1 / t.n if model.fit_intercept else 0.0
    center, out = s.function(np.zeros((len(Vt), T.shape[1]))), np.empty((*T.shape, len(alphas)))
    for a in range(0, len(rows), BLOCK):
        some = slice(a, a + BLOCK)
        z = center.deviations(rows.X[some]) @ Vt.T
        h = weight[some, None] * (shared + z**2 @ (1 / power))
        residual = (T[some] - s.value)[:, :, None] - np.tensordot(z, B, axes=1)
        out[some] = residual / (1 - h)[:, None]
    return out


def row_weights(model: RidgeClassifier, rows: Rows, statistics: ClassStatistics) -> np.ndarray:
    """How much each row counts, by its own weight and that of its class."""
    by_class = class_weights(model.class_weight, statistics.counts.classes, statistics.counts.counts)[rows.Y]
    return by_class if rows.weight is None else by_class * rows.weight


class KnownOutputs(ClassifierMixin, BaseEstimator):
    """Outputs that are known already, as a classifier that scorers can ask: its table is the outputs."""

    def __init__(self, classes: Any = None) -> None:
        self.classes = classes

    def fit(self, X: Any, y: Any) -> Self:
        """The classes are known."""
        self.classes_ = self.classes
        return self

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        """The outputs themselves."""
        return X[:, 0] if X.shape[1] == 1 else X

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The class with the largest output."""
        best = (X[:, 0] > 0).astype(int) if X.shape[1] == 1 else np.argmax(X, axis=1)
        return self.classes_[best]


@final
@estimator
class RidgeClassifierCV(ChoosesByFolds, ClassifierMixin, Estimator):
    """A `RidgeClassifier` whose `alpha` is chosen by cross-validation.

    Parameters
    ----------
    alphas
        Penalties to try.
    fit_intercept
        Whether to add a constant.
    scoring
        A scorer or the name of one, greater is better. None: minus the squared error of targets of plus and minus one
        where rows are left out one by one, accuracy in other folds.
    cv
        None leaves rows out one by one, in closed form; otherwise what `sklearn.model_selection.check_cv` takes.
    class_weight
        As in `RidgeClassifier`.
    store_cv_results
        Whether to keep what each penalty makes of each row left out.

    Attributes
    ----------
    alpha_, best_score_
        The penalty with the best score, and that score.
    cv_results_
        With `store_cv_results`: squared errors (rows, functions, alphas), or the outputs where `scoring` was given.
    model_
        The `RidgeClassifier` that answers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice.generative import RidgeClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RidgeClassifierCV([0.01, 1, 100]).fit(X, y)
    >>> print(model.alpha_, f"{model.best_score_:.4f}")
    1.0 -0.3816
    """

    alphas: Any = (0.1, 1.0, 10.0)
    _: KW_ONLY
    fit_intercept: bool = True
    scoring: Any = None
    cv: Any = None
    class_weight: Any = None
    store_cv_results: bool = False

    model_: RidgeClassifier = field(init=False)
    classes_: np.ndarray = field(init=False)
    alpha_: float = field(init=False)
    best_score_: float = field(init=False)
    cv_results_: np.ndarray = field(init=False)

    _weighs_default = True  # as scikit-learn's

    def _scoring(self) -> Any:
        return self.scoring

    def _alphas(self) -> np.ndarray:
        values = np.atleast_1d(check_alpha("alphas", self.alphas))
        if self.cv is None and not np.all(values > 0):
            raise InvalidParameter(
                f"alphas must be numbers > 0 where rows are left out; got {self.alphas!r}."
            )
        return values

    def _check_parameters(self) -> None:
        check_flags(self, "fit_intercept", "store_cv_results")
        check_class_weight(self.class_weight)
        if self.cv is not None and self.store_cv_results:
            raise InvalidParameter(
                "cv!=None and store_cv_results=True are incompatible: results are kept of rows left out one by one; "
                f"got cv={self.cv!r}."
            )

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the penalty, and fit to a table.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            Labels: strings, booleans or whole numbers.
        sample_weight
            How often each row counts.
        params
            For the splitter and the scorer, where scikit-learn's metadata routing is enabled.
        """
        _raise_for_params(params, self, "fit")
        return self.reported(lambda tick: self._fit(X, y, sample_weight, params))

    @one_blas_thread()
    def _fit(self, X: Any, y: Any, sample_weight: Any, params: Mapping[str, Any]) -> Self:
        self._check_parameters()
        alphas = self._alphas()
        model = RidgeClassifier(fit_intercept=self.fit_intercept, class_weight=self.class_weight)
        rows, plan = model.door(X, y, sample_weight)
        statistics = model.gather(rows, plan)
        clone(model).solve(statistics)  # refuses what no penalty could make right
        for_split, for_score = self._routed(sample_weight, params)
        self.__dict__.pop("cv_results_", None)
        if self.cv is None:
            scores = self._left_out(model, rows, plan, statistics, alphas, for_score)
        else:
            folds = self._folds(rows.X, plan.classes[rows.Y], for_split)
            scores = self._in_folds(model, rows, plan, folds, alphas, for_score)
        best = int(np.argmax(scores))
        self.alpha_, self.best_score_ = float(alphas[best]), float(scores[best])
        self.model_ = model.set_params(alpha=self.alpha_).solve(statistics)
        self.classes_ = plan.classes
        remember_columns(self, plan.header)
        return self

    def _left_out(
        self,
        model: RidgeClassifier,
        rows: Rows,
        plan: LabelPlan,
        statistics: ClassStatistics,
        alphas: np.ndarray,
        for_score: Mapping[str, Any],
    ) -> np.ndarray:
        errors = left_out_errors(model, rows, statistics, alphas)
        outputs = signs(len(plan.classes))[rows.Y][:, :, None] - errors
        if self.scoring is None:
            results = row_weights(model, rows, statistics)[:, None, None] * errors**2
            scores = -results.mean(axis=(0, 1))
        else:
            labels, scorer = plan.classes[rows.Y], self._get_scorer()
            judge = KnownOutputs(plan.classes).fit(None, None)
            results = outputs
            scores = np.array(
                [scorer(judge, outputs[:, :, j], labels, **for_score) for j in range(len(alphas))]
            )
        if self.store_cv_results:
            self.cv_results_ = results
        return scores

    def _in_folds(
        self,
        model: RidgeClassifier,
        rows: Rows,
        plan: LabelPlan,
        folds: Folds,
        alphas: np.ndarray,
        for_score: Mapping[str, Any],
    ) -> np.ndarray:
        """Mean scores; folds are read once, whatever the number of penalties."""
        labels, scorer = plan.classes[rows.Y], self._get_scorer()
        scores = np.empty((len(folds), len(alphas)))
        for i in range(len(folds)):
            statistics, test = model.gather(rows[folds.train(i)], plan), folds.test(i)
            given = {k: np.asarray(v)[test] for k, v in for_score.items()}
            for j, alpha in enumerate(alphas):
                fitted = clone(model).set_params(alpha=float(alpha)).solve(statistics)
                fitted.__dict__.pop("feature_names_in_", None)  # it is asked for rows without names
                scores[i, j] = scorer(fitted, rows.X[test], labels[test], **given)
        return scores.mean(axis=0)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = not self.fit_intercept
        return tags
