"""What is in the table: its columns, what is odd about it, and what its columns hold."""

from __future__ import annotations

from typing import Any, ClassVar

from suffice._core.records import record
from suffice.prepare import AuditFinding


@record
class StudyColumn:
    """One column of the table and what the study does with it; numbers are None where they mean nothing.

    `role` is "target", "feature", "group", "time", "weight" or "not used"; `reason` says why a column is not used to
    predict. `codes` are the names of the numbers that a feature becomes. `histogram` counts numbers and times in
    equal bins from the smallest to the largest, `levels` are the most frequent values of a column of names, and
    `first` and `last` are the ends of a column of times. `calendar` says that its numbers are years.
    """

    name: str
    kind: str
    scale: str
    role: str
    reason: str | None
    missing: int
    distinct: int
    codes: tuple[str, ...] = ()
    mean: float | None = None
    std: float | None = None
    min: float | None = None
    q1: float | None = None
    median: float | None = None
    q3: float | None = None
    max: float | None = None
    histogram: tuple[int, ...] = ()
    levels: tuple[tuple[str, int], ...] = ()
    first: str | None = None
    last: str | None = None
    calendar: bool = False


@record
class DataSheet:
    """What the table is, where it comes from, and which part of it was used. Without a target, `task` is None."""

    key: ClassVar[str] = "data_sheet"
    heading: ClassVar[str] = "The data"

    target: str | None
    task: str | None
    task_why: str | None
    classes: tuple[str, ...]
    n_rows: int
    n_used: int
    n_target_missing: int
    columns: tuple[StudyColumn, ...]
    remarks: tuple[str, ...]

    def of_role(self, role: str) -> tuple[StudyColumn, ...]:
        """The columns with this role."""
        return tuple(c for c in self.columns if c.role == role)


@record
class AuditSection:
    """What an audit of the table found, the gravest first.

    `leaking` are the columns in use that know the target better than they should.
    """

    key: ClassVar[str] = "audit"
    heading: ClassVar[str] = "What to look at first"

    findings: tuple[AuditFinding, ...]
    sentence: str
    leaking: tuple[str, ...] = ()

    def of(self, *kinds: str) -> tuple[AuditFinding, ...]:
        """Findings of these kinds or severities."""
        return tuple(f for f in self.findings if f.kind in kinds or f.severity in kinds)


@record
class Related:
    """Two columns that go together: their correlation, of ranks where one of them has an order only."""

    first: str
    second: str
    correlation: float
    ranks: bool = False


@record
class DescriptionSection:
    """What the columns hold, and which of them go together. `rows` has one mapping per column, as they are printed.

    `related` are the pairs whose correlation is more than chance, the strongest first. `correlation` is a matrix over
    `names`, at most 30 columns of numbers or of levels in an order, by ranks where one of two has an order only; None
    where there are fewer than two.
    """

    key: ClassVar[str] = "description"
    heading: ClassVar[str] = "What the columns hold"

    rows: tuple[dict[str, Any], ...]
    related: tuple[Related, ...]
    names: tuple[str, ...]
    correlation: Any
    sentences: tuple[str, ...]
