"""What every command shares: refusals and warnings in one line each, and tables of one look."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from suffice._core.errors import InvalidParameter, MissingExtra, SufficeError, SufficeWarning

INTERRUPTED = 130  # as a shell reports a program that Ctrl-C ended
OPTIONS = {"columns=": "--columns", "categories=": "--categories", "minimum_rows=": "--minimum-rows "}


@contextmanager
def refusals(typer: Any) -> Iterator[None]:
    """Errors that the library raises on purpose become one red line and an exit code."""
    try:
        yield
    except (SufficeError, OSError) as error:
        notes = " ".join(getattr(error, "__notes__", ()))
        typer.secho(as_options(" ".join(f"{error} {notes}".split())), fg="red", err=True)
        raise typer.Exit(1 if isinstance(error, MissingExtra) else 2) from None
    except KeyboardInterrupt:
        typer.secho("Stopped.", fg="yellow", err=True)
        raise typer.Exit(INTERRUPTED) from None


def as_options(text: str) -> str:
    """A message that names arguments of Python, for somebody who has options."""
    for argument, option in OPTIONS.items():
        text = text.replace(argument, option)
    return text


@contextmanager
def remarks(typer: Any) -> Iterator[list[str]]:
    """Warnings become one yellow line each, after the work; the list holds them then."""
    said: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SufficeWarning)
        yield said
    for message in dict.fromkeys(str(w.message) for w in caught):
        said.append(message)
        typer.secho(" ".join(message.split()), fg="yellow", err=True)


def check_output(path: Path | None, force: bool) -> None:
    """Raise before any work if a file cannot be written, or would be lost."""
    if path is None:
        return
    if path.suffix != ".suffice":
        raise InvalidParameter(f"Files of models and statistics end in '.suffice'; got {str(path)!r}.")
    if not path.parent.is_dir():
        raise InvalidParameter(f"There is no folder {str(path.parent)!r} to write {path.name!r} to.")
    if path.exists() and not force:
        raise InvalidParameter(f"{str(path)!r} exists; --force replaces it.")


def counted(n: int, noun: str) -> str:
    """`1 row`, `2,000 rows`."""
    return f"{n:,} {noun if n == 1 else noun + 's'}"


def plain_table(heads: Sequence[str], left: int = 1) -> Any:
    """A table without lines; the first columns hold words, the others numbers."""
    from rich.table import Table

    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for i, head in enumerate(heads):
        table.add_column(head, justify="left" if i < left else "right", no_wrap=i == 0)
    return table
