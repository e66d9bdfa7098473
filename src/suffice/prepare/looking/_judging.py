"""What a column means, judged by the summary of all its rows.

While different values are counted one by one, the rules of `_scales` see every one of them. Beyond that they see the
items that the ranks keep (numbers, times), or the texts of the first rows; extremes, gaps and whether all numbers are
whole are always those of all rows. How columns go together is not looked at here, but by `attribute_types`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.prepare.looking._batches import HeldCategories
from suffice.prepare.looking._describe_column import all_as_words
from suffice.prepare.looking._profile import Profile, Whole, profile
from suffice.prepare.looking._scales import judge
from suffice.prepare.looking.attributes import Attribute, Kind
from suffice.statistics.column_summary import ColumnSummary, Numbers
from suffice.statistics.tallies import SketchedCounts, WordCounts
from suffice.tables.tidying import tidy


def judged(name: str, s: ColumnSummary, head: np.ndarray, held: HeldCategories) -> Attribute:
    """The verdict of the rules on all rows."""
    p = whole_profile(name, s, head, held)
    with np.errstate(over="ignore", invalid="ignore"):  # numbers near the largest there is
        v = judge(p)
    assert v.continuity is not None
    single = v.identifier and p.n_distinct >= 0.95 * s.present
    distinct = round(different(s))
    start = (name, p.kind, v.scale, v.continuity, v.why, s.rows, s.missing, distinct, v.order, single)
    return Attribute(*start, v.repeats, v.calendar)


def whole_profile(name: str, s: ColumnSummary, head: np.ndarray, held: HeldCategories) -> Profile:
    """A look at all rows of a column."""
    kind: Kind = next(iter(s.kinds), "nothing") if len(s.kinds) < 2 else "text"  # type: ignore[arg-type]
    first = head if head.dtype.kind == "m" else tidy(head)
    distinct, counts = _distinct(s, first, kind)
    repeats = kind == "text" and bool(np.any(counts > 1))
    beyond = Whole(s.rows, s.missing, _how_many(s, repeats), s.numbers.powers.n > 0 and s.numbers.whole)
    gaps = np.zeros(len(first), dtype=bool)
    return Profile(name, first, gaps, kind, distinct, counts, held.levels, held.category, beyond)


def _distinct(s: ColumnSummary, first: np.ndarray, kind: str) -> tuple[np.ndarray, np.ndarray]:
    if kind == "numbers":
        return _numbers(s.numbers)
    if kind == "times":
        values, counts = _numbers(s.times)
        return (values // 1000).astype(np.int64).astype("datetime64[us]"), counts
    if kind == "flags":
        met = np.array(s.flags) > 0
        return np.array([False, True])[met], np.array(s.flags)[met]
    words = all_as_words(s)
    if isinstance(words, WordCounts):
        return _objects(list(words.tally)), np.array(list(words.tally.values()), dtype=np.int64)
    p = profile("", first.astype(object) if first.dtype != object else first)
    return p.distinct, p.counts


def _numbers(n: Numbers) -> tuple[np.ndarray, np.ndarray]:
    """Different numbers, or a sample of them with the extremes; infinite ones among them."""
    values, counts = n.counts.weighted
    if isinstance(n.counts, SketchedCounts):
        values, counts = np.append(values, [n.low, n.high]), np.append(counts, [1, 1])
        values, places = np.unique(values, return_inverse=True)
        counts = np.bincount(places, counts).astype(np.int64)
    low, high = n.infinite
    if low or high:
        values = np.concatenate([[-np.inf] * bool(low), values.astype(float), [np.inf] * bool(high)])
        counts = np.concatenate([[low] * bool(low), counts, [high] * bool(high)]).astype(np.int64)
    return values, counts


def _how_many(s: ColumnSummary, repeats: bool) -> int:
    """How many values differ; where that is an estimate that allows for all, and none was seen to repeat, all."""
    error = max(c.distinct_error for c in (s.numbers.counts, s.texts.counts, s.times.counts))
    found = different(s)
    return s.present if error and not repeats and found + 3 * error >= s.present else round(found)


def different(s: ColumnSummary) -> float:
    """How many values differ, of all kinds together."""
    held = s.numbers.counts.distinct + s.texts.counts.distinct + s.times.counts.distinct
    return held + sum(map(bool, s.flags)) + sum(map(bool, s.numbers.infinite))


def _objects(cells: list[Any]) -> np.ndarray:
    out = np.empty(len(cells), dtype=object)
    out[:] = cells
    return out
