"""A summary and an attribute to what may be said of the column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.prepare.looking._overriding import places
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.looking.description import ColumnDescription
from suffice.statistics.column_summary import ColumnSummary, Numbers
from suffice.statistics.tallies import (
    NumberCounts,
    SketchedCounts,
    WordCounts,
    histogram,
    ordered,
    percentiles,
)

BINS = 16
TOP = 10
MOST_MODES = 100
QUARTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


def describe_column(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    """Everything that the scale allows."""
    make = {"numbers": _numbers, "times": _times, "flags": _flags, "text": _texts, "nothing": _nothing}
    return make[a.kind](s, a)


def _nothing(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    return ColumnDescription(a, s.missing, s.nan, 0, 0.0, 0.0, (), 0, 0.0, (), ())


def _numbers(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    n, counts, powers = s.numbers, s.numbers.counts, s.numbers.powers
    more: dict[str, Any] = {}
    if not a.allows("interval"):
        more["entropy"] = _entropy(n)
    if a.order is not None and n.n:
        more["quartiles"] = _by_order(_tally(n), a)
    elif a.scale == "ordinal" and powers.n:
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
    bars = _bars(n) if a.allows("ordinal") and a.order is None else _most(counts, n.infinite)
    infinite = sum(n.infinite)
    return ColumnDescription(
        **_counted(s, a, counts, _same, n.infinite),
        infinite=infinite,
        histogram=bars,
        rank_error=counts.rank_error,
        **more,
    )


def _times(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    n, counts = s.times, s.times.counts
    quartiles = _percentiles(n, _instant)
    mean = _instant(round(n.powers.average, -9)) if a.allows("interval") else None
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
    counts = _flag_counts(s)
    more: dict[str, Any] = {"quartiles": _by_order(counts.tally, a)} if a.order is not None else {}
    return ColumnDescription(
        **_counted(s, a, counts, _same), infinite=0, histogram=s.flags, entropy=counts.entropy, **more
    )


def _texts(s: ColumnSummary, a: Attribute) -> ColumnDescription:
    counts = all_as_words(s)
    more: dict[str, Any] = {"entropy": counts.entropy if isinstance(counts, WordCounts) else None}
    if a.scale == "ordinal":
        more["quartiles"] = _by_order(_words(counts, a), a)
    if s.texts.n:
        lengths = s.texts.lengths
        more["lengths"] = (int(lengths.low), lengths.powers.average, int(lengths.high))
    mixed = tuple(s.kinds.items()) if len(s.kinds) > 1 else ()
    return ColumnDescription(
        **_counted(s, a, counts, _same),
        infinite=sum(s.numbers.infinite),
        histogram=_most(counts),
        mixed=mixed,
        **more,
    )


# -- parts --------------------------------------------------------------------------------------------------------
def _counted(
    s: ColumnSummary,
    a: Attribute,
    counts: Any,
    as_value: Callable[[Any], Any],
    infinite: tuple[int, int] = (0, 0),
) -> dict[str, Any]:
    """What every kind has: gaps, different values and the most frequent ones."""
    top = [(as_value(v), c) for v, c in top_of(counts, MOST_MODES, infinite)]
    most = top[0][1] if top else 0
    return {
        "attribute": a,
        "missing": s.missing,
        "nan": s.nan,
        "distinct": counts.distinct + sum(map(bool, infinite)),
        "distinct_error": counts.distinct_error,
        "modes": tuple(v for v, c in top if c == most),
        "mode_count": most,
        "frequency_error": counts.frequency_error,
        "top": tuple(top[:TOP]),
    }


def top_of(counts: Any, most: int, infinite: tuple[int, int] = (0, 0)) -> list[tuple[Any, int]]:
    """The most frequent values, infinite ones among them; none that a value left out may be more frequent than."""
    ends = [(v, c) for v, c in zip((-np.inf, np.inf), infinite, strict=True) if c]
    found = [(v, c) for v, c in counts.top(most) if c > counts.frequency_error]
    return sorted(found + ends, key=lambda p: (-p[1], p[0]))[:most] if ends else found


def _most(counts: Any, infinite: tuple[int, int] = (0, 0)) -> tuple[int, ...]:
    return tuple(c for _, c in top_of(counts, BINS, infinite))


def _entropy(n: Numbers) -> float:
    if isinstance(n.counts, SketchedCounts) or not sum(n.infinite):
        return n.counts.entropy
    return WordCounts({str(v): c for v, c in _tally(n).items()}).entropy


def _tally(n: Numbers) -> dict[Any, int]:
    """Different numbers and their counts, infinite ones among them."""
    if isinstance(n.counts, SketchedCounts):
        return dict.fromkeys(n.counts.weighted[0].tolist(), 0)
    ends = {v: c for v, c in zip((-np.inf, np.inf), n.infinite, strict=True) if c}
    return dict(zip(n.counts.values.tolist(), n.counts.counts.tolist(), strict=True)) | ends


def _same(value: Any) -> Any:
    return value


def percentiles_of(c: ColumnDescription, s: ColumnSummary, p: Sequence[float]) -> tuple[Any, ...]:
    """Values below which the shares p of a column lie, as its scale allows: eq. 4.5, or by order alone."""
    a = c.attribute
    if c.quartiles is None:
        raise InvalidInput(
            f"Column {a.name!r} is {a.scale} and has no percentiles; types={{{a.name!r}: …}} says otherwise."
            if s.present
            else f"Column {a.name!r} has no value, and so no percentiles."
        )
    if a.order is not None:
        tally = _tally(s.numbers) if a.kind == "numbers" else all_as_words(s).tally  # type: ignore[union-attr]
        return _by_order(tally, a, p)
    n = s.times if a.kind == "times" else s.numbers
    weighted = n.counts.weighted
    between = a.allows("interval")
    inner = percentiles(*weighted, p).tolist() if between else ordered(*weighted, p)
    as_value = _instant if a.kind == "times" else float if between else _same
    ends = {0.0: n.low, 1.0: n.high}  # exact, whatever is kept of the others
    return tuple(as_value(ends.get(q, v)) for q, v in zip(p, inner, strict=True))


def _percentiles(n: Numbers, as_value: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Extremes are exact, whatever the percentiles are."""
    inner = percentiles(*n.counts.weighted, QUARTILES[1:4])
    return tuple(as_value(v) for v in (n.low, *inner.tolist(), n.high))


def _instant(nanoseconds: float) -> str:
    """A time as ISO writes it; the day alone at midnight, parts of seconds as far as there are any."""
    micro, rest = divmod(round(nanoseconds), 1000)
    text = str(np.datetime64(micro, "us")) + (f"{rest:03d}" if rest else "")
    return text.removesuffix("T00:00:00.000000").removesuffix(".000000")


def _bars(n: Numbers) -> tuple[int, ...]:
    if not n.powers.n:
        return ()
    values, counts = n.counts.weighted
    bins = int(min(BINS, n.high - n.low + 1)) if n.whole else BINS
    return tuple(histogram(values.astype(float), counts, float(n.low), float(n.high), bins).tolist())


def _words(counts: WordCounts | SketchedCounts, a: Attribute) -> dict[Any, int]:
    if a.order is None:
        raise InvalidParameter(
            f"types: {a.name!r} is a column of text, and its order is not known; give its values from the lowest."
        )
    if isinstance(counts, SketchedCounts):
        raise InvalidParameter(
            f"types: {a.name!r} has too many different texts (~{counts.distinct:,.0f}) for an order."
        )
    return counts.tally


def _by_order(tally: dict[Any, int], a: Attribute, p: Sequence[float] = QUARTILES) -> tuple[Any, ...]:
    """Quartiles by an order that is given."""
    at = places(a, tally, "types")
    held = sorted(tally, key=lambda v: at[v])
    return tuple(ordered(held, np.array([tally[v] for v in held], dtype=np.int64), p))


def all_as_words(s: ColumnSummary) -> WordCounts | SketchedCounts:
    """A column of several kinds, counted as it is written."""
    words: WordCounts | SketchedCounts = s.texts.counts
    if len(s.kinds) < 2:
        return words if s.texts.n else _flag_counts(s)
    flags = _flag_counts(s).tally
    ends = {w: c for w, c in zip(("-inf", "inf"), s.numbers.infinite, strict=True) if c}
    words = words + WordCounts(flags | ends) if flags or ends else words
    for part, write in ((s.numbers, _number), (s.times, _instant)):
        if part.powers.n:
            words = words + _as_words(part.counts, write)
    return words


def _flag_counts(s: ColumnSummary) -> WordCounts:
    return WordCounts({w: c for w, c in zip(("False", "True"), s.flags, strict=True) if c})


def _as_words(
    counts: NumberCounts | SketchedCounts, write: Callable[[Any], str]
) -> WordCounts | SketchedCounts:
    if isinstance(counts, NumberCounts):
        return WordCounts({write(v): int(c) for v, c in zip(*counts.weighted, strict=True)})
    tally = {write(v): c for v, c in counts.frequent.tally.items()}
    return SketchedCounts(
        counts.registers, type(counts.frequent)(tally, counts.frequent.n, counts.frequent.error)
    )


def _number(value: Any) -> str:
    if isinstance(value, int | np.integer):
        return str(int(value))
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
