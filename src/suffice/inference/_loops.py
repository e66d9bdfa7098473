"""Compiled: squared distances of rows and centers, the nearest center of every row, and sums over clusters.

Rows are taken in blocks turned on their side, so that neighbors in memory are different rows and every sum runs over
the columns in their order, as in the twins. A cell that is NaN adds nothing.
"""

from __future__ import annotations

import numpy as np

from suffice._core.compiling import compiled

BLOCK = 128  # rows whose cells stay in the cache
SAFE = 1e-9  # of a bound: far more than rounding can have taken from it
ROUNDING = 2.0**-50


@compiled
def _turn(X, index, m, block):
    for i in range(m):
        row = X[index[i]]
        for j in range(len(row)):
            block[j, i] = row[j]


@compiled
def _add_up(block, m, holes, center, total):
    total[:m] = 0.0
    for j in range(len(center)):
        c, column = center[j], block[j]
        if holes:
            for i in range(m):
                gap = column[i] - c
                total[i] += gap * gap if gap == gap else 0.0
        else:
            for i in range(m):
                gap = column[i] - c
                total[i] += gap * gap


@compiled
def squares(X, holes, centers, out):
    """‖x − c‖² over the known cells, a row of `out` for every center."""
    block, index = np.empty((X.shape[1], BLOCK)), np.arange(BLOCK)
    for a in range(0, len(X), BLOCK):
        m = min(BLOCK, len(X) - a)
        _turn(X[a:], index, m, block)
        for k in range(len(centers)):
            _add_up(block, m, holes, centers[k], out[k, a:])


@compiled
def _own(row, holes, center):
    total = 0.0
    for j in range(len(row)):
        gap = row[j] - center[j]
        total += gap * gap if not holes or gap == gap else 0.0
    return total


@compiled
def _two_nearest(block, m, holes, centers, total, best, second, label):
    best[:m] = np.inf
    second[:m] = np.inf
    label[:m] = 0
    for k in range(len(centers)):
        _add_up(block, m, holes, centers[k], total)
        for i in range(m):
            t, b, s = total[i], best[i], second[i]
            nearer = t < b
            second[i] = b if nearer else (s if s < t else t)
            best[i] = t if nearer else b
            label[i] = k if nearer else label[i]


@compiled
def nearest(X, weight, holes, centers, moved, labels, squared, lower):
    """Give every row its nearest center; how many rows of positive weight got another one.

    `lower` bounds the distance to every center but the own from below. Since no center has moved by more than `moved`,
    a row that is nearer to its own than the bound less `moved` need not look at the others (Hamerly 2010). Distances
    over some cells obey the same inequality, for they move by no more than all of them.
    """
    n, d = X.shape
    block, total, best, second = np.empty((d, BLOCK)), np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    label, index = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    changed, m = 0, 0
    for i in range(n):
        bound = lower[i] * (1 - ROUNDING) - moved * (1 + SAFE)
        own = _own(X[i], holes, centers[labels[i]])
        lower[i], squared[i] = bound, own
        if not (bound > 0 and own < bound * bound):
            index[m] = i
            m += 1
        if m == BLOCK or (m > 0 and i == n - 1):
            _turn(X, index, m, block)
            _two_nearest(block, m, holes, centers, total, best, second, label)
            for b in range(m):
                row = index[b]
                if label[b] != labels[row]:
                    labels[row] = label[b]
                    changed += 1 if weight[row] > 0 else 0
                squared[row], lower[row] = best[b], np.sqrt(second[b]) * (1 - SAFE)
            m = 0
    return changed


@compiled
def totals(X, weight, holes, centers, labels, sums, known):
    """Σ w (x − c) of every cluster and column, and the weight of the cells that were known."""
    for i in range(len(X)):
        k, w, row = labels[i], weight[i], X[i]
        if holes:
            for j in range(len(row)):
                if row[j] == row[j]:
                    sums[k, j] += w * (row[j] - centers[k, j])
                    known[k, j] += w
        else:
            for j in range(len(row)):
                sums[k, j] += w * (row[j] - centers[k, j])
            known[k, 0] += w
    if not holes:
        for k in range(len(known)):
            known[k, :] = known[k, 0]
