"""Documents as they come: texts or bytes, in a list, a column or a table of one column, and some of them missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice
from suffice.tables.cells import is_missing
from suffice.tables.frames import frame_of


def as_texts(
    documents: Any, encoding: str = "utf-8", decode_error: str = "strict", missing: str = "error"
) -> list[str]:
    """One text per document; bytes are decoded, and a missing document is an error or an empty text."""
    check_choice("decode_error", decode_error, ("strict", "ignore", "replace"))
    check_choice("missing", missing, ("error", "empty"))
    _check_encoding(encoding)
    cells = _cells(documents)
    if all(type(cell) is str for cell in cells):
        return cells
    return [_as_text(cell, row, encoding, decode_error, missing) for row, cell in enumerate(cells)]


def contents(documents: Any, kind: str) -> list[bytes | str]:
    """What the files hold: `kind` says whether they are named ("filename") or open ("file")."""
    if kind == "file":
        return [_read(f, row) for row, f in enumerate(documents)]
    out: list[bytes | str] = []
    for row, path in enumerate(_cells(documents)):
        try:
            out.append(Path(path).read_bytes())
        except (OSError, TypeError, ValueError) as error:
            raise InvalidInput(f"The file at row {row}, {path!r:.80}, cannot be read: {error}.") from None
    return out


def _read(file: Any, row: int) -> bytes | str:
    if not callable(getattr(file, "read", None)):
        raise InvalidInput(f"input='file' needs open files; got {file!r:.60} at row {row}.")
    return file.read()


def _cells(documents: Any) -> list[Any]:
    """What stands in each row, whatever holds the rows."""
    if isinstance(documents, str | bytes):
        raise InvalidInput(
            f"documents must be a list of texts; got one text, {documents[:40]!r}. Write [text]."
        )
    if (frame := frame_of(documents)) is not None:
        documents = frame.column(_only(frame.labels))
    elif hasattr(documents, "toarray") or isinstance(documents, Mapping | Set):
        raise InvalidInput(f"documents must be texts in an order; got {type(documents).__name__}.")
    for method in ("to_pylist", "tolist", "to_list"):
        if hasattr(documents, method):
            return _flat(getattr(documents, method)(), np.shape(documents))
    if not isinstance(documents, Iterable):
        raise InvalidInput(f"documents must be a list of texts; got {documents!r:.60}.")
    return list(documents)


def _only(names: list[Any]) -> int:
    if len(names) != 1:
        raise InvalidInput(
            f"documents must be one column of texts; got a table of {len(names)} columns, {names[:6]!r}. Pick one."
        )
    return 0


def _flat(cells: list[Any], shape: tuple[int, ...]) -> list[Any]:
    if len(shape) == 1:
        return cells
    if len(shape) != 2 or shape[1] != 1:
        raise InvalidInput(
            f"documents must be a vector of texts or a table of one column; got shape {shape}."
        )
    return [row[0] for row in cells]


def _as_text(cell: Any, row: int, encoding: str, decode_error: str, missing: str) -> str:
    if isinstance(cell, str):
        return str(cell)
    if isinstance(cell, bytes | bytearray):
        return _decoded(bytes(cell), row, encoding, decode_error)
    if not is_missing(cell):
        raise InvalidInput(
            f"documents must be texts; got {cell!r:.60} ({type(cell).__name__}) at row {row}. "
            "Numbers are columns of their own; write them as text if they are words."
        )
    if missing == "error":
        raise InvalidInput(
            f"documents have a missing text ({cell!r}) at row {row}; drop it, or choose missing='empty'."
        )
    return ""


def _decoded(cell: bytes, row: int, encoding: str, decode_error: str) -> str:
    try:
        return cell.decode(encoding, decode_error)
    except UnicodeError as error:
        raise InvalidInput(
            f"The document at row {row} is not {encoding} ({error}); choose its encoding, or decode_error='replace'."
        ) from None


def _check_encoding(encoding: Any) -> None:
    try:
        "".encode(encoding)
    except (LookupError, TypeError, ValueError):
        raise InvalidParameter(
            f"encoding must be a name such as 'utf-8' or 'latin-1'; got {encoding!r}."
        ) from None
