"""The command line. `suffice study DATA --target COLUMN` writes a report; `suffice --help` lists the rest.

typer and rich are imported when the program starts, so that without them it can say what to install.
Exit codes: 0 done, 1 the extra is missing, 2 the command or its data cannot be used.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from suffice._core.errors import MissingExtra, SufficeError
from suffice._core.frames import require
from suffice._version import __version__

QUICK_FOLDS, QUICK_ROWS = 3, 10_000


def main() -> None:
    """Entry point of the program `suffice`."""
    try:
        app = application()
    except MissingExtra as error:
        print(error, file=sys.stderr)
        raise SystemExit(1) from None
    app()


def application() -> Any:
    """The typer application."""
    typer = require("typer")
    app = typer.Typer(
        name="suffice",
        help="Probabilistic machine learning from sufficient statistics.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_show_locals=False,
    )

    def show_version(wanted: bool) -> None:
        if wanted:
            print(f"suffice {__version__}")
            raise typer.Exit

    @app.callback()
    def root(
        version: Annotated[
            bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)
        ] = False,
    ) -> None:
        pass

    @app.command()
    def study(
        data: Annotated[str, typer.Argument(help="A CSV or Parquet file, or a bundled data set: @diabetes.")],
        target: Annotated[
            str | None, typer.Option(help="The column to predict; a bundled set knows its own.")
        ] = None,
        folds: Annotated[int, typer.Option(help="Parts of the cross-validation.")] = 10,
        seed: Annotated[int, typer.Option(help="Decides how rows are shuffled.")] = 0,
        out: Annotated[Path, typer.Option(help="Folder for report.html and result.json.")] = Path(
            "suffice-study"
        ),
        models: Annotated[
            str | None, typer.Option(help="Names separated by commas; see `suffice models`.")
        ] = None,
        ignore: Annotated[
            list[str] | None, typer.Option(help="A column to leave out; may be repeated.")
        ] = None,
        quick: Annotated[
            bool, typer.Option("--quick", help=f"{QUICK_FOLDS} folds and at most {QUICK_ROWS} rows.")
        ] = False,
    ) -> None:
        """Compare models on a table and write a report."""
        with refusals(typer):
            names = None if models is None else [name.strip() for name in models.split(",") if name.strip()]
            run_study(data, target, QUICK_FOLDS if quick else folds, seed, out, names, ignore or [], quick)

    @app.command()
    def models() -> None:
        """List the models a study tries."""
        with refusals(typer):
            print_models()

    @app.command()
    def versions() -> None:
        """Print the versions of everything that could matter to a result."""
        from suffice._show_versions import show_versions

        show_versions()

    return app


@contextmanager
def refusals(typer: Any) -> Iterator[None]:
    """Errors that the library raises on purpose become one red line and an exit code."""
    try:
        yield
    except (SufficeError, OSError) as error:
        typer.secho(" ".join(str(error).split()), fg="red", err=True)
        raise typer.Exit(1 if isinstance(error, MissingExtra) else 2) from None


# -- what the commands do ------------------------------------------------------------------------------
def run_study(
    data: str,
    target: str | None,
    folds: int,
    seed: int,
    out: Path,
    models: Sequence[str] | None,
    ignore: Sequence[str],
    quick: bool,
) -> None:
    """Run, show progress, write both files, print the comparison."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    from suffice.study import Study

    console = Console(highlight=False)
    rows = QUICK_ROWS if quick else None
    study = Study(data, target, models=models, folds=folds, seed=seed, ignore=ignore, max_rows=rows)
    columns = (BarColumn(bar_width=24), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def tell(step: str, done: int, total: int) -> None:
            bar.update(task, description=step, completed=done, total=total + 1)

        result = study.run(tell)
        bar.update(task, description="writing the report", advance=1)
        page = result.report(out)
    print_result(console, result)
    console.print()
    console.print(f"The report is {page}", markup=False, soft_wrap=True)


def print_result(console: Any, result: Any) -> None:
    """The headline, what could not be used, and one line per model."""
    from rich.table import Table
    from rich.text import Text

    from suffice.study._numbers import DASH, number, percent, span, within

    c, sheet = result.comparison, result.data_sheet
    console.print(Text(result.answer.headline, style="bold"))
    for sentence in result.answer.sentences:
        console.print(Text(sentence))
    unused = len(sheet.of_role("not used"))
    if unused or sheet.n_used < sheet.n_rows:
        left = f"{sheet.n_used} of {sheet.n_rows} rows used; {unused} columns not used. The report says why."
        console.print(Text(left, style="yellow"))
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("model", no_wrap=True)
    for head in ("squared error", f"{percent(c.confidence)} interval", "typical error", "to the mean"):
        table.add_column(head, justify="right")
    for m in c.models:
        d = m.to_baseline
        lead = DASH if d is None else within(d.estimate, d.interval)
        cells = (within(m.estimate, m.interval), span(m.interval), number(m.rmse), lead)
        table.add_row(Text(m.title), *cells, style="bold green" if m.name == c.best else "")
    console.print()
    console.print(table)
    for f in c.failed:
        console.print(Text(f"{f.title} could not be fitted: {f.reason}", style="yellow"))


def print_models() -> None:
    """One line per entry of the registry."""
    from rich.console import Console
    from rich.table import Table

    from suffice.study import CANDIDATES

    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for head in ("name", "model", "what it is"):
        table.add_column(head)
    for c in CANDIDATES:
        table.add_row(c.name, c.title, c.description)
    Console(highlight=False).print(table)
