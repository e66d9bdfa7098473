r"""After Friedman's test: which methods differ (Demšar 2006).

Average ranks of k methods over N data sets have, if all are equally good, differences with variance s² = k(k + 1)/(6N).

Nemenyi    all pairs: |difference| against  CD = q s/√2, the critical difference, q the quantile of the studentized
           range of k normal values; p from the same distribution
Holm       z = difference/s, two-sided normal p-values, corrected by Holm's rule; intervals by Bonferroni's
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import studentized_range

from suffice.evaluation.comparisons.holm import step_down
from suffice.evaluation.findings import Finding, chance, number, percent

ASSUMPTIONS = (
    "The data sets are independent of each other.",
    "Average ranks are normal: 10 data sets or more.",
    "The spread of ranks is that of equally good methods.",
)
Pairs = list[tuple[int, int]]


def rank_error(k: int, n: int) -> float:
    """Standard error of a difference of average ranks under the null hypothesis."""
    return sqrt(k * (k + 1) / (6 * n))


def critical_difference(k: int, n: int, confidence: float) -> float:
    """Nemenyi's: two of k methods differ if their average ranks over n data sets are farther apart."""
    return range_quantile(k, confidence) / sqrt(2) * rank_error(k, n)


@lru_cache(maxsize=128)
def range_quantile(k: int, confidence: float) -> float:
    """Of the range of k standard normal values; slow enough to be remembered."""
    return float(studentized_range.ppf(confidence, k, np.inf))


def nemenyi_findings(
    average: np.ndarray, names: tuple[str, ...], n: int, confidence: float
) -> tuple[Finding, ...]:
    """Every pair, by the studentized range."""
    k, pairs = len(average), list(combinations(range(len(average)), 2))
    z = _gaps(average, pairs) / rank_error(k, n)
    p = np.clip(studentized_range.sf(np.abs(z) * sqrt(2), k, np.inf), 0, 1)
    half = critical_difference(k, n, confidence)
    return _describe("Nemenyi", average, names, n, confidence, pairs, p, z, half)


def holm_findings(
    average: np.ndarray, names: tuple[str, ...], n: int, confidence: float, pairs: Pairs
) -> tuple[Finding, ...]:
    """The given pairs, by normal p-values that Holm's rule corrects for their number."""
    error = rank_error(len(average), n)
    z = _gaps(average, pairs) / error
    half = float(ndtri(1 - (1 - confidence) / (2 * len(pairs)))) * error
    return _describe("Holm", average, names, n, confidence, pairs, step_down(2 * ndtr(-np.abs(z))), z, half)


def _gaps(average: np.ndarray, pairs: Pairs) -> np.ndarray:
    first, second = np.array(pairs).T
    return average[first] - average[second]


def _describe(
    test: str, average: np.ndarray, names: tuple[str, ...], n: int, level: float, pairs: Pairs, p: np.ndarray,
    z: np.ndarray, half: float,
) -> tuple[Finding, ...]:  # fmt: skip
    notes = () if n >= 10 else (f"{n} data sets are few for average ranks to be normal; take 10 or more.",)

    def one(i: int, j: int, p_value: float, score: float) -> Finding:
        gap = float(average[i] - average[j])
        sentence = _sentence(test, names[i], names[j], gap, half, n, level, p_value, len(pairs))
        return Finding(
            f"{test}: {names[i]} and {names[j]}", gap, (gap - half, gap + half), sentence, level, p_value, score, n,
            assumptions=ASSUMPTIONS, notes=notes, loss_difference=gap,
        )  # fmt: skip

    return tuple(one(i, j, *each) for (i, j), *each in zip(pairs, p.tolist(), z.tolist(), strict=True))


def _sentence(
    test: str, a: str, b: str, gap: float, half: float, n: int, level: float, p: float, m: int
) -> str:
    size, way = abs(gap), "better" if gap < 0 else "worse"
    effect = f"{a} ranks {way} than {b} by {number(size)}" if gap else f"{a} and {b} rank equally"
    return (
        f"{effect} on average over {n} data sets, {percent(level)} interval [{number(size - half)}, "
        f"{number(size + half)}] for {m} pairs together, {test} {chance(p)}."
    )
