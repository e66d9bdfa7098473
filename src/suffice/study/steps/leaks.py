"""The one sentence about columns that know the target."""

from __future__ import annotations

from suffice.prepare.looking.attribute_types import printable
from suffice.study.sections import AuditSection
from suffice.study.steps.words import listed


def leak_sentence(target: str, section: AuditSection) -> str | None:
    """A warning of columns that may not be there when the target is not known yet."""
    columns = section.leaking
    if not columns:
        return None
    shown = listed([f"'{printable(name)}'" for name in columns], 2)
    if len(columns) == 1:
        return (
            f"Column {shown} determines {printable(target)} almost by itself: unless it is known before the target, "
            "leave it out (ignore) and run again."
        )
    return (
        f"Columns {shown} each determine {printable(target)} almost by themselves: unless they are known before the "
        "target, leave them out (ignore) and run again."
    )
