"""What models share that choose a parameter by scores in folds: scorers, splitters, and scikit-learn's metadata."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics import get_scorer
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, _routing_enabled, process_routing

from suffice._core.errors import InvalidParameter
from suffice._estimator.estimator import check_is_fitted
from suffice.statistics.folds import Folds, as_folds


class ChoosesByFolds(ABC):
    """A classifier with `cv` and `scoring`, for which the model that was chosen answers, `model_`."""

    cv: Any
    model_: Any

    _input_tags: ClassVar[tuple[str, ...]] = ("sparse",)
    _scores_answers = False  # whether `score` asks the scorer too
    _weighs_default = False  # whether the default scorer asks for weights where metadata are routed

    @abstractmethod
    def _scoring(self) -> Any:
        """The scorer, or its name, that is asked for; None if none is."""

    def _get_scorer(self) -> Any:
        """Accuracy unless another is asked for."""
        scoring = self._scoring()
        with naming("scoring must be a scorer or the name of one", scoring):
            scorer = get_scorer(scoring or "accuracy")
        if scoring is None and self._weighs_default and _routing_enabled():
            scorer.set_score_request(sample_weight=True)
        return scorer

    def _folds(self, X: Any, labels: Any, for_split: Mapping[str, Any]) -> Folds:
        with naming("cv must be a number of folds >= 2, a splitter or pairs of rows", self.cv):
            splitter = check_cv(self.cv, labels, classifier=True)
        return as_folds(splitter.split(X, labels, **for_split), len(labels))

    def _routed(
        self, sample_weight: Any, params: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """What the splitter gets, and what the scorer."""
        if _routing_enabled():
            routed = process_routing(self, "fit", sample_weight=sample_weight, **params)
            return routed.splitter.split, routed.scorer.score
        return {}, {} if sample_weight is None else {"sample_weight": sample_weight}

    def get_metadata_routing(self) -> MetadataRouter:
        """Where scikit-learn's metadata goes: to the splitter and the scorer."""
        return router_of(self, self.cv, self._get_scorer(), self._scores_answers)

    # -- what is asked ----------------------------------------------------------------------------
    @property
    def coef_(self) -> np.ndarray:
        """The weights of the model that was chosen."""
        check_is_fitted(self)
        return self.model_.coef_

    @property
    def intercept_(self) -> np.ndarray:
        """A constant for each of its functions."""
        check_is_fitted(self)
        return self.model_.intercept_

    def decision_function(self, X: Any) -> np.ndarray:
        """Its outputs, a column per class; of two classes one, positive for the second."""
        check_is_fitted(self)
        return self.model_.decision_function(X)

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest output; the first in sorted order of several."""
        check_is_fitted(self)
        return self.model_.predict(X)


def router_of(owner: Any, splitter: Any, scorer: Any = None, scores_answers: bool = False) -> MetadataRouter:
    """Arguments of `fit` go to the splitter and, if there is one, the scorer; those of `score` too, if it asks it."""
    split = MethodMapping().add(caller="fit", callee="split")
    router = MetadataRouter(owner=owner).add_self_request(owner).add(splitter=splitter, method_mapping=split)
    if scorer is None:
        return router
    score = MethodMapping().add(caller="fit", callee="score")
    if scores_answers:
        score.add(caller="score", callee="score")
    return router.add(scorer=scorer, method_mapping=score)


@contextmanager
def naming(rule: str, value: Any) -> Iterator[None]:
    """What scikit-learn says of a parameter it cannot use, with its domain and value."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise InvalidParameter(f"{rule}; got {value!r:.80}. {error}") from error
