"""Compiled: sums over coordinates for all pairs of rows. x is (rows, D), y transposed (D, columns), so that neighbors
in memory are different pairs and every sum runs over the coordinates in their order, as in the twins."""

from __future__ import annotations

import numpy as np

from suffice._core.compiling import compiled

TILE = 256  # columns whose coordinates stay in the cache


@compiled
def absolute(x, y, out):
    """Σ|x − y|."""
    for a in range(0, out.shape[1], TILE):
        e = min(out.shape[1], a + TILE)
        for i in range(len(x)):
            row = out[i, a:e]
            row[:] = 0.0
            for k in range(len(y)):
                c, column = x[i, k], y[k, a:e]
                for j in range(e - a):
                    row[j] += abs(c - column[j])


@compiled
def largest(x, y, out):
    """max|x − y|."""
    for a in range(0, out.shape[1], TILE):
        e = min(out.shape[1], a + TILE)
        for i in range(len(x)):
            row = out[i, a:e]
            row[:] = 0.0
            for k in range(len(y)):
                c, column = x[i, k], y[k, a:e]
                for j in range(e - a):
                    gap = abs(c - column[j])
                    row[j] = gap if gap > row[j] else row[j]


@compiled
def different(x, y, out):
    """The number of coordinates with x ≠ y."""
    for a in range(0, out.shape[1], TILE):
        e = min(out.shape[1], a + TILE)
        for i in range(len(x)):
            row = out[i, a:e]
            row[:] = 0.0
            for k in range(len(y)):
                c, column = x[i, k], y[k, a:e]
                for j in range(e - a):
                    row[j] += 1.0 if c != column[j] else 0.0


@compiled
def cubes(x, y, out):
    """Σ|x − y|³."""
    for a in range(0, out.shape[1], TILE):
        e = min(out.shape[1], a + TILE)
        for i in range(len(x)):
            row = out[i, a:e]
            row[:] = 0.0
            for k in range(len(y)):
                c, column = x[i, k], y[k, a:e]
                for j in range(e - a):
                    gap = abs(c - column[j])
                    row[j] += gap * gap * gap


@compiled
def roots(x, y, out):
    """Σ√|x − y|."""
    for a in range(0, out.shape[1], TILE):
        e = min(out.shape[1], a + TILE)
        for i in range(len(x)):
            row = out[i, a:e]
            row[:] = 0.0
            for k in range(len(y)):
                c, column = x[i, k], y[k, a:e]
                for j in range(e - a):
                    row[j] += np.sqrt(abs(c - column[j]))


@compiled
def roots_of_squares(squares_x, squares_y, near, out):
    """From products x·y to √(x·x + y·y − 2x·y), and −1 where little of the squares is left; how many those are."""
    lost = 0
    for i in range(out.shape[0]):
        row, square = out[i], squares_x[i]
        for j in range(out.shape[1]):
            both = square + squares_y[j]
            left = both - 2.0 * row[j]
            keep = left > near * both
            lost += 0 if keep else 1
            row[j] = np.sqrt(left) if keep else -1.0
    return lost


@compiled
def from_differences(x, y, out):
    """Write √Σ(x − y)² where −1 stands; sums so small that squares may have vanished are left to others."""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            if out[i, j] < 0.0:
                total = 0.0
                for k in range(x.shape[1]):
                    gap = x[i, k] - y[j, k]
                    total += gap * gap
                if total > 1e-200:
                    out[i, j] = np.sqrt(total)


@compiled
def over_lengths(inverse_x, inverse_y, out):
    """From products x·y to cosines, by one over each length, kept between −1 and 1."""
    for i in range(out.shape[0]):
        row, inverse = out[i], inverse_x[i]
        for j in range(out.shape[1]):
            ratio = row[j] * (inverse * inverse_y[j])
            ratio = ratio if ratio < 1.0 else 1.0
            row[j] = ratio if ratio > -1.0 else -1.0


@compiled
def absolute_of_sparse(starts_x, columns_x, values_x, starts_y, columns_y, values_y, out):
    """Σ|x − y| of rows that keep their non-zero entries in the order of the columns."""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            a, b, total = starts_x[i], starts_y[j], 0.0
            while a < starts_x[i + 1] or b < starts_y[j + 1]:
                at_x = columns_x[a] if a < starts_x[i + 1] else columns_y[b]
                at_y = columns_y[b] if b < starts_y[j + 1] else columns_x[a]
                first, second = a < starts_x[i + 1] and at_x <= at_y, b < starts_y[j + 1] and at_y <= at_x
                total += abs((values_x[a] if first else 0.0) - (values_y[b] if second else 0.0))
                a, b = a + first, b + second
            out[i, j] = total
