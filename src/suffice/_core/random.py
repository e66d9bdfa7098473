"""Random streams: split before use, two consumers never share one."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter


def generator(random_state: Any = None) -> np.random.Generator:
    """A numpy Generator from None, an integer, a SeedSequence, a Generator or a legacy RandomState."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**31 - 1, size=4))
    integer = isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool)
    if integer and int(random_state) < 0:
        raise InvalidParameter(f"random_state must be >= 0; got {random_state!r}.")
    if random_state is None or integer or isinstance(random_state, np.random.SeedSequence):
        return np.random.default_rng(random_state)
    raise InvalidParameter(f"random_state must be None, an integer or a Generator; got {random_state!r}.")


def streams(random_state: Any, n: int) -> list[np.random.Generator]:
    """`n` independent generators."""
    return generator(random_state).spawn(n)
