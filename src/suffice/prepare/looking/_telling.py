"""A summary and an attribute to what may be said of the column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice.prepare.looking.attributes import SCALES, Attribute
from suffice.prepare.looking.description import ColumnDescription
from suffice.statistics.column_summary import ColumnSummary, Numbers
from suffice.statistics.tallies import Crowd, NumberCounts, WordCounts, histogram, ordered, percentiles

BINS = 16
TOP = 10
MOST_MODES = 100
QUARTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


def told(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    """Everything that the scale allows."""
    highest = {"text": "ordinal", "flags": "ordinal", "times": "interval"}.get(a.kind, "ratio")
    if SCALES.index(a.scale) > SCALES.index(highest):
        raise InvalidParameter(
            f"types: {a.name!r} holds {a.kind}, which can be {highest} at most; got {a.scale!r}. "
            "Make numbers of it first."
        )
    make = {"numbers": _numbers, "times": _times, "flags": _flags, "text": _texts, "nothing": _nothing}
    return make[a.kind](s, a)


def _nothing(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    return ColumnDescription(a, s.missing, s.nan, 0, 0.0, 0.0, (), 0, 0.0, (), ())


def _numbers(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    n, counts, powers = s.numbers, s.numbers.counts, s.numbers.powers
    more: dict[str, Any] = {}
    if not a.allows("interval"):
        more["entropy"] = counts.entropy
    if a.scale == "ordinal" and powers.n:
        more["quartiles"] = (n.low, *ordered(*counts.weighted, QUARTILES[1:4]), n.high)
    if a.allows("interval") and powers.n:
        more |= {
            "quartiles": _percentiles(n, float),
            "mean": powers.average,
            "std": powers.std,
            "skewness": powers.skewness,
            "kurtosis": powers.kurtosis,
        }
    if a.allows("ratio") and powers.n and powers.average:
        more["variation"] = powers.std / abs(powers.average)
    bars = _bars(n) if a.allows("ordinal") else tuple(c for _, c in counts.top(BINS))
    infinite = sum(n.infinite)
    return ColumnDescription(
        **_counted(s, a, counts, _same),
        infinite=infinite,
        histogram=bars,
        rank_error=counts.rank_error,
        **more,
    )


def _times(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    n, counts = s.times, s.times.counts
    quartiles = _percentiles(n, _instant)
    mean = _instant(round(n.powers.average, -6)) if a.allows("interval") else None
    counted = _counted(s, a, counts, _instant)
    return ColumnDescription(
        **counted,
        infinite=0,
        histogram=_bars(n),
        quartiles=quartiles,
        rank_error=counts.rank_error,
        mean=mean,
    )


def _flags(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    counts = WordCounts({w: c for w, c in zip(("False", "True"), s.flags, strict=True) if c})
    bars = tuple(s.flags)
    return ColumnDescription(
        **_counted(s, a, counts, _same), infinite=0, histogram=bars, entropy=counts.entropy
    )


def _texts(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    counts = all_as_words(s)
    more: dict[str, Any] = {"entropy": counts.entropy if isinstance(counts, WordCounts) else None}
    if a.scale == "ordinal":
        more["quartiles"] = _by_order(counts, a)
    if s.texts.n:
        lengths = s.texts.lengths
        more["lengths"] = (int(lengths.low), lengths.powers.average, int(lengths.high))
    mixed = tuple(s.kinds.items()) if len(s.kinds) > 1 else ()
    bars = tuple(c for _, c in counts.top(BINS))
    return ColumnDescription(
        **_counted(s, a, counts, _same), infinite=sum(s.numbers.infinite), histogram=bars, mixed=mixed, **more
    )


# -- parts --------------------------------------------------------------------------------------------------------
def _counted(s: ColumnSummary, a: Attribute, counts: Any, as_value: Callable[[Any], Any]) -> dict[str, Any]:
    """What every kind has: gaps, different values and the most frequent ones."""
    top = [(as_value(v), c) for v, c in counts.top(MOST_MODES)]
    most = top[0][1] if top else 0
    return {
        "attribute": a,
        "missing": s.missing,
        "nan": s.nan,
        "distinct": counts.distinct + sum(map(bool, s.numbers.infinite)),
        "distinct_error": counts.distinct_error,
        "modes": tuple(v for v, c in top if c == most),
        "mode_count": most,
        "frequency_error": counts.frequency_error,
        "top": tuple(top[:TOP]),
    }


def _same(value: Any) -> Any:
    return value


def _percentiles(n: Numbers, as_value: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Extremes are exact, whatever the percentiles are."""
    inner = percentiles(*n.counts.weighted, QUARTILES[1:4])
    return tuple(as_value(v) for v in (n.low, *inner.tolist(), n.high))


def _instant(microseconds: float) -> Any:
    """A time as ISO writes it; the day alone at midnight."""
    text = str(np.datetime64(round(microseconds), "us"))
    return text.removesuffix("T00:00:00.000000").removesuffix(".000000")


def _bars(n: Numbers) -> tuple[int, ...]:
    if not n.powers.n:
        return ()
    values, counts = n.counts.weighted
    bins = int(min(BINS, n.high - n.low + 1)) if n.whole else BINS
    return tuple(histogram(values.astype(float), counts, float(n.low), float(n.high), bins).tolist())


def _by_order(counts: WordCounts | Crowd, a: Attribute) -> tuple[str, ...]:
    """Quartiles of words by their order."""
    if a.order is None:
        raise InvalidParameter(
            f"types: {a.name!r} is a column of text, and its order is not known; give its values from the lowest."
        )
    if isinstance(counts, Crowd):
        raise InvalidParameter(
            f"types: {a.name!r} has too many different texts (~{counts.distinct:,.0f}) for an order."
        )
    tally = counts.tally
    if odd := next((w for w in tally if w not in a.order), None):
        raise InvalidParameter(
            f"types: the order of {a.name!r} leaves out {odd!r}; got {', '.join(a.order)}."
        )
    held = [w for w in a.order if w in tally]
    return tuple(ordered(held, np.array([tally[w] for w in held], dtype=np.int64), QUARTILES))


def all_as_words(s: ColumnSummary) -> WordCounts | Crowd:
    """A column of several kinds, counted as it is written."""
    words: WordCounts | Crowd = s.texts.counts
    if len(s.kinds) < 2:
        return words
    flags = {w: c for w, c in zip(("False", "True"), s.flags, strict=True) if c}
    words = words + WordCounts(flags) if flags else words
    for part, write in ((s.numbers, _number), (s.times, _instant)):
        if part.powers.n:
            words = words + _as_words(part.counts, write)
    return words


def _as_words(counts: NumberCounts | Crowd, write: Callable[[Any], str]) -> WordCounts | Crowd:
    if isinstance(counts, NumberCounts):
        return WordCounts({write(v): int(c) for v, c in zip(*counts.weighted, strict=True)})
    tally = {write(v): c for v, c in counts.frequent.tally.items()}
    return Crowd(counts.registers, type(counts.frequent)(tally, counts.frequent.n, counts.frequent.error))


def _number(value: Any) -> str:
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
