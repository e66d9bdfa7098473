"""The thin shell: settings in, a `StudyResult` out."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

from sklearn.model_selection import KFold

from suffice._core.errors import InvalidParameter, check_fraction, check_number
from suffice._show_versions import versions
from suffice.study import _steps
from suffice.study._read import Source, read
from suffice.study._registry import BASELINE, Candidate, chosen_candidates
from suffice.study._sections import Appendix, Failed
from suffice.study._steps import Trial
from suffice.study._table import prepare
from suffice.study.result import StudyResult

Progress = Callable[[str, int, int], None]


@dataclass
class Study:
    """Compares models on a table and says which predicts best, how well, and how sure that is.

    Parameters
    ----------
    table
        A path to a CSV or Parquet file, a polars or pandas DataFrame, a record of `suffice.datasets`, or
        the name of one written "@diabetes".
    target
        The column to predict; numeric. A bundled data set knows its own.
    models
        Names from `suffice.study.CANDIDATES`, or `Candidate`s; None means all. The baseline is always in.
    folds, seed
        Every model is validated on the same shuffled folds.
    ignore
        Columns to leave out.
    max_rows
        Draw at most this many complete rows at random.
    confidence
        Of every interval.
    name
        Title of the report.

    Examples
    --------
    >>> from suffice.study import Study
    >>> result = Study("@olympic_100m_men", folds=5).run()
    >>> print(result.answer.headline)
    Linear regression predicts seconds best, with a typical error of 0.2440, against 0.5398 for the mean alone.
    """

    table: Any
    target: str | None = None
    _: KW_ONLY
    models: Sequence[str | Candidate] | None = None
    folds: int = 10
    seed: int = 0
    ignore: Sequence[str] = ()
    max_rows: int | None = None
    confidence: float = 0.95
    name: str | None = None

    def run(self, progress: Progress | None = None) -> StudyResult:
        """Carry out the study; `progress(step, done, total)` is told what comes next."""
        self._check()
        start, seconds = time.perf_counter(), {}
        candidates = chosen_candidates(self.models)
        tell = _teller(progress, len(candidates) + 2)
        tell("reading the table")
        source = read(self.table, self.seed)
        data = prepare(source, self.target, self.ignore, self.folds, self.max_rows, self.seed)
        seconds["read"] = time.perf_counter() - start
        splits = list(KFold(self.folds, shuffle=True, random_state=self.seed).split(data.y))
        trials: list[Trial | Failed] = []
        for candidate in candidates:
            tell(f"validating {candidate.title}")
            begun = time.perf_counter()
            trials.append(_steps.attempt(candidate, data, splits, self.confidence))
            seconds[f"validate {candidate.name}"] = time.perf_counter() - begun
        tell("fitting the chosen model")
        comparison = _steps.comparison_section(trials, self.folds, self.confidence)
        done = {t.candidate.name: t for t in trials if isinstance(t, Trial)}
        best = done[comparison.best]
        model, chosen = _steps.chosen_section(best.candidate, data, self.confidence)
        seconds["total"] = time.perf_counter() - start
        return StudyResult(
            self.name or source.name,
            _steps.answer_section(data.sheet.target, comparison),
            data.sheet,
            _steps.candidates_section(candidates),
            comparison,
            chosen,
            _steps.predictive_section(best, self.confidence),
            self._appendix(source, data.sheet.target, candidates, seconds),
            model,
            {name: t.validation for name, t in done.items()},
            best.rows,
            data,
        )

    def report(self, path: str | os.PathLike) -> Path:
        """Run, and write `report.html` and `result.json` into the folder `path`; returns the page."""
        return self.run().report(path)

    def _check(self) -> None:
        for name, low, high in (("folds", 2, math.inf), ("seed", 0, 2**32 - 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise InvalidParameter(f"{name} must be an integer from {low} to {high}; got {value!r}.")
        if self.max_rows is not None:
            check_number("max_rows", self.max_rows, low=1)
        check_fraction("confidence", self.confidence)
        for name in ("models", "ignore"):
            if isinstance(getattr(self, name), str):
                raise InvalidParameter(f"{name} must be a list of names; got {getattr(self, name)!r}.")

    def _appendix(
        self, source: Source, target: str, candidates: Sequence[Candidate], seconds: dict[str, float]
    ) -> Appendix:
        return Appendix(
            source.origin,
            source.sha256,
            self.seed,
            self.folds,
            self.confidence,
            self._script(target, candidates),
            versions(),
            seconds,
        )

    def _script(self, target: str, candidates: Sequence[Candidate]) -> str:
        """A program that repeats this study."""
        given = isinstance(self.table, str | os.PathLike)
        table = repr(os.fspath(self.table)) if given else "table"
        names = [c.name for c in candidates if c.name != BASELINE.name]
        options = {"folds": self.folds, "seed": self.seed, "models": names}
        if self.ignore:
            options["ignore"] = list(self.ignore)
        if self.max_rows is not None:
            options["max_rows"] = self.max_rows
        if self.confidence != 0.95:
            options["confidence"] = self.confidence
        if self.name is not None:
            options["name"] = self.name
        lines = [f"    {key}={value!r}," for key, value in options.items()]
        head = [] if given else ["# table: the data this study was given"]
        return "\n".join(
            [
                "from suffice.study import Study",
                "",
                *head,
                "study = Study(",
                f"    {table},",
                f"    {target!r},",
            ]
            + [*lines, ")", 'study.report("suffice-study")']
        )


def _teller(progress: Progress | None, total: int) -> Callable[[str], None]:
    done = iter(range(total))
    return lambda step: None if progress is None else progress(step, next(done), total)
