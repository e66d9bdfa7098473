"""What a reader in a hurry wants to know."""

from __future__ import annotations

from typing import ClassVar

from suffice._core.records import record


@record
class Tile:
    """One figure worth a large print: what it is, and what it is compared with."""

    value: str
    name: str
    detail: str


@record
class Answer:
    """Which model, how good, how sure: three sentences at most, the headline included."""

    key: ClassVar[str] = "answer"
    heading: ClassVar[str] = "The short answer"

    headline: str
    sentences: tuple[str, ...]
    tiles: tuple[Tile, ...]
