"""Compiled: rows dealt out to their groups and summed, in one pass over columns that stay where the reader put them."""

from __future__ import annotations

import numpy as np
from numba import carray, types
from numba.extending import intrinsic

from suffice._core.compiling import compiled


@intrinsic
def _pointer(context, address):
    """The numbers at an address."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.float64)(types.intp), generate


@compiled
def products_of_groups(addresses, n, shift, weight, group, step, out):
    """Add √w [1, X − c]ᵀ √w [1, X − c] of each group to out (groups, 1 + columns, 1 + columns).

    `addresses` are those of columns of n float64; no weights, or no groups, are arrays without entries.
    """
    p, n_groups = 1 + len(addresses), len(out)
    hand = np.empty(min(step, n) * p)  # the rows of each group in one piece, a column after the other
    size, first, place = (
        np.empty(n_groups, np.int64),
        np.empty(n_groups, np.int64),
        np.empty(n_groups, np.int64),
    )
    root = np.empty(min(step, n) if len(weight) else 0)
    for a in range(0, n, step):
        e = min(n, a + step)
        size[:] = 0
        if len(group):
            for i in range(a, e):
                size[group[i]] += 1
        else:
            size[0] = e - a
        total = 0
        for g in range(n_groups):
            first[g] = total * p
            total += size[g]
        if len(weight):
            root[: e - a] = np.sqrt(weight[a:e])
        for j in range(p):
            for g in range(n_groups):
                place[g] = first[g] + j * size[g]
            if j == 0:
                _deal_ones(a, e, group, root, place, hand)
            else:
                _deal(carray(_pointer(addresses[j - 1]), n), a, e, shift[j - 1], group, root, place, hand)
        for g in range(n_groups):
            if size[g] > 0:
                rows = hand[first[g] : first[g] + size[g] * p].reshape((p, size[g]))
                out[g] += np.dot(rows, rows.T)


@compiled
def _deal(column, a, e, shift, group, root, place, hand):
    if len(group) and len(root):
        for i in range(a, e):
            hand[place[group[i]]] = root[i - a] * (column[i] - shift)
            place[group[i]] += 1
    elif len(group):
        for i in range(a, e):
            hand[place[group[i]]] = column[i] - shift
            place[group[i]] += 1
    elif len(root):
        for i in range(a, e):
            hand[place[0] + i - a] = root[i - a] * (column[i] - shift)
    else:
        for i in range(a, e):
            hand[place[0] + i - a] = column[i] - shift


@compiled
def _deal_ones(a, e, group, root, place, hand):
    for i in range(a, e):
        g = group[i] if len(group) else 0
        hand[place[g]] = root[i - a] if len(root) else 1.0
        place[g] += 1
