"""`suffice predict`: a saved model, files of any size, predictions with their uncertainty.

MODEL, DATA ─▶ batches of columns ─▶ predict_table ─▶ a CSV or Parquet file
                                  └▶ what is unlike the fit, and the loss where the target is known: told at the end
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice._core.memory_budget import MEMORY
from suffice.cli.terminal import ENCODING, MEGABYTES, encoded, note, refusals, remarks
from suffice.cli.words import names

LEVEL = 0.95


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""

    @app.command()
    def predict(
        model: Annotated[
            Path, typer.Argument(help="model.suffice of a study, or a model saved by `suffice fit`.")
        ],
        data: Annotated[
            list[str],
            typer.Argument(
                help="CSV, TSV, Parquet, Arrow, JSON lines, Excel, SQLite or DuckDB (file.db::table); patterns; "
                "@diabetes; - for what comes through a pipe."
            ),
        ],
        out: Annotated[
            str, typer.Option("--out", "-o", help="FILE.csv, FILE.parquet, or - to print CSV.")
        ] = "-",
        level: Annotated[
            float, typer.Option(help="The probability of the interval from low to high.")
        ] = LEVEL,
        keep: Annotated[
            list[str] | None, typer.Option(help="Columns of DATA to copy beside the predictions: id,name.")
        ] = None,
        target: Annotated[
            str | None,
            typer.Option(help="The column with the truth, to print the loss; a study's model knows its own."),
        ] = None,
        encoding: Annotated[str | None, typer.Option(help=ENCODING)] = None,
        force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
        memory: Annotated[int, typer.Option(help=MEGABYTES, min=0)] = MEMORY >> 20,
    ) -> None:
        """Predict the rows of a table: a number with its interval, or a label with the probability of each class."""
        with refusals(typer), quiet_pipe(typer), encoded(encoding):
            from suffice._core.errors import check_fraction
            from suffice.cli.outputs import check_predictions

            check_fraction("--level", level)
            check_predictions(out, force)
            predictor = loaded(model, target, memory << 20)
            with remarks(typer):
                done = run_predict(predictor, data, out, level, names(keep) or [], target)
            for line in done.mismatch.sentences() if done.mismatch is not None else ():
                note(typer, line, "yellow")
            for line in done.score.lines(level) if done.rows else ["The table has no rows."]:
                note(typer, line)
            if out != "-":
                rows = f"{done.rows:,} {'prediction is' if done.rows == 1 else 'predictions are'}"
                print(f"{rows} in {out}")


@contextmanager
def quiet_pipe(typer: Any) -> Iterator[None]:
    """Whoever reads the output may stop before its end, as `head` does: no reason to complain."""
    import os
    import sys

    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


# -- the work -----------------------------------------------------------------------------------------------------
def loaded(path: Path, target: str | None, memory: int = MEMORY) -> Any:
    """The model of a file, ready for tables."""
    from zipfile import is_zipfile

    from suffice._core.files import load
    from suffice.cli.column_model import column_model
    from suffice.study import TableModel

    if not path.is_file():
        raise InvalidInput(
            f"There is no model {str(path)!r}; `suffice study` and `suffice fit --out` write one."
        )
    if not is_zipfile(path):
        raise InvalidInput(
            f"{str(path)!r} is not a model that Suffice saved. The model comes first, then the table: "
            "`suffice predict model.suffice new.csv`."
        )
    model = load(path, memory=memory)
    return model if isinstance(model, TableModel) else column_model(model, target, path)


def run_predict(
    model: Any, data: list[str], out: str, level: float, keep: list[str], target: str | None
) -> Any:
    """Batch by batch; returns what is worth telling."""
    from suffice.cli.batches import added, batches
    from suffice.cli.describing import parts_bar
    from suffice.cli.outputs import writing
    from suffice.cli.scores import Done, score_for

    truth = target or model.target
    mismatch, rows = None, 0
    with batches(data) as (columns, parts), writing(out) as write, parts_bar(out == "-") as tick:
        check_columns(columns, keep, target)
        score = score_for(model.classes, truth if truth in columns else None)
        for part in parts:
            found = predicted(model, part, level)
            check_names(keep, found)
            write({name: part[name] for name in keep} | found)
            mismatch = added(mismatch, model.mismatch(part))
            if len(found["prediction"]):
                score.add(part, found)
            rows += len(found["prediction"])
            if tick is not None:
                tick()
    if mismatch is not None:
        known = {*keep, truth}
        mismatch = replace(mismatch, extra=tuple(name for name in mismatch.extra if name not in known))
    return Done(rows, mismatch, score)


def predicted(model: Any, part: dict[str, Any], level: float) -> dict[str, Any]:
    """Predictions of a batch. One without rows gets the columns that a row of gaps would have, and no row."""
    if len(next(iter(part.values()))):
        return model.predict_table(part, level)
    gaps = {name: np.array([None], dtype=object) for name in part}
    return {name: values[:0] for name, values in model.predict_table(gaps, level).items()}


def check_columns(columns: tuple[str, ...], keep: list[str], target: str | None) -> None:
    """Raise for names that the table lacks."""
    for option, wanted in (("--keep", keep), ("--target", [target] if target else [])):
        for name in wanted:
            if name not in columns:
                raise InvalidParameter(f"{option}: there is no column {name!r}.{did_you_mean(name, columns)}")


def check_names(keep: list[str], found: dict[str, Any]) -> None:
    """Raise where a kept column is called as one of the predictions is."""
    for name in keep:
        if name in found:
            raise InvalidParameter(
                f"--keep: {name!r} is also the name of a column of the predictions; rename it in the table first."
            )
