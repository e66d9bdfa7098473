"""Grid search that reads the table once where the model allows it; otherwise scikit-learn's own, in effect.

The score of a candidate is minus its size-weighted loss, or what `scoring` says (then averaged over folds as
scikit-learn does).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import check_scoring
from sklearn.model_selection import GridSearchCV as PeerGridSearchCV
from sklearn.model_selection import ParameterGrid
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice
from suffice._core.losses import LOSSES, Loss, resolve_loss
from suffice._core.numerics import first_largest
from suffice._core.records import record, storable
from suffice.evaluation._levels.densities import log_densities
from suffice.evaluation._levels.ladder import Ladder, Scores
from suffice.evaluation._levels.pipelines import n_rows
from suffice.evaluation._levels.predictions import distribution_of
from suffice.evaluation._levels.splits import make_folds
from suffice.evaluation._levels.validation_table import rows_to_read
from suffice.evaluation.cross_validation import make_table
from suffice.evaluation.path import PENALTIES

SCORINGS = {  # the loss that says the same, and the score of a perfect prediction
    "neg_mean_squared_error": ("squared", 0.0),
    "neg_mean_absolute_error": ("absolute", 0.0),
    "neg_mean_poisson_deviance": ("poisson", 0.0),
    "accuracy": ("misclassification", 1.0),
}


@record
class LossScorer:
    """The score of a perfect prediction minus the mean loss: what `score` of a search returns."""

    loss: Loss
    perfect: float = 0.0

    def __call__(self, estimator: Any, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        return self.perfect - float(np.average(self._losses(estimator, X, y), weights=sample_weight))

    def _losses(self, estimator: Any, X: Any, y: Any) -> np.ndarray:
        if self.loss.of_density:
            rows = np.arange(n_rows(X))
            return self.loss(None, log_densities(estimator, X, rows))
        prediction = estimator.predict(X) if self.loss.needs == "predict" else distribution_of(estimator, X)
        return self.loss(np.asarray(y), prediction)


def _has_predict(search: SearchCV) -> bool:
    """As scikit-learn decides it; the error says what is missing."""
    return super(SearchCV, search).predict is not None


@storable
@dataclass(eq=False, repr=False)
class SearchCV(PeerGridSearchCV):
    """The best of a grid of parameters by cross-validation; takes the place of `GridSearchCV`.

    Candidates that are fitted from the same statistics share one pass over the table, and all penalties of a
    ridge one decomposition per fold; Pipelines of scaling, bases and encoders are seen through. Any other
    estimator is refitted. `how_` and `notes_` say what happened.

    Parameters
    ----------
    estimator
        Any scikit-learn estimator.
    param_grid
        Values by parameter name, or a list of such grids.
    cv
        As in `cross_validate`.
    loss
        As in `cross_validate`; scores are minus the loss (of a density its mean log density).
    scoring
        A scikit-learn scorer or its name instead of a loss. Scores are then averaged over folds, and weights
        count in training alone, as in scikit-learn.
    refit
        Whether to fit the best candidate to all rows; or a function of `cv_results_` that returns the index
        to choose, for example `one_standard_error("alpha")`.
    n_jobs, pre_dispatch
        Parallel refits, as joblib takes them.
    return_train_score
        Whether `cv_results_` has the scores on training rows too.
    error_score
        NaN keeps the candidates that work when others fail; "raise" stops at the first failure.
    verbose
        Above 0, one line says what was done.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import SearchCV
    >>> from suffice.linear import Ridge
    >>> data = diabetes()
    >>> search = SearchCV(Ridge(standardize=True), {"alpha": [0.1, 1, 10, 100]}).fit(data.X, data.y)
    >>> search.best_params_, search.how_
    ({'alpha': 10}, 'statistics')
    """

    estimator: Any
    param_grid: Any
    _: KW_ONLY
    cv: Any = 10
    loss: Any = None
    scoring: Any = None
    refit: Any = True
    n_jobs: int | None = None
    return_train_score: bool = False
    error_score: Any = np.nan
    verbose: int = 0
    pre_dispatch: Any = "2*n_jobs"

    scores_: Scores = field(init=False)
    candidates_: tuple[dict[str, Any], ...] = field(init=False)
    best_index_: int = field(init=False)
    best_estimator_: Any = field(init=False)
    best_params_: dict[str, Any] = field(init=False)
    best_score_: float = field(init=False)
    n_splits_: int = field(init=False)
    perfect_score_: float = field(init=False)
    averaged_by_: str = field(init=False)
    search_time_: float = field(init=False)

    multimetric_: ClassVar[bool] = False

    def fit(
        self, X: Any, y: Any = None, *, sample_weight: Any = None, groups: Any = None, **params: Any
    ) -> Self:
        """Score every candidate on the same folds and fit the best to all rows.

        Parameters
        ----------
        sample_weight
            How often each row counts, in training and in the loss (with `scoring` in training alone).
        groups
            For splitters that need them.
        params
            Further arguments of the estimator's `fit`, as in `cross_validate`: an offset reaches `predict` too.
        """
        start = time.perf_counter()
        grid = list(ParameterGrid(self.param_grid))
        if not grid:
            raise InvalidParameter(
                "param_grid has no candidates; give at least one, or {} for the estimator."
            )
        loss, scorer, self.perfect_score_ = self._measure(sample_weight is not None)
        self.averaged_by_ = "size" if self.scoring is None else "fold"
        table = make_table(X, y, sample_weight, params, self.estimator)
        folds = make_folds(self.cv, self.estimator, table.X, table.y, groups)
        jobs = {"n_jobs": self.n_jobs, "pre_dispatch": self.pre_dispatch}
        search = Ladder(self.estimator, grid, table, visits=rows_to_read(folds), **jobs)
        self.scores_ = search.scores(
            folds, loss, scorer=scorer, train=self.return_train_score, strict=self.error_score == "raise"
        )
        self.candidates_, self.n_splits_ = tuple(grid), len(folds)
        self.search_time_ = time.perf_counter() - start
        self._choose()
        if self.verbose:
            print(
                f"{len(grid)} candidates on {len(folds)} folds in {self.search_time_:.2f} s (from {self.how_})"
            )
        if self.refit:
            chosen = search.grid[self.best_index_]
            start = time.perf_counter()
            kept = search.fitted(self.best_index_)
            self.best_estimator_ = table.fit(chosen, np.arange(len(table))) if kept is None else kept
            self.refit_time_ = time.perf_counter() - start
            self.__dict__.pop("feature_names_in_", None)
            if hasattr(self.best_estimator_, "feature_names_in_"):
                self.feature_names_in_ = self.best_estimator_.feature_names_in_
        return self

    def _measure(self, weighted: bool = False) -> tuple[Loss, Callable | None, float]:
        """The loss, a scorer where no loss says the same, and the score of a perfect prediction."""
        if self.scoring is None:
            return resolve_loss(self.loss, self.estimator), None, 0.0
        if self.loss is not None:
            raise InvalidParameter("Give loss or scoring, not both.")
        if not (isinstance(self.scoring, str) or callable(self.scoring)):
            raise InvalidParameter(f"scoring must be one scorer or its name; got {self.scoring!r}.")
        if isinstance(self.scoring, str) and self.scoring in SCORINGS and not weighted:
            name, perfect = SCORINGS[self.scoring]
            return LOSSES[name], None, perfect
        return LOSSES["squared"], check_scoring(self.estimator, scoring=self.scoring), 0.0

    @available_if(_has_predict)
    def predict(self, X: Any, **params: Any) -> Any:
        """Predictions of the best candidate; `params` are further arguments of its `predict`, such as an offset."""
        check_is_fitted(self)
        return self.best_estimator_.predict(X, **params)

    @property
    def scorer_(self) -> Callable:
        """What `score` calls."""
        loss, scorer, perfect = self._measure()
        return scorer or LossScorer(loss, perfect)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags = get_tags(self.estimator).target_tags
        if tags.regressor_tags is not None and self.scoring is None:
            tags.regressor_tags.poor_score = True  # minus a loss is never positive
        return tags

    def _choose(self) -> None:
        mean = self.cv_results_["mean_test_score"]
        if callable(self.refit):
            self.best_index_ = int(self.refit(self.cv_results_))
            if not 0 <= self.best_index_ < len(mean):
                raise InvalidParameter(f"refit chose candidate {self.best_index_} of {len(mean)}.")
        else:
            if not np.isfinite(mean).any():
                raise InvalidInput("No candidate has a finite score; see notes_.")
            self.best_index_ = first_largest(mean)
        self.best_params_ = self.candidates_[self.best_index_]
        self.best_score_ = float(mean[self.best_index_])

    @property
    def how_(self) -> str:
        """What answered: "statistics", "closed form" or "refit"."""
        return self.scores_.how

    @property
    def notes_(self) -> tuple[str, ...]:
        """Which candidates or folds fell back or failed, and why."""
        return self.scores_.notes

    @property
    def cv_results_(self) -> dict[str, Any]:
        """Scores by candidate, with the keys of `GridSearchCV`; times are shares of the whole search."""
        s, n = self.scores_, len(self.candidates_)
        scores = self.perfect_score_ - s.test
        with np.errstate(invalid="ignore"):  # an infinite loss has no spread
            spread = scores.std(axis=1)
        mean = scores @ s.sizes / s.sizes.sum() if self.averaged_by_ == "size" else scores.mean(axis=1)
        out: dict[str, Any] = {"mean_fit_time": np.full(n, self.search_time_ / s.test.size)}
        out |= {k: np.zeros(n) for k in ("std_fit_time", "mean_score_time", "std_score_time")}
        out |= {f"param_{name}": self._column(name) for name in _names(self.candidates_)}
        out["params"] = list(self.candidates_)
        out |= {f"split{i}_test_score": scores[:, i] for i in range(self.n_splits_)}
        out["mean_test_score"], out["std_test_score"] = mean, spread
        if self.return_train_score:
            train = self.perfect_score_ - s.train
            out |= {f"split{i}_train_score": train[:, i] for i in range(self.n_splits_)}
            out["mean_train_score"], out["std_train_score"] = train.mean(axis=1), train.std(axis=1)
        worst = np.nan_to_num(mean, nan=np.nanmin(mean, initial=0.0) - 1)
        out["rank_test_score"] = rankdata(-worst, method="min").astype(np.int32)
        return out

    def _column(self, name: str) -> np.ma.MaskedArray:
        column = np.ma.MaskedArray(np.empty(len(self.candidates_)), mask=True, dtype=object)
        for i, params in enumerate(self.candidates_):
            if name in params:
                column[i] = params[name]
        return column

    def fitted(self) -> dict[str, Any]:
        """Fitted attributes by name, as files keep them."""
        names = ("scores_", "candidates_", "best_index_", "best_params_", "best_score_", "best_estimator_",
                 "n_splits_", "search_time_", "perfect_score_", "averaged_by_")  # fmt: skip
        return {n: self.__dict__[n] for n in names if n in self.__dict__}


def _names(candidates: Sequence[dict[str, Any]]) -> list[str]:
    return sorted({name for params in candidates for name in params})


def one_standard_error(parameter: str, simplest: str | None = None) -> Callable[[dict[str, Any]], int]:
    """A choice for `SearchCV(refit=…)`: the simplest value of a parameter within one standard error of the best.

    Parameters
    ----------
    simplest
        "largest" or "smallest" value; None: the largest of a penalty, the smallest of anything else.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import SearchCV, one_standard_error
    >>> from suffice.linear import Ridge
    >>> data = diabetes()
    >>> grid = {"alpha": [0.1, 1, 10, 100, 1000]}
    >>> search = SearchCV(Ridge(standardize=True), grid, refit=one_standard_error("alpha"))
    >>> search.fit(data.X, data.y).best_params_
    {'alpha': 100}
    """
    simplest = simplest or ("largest" if parameter.split("__")[-1] in PENALTIES else "smallest")
    check_choice("simplest", simplest, ("largest", "smallest"))

    def choose(results: dict[str, Any]) -> int:
        mean, spread = results["mean_test_score"], results["std_test_score"]
        folds = sum(key.startswith("split") for key in results)
        best = int(np.nanargmax(mean))
        error = spread[best] / np.sqrt(max(folds - 1, 1))  # the standard deviation above divides by folds
        within = np.flatnonzero(mean >= mean[best] - error)
        values = np.array([float(results["params"][i][parameter]) for i in within])
        return int(within[np.argmax(values) if simplest == "largest" else np.argmin(values)])

    return choose
