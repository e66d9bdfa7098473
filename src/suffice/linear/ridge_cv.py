r"""Ridge regression that chooses its penalty by leaving out every row in closed form, or by folds (FCML §1.5.2).

    e_i(α) = r_i(α) / (1 − w_i k_i(α)),      α̂ the penalty with the least Σ w_i e_i² / N

All penalties come from one decomposition of the triangle (`statistics.left_out_along`). With `cv`, training sets are
sums of statistics, and all penalties of a fold come from one decomposition too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.metrics import check_scoring, get_scorer
from sklearn.utils import _safe_indexing
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    SufficeWarning,
    check_choice,
    check_flags,
    warn,
)
from suffice._core.numerics import first_largest
from suffice._core.records import storable
from suffice._estimator import check_not_empty
from suffice.engine import Rows, one_blas_thread
from suffice.linear._choosing import (
    ChoosesPenalty,
    as_penalties,
    fold_statistics,
    folds_of,
    refuse_params,
    routing_is_on,
)
from suffice.linear.ridge import Ridge
from suffice.statistics import Layout, Triangle
from suffice.statistics.left_out_along import PenalizedDirections, errors_left_out
from suffice.statistics.lstsq import system


class ChosenPenalty(NamedTuple):
    """The penalty (one per target, if asked for), its score, and what every row said of each penalty."""

    alpha: Any
    score: Any
    results: np.ndarray | None = None


@storable
@dataclass(eq=False, repr=False)
class RidgeCV(MultiOutputMixin, ChoosesPenalty):
    """Ridge regression with the penalty, of those given, that predicts rows left out best.

    Parameters
    ----------
    alphas
        Penalties to try; above zero where rows are left out one by one.
    fit_intercept
        Whether to add a constant.
    scoring
        None for squared error (rows left out one by one) or R² (folds); or what scikit-learn takes: a name, or a
        function of model, rows and targets. Left out one by one, all predictions are scored together.
    cv
        None leaves out every row by itself, in closed form. An integer, a splitter or pairs of rows make folds.
    gcv_mode
        Taken for scikit-learn's sake and without effect: one decomposition serves all kinds of tables.
    store_cv_results
        Whether to keep what every row said of every penalty; without `cv` only.
    alpha_per_target
        Whether each target has a penalty of its own; without `cv` only.

    Attributes
    ----------
    alpha_
        The penalty chosen, or one per target.
    best_score_
        Its score: minus the mean of w e², or what `scoring` says, averaged over folds.
    cv_results_
        Squared errors w e² of every row, (target) and penalty; predictions of the rows left out if `scoring` is given.
    best_estimator_
        The `Ridge` with this penalty, with its statistics.

    Notes
    -----
    A row is left out with all of its weight. In folds, R² counts weights too, so that a weight of two is the row twice;
    scikit-learn's does not.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.linear import RidgeCV
    >>> data = diabetes()
    >>> model = RidgeCV(alphas=[1.0, 10.0, 100.0]).fit(data.X, data.y)
    >>> print(model.alpha_, f"{-model.best_score_:.1f}")
    1.0 3001.7
    """

    alphas: Any = (0.1, 1.0, 10.0)
    _: KW_ONLY
    fit_intercept: bool = True
    scoring: Any = None
    cv: Any = None
    gcv_mode: Literal["auto", "svd", "eigen"] | None = None
    store_cv_results: bool = False
    alpha_per_target: bool = False

    best_estimator_: Ridge = field(init=False)
    alpha_: Any = field(init=False)
    best_score_: Any = field(init=False)
    cv_results_: np.ndarray = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: Any = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    @one_blas_thread()
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the penalty, and fit with it to all rows.

        Parameters
        ----------
        X
            Rows are observations.
        y
            Target, or several in columns.
        sample_weight
            How often each row counts.
        params
            For the splitter and the scorer, where scikit-learn's metadata routing is on.
        """
        refuse_params(self, params)
        alphas = self._checked()
        model = Ridge(fit_intercept=self.fit_intercept)
        rows, layout = model.door(X, y, sample_weight)
        t = model.gather(rows, layout)
        check_not_empty(t)
        routed = self._routed(sample_weight, params) if routing_is_on() else None
        if self.cv is None:
            chosen = self._leaving_one_out(t, rows, alphas, sample_weight, routed)
        else:
            chosen = self._by_folds(model, (X, y), rows, layout, alphas, routed)
        self.alpha_, self.best_score_ = chosen.alpha, chosen.score
        self.__dict__.pop("cv_results_", None)
        if chosen.results is not None:
            self.cv_results_ = chosen.results
        best = Ridge(alpha=self.alpha_, fit_intercept=self.fit_intercept).solve(t)
        self._publish(best._rounded_as(X))
        if t.header.n_targets is None:
            self.intercept_ = best.coef_.dtype.type(self.intercept_)
        return self

    def _checked(self) -> np.ndarray:
        check_flags(self, "fit_intercept", "store_cv_results", "alpha_per_target")
        if self.gcv_mode is not None:
            check_choice("gcv_mode", self.gcv_mode, ("auto", "svd", "eigen"))
        for name in ("store_cv_results", "alpha_per_target"):
            if self.cv is not None and getattr(self, name):
                raise InvalidParameter(
                    f"cv!=None and {name}=True are incompatible: it needs rows left out one by one, cv=None."
                )
        return as_penalties(self.alphas, positive=self.cv is None)

    def _scorer(self) -> Any:
        """What scores, or None for our own sums."""
        if self.scoring is None:
            return None
        try:
            return check_scoring(self, scoring=self.scoring)
        except ValueError as error:
            raise InvalidParameter(
                f"scoring must be None, one of sklearn.metrics.get_scorer_names() or a function; got {self.scoring!r}."
            ) from error

    # -- every row by itself ---------------------------------------------------------------------------
    def _leaving_one_out(
        self, t: Triangle, rows: Rows, alphas: np.ndarray, sample_weight: Any, routed: Any
    ) -> ChosenPenalty:
        scorer = self._scorer()
        counted = len(rows) if rows.weight is None else int(np.sum(rows.weight > 0))
        if counted < 2:
            raise InvalidInput(
                f"Rows are left out one by one, which needs two with weight; got n_samples={counted}. Add rows, or "
                "choose Ridge with a penalty that is known."
            )
        directions = PenalizedDirections.of(system(t, self.fit_intercept), self.fit_intercept, counted)
        deviations = system_deviations(directions, rows)
        blocks = errors_left_out(directions, deviations, rows.Y, rows.weight, alphas)
        if scorer is None:
            scores, results = _squares(blocks, rows, len(alphas), self.store_cv_results)
        else:
            given = {} if sample_weight is None else {"sample_weight": rows.weight}
            given = given if routed is None else dict(routed.scorer.score)
            results = _predictions(blocks, rows, len(alphas))
            scores = self._scored(scorer, results, rows.Y, t.header.n_targets is None, given)
        if results is not None:
            results = results[:, 0] if t.header.n_targets is None else results
        return self._best(alphas, scores, results if self.store_cv_results else None)

    def _scored(
        self, scorer: Any, predictions: np.ndarray, Y: np.ndarray, single: bool, given: dict[str, Any]
    ) -> np.ndarray:
        """The score of each penalty: (targets, penalties), or (1, penalties) for all targets at once."""

        def score(p: np.ndarray, y: np.ndarray) -> float:
            return (
                scorer(Repeats(), p[:, 0], y[:, 0], **given) if single else scorer(Repeats(), p, y, **given)
            )

        each = range(predictions.shape[2])
        if not self.alpha_per_target:
            return np.array([[score(predictions[:, :, a], Y) for a in each]])
        pairs = [(predictions[:, j], Y[:, j]) for j in range(Y.shape[1])]
        return np.array([[scorer(Repeats(), p[:, a], y, **given) for a in each] for p, y in pairs])

    def _best(self, alphas: np.ndarray, scores: np.ndarray, results: np.ndarray | None) -> ChosenPenalty:
        """From scores (targets, penalties); the first of equals."""
        if self.alpha_per_target and len(scores) > 1:
            places = np.array([first_largest(one) for one in scores])
            return ChosenPenalty(alphas[places], scores[np.arange(len(scores)), places], results)
        mean = scores.mean(axis=0)
        place = first_largest(mean)
        return ChosenPenalty(float(alphas[place]), mean[place], results)

    # -- folds -----------------------------------------------------------------------------------------
    def _by_folds(
        self,
        model: Ridge,
        table: tuple[Any, Any],
        rows: Rows,
        layout: Layout,
        alphas: np.ndarray,
        routed: Any,
    ) -> ChosenPenalty:
        split = {} if routed is None else dict(routed.splitter.split)
        folds = folds_of(self.cv, table, rows, split)
        scorer, scores = self._scorer(), np.empty((len(folds), len(alphas)))
        for i, (train, test) in enumerate(fold_statistics(model, rows, layout, folds)):
            tested = folds.test(i)
            if scorer is None:
                sse = model.solve_paths([train], "alpha", list(alphas))[0].function.sse(test)
                scores[i] = r_squared(sse.reshape(len(alphas), -1), rows[tested])
            else:
                given = {} if routed is None else _of_rows(routed.scorer.score, tested)
                X, y = (_safe_indexing(part, np.arange(len(rows))[tested]) for part in table)
                fits = (Ridge(alpha=float(a), fit_intercept=self.fit_intercept).solve(train) for a in alphas)
                scores[i] = [scorer(fit, X, y, **given) for fit in fits]
        mean = scores.mean(axis=0)
        if np.isnan(mean).any():
            warn(
                f"Scores of some penalties are undefined ({mean}); R² needs two different targets in every test fold.",
                SufficeWarning,
            )
        place = 0 if np.isnan(mean).all() else first_largest(mean)
        return ChosenPenalty(float(alphas[place]), float(mean[place]))

    def get_metadata_routing(self) -> MetadataRouter:
        """Which arguments of `fit` go to the splitter, which to the scorer."""
        scorer = (
            get_scorer("r2").set_score_request(sample_weight=True) if self.scoring is None else self._scorer()
        )
        score = MethodMapping().add(caller="fit", callee="score")
        split = MethodMapping().add(caller="fit", callee="split")
        router = MetadataRouter(owner=self).add_self_request(self).add(scorer=scorer, method_mapping=score)
        return router.add(splitter=self.cv, method_mapping=split)


class Repeats(RegressorMixin, BaseEstimator):
    """A model whose predictions are what it is given: predictions can be scored as a model is."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        return X

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        return X


def system_deviations(directions: PenalizedDirections, rows: Rows) -> Callable[[slice], np.ndarray]:
    """Rows of the design less the center of the system."""
    s = directions.system
    center = s.function(np.zeros((len(s.center), len(s.value))))
    return lambda which: center.deviations(rows.X[which])


def _squares(
    blocks: Iterator[tuple[slice, np.ndarray]], rows: Rows, n_alphas: int, keep: bool
) -> tuple[np.ndarray, np.ndarray | None]:
    """Minus the mean of w e² for each target and penalty, and all of them if they are kept."""
    shape = (*rows.Y.shape, n_alphas)
    total, results = np.zeros(shape[1:]), np.empty(shape) if keep else None
    for which, errors in blocks:
        squares = np.square(errors)
        if rows.weight is not None:
            squares *= rows.weight[which, None, None]
        total += squares.sum(axis=0)
        if results is not None:
            results[which] = squares
    return -total / len(rows), results


def _predictions(blocks: Iterator[tuple[slice, np.ndarray]], rows: Rows, n_alphas: int) -> np.ndarray:
    out = np.empty((*rows.Y.shape, n_alphas))
    for which, errors in blocks:
        out[which] = rows.Y[which, :, None] - errors
    return out


def r_squared(sse: np.ndarray, tested: Rows) -> np.ndarray:
    """1 − SSE/SST for each penalty (rows), mean over targets; as scikit-learn where the targets do not vary."""
    w = np.ones(len(tested)) if tested.weight is None else tested.weight
    if len(tested) < 2 or not w.sum() > 0:
        return np.full(len(sse), np.nan)
    total = w @ np.square(tested.Y - w @ tested.Y / w.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(total > 0, 1 - sse / total, np.where(sse > 0, 0.0, 1.0))
    return share.mean(axis=1)


def _of_rows(given: dict[str, Any], rows: Any) -> dict[str, Any]:
    return {name: np.asarray(value)[rows] for name, value in given.items()}
