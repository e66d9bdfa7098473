"""Finished parts of a study on disk, so that one that was stopped goes on where it was.

A part is the validation of one model. Its file is named by what it depends on: the rows and the splits that the models
see, the estimator and its grid, and the versions of the libraries. So a part is either the right one or not found; one
that cannot be read is made again. Parts hold targets and predictions of single rows: they are as private as the table.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import sklearn

from suffice._core.errors import InvalidParameter, SufficeError
from suffice._core.files import read, write
from suffice._core.records import record
from suffice._version import __version__
from suffice.evaluation import TwoLayer
from suffice.study.models import Candidate
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Failed
from suffice.study.steps.validate import Trial, describe_error, grid_of, validate_candidate

FORMAT = 1


@record
class TrialPart:
    """What is kept of a trial: both layers, remarks, the seconds it took, and the key it was kept under."""

    key: str
    layers: TwoLayer
    notes: tuple[str, ...]
    seconds: float


class KeptParts:
    """A folder of finished parts of one problem; without a folder nothing is kept."""

    def __init__(self, folder: str | os.PathLike | None, problem: Problem, options: Options):
        self.folder = None if folder is None else _made(Path(folder))
        self.problem, self.options = problem, options

    def trial(self, candidate: Candidate) -> Trial | Failed:
        """The trial of a candidate: from its file if there is one, else made now and written at once."""
        if self.folder is None:
            return validate_candidate(candidate, self.problem, self.options)
        found, remark = self._read(candidate)
        if found is not None:
            return found
        made = validate_candidate(candidate, self.problem, self.options)
        if isinstance(made, Failed):
            return made
        remarks = [r for r in (remark, self._write(made)) if r]
        return replace(made, notes=(*made.notes, *remarks)) if remarks else made

    def has(self, candidate: Candidate) -> bool:
        """Whether there is a file of a candidate."""
        return self.folder is not None and self._path(candidate).is_file()

    # -- files --------------------------------------------------------------------------------------------------
    def _read(self, candidate: Candidate) -> tuple[Trial | None, str | None]:
        path = self._path(candidate)
        if not path.is_file():
            return None, None
        try:
            part = read("part", path)
        except (SufficeError, OSError) as error:
            return (
                None,
                f"The part kept in {path.name!r} could not be read, so it was made again: {describe_error(error)}",
            )
        if (
            not isinstance(part, TrialPart)
            or part.key != self.key(candidate)
            or candidate.name not in part.layers.names
        ):
            return (
                None,
                f"The file {path.name!r} holds something else than its name says, so the part was made again.",
            )
        return Trial(candidate, part.layers, part.notes, part.seconds), None

    def _write(self, t: Trial) -> str | None:
        try:
            _made(self.folder)  # type: ignore[arg-type]  # another study in this folder may have ended, and taken it
            write(
                "part",
                TrialPart(self.key(t.candidate), t.layers, t.notes, t.seconds),
                self._path(t.candidate),
            )
        except (SufficeError, OSError) as error:
            return f"This part could not be kept: {describe_error(error)}"
        return None

    def _path(self, candidate: Candidate) -> Path:
        safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in candidate.name)[:40]
        return self.folder / f"{safe}-{self.key(candidate)[:16]}.suffice"  # type: ignore[operator]

    # -- what a part depends on ---------------------------------------------------------------------------------
    def key(self, candidate: Candidate) -> str:
        """A digest of everything that the trial of a candidate depends on."""
        model = candidate.tried(self.problem)
        parts = (
            candidate.name,
            type(model).__module__,
            repr(_settings(model)),
            repr(grid_of(candidate, self.problem)),
        )
        return _digest(self._of_the_problem, *parts)

    @cached_property
    def _of_the_problem(self) -> str:
        p = self.problem
        splits = [array for split in p.splits for array in split]
        versions = (FORMAT, __version__, np.__version__, scipy.__version__, sklearn.__version__)
        what = (p.task.name, p.loss, repr(p.inner), p.names, self.options.confidence, versions)
        return _digest(repr(what), p.Z, p.y, p.weight, p.groups, *splits)


def _settings(model: Any) -> tuple[str, dict[str, Any]]:
    return type(model).__qualname__, model.get_params(deep=True)


def _digest(*values: Any) -> str:
    """SHA-256 of texts and arrays, each with its kind and shape before it."""
    seen = hashlib.sha256()
    for value in values:
        if isinstance(value, np.ndarray):
            value = np.ascontiguousarray(value if value.dtype.kind != "O" else value.astype(str))
            seen.update(f"{value.dtype.str}{value.shape}".encode())
            seen.update(value.view(np.uint8).data if value.size else b"")
        else:
            seen.update(f"{type(value).__name__}{value}".encode())
        seen.update(b"\0")
    return seen.hexdigest()


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidParameter(f"keep: {str(folder)!r} cannot be made a folder: {error.strerror}.") from None
    return folder
