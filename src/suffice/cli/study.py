"""`suffice study`: compare models on a table and write a report."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from suffice.cli.terminal import plain_table, refusals

QUICK_FOLDS, QUICK_ROWS = 3, 10_000


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""

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
    from rich.text import Text

    from suffice.study.numbers import DASH, number, percent, span, within

    c, sheet = result.comparison, result.data_sheet
    console.print(Text(result.answer.headline, style="bold"))
    for sentence in result.answer.sentences:
        console.print(Text(sentence))
    unused = len(sheet.of_role("not used"))
    if unused or sheet.n_used < sheet.n_rows:
        left = f"{sheet.n_used} of {sheet.n_rows} rows used; {unused} columns not used. The report says why."
        console.print(Text(left, style="yellow"))
    table = plain_table(
        ("model", "squared error", f"{percent(c.confidence)} interval", "typical error", "to the mean")
    )
    for m in c.models:
        d = m.to_baseline
        lead = DASH if d is None else within(d.estimate, d.interval)
        cells = (within(m.estimate, m.interval), span(m.interval), number(m.rmse), lead)
        table.add_row(Text(m.title), *cells, style="bold green" if m.name == c.best else "")
    console.print()
    console.print(table)
    for f in c.failed:
        console.print(Text(f"{f.title} could not be fitted: {f.reason}", style="yellow"))
