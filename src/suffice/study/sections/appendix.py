"""What is needed to repeat the study."""

from __future__ import annotations

from typing import Any, ClassVar

from suffice._core.records import record


@record
class Appendix:
    """Where the table came from, every option, versions, times, and a script; `made` is the day, as 2026-05-31."""

    key: ClassVar[str] = "appendix"
    heading: ClassVar[str] = "Appendix"

    origin: str
    sha256: str | None
    options: dict[str, Any]
    script: str
    versions: dict[str, str]
    seconds: dict[str, float]
    made: str = ""
