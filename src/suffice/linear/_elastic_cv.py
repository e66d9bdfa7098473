r"""What `LassoCV` and `ElasticNetCV` share: grids of penalties, and losses of all of them in every fold.

    α_max = max_j |φ_jᵀ (y − ȳ)| / (n ρ)        all weights are zero from there on; the grid falls from it to ε α_max

Training sets are sums of statistics. Each path is solved from its largest penalty down, and the squared error on test
rows is read off their statistics.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.exceptions import DataConversionWarning

from suffice._core.errors import InvalidInput, InvalidParameter, check_number, warn
from suffice._core.linalg import column_lengths
from suffice._core.numerics import first_largest
from suffice._estimator import check_no_effect, check_not_empty
from suffice._estimator.no_effect import is_whole
from suffice.engine import Rows, one_blas_thread
from suffice.linear._choosing import (
    ChoosesPenalty,
    as_penalties,
    fold_statistics,
    folds_of,
    refuse_params,
    routing_is_on,
)
from suffice.linear._shrinking import Shrinking
from suffice.statistics import Layout, Triangle
from suffice.statistics.lstsq import system

SMALLEST = np.finfo(float).resolution  # penalties of a grid where no column tells anything


class ChoosesShrinkage(ChoosesPenalty):
    """A path of penalties for each share of the absolute values, and the pair with the least mean loss over folds."""

    eps: float
    alphas: Any
    fit_intercept: bool
    positive: bool
    verbose: Any
    n_jobs: Any
    alpha_: float
    alphas_: np.ndarray
    mse_path_: np.ndarray
    dual_gap_: float
    n_iter_: int

    @abstractmethod
    def _shares(self) -> np.ndarray:
        """The values of ρ to try."""

    @abstractmethod
    def _model(self, share: float, alpha: float = 1.0) -> Shrinking:
        """The model with one of them."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the penalty by folds, and fit with it to all rows.

        Parameters
        ----------
        X
            Rows are observations.
        y
            Target.
        sample_weight
            How often each row counts, in fits and in the mean squared error of each fold; folds count alike.
        params
            For the splitter, where scikit-learn's metadata routing is on.
        """
        return self.reported(lambda tick: self._fit(X, y, sample_weight, params))

    def _door(self, model: Shrinking, X: Any, y: Any, sample_weight: Any) -> tuple[Rows, Layout]:
        rows, layout = model.door(X, y, sample_weight)
        if rows.Y.shape[1] > 1:
            raise InvalidInput(
                f"y must be one column; it has {rows.Y.shape[1]}. Fit the targets one by one; for "
                f"multi-task outputs, use MultiTask{type(self).__name__} of scikit-learn."
            )
        if layout.header.n_targets is None:
            return rows, layout
        warn(
            "A column-vector y was passed when a 1d array was expected; it is taken as y.ravel().",
            DataConversionWarning,
        )
        return model.door(X, rows.Y[:, 0], sample_weight)

    @one_blas_thread()
    def _fit(self, X: Any, y: Any, sample_weight: Any, params: dict[str, Any]) -> Self:
        refuse_params(self, params)
        shares, given = self._shares(), self._checked()
        model = self._model(float(shares[0]))
        rows, layout = self._door(model, X, y, sample_weight)
        t = model.gather(rows, layout)
        check_not_empty(t)
        routed = self._routed(sample_weight, params) if routing_is_on() else None
        split = {} if routed is None else dict(routed.splitter.split)
        folds = folds_of(self.cv, (X, y), rows, split)
        grids = [self._grid(t, share) if given is None else given for share in shares]
        losses = np.empty((len(shares), len(grids[0]), len(folds)))
        for i, (train, test) in enumerate(fold_statistics(model, rows, layout, folds)):
            weight = _total(rows[folds.test(i)])
            for k, share in enumerate(shares):
                path = self._model(float(share)).solve_paths([train], "alpha", grids[k])[0]
                losses[k, :, i] = path.squared_error(test) / weight
        best = self._model(self._choose(shares, grids, losses), self.alpha_).solve(t)
        self.dual_gap_, self.n_iter_ = best.dual_gap_, best.n_iter_
        self._publish(best._rounded_as(X))
        return self

    def _checked(self) -> np.ndarray | None:
        """Penalties that are given, the largest first; None for a grid."""
        check_number("eps", self.eps, low=0, strict=True)
        check_no_effect(self, "verbose", "n_jobs")
        if is_whole(self.alphas):
            if self.alphas < 1:
                raise InvalidParameter(
                    f"alphas must be an integer >= 1 or a list of numbers; got {self.alphas!r}."
                )
            return None
        return np.sort(as_penalties(self.alphas))[::-1]

    def _grid(self, t: Triangle, share: float) -> np.ndarray:
        if share == 0:
            raise InvalidParameter(
                "Automatic alpha grid generation is not supported for l1_ratio=0. Please supply a grid by providing "
                "your estimator with the appropriate `alphas=` argument."
            )
        s = system(t, self.fit_intercept)
        products = (s.R.T @ s.Z)[:, 0]
        most = float(np.max(products if self.positive else np.abs(products), initial=0.0))
        lengths = float(column_lengths(s.R).max(initial=0.0) * column_lengths(s.Z)[0])
        if most <= SMALLEST * lengths:
            return np.full(self.alphas, SMALLEST)
        largest = most / (t.n * share)
        return np.geomspace(largest, largest * self.eps, num=self.alphas)

    def _choose(self, shares: np.ndarray, grids: list[np.ndarray], losses: np.ndarray) -> float:
        """The share with the least mean over folds, and its penalty; the first share and the largest of equals."""
        mean = losses.mean(axis=2)
        if not np.isfinite(mean).any():
            raise InvalidInput("No penalty has a finite loss: in every fold a test set has no weight.")
        k, i = np.unravel_index(first_largest(-mean), mean.shape)
        self.alpha_ = float(grids[k][i])
        several = is_whole(self.alphas) and len(shares) > 1
        self.alphas_ = np.array(grids) if several else grids[0]
        self.mse_path_ = np.squeeze(losses)
        return float(shares[k])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def _total(rows: Rows) -> float:
    return float(len(rows)) if rows.weight is None else float(rows.weight.sum())
