"""The record of a leak: which columns, how nearly they determine the target, and a sentence with the numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from suffice._core.records import record
from suffice.prepare.looking._checks.wording import quoted
from suffice.prepare.looking.findings import SEVERITIES, AuditFinding, Severity, finding

ALONE, TOGETHER, PARTLY = 0, 1, 2
STEP = "Leave it out, unless it is known before the target is."
STEPS = "Leave one of them out, unless they are known before the target is."


@record
class Leak:
    """What was found. `rank` orders leaks of one severity: one column, several, a part of the target."""

    columns: tuple[str, ...]
    severity: Severity
    rank: int
    error: float
    message: str
    kind: str = "leak"
    rows: np.ndarray | int = 0

    def finding(self, target: str) -> AuditFinding:
        """The finding of an audit; its last column is the target."""
        step = STEP if len(self.columns) == 1 else STEPS
        names = (*self.columns, target)
        return finding(self.kind, names, self.rows, self.message, severity=self.severity, next_step=step)


def in_order(leaks: Iterable[Leak]) -> list[Leak]:
    """The gravest first; equally grave ones by the error they leave, then by name."""
    return sorted(
        leaks, key=lambda k: (SEVERITIES.index(k.severity), k.rank, float(f"{k.error:.2g}"), k.columns)
    )


def unseen(n: int, error: float, whole: int | None = None) -> str:
    """The evidence of a prediction of numbers."""
    rows = f"{n:,} rows" if whole is None or whole == n else f"{n:,} of {whole:,} rows"
    return f"predicts {rows} it has not seen with an error of {small_share(error)} of the spread"


def small_share(error: float) -> str:
    """An error as a percentage; what is nearly nothing is not spelled out."""
    return "less than 0.001 %" if error < 1e-5 else f"{100 * error:.2g} %"


def wrong(errors: int, n: int) -> str:
    """The evidence of a prediction of classes."""
    return f"is wrong in {errors:,} of {n:,} rows"


def in_all(count: int, n: int) -> str:
    """So many of all rows."""
    return f"all {n:,} rows" if count == n else f"{count:,} of {n:,} rows"


def names(columns: Iterable[str]) -> str:
    """'a', 'b' and 'c'."""
    parts = [quoted(c) for c in columns]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def as_python(value: object) -> object:
    """A value of an array as Python has it."""
    return value.item() if isinstance(value, np.generic) else value
