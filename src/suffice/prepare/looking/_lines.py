"""A described column as a line of a table: what a terminal, a notebook and a page show."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from suffice.prepare.looking.description import ColumnDescription

HEADS = ("column", "scale", "missing", "distinct", "center", "spread", "range", "")


def line(c: ColumnDescription) -> tuple[str, ...]:
    """A column in words: its center is the mean, the median or the mode, as its scale allows."""
    a = c.attribute
    scale = a.scale + (" id" if a.identifier else "")
    return (shown(a.name, 32), scale, gone(c), different(c), center(c), spread(c), extent(c), c.spark)


def brief(c: ColumnDescription) -> tuple[str, ...]:
    """The same where there is little room: shares and rounded counts, without spread and bars."""
    share = "" if not c.missing else f"{100 * c.missing_share:.3g} %"
    return (shown(c.name, 24), line(c)[1], share, _rounded(c), center(c), extent(c))


def _rounded(c: ColumnDescription) -> str:
    if not c.distinct_error:
        return f"{c.distinct:,.0f}"
    unit, sign = next(u for u in ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")) if c.distinct >= u[0])
    return f"~{c.distinct / unit:.3g} {sign}".rstrip()


def gone(c: ColumnDescription) -> str:
    """Missing rows and their share."""
    return "" if not c.missing else f"{c.missing:,} ({100 * c.missing_share:.3g} %)"


def different(c: ColumnDescription) -> str:
    """How many values differ, with its error where it is an estimate."""
    if not c.distinct_error:
        return f"{c.distinct:,.0f}"
    digits = max(0, math.floor(math.log10(c.distinct_error)))
    return f"~{round(c.distinct, -digits):,.0f} ± {round(c.distinct_error, -digits):,.0f}"


def center(c: ColumnDescription) -> str:
    if c.mean is not None:
        return f"mean {_brief_time(c, c.mean) if c.attribute.kind == 'times' else shown(c.mean)}"
    if c.quartiles is not None:
        return f"median {shown(c.median)}"
    if not c.modes or (c.mode_count == 1 and c.rows > 1):
        return ""
    more = f" and {len(c.modes) - 1} more" if len(c.modes) > 1 else ""
    return f"mode {shown(c.modes[0])}{more} ({100 * c.mode_count / (c.rows - c.missing):.3g} %)"


def spread(c: ColumnDescription) -> str:
    if c.std is not None:
        return f"std {shown(c.std)}"
    return "" if c.entropy is None or not math.isfinite(c.entropy) else f"entropy {shown(c.entropy)}"


def extent(c: ColumnDescription) -> str:
    if c.quartiles is not None and c.attribute.kind == "times":
        return " … ".join(_brief_time(c, c.quartiles[j]) for j in (0, 4))
    if c.quartiles is not None:
        return f"{shown(c.quartiles[0])} … {shown(c.quartiles[4])}"
    return "" if c.lengths is None else f"{c.lengths[0]:,} … {c.lengths[2]:,} letters"


def _brief_time(c: ColumnDescription, time: str) -> str:
    """The day alone where the column has several, else without parts of seconds."""
    days = {q[:10] for q in (c.quartiles or ())}
    return time[:10] if len(days) > 1 else time.partition(".")[0]


def shown(value: Any, most: int = 20) -> str:
    """A value in a cell of a table; blanks and what cannot be printed as they are written in code."""
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e7 else f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    text = "".join(ch if ch.isprintable() else repr(ch)[1:-1] for ch in str(value)[: most + 1])
    return text if len(text) <= most else text[: most - 1] + "…"
