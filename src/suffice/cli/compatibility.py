"""`suffice compat`: which imports of a script could be ours, and what would change."""

from typing import Annotated, Any


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""

    @app.command("compat")
    def command(
        paths: Annotated[
            list[str], typer.Argument(help="Scripts, notebooks, or folders of them; - is standard input.")
        ],
        as_data: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
        diff: Annotated[bool, typer.Option("--diff", help="Print the swap as a patch.")] = False,
        write: Annotated[
            bool, typer.Option("--write", help="Print the swapped script; no file is changed.")
        ] = False,
    ) -> None:
        """Say which imports from scikit-learn could be swapped, what would change, and what is not covered."""
        from suffice._core.errors import InvalidParameter
        from suffice.cli.terminal import refusals
        from suffice.compat.program import run

        with refusals(typer):
            if as_data + diff + write > 1:
                raise InvalidParameter("--json, --diff and --write are three answers; ask for one of them.")
            raise typer.Exit(run(paths, as_data=as_data, diff=diff, write=write))
