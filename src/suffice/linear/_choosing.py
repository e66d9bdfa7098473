"""What models share that choose their own penalty: folds as scikit-learn makes them, and the fit of the choice."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np
import sklearn
from sklearn.base import RegressorMixin
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import process_routing

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._estimator import Estimator, LinearModel, check_is_fitted
from suffice.distributions import Distribution
from suffice.engine import Rows
from suffice.statistics import Layout
from suffice.statistics.folds import Folds, Partition, as_folds


@dataclass(eq=False, repr=False)
class ChoosesPenalty(RegressorMixin, Estimator, ABC):
    """Predictions of the model that was chosen, `best_estimator_`."""

    _: KW_ONLY
    cv: Any = None

    best_estimator_: Any = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: Any = field(init=False)

    _input_tags = ("sparse",)

    def predict(self, X: Any) -> np.ndarray:
        """The mean of y at each row."""
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    def predict_dist(self, X: Any) -> Distribution:
        """A Normal at the prediction with the residual variance; without the uncertainty of weights and penalty."""
        check_is_fitted(self)
        return self.best_estimator_.predict_dist(X)

    def _publish(self, best: LinearModel) -> None:
        self.best_estimator_ = best
        self.coef_, self.intercept_ = best.coef_, best.intercept_
        self.n_features_in_ = best.n_features_in_
        self.__dict__.pop("feature_names_in_", None)
        if hasattr(best, "feature_names_in_"):
            self.feature_names_in_ = best.feature_names_in_

    def _routed(self, sample_weight: Any, params: dict[str, Any]) -> Any:
        """What of the arguments of `fit` reaches the splitter and a scorer, where routing is on."""
        given = params if sample_weight is None else params | {"sample_weight": sample_weight}
        return process_routing(self, "fit", **given) if given else None


def routing_is_on() -> bool:
    """Whether scikit-learn hands arguments of `fit` on to others."""
    return bool(sklearn.get_config()["enable_metadata_routing"])


def refuse_params(model: Any, params: dict[str, Any]) -> None:
    """Further arguments of `fit` are for routing alone."""
    if params and not routing_is_on():
        raise InvalidInput(
            f"Passing extra keyword arguments ({', '.join(params)}) to {type(model).__name__}.fit is only supported if "
            "enable_metadata_routing=True: sklearn.set_config(enable_metadata_routing=True)."
        )


def folds_of(cv: Any, table: tuple[Any, Any], rows: Rows, params: dict[str, Any]) -> Folds:
    """Folds from an integer, a splitter, pairs of rows, or None for five blocks.

    A number of blocks is of the rows that have weight: a row of weight zero is no row.
    """
    _check_cv(cv)
    n = len(rows)
    kept = np.arange(n) if rows.weight is None else np.flatnonzero(rows.weight > 0)
    try:
        if cv is None or isinstance(cv, Integral):
            blocks = [test for _, test in check_cv(cv).split(kept)]
            folds: Folds = Partition.of_tests(blocks).within(kept)
        else:
            folds = as_folds(list(check_cv(cv).split(*table, **params)), n)
    except InvalidInput:
        raise
    except ValueError as error:
        raise InvalidInput(f"cv={cv!r} cannot split these {n} rows: {error}") from error
    if not len(folds) or not np.all(folds.sizes > 0):
        raise InvalidInput(f"cv={cv!r} has folds without test rows, or none; use fewer folds.")
    return folds


def _check_cv(cv: Any) -> None:
    whole = isinstance(cv, Integral) and not isinstance(cv, bool)
    several = not isinstance(cv, str | bool) and (hasattr(cv, "split") or isinstance(cv, Iterable))
    if not (cv is None or several or (whole and cv >= 2)):
        raise InvalidParameter(f"cv must be None, an integer >= 2, a splitter or pairs of rows; got {cv!r}.")


def fold_statistics(
    model: LinearModel, rows: Rows, layout: Layout, folds: Folds
) -> Iterator[tuple[Any, Any]]:
    """Statistics of the training and of the test rows of every fold, read once where the folds allow it."""
    visits = len(rows) if isinstance(folds, Partition) else sum(len(train) for train, _ in folds.splits)
    return model.fold_gatherer(rows, layout, visits).pairs(folds)


def as_penalties(values: Any, positive: bool = False) -> np.ndarray:
    """The grid that was given, as numbers in a row."""
    alphas = np.atleast_1d(np.asarray(values, dtype=object))
    domain = f"{'>' if positive else '>='} 0.0"
    if alphas.ndim != 1 or not alphas.size:
        raise InvalidParameter(f"alphas must be a number or a list of numbers {domain}; got {values!r}.")
    for i, alpha in enumerate(alphas):
        name = "alphas" if np.ndim(values) == 0 else f"alphas[{i}]"
        if not isinstance(alpha, Real) or isinstance(alpha, bool | np.bool_):
            raise InvalidParameter(
                f"{name} must be an instance of float, not {type(alpha).__name__}; got {alpha!r}."
            )
        if not np.isfinite(float(alpha)) or alpha < 0 or (positive and alpha == 0):
            raise InvalidParameter(
                f"{name} == {alpha!r}, must be {domain}. All alphas must be finite; got {alpha!r}."
            )
    return alphas.astype(float)
