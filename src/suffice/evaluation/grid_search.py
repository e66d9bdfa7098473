"""scikit-learn's searches, which read the table once where the model allows it.

Parameters, attributes and results are scikit-learn's, `scoring` and its averages too; `how_` says what answered. Models
that must be refitted are refitted by scikit-learn itself. `SearchCV` is the search by a loss.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.experimental import enable_halving_search_cv  # noqa: F401  scikit-learn asks for this line
from sklearn.model_selection import GridSearchCV as PeerGridSearchCV
from sklearn.model_selection import HalvingGridSearchCV, ParameterGrid, ParameterSampler, train_test_split
from sklearn.model_selection import RandomizedSearchCV as PeerRandomizedSearchCV
from sklearn.model_selection._search import BaseSearchCV

from suffice.evaluation._levels.peer_scores import PeerScores, peer_scores

__all__ = ["GridSearchCV", "HalvingGridSearchCV", "RandomizedSearchCV", "train_test_split"]


class SearchFromStatistics(BaseSearchCV, ABC):
    """A search of scikit-learn's that is answered from statistics where the model allows it."""

    how_: str
    notes_: tuple[str, ...]

    @abstractmethod
    def _candidates(self) -> list[Mapping[str, Any]] | None:
        """What the search tries, or None where drawing it again would give others."""

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Score every candidate and fit the best to all rows; `params` are scikit-learn's."""
        if _is_plain(self, params):
            self._validate_params()
            grid = self._candidates()
            if grid is not None and (found := _scores(self, grid, X, y, params)) is not None:
                return _set_attributes(self, grid, found, X, y)
        self.how_, self.notes_ = "refit", ()
        return super().fit(X, y, **params)


class GridSearchCV(SearchFromStatistics, PeerGridSearchCV):
    """scikit-learn's exhaustive search over a grid; from statistics where the model allows it.

    Parameters and attributes are those of `sklearn.model_selection.GridSearchCV`. With several metrics, a scorer by
    name and folds that can be asked for twice, candidates fitted from the same statistics share one pass over the
    table. Anything else is done by scikit-learn.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import GridSearchCV
    >>> from suffice.linear import Ridge
    >>> data = diabetes()
    >>> search = GridSearchCV(Ridge(), {"alpha": [0.1, 1, 10]}, scoring="neg_mean_squared_error").fit(data.X, data.y)
    >>> search.best_params_, search.how_
    ({'alpha': 0.1}, 'statistics')
    """

    def _candidates(self) -> list[Mapping[str, Any]] | None:
        return list(ParameterGrid(self.param_grid))


class RandomizedSearchCV(SearchFromStatistics, PeerRandomizedSearchCV):
    """scikit-learn's search over candidates drawn at random; from statistics where the model allows it.

    Parameters and attributes are those of `sklearn.model_selection.RandomizedSearchCV`, and so are the candidates
    that a `random_state` draws.

    Examples
    --------
    >>> from scipy.stats import loguniform
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import RandomizedSearchCV
    >>> from suffice.linear import Ridge
    >>> data = diabetes()
    >>> search = RandomizedSearchCV(Ridge(), {"alpha": loguniform(0.01, 100)}, n_iter=50, random_state=0)
    >>> search.fit(data.X, data.y).how_
    'statistics'
    """

    def _candidates(self) -> list[Mapping[str, Any]] | None:
        if self.random_state is None or isinstance(self.random_state, np.random.RandomState):
            return None
        return list(ParameterSampler(self.param_distributions, self.n_iter, random_state=self.random_state))


def _is_plain(search: Any, params: Mapping[str, Any]) -> bool:
    """Whether nothing is asked for but what statistics can answer: no callbacks, routing, or other candidates."""
    owner = next(c for c in type(search).__mro__ if "_run_search" in vars(c))
    own = owner in (PeerGridSearchCV, PeerRandomizedSearchCV)
    plain = own and not getattr(search, "_skl_callbacks", None)
    return plain and not sklearn.get_config()["enable_metadata_routing"] and set(params) <= {"groups"}


def _scores(
    search: Any, grid: Sequence[Mapping[str, Any]], X: Any, y: Any, params: Mapping[str, Any]
) -> PeerScores | None:
    return peer_scores(
        search.estimator,
        grid,
        X,
        y,
        scoring=search.scoring,
        cv=search.cv,
        groups=params.get("groups"),
        train=search.return_train_score,
    )


def _set_attributes(search: Any, grid: Sequence[Mapping[str, Any]], found: PeerScores, X: Any, y: Any) -> Any:
    """The fitted attributes of a search, as scikit-learn names and shapes them."""
    search.scorer_, metric = search._get_scorers()
    search.multimetric_ = not (search.scoring is None or isinstance(search.scoring, str))
    if search.multimetric_:
        search.scorer_ = search.scorer_._scorers
    search.n_splits_, search.how_, search.notes_ = len(found.sizes), found.how, found.notes
    if search.verbose > 0:
        print(f"Fitting {len(found.sizes)} folds for each of {len(grid)} candidates, from {found.how}")
    outcomes = _outcomes(len(grid), found, search.return_train_score)
    search.cv_results_ = search._format_results(grid, len(found.sizes), outcomes)
    if search.refit or not search.multimetric_:
        index = BaseSearchCV._select_best_index(search.refit, metric, search.cv_results_)
        search.best_index_, search.best_params_ = index, dict(grid[index])
        if not callable(search.refit):
            search.best_score_ = search.cv_results_[f"mean_test_{metric}"][index]
    if search.refit:
        _refit(search, X, y)
    return search


def _refit(search: Any, X: Any, y: Any) -> None:
    chosen = {k: clone(v, safe=False) for k, v in search.best_params_.items()}
    search.best_estimator_ = clone(clone(search.estimator).set_params(**chosen))
    start = time.perf_counter()
    search.best_estimator_.fit(X, *(() if y is None else (y,)))
    search.refit_time_ = time.perf_counter() - start
    vars(search).pop("feature_names_in_", None)
    names = getattr(search.best_estimator_, "feature_names_in_", None)
    if names is not None:
        search.feature_names_in_ = names


def _outcomes(n: int, found: PeerScores, train: bool) -> list[dict[str, Any]]:
    """A record per candidate and fold, as scikit-learn collects them; times are shares of the whole."""
    seconds = found.seconds / (n * len(found.sizes))
    out = []
    for c in range(n):
        for i in range(len(found.sizes)):
            one: dict[str, Any] = {"fit_time": seconds, "score_time": 0.0}
            one["test_scores"] = _scores_of_fold(found.test, c, i)
            if train:
                one["train_scores"] = _scores_of_fold(found.train, c, i)
            out.append(one)
    return out


def _scores_of_fold(scores: Mapping[str, np.ndarray], candidate: int, fold: int) -> Any:
    one = {name: float(values[candidate, fold]) for name, values in scores.items()}
    return one["score"] if list(one) == ["score"] else one
