"""What the columns of files hold, and what is said of a file that cannot be read or is unlike the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from suffice._core.errors import UnreadableSource
from suffice._core.frames import require
from suffice._core.records import record


def kind_of(arrow_type: Any) -> str:
    """One word for what a column holds."""
    types = require("pyarrow").types
    if types.is_null(arrow_type):
        return "nothing"
    if types.is_dictionary(arrow_type):
        return kind_of(arrow_type.value_type)
    if any(f(arrow_type) for f in (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean)):
        return "numbers"
    if any(f(arrow_type) for f in (types.is_string, types.is_large_string, types.is_string_view)):
        return "text"
    return "times" if types.is_temporal(arrow_type) else "something else"


def disagreement(
    path: str, kinds: Mapping[str, str], first: str, expected: Mapping[str, str], wanted: Iterable[str] | None
) -> str | None:
    """How a file is unlike the first one in the wanted columns, if it is."""
    for name in expected if wanted is None else wanted:
        if name not in kinds:
            return f"{path!r} has no column {name!r}, which {first!r} has."
        if kinds[name] != expected[name] and "nothing" not in (kinds[name], expected[name]):
            return f"Column {name!r} of {path!r} holds {kinds[name]}, but {expected[name]} in {first!r}."
    return None


@record
class Broken:
    """A file that cannot be used, and why."""

    path: str
    reason: str
    file: int
    start: int = 0

    @property
    def name(self) -> str:
        return repr(self.path)

    def batches(self) -> Iterator[Any]:
        raise UnreadableSource(self.reason)


def unreadable(path: str, error: Exception) -> UnreadableSource:
    """The first line of what a reader said, with the name of the file."""
    if isinstance(error, UnreadableSource):
        return error
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return UnreadableSource(f"{path!r} cannot be read: {first}")


def reading_errors() -> tuple[type[Exception], ...]:
    """What readers raise about a file."""
    return (require("pyarrow").ArrowException, OSError, ValueError, EOFError, KeyError, TypeError)
