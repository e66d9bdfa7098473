"""The command line. `suffice study DATA --target COLUMN` writes a report; `suffice --help` lists the rest.

    study.py, study_tables.py, progress.py   compare models on a table, write a report; how long it will take
    predicting.py, batches.py, column_model.py, outputs.py, scores.py   predict files of any size with a saved model
    models.py, catalogue.py                  names of models, and what each is
    book.py, book_index.py, references.py         figures and numbers of the texts
    fitting.py, findings.py, tables.py       fit one model to files of any size; what it found
    labels.py, label_tables.py, separation.py   the same for labels
    describing.py, description_page.py       what the columns of a file hold
    merging.py                               join files of models or statistics
    compatibility.py                         what changing the imports of a script would do
    words.py, terminal.py                    words of the shell to values; refusals, warnings, one look

typer and rich are imported when the program starts, so that without them it can say what to install.
Exit codes: 0 done, 1 the extra is missing, 2 the command or its data cannot be used, 130 stopped by Ctrl-C.
"""

import sys
from typing import Annotated, Any

from suffice._core.errors import MissingExtra
from suffice._core.frames import require
from suffice._core.terminals import any_terminal
from suffice._version import __version__
from suffice.cli import book, compatibility, describing, fitting, merging, models, predicting, study

__all__ = ["application", "main"]


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
    from typer.core import TyperGroup

    class Program(TyperGroup):
        def main(self, *args: Any, **options: Any) -> Any:
            with any_terminal():
                return super().main(*args, **options)

    app = typer.Typer(
        name="suffice",
        cls=Program,
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

    for room in (study, predicting, describing, fitting, merging, models, book, compatibility):
        room.register(app, typer)

    @app.command()
    def versions() -> None:
        """Print the versions of everything that could matter to a result."""
        from suffice._show_versions import show_versions

        show_versions()

    return app
