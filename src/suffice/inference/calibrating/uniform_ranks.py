r"""Are ranks uniform? Bins, χ², and limits that hold at every point at once.

Ranks    of n truths among L draws each: 0, …, L, equally probable where the draws come from the right distribution
Bins     B of them, equally wide wherever a suitable B divides L + 1; expected counts are exact in any case
χ²       Σ (count − expected)² / expected with B − 1 degrees of freedom; several parameters after Holm
Limits   the number N(z) of ranks below z (L + 1) is Binomial(n, z), and N(z') given N(z) is N(z) plus a
         Binomial(n − N(z), (z' − z)/(1 − z)). The probability that N keeps between limits at every point is a product
         of matrices; limits of equal tails are as narrow as it allows (Säilynoja, Bürkner and Vehtari, 2022).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import bdtr, chdtrc, gammaln

MOST_BINS = 20
EXPECTED = 5  # ranks in a bin, below which χ² is not to be relied upon
MOST_POINTS = 50  # at which a curve is compared with its limits
HALVINGS = 16


# -- ranks and bins ---------------------------------------------------------------------------------------
def truth_ranks(truth: np.ndarray, draws: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """How many draws (L, D) lie below the truth (D,); places among equal ones are taken at random."""
    below, equal = np.sum(draws < truth, axis=0), np.sum(draws == truth, axis=0)
    return below + rng.integers(0, equal + 1)


def bin_edges(n: int, draws: int, bins: int | None = None) -> np.ndarray:
    """First rank of each bin, and L + 1 last. Without `bins`, as many as n ranks fill, equally wide if possible."""
    if bins is None:
        most = max(2, min(MOST_BINS, n // EXPECTED, draws + 1))
        even = max(b for b in range(1, most + 1) if (draws + 1) % b == 0)
        bins = even if 2 * even >= most else most
    return np.round(np.linspace(0, draws + 1, bins + 1)).astype(int)


def counts(ranks: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Ranks (n, D) in each bin, (B, D)."""
    places = np.searchsorted(edges, ranks, side="right") - 1
    return np.stack([np.bincount(column, minlength=len(edges) - 1) for column in places.T], axis=1)


def chi_square(ranks: np.ndarray, draws: int, bins: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The statistic and its probability under uniform ranks, both (D,)."""
    edges = bin_edges(len(ranks), draws, bins)
    expected = len(ranks) * np.diff(edges)[:, None] / (draws + 1)
    found = np.sum((counts(ranks, edges) - expected) ** 2 / expected, axis=0)
    return found, chdtrc(len(edges) - 2, found)


def holm_adjusted(p: np.ndarray) -> np.ndarray:
    """p values that may be compared with one level although there are several (Holm, 1979)."""
    order = np.argsort(p)
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    out = np.empty(len(p))
    out[order] = np.minimum(steps, 1.0)
    return out


def shape_scores(ranks: np.ndarray, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """In standard errors under uniform ranks: by how much they are too high, and too far from the middle."""
    size, n = draws + 1, len(ranks)
    u = (ranks + 0.5) / size - 0.5
    var = (1 - size**-2.0) / 12
    fourth = (1 - size**-2.0) * (3 - 7 * size**-2.0) / 240
    slope = u.mean(axis=0) * np.sqrt(n / var)
    return slope, (np.mean(u**2, axis=0) - var) * np.sqrt(n / (fourth - var**2))


def inside(ranks: np.ndarray, draws: int, level: float) -> np.ndarray:
    """How much of each rank's cell [r, r + 1]/(L + 1) lies in the central part of that probability."""
    tail, low = (1 - level) / 2, ranks / (draws + 1)
    high = low + 1 / (draws + 1)
    overlap = np.minimum(high, 1 - tail) - np.maximum(low, tail)
    return np.clip(overlap, 0, None) * (draws + 1)


# -- limits -----------------------------------------------------------------------------------------------
def binomial_limits(n: int, p: np.ndarray, tail: float) -> tuple[np.ndarray, np.ndarray]:
    """The fewest and the most of n that leave at most `tail` beyond them on each side."""
    cdf = bdtr(np.arange(n + 1.0), n, np.asarray(p, dtype=float)[:, None])
    low = [int(np.searchsorted(row, tail, side="right")) for row in cdf]
    high = [int(np.searchsorted(row, 1 - tail)) for row in cdf]
    return np.array(low), np.minimum(high, n)


@lru_cache(maxsize=32)
def simultaneous_limits(n: int, z: tuple[float, ...], level: float) -> tuple[np.ndarray, np.ndarray]:
    """Limits of N at increasing points z in (0, 1), all kept at once with at least that probability."""
    points = np.array(z)
    loose, tight = (1 - level) / (2 * len(z)), (1 - level) / 2
    for _ in range(HALVINGS):
        tail = np.sqrt(loose * tight)
        kept = probability_inside(n, points, *binomial_limits(n, points, tail)) >= level
        loose, tight = (tail, tight) if kept else (loose, tail)
    return binomial_limits(n, points, loose)


def probability_inside(n: int, z: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    """P(low ≤ N(z) ≤ high at every z)."""
    log_factorial = gammaln(np.arange(n + 1) + 1.0)
    here, mass, before = np.zeros(1, dtype=int), np.ones(1), 0.0
    for at, a, b in zip(z, low, high, strict=True):
        there = np.arange(a, b + 1)
        mass = mass @ _steps(n - here, there - here[:, None], (at - before) / (1 - before), log_factorial)
        here, before = there, at
    return float(mass.sum())


def _steps(m: np.ndarray, k: np.ndarray, p: float, log_factorial: np.ndarray) -> np.ndarray:
    """Binomial(m, p) at k, zero outside 0 … m; m in rows."""
    possible = (k >= 0) & (k <= m[:, None])
    k = np.where(possible, k, 0)
    rest = m[:, None] - k
    log_choose = log_factorial[m][:, None] - log_factorial[k] - log_factorial[rest]
    return np.where(possible, np.exp(log_choose + k * np.log(p) + rest * np.log1p(-p)), 0.0)
