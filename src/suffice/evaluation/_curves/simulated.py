"""Training sets and test points that a generator makes, each from a random stream of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_integer, check_number
from suffice._core.frames import require
from suffice._core.random import streams
from suffice._core.records import record
from suffice.evaluation._levels.pipelines import n_rows

Rng = np.random.Generator


@record
class SimulatedSets:
    """What models are judged on: training sets, points, and what is known about y there."""

    sets: list[tuple[Any, np.ndarray]]
    X: Any
    targets: np.ndarray | None
    truth: np.ndarray | None
    noise: float


def draw_sample(
    simulate: Callable, truth: Callable | None, n_sets: int, test: Any, noise: Any, random_state: Any
) -> SimulatedSets:
    """Training sets and points, each from a stream of its own."""
    check_sets(n_sets)
    _check_functions(simulate, truth)
    known = None if noise is None else check_number("noise", noise, low=0.0)
    for_test, *for_sets = streams(random_state, n_sets + 1)
    X, targets = _points(test, simulate, for_test)
    mean = None if truth is None else finite_vector("truth(X)", truth(X), n_rows(X))
    if known is None and targets is not None and mean is not None:
        known = float(((targets - mean) ** 2).mean())
    return SimulatedSets(
        [_pair(simulate(rng)) for rng in for_sets], X, targets, mean, np.nan if known is None else known
    )


def _check_functions(simulate: Any, truth: Any) -> None:
    if not callable(simulate):
        raise InvalidParameter(
            f"simulate must be a function that makes (X, y) from a random Generator; got {type(simulate).__name__}. "
            "For one table use bootstrap_variance."
        )
    if truth is not None and not callable(truth):
        raise InvalidParameter(f"truth must be a function of X, or None; got {type(truth).__name__}.")


def _points(test: Any, simulate: Callable, rng: Rng) -> tuple[Any, np.ndarray | None]:
    """Rows to predict, and observations there: given, or simulated until there are enough."""
    if isinstance(test, tuple):
        return _pair(test)
    if not isinstance(test, int | np.integer):
        return test, None
    if isinstance(test, bool) or test < 1:
        raise InvalidParameter(
            f"test must be a positive number of rows, a table or a pair (X, y); got {test!r}."
        )
    parts: list[tuple[Any, np.ndarray]] = []
    while sum(len(y) for _, y in parts) < test:
        parts.append(_pair(simulate(rng)))
    return _stacked([X for X, _ in parts])[:test], np.concatenate([y for _, y in parts])[:test]


def _stacked(tables: list[Any]) -> Any:
    kind = type(tables[0]).__module__.split(".")[0]
    return require(kind).concat(tables) if kind in ("pandas", "polars") else np.concatenate(tables)


def _pair(pair: Any) -> tuple[Any, np.ndarray]:
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise InvalidInput(f"simulate must return a pair (X, y); got {type(pair).__name__}.")
    X, y = pair
    if n_rows(X) == 0:
        raise InvalidInput("simulate returned no rows; a training set needs at least one.")
    return X, finite_vector("y", y, n_rows(X))


def finite_vector(name: str, values: Any, n: int) -> np.ndarray:
    """One finite number per row."""
    values = as_numbers(name, values)
    if values.shape != (n,):
        raise InvalidInput(f"{name} must have one number per row, shape ({n},); got shape {values.shape}.")
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise InvalidInput(f"{name} must be finite; it is {values[row]} at row {row}.")
    return values


def check_sets(n_sets: Any) -> None:
    """A spread needs two."""
    check_integer("n_sets", n_sets, 2)
