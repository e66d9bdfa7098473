"""What users give of weights and of tables of probabilities or rates: starts, known values, and beliefs."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.records import frozen_array
from suffice.distributions import Dirichlet


def given_numbers(name: str, value: Any, what: str = "numbers") -> np.ndarray:
    """An array of float64, if it is one."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidParameter(f"{name} must be {what}; got {value!r:.80}.") from None


# -- weights -----------------------------------------------------------------------------------------------------
def concentration_of(prior: Any, K: int) -> np.ndarray | None:
    """α of the Dirichlet prior on the weights."""
    if prior is None:
        return None
    try:
        alpha = np.broadcast_to(np.asarray(alpha_of(prior), dtype=float), (K,))
    except (TypeError, ValueError):
        raise InvalidParameter(
            f"weights_prior must be None, a number, or a Dirichlet of {K} components; got {prior!r:.80}."
        ) from None
    return checked_alpha("weights_prior", alpha, "weights", prior)


def alpha_of(prior: Any) -> Any:
    """α of a Dirichlet; another value as it is."""
    return prior.alpha if isinstance(prior, Dirichlet) else prior


def checked_alpha(name: str, alpha: np.ndarray, what: str, prior: Any) -> np.ndarray:
    """α of a prior whose mode is not on the edge."""
    if not np.all((alpha >= 1) & np.isfinite(alpha)):
        raise InvalidParameter(
            f"{name} must be finite and >= 1 (below, the most probable {what} are on the edge); got {prior!r:.80}."
        )
    return frozen_array(alpha)


def given_weights(
    value: Any, K: int, concentration: np.ndarray | None, name: str = "weights_init"
) -> np.ndarray:
    """Weights of a start, if they are such."""
    weights = given_numbers(name, value)
    if weights.shape != (K,):
        raise InvalidParameter(
            f"The parameter 'weights' should have the shape of ({K},), but got {weights.shape}: {name} must "
            "have one number per component."
        )
    if np.any((weights < 0) | (weights > 1)) or not np.isfinite(weights).all():
        raise InvalidParameter(
            f"The parameter 'weights' should be in the range [0, 1]; got {name} between {weights.min():.5f} "
            f"and {weights.max():.5f}."
        )
    if abs(weights.sum() - 1) > 1e-6:
        raise InvalidParameter(
            f"The parameter 'weights' should be normalized, but got sum(weights) = {weights.sum():.5f}; see "
            f"{name}."
        )
    if concentration is not None and np.any((weights == 0) & (concentration > 1)):
        raise InvalidParameter(
            f"{name} must be above zero where weights_prior is above 1; got {weights.tolist()!r:.80}."
        )
    return frozen_array(weights / weights.sum())


# -- parameters of counts and categories -------------------------------------------------------------------------
def given_table(name: str, value: Any, shape: tuple[int, int], high: float = np.inf) -> np.ndarray:
    """Parameters of a start that the user gave, from 0 to `high`."""
    table = given_numbers(name, value)
    if table.shape != shape:
        raise InvalidParameter(
            f"{name} must have shape {shape}, a row per component and a number per column of X; got {table.shape}."
        )
    inside = (table >= 0) & (table <= high) & np.isfinite(table)
    if not inside.all():
        to = ">= 0 and finite" if high == np.inf else f"from 0 to {high:g}"
        raise InvalidParameter(f"{name} must be {to}; got {table[~inside][0]:g}.")
    return frozen_array(table)


def given_shares(name: str, value: Any, shape: tuple[int, int]) -> np.ndarray:
    """Probabilities of a start whose rows sum to one."""
    table = given_table(name, value, shape, high=1.0)
    total = table.sum(axis=1)
    if np.any(np.abs(total - 1) > 1e-6):
        k = int(np.argmax(np.abs(total - 1)))
        raise InvalidParameter(f"{name} must sum to one in every row; row {k} sums to {total[k]:.9g}.")
    return frozen_array(table / total[:, None])


def given_tables(value: Any, sizes: tuple[int, ...], K: int, names: tuple[str, ...]) -> list[np.ndarray]:
    """Probabilities of the values of every column, (K, values) each."""
    try:
        tables = [np.asarray(table, dtype=float) for table in value]
    except (TypeError, ValueError):
        raise InvalidParameter(f"probabilities_init must be tables of numbers; got {value!r:.80}.") from None
    if len(tables) != len(sizes):
        raise InvalidParameter(
            f"probabilities_init must have a table for each of {len(sizes)} columns; got {len(tables)}."
        )
    for table, size, name in zip(tables, sizes, names, strict=True):
        if table.shape != (K, size) or np.any(~(table >= 0)) or np.any(np.abs(table.sum(axis=1) - 1) > 1e-6):
            raise InvalidParameter(
                f"probabilities_init of column {name!r} must have shape {(K, size)}, a row per component and a share "
                f"per value, and rows that sum to one; got shape {table.shape}: {table.tolist()!r:.80}."
            )
    return [table / table.sum(axis=1, keepdims=True) for table in tables]
