r"""Whether the order of the numbers of a column means anything, told by the other columns of the table.

Rows are grouped by the value v of the column, and r is the rank of another column in a row:

    between   Σ_v n_v (r̄_v − r̄)²        what the values tell about r
    curve     the part of it that a polynomial of v of low degree explains, or a curve that only rises, or falls
    lack of fit   between − curve, against the spread within the groups (F test)

Of a quantity the curve explains nearly all; of names the values tell just as much, and their order no more than chance,
about degree / (k − 1) of it. Ranks make it robust; neither the order of the rows nor that of the columns matters.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import fdtrc

from suffice._core.linalg import qr_pivoted
from suffice._core.records import record
from suffice.prepare.looking._profile import Profile

ROWS, PARTNERS = 10_000, 40  # at most so many rows and other columns are asked
FEW = 12  # values whose curve may have steps
CHANCE = 0.01  # that any of the others is called related though none is
STEP = np.uint64(0x9E3779B97F4A7C15)


@record
class OrderEvidence:
    """What other columns say of one. `related` of them differ between its values, `fixed` do not differ within one.

    `strength` is the mean share of the spread of the related ones that its values tell, `share` the part of it that a
    curve explains, weighted by how much they tell, and `line` the same of a straight line. `lack` and `lack_of_line`
    are the smallest p-values for the rest being chance, corrected for their number. `one_way` is the part that a curve
    explains which only rises, or only falls (a line where there are many values).
    """

    related: int
    fixed: int
    strength: float
    share: float
    lack: float
    line: float
    lack_of_line: float
    one_way: float


def degree(k: int) -> int:
    """Of the curve for k values: so low that names would follow it to a third at most, where k allows."""
    return max(2, min(k // 3, 6)) if k > 3 else 1


def evidence(p: Profile, partners: Sequence[np.ndarray], rows: np.ndarray) -> OrderEvidence | None:
    """What the ranks of other columns in some rows say; None where there is nothing to see."""
    codes = codes_in(p, rows)
    here = codes >= 0
    if not partners or here.sum() < 10:
        return None
    ranks = np.column_stack(partners)[here]
    values, groups, sizes = np.unique(codes[here], return_inverse=True, return_counts=True)
    k, n = len(values), len(groups)
    if k < 3 or n - k < 5:
        return None
    ranks = ranks - ranks.mean(axis=0)
    total = np.sum(ranks**2, axis=0)
    means = _sums(ranks, groups, sizes) / sizes[:, None]
    return _weighed(p.finite[values], sizes, means, np.where(total > 0, total, 1.0), n)


def _sums(ranks: np.ndarray, groups: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return np.add.reduceat(ranks[np.argsort(groups, kind="stable")], starts, axis=0)


def _weighed(
    v: np.ndarray, sizes: np.ndarray, means: np.ndarray, total: np.ndarray, n: int
) -> OrderEvidence | None:
    k, d = len(v), degree(len(v))
    between = sizes @ means**2
    within = np.maximum(total - between, 0) / (n - k)
    noise = np.maximum(within, 1e-9 * total / n)
    related = fdtrc(k - 1, n - k, between / (k - 1) / noise) < CHANCE / len(total)
    if not related.any():
        return None
    explained, noise, within = between[related], noise[related], within[related]
    means = means[:, related]
    curve, line = (_explained(v, sizes, means, degree) for degree in (d, 1))
    rising = _rising(sizes, means) if k <= FEW else line
    curve = np.maximum(curve, rising)
    weight = explained / total[related]
    return OrderEvidence(
        int(related.sum()),
        int(np.sum(within * (n - k) < 1e-9 * total[related])),
        float(weight.mean()),
        _share(curve, explained, within, weight, d, k),
        _lack(curve, explained, noise, d, k, n),
        _share(line, explained, within, weight, 1, k),
        _lack(line, explained, noise, 1, k, n),
        _share(rising, explained, within, weight, 1, k),
    )


def _explained(v: np.ndarray, sizes: np.ndarray, means: np.ndarray, degree: int) -> np.ndarray:
    """The sum of squares that a polynomial explains, of the value or of its rank, whichever explains more."""
    root = np.sqrt(sizes)[:, None]
    found = []
    for place in (v, np.cumsum(sizes) - sizes / 2):
        t = 2 * (place - place[0]) / (place[-1] - place[0]) - 1
        basis, _, _ = qr_pivoted(np.polynomial.chebyshev.chebvander(t, degree) * root)
        found.append(np.sum((basis.T @ (root * means)) ** 2, axis=0))
    return np.maximum(*found)


def _rising(sizes: np.ndarray, means: np.ndarray) -> np.ndarray:
    """The sum of squares that a curve explains which never falls, or never rises."""
    fits = [[isotonic_regression(m, weights=sizes, increasing=up).x for m in means.T] for up in (True, False)]
    return np.maximum(*(np.array(fit) ** 2 @ sizes for fit in fits))


def _share(
    part: np.ndarray, explained: np.ndarray, within: np.ndarray, weight: np.ndarray, d: int, k: int
) -> float:
    """The part without what noise adds to either."""
    share = np.maximum(part - d * within, 0) / np.maximum(explained - (k - 1) * within, 1e-12 * explained)
    return float(np.average(np.minimum(share, 1), weights=weight))


def _lack(part: np.ndarray, explained: np.ndarray, noise: np.ndarray, d: int, k: int, n: int) -> float:
    if k - 1 <= d:
        return 1.0
    p = fdtrc(k - 1 - d, n - k, np.maximum(explained - part, 0) / (k - 1 - d) / noise)
    return float(min(p.min() * len(p), 1.0))


# -- the other columns ------------------------------------------------------------------------------------
def ranks_of(p: Profile, rows: np.ndarray) -> np.ndarray:
    """The rank of every cell among all of its column, in (0, 1); a gap is in the middle."""
    middle = (np.cumsum(p.counts) - p.counts / 2) / p.known
    return np.append(middle, 0.5)[codes_in(p, rows)]


def codes_in(p: Profile, rows: np.ndarray) -> np.ndarray:
    """The place of some cells among the distinct values; −1 for a gap."""
    if p.values.dtype == object:
        return p.codes[rows]
    return np.where(p.gaps[rows], -1, np.searchsorted(p.distinct, p.values[rows]))


def rankable(p: Profile) -> bool:
    """Whether the cells of a column have ranks, or are of two kinds."""
    plain = p.beyond is None and p.values.dtype != object
    return plain and len(p.distinct) > 1 and p.kind in ("numbers", "flags", "times")


def chosen_rows(columns: Sequence[Profile], n: int) -> np.ndarray:
    """All rows, or those that a hash of their cells picks: the same ones in any order of rows and columns."""
    if n <= ROWS:
        return np.arange(n)
    mark = np.zeros(n, dtype=np.uint64)
    for p in columns:
        seed = np.uint64(2 * sum((i + 1) * ord(c) for i, c in enumerate(p.name)) + 1)
        cells = p.values.astype(np.int64 if p.kind == "times" else float).view(np.uint64)
        mark += _mixed(cells * seed)
    return np.argpartition(_mixed(mark), ROWS)[:ROWS]


def joint_codes(columns: Sequence[np.ndarray]) -> np.ndarray:
    """One code for the cells of several columns together."""
    mark = np.zeros(len(columns[0]) if columns else 0, dtype=np.uint64)
    for codes in columns:
        mark = _mixed(mark + (codes + 2).astype(np.uint64) * STEP)
    return mark


def _mixed(x: np.ndarray) -> np.ndarray:
    """Bits that look like chance."""
    x = (x ^ (x >> np.uint64(31))) * STEP
    x = (x ^ (x >> np.uint64(29))) * STEP
    return x ^ (x >> np.uint64(32))
