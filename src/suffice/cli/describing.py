"""`suffice describe`: what the columns of a file hold, whatever format and size it has.

words ─▶ suffice.prepare.describe ─▶ Description ─▶ a table here, a page (`description_page.py`), or JSON
"""

import math
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from suffice._core.errors import InvalidInput, InvalidParameter, SufficeError
from suffice._core.writing import replacing
from suffice.cli.terminal import (
    ENCODING,
    check_writable,
    console,
    counted,
    encoded,
    plain_table,
    refusals,
    remarks,
)
from suffice.cli.words import assignment, names

MOST = 60  # columns that the terminal shows
MOST_PAIRS, WEAK = 5, 0.1  # strongest correlations that the terminal shows, and those not worth a word
WIDE = 120  # a terminal has room for spread and bars
MAGIC = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"SQLite format 3": ".sqlite", b"PK\x03\x04": ".xlsx"}


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""

    @app.command()
    def describe(
        data: Annotated[
            list[str],
            typer.Argument(
                help="CSV, TSV, Parquet, Arrow, JSON lines (.jsonl), Excel, SQLite or DuckDB (file.db::table); "
                "patterns; @diabetes; - for what comes through a pipe."
            ),
        ],
        columns: Annotated[list[str] | None, typer.Option(help="Only these: a,b,c.")] = None,
        types: Annotated[
            list[str] | None,
            typer.Option(help="What a column means: zip=nominal, size=small<medium<large. Repeatable."),
        ] = None,
        decimal: Annotated[
            str | None, typer.Option(help="The decimal mark of numbers in text: . or ,")
        ] = None,
        encoding: Annotated[str | None, typer.Option(help=ENCODING)] = None,
        html: Annotated[Path | None, typer.Option("--html", help="Write a page.")] = None,
        force: Annotated[bool, typer.Option("--force", help="Replace a page that exists.")] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    ) -> None:
        """Describe the columns of a table: gaps, values, center and spread, as far as they make sense."""
        with refusals(typer), encoded(encoding):
            check_page(html, force)
            with remarks(typer), opened(data) as (source, title), parts_bar(as_json) as tick:
                from suffice.prepare import describe as described

                wanted = chosen_columns(columns)
                found = described(source, chosen_types(types), columns=wanted, decimal=decimal, tick=tick)
            if html is not None:
                from suffice.cli.description_page import page

                with replacing(html) as part:
                    Path(part).write_text(page(found, title), encoding="utf-8", errors="xmlcharrefreplace")
            if as_json:
                from suffice.cli.findings import print_json

                print_json(tree(found))
            else:
                print_description(found, title)
                if html is not None:
                    print(f"\nThe page is {html}")


# -- words to a source --------------------------------------------------------------------------------------------
def check_page(path: Path | None, force: bool) -> None:
    """Raise before any work if the page cannot be written."""
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise InvalidParameter(f"--html writes a page whose name ends in .html; got {str(path)!r}.")
    check_writable(path, force)


def chosen_types(texts: list[str] | None) -> dict[str, Any]:
    """`zip=nominal` as it is, `size=small<medium<large` as an order."""
    for text in texts or ():
        if "=" not in text:
            raise InvalidParameter(
                f"--types takes name=value, for example --types {text.strip() or 'zip'}=nominal; got {text!r}."
            )
    pairs = dict(assignment("--types", text) for text in texts or ())
    return {
        name: [w.strip() for w in word.split("<")] if "<" in word else word for name, word in pairs.items()
    }


def chosen_columns(texts: list[str] | None) -> list[str] | None:
    """Names that are asked for; None where the option is not used."""
    found = names(texts)
    if texts and found is None:
        raise InvalidParameter("--columns names no column; leave it out for all of them.")
    return found


@contextmanager
def opened(data: list[str]) -> Iterator[tuple[Any, str]]:
    """Paths as they are, a bundled set, or what comes through the pipe; with a title."""
    if "-" in data or any(word.startswith("@") for word in data):
        if len(data) > 1:
            raise InvalidParameter(f"'-' and bundled sets stand alone; got {', '.join(data)}.")
        if data[0] == "-":
            with piped() as path:
                yield path, "standard input"
        else:
            from suffice.study.reading.source import read

            yield read(data[0]).columns, data[0]
        return
    yield (
        data,
        ", ".join(os.path.basename(word) or word for word in data[:3]) + (" …" if len(data) > 3 else ""),
    )


@contextmanager
def piped() -> Iterator[str]:
    """Standard input as a file, whose format its first bytes tell; text is CSV, or JSON lines."""
    stream = sys.stdin.buffer
    with tempfile.TemporaryDirectory() as folder:
        start = stream.read(1 << 16)
        if not start:
            raise InvalidInput("There is nothing on standard input.")
        if re.match(rb"(\xef\xbb\xbf)?\s*\[\s*\{", start):
            raise InvalidInput(
                "Standard input holds one JSON array; describe reads JSON lines, an object in each line "
                "(jq -c '.[]' makes them)."
            )
        path = os.path.join(folder, "input" + ending(start))
        with open(path, "wb") as file:
            file.write(start)
            shutil.copyfileobj(stream, file)
        try:
            yield path
        except SufficeError as error:  # nobody knows the file that was made here
            error.args = tuple(str(a).replace(repr(path), "Standard input") for a in error.args)
            error.__notes__ = []
            raise


def ending(start: bytes) -> str:
    """The ending of a file that begins so."""
    known = next((e for magic, e in MAGIC.items() if start.startswith(magic)), None)
    if known is not None:
        return known
    if start[8:12] == b"DUCK":
        return ".duckdb"
    text = not start.startswith(b"\x1f\x8b") and start.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{")
    return ".jsonl" if text else ".csv.gz" if start.startswith(b"\x1f\x8b") else ".csv"


@contextmanager
def parts_bar(quiet: bool) -> Iterator[Callable[[], None] | None]:
    """A line that counts the parts that are read, where somebody watches."""
    if quiet or not (sys.stderr.isatty() and sys.stdout.isatty()):
        yield None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} parts read"))
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda: bar.advance(task)


# -- what is printed ----------------------------------------------------------------------------------------------
def print_description(found: Any, title: str) -> None:
    """A headline, a line per column, the strongest correlations, remarks."""
    from rich.text import Text

    from suffice.prepare.looking._lines import HEADS, brief, line, shown
    from suffice.prepare.looking.description import BARS

    out, written = console(), writable(BARS)
    out.print(
        Text(title, style="bold"),
        Text(f"{counted(found.rows, 'row')} × {counted(len(found), 'column')}", style="dim"),
    )
    out.print()
    wide = out.width >= WIDE
    heads = (HEADS if written else HEADS[:-1]) if wide else (*HEADS[:5], HEADS[6])
    table = plain_table(heads, left=len(heads))
    for c in found.columns[:MOST]:
        cells = (line if wide else brief)(c)[: len(heads)]
        table.add_row(*(Text(text, no_wrap=True, overflow="ellipsis") for text in cells))
    out.print(table)
    if len(found) > MOST:
        more = len(found) - MOST
        columns = "column" if more == 1 else "columns"
        out.print(Text(f"and {more:,} more {columns}; --json prints all", style="dim"))
    if pairs := strongest(found):
        listed = ", ".join(f"{shown(a)} and {shown(b)} {r:.2f}" for r, a, b in pairs[:MOST_PAIRS])
        out.print()
        out.print(Text(f"Strongest correlations: {listed}"))
    for note in found.notes:
        out.print(Text(note, style="yellow"))


def writable(text: str) -> bool:
    """Whether the output can write a text as it is."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def strongest(found: Any) -> list[tuple[float, str, str]]:
    """Correlations from the strongest; not the weak ones, nor those that cannot be computed."""
    if found.correlation is None:
        return []
    n, r = found.correlated, found.correlation
    pairs = [(float(r[i, j]), n[i], n[j]) for i in range(len(n)) for j in range(i) if abs(r[i, j]) >= WEAK]
    return sorted(pairs, key=lambda p: -abs(p[0]))


def tree(found: Any) -> dict[str, Any]:
    """Everything as plain values."""
    from suffice._core.records import fields

    columns = []
    for c in found.columns:
        plain = fields(c)
        plain["modes"] = [_as_json(v) for v in c.modes]
        plain["top"] = [[_as_json(v), count] for v, count in c.top]
        columns.append(fields(plain.pop("attribute")) | plain)
    return {
        "rows": found.rows,
        "columns": columns,
        "correlated": list(found.correlated),
        "correlation": None if found.correlation is None else found.correlation.tolist(),
        "covariance": None if found.covariance is None else found.covariance.tolist(),
        "notes": list(found.notes),
    }


def _as_json(value: Any) -> Any:
    """A value as JSON has it; infinite numbers, which it lacks, as text."""
    return str(value) if isinstance(value, float) and math.isinf(value) else value
