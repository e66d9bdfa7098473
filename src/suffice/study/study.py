"""The thin shell: options in, a `StudyResult` out."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, fields
from pathlib import Path
from typing import Any

from suffice._show_versions import versions
from suffice.study.dates import today
from suffice.study.models import Candidate, chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.copies import copies_remark
from suffice.study.reading.problem import Problem, fitting_problem
from suffice.study.reading.source import StudySource, read
from suffice.study.reading.time_hint import time_remark
from suffice.study.result import StudyResult
from suffice.study.sections import Answer, Appendix, AuditSection, DataSheet, DescriptionSection, Failed
from suffice.study.steps import words
from suffice.study.steps.chosen import chosen_section
from suffice.study.steps.compare import candidates_section, comparison_section
from suffice.study.steps.forecast import forecast_section
from suffice.study.steps.kept import KeptParts
from suffice.study.steps.leaks import leak_sentence
from suffice.study.steps.learning import learning_section
from suffice.study.steps.predictive import predictive_section
from suffice.study.steps.sensitivity import sensitivity_section
from suffice.study.steps.table import audit_section, data_sheet, description_section
from suffice.study.steps.validate import Trial, join_layers

Progress = Callable[[str, float, float], None]
Looked = tuple[DataSheet, AuditSection, DescriptionSection]


@dataclass
class Study:
    """Compares models on a table and says which predicts best, how well, and how sure that is.

    Parameters
    ----------
    table
        A path to a file (CSV, Parquet, Arrow, JSON lines, Excel, SQLite, DuckDB), a table in memory (pandas, polars,
        Arrow, a dict of columns), a record of `suffice.datasets`, or the name of one written "@diabetes".
    target
        The column to predict: numbers, counts, or labels. A bundled data set knows its own. Without any, the table is
        explored.
    task
        "regression", "counts", "binary" or "multi-class", where the values leave it open.
    models
        Names from `suffice.study.CANDIDATES`, or `Candidate`s; None means all that suit the task. The baseline is
        always in.
    effort
        "quick" (5 × 3 folds, at most 10,000 rows, no references), "default" (5 × 5) or "thorough" (10 × 10).
    folds, inner
        Folds of the outer and the inner layer, instead of those of the effort.
    seed
        Decides how rows are shuffled.
    group
        A column whose rows stay together, as those of one patient; intervals of losses count groups, not rows. Without
        it, rows that are copies of others are kept together, if there are many.
    time
        A column that orders the rows: every block is predicted from what came before it. Numbers are compared with
        their last known value too, and tests count stretches of time instead of rows. A series, one row per moment with
        few or no other columns, is predicted from its own past; of several series, `group` tells them apart.
    horizon
        How many steps ahead a series is predicted: nothing newer than that is used, of other columns too. None means
        one step, with other columns as they stand in the row; 0 means that the past is not used.
    weights
        A column that says how many equal rows each row stands for, in whole numbers; weights of a survey are refused.
    ignore
        Columns to leave out.
    types
        What columns mean, by name, as for `prepare.attribute_types`.
    decimal
        The decimal mark of numbers in text, "." or ","; left out, each column decides once for all its cells.
    max_rows
        Draw at most this many rows at random.
    confidence
        Of every interval.
    references
        Whether scikit-learn's random forest and gradient boosting are run beside, as orientation.
    jobs
        Processes for models that must be refitted.
    name
        Title of the report.
    keep
        A folder for finished parts: a study that was stopped goes on from there, and one that is run again is quick.
        The files hold targets and predictions of single rows.

    Examples
    --------
    >>> from suffice.study import Study
    >>> result = Study("@olympic_100m_men", models=["linear"], folds=5, references=False).run()
    >>> print(result.answer.headline)
    Linear regression predicts seconds with a typical error of 0.2497 on new rows, against 0.5417 for the mean alone.
    """

    table: Any
    target: str | None = None
    _: KW_ONLY
    task: str | None = None
    models: Sequence[str | Candidate] | None = None
    effort: str = "default"
    folds: int | None = None
    inner: int | None = None
    seed: int = 0
    group: str | None = None
    time: str | None = None
    horizon: int | None = None
    weights: str | None = None
    ignore: Sequence[str] = ()
    types: Mapping[str, Any] | None = None
    decimal: str | None = None
    max_rows: int | None = None
    confidence: float = 0.95
    references: bool | None = None
    jobs: int | None = None
    name: str | None = None
    keep: str | os.PathLike | None = None

    @property
    def options(self) -> Options:
        """What was asked for, checked."""
        given = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("table", "keep", "_")}
        return Options(**given)

    def run(self, progress: Progress | None = None, keep: str | os.PathLike | None = None) -> StudyResult:
        """Carry out the study.

        Parameters
        ----------
        progress
            Is told what comes next, as (step, done, total); done/total is about the share of the time.
        keep
            A folder for finished parts, instead of the one of the study.
        """
        options, clock = self.options, _Clock(progress)
        with clock("reading the table", "read"):
            source = read(self.table, self.seed, options.decimal)
            target = options.target or source.target
            problem = None
            if target is not None:
                problem, options = fitting_problem(source, options)
        with clock("looking at the table", "look"):
            sheet = data_sheet(source, problem, options)
            audit = audit_section(source, target, problem)
            description = description_section(source, target, options.types)
        if problem is None:
            seen = (audit.sentence, *description.sentences)[:2]
            answer = Answer("There is no target, so nothing was predicted.", seen, ())
            empty = (None,) * 6
            appendix = self._appendix(source, options, clock.seconds)
            return StudyResult(
                self._name(source),
                answer,
                sheet,
                audit,
                description,
                *empty,
                appendix,
                None,
                None,
                None,
                source,
            )
        kept = KeptParts(self.keep if keep is None else keep, problem, options)
        return self._compare(source, problem, options, clock, (sheet, audit, description), kept)

    def _compare(
        self,
        source: StudySource,
        problem: Problem,
        options: Options,
        clock: _Clock,
        looked: Looked,
        kept: KeptParts,
    ) -> StudyResult:
        candidates, skipped = chosen_candidates(problem, options.models, options.amount.references)
        clock.plan(problem, options, [c for c in candidates if not kept.has(c)])
        trials: list[Trial | Failed] = []
        for candidate in candidates:
            with clock(f"validating {candidate.title}", f"validate {candidate.name}"):
                trials.append(kept.trial(candidate))
        done = [t for t in trials if isinstance(t, Trial)]
        with clock("comparing", "compare"):
            comparison, claims = comparison_section(trials, problem, options)
        best = next(t for t in done if t.name == comparison.best)
        with clock("fitting the chosen model", "fit"):
            model, chosen = chosen_section(best, problem, options)
            predictive = predictive_section(best, problem, options)
            forecast = forecast_section(best, chosen.params, problem, options)
        with clock("growing the training set", "learning curve"):
            learning = learning_section(best, problem, options, comparison.proven)
        with clock("changing one thing at a time", "sensitivity"):
            sensitivity = sensitivity_section(done, comparison, problem, options, chosen.params)
        return StudyResult(
            self._name(source),
            words.answer(
                problem.target,
                comparison,
                leak_sentence(problem.target, looked[1]),
                (copies_remark(problem.remarks), time_remark(problem.remarks)),
            ),
            *looked,
            candidates_section(candidates, problem, skipped),
            comparison,
            chosen,
            predictive,
            learning,
            sensitivity,
            self._appendix(source, options, clock.seconds),
            model,
            join_layers(done),
            problem,
            source,
            claims,
            forecast,
        )

    def report(self, path: str | os.PathLike) -> Path:
        """Run, and write `report.html` and the files beside it into the folder `path`; returns the page."""
        return self.run().report(path)

    def _name(self, source: StudySource) -> str:
        return self.name or source.name

    def _appendix(self, source: StudySource, options: Options, seconds: dict[str, float]) -> Appendix:
        total = {**seconds, "total": sum(seconds.values())}
        given = options.given()
        return Appendix(source.origin, source.sha256, given, self._script(given), versions(), total, today())

    def _script(self, given: dict[str, Any]) -> str:
        """A program that repeats this study."""
        path = isinstance(self.table, str | os.PathLike)
        table = repr(os.fspath(self.table)) if path else "table"
        lines = [f"    {name}={_written(value)}," for name, value in given.items()]
        head = [] if path else ["# table: the data this study was given"]
        body = ["study = Study(", f"    {table},", *lines, ")", 'study.report("suffice-study")']
        return "\n".join(["from suffice.study import Study", "", *head, *body])


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return repr([v.name if isinstance(v, Candidate) else v for v in value])
    return repr(value)


class _Clock:
    """Tells what comes next, and keeps how long each step took; steps that take longer count for more."""

    def __init__(self, progress: Progress | None):
        self.progress, self.done = progress, 0.0
        self.planned = {"read": 0.2, "look": 0.5}
        self.seconds: dict[str, float] = {}

    def plan(self, problem: Problem, options: Options, candidates: Sequence[Candidate]) -> None:
        """Foretell the seconds of the steps to come, roughly: those of our models are needed twice and more."""
        work = options.amount.outer * options.amount.inner / 25
        each = {c.name: c.seconds(problem) * work for c in candidates}
        ours = sum(each[c.name] for c in candidates if c.kind == "model")
        self.planned |= {f"validate {name}": seconds for name, seconds in each.items()}
        self.planned |= {
            "compare": 0.1,
            "fit": 0.5,
            "learning curve": 0.5 + 0.2 * ours,
            "sensitivity": 1.0 + ours,
        }

    @contextmanager
    def __call__(self, step: str, name: str) -> Any:
        if self.progress is not None:
            self.progress(step, self.done, max(sum(self.planned.values()), self.done))
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start
        self.done += self.planned.get(name, 0.0)
