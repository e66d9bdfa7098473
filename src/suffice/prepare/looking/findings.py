"""What an audit found: one record per finding, and all of them, the gravest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import numpy as np

from suffice._core.errors import check_choice
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice._core.showing import escape

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
KINDS: dict[str, tuple[Severity, str]] = {  # how grave each kind is, and what to do about it
    "blanks": ("note", "Strip them."),
    "blanks in name": ("note", "Strip it."),
    "class imbalance": (
        "warning",
        "Judge by more than accuracy, and weigh or resample inside the training rows.",
    ),
    "constant": ("warning", "Drop it: it says nothing about the rows."),
    "dates as text": ("warning", "Make times of them."),
    "disguised gap": ("warning", "If so, make gaps of them."),
    "duplicate columns": ("warning", "Keep one."),
    "duplicate rows": (
        "warning",
        "Find out whether they were recorded twice; copies on both sides of a split flatter a model.",
    ),
    "empty": ("warning", "Drop it."),
    "empty name": ("warning", "Name them."),
    "empty rows": ("warning", "Drop them."),
    "free text": ("note", "Count its words (CountVectorizer), or drop it."),
    "future": ("warning", "Find out whether these are plans or errors."),
    "identifier": ("warning", "Leave it out of a model."),
    "impossible": ("error", "Correct them, or make gaps of them."),
    "infinite": ("error", "Find the division or logarithm that made them."),
    "lone sign": ("warning", "Find out whether negative values can be."),
    "many categories": ("note", "Group them before they become one column each."),
    "missing": ("note", "Use a model that allows gaps, impute inside the folds, or drop these rows."),
    "missing not at random": (
        "warning",
        "Rows without gaps are then no fair sample: let the model know, or keep a flag for the gap.",
    ),
    "missing together": ("note", "Look for one cause."),
    "mixed types": ("error", "Settle what the words mean: a gap, or a category."),
    "names alike": ("note", "Rename them."),
    "nearly constant": ("note", "Look at those rows, or drop the column."),
    "nested cells": ("warning", "Make a column of each part."),
    "no columns": ("error", "Check how it was read."),
    "no rows": ("error", "Check how it was read."),
    "numbers as text": ("warning", "Make numbers of them."),
    "outliers": ("warning", "Remove them only if you believe that they are errors."),
    "rare categories": ("note", "Group them, or expect folds without them."),
    "repeated identifier": ("warning", "Find out whether rows came twice."),
    "repeated name": ("warning", "Rename them."),
    "sentinel": ("error", "If so, make gaps of them."),
    "spelling variants": ("warning", "Settle case, blanks and accents."),
    "target missing": ("error", "Leave these rows out when you learn."),
    "unprintable": ("warning", "Find out how the file was written."),
    "unprintable name": ("warning", "Rename it."),
}
KEPT = 20
SHOWN = 100


@record
class AuditFinding:
    """One thing to look at.

    `kind` is a short name, the same for every finding of its sort. `rows` are the numbers of the rows concerned,
    counted from zero, the first twenty of them; `n_rows` is how many there are in all. `next_step` says what to do.
    An error spoils what is learned, a warning may, a note is worth knowing.
    """

    kind: str
    severity: Severity
    columns: tuple[str, ...]
    rows: tuple[int, ...]
    n_rows: int
    message: str
    next_step: str

    def __post_init__(self) -> None:
        check_choice("severity", self.severity, SEVERITIES)

    def __str__(self) -> str:
        return f"{self.severity}, {self.kind}: {self.message} {self.next_step}"

    def __repr__(self) -> str:
        return f"<AuditFinding {self}>"


@record
class Audit:
    """Everything that was found in a table of `n_rows` rows, the gravest first.

    It iterates over its findings. `of` picks them by kind, `about` by column.
    """

    findings: tuple[AuditFinding, ...]
    n_rows: int
    columns: tuple[str, ...]

    def __iter__(self) -> Iterator[AuditFinding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return bool(self.findings)

    def of(self, *kinds: str) -> tuple[AuditFinding, ...]:
        """Findings of these kinds or severities."""
        return tuple(f for f in self.findings if f.kind in kinds or f.severity in kinds)

    def about(self, column: str) -> tuple[AuditFinding, ...]:
        """Findings that concern a column."""
        return tuple(f for f in self.findings if column in f.columns)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per finding."""
        f = self.findings
        return to_frame(
            {
                "severity": [x.severity for x in f],
                "kind": [x.kind for x in f],
                "columns": [encodable(", ".join(x.columns)) for x in f],
                "n_rows": [x.n_rows for x in f],
                "rows": [", ".join(map(str, x.rows)) for x in f],
                "message": [x.message for x in f],
                "next_step": [x.next_step for x in f],
            },
            kind,
        )

    def _summary(self) -> str:
        size = f"{self.n_rows} × {len(self.columns)} table"
        counts = [(len(self.of(s)), s) for s in SEVERITIES]
        counted = ", ".join(f"{n} {s}{'s' if n > 1 else ''}" for n, s in counts if n)
        return f"Audit of a {size}: {counted or 'nothing found'}."

    def __repr__(self) -> str:
        shown = self.findings[:SHOWN]
        lines = [f"{f.severity:<7} | {f.kind:<21} | {f.message} {f.next_step}" for f in shown]
        return "\n".join([self._summary(), *lines, *more(len(self))])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(c)}</td>' for c in (f.severity, f.kind, f.message, f.next_step))}</tr>"
            for f in self.findings[:SHOWN]
        )
        head = "".join(f"<th>{h}</th>" for h in ("severity", "kind", "what", "next step"))
        body = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""
        return f"<p>{escape(self._summary())}</p>{body}{''.join(more(len(self)))}"


def encodable(text: str) -> str:
    """Text that every table can hold: half of a surrogate pair, which no file can, becomes its escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def more(number: int) -> list[str]:
    """The line that says what a page leaves out, if anything."""
    return [f"… and {number - SHOWN} more; all of them are in frame()."] if number > SHOWN else []


def finding(
    kind: str,
    columns: str | Iterable[str],
    rows: Any,
    message: str,
    *,
    severity: Any = None,
    next_step: str = "",
) -> AuditFinding:
    """A finding about columns, or a single one, and rows: their numbers, or how many when all are meant.

    Severity and next step are those of the kind unless given.
    """
    usual = KINDS.get(kind, ("note", ""))
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    numbers = () if isinstance(rows, int) else tuple(np.asarray(rows[:KEPT], dtype=np.int64).tolist())
    n_rows = rows if isinstance(rows, int) else len(rows)
    return AuditFinding(kind, severity or usual[0], names, numbers, n_rows, message, next_step or usual[1])


def by_gravity(findings: Iterable[AuditFinding]) -> tuple[AuditFinding, ...]:
    """The gravest first; among equals as they were found."""
    return tuple(sorted(findings, key=lambda f: SEVERITIES.index(f.severity)))
