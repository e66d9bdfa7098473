"""Compiled: a random walk over a compiled log density.

The density comes as a function of (x, data), both arrays, so that one walk is compiled for all of them and densities
with other data need no compiling either.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types

from suffice._core.compiling import compiled_as

VECTOR = types.Array(types.float64, 1, "C")
TABLE = types.Array(types.float64, 2, "C")
DENSITY = types.float64(VECTOR, TABLE)
FLAGS = types.Array(types.boolean, 1, "C")
_DENSITY = types.FunctionType(DENSITY)


@compiled_as(types.float64(_DENSITY, TABLE, VECTOR, types.float64, TABLE, VECTOR, TABLE, VECTOR, FLAGS))
def walk(log_density, data, x, here, steps, log_u, draws, log_densities, accepted):
    """Propose x + step, and take it where log u ≤ the gain in log density; x is moved, its last log density returned.

    A log density that is none ends the walk, and is written down.
    """
    proposed, given = np.empty(len(x)), np.empty(len(x))
    for s in range(len(steps)):
        for j in range(len(x)):
            proposed[j] = x[j] + steps[s, j]
        given[:] = proposed  # the density may write on it
        there = log_density(given, data)
        if not there < np.inf:
            draws[s] = proposed
            log_densities[s] = there
            return here
        accepted[s] = log_u[s] <= there - here
        if accepted[s]:
            x[:] = proposed
            here = there
        draws[s] = x
        log_densities[s] = here
    return here


def with_data(log_density):
    """A compiled function of x as one of (x, data)."""

    def of_both(x, data):
        return log_density(x)

    return njit([DENSITY])(of_both)
