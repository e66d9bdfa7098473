"""`suffice study`: compare models on a table, or explore one, and write a report.

words, study.toml ─▶ chosen_options ─▶ Study ─▶ report.html and its files ─▶ `study_tables.py` prints the answer
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from suffice._core.errors import InvalidParameter
from suffice._core.frames import require
from suffice.cli.describing import chosen_types, piped
from suffice.cli.progress import progress_bar
from suffice.cli.terminal import ENCODING, INTERRUPTED, encoded, note, option_of, refusals, remarks
from suffice.cli.words import names

OUT = "suffice-study"


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""
    option = option_of(typer)
    roles, models_, work, files = "Columns and rows", "Models and validation", "Work", "Files"

    @app.command()
    def study(
        data: Annotated[
            str | None,
            typer.Argument(
                help="CSV, TSV, Parquet, Arrow, JSON lines, Excel, SQLite or DuckDB (file.db::table); a pattern of "
                "files; @diabetes; - for what comes through a pipe."
            ),
        ] = None,
        target: Annotated[
            str | None,
            option("The column to predict. Without it the table is explored; bundled data know their own."),
        ] = None,
        quick: Annotated[
            bool, option("5 × 3 folds, at most 10,000 rows, no outside references.", "--quick")
        ] = False,
        thorough: Annotated[bool, option("10 × 10 folds instead of 5 × 5.", "--thorough")] = False,
        effort: Annotated[
            str | None, option("quick, default or thorough: the two flags above, as study.toml says it.")
        ] = None,
        example: Annotated[
            str | None, option("A bundled example instead of DATA; an unknown name lists them.")
        ] = None,
        task: Annotated[
            str | None,
            option("regression, counts, binary or multi-class, where values leave it open.", panel=roles),
        ] = None,
        group: Annotated[
            str | None,
            option("Rows with the same value stay together, as those of one patient.", panel=roles),
        ] = None,
        time: Annotated[
            str | None, option("Orders the rows: the past predicts what comes after.", panel=roles)
        ] = None,
        horizon: Annotated[
            int | None,
            option(
                "Predict a series so many steps ahead, from nothing newer; 0: not from its past.", panel=roles
            ),
        ] = None,
        weights: Annotated[
            str | None, option("How many equal rows each row stands for, in whole numbers.", panel=roles)
        ] = None,
        ignore: Annotated[
            list[str] | None, option("Columns to leave out: a,b. Repeatable.", panel=roles)
        ] = None,
        types: Annotated[
            list[str] | None,
            option("What a column means: zip=nominal, size=small<medium<large. Repeatable.", panel=roles),
        ] = None,
        decimal: Annotated[
            str | None, option("The decimal mark of numbers in text: . or ,", panel=roles)
        ] = None,
        encoding: Annotated[str | None, option(ENCODING, panel=roles)] = None,
        max_rows: Annotated[int | None, option("Draw at most this many rows at random.", panel=roles)] = None,
        models: Annotated[
            list[str] | None, option("Names: ridge,lasso. See `suffice models`.", panel=models_)
        ] = None,
        folds: Annotated[
            int | None, option("Folds of the outer layer, which judges the models.", panel=models_)
        ] = None,
        inner: Annotated[
            int | None, option("Folds of the inner layer, which chooses parameters.", panel=models_)
        ] = None,
        references: Annotated[
            bool | None,
            option(
                "Also run scikit-learn's forest and boosting, for comparison.",
                "--references/--no-references",
                panel=models_,
                show_default=False,
            ),
        ] = None,
        confidence: Annotated[
            float | None, option("The confidence of every interval; 0.95 if left out.", panel=models_)
        ] = None,
        seed: Annotated[
            int | None, option("Decides how rows are shuffled; 0 if left out.", panel=work)
        ] = None,
        jobs: Annotated[int | None, option("Processes for models that must be refitted.", panel=work)] = None,
        out: Annotated[
            Path | None,
            option(f"Folder of the report and its files; {OUT} if left out.", "--out", "-o", panel=files),
        ] = None,
        name: Annotated[str | None, option("Title of the report.", panel=files)] = None,
        force: Annotated[
            bool, option("Replace files in the folder that no study wrote.", "--force", panel=files)
        ] = False,
        config: Annotated[
            Path | None,
            option("A file such as study.toml with the same options; those given here win.", panel=files),
        ] = None,
    ) -> None:
        """Compare models on a table and write a report; without a target, explore the table."""
        with refusals(typer), encoded(encoding):
            given = {
                "target": target, "task": task, "effort": chosen_effort(quick, thorough, effort), "group": group,
                "time": time, "horizon": horizon, "weights": weights, "ignore": names(ignore),
                "types": chosen_types(types) or None, "decimal": decimal, "max_rows": max_rows, "models": names(models),
                "folds": folds, "inner": inner,
                "references": references, "confidence": confidence, "seed": seed, "jobs": jobs, "name": name,
                "data": data, "out": out,
            }  # fmt: skip
            options = chosen_options(given, config)
            check_place(folder := Path(options.pop("out", None) or OUT), force)
            origin = origin_of(options.get("data"), example)
            with table_of(options, example) as (table, known), remarks(typer):
                run_study(typer, table, known | options, folder, origin)


# -- words to a study ---------------------------------------------------------------------------------------------
def chosen_effort(quick: bool, thorough: bool, effort: str | None = None) -> str | None:
    """The effort that a flag or the option names; None without one."""
    flags = {"--quick": "quick"} if quick else {}
    flags |= {"--thorough": "thorough"} if thorough else {}
    flags |= {f"--effort {effort}": effort} if effort is not None else {}
    if len(set(flags.values())) > 1:
        raise InvalidParameter(f"{' and '.join(flags)} contradict each other; give one.")
    return next(iter(flags.values()), None)


def chosen_options(given: dict[str, Any], config: Path | None) -> dict[str, Any]:
    """Options of the file, with those of the command line in their place; types are joined, name by name."""
    from suffice.study.options import read_options

    chosen = {name: value for name, value in given.items() if value is not None}
    read = {} if config is None else read_options(config)
    for name, kind, words in (("types", dict, "a table"), ("data", str, "a text"), ("out", str, "a text")):
        if not isinstance(read.get(name, kind()), kind):
            raise InvalidParameter(f"{str(config)!r}: {name} must be {words}; got {read[name]!r}.")
    if "types" in read and "types" in chosen:
        chosen["types"] = read["types"] | chosen["types"]
    return read | chosen


def check_place(folder: Path, force: bool = False) -> None:
    """Raise before any work if the report cannot be written there, or would replace what no study wrote."""
    from suffice.study.page.files import lost

    page = is_page(folder)
    if folder.is_file() and not page:
        raise InvalidParameter(
            f"--out: {str(folder)!r} is a file; name a folder, or a page that ends in .html."
        )
    if page and folder.is_dir():
        raise InvalidParameter(f"--out: {str(folder)!r} is a folder; a page needs another name.")
    foreign = [] if force else lost(folder)
    if foreign:
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise InvalidParameter(
            f"--out: no study wrote {foreign[0]!r}{more}, which the report would replace; name another folder, or "
            "--force."
        )


def is_page(out: Path) -> bool:
    """Whether `--out` names the page itself; else it names the folder."""
    return out.suffix.lower() in (".html", ".htm")


def origin_of(data: Any, example: str | None) -> tuple[str, ...]:
    """Lines of a program that get the table again; none where the path says it."""
    if example is not None:
        return ("from suffice.study.examples import example", f"table = example({example!r}).table")
    if data == "-":
        return ("# The table came through a pipe: save it under this name first.", 'table = "table.csv"')
    return ()


@contextmanager
def table_of(options: dict[str, Any], example: str | None) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The table, and options that come with it; takes `data` out of the options."""
    data = options.pop("data", None)
    if example is not None:
        if data is not None:
            raise InvalidParameter(f"--example {example} brings its own table; leave {str(data)!r} out.")
        yield example_of(example)
        return
    if data is None:
        raise InvalidParameter(
            "There is no table: name a file, as in `suffice study houses.csv --target price`, or take --example."
        )
    if data == "-":
        from suffice.prepare.looking.gathering import gather_table

        with piped() as path:
            table = gather_table(path)
        yield table, {"name": "standard input"}
        return
    yield data, {}


def example_of(name: str) -> tuple[Any, dict[str, Any]]:
    """A bundled example by name; its options know the target."""
    from suffice.study.examples import EXAMPLES, example

    if name not in EXAMPLES:
        listed = "; ".join(f"{e.name} ({e.title})" for e in EXAMPLES.values())
        raise InvalidParameter(f"--example: there is no {name!r}. There are: {listed}.")
    found = example(name)
    return found.table, dict(found.options)


# -- the work -----------------------------------------------------------------------------------------------------
def run_study(
    typer: Any, table: Any, options: dict[str, Any], out: Path, origin: tuple[str, ...] = ()
) -> None:
    """Run, show progress, write the files, print the answer. Finished models survive Ctrl-C."""
    from suffice.cli.study_tables import print_study
    from suffice.study import Study
    from suffice.study.page.files import UNFINISHED

    for part in ("jinja2", "matplotlib"):  # before the work, not after it
        require(part)
    study = Study(table, options.pop("target", None), **options)
    kept = (out.parent if is_page(out) else out) / UNFINISHED
    try:
        with progress_bar() as update:
            result = with_origin(study.run(update, keep=kept), origin)
            update("writing the report", 1, 1)
            page = result.report(out)
    except KeyboardInterrupt:
        note(typer, stopped(kept), "yellow")
        raise typer.Exit(INTERRUPTED) from None
    forget(kept)
    print_study(result, page)


def with_origin(result: Any, origin: tuple[str, ...]) -> Any:
    """The result, whose program gets the table itself: an example by its name, a piped one from a file."""
    if not origin:
        return result
    lines = [line for line in result.appendix.script.splitlines() if not line.startswith("# table:")]
    first = next(i for i, line in enumerate(lines) if line.startswith("study = "))
    imports = [line for line in origin if line.startswith("from ")]
    rest = [line for line in origin if line not in imports]
    above = [line for line in lines[:first] if line]
    script = "\n".join([*above, *imports, "", *rest, *lines[first:]])
    return replace(result, appendix=replace(result.appendix, script=script))


def stopped(kept: Path) -> str:
    """What is kept, and how to go on."""
    n = len(list(kept.glob("*.suffice")))
    if not n:
        return "Stopped before any model was finished, so nothing is kept."
    models = "1 finished model is" if n == 1 else f"{n} finished models are"
    return f"Stopped. {models} kept in {kept}; the same command goes on from there."


def forget(kept: Path) -> None:
    """Parts hold single rows of the table: they go as soon as the report is there."""
    for part in kept.glob("*.suffice"):
        part.unlink(missing_ok=True)
    with suppress(OSError):  # other files, or those of another study, stay
        kept.rmdir()
