"""Density models in a validation: a row is judged by −log p(x) under a model of other rows.

A density is an estimator with `fit(X)` and `score_samples(X)`, the log density of every row, and no targets. A row that
a model holds for impossible has an infinite loss, and so has the average; a density without a bound (a component that
sits on one point) would win every comparison, so it counts as a fit that failed.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, NotFinite, Unsupported
from suffice._core.losses import Loss, is_density
from suffice.evaluation._levels.arguments import Arguments, arguments_for
from suffice.evaluation._levels.pipelines import steps_of


def log_densities(fitted: Any, X: Any, rows: np.ndarray, given: Arguments | None = None) -> np.ndarray:
    """log p(x) of every row; `rows` are their numbers, for messages, `given` their further arguments of `fit`."""
    name = type(fitted).__name__
    if not is_density(fitted):
        raise Unsupported(f"The loss 'log density' needs score_samples, which {name} does not have.")
    said = fitted.score_samples(X, **arguments_for(fitted, "score_samples", given or {}))
    if isinstance(said, tuple) or np.shape(said) != (len(rows),):
        got = "a tuple" if isinstance(said, tuple) else f"shape {np.shape(said)}"
        raise InvalidInput(
            f"score_samples of {name} must return one log density per row; got {got} for {len(rows)} rows."
        )
    logs = np.asarray(said, dtype=float)
    bad = np.isnan(logs) | (logs == np.inf)
    if bad.any():
        at = int(np.argmax(bad))
        raise NotFinite(
            f"{name} gives row {rows[at]} the log density {logs[at]}: its fit has collapsed; bound it from below, by a "
            "floor under the variances (reg_covar) or fewer components."
        )
    return logs


def note_impossible_rows(losses: Sequence[np.ndarray], weights: Sequence[np.ndarray]) -> tuple[str, ...]:
    """A note on the rows that have density zero and count."""
    n = sum(int(np.sum(np.isposinf(a) & (w > 0))) for a, w in zip(losses, weights, strict=True))
    return (f"{n} held-out rows have density zero, so the loss is infinite",) if n else ()


def note_prepared_density(model: Any, loss: Loss) -> tuple[str, ...]:
    """A note on densities of other columns than those of the table."""
    steps = steps_of(model) if loss.of_density else None
    if steps is None or len(steps) < 2:
        return ()
    return (
        f"the density is that of the columns which the steps before {type(steps[-1][1]).__name__} make; compare it "
        "with densities of the same columns only",
    )


def check_weighted(model: Any) -> None:
    """Raise where weights are given to a density that cannot count them."""
    if not is_density(model) or steps_of(model) is not None:
        return
    parameters = inspect.signature(model.fit).parameters
    if "sample_weight" not in parameters and not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        raise Unsupported(f"fit of {type(model).__name__} takes no sample_weight; leave the weights out.")


def refuse_density(loss: Loss, model: Any) -> None:
    """Raise where columns come and go: densities of different columns have different units."""
    if loss.of_density:
        raise Unsupported(
            f"{type(model).__name__} is a density, and log densities of different columns cannot be compared; columns "
            "are selected for models that predict y."
        )
