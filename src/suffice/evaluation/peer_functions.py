"""scikit-learn's functions of validation under their names; from statistics where the model allows it.

They return what scikit-learn's return: arrays of scores, a row or an entry per fold, greater is better. What says more
is `cross_validate` (losses with intervals, predictions, distributions) and `validate_path`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn import get_config, model_selection
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from suffice.evaluation._levels.peer_scores import PeerScores, is_repeatable, peer_scores
from suffice.evaluation._levels.see_through import see_through
from suffice.evaluation._levels.validation_table import make_table
from suffice.evaluation._levels.warm_level import why_not_warm
from suffice.evaluation.cross_validation import cross_validate


def cross_val_score(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    **options: Any,
) -> np.ndarray:
    """The score of an estimator in every fold, as scikit-learn defines it; `options` are scikit-learn's.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import cross_val_score
    >>> from suffice.linear import Ridge
    >>> data = diabetes()
    >>> cross_val_score(Ridge(), data.X, data.y, cv=3).round(3)
    array([0.468, 0.49 , 0.507])
    """
    found = _fast_scores(estimator, [{}], X, y, groups, scoring, cv, options)
    if found is not None and list(found.test) == ["score"]:
        return found.test["score"][0]
    given = {"groups": groups, "scoring": scoring, "cv": cv}
    return model_selection.cross_val_score(estimator, X, y, **given, **options)


def cross_val_predict(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    cv: Any = None,
    method: str = "predict",
    **options: Any,
) -> np.ndarray:
    """A prediction for every row by a model that has not seen it, as scikit-learn's; `options` are scikit-learn's.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import cross_val_predict
    >>> from suffice.linear import Ridge
    >>> data = diabetes()
    >>> cross_val_predict(Ridge(), data.X, data.y, cv=3)[:2].round(1)
    array([209.6,  68.7])
    """
    plain = not _asks_for_more(options) and is_repeatable(cv) and method in ("predict", "predict_proba")
    if plain and _is_seen(estimator, X, y):
        rows, target = indexable(X, y)
        splitter = check_cv(cv, target, classifier=is_classifier(estimator))
        result = cross_validate(estimator, rows, target, cv=splitter, groups=groups)
        found = result.predictions if method == "predict" else result.probabilities
        if isinstance(found, np.ndarray) and np.isfinite(result.losses).all():
            return found
    given = {"groups": groups, "cv": cv, "method": method}
    return model_selection.cross_val_predict(estimator, X, y, **given, **options)


def validation_curve(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    param_name: str,
    param_range: Sequence[Any],
    groups: Any = None,
    cv: Any = None,
    scoring: Any = None,
    **options: Any,
) -> tuple[np.ndarray, np.ndarray]:
    """Training and test scores (values, folds) as one parameter varies, as scikit-learn defines them.

    `validate_path` returns the same as losses, with the best value and the simplest within its error.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import validation_curve
    >>> from suffice.linear import Ridge
    >>> data = diabetes()
    >>> train, test = validation_curve(Ridge(), data.X, data.y, param_name="alpha", param_range=[0.1, 10])
    >>> train.shape, test.mean(axis=1).round(3)
    ((2, 5), array([0.482, 0.476]))
    """
    grid = [{param_name: value} for value in param_range]
    found = _fast_scores(estimator, grid, X, y, groups, scoring, cv, options, train=True)
    if found is not None and list(found.test) == ["score"]:
        return found.train["score"], found.test["score"]
    given = {
        "param_name": param_name,
        "param_range": param_range,
        "groups": groups,
        "cv": cv,
        "scoring": scoring,
    }
    return model_selection.validation_curve(estimator, X, y, **given, **options)


def _fast_scores(
    estimator: Any,
    grid: Sequence[Mapping[str, Any]],
    X: Any,
    y: Any,
    groups: Any,
    scoring: Any,
    cv: Any,
    options: Mapping[str, Any],
    train: bool = False,
) -> PeerScores | None:
    if _asks_for_more(options):
        return None
    given = {"scoring": scoring, "cv": cv, "groups": groups}
    return peer_scores(estimator, grid, X, y, **given, train=train)


def _asks_for_more(options: Mapping[str, Any]) -> bool:
    """Whether further arguments of `fit`, or routing, are in play; what only steers refits does not count."""
    steering = {"n_jobs", "pre_dispatch", "verbose", "error_score"}
    return any(v is not None for k, v in options.items() if k not in steering) or bool(
        get_config()["enable_metadata_routing"]
    )


def _is_seen(estimator: Any, X: Any, y: Any) -> bool:
    """Whether a level above plain refits answers for the estimator."""
    try:
        table = make_table(X, y, None, None, estimator)
        return see_through(estimator, table)[0] is not None or why_not_warm(estimator, table) is None
    except (ValueError, TypeError):
        return False
