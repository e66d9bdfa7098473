"""Parquet files. Row groups are parts (small ones together); a large one is read in batches, through a buffer.

Where threads share the work, the columns of a row group are decoded by all cores: that costs less than a row group per
core, since what is decoded stays near.

Footers are read when the source is opened: they say which columns a file has and how many rows each row group.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from suffice._core.errors import UnreadableSource
from suffice._core.frames import require
from suffice._core.records import record
from suffice.engine.sources.kinds import Broken, disagreement, kind_of, reading_errors, unreadable
from suffice.engine.threads import side_by_side

PART_ROWS, PART_CELLS = 131_072, 3_000_000  # small row groups are read together up to this
HEAD_ROWS = 8192  # are enough for a plan
BATCH_ROWS, BATCH_BYTES = 131_072, 96 << 20  # of a batch
# row numbers that pandas leaves in a file: no column of the table
UNNAMED_INDEX = re.compile(r"__index_level_\d+__")
BUFFER = 1 << 20  # of a column, where a row group is too large to be read whole


@record
class Stamp:
    """The size of a file, and when it was last written to, in nanoseconds."""

    size: int
    written: int

    @classmethod
    def of(cls, path: str) -> Stamp:
        found = os.stat(path)
        return cls(found.st_size, found.st_mtime_ns)


@record
class ParquetPart:
    """Some row groups of a file."""

    path: str
    groups: tuple[int, ...]
    columns: tuple[str, ...] | None
    file: int
    start: int
    stamp: Stamp  # of the file when it was opened

    @property
    def name(self) -> str:
        return f"{self.path!r}, rows {self.start} and on"

    def head(self) -> Iterator[Any]:
        """The same in small batches, for who wants to see the first rows."""
        for batch in self.batches():
            yield from (batch.slice(a, HEAD_ROWS) for a in range(0, batch.num_rows, HEAD_ROWS))

    def batches(self) -> Iterator[Any]:
        columns = None if self.columns is None else list(self.columns)
        try:
            self._check_unchanged()
            with opened(self.path, pre_buffer=False) as file:
                metas = [file.metadata.row_group(g) for g in self.groups]
                width = file.metadata.num_columns if columns is None else len(columns)
                rows = batch_rows(width)
                if not too_large(metas, width):
                    groups = file.read_row_groups(list(self.groups), columns=columns, use_threads=all_cores())
                    self._check_unchanged()
                    yield from (groups.slice(a, rows) for a in range(0, groups.num_rows, rows))
                    return
            yield from buffered(self.path, rows, list(self.groups), columns)
            self._check_unchanged()
        except reading_errors() as error:
            raise unreadable(self.path, error) from error

    def _check_unchanged(self) -> None:
        """Row groups are those of the footer that was read at first; in another file they are other rows, or none."""
        now = Stamp.of(self.path)
        if now.size != self.stamp.size:
            raise ValueError(f"it has {now.size:,} bytes now and had {self.stamp.size:,} when it was opened")
        if now != self.stamp:
            raise ValueError("it has been written to since it was opened")


def opened(file: Any, **options: Any) -> Any:
    """A Parquet file that checks its pages where their writer left checksums."""
    return require("pyarrow.parquet").ParquetFile(file, page_checksum_verification=True, **options)


def buffered(file: Any, rows: int, groups: list[int], columns: list[str] | None) -> Iterator[Any]:
    """Batches of row groups that are never in memory as a whole, neither as they are encoded nor decoded."""
    with opened(file, pre_buffer=False, buffer_size=BUFFER) as reader:
        yield from reader.iter_batches(rows, row_groups=groups, columns=columns, use_threads=False)


def all_cores() -> bool:
    """Whether pyarrow may decode columns on all cores: where threads of this process have them all anyway."""
    return side_by_side() >= require("pyarrow").cpu_count()


def batch_rows(width: int) -> int:
    """Rows of a batch of some columns of numbers."""
    return min(BATCH_ROWS, max(1024, BATCH_BYTES // (8 * max(1, width))))


def too_large(groups: Sequence[Any], width: int) -> bool:
    """Whether row groups must not be read at once; how they are encoded can make them look far too small."""
    decoded = 8 * width * sum(g.num_rows for g in groups)
    return max(decoded, sum(g.total_byte_size for g in groups)) > BATCH_BYTES


@record
class ParquetFooter:
    """What a file says about itself."""

    path: str
    stamp: Stamp
    sizes: tuple[int, ...]  # rows of its row groups
    names: tuple[str, ...]
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, path: str) -> ParquetFooter:
        try:
            stamp = Stamp.of(path)
            with opened(path) as file:
                meta, schema = file.metadata, file.schema_arrow
                sizes = tuple(meta.row_group(g).num_rows for g in range(meta.num_row_groups))
        except reading_errors() as error:
            raise unreadable(path, error) from error
        kept = [f for f in schema if not UNNAMED_INDEX.fullmatch(f.name)]
        kinds = tuple(kind_of(f.type) for f in kept)
        return cls(path, stamp, sizes, tuple(f.name for f in kept), kinds)

    @property
    def held(self) -> dict[str, str]:
        return dict(zip(self.names, self.kinds, strict=True))


@record
class ParquetSource:
    """Files whose footers agree in the columns that are read with that of the first readable one."""

    files: tuple[ParquetFooter | Broken, ...]
    first: ParquetFooter
    again: bool = True

    @classmethod
    def of(cls, paths: tuple[str, ...]) -> ParquetSource:
        files: list[ParquetFooter | Broken] = []
        for i, path in enumerate(paths):
            try:
                files.append(ParquetFooter.of(path))
            except UnreadableSource as error:
                files.append(Broken(path, str(error), i))
        first = next((f for f in files if isinstance(f, ParquetFooter)), None)
        if first is None:
            raise UnreadableSource(next(f.reason for f in files if isinstance(f, Broken)))
        return cls(tuple(files), first)

    @property
    def names(self) -> tuple[str, ...]:
        return self.first.names

    @property
    def n_parts(self) -> int:
        return sum(1 for _ in self.parts())

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[ParquetPart | Broken]:
        wanted = None if columns is None else tuple(columns)
        for i, file in enumerate(self.files):
            if isinstance(file, Broken):
                yield file
            elif odd := disagreement(file.path, file.held, self.first.path, self.first.held, wanted):
                yield Broken(file.path, odd, i)
            else:
                width = len(file.names if wanted is None else wanted)
                for start, groups in _together(file.sizes, min(PART_ROWS, PART_CELLS // max(width, 1))):
                    yield ParquetPart(file.path, groups, wanted, i, start, file.stamp)


def _together(sizes: tuple[int, ...], most: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(first row, row groups) of each part: neighbours are joined while they have at most that many rows."""
    start, rows = 0, 0
    groups: list[int] = []
    for g, size in enumerate(sizes):
        if groups and rows + size > most:
            yield start, tuple(groups)
            start, rows, groups = start + rows, 0, []
        groups.append(g)
        rows += size
    if groups:
        yield start, tuple(groups)
