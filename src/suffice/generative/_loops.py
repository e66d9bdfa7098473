"""Compiled: one pass of the perceptron rule over dense or sparse rows, weights changed in place."""

from __future__ import annotations

from suffice._core.compiling import compiled


@compiled
def dense_epoch(X, signs, order, w, b, rate, constant):
    """The constant after one pass, how many rows were on the wrong side when they came, and by how much in sum."""
    mistakes, loss = 0, 0.0
    for i in order:
        value = 0.0
        for j in range(len(w)):
            value += w[j] * X[i, j]
        z = signs[i] * (value + b)
        if z <= 0:
            mistakes += 1
            loss -= z
            step = rate * signs[i]
            for j in range(len(w)):
                w[j] += step * X[i, j]
            if constant:
                b += step
    return b, mistakes, loss


@compiled
def sparse_epoch(data, indices, indptr, signs, order, w, b, rate, constant):
    """The same for rows in compressed storage."""
    mistakes, loss = 0, 0.0
    for i in order:
        value = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            value += w[indices[k]] * data[k]
        z = signs[i] * (value + b)
        if z <= 0:
            mistakes += 1
            loss -= z
            step = rate * signs[i]
            for k in range(indptr[i], indptr[i + 1]):
                w[indices[k]] += step * data[k]
            if constant:
                b += step
    return b, mistakes, loss
