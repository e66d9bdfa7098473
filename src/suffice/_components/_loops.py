"""Compiled: responsibilities, and normal densities of rows, where intermediate tables would cost most of the time.

`plain.py` has the same functions as array expressions.
"""

from __future__ import annotations

import math

import numpy as np

from suffice._core.compiling import compiled, compiled_sums

LOG_2PI = math.log(2 * math.pi)


@compiled_sums
def responsibilities(logs, weight, hard):
    n, K = logs.shape
    likelihood, entropy = 0.0, 0.0
    for i in range(n):
        best, top = 0, logs[i, 0]
        for k in range(1, K):
            if logs[i, k] > top:
                best, top = k, logs[i, k]
        if top == -math.inf:
            for k in range(K):
                logs[i, k] = 0.0
            if weight[i] > 0:
                likelihood = -math.inf
            continue
        if hard:
            for k in range(K):
                logs[i, k] = 0.0
            logs[i, best] = weight[i]
            likelihood += weight[i] * top
            continue
        total, weighed = 0.0, 0.0
        for k in range(K):
            gap = logs[i, k] - top
            part = math.exp(gap)
            if part > 0:
                weighed += part * gap
            logs[i, k] = part
            total += part
        log_total = math.log(total)
        likelihood += weight[i] * (top + log_total)
        entropy += weight[i] * (log_total - weighed / total)
        scale = weight[i] / total
        for k in range(K):
            logs[i, k] *= scale
    return likelihood, entropy


@compiled_sums
def whitened(rows, whiteners, shift, constant, Z, logs):
    K, n, D = Z.shape
    for k in range(K):
        np.dot(rows, whiteners[min(k, len(whiteners) - 1)], Z[k])
        for i in range(n):
            s = 0.0
            for d in range(D):
                z = Z[k, i, d] - shift[k, d]
                Z[k, i, d] = z
                s += z * z
            logs[i, k] = constant[k] - 0.5 * s


@compiled_sums
def weighed(Z, responsibilities, first, second):
    K, n, D = Z.shape
    for k in range(K):
        for i in range(n):
            root = math.sqrt(responsibilities[i, k])
            for d in range(D):
                z = root * Z[k, i, d]
                Z[k, i, d] = z
                first[k, d] += root * z
        np.dot(Z[k].T, Z[k], second[k])


@compiled
def column_logs(X, means, inverse, constant, logs):
    n, D = X.shape
    for i in range(n):
        for k in range(len(means)):
            s = 0.0
            for d in range(D):
                if X[i, d] == X[i, d]:
                    z = (X[i, d] - means[k, d]) * inverse[k, d]
                    s += constant[k, d] - 0.5 * z * z
            logs[i, k] = s


@compiled
def column_sums(X, means, inverse, responsibilities, n, first, second):
    rows, D = X.shape
    for i in range(rows):
        for k in range(len(means)):
            r = responsibilities[i, k]
            if r > 0:
                for d in range(D):
                    if X[i, d] == X[i, d]:
                        z = (X[i, d] - means[k, d]) * inverse[k, d]
                        n[k, d] += r
                        first[k, d] += r * z
                        second[k, d] += r * z * z


@compiled
def triangular(a):
    """The lower triangle with the products of the rows of a, in place, by rotations of its columns."""
    D = len(a)
    for i in range(D):
        for j in range(i + 1, D):
            if a[i, j] != 0.0:
                length = math.hypot(a[i, i], a[i, j])
                c, s = a[i, i] / length, a[i, j] / length
                a[i, i], a[i, j] = length, 0.0
                for m in range(i + 1, D):
                    p, q = a[m, i], a[m, j]
                    a[m, i], a[m, j] = c * p + s * q, c * q - s * p
        if a[i, i] < 0:
            for m in range(i, D):
                a[m, i] = -a[m, i]


@compiled
def gap_logs(X, starts, orders, known, means, bases, roots, Z, logs):
    D = X.shape[1]
    C = len(bases)
    for run in range(len(known)):
        order, count = orders[run], known[run]
        for c in range(C):
            for i in range(D):
                for j in range(D):
                    roots[run, c, i, j] = bases[c, order[i], j]
            triangular(roots[run, c])
        for k in range(len(means)):
            root = roots[run, min(k, C - 1)]
            constant = -0.5 * count * LOG_2PI
            for i in range(count):
                constant -= math.log(root[i, i])
            for row in range(starts[run], starts[run + 1]):
                s = 0.0
                for i in range(count):
                    z = X[row, order[i]] - means[k, order[i]]
                    for m in range(i):
                        z -= root[i, m] * Z[row, k, m]
                    z /= root[i, i]
                    Z[row, k, i] = z
                    s += z * z
                logs[row, k] = constant - 0.5 * s


@compiled
def gap_sums(starts, orders, known, roots, Z, responsibilities, first, second):
    D = orders.shape[1]
    C = roots.shape[1]
    K = Z.shape[1]
    sums, scatter, mapped = np.empty(D), np.empty((D, D)), np.empty((D, D))
    entropy = 0.0
    for run in range(len(known)):
        order, count = orders[run], known[run]
        for k in range(K):
            root = roots[run, min(k, C - 1)]
            total = 0.0
            sums[:count] = 0.0
            scatter[:count, :count] = 0.0
            for row in range(starts[run], starts[run + 1]):
                r = responsibilities[row, k]
                if r > 0:
                    total += r
                    for i in range(count):
                        rz = r * Z[row, k, i]
                        sums[i] += rz
                        for j in range(i + 1):
                            scatter[i, j] += rz * Z[row, k, j]
            if total == 0:
                continue
            for i in range(count):
                for j in range(i):
                    scatter[j, i] = scatter[i, j]
            for i in range(D):  # rows of the root times the scatter of whitened cells
                last = min(i + 1, count)
                s = 0.0
                for m in range(last):
                    s += root[i, m] * sums[m]
                first[k, order[i]] += s
                for j in range(count):
                    s = 0.0
                    for m in range(last):
                        s += root[i, m] * scatter[m, j]
                    mapped[i, j] = s
            for i in range(D):
                for j in range(i + 1):
                    s = 0.0
                    for m in range(min(j + 1, count)):
                        s += mapped[i, m] * root[j, m]
                    if j >= count:
                        for m in range(count, j + 1):
                            s += total * root[i, m] * root[j, m]
                    second[k, order[i], order[j]] += s
                    if i != j:
                        second[k, order[j], order[i]] += s
            entropy += total * 0.5 * (D - count) * (1 + LOG_2PI)
            for i in range(count, D):
                entropy += total * math.log(root[i, i])
    return entropy
