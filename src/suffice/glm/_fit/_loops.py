"""Compiled: log p(D, b) and its gradient from a table of rows, for samplers that ask many thousand times.

Rows are [d, y, offset, weight] with a = dᵀb + offset; a negative weight marks a row of the prior, −½ (a − y)².
Constants are left out.
"""

from __future__ import annotations

import numpy as np
from numba import types

from suffice._core.compiling import compiled, compiled_as

VECTOR = types.Array(types.float64, 1, "C")
TABLE = types.Array(types.float64, 2, "C")
HEIGHT = types.float64(VECTOR, TABLE)
SLOPE = types.float64(VECTOR, TABLE, VECTOR)


@compiled
def _along(b, row):
    a = row[len(b) + 1]
    for j in range(len(b)):
        a += row[j] * b[j]
    return a


@compiled
def _pull(b, row, amount, out):
    for j in range(len(b)):
        out[j] += amount * row[j]


@compiled_as(HEIGHT)
def logit(b, data):
    total, q = 0.0, len(b)
    for row in data:
        a, y, w = _along(b, row), row[q], row[q + 2]
        if w < 0:
            total -= 0.5 * (a - y) ** 2
        elif w > 0:
            z = a if y == 1 else -a
            total += w * (min(z, 0.0) - np.log1p(np.exp(-abs(a))))
    return total


@compiled_as(SLOPE)
def logit_slope(b, data, out):
    total, q = 0.0, len(b)
    out[:] = 0.0
    for row in data:
        a, y, w = _along(b, row), row[q], row[q + 2]
        if w < 0:
            total -= 0.5 * (a - y) ** 2
            _pull(b, row, y - a, out)
        elif w > 0:
            z, e = (a if y == 1 else -a), np.exp(-abs(a))
            missed = (e if z >= 0 else 1.0) / (1 + e)
            total += w * (min(z, 0.0) - np.log1p(e))
            _pull(b, row, w * (missed if y == 1 else -missed), out)
    return total


@compiled_as(HEIGHT)
def poisson(b, data):
    total, q = 0.0, len(b)
    for row in data:
        a, y, w = _along(b, row), row[q], row[q + 2]
        if w < 0:
            total -= 0.5 * (a - y) ** 2
        elif w > 0:
            total += w * (y * a - np.exp(a))
    return total


@compiled_as(SLOPE)
def poisson_slope(b, data, out):
    total, q = 0.0, len(b)
    out[:] = 0.0
    for row in data:
        a, y, w = _along(b, row), row[q], row[q + 2]
        if w < 0:
            total -= 0.5 * (a - y) ** 2
            _pull(b, row, y - a, out)
        elif w > 0:
            rate = np.exp(a)
            total += w * (y * a - rate)
            _pull(b, row, w * (y - rate), out)
    return total
