"""`suffice fit`: one model, files of any size, one pass; a few for models that Newton's method fits.

words ─▶ Request ─▶ engine ─▶ CommandFit (model, statistics, losses) ─▶ `findings.py`, `tables.py`

With folds the pass leaves their statistics, and these answer for everything else: the loss, a path of values for one
parameter, the selection of columns, and the final model. A model that Newton's method fits has no such statistics: it
is fitted to the files without each fold, and the statistics of the folds are those of the baseline, which it is
compared with.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NamedTuple

from suffice._core.disclosure import MINIMUM_ROWS
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.cli.models import check_parameter, chosen_model
from suffice.cli.terminal import ENCODING, check_output, encoded, option_of, refusals, remarks
from suffice.cli.words import assignment, condition, names, values

EXECUTORS = ("threads", "processes", "serial")


class Request(NamedTuple):
    """What to fit, to what, and how."""

    source: Any
    target: str | None
    options: dict[str, Any]
    folds: int | None = None
    path: tuple[str, list[Any]] | None = None
    one_se: bool = False
    select: bool = False


class CommandFit(NamedTuple):
    """What a fit found: `statistics` are those of the folds if there are any, else those of all rows."""

    model: Any
    statistics: Any
    seconds: float
    validation: Any = None
    path: Any = None
    selection: Any = None


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""
    option = option_of(typer)
    rows, check, work, files = "Columns and rows", "Validation", "Work", "Files"

    @app.command()
    def fit(
        data: Annotated[
            list[str],
            typer.Argument(help="Files (CSV, Parquet, Excel, SQLite, …), patterns, folders; or @diabetes."),
        ],
        target: Annotated[str | None, option("The column to predict; a bundled set knows its own.")] = None,
        model: Annotated[str, option("See `suffice models`.")] = "linear",
        settings: Annotated[
            list[str] | None, option("A parameter: alpha=2.0, priors=uniform. Repeatable.", "--set")
        ] = None,
        columns: Annotated[
            list[str] | None, option("Inputs: a,b,c. All others if left out.", panel=rows)
        ] = None,
        weight: Annotated[
            str | None, option("The column that says how often a row counts.", panel=rows)
        ] = None,
        categories: Annotated[list[str] | None, option("Columns of text: city,day.", panel=rows)] = None,
        where: Annotated[
            list[str] | None, option("A condition: 'age >= 18'. Repeatable.", panel=rows)
        ] = None,
        encoding: Annotated[str | None, option(ENCODING, panel=rows)] = None,
        folds: Annotated[int | None, option("Cross-validate in the same pass.", panel=check)] = None,
        seed: Annotated[int, option("Decides the fold of each row.", panel=check)] = 0,
        path: Annotated[str | None, option("Try values: alpha=0.1,1,10. Needs folds.", panel=check)] = None,
        one_se: Annotated[
            bool, option("Take the simplest value within one standard error.", "--one-se", panel=check)
        ] = False,
        select: Annotated[bool, option("Forward selection. Needs folds.", "--select", panel=check)] = False,
        executor: Annotated[str, option("threads, processes or serial.", panel=work)] = "threads",
        workers: Annotated[int | None, option("How many; all cores if left out.", panel=work)] = None,
        skip_corrupt: Annotated[
            bool, option("Leave out files that cannot be read.", "--skip-corrupt", panel=work)
        ] = False,
        out: Annotated[Path | None, option("Save the model.", "--out", "-o", panel=files)] = None,
        statistics: Annotated[Path | None, option("Save the statistics alone.", panel=files)] = None,
        minimum_rows: Annotated[
            int, option("Refuse to save statistics alone of fewer rows.", panel=files, min=0)
        ] = MINIMUM_ROWS,
        force: Annotated[bool, option("Replace files that exist.", "--force", panel=files)] = False,
        as_json: Annotated[bool, option("Print JSON instead of tables.", "--json")] = False,
    ) -> None:
        """Fit a model to files of any size, and cross-validate it: in one pass, or a few with a link function."""
        with refusals(typer), encoded(encoding):
            for file in (out, statistics):
                check_output(file, force)
            if out is not None and out == statistics:
                raise InvalidParameter(f"--out and --statistics name the same file, {str(out)!r}.")
            candidate, estimator = chosen_model(model, settings or ())
            opened, known = open_data(data)
            options = {
                "columns": names(columns),
                "weight": weight,
                "categories": names(categories),
                "where": [condition(text) for text in where or ()] or None,
                "executor": chosen_executor(executor, workers),
                "corrupt": "skip" if skip_corrupt else "raise",
            } | ({} if folds is None else {"seed": seed})
            request = Request(
                opened, target or known, options, folds, chosen_path(path, estimator), one_se, select
            )
            check_request(request, estimator)
            check_saved(statistics, estimator)
            with remarks(typer) as said, passes_bar(estimator, as_json):
                result = fitted(estimator, request)
            save_results(result, out, statistics, minimum_rows)
            show(candidate, result, request, said, as_json)


# -- words to a request -----------------------------------------------------------------------------------
def open_data(data: list[str]) -> tuple[Any, str | None]:
    """Paths as they are; a bundled set as a table, with the name of its target."""
    if not any(word.startswith("@") for word in data):
        return data, None
    if len(data) > 1:
        raise InvalidParameter(f"A bundled set stands alone; got {', '.join(data)}.")
    from suffice._core.frames import require
    from suffice.study.reading.source import read

    source = read(data[0])
    columns = {name: c.astype("M8[us]") if c.dtype.kind == "M" else c for name, c in source.columns.items()}
    return require("pyarrow").table(columns), source.target


def chosen_executor(name: str, workers: int | None) -> Any:
    """An executor from its name and the number of workers."""
    from suffice.engine import Processes, Threads

    if name not in EXECUTORS:
        raise InvalidParameter(f"--executor must be one of {', '.join(EXECUTORS)}; got {name!r}.")
    if name == "serial":
        if workers not in (None, 1):
            raise InvalidParameter(f"--executor serial has one worker; got --workers {workers}.")
        return name
    return Threads(workers) if name == "threads" else Processes(workers)


def chosen_path(text: str | None, model: Any) -> tuple[str, list[Any]] | None:
    """A parameter and the values to try."""
    if text is None:
        return None
    name, words = assignment("--path", text)
    check_parameter(model, name, "--path")
    return name, values(words)


def check_request(request: Request, model: Any) -> None:
    """Raise for options that need each other."""
    from sklearn.base import is_classifier

    from suffice._estimator import LinearModel
    from suffice.engine.protocols import FitsByPasses

    if request.target is None:
        raise InvalidParameter("--target must name the column to predict.")
    for flag, given in (("--path", request.path is not None), ("--select", request.select)):
        if given and request.folds is None:
            raise InvalidParameter(f"{flag} compares losses on rows not fitted: add --folds 10.")
    if request.path is not None and is_classifier(model):
        raise InvalidParameter(
            f"--path compares squared losses, and {type(model).__name__} has none; in Python, "
            "evaluation.SearchCV compares settings of a classifier."
        )
    if request.path is not None and isinstance(model, FitsByPasses):
        raise InvalidParameter(
            f"--path reads statistics, and {type(model).__name__} passes over the rows for every value; in Python, "
            "evaluation.validate_path does so."
        )
    if request.one_se and request.path is None:
        raise InvalidParameter("--one-se chooses among the values of --path; give one.")
    if request.select and not (isinstance(model, LinearModel) and model.basis is None):
        raise InvalidParameter(
            f"--select needs a linear model; {type(model).__name__} has no columns to drop."
        )


def check_saved(statistics: Path | None, model: Any) -> None:
    """Raise where there are no statistics to save."""
    from suffice.engine.protocols import FitsByPasses

    if statistics is not None and isinstance(model, FitsByPasses):
        raise InvalidParameter(
            f"--statistics: {type(model).__name__} passes over the rows several times, and what a pass leaves is of no "
            "use to another fit; save the model with --out."
        )


# -- the work ---------------------------------------------------------------------------------------------
def fitted(model: Any, request: Request) -> CommandFit:
    """One pass over the source; everything else comes from its statistics."""
    from suffice import engine
    from suffice.engine.protocols import FitsByPasses

    start = perf_counter()
    if request.folds is not None and isinstance(model, FitsByPasses):
        return _fitted_by_passes(model, request, start)
    if request.folds is None:
        model = engine.fit(model, request.source, request.target, **request.options)
        return CommandFit(model, model.statistics_, perf_counter() - start)
    validation = engine.cross_validate(
        model, request.source, request.target, folds=request.folds, **request.options
    )
    folded = validation.statistics
    path = None if request.path is None else _best_value(model, folded, *request.path, request.one_se)
    selection = _selected(model, folded) if request.select else None
    whole = folded.whole if selection is None else folded.whole.select(_positions(selection))
    return CommandFit(model.solve(whole), folded, perf_counter() - start, validation, path, selection)


def _fitted_by_passes(model: Any, request: Request, start: float) -> CommandFit:
    """Fits without each fold, then to all rows; the folds are counted for the baseline."""
    from sklearn.base import is_classifier

    from suffice import engine
    from suffice.baselines import MajorityClassifier, MeanRegressor

    folded = {"folds": request.folds, **request.options}
    validation = engine.cross_validate(model, request.source, request.target, **folded)
    baseline = MajorityClassifier() if is_classifier(model) else MeanRegressor()
    counted = engine.cross_validate(baseline, request.source, request.target, **folded).statistics
    options = {k: v for k, v in request.options.items() if k != "seed"}
    model = engine.fit(model, request.source, request.target, **options)
    return CommandFit(model, counted, perf_counter() - start, validation)


def _best_value(model: Any, folded: Any, name: str, tried: list[Any], one_se: bool) -> Any:
    """The path; the model takes the value it recommends."""
    from suffice.evaluation import validate_path

    path = validate_path(model, folded, param=name, values=tried)
    model.set_params(**{name: path.one_standard_error if one_se else path.best})
    return path


def _selected(model: Any, folded: Any) -> Any:
    from suffice.evaluation import select_features

    return select_features(model, folded)


def _positions(selection: Any) -> list[int]:
    return [i for i, kept in enumerate(selection.support) if kept]


def save_results(fit: CommandFit, out: Path | None, statistics: Path | None, minimum_rows: int) -> None:
    """Write the files that were asked for; the model first, since statistics alone may be refused."""
    from suffice._core.files import save

    if out is not None:
        save(fit.model, out)
    if statistics is not None:
        try:
            save(fit.statistics, statistics, minimum_rows=minimum_rows)
        except InvalidInput as error:
            raise InvalidInput(f"{statistics}: {error}") from None


@contextmanager
def passes_bar(model: Any, quiet: bool) -> Iterator[None]:
    """A bar for fits that take a while, where somebody watches."""
    if quiet or not (sys.stderr.isatty() and sys.stdout.isatty()):
        yield
        return
    try:
        from sklearn.callback import ProgressBar
    except ImportError:  # scikit-learn before 1.9
        yield
        return
    model.set_callbacks(ProgressBar())
    yield
    model.set_callbacks()


def show(candidate: Any, fit: CommandFit, request: Request, said: list[str], as_json: bool) -> None:
    """Print what was found."""
    from suffice.cli.findings import found, print_json
    from suffice.cli.tables import print_found

    printer: Callable[[Any], None] = print_json if as_json else print_found
    printer(found(candidate, fit, request, said))
