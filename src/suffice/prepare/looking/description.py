r"""What is said of a column, and what is not: nothing that its scale does not allow (DTU §2.1, §4.1).

nominal    how many values, the most frequent, entropy H = −Σ p log p
ordinal    also smallest, quartiles and largest by order alone: x′ at ⌈Np⌉, never between two values
interval   also mean, standard deviation, skewness, kurtosis; percentiles of eq. 4.5; correlation of eq. 4.7
ratio      also the coefficient of variation, std / |mean|
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice._core.showing import escape
from suffice.prepare.looking._lines import HEADS, line
from suffice.prepare.looking.attributes import Attribute
from suffice.statistics.column_summary import ColumnSummary

BARS = "▁▂▃▄▅▆▇█"
SHOWN = 40  # columns that a repr shows


@record(repr=True)
class ColumnDescription:
    """One column. What makes no sense for its scale, or is not known, is None.

    `distinct` is exact where `distinct_error` is 0 and else an estimate with that standard error. `modes` are the
    values met most often (`mode_count` times), all of them up to a hundred; where `frequency_error` is above 0, counts
    may be too small by that much, and values that are not met more often than that are not told. `quartiles` are
    minimum, lower quartile, median, upper quartile and maximum, and `rank_error` bounds how far their ranks are off, as
    a share of the rows. `histogram` counts values in equal bins (numbers, times), or the most frequent values (others).
    Infinite numbers are among the values and their counts, not in means, quartiles and bins. `std` has divisor n − 1
    and is 0 for one value, as the text has it.
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
        ends = {"lowest": q[0], "middle": q[2], "highest": q[4]}
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
            **{name: None if numbers or v is None else str(v) for name, v in ends.items()},
        }


@record
class Description:
    """What is known of each column of a table, and how its numbers go together.

    `correlation` and `covariance` (divisor n − 1) are matrices over the columns `correlated`: those of numbers on an
    interval or ratio scale. Each pair uses the rows where both have a finite number. None where there are fewer than
    two such columns, or too many. `summaries` are what was counted; a file does not get them, for they hold values of
    single rows.
    """

    columns: tuple[ColumnDescription, ...]
    rows: int
    correlated: tuple[str, ...] = ()
    correlation: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    covariance: np.ndarray | None = None
    summaries: tuple[ColumnSummary, ...] = field(init=False, default=())

    def __getitem__(self, name: str) -> ColumnDescription:
        for c in self.columns:
            if c.name == name:
                return c
        raise KeyError(name)

    def keeping(self, summaries: tuple[ColumnSummary, ...]) -> Description:
        """Itself with what was counted, as long as it is in memory."""
        object.__setattr__(self, "summaries", summaries)
        return self

    def percentiles(self, name: str, p: float | Sequence[float]) -> Any:
        """The values of a column below which the shares p of its rows lie: one, or a tuple of several.

        Numbers and times of an interval or ratio scale by eq. 4.5 (numpy's "hazen"), ordinal values by order alone.
        Where different values are too many to be counted, ranks are within the `rank_error` of the column.

        Examples
        --------
        >>> from suffice.prepare import describe
        >>> describe({"weight": [1.5, 2.0, 2.0, 4.0, 4.5]}).percentiles("weight", [0.1, 0.9])
        (1.5, 4.5)
        """
        from suffice.prepare.looking._describe_column import percentiles_of

        place = next((j for j, c in enumerate(self.columns) if c.name == str(name)), None)
        if place is None:
            raise InvalidParameter(
                f"There is no column {name!r}.{did_you_mean(str(name), [c.name for c in self.columns])}"
            )
        shares = [float(q) for q in (p if isinstance(p, Iterable) else [p])]
        if wrong := [q for q in shares if not 0 <= q <= 1]:
            raise InvalidParameter(f"p must be shares between 0 and 1; got {wrong[0]:g}.")
        if not self.summaries:
            raise InvalidInput(
                "A description from a file keeps no counts; describe the table again for percentiles."
            )
        found = percentiles_of(self.columns[place], self.summaries[place], shares)
        return found if isinstance(p, Iterable) else found[0]

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
