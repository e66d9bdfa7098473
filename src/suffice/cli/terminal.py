"""What every command shares: refusals and warnings in one line each, and tables of one look."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from suffice._core.errors import InvalidParameter, MissingExtra, SufficeError, SufficeWarning
from suffice._core.filters import heard
from suffice._core.showing import visible

LEAST, GAP = 16, 2  # letters of the first column of a table, and between columns
INTERRUPTED = 130  # as a shell reports a program that Ctrl-C ended
GLUE = "\u00a0"
SIGNS = re.compile(r" ?(?<= )([×±<>=≤≥]) ")  # one of these keeps both its sides
RANGE = re.compile(r"(?<=\d) to (?=[−\d])|(?<=%) to (?=[−\d])")
BEFORE = re.compile(r"(?<=\w) (?=[(\[]?[−+]?\d)")
ENCODING = "The encoding of CSV files, such as cp1252; UTF-8 if left out."
MEGABYTES = "Megabytes that a model file may take in memory beyond its own size; more for one that you trust."
OPTIONS = {"columns=": "--columns", "categories=": "--categories", "minimum_rows=": "--minimum-rows "}


@contextmanager
def refusals(typer: Any) -> Iterator[None]:
    """Errors that the library raises on purpose become one red line and an exit code."""
    try:
        yield
    except (SufficeError, OSError) as error:
        notes = " ".join(getattr(error, "__notes__", ()))
        note(typer, as_options(" ".join(f"{error} {notes}".split())), "red")
        raise typer.Exit(1 if isinstance(error, MissingExtra) else 2) from None
    except KeyboardInterrupt:
        note(typer, "Stopped.", "yellow")
        raise typer.Exit(INTERRUPTED) from None


def note(typer: Any, text: str, color: str | None = None) -> None:
    """A line beside the output. click would take an ASCII terminal for one of UTF-8."""
    line, stream = visible(text), sys.stderr
    print(typer.style(line, fg=color) if color and stream.isatty() else line, file=stream)


def as_options(text: str) -> str:
    """A message that names arguments of Python, for somebody who has options."""
    for argument, option in OPTIONS.items():
        text = text.replace(argument, option)
    return text


@contextmanager
def remarks(typer: Any) -> Iterator[list[str]]:
    """Warnings become one yellow line each, after the work; the list holds them then."""
    said: list[str] = []
    with heard(SufficeWarning) as caught:
        yield said
    for message in dict.fromkeys(str(w.message) for w in caught):
        said.append(message)
        note(typer, " ".join(message.split()), "yellow")


@contextmanager
def encoded(name: str | None) -> Iterator[None]:
    """What `--encoding` says of CSV files."""
    if name is None:
        yield
        return
    from suffice.engine import encoding

    with encoding(name):
        yield


def check_output(path: Path | None, force: bool) -> None:
    """Raise before any work if a file of a model or of statistics cannot be written, or would be lost."""
    if path is not None and path.suffix != ".suffice":
        raise InvalidParameter(f"Files of models and statistics end in '.suffice'; got {str(path)!r}.")
    check_writable(path, force)


def check_writable(path: Path | None, force: bool) -> None:
    """Raise before any work if there is no folder for a file, or a file that would be lost; None is no file."""
    if path is None:
        return
    if not path.parent.is_dir():
        raise InvalidParameter(f"There is no folder {str(path.parent)!r} to write {path.name!r} to.")
    if path.exists() and not force:
        raise InvalidParameter(f"{str(path)!r} exists; --force replaces it.")


def option_of(typer: Any) -> Callable[..., Any]:
    """How commands with many options write one: the words, its flags, and the panel of the help it stands in."""

    def option(words: str, *flags: str, panel: str = "Options", **more: Any) -> Any:
        return typer.Option(*flags, help=words, rich_help_panel=panel, **more)

    return option


def counted(n: int, noun: str) -> str:
    """`1 row`, `2,000 rows`."""
    return f"{n:,} {noun if n == 1 else noun + 's'}"


def console(stderr: bool = False) -> Any:
    """Where tables and paragraphs are printed: names from the data are shown, and command nothing."""
    from rich.console import Console as Plain
    from rich.segment import Segment

    class Console(Plain):
        def render(self, renderable: Any, options: Any = None) -> Any:
            for s in super().render(renderable, options):
                yield s if s.control else Segment(visible(s.text), s.style)

    return Console(highlight=False, stderr=stderr)


# -- text that fits the window -------------------------------------------------------------------------------------
def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most this width, where words allow it. No number is broken, nor parted from the word before it."""
    glued = BEFORE.sub(GLUE, RANGE.sub(f"{GLUE}to{GLUE}", SIGNS.sub(rf"{GLUE}\1{GLUE}", text)))
    lines, line = [], ""
    for piece in (part for word in glued.split(" ") for part in _parts(word, width)):
        if line and len(line) + 1 + len(piece) > width:
            lines.append(line)
            line = piece
        else:
            line = f"{line} {piece}" if line else piece
    return [done.replace(GLUE, " ") for done in (*lines, line)]


def _parts(word: str, width: int) -> list[str]:
    """Words that are kept together, or each by itself if no line can hold them all."""
    return [word] if len(word) <= width else word.split(GLUE)


def say(console: Any, text: str, style: str = "") -> None:
    """Print a paragraph in lines that fit the window."""
    from rich.text import Text

    console.print(Text("\n".join(wrapped(text, console.width)), style=style), soft_wrap=True)


def fitted_table(heads: Sequence[str], rows: Sequence[tuple[Sequence[str], str]], width: int) -> Any:
    """A table that breaks no number: words of the first column fold, and where that is not enough columns go.

    `rows` are cells and a style. The third column goes first, then the last ones.
    """
    from rich.table import Table
    from rich.text import Text

    kept = list(range(len(heads)))
    while len(kept) > 2 and _room(heads, rows, kept, width) < LEAST:
        kept.remove(2 if 2 in kept else kept[-1])
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    names, room = max((len(cells[0]) for cells, _ in rows), default=1), _room(heads, rows, kept, width)
    table.add_column(heads[0], max_width=max(min(names, room), 1), overflow="fold")
    spare = max(room - names, 0)
    for j in kept[1:]:
        size = _size(heads, rows, j)
        more = min(spare, max(len(heads[j]) - size, 0))
        size, spare = size + more, spare - more
        table.add_column("\n".join(wrapped(heads[j], size)), justify="right", no_wrap=True, min_width=size)
    for cells, style in rows:
        table.add_row(*(Text(cells[j]) for j in kept), style=style)
    return table


def _size(heads: Sequence[str], rows: Sequence[tuple[Sequence[str], str]], j: int) -> int:
    """As wide as the widest cell and the longest word above it."""
    return max(*(len(cells[j]) for cells, _ in rows), *(len(word) for word in heads[j].split(" ")))


def _room(
    heads: Sequence[str], rows: Sequence[tuple[Sequence[str], str]], kept: list[int], width: int
) -> int:
    """What is left for the first column."""
    return width - sum(_size(heads, rows, j) + GAP for j in kept[1:]) - GAP


def plain_table(heads: Sequence[str], left: int = 1) -> Any:
    """A table without lines; the first columns hold words, the others numbers."""
    from rich.table import Table

    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for i, head in enumerate(heads):
        table.add_column(head, justify="left" if i < left else "right", no_wrap=i == 0)
    return table
