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
    kind: str, severity: Severity, columns: Iterable[str], rows: Any, message: str, next_step: str
) -> AuditFinding:
    """A finding about rows: their numbers, or how many when all are meant."""
    if isinstance(rows, int):
        return AuditFinding(kind, severity, tuple(columns), (), rows, message, next_step)
    rows = np.asarray(rows, dtype=np.int64)
    return AuditFinding(
        kind, severity, tuple(columns), tuple(rows[:KEPT].tolist()), len(rows), message, next_step
    )


def by_gravity(findings: Iterable[AuditFinding]) -> tuple[AuditFinding, ...]:
    """The gravest first; among equals as they were found."""
    return tuple(sorted(findings, key=lambda f: SEVERITIES.index(f.severity)))
