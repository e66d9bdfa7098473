"""`suffice merge`: models or statistics of several sites become one, without their rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from suffice._core.disclosure import rows_of, statistics_in
from suffice._core.errors import InvalidParameter, UnsafeFile
from suffice._core.files import MINIMUM_ROWS, load, save
from suffice._core.memory_budget import MEMORY
from suffice.cli.terminal import MEGABYTES, check_output, console, plain_table, refusals, remarks


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""

    @app.command("merge")
    def command(
        files: Annotated[
            list[Path], typer.Argument(help="Files of models, or of statistics, all of one kind.")
        ],
        out: Annotated[Path, typer.Option("--out", "-o", help="The file to write; it ends in .suffice.")],
        force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
        minimum_rows: Annotated[
            int, typer.Option(help="Refuse to write statistics alone of fewer rows.", min=0)
        ] = MINIMUM_ROWS,
        memory: Annotated[int, typer.Option(help=MEGABYTES, min=0)] = MEMORY >> 20,
    ) -> None:
        """Join models, or statistics, of different rows into one that has seen all of them."""
        with refusals(typer), remarks(typer):
            check_output(out, force)
            run_merge(files, out, minimum_rows, memory << 20)


def run_merge(files: Sequence[Path], out: Path, minimum_rows: int, memory: int = MEMORY) -> None:
    """Load, merge, save, and say what was merged."""

    from suffice._models import merge

    _refuse_twins(files)
    parts = [_loaded(path, memory) for path in files]
    whole: Any = merge(parts, names=[str(path) for path in files])
    save(whole, out, minimum_rows=minimum_rows)
    table = plain_table(("file", "holds", "rows"), left=2)
    for path, part in zip((*files, out), (*parts, whole), strict=True):
        total = path is out
        table.add_row(str(path), type(part).__name__, f"{rows(part):,}", style="bold green" if total else "")
    console().print(table)


def rows(part: Any) -> int:
    """Rows behind a model or a statistic, all of its folds together."""
    from suffice._models import summed

    return round(sum(rows_of(s) for _, s in statistics_in(summed(part))))


def _loaded(path: Path, memory: int) -> Any:
    try:
        return load(path, memory=memory)
    except UnsafeFile as error:
        text = str(error)
        raise UnsafeFile(text if path.name in text else f"{path}: {text}") from None


def _refuse_twins(files: Sequence[Path]) -> None:
    """A file given twice would count its rows twice."""
    seen: set[Path] = set()
    for path in files:
        if path.resolve() in seen:
            raise InvalidParameter(f"{str(path)!r} is given twice; its rows would count twice.")
        seen.add(path.resolve())
