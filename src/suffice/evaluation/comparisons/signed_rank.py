r"""Two methods on many data sets: Wilcoxon's signed ranks.

Differences  dᵢ = aᵢ − bᵢ, symmetric about their center δ
Estimate     the median of all averages (dᵢ + dⱼ)/2, i ≤ j (Hodges and Lehmann)
Interval     the C-th smallest and largest of these averages; P(T < C) ≤ α/2 for the signed-rank sum T
p-value      of `scipy.stats.wilcoxon`: exact up to 50 differences without ties or zeros
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import numpy as np
from scipy.special import ndtri
from scipy.stats import wilcoxon

from suffice._core.errors import InvalidInput, check_choice
from suffice.evaluation.comparisons._inputs import (
    Interval,
    check_confidence,
    check_names,
    finite,
    same_length,
)
from suffice.evaluation.findings import Finding, chance, leader, number, percent

MOST = 2000
EXACT = 50
ASSUMPTIONS = (
    "The data sets are independent of each other.",
    "The differences are symmetric about their center.",
)


def signed_rank(
    a: Any,
    b: Any,
    *,
    zeros: Literal["wilcox", "pratt", "zsplit"] = "wilcox",
    confidence: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
    better: Literal["higher", "lower"] | None = None,
) -> Finding:
    """Compare two methods over many data sets by Wilcoxon's signed ranks.

    Parameters
    ----------
    a, b
        A score or loss of either method on every data set.
    zeros
        What equal scores count: "wilcox" drops them, "pratt" ranks and then drops them, "zsplit" splits their ranks.
    confidence
        Level of the interval.
    names
        Of the methods, for the sentence.
    better
        "higher" for scores such as accuracies, "lower" for losses. Without it nobody is said to be ahead.

    Notes
    -----
    `estimate` and `interval` are for the center of a − b, zeros included; `loss_difference` has its sign turned for
    `better="higher"`, and is None where `better` is. Both are exact for continuous symmetric
    differences up to 50 data sets: coverage at least nominal, type-I error at most nominal. Fewer than 6 data sets
    cannot give a 95 % interval.

    Examples
    --------
    >>> from suffice.evaluation import signed_rank
    >>> a = [0.81, 0.92, 0.66, 0.75, 0.88, 0.79, 0.93]
    >>> b = [0.79, 0.88, 0.67, 0.70, 0.85, 0.73, 0.86]
    >>> print(signed_rank(a, b, names=("forest", "tree"), better="higher"))
    forest − tree is centered at 0.04, so forest is ahead, 95 % interval [0.01, 0.06] over 7 data sets,
    Wilcoxon p = 0.031.
    """
    first, second = finite("a", a), finite("b", b)
    same_length({"a": first, "b": second})
    check_choice("zeros", zeros, ("wilcox", "pratt", "zsplit"))
    check_choice("better", better, ("higher", "lower", None))
    level, (name_a, name_b), d = check_confidence(confidence), check_names(names), first - second
    if len(d) > MOST:
        raise InvalidInput(
            f"signed_rank is for data sets, at most {MOST}; got {len(d)}. Use paired_t for rows."
        )
    p_value, statistic = _p(d, zeros)
    averages = walsh_averages(d)
    center, interval = float(np.median(averages)), center_interval(averages, len(d), level)
    spread = (
        ""
        if interval is None
        else f", {percent(level)} interval [{number(interval[0])}, {number(interval[1])}]"
    )
    loss = None if better is None else -center if better == "higher" else center
    lead = "" if loss is None else leader(loss, (name_a, name_b))
    effect = f"{name_a} − {name_b} is centered at {number(center)}{lead}{spread} over {len(d)} data sets"
    sentence = f"{effect}, Wilcoxon {chance(p_value)}."
    return Finding(
        "Wilcoxon's signed-rank test", center, interval, sentence, level, p_value, statistic, len(d),
        assumptions=ASSUMPTIONS, notes=_notes(d, interval, level), loss_difference=loss,
    )  # fmt: skip


def _p(d: np.ndarray, zeros: str) -> tuple[float, float]:
    if not d.any():
        return 1.0, 0.0
    found = wilcoxon(d, zero_method=zeros)
    return float(found.pvalue), float(found.statistic)


def walsh_averages(d: np.ndarray) -> np.ndarray:
    """All averages of two differences, each with itself too, in order."""
    i, j = np.triu_indices(len(d))
    return np.sort(d[i] / 2 + d[j] / 2)


def center_interval(averages: np.ndarray, n: int, confidence: float) -> Interval | None:
    """The order statistics that the signed-rank distribution picks; None where n is too small for the level."""
    place = smaller_tail(n, (1 - confidence) / 2)
    return None if place == 0 else (float(averages[place - 1]), float(averages[-place]))


@lru_cache(maxsize=256)
def smaller_tail(n: int, tail: float) -> int:
    """The largest C with P(T < C) ≤ tail, T the sum of positive ranks of n symmetric differences."""
    if n > EXACT:
        mean, sd = n * (n + 1) / 4, np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return max(0, int(np.floor(mean + 0.5 + ndtri(tail) * sd)))
    chances = np.ones(1)
    for rank in range(1, n + 1):
        chances = (np.pad(chances, (0, rank)) + np.pad(chances, (rank, 0))) / 2
    return int(np.searchsorted(np.cumsum(chances), tail * (1 + 1e-12), side="right"))


def _notes(d: np.ndarray, interval: Interval | None, level: float) -> tuple[str, ...]:
    notes = []
    if interval is None:
        notes.append(f"{len(d)} data sets are too few for a {percent(level)} interval.")
    if not d.all():
        notes.append(f"{int((d == 0).sum())} differences are zero; the interval is approximate.")
    if len(np.unique(np.abs(d))) < len(d):
        notes.append("Some differences are equally large; ranks are shared.")
    return tuple(notes)
