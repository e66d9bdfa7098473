"""The day of a study: today's, or the one that SOURCE_DATE_EPOCH fixes, so that a report can be repeated."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def today() -> str:
    """As 2026-05-31; the environment variable SOURCE_DATE_EPOCH, in seconds since 1970, is taken for now."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    day = datetime.fromtimestamp(int(fixed), UTC).date() if fixed.isdigit() else date.today()
    return day.isoformat()


def in_words(day: str) -> str:
    """`31 May 2026` of 2026-05-31; empty of nothing."""
    if not day:
        return ""
    found = date.fromisoformat(day)
    return f"{found.day} {MONTHS[found.month - 1]} {found.year}"
