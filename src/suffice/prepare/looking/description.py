r"""What is said of a column, and what is not: nothing that its scale does not allow (DTU §2.1, §4.1).

nominal    how many values, the most frequent, entropy H = −Σ p log p
ordinal    also smallest, quartiles and largest by order alone: x′ at ⌈Np⌉, never between two values
interval   also mean, standard deviation, skewness, kurtosis; percentiles of eq. 4.5; correlation of eq. 4.7
ratio      also the coefficient of variation, std / |mean|
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np

from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice.prepare.looking.attributes import Attribute

BARS = "▁▂▃▄▅▆▇█"
SHOWN = 40  # columns that a repr shows


@record(repr=True)
class ColumnDescription:
    """One column. What makes no sense for its scale, or is not known, is None.

    `distinct` is exact where `distinct_error` is 0 and else an estimate with that standard error. `modes` are the
    values met most often (`mode_count` times), all of them up to a hundred; where `frequency_error` is above 0, counts
    may be too small by that much. `quartiles` are minimum, lower quartile, median, upper quartile and maximum, and
    `rank_error` bounds how far their ranks are off, as a share of the rows. `histogram` counts values in equal bins
    (numbers, times), or the most frequent values (others).
    """

    attribute: Attribute
    missing: int
    nan: int
    infinite: int
    distinct: float
    distinct_error: float
    modes: tuple[Any, ...]
    mode_count: int
    frequency_error: float
    top: tuple[tuple[Any, int], ...]
    histogram: tuple[int, ...]
    entropy: float | None = None
    quartiles: tuple[Any, ...] | None = None
    rank_error: float = 0.0
    mean: Any = None
    std: float | None = None
    skewness: float | None = None
    kurtosis: float | None = None
    variation: float | None = None
    lengths: tuple[int, float, int] | None = None  # shortest, mean, longest
    mixed: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        return self.attribute.name

    @property
    def rows(self) -> int:
        return self.attribute.rows

    @property
    def missing_share(self) -> float:
        return self.missing / self.rows if self.rows else 0.0

    @property
    def median(self) -> Any:
        return None if self.quartiles is None else self.quartiles[2]

    @property
    def spark(self) -> str:
        """The histogram as a line of bars."""
        most = max(self.histogram, default=0)
        return "".join(
            BARS[min(7, 8 * count // most) if most else 0] if count else " " for count in self.histogram
        )

    def row(self) -> dict[str, Any]:
        """The line of a table: numbers, and texts for quartiles and means that are none."""
        a, q = self.attribute, self.quartiles or (None,) * 5
        numbers = a.kind == "numbers"
        names = ("min", "25%", "median", "75%", "max")
        told = {"lowest": q[0], "middle": q[2], "highest": q[4]}
        return {
            "column": a.name,
            "kind": a.kind,
            "scale": a.scale,
            "continuity": a.continuity,
            "rows": a.rows,
            "missing": self.missing,
            "distinct": round(self.distinct),
            "mode": str(self.modes[0]) if self.modes else None,
            "mode_count": self.mode_count,
            "entropy": self.entropy,
            "mean": self.mean if numbers else None,
            "std": self.std,
            "variation": self.variation,
            "skewness": self.skewness,
            "kurtosis": self.kurtosis,
            **{
                name: float(v) if numbers and v is not None else None
                for name, v in zip(names, q, strict=True)
            },
            **{name: None if numbers or v is None else str(v) for name, v in told.items()},
        }


@record
class Description:
    """What is known of each column of a table, and how its numbers go together.

    `correlation` is a matrix over the columns `correlated`: those of numbers on an interval or ratio scale. Each pair
    uses the rows where both have a finite number. None where there are fewer than two such columns, or too many.
    """

    columns: tuple[ColumnDescription, ...]
    rows: int
    correlated: tuple[str, ...] = ()
    correlation: np.ndarray | None = None
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> ColumnDescription:
        for c in self.columns:
            if c.name == name:
                return c
        raise KeyError(name)

    def __iter__(self) -> Iterator[ColumnDescription]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def frame(self, kind: str = "pandas") -> Any:
        """A row per column."""
        lines = [c.row() for c in self.columns]
        keys = list(lines[0]) if lines else []
        return to_frame({k: [line[k] for line in lines] for k in keys}, kind)

    def __repr__(self) -> str:
        head = [f"{self.rows:,} rows × {len(self.columns):,} columns", ""]
        lines = [HEADS, *(line(c) for c in self.columns[:SHOWN])]
        widths = [max(len(cells[j]) for cells in lines) for j in range(len(HEADS))]
        body = ["  ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True)).rstrip() for cells in lines]
        more = len(self.columns) - SHOWN
        tail = [f"and {more:,} more columns"] if more > 0 else []
        return "\n".join([*head, *body, *tail, *self.notes])

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr>{''.join(f'<td>{escape(x)}</td>' for x in line(c))}</tr>" for c in self.columns[:SHOWN]
        )
        heads = "".join(f"<th>{h}</th>" for h in HEADS)
        notes = "".join(f"<p>{escape(n)}</p>" for n in self.notes)
        size = f"{self.rows:,} rows × {len(self.columns):,} columns"
        return f"<p>{size}</p><table><tr>{heads}</tr>{cells}</table>{notes}"


# -- lines of text ------------------------------------------------------------------------------------------------
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
