"""CSV files with a header line, plain or compressed, with commas, semicolons, tabs or bars.

A CSV file does not say what its columns hold. The first blocks of the first files decide, and every file is then
read alike: numbers as decimals, "true" and "false" as such, everything else as text, so that no block guesses.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from typing import Any

from suffice._core.errors import UnreadableSource
from suffice._core.frames import require
from suffice._core.records import record
from suffice.engine.sources.encodings import ADVICE, complaint, decoded, said
from suffice.engine.sources.kinds import disagreement, kind_of, reading_errors, unreadable

BLOCK = 8 << 20
PROBED = 16  # files that are looked into for columns that begin empty
FIRST = 1 << 16  # bytes that are looked at for the header
MARKS = (",", ";", "\t", "|")


@record
class CsvPart:
    """A whole file, read as a stream."""

    path: str
    columns: tuple[str, ...] | None
    kinds: tuple[tuple[str, str], ...]
    first: str
    file: int
    start: int = 0
    encoding: str = "utf-8"

    @property
    def name(self) -> str:
        return repr(self.path)

    def batches(self) -> Iterator[Any]:
        names, expected = header(self.path, self.encoding), dict(self.kinds)
        if odd := disagreement(
            self.path, dict.fromkeys(names, "nothing"), self.first, expected, self.columns
        ):
            raise UnreadableSource(odd)
        try:
            with _stream(self.path, self.columns, expected, self.encoding) as reader:
                yield from reader
        except reading_errors() as error:
            raise unreadable(self.path, _with_column(_explained(error, self.encoding), names)) from error


@record
class CsvSource:
    """Files, and what their columns hold."""

    paths: tuple[str, ...]
    first: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    encoding: str = "utf-8"
    again: bool = True

    @classmethod
    def of(cls, paths: tuple[str, ...]) -> CsvSource:
        """Names come from the first file that can be read, kinds from the first that have values."""
        found: CsvSource | None = None
        encoding = said() or "utf-8"
        reasons: list[UnreadableSource] = []
        for i, path in enumerate(paths):
            if found is not None and (i >= PROBED or "nothing" not in found.kinds):
                break
            try:
                names, kinds = _schema(path, encoding)
            except UnreadableSource as error:
                reasons.append(error)
                continue
            found = cls(paths, path, names, kinds, encoding) if found is None else found.learned(names, kinds)
        if found is None:
            raise reasons[0]
        return found

    def learned(self, names: tuple[str, ...], kinds: tuple[str, ...]) -> CsvSource:
        """With what another file says about columns that are empty so far."""
        other = dict(zip(names, kinds, strict=True))
        pairs = zip(self.names, self.kinds, strict=True)
        mine = tuple(other.get(name, kind) if kind == "nothing" else kind for name, kind in pairs)
        return CsvSource(self.paths, self.first, self.names, mine, self.encoding)

    @property
    def n_parts(self) -> int:
        return len(self.paths)

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[CsvPart]:
        kinds = tuple(zip(self.names, self.kinds, strict=True))
        wanted = None if columns is None else tuple(columns)
        for i, path in enumerate(self.paths):
            yield CsvPart(path, wanted, kinds, self.first, i, encoding=self.encoding)


def _schema(path: str, encoding: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    types = require("pyarrow").types
    try:
        with _stream(path, None, {}, encoding) as reader:
            schema = reader.schema
            names = tuple(schema.names)
    except reading_errors() as error:
        raise unreadable(path, _explained(error, encoding)) from error
    return names, tuple("truths" if types.is_boolean(t) else kind_of(t) for t in schema.types)


def _stream(path: str, columns: tuple[str, ...] | None, kinds: dict[str, str], encoding: str) -> Any:
    pa, reader = require("pyarrow"), require("pyarrow.csv")
    types = {"numbers": pa.float64(), "nothing": pa.float64(), "truths": pa.bool_()}
    types |= dict.fromkeys(("text", "something else"), pa.string())  # else: bytes that are no UTF-8
    return reader.open_csv(
        path,
        read_options=reader.ReadOptions(block_size=BLOCK, use_threads=False, encoding=encoding),
        parse_options=reader.ParseOptions(
            delimiter=_delimiter(_first_line(path, encoding)), newlines_in_values=True
        ),
        convert_options=reader.ConvertOptions(
            include_columns=None if columns is None else list(columns),
            column_types={name: types[kind] for name, kind in kinds.items() if kind in types},
            strings_can_be_null=True,
        ),
    )


# -- the header -------------------------------------------------------------------------------------------------
def header(path: str, encoding: str = "utf-8") -> list[str]:
    """The names in the first line."""
    line = _first_line(path, encoding)
    return next(csv.reader([line], delimiter=_delimiter(line)), [])


def _first_line(path: str, encoding: str) -> str:
    try:
        with require("pyarrow").input_stream(path) as stream:
            start = stream.read(FIRST)
    except reading_errors() as error:
        raise unreadable(path, error) from error
    ends = max(start.rfind(b"\n"), start.rfind(b"\r")) + 1  # what is wrong further on is told with its row
    whole = start if len(start) < FIRST and not ends else start[: ends or len(start)]
    text = decoded(path, whole if encoding == "utf-8" else start, encoding, len(start) < FIRST)
    if not text.strip():
        raise UnreadableSource(f"{path!r} cannot be read: it is empty, without a header.")
    return text.lstrip("\r\n").splitlines()[0]


def _delimiter(line: str) -> str:
    """The mark that is seen most outside of quotes."""
    bare = re.sub(r'"[^"]*"', "", line)
    return max(MARKS, key=lambda mark: (bare.count(mark), mark == ","))


def _explained(error: Exception, encoding: str) -> Exception:
    """What the reader says of bytes that are no text, with a way out."""
    if isinstance(error, UnicodeDecodeError):
        return ValueError(complaint(error, encoding))
    return ValueError(f"{str(error).rstrip('.')}. {ADVICE}") if "UTF8" in str(error) else error


def _with_column(error: Exception, names: list[str]) -> Exception:
    """The reader counts columns; people call them by name."""
    head, mark, tail = str(error).partition("In CSV column #")
    number, _, rest = tail.partition(":")
    if mark and number.isdigit() and int(number) < len(names):
        return ValueError(f"{head}column {names[int(number)]!r}:{rest}")
    return error
