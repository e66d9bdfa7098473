"""What is in the table: the data sheet, the audit, the description."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from suffice.prepare import attribute_types, audit, describe
from suffice.prepare.looking._columns import gaps
from suffice.prepare.transforming._column_codes import as_numbers, as_words
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.reading.source import Source
from suffice.study.sections import AuditSection, Column, DataSheet, DescriptionSection, Related

BINS, LEVELS = 16, 8


def data_sheet(source: Source, problem: Problem | None, options: Options) -> DataSheet:
    """Every column, what it holds and what it does; without a problem there is no target."""
    types = attribute_types(source.columns)
    codes: dict[str, tuple[str, ...]] = {}
    if problem is not None:
        codes = {code.name: code.names for code in problem.encoder.state_}
    columns = []
    for name, values in source.columns.items():
        role = "feature" if problem is None else problem.roles[name]
        reason = None if problem is None else problem.reasons.get(name)
        columns.append(_column(types[name], values, role, reason, codes.get(name, ())))
    if problem is None:
        return DataSheet(
            None, None, None, (), source.n_rows, source.n_rows, 0, tuple(columns), source.remarks
        )
    return DataSheet(
        problem.target,
        problem.task.name,
        problem.task.why,
        tuple(map(str, problem.labels)),
        source.n_rows,
        problem.n,
        int(gaps(source.columns[problem.target]).sum()),
        tuple(columns),
        problem.remarks,
    )


def _column(a: Any, values: np.ndarray, role: str, reason: str | None, codes: tuple[str, ...]) -> Column:
    start = (a.name, a.kind, a.scale, role, reason, a.missing, a.distinct, codes)
    if a.kind != "numbers":
        counts = (
            Counter(w for w in as_words(values) if w is not None)
            if a.kind in ("text", "flags")
            else Counter()
        )
        return Column(*start, levels=tuple(counts.most_common(LEVELS)))
    x = as_numbers(values)
    x = x[~np.isnan(x)]
    if not len(x):
        return Column(*start)
    low, q1, median, q3, high = (float(q) for q in np.quantile(x, [0, 0.25, 0.5, 0.75, 1]))
    size = float(np.abs(x).max()) or 1.0
    std = size * float((x / size).std(ddof=1)) if len(x) > 1 else None
    mean = size * float((x / size).mean())
    counts = tuple(int(c) for c in np.histogram(x / size, bins=BINS)[0]) if high > low else ()
    return Column(*start, mean, std, low, q1, median, q3, high, histogram=counts)


def audit_section(source: Source, target: str | None) -> AuditSection:
    """What is odd about the table."""
    found = audit(source.columns, target)
    if not found:
        return AuditSection((), "Nothing odd was found.")
    errors, warns = len(found.of("error")), len(found.of("warning"))
    parts = [f"{n} {word}{'s' if n != 1 else ''}" for n, word in ((errors, "error"), (warns, "warning")) if n]
    notes = len(found) - errors - warns
    parts += [f"{notes} note{'s' if notes != 1 else ''}"] if notes else []
    return AuditSection(tuple(found), f"The audit has {', '.join(parts)}.")


def description_section(source: Source) -> DescriptionSection:
    """What the columns hold, and which of them go together."""
    found = describe(source.columns)
    names = tuple(getattr(found, "correlated", ()) or ())
    return DescriptionSection(tuple(c.row() for c in found), _related(found), names, None, ())


def _related(found: Any) -> tuple[Related, ...]:
    return ()
