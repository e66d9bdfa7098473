"""Classes of very unequal size."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.prepare.looking._checks.leaks.case import is_classes
from suffice.prepare.looking._checks.leaks.evidence import as_python
from suffice.prepare.looking._checks.wording import percent, quoted, rows
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.looking.findings import AuditFinding, finding


def check_balance(target: Profile, types: dict[str, Attribute]) -> Iterator[AuditFinding]:
    """A class that is rare for the number of classes."""
    if not is_classes(target) or len(target.distinct) < 2 or target.known < 20:
        return
    least = int(np.argmin(target.counts))
    share = target.counts[least] / target.known
    if share < 0.1 * 2 / len(target.distinct):
        found = target.rows_of(np.arange(len(target.distinct)) == least)
        value = quoted(as_python(target.distinct[least]))
        message = f"Target {quoted(target.name)} is {value} in {rows(len(found))} only ({percent(share)})."
        yield finding("class imbalance", target.name, found, message)
