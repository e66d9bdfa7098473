"""Spreadsheets: the values that are stored in them, a sheet at a time; and which of several tables is meant."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any

from suffice._core.errors import InvalidParameter, NoInformation, UnreadableSource, did_you_mean, warn
from suffice._core.frames import require
from suffice.engine.sources.grids import Grid, GridSource, gathered, told_apart
from suffice.engine.sources.kinds import unreadable

LAST_ROW = 1 << 20  # that a sheet can have
EMPTY = 1000  # empty rows or columns in a table, one after the other
BLANK_FORMULA = re.compile(rb"(?:<f(?: [^>]*)?/>|</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")


def chosen(path: str, known: list[str], inside: str | None, word: str) -> str:
    """The table that was named, or the only one."""
    if inside is None and len(known) == 1:
        return known[0]
    if not known:
        raise UnreadableSource(f"{path!r} has no {word} at all.")
    if inside is None:
        more = f" and {len(known) - 20} more" if len(known) > 20 else ""
        listed = f"{', '.join(known[:20])}{more}"
        raise InvalidParameter(f"Name the {word} as {os.path.basename(path)}::{word}; {path!r} has {listed}.")
    if inside not in known:
        raise InvalidParameter(f"There is no {word} {inside!r} in {path!r}.{did_you_mean(inside, known)}")
    return inside


def open_sheet(path: str, inside: str | None) -> GridSource:
    names, _ = _sheet_rows(path, inside, count=True)
    return GridSource(names, ((path, partial(_sheet_grids, path, inside)),))


def _sheet_rows(path: str, inside: str | None, count: bool = False) -> tuple[tuple[str, ...], Iterator[Any]]:
    try:
        book = require("openpyxl").load_workbook(path, read_only=True, data_only=True)
        sheet = book[chosen(path, book.sheetnames, inside or book.sheetnames[0], "sheet")]
        widest = sheet.max_column or 0
        sheet.reset_dimensions()  # rows as wide as they are, not as the sheet says that the widest is
        rows = islice(sheet.iter_rows(values_only=True), LAST_ROW)
        head = list(_before_end(path, "column", next(rows, ()), lambda name: name is None))
        head += [None] * (widest - len(head) if head and widest - len(head) <= EMPTY else 0)
        if count:
            _tell_formulas(path, sheet)
    except (InvalidParameter, ImportError):
        raise
    except Exception as error:  # openpyxl meets broken files with errors of many kinds
        raise unreadable(path, error) from error
    if not head:
        raise UnreadableSource(f"{path!r} cannot be read: the sheet is empty, without a header.")
    return told_apart(head), rows


def _before_end(path: str, word: str, cells: Iterable[Any], empty: Callable[[Any], bool]) -> Iterator[Any]:
    """Empty cells or rows are kept between others, where they are few; a stray cell far away is no part of a table."""
    left_out: list[Any] = []
    for place, cell in enumerate(cells, 1):
        if empty(cell):
            left_out.append(cell)
            continue
        if len(left_out) > EMPTY:
            warn(
                f"{path!r}: {word} {place:,} stands alone after {len(left_out):,} empty ones; it and what follows are "
                "left out. Delete it, or fill the gap.",
                NoInformation,
            )
            return
        yield from left_out
        left_out.clear()
        yield cell


def _tell_formulas(path: str, sheet: Any) -> None:
    """Warn of formulas without a stored value, which a program other than a spreadsheet leaves behind."""
    place = getattr(sheet, "_worksheet_path", None)
    if place is None:
        return
    with zipfile.ZipFile(path) as book, book.open(place.lstrip("/")) as file:
        empty, rest = 0, b""
        while block := file.read(1 << 20):
            rest += block
            whole = rest.rfind(b"</c>") + 4
            empty += len(BLANK_FORMULA.findall(rest, 0, max(whole, 0)))
            rest = rest[whole:] if whole > 3 else rest
    if empty:
        warn(
            f"{path!r}: {empty:,} formulas of sheet {sheet.title!r} have no stored value and count as missing; "
            "open and save the file with a spreadsheet program.",
            NoInformation,
        )


def _sheet_grids(path: str, inside: str | None) -> Iterator[Grid]:
    names, rows = _sheet_rows(path, inside)
    filled = _before_end(path, "row", chain([names], rows), lambda row: all(cell is None for cell in row))
    yield from gathered(names, (_fitted(row, len(names)) for row in islice(filled, 1, None)), path)


def _fitted(row: tuple[Any, ...], width: int) -> tuple[Any, ...]:
    """A row without the empty cells beyond the header, or with those that it lacks."""
    beyond = any(cell is not None for cell in row[width:])
    return row if beyond else (*row[:width], *[None] * (width - len(row)))
