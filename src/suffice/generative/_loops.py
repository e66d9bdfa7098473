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


@compiled
def dense_pulled_epoch(X, signs, order, weight, w, b, rate, constant, alpha, share, pulled, total):
    """A pass with a penalty: every row shrinks all weights and pulls them towards zero; the objective has the penalty.

    `pulled` holds how far each weight has been pulled so far, `total` how far it could have been.
    """
    mistakes, objective = 0, 0.0
    shrink, pull = max(0.0, 1.0 - (1.0 - share) * rate * alpha), share * rate * alpha
    for i in order:
        value, squares, sizes = 0.0, 0.0, 0.0
        for j in range(len(w)):
            value += w[j] * X[i, j]
            squares += w[j] * w[j]
            sizes += abs(w[j])
        objective += alpha * ((1.0 - share) * 0.5 * squares + share * sizes)
        z = signs[i] * (value + b)
        step = rate * signs[i] * weight[i] if z <= 0 else 0.0
        if z <= 0:
            mistakes += 1
            objective -= z
        total += pull
        for j in range(len(w)):
            w[j] = w[j] * shrink + step * X[i, j]
            if pull > 0:
                before = w[j]
                if before > 0:
                    w[j] = max(0.0, before - (total + pulled[j]))
                elif before < 0:
                    w[j] = min(0.0, before + (total - pulled[j]))
                pulled[j] += w[j] - before
        if constant:
            b += step
    return b, mistakes, objective, total


@compiled
def sparse_pulled_epoch(
    data, indices, indptr, signs, order, weight, w, b, rate, constant, alpha, share, pulled, total
):
    """The same for rows in compressed storage."""
    mistakes, objective = 0, 0.0
    shrink, pull = max(0.0, 1.0 - (1.0 - share) * rate * alpha), share * rate * alpha
    for i in order:
        value, squares, sizes = 0.0, 0.0, 0.0
        for k in range(indptr[i], indptr[i + 1]):
            value += w[indices[k]] * data[k]
        if alpha > 0:
            for j in range(len(w)):
                squares += w[j] * w[j]
                sizes += abs(w[j])
                w[j] *= shrink
            objective += alpha * ((1.0 - share) * 0.5 * squares + share * sizes)
        z = signs[i] * (value + b)
        step = rate * signs[i] * weight[i] if z <= 0 else 0.0
        if z <= 0:
            mistakes += 1
            objective -= z
        total += pull
        for k in range(indptr[i], indptr[i + 1]):
            w[indices[k]] += step * data[k]
        if pull > 0:
            for j in range(len(w)):
                before = w[j]
                if before > 0:
                    w[j] = max(0.0, before - (total + pulled[j]))
                elif before < 0:
                    w[j] = min(0.0, before + (total - pulled[j]))
                pulled[j] += w[j] - before
        if constant:
            b += step
    return b, mistakes, objective, total
