"""The encoding of CSV files: UTF-8, unless somebody says otherwise. A guess could be wrong in silence; none is made."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from suffice._core.errors import InvalidParameter, UnreadableSource

_said: ContextVar[str | None] = ContextVar("suffice_encoding", default=None)
LIKELY = (  # what a file is that begins so, and is not UTF-8
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


@contextmanager
def encoding(name: str | None) -> Iterator[None]:
    """CSV files that are opened inside the block are read in this encoding; None is UTF-8.

    Examples
    --------
    >>> from suffice.engine import encoding
    >>> with encoding("cp1252"):
    ...     pass  # suffice.engine.fit(model, "preise.csv", "preis")
    """
    if name is not None:
        _check(name)
    token = _said.set(name)
    try:
        yield
    finally:
        _said.reset(token)


def _check(name: str) -> None:
    try:
        "a".encode(codecs.lookup(name).name)
    except (LookupError, TypeError, ValueError):
        raise InvalidParameter(
            f"encoding must be one that Python knows, such as utf-8, cp1252, latin-1 or utf-16; got {name!r}."
        ) from None


def said() -> str | None:
    """The encoding that was asked for."""
    return _said.get()


def decoded(path: str, content: bytes, name: str, whole: bool) -> str:
    """The beginning of a file as text; where it is cut off, half a character may be missing at its end."""
    if name.startswith("utf-8") and (odd := _odd_beginning(content)):
        raise UnreadableSource(f"{path!r} cannot be read: {advice(odd)}")
    decoder = codecs.getincrementaldecoder("utf-8-sig" if name == "utf-8" else name)(errors="strict")
    try:
        return decoder.decode(content, final=whole)
    except UnicodeDecodeError as error:
        raise UnreadableSource(f"{path!r} cannot be read: {complaint(error, name)}") from None


def _odd_beginning(content: bytes) -> str | None:
    """The encoding that a file seems to have, by its first bytes."""
    known = next((name for mark, name in LIKELY if content.startswith(mark)), None)
    if known is None and b"\x00" in content[:2] and len(content) > 1:
        return "utf-16-be" if content[0] == 0 else "utf-16-le"
    return known


def complaint(error: UnicodeDecodeError, name: str) -> str:
    """Where text is not in the encoding, and what to do."""
    shown = bytes(error.object[max(0, error.start - 12) : error.end + 12])
    if name.startswith("utf-8"):
        return f"it is not UTF-8 ({error.reason} at {shown!r}). {ADVICE}"
    return f"it is not {name} ({error.reason} at {shown!r}). Name another --encoding."


def advice(name: str) -> str:
    """For a file that seems to be in another encoding."""
    python = f"with suffice.engine.encoding({name!r})"
    return f"it seems to be {name}, not UTF-8; say --encoding {name} (in Python: {python})."


ADVICE = (
    "Perhaps it is Windows-1252 or Latin-1: say --encoding cp1252 or latin-1 (in Python: with "
    'suffice.engine.encoding("cp1252")), or save it as UTF-8.'
)
