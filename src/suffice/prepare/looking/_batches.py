"""Batches that are tables: the same columns in each, whatever their order; and what a table says of its own columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.engine.sources import Part, Source
from suffice.engine.sources.arrays import MemoryPart
from suffice.tables.columns import common_order, is_category, is_ordered, levels_of, type_of
from suffice.tables.frames import ArrowTable, frame_of


# -- columns by name ----------------------------------------------------------------------------------------------
@record
class Aligned:
    """A source of tables in memory whose columns are put into the order of the first."""

    source: Source
    names: tuple[str, ...]

    @property
    def again(self) -> bool:
        return self.source.again

    @property
    def n_parts(self) -> int | None:
        return self.source.n_parts

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[Part]:
        for part in self.source.parts():
            yield MemoryPart(aligned(part.batch, self.names, part.name), part.name, part.file, part.start)  # type: ignore[attr-defined]


def aligned(batch: Any, names: tuple[str, ...], where: str) -> Any:
    """The columns of a batch in the order of `names`; a batch with other columns is refused."""
    if (frame := frame_of(batch)) is None:
        raise InvalidInput(f"{where} is a {type(batch).__name__}, not a table with columns {_listed(names)}.")
    held = frame.names
    if held == names:
        return batch
    lacking = [n for n in names if n not in held]
    new = [n for n in held if n not in names]
    if lacking or new or len(held) != len(names):
        told = [f"{_listed(lacking)} missing"] if lacking else []
        told += [f"{_listed(new)} too many"] if new else []
        raise InvalidInput(
            f"{where} has other columns than the first: {', '.join(told) or 'a name comes twice'}. "
            "Batches of a table have the same columns."
        )
    if len(set(held)) < len(held):
        raise InvalidInput(f"{where} has its columns in another order than the first, and repeats a name.")
    return frame.select([held.index(n) for n in names])


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(map(repr, names[:5])) + more


# -- what a table says of itself ----------------------------------------------------------------------------------
@record
class HeldCategories:
    """Whether a column is held as categories, and their order where they have one; parts add."""

    category: bool = False
    levels: tuple[str, ...] | None = None

    @classmethod
    def of(cls, column: Any) -> HeldCategories:
        """Of a column of pandas or of Arrow; other columns say nothing."""
        kind = type_of(column)
        return cls(is_category(kind) or is_ordered(kind), levels_of(column))

    def __add__(self, other: HeldCategories) -> HeldCategories:
        if self == other:
            return self
        known = [h.levels for h in (self, other) if h.levels is not None]
        return HeldCategories(self.category or other.category, common_order(known))


def categories_of_pandas(batch: Any) -> list[bool]:
    """By column whether pandas wrote an Arrow table with categories there; Parquet itself keeps those of text only."""
    frame = frame_of(batch)
    said = frame.table.schema.pandas_metadata if isinstance(frame, ArrowTable) else None
    kinds = {c["field_name"]: c["pandas_type"] for c in (said or {}).get("columns", ())}
    return [kinds.get(name) == "categorical" for name in frame.names] if frame is not None and said else []
