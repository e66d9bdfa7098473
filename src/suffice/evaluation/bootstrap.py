"""How much a fit depends on the rows at hand: training sets drawn from one table, with replacement."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import Parallel

from suffice._core.errors import InvalidInput
from suffice._core.random import streams
from suffice.evaluation._curves.simulated import check_sets, finite_vector
from suffice.evaluation._levels.routing import under_config
from suffice.evaluation._levels.validation_table import ValidationTable, make_table
from suffice.evaluation.bias_variance import BiasVariance, check_regressor


def bootstrap_variance(
    model: Any,
    X: Any,
    y: Any,
    *,
    n_sets: int = 100,
    sample_weight: Any = None,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> BiasVariance:
    """How much a fit depends on the rows that happened to be drawn, from one table.

    Every training set is drawn from the rows with replacement and judged on the rows it left out (about 37 %),
    so no fit is tested on what it has seen.

    Notes
    -----
    What it can estimate: the variance of the fit, and the error that a single fit makes on new rows. Both are
    pessimistic: a bootstrap set holds about 63 % of the rows, so its fits vary more and err more than fits to
    as many new rows would. What it cannot: tell bias from noise. Both are in `misfit`, which has no smaller
    parts without a truth, and `bias2` and `noise` are NaN. With few sets `misfit` also holds 1/L of the variance.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import bootstrap_variance
    >>> from suffice.linear import LinearRegression
    >>> data = diabetes()
    >>> print(bootstrap_variance(LinearRegression(), data.X, data.y, random_state=0))
    error 3073 = noise and bias² 3003 + variance 70.04 (100 training sets, 442 points)
    """
    check_regressor(model)
    check_sets(n_sets)
    table = make_table(X, y, sample_weight, None)
    targets, n = finite_vector("y", table.y, len(table)), len(table)
    draws = [rng.integers(n, size=n) for rng in streams(random_state, n_sets)]
    fits = Parallel(n_jobs=n_jobs)(under_config(_out_of_bag)(model, table, rows) for rows in draws)
    _check_left_out(np.isnan(fits).all(axis=0), n_sets)
    return BiasVariance(table.X, np.array(fits), targets, None, np.nan)


def _check_left_out(never: np.ndarray, n_sets: int) -> None:
    """Every row must be left out of some set; each is drawn into one with probability about 1 − 1/e."""
    if never.any():
        enough = int(np.ceil(np.log(100 * len(never)) / -np.log(1 - np.exp(-1))))
        raise InvalidInput(
            f"Row {int(np.argmax(never))} was drawn into all {n_sets} training sets; use n_sets={enough} or more."
        )


def _out_of_bag(model: Any, table: ValidationTable, rows: np.ndarray) -> np.ndarray:
    """Predictions for the rows left out of a training set; NaN for those in it."""
    out = np.full(len(table), np.nan)
    rest = np.setdiff1d(np.arange(len(table)), rows)
    if len(rest):
        out[rest] = table.fit(model, rows).predict(table.inputs(rest))
    return out
