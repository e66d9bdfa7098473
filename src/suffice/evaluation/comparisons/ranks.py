r"""Several methods on many data sets: Friedman's test on ranks (Demšar 2006).

Ranks        rᵢⱼ of method j on data set i; 1 is best, ties share the average
Statistic    χ² = (k − 1) Σⱼ (Rⱼ − N(k + 1)/2)² / Σᵢⱼ (rᵢⱼ − (k + 1)/2)²,   Rⱼ = Σᵢ rᵢⱼ   (corrected for ties)
Iman and     F = (N − 1) χ²/(N(k − 1) − χ²),  F(k − 1, (k − 1)(N − 1)) under the null hypothesis: less
Davenport    conservative than the χ² of k − 1 degrees of freedom
Exact        the share of all orders of the ranks with a χ² as large
W            χ²/(N(k − 1)): Kendall's concordance, 0 for ranks at random and 1 for one order on every data set
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import factorial
from typing import Any, Literal

import numpy as np
from scipy.special import chdtrc, fdtrc
from scipy.stats import rankdata

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, did_you_mean
from suffice._core.frames import to_frame
from suffice._core.numerics import first_nonfinite
from suffice._core.records import frozen_array, record
from suffice._core.showing import WithRemarks
from suffice.evaluation.comparisons._exact_ranks import exact_p
from suffice.evaluation.comparisons._inputs import Interval, check_confidence, numeric
from suffice.evaluation.comparisons.post_hoc import (
    ASSUMPTIONS,
    critical_difference,
    holm_findings,
    nemenyi_findings,
)
from suffice.evaluation.findings import Finding, chance, number, percent
from suffice.tables.frames import labels_of
from suffice.tables.requiring import array_from

METHODS = ("auto", "exact", "F", "chi2")
WORDS = {"exact": "exact Friedman", "F": "Iman-Davenport", "chi2": "Friedman"}


@record
class Ranks(WithRemarks):
    """How several methods rank over data sets, whether they differ at all, and which of them.

    `estimate` is the gap between the best and the worst average rank, `interval` Nemenyi's simultaneous one about it.
    `p_value` is for all methods being equally good, by `method`; `p_exact` is None where counting took too long.
    `groups` are the largest sets of methods within one critical difference: the bars of a critical-difference diagram.
    """

    names: tuple[str, ...]
    ranks: np.ndarray
    average: np.ndarray
    estimate: float
    interval: Interval
    p_value: float
    statistic: float
    sentence: str
    method: str
    p_exact: float | None
    p_chi2: float
    f_statistic: float
    p_f: float
    concordance: float
    critical_difference: float
    groups: tuple[tuple[str, ...], ...]
    confidence: float
    n: int
    name: str = "Friedman's test"
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[str, ...]:
        """Names from best to worst."""
        return tuple(self.names[i] for i in np.argsort(self.average, kind="stable"))

    def pairs(self, correction: Literal["nemenyi", "holm"] = "nemenyi") -> tuple[Finding, ...]:
        """Every pair: the gap of average ranks (negative favors the first), its interval, a corrected p-value."""
        check_choice("correction", correction, ("nemenyi", "holm"))
        if correction == "nemenyi":
            return nemenyi_findings(self.average, self.names, self.n, self.confidence)
        every = list(combinations(range(len(self.names)), 2))
        return holm_findings(self.average, self.names, self.n, self.confidence, every)

    def against(self, control: str) -> tuple[Finding, ...]:
        """Every other method against one, with Holm's correction."""
        if control not in self.names:
            raise InvalidParameter(f"There is no method {control!r}.{did_you_mean(str(control), self.names)}")
        j = self.names.index(control)
        every = [(i, j) for i in range(len(self.names)) if i != j]
        return holm_findings(self.average, self.names, self.n, self.confidence, every)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per method."""
        return to_frame({"method": list(self.names), "average_rank": self.average}, kind)


# -- statistics -----------------------------------------------------------------------------------


def chi_square(ranks: np.ndarray) -> float:
    """Friedman's statistic, corrected for ties; 0 where every data set is one tie."""
    n, k = ranks.shape
    total = float(((ranks - (k + 1) / 2) ** 2).sum())
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    return (k - 1) * between / total if total else 0.0


def iman_davenport(chi2: float, n: int, k: int) -> tuple[float, float]:
    """F and its p-value; where all data sets agree F is infinite, and p the chance of such agreement."""
    rest = n * (k - 1) - chi2
    if rest <= 1e-9 * n * (k - 1):
        return float("inf"), float(factorial(k)) ** (1 - n) if k < 100 else 0.0
    F = (n - 1) * chi2 / rest
    return F, float(fdtrc(k - 1, (k - 1) * (n - 1), F))


def groups_within(average: np.ndarray, names: Sequence[str], gap: float) -> tuple[tuple[str, ...], ...]:
    """The largest runs of methods, best first, that lie within a gap; single methods are left out."""
    order = np.argsort(average, kind="stable")
    values, groups, last = average[order], [], 0
    ends = np.searchsorted(values, values + gap, side="right")
    for start, end in enumerate(ends.tolist()):
        if end > last and end - start > 1:
            groups.append(tuple(names[i] for i in order[start:end]))
        last = max(last, end)
    return tuple(groups)


# -- the test -------------------------------------------------------------------------------------
def friedman(
    scores: Any,
    *,
    names: Sequence[str] | None = None,
    better: Literal["higher", "lower"] = "higher",
    method: Literal["auto", "exact", "F", "chi2"] = "auto",
    confidence: float = 0.95,
) -> Ranks:
    """Compare several methods over many data sets by their ranks.

    Parameters
    ----------
    scores
        A table, one row per data set and one column per method.
    names
        Of the methods; the column names of a table, or numbers, if left out.
    better
        "higher" for accuracies, "lower" for losses.
    method
        Of the p-value: "exact" counts all orders of the ranks, "F" is Iman and Davenport's, "chi2" the large-sample
        one; "auto" counts where that takes about a second (up to 6 methods) and takes F otherwise.
    confidence
        Level of the critical difference and of the intervals.

    Notes
    -----
    Counting is feasible for up to 130 data sets with 3 methods, 28 with 4, 10 with 5, 4 with 6. Type-I error at the 5 %
    level, measured for 5 to 30 data sets and 3 to 10 methods: exact at most 5 %, F 3.8 to 6.6 %, chi2 3.5 to 4.9 %, any
    of Nemenyi's pairs 3.6 to 5.8 %. His intervals at 95 % hold for all pairs together with probability 0.94 to 0.96
    for equally good methods and 10 data sets or more, with more where methods differ.

    Examples
    --------
    >>> from suffice.evaluation import friedman
    >>> accuracy = [[0.81, 0.79, 0.70], [0.92, 0.90, 0.88], [0.66, 0.68, 0.60], [0.75, 0.71, 0.69], [0.88, 0.85, 0.80]]
    >>> found = friedman(accuracy, names=["forest", "tree", "line"])
    >>> print(found)
    Over 5 data sets the average ranks are forest 1.2, tree 1.8, line 3: best and worst are 1.8 apart, 95 % interval
    [0.318, 3.28] for all pairs together (critical difference 1.48), exact Friedman p = 0.0085.
    Note: 5 data sets are few for the critical difference; take 10 or more.
    >>> found.groups
    (('forest', 'tree'), ('tree', 'line'))
    """
    check_choice("better", better, ("higher", "lower"))
    check_choice("method", method, METHODS)
    level = check_confidence(confidence)
    table, said = _table(scores, names)
    ranks = rankdata(-table if better == "higher" else table, axis=1)
    return _judge(ranks, said, method, level)


def nemenyi(scores: Any, **options: Any) -> tuple[Finding, ...]:
    """Every pair of methods over many data sets, by Nemenyi's test; options as in `friedman`.

    Examples
    --------
    >>> from suffice.evaluation import nemenyi
    >>> loss = [[0.2, 0.3, 0.4], [0.1, 0.2, 0.3], [0.3, 0.2, 0.5], [0.2, 0.3, 0.6], [0.4, 0.5, 0.7]]
    >>> for found in nemenyi(loss, names=["a", "b", "c"], better="lower"):
    ...     print(f"{found.name}  {found.estimate:.1f}  {found.p_value:.3f}")
    Nemenyi: a and b  -0.6  0.609
    Nemenyi: a and c  -1.8  0.012
    Nemenyi: b and c  -1.2  0.139
    """
    return friedman(scores, **options).pairs()


def _judge(ranks: np.ndarray, names: tuple[str, ...], method: str, level: float) -> Ranks:
    n, k = ranks.shape
    average, chi2 = ranks.mean(axis=0), chi_square(ranks)
    F, p_f = iman_davenport(chi2, n, k)
    p = {
        "exact": exact_p(ranks) if method in ("auto", "exact") else None,
        "F": p_f,
        "chi2": float(chdtrc(k - 1, chi2)),
    }
    if method == "auto":
        method = "F" if p["exact"] is None else "exact"
    chosen = p[method]
    if chosen is None:
        raise InvalidParameter(
            f"The exact p-value of {k} methods on {n} data sets takes too long; use method='F'."
        )
    gap, half = float(np.ptp(average)), critical_difference(k, n, level)
    return Ranks(
        names, frozen_array(ranks), frozen_array(average), gap, (gap - half, gap + half), chosen,
        F if method == "F" else chi2, _sentence(names, average, n, half, level, method, chosen), method,
        p["exact"], p["chi2"] or 0.0, F, p_f, chi2 / (n * (k - 1)), half, groups_within(average, names, half), level, n,
        assumptions=ASSUMPTIONS, notes=_notes(ranks),
    )  # fmt: skip


def _table(scores: Any, names: Sequence[str] | None) -> tuple[np.ndarray, tuple[str, ...]]:
    columns, table = labels_of(scores), array_from("scores", scores)
    if table.ndim != 2:
        raise InvalidInput(f"scores must be a table, data sets × methods; got shape {table.shape}.")
    table = numeric("scores", table)
    n, k = table.shape
    said = tuple(map(str, names if names is not None else columns if columns is not None else range(k)))
    bad = first_nonfinite(table, said if len(said) == k else ())
    if bad is not None:
        raise InvalidInput(f"scores must be finite; there is {bad}. Drop data sets that a method failed on.")
    if n < 2 or k < 2:
        raise InvalidInput(f"scores needs two data sets and two methods or more; got {n} and {k}.")
    if len(said) != k or len(set(said)) != k:
        raise InvalidInput(f"names must name each of the {k} methods differently; got {said!r}.")
    return table, said


def _notes(ranks: np.ndarray) -> tuple[str, ...]:
    n, k = ranks.shape
    notes = [f"{n} data sets are few for the critical difference; take 10 or more."] if n < 10 else []
    if np.ptp(ranks) == 0:
        notes.append("All methods tie on every data set.")
    if k == 2:
        notes.append(
            "With two methods this is the sign test; signed_rank uses the sizes of the differences too."
        )
    return tuple(notes)


def _sentence(
    names: tuple[str, ...], average: np.ndarray, n: int, half: float, level: float, method: str, p: float
) -> str:
    best_first = np.argsort(average, kind="stable")
    listed = ", ".join(f"{names[i]} {number(float(average[i]))}" for i in best_first)
    gap = float(np.ptp(average))
    return (
        f"Over {n} data sets the average ranks are {listed}: best and worst are {number(gap)} apart, {percent(level)} "
        f"interval [{number(gap - half)}, {number(gap + half)}] for all pairs together (critical difference "
        f"{number(half)}), {WORDS[method]} {chance(p)}."
    )
