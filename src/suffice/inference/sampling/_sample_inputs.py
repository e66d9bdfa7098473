"""What is given to `Samples`: draws, names and picks of coordinates, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, did_you_mean
from suffice.distributions._numerics.gaussian import coordinates


def refuse_gaps(draws: np.ndarray) -> None:
    """NaN and infinities, by their place."""
    if np.isfinite(draws).all():
        return
    chain, draw, j = (int(i) for i in np.argwhere(~np.isfinite(draws))[0])
    raise InvalidParameter(
        f"draws must be finite; chain {chain}, draw {draw}, coordinate {j} is {draws[chain, draw, j]}."
    )


def positions(idx: Any, names: Any) -> np.ndarray:
    """Of coordinates that are picked by number or by name."""
    picked = [idx] if isinstance(idx, str) else idx if isinstance(idx, list | tuple) else []
    for name in picked:
        if isinstance(name, str) and name not in names:
            raise InvalidParameter(f"There is no coordinate {name!r}.{did_you_mean(name, names)}")
    at = [names.index(name) if isinstance(name, str) else name for name in picked]
    return coordinates(at[0] if isinstance(idx, str) else at or idx, len(names))


def names(given: Any, dim: int) -> tuple[str, ...]:
    """Of the coordinates, all different."""
    if isinstance(given, str):
        raise InvalidParameter(
            f"names must be {dim} different names; got {given!r}. A single name is ({given!r},)."
        )
    found = tuple(f"x{j}" for j in range(dim)) if given is None else tuple(str(name) for name in given)
    if len(found) != dim or len(set(found)) != dim:
        raise InvalidParameter(f"names must be {dim} different names; got {list(found)}.")
    return found


def within(name: str, value: Any, low: int, high: int) -> int:
    """A whole number between two others."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise InvalidParameter(f"{name} must be an integer from {low} to {high}; got {value!r}.")
    return int(value)
