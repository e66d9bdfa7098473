"""Compiled: passes of the Gibbs sampler, moments of labelled rows, and counts of rows that share a label.

A component is kept as its number of rows, the posterior mean m and the lower Cholesky factor L of the posterior scale Ψ
with ½ log|Ψ|. With q = |L⁻¹(x − m)|² and s = strength + n of the component, a row x outside has

    log p(x | rows) = table[n] − ½ log|Ψ| − ½ (dof + n + 1) log(1 + q s/(s + 1)),

and one inside, of the others, log p = table[n − 1] − ½ log|Ψ| + ½ (dof + n − 1) log(1 − q s/(s − 1)): nothing has to be
taken out of Ψ to know it, and Ψ changes only when a row moves.
"""

from __future__ import annotations

import math

import numpy as np

from suffice._core.compiling import compiled

SAFE = 1e-3  # share of |Ψ| that must be left when a row goes; with less, the component is built anew


@compiled
def empty(k, counts, means, factors, halves):
    """A component without rows: the prior, which is (0, I) in its own units."""
    counts[k], halves[k] = 0, 0.0
    for i in range(means.shape[1]):
        means[k, i] = 0.0
        for j in range(i):
            factors[k, i, j] = 0.0
        factors[k, i, i] = 1.0


@compiled
def put(x, k, strength, counts, means, factors, halves, work):
    """Add a row to a component: Ψ + s/(s + 1) (x − m)(x − m)ᵀ."""
    s, d, L = strength + counts[k], len(x), factors[k]
    root = math.sqrt(s / (s + 1.0))
    for j in range(d):
        gap = x[j] - means[k, j]
        work[j] = root * gap
        means[k, j] += gap / (s + 1.0)
    counts[k] += 1
    half = 0.0
    for j in range(d):
        r = math.sqrt(L[j, j] * L[j, j] + work[j] * work[j])
        c, t = r / L[j, j], work[j] / L[j, j]
        L[j, j] = r
        half += math.log(r)
        for i in range(j + 1, d):
            L[i, j] = (L[i, j] + t * work[i]) / c
            work[i] = c * work[i] - t * L[i, j]
    halves[k] = half


@compiled
def take(x, k, strength, counts, means, factors, halves, work):
    """Remove a row from a component: Ψ − s/(s − 1) (x − m)(x − m)ᵀ; known to leave enough."""
    if counts[k] == 1:
        empty(k, counts, means, factors, halves)
        return
    s, d, L = strength + counts[k], len(x), factors[k]
    root = math.sqrt(s / (s - 1.0))
    for j in range(d):
        gap = x[j] - means[k, j]
        work[j] = root * gap
        means[k, j] -= gap / (s - 1.0)
    counts[k] -= 1
    half = 0.0
    for j in range(d):
        r = math.sqrt((L[j, j] - work[j]) * (L[j, j] + work[j]))
        c, t = r / L[j, j], work[j] / L[j, j]
        L[j, j] = r
        half += math.log(r)
        for i in range(j + 1, d):
            L[i, j] = (L[i, j] - t * work[i]) / c
            work[i] = c * work[i] - t * L[i, j]
    halves[k] = half


@compiled
def build(X, labels, k, strength, counts, means, factors, halves, work):
    """A component from the rows that have its label."""
    empty(k, counts, means, factors, halves)
    for n in range(len(X)):
        if labels[n] == k:
            put(X[n], k, strength, counts, means, factors, halves, work)


@compiled
def distance(x, k, means, factors, work):
    """q = |L⁻¹(x − m)|²."""
    total = 0.0
    for i in range(len(x)):
        value = x[i] - means[k, i]
        for j in range(i):
            value -= factors[k, i, j] * work[j]
        value /= factors[k, i, i]
        work[i] = value
        total += value * value
    return total


@compiled
def pick(scores, top, u):
    """The first k at which the sum of exp(scores − top) passes the share u of the whole."""
    total = 0.0
    for k in range(len(scores)):
        total += math.exp(scores[k] - top)
        scores[k] = total
    for k in range(len(scores) - 1):
        if u * total < scores[k]:
            return k
    return len(scores) - 1


@compiled
def log_marginal(k, sums, dof, counts, halves):
    """What a component adds to the log joint."""
    return sums[counts[k]] - (dof + counts[k]) * halves[k]


@compiled
def outside(x, k, table, strength, dof, counts, means, factors, halves, work):
    """log (n + α/K) p(x | rows of the component), for a row that is not in it."""
    m = counts[k]
    s = strength + m
    q = distance(x, k, means, factors, work) * s / (s + 1.0)
    return table[m] - halves[k] - 0.5 * (dof + m + 1.0) * math.log1p(q)


@compiled
def replace(k, other, counts, means, factors, halves):
    """Component k becomes what another is."""
    counts[k], halves[k] = counts[other], halves[other]
    for i in range(means.shape[1]):
        means[k, i] = means[other, i]
        for j in range(i + 1):
            factors[k, i, j] = factors[other, i, j]


@compiled
def split_or_merge(
    X, order, labels, u, table, sums, strength, dof, counts, means, factors, halves, work, side
):
    """Two random rows: split their component in two, or make one of both, by Metropolis–Hastings.

    The last two components are for scratch. u has a number for each row, and then five.
    """
    N, first, second = len(X), len(counts) - 2, len(counts) - 1
    if N < 2:
        return
    i, j = int(u[N] * N), int(u[N + 1] * (N - 1))
    j += j >= i
    a, b = labels[i], labels[j]
    splits, free, new = a == b, 0, -1
    for k in range(first):
        free += counts[k] == 0
    if splits and free == 0:
        return
    empty(first, counts, means, factors, halves)
    empty(second, counts, means, factors, halves)
    put(X[i], first, strength, counts, means, factors, halves, work)
    put(X[j], second, strength, counts, means, factors, halves, work)
    log_q, start = 0.0, int(u[N + 2] * N)
    side[i], side[j] = False, True
    for t in range(N):
        n = order[(t + start) % N]
        if n in (i, j) or (labels[n] != a and labels[n] != b):
            continue
        gap = outside(X[n], second, table, strength, dof, counts, means, factors, halves, work)
        gap -= outside(X[n], first, table, strength, dof, counts, means, factors, halves, work)
        share = math.exp(min(gap, 0.0)) / (1.0 + math.exp(-abs(gap)))
        to_second = u[n] < share if splits else labels[n] == b
        side[n] = to_second
        gap = -gap if to_second else gap
        log_q -= max(gap, 0.0) + math.log1p(math.exp(-abs(gap)))
        put(X[n], second if to_second else first, strength, counts, means, factors, halves, work)
    if splits:
        gain = log_marginal(first, sums, dof, counts, halves) + log_marginal(
            second, sums, dof, counts, halves
        )
        gain -= log_marginal(a, sums, dof, counts, halves)
        if math.log(u[N + 3]) >= gain + math.log(free) - log_q:
            return
        place = int(u[N + 4] * free)
        for k in range(first):
            if counts[k] == 0:
                new = k if place == 0 else new
                place -= 1
        replace(a, first, counts, means, factors, halves)
        replace(new, second, counts, means, factors, halves)
        for n in range(N):
            if labels[n] == a and side[n]:
                labels[n] = new
        return
    gain = -log_marginal(a, sums, dof, counts, halves) - log_marginal(b, sums, dof, counts, halves)
    for n in range(N):
        if labels[n] == b:
            put(X[n], first, strength, counts, means, factors, halves, work)
    gain += log_marginal(first, sums, dof, counts, halves)
    if math.log(u[N + 3]) >= gain - math.log(free + 1.0) + log_q:
        return
    replace(a, first, counts, means, factors, halves)
    empty(b, counts, means, factors, halves)
    for n in range(N):
        if labels[n] == b:
            labels[n] = a


@compiled
def passes(X, order, labels, uniforms, table, strength, dof, n_components, out):
    """One uniform number per row and pass; labels (−1: none yet) change in place, and go to `out` after each pass."""
    (N, d), size = X.shape, n_components + 2
    counts, halves = np.zeros(size, np.int64), np.zeros(size)
    means, factors = np.zeros((size, d)), np.zeros((size, d, d))
    scores, work, side = np.empty(n_components), np.empty(d), np.zeros(N, np.bool_)
    sums = np.zeros(len(table))
    for n in range(1, len(table)):
        sums[n] = sums[n - 1] + table[n - 1]
    for k in range(n_components):
        empty(k, counts, means, factors, halves)
    for n in range(len(X)):
        if labels[n] >= 0:
            put(X[n], labels[n], strength, counts, means, factors, halves, work)
    for p in range(len(uniforms)):
        for n in order:
            x, own, top, left = X[n], labels[n], -np.inf, 1.0
            if own >= 0 and counts[own] > 1:
                s = strength + counts[own]
                left = 1.0 - distance(x, own, means, factors, work) * s / (s - 1.0)
                if left < SAFE:
                    labels[n] = -1
                    build(X, labels, own, strength, counts, means, factors, halves, work)
                    own = -1
            square = 0.0
            for j in range(d):
                square += x[j] * x[j]
            alone = table[0] - 0.5 * (dof + 1.0) * math.log1p(square * strength / (strength + 1.0))
            for k in range(n_components):
                m = counts[k]
                if m == 0 or (k == own and m == 1):
                    scores[k] = alone
                elif k == own:
                    scores[k] = table[m - 1] - halves[k] + 0.5 * (dof + m - 1.0) * math.log(left)
                else:
                    scores[k] = outside(x, k, table, strength, dof, counts, means, factors, halves, work)
                top = max(top, scores[k])
            new = pick(scores, top, uniforms[p, n])
            if new != own:
                if own >= 0:
                    take(x, own, strength, counts, means, factors, halves, work)
                put(x, new, strength, counts, means, factors, halves, work)
                labels[n] = new
        for first in range(N, uniforms.shape[1], N + 5):
            u = uniforms[p, first : first + N + 5]
            split_or_merge(
                X, order, labels, u, table, sums, strength, dof, counts, means, factors, halves, work, side
            )
        for n in range(N):
            out[p, n] = labels[n]


@compiled
def moments(X, labels, counts, means, scatter):
    """Rows, mean and scatter about it of each component in every labelling (draw, row), written over zeros."""
    d = X.shape[1]
    for s in range(len(labels)):
        for n in range(len(X)):
            k = labels[s, n]
            counts[s, k] += 1
            for i in range(d):
                means[s, k, i] += X[n, i]
        for k in range(counts.shape[1]):
            for i in range(d):
                means[s, k, i] /= max(counts[s, k], 1)
        for n in range(len(X)):
            k = labels[s, n]
            for i in range(d):
                gap = X[n, i] - means[s, k, i]
                for j in range(i + 1):
                    scatter[s, k, i, j] += gap * (X[n, j] - means[s, k, j])
        for k in range(counts.shape[1]):
            for i in range(d):
                for j in range(i):
                    scatter[s, k, j, i] = scatter[s, k, i, j]


@compiled
def count_together(some, labels, out):
    """In how many draws row i of `some` has the label of row j of `labels`, both (row, draw)."""
    for i in range(len(some)):
        for j in range(len(labels)):
            same = 0
            for s in range(labels.shape[1]):
                same += some[i, s] == labels[j, s]
            out[i, j] = same


@compiled
def agreement(labels, some, n_components, out):
    """For draws in `some`: the sum over all draws of the pairs of rows (also of a row with itself) together in both."""
    table = np.empty((n_components, n_components), np.int64)
    for a in range(len(some)):
        total = 0
        for b in range(len(labels)):
            table[:] = 0
            for n in range(labels.shape[1]):
                table[some[a, n], labels[b, n]] += 1
            for count in table.flat:
                total += count * count
        out[a] = total
