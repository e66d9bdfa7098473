"""What is in the table: the data sheet and the audit. The description is in `description`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.prepare import Attribute, AuditFinding, audit
from suffice.prepare.looking.findings import SEVERITIES
from suffice.prepare.transforming._column_codes import as_moments, as_numbers, as_words
from suffice.study.numbers import list_names
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.reading.source import StudySource
from suffice.study.reading.target import without_value
from suffice.study.reading.types import table_types
from suffice.study.sections import AuditSection, DataSheet, StudyColumn
from suffice.study.steps.description import description_section
from suffice.study.steps.leaks import LEAKS, leak_sentence

__all__ = ["audit_section", "data_sheet", "description_section", "leaks"]

BINS, LEVELS = 16, 8
FILLED = (
    "The study fills these gaps, as the remarks on the data say; see whether that suits, or drop these rows."
)


# -- the data sheet ---------------------------------------------------------------------------------------
def data_sheet(source: StudySource, problem: Problem | None, options: Options) -> DataSheet:
    """Every column, what it holds and what it does; without a problem there is no target."""
    given_types = {**source.types, **(options.types or {})}
    types = table_types(source.columns, given_types, None if problem is None else problem.target).values()
    if problem is None:
        columns = tuple(_column(a, source.columns[a.name], "feature", None, ()) for a in types)
        return DataSheet(None, None, None, (), source.n_rows, source.n_rows, 0, columns, source.remarks)
    codes = {code.name: code.names for code in problem.encoder.state_}
    columns = tuple(
        _column(
            a,
            source.columns[a.name],
            problem.roles[a.name],
            problem.reasons.get(a.name),
            codes.get(a.name, ()),
        )
        for a in types
    )
    missing, infinite = without_value(source.columns[problem.target])
    return DataSheet(
        problem.target,
        problem.task.name,
        problem.task.why,
        tuple(map(str, problem.labels)),
        source.n_rows,
        problem.n,
        int((missing | infinite).sum()),
        columns,
        problem.remarks,
    )


def _column(
    a: Attribute, values: np.ndarray, role: str, reason: str | None, codes: tuple[str, ...]
) -> StudyColumn:
    start = (a.name, a.kind, a.scale, role, reason, a.missing, a.distinct, codes)
    found: dict[str, Any] = {}
    if a.kind == "numbers":
        found = _numbers(values)
    elif a.kind == "times":
        found = _times(values)
    if a.kind in ("text", "flags") or (a.kind == "numbers" and a.scale == "nominal"):
        found["levels"] = _levels(values)
    return StudyColumn(*start, **found, calendar=a.calendar)


def _numbers(values: np.ndarray) -> dict[str, Any]:
    """Center, spread and shape, of numbers divided by the largest: those near 1e308 have a spread too."""
    x = as_numbers(values)
    x = x[~np.isnan(x)]
    if not len(x):
        return {}
    size = float(np.abs(x).max()) or 1.0
    scaled = x / size
    names = ("min", "q1", "median", "q3", "max")
    found = {
        name: size * float(q)
        for name, q in zip(names, np.quantile(scaled, [0, 0.25, 0.5, 0.75, 1]), strict=True)
    }
    found |= {"min": float(x.min()), "max": float(x.max()), "mean": size * float(scaled.mean())}
    std = size * float(scaled.std(ddof=1)) if len(x) > 1 else None
    return found | {"std": std if std is None or np.isfinite(std) else None, "histogram": _histogram(scaled)}


def _histogram(x: np.ndarray) -> tuple[int, ...]:
    low, high = x.min(), x.max()
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        return ()
    places = np.minimum(((x - low) / (high - low) * BINS).astype(int), BINS - 1)
    return tuple(np.bincount(places, minlength=BINS).tolist())


def _times(values: np.ndarray) -> dict[str, Any]:
    moments = as_moments(values)
    known = moments[~np.isnat(moments)]
    if not len(known):
        return {}
    counts = _histogram((known - known.min()).astype(np.int64).astype(float))
    first, last = (_written(t, values.dtype.kind == "m") for t in (known.min(), known.max()))
    return {"first": first, "last": last, "histogram": counts}


def _written(moment: np.datetime64, span: bool) -> str:
    """A moment as text, without a time of day that is midnight; a span in days."""
    if span:
        return f"{moment.astype('M8[us]').astype(np.int64) / 86_400e6:g} days"
    text = str(moment.astype("M8[s]"))
    return text.removesuffix("T00:00:00").replace("T", " ")


def _levels(values: np.ndarray) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(w for w in as_words(values) if w is not None).most_common(LEVELS))


# -- the audit --------------------------------------------------------------------------------------------
def audit_section(source: StudySource, target: str | None, problem: Problem | None = None) -> AuditSection:
    """What is odd about the table; columns that know the target come first. Columns not in use leak nothing."""
    roles = {} if problem is None else problem.roles
    found = tuple(
        _filled(f, roles)
        for f in audit(source.columns, target)
        if f.kind != "class imbalance" or problem is None or problem.is_classification
    )
    leaking = _leaking(found, target, roles)
    grave = [f for f in found if f.kind in LEAKS and leaking and _in_use(f, target, roles)]
    ordered = tuple(sorted(found, key=lambda f: (SEVERITIES.index(f.severity), f not in grave)))
    section = AuditSection(ordered, _counted(found), leaking)
    warned = None if target is None else leak_sentence(target, section)
    return section if warned is None else replace(section, sentence=f"{warned} {section.sentence}")


def _filled(f: AuditFinding, roles: dict[str, str]) -> AuditFinding:
    """Gaps of a column in use are filled by the study, so that is not advised as a step to take."""
    used = f.kind == "missing" and f.severity == "note" and all(roles.get(n) == "feature" for n in f.columns)
    return replace(f, next_step=FILLED) if used else f


def leaks(section: AuditSection) -> tuple[str, ...]:
    """Columns in use that know the target: what is learned from them may not be there when it is needed."""
    return section.leaking


def _leaking(found: Sequence[AuditFinding], target: str | None, roles: dict[str, str]) -> tuple[str, ...]:
    """In the order of gravity, each once; a mere note is no leak, nor are columns of which one is not in use."""
    used = [f for f in found if f.kind in LEAKS and f.severity != "note" and _in_use(f, target, roles)]
    return tuple(dict.fromkeys(n for f in used for n in f.columns if n != target))


def _in_use(f: AuditFinding, target: str | None, roles: dict[str, str]) -> bool:
    return all(roles.get(n, "feature") == "feature" for n in f.columns if n != target)


def _counted(found: Sequence[AuditFinding]) -> str:
    if not found:
        return "The audit found nothing odd."
    counts = Counter(f.severity for f in found)
    parts = [f"{counts[s]} {s}{'' if counts[s] == 1 else 's'}" for s in SEVERITIES if counts[s]]
    return f"The audit has {list_names(parts)}."
