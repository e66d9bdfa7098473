"""The sentence about leaks in a short answer: the gravest with its numbers, the others counted."""

from __future__ import annotations

from suffice.prepare import AuditFinding
from suffice.prepare.looking.attribute_types import printable
from suffice.study.sections import AuditSection

LEAKS = ("leak", "leak by gaps")
SHOWN = 3


def leak_sentence(target: str, section: AuditSection) -> str | None:
    """A warning of columns that may not be there when the target is not known yet; None if no column in use leaks."""
    found = leaks_in_use(target, section)
    if not found:
        return None
    it = "it is" if len(found[0].columns) == 2 else "they are"
    them = "leave it out" if len(found[0].columns) == 2 else "leave one of them out"
    advice = f"Unless {it} known before {printable(target)}, {them} (ignore) and run again."
    return f"{_about(target, found[0].message)} {advice}{_others(target, found)}"


def leaks_in_use(target: str, section: AuditSection) -> list[AuditFinding]:
    """Findings of leaks whose columns are all in use, the gravest first."""
    used = {*section.leaking, target}
    return [
        f for f in section.findings if f.kind in LEAKS and f.severity != "note" and set(f.columns) <= used
    ]


def _about(target: str, message: str) -> str:
    """The message with the name of the target."""
    return message.replace("the target", printable(target), 1)


def _others(target: str, found: list[AuditFinding]) -> str:
    """Which other columns leak; those of the first finding are not counted again."""
    first = set(found[0].columns)
    names = list(dict.fromkeys(n for f in found[1:] for n in f.columns if n not in first))
    if not names:
        return ""
    shown = ", ".join(f"'{printable(n)}'" for n in names[:SHOWN])
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    verb = "leaks" if len(names) == 1 else "leak"
    return f" {shown}{more} {verb} as well; the audit says how."
