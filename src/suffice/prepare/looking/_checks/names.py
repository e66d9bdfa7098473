"""Names of columns that invite mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from suffice.prepare.looking._checks.wording import listed, quoted
from suffice.prepare.looking.findings import AuditFinding, finding


def check_names(names: Sequence[str], n: int) -> Iterator[AuditFinding]:
    """Empty, repeated, padded and unprintable names; names told apart by case alone."""
    counted = Counter(names)
    if empty := sum(not name.strip() for name in names):
        places = [str(j) for j, name in enumerate(names) if not name.strip()][:5]
        message = f"{empty} column{'s have' if empty > 1 else ' has'} no name (place {', '.join(places)}, {n} rows)."
        yield finding("empty name", ("",), n, message)
    for name, times in counted.items():
        if times > 1:
            message = f"{times} columns are called {quoted(name)} ({n} rows each)."
            yield finding("repeated name", name, n, message)
        if name.strip() and name != name.strip():
            message = f"The name {quoted(name)} begins or ends with a blank ({n} rows)."
            yield finding("blanks in name", name, n, message)
        if not name.isprintable():
            message = f"The name {quoted(name)} holds characters that cannot be seen ({n} rows)."
            yield finding("unprintable name", name, n, message)
    yield from _alike(list(counted), n)


def _alike(names: Sequence[str], n: int) -> Iterator[AuditFinding]:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.strip().casefold(), []).append(name)
    for group in groups.values():
        if len(group) > 1:
            message = f"Names differ by case or blanks alone: {listed(group)} ({n} rows)."
            yield finding("names alike", group, n, message)
