"""The models by name, one list for `suffice study`, `suffice fit` and `suffice models`.

A new model is one more `Candidate` in the file of its family; `study=Trying(...)` lets a study try it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from suffice._core.errors import InvalidParameter, did_you_mean
from suffice.evaluation import Rolling
from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.count_references import COUNT_REFERENCES
from suffice.study.models.counts import COUNTS, MEAN_COUNT
from suffice.study.models.generative import GENERATIVE, PRIOR
from suffice.study.models.linear import LAST_KNOWN, LINEAR, MEAN
from suffice.study.models.linked import LINKED
from suffice.study.models.positive import POSITIVE
from suffice.study.models.references import REFERENCES
from suffice.study.models.series import SERIES, series_baselines
from suffice.study.models.shares import SHARES

__all__ = [
    "CANDIDATES",
    "CATALOGUE",
    "LAST_KNOWN",
    "Candidate",
    "Trying",
    "baseline_of",
    "chosen_candidates",
    "never_chosen",
    "scaled",
]

CATALOGUE: tuple[Candidate, ...] = (*LINEAR, *POSITIVE, *SHARES, *SERIES, *LINKED, *COUNTS, *GENERATIVE)
OUTSIDE: tuple[Candidate, ...] = (*REFERENCES, *COUNT_REFERENCES)
CANDIDATES: tuple[Candidate, ...] = tuple(c for c in (*CATALOGUE, *OUTSIDE) if c.study is not None)


def baseline_of(task: str) -> Candidate:
    """What every model has to beat."""
    return {"regression": MEAN, "counts": MEAN_COUNT}.get(task, PRIOR)


def never_chosen(candidate: Candidate) -> bool:
    """Whether a model is only there to be compared with: one from outside, or a baseline of series."""
    return candidate.kind == "reference" or (
        candidate.kind == "baseline" and candidate not in (MEAN, MEAN_COUNT, PRIOR)
    )


def scaled(candidates: Iterable[Candidate]) -> frozenset[str]:
    """The names of those that find the scale of their predictions."""
    return frozenset(c.name for c in candidates if c.finds_scale)


def baselines_for(problem: Any) -> tuple[Candidate, ...]:
    """The baseline; in time also the last value, which is hard to beat for a series that wanders, and the season.

    A count of zero as the last value would call every later count impossible.
    """
    base = baseline_of(problem.task.name)
    if problem.task.name == "counts" and problem.y.min() <= 0:
        return (base,)
    if problem.series is not None:
        return (base, *series_baselines(problem))
    in_time = isinstance(problem.outer, Rolling) and not problem.task.is_classification
    return (base, LAST_KNOWN) if in_time else (base,)


def chosen_candidates(
    problem: Any, models: Sequence[str | Candidate] | None, references: bool
) -> tuple[tuple[Candidate, ...], dict[str, str]]:
    """Candidates for a problem, by name or as given, each once and the baseline first; and why others are not tried."""
    task = problem.task.name
    suited = {c.name: c for c in CANDIDATES if c.study is not None and task in c.study.tasks}
    if models is None:
        wanted: list[Candidate] = [c for c in suited.values() if references or c.kind != "reference"]
    else:
        wanted = [m if isinstance(m, Candidate) else _named(m, suited, task) for m in models]
        if references:
            wanted += [c for c in suited.values() if c.kind == "reference" and c not in wanted]
    picked: dict[str, Candidate] = {}
    skipped: dict[str, str] = {}
    for c in (*baselines_for(problem), *wanted):
        reason = None if c.study is None else c.study.why_not(problem)
        if reason is not None and models is None:
            skipped |= {c.title: reason} if reason else {}
        elif picked.setdefault(c.name, c) != c:
            raise InvalidParameter(f"Two candidates are named {c.name!r}; names must differ.")
    titles = [c.title for c in picked.values()]
    if len(set(titles)) < len(titles):
        raise InvalidParameter(f"Candidates must have different titles; got {', '.join(titles)}.")
    return tuple(picked.values()), skipped


def _named(name: str, suited: dict[str, Candidate], task: str) -> Candidate:
    if name in suited:
        return suited[name]
    known = {c.name: c for c in (*CATALOGUE, *OUTSIDE)}
    if name in known and known[name].study is not None:
        tasks = " and ".join(known[name].study.tasks)  # type: ignore[union-attr]
        raise InvalidParameter(f"models: {name!r} is for {tasks}; the task here is {task}.")
    near = did_you_mean(str(name), list(suited))
    raise InvalidParameter(f"models must be among {', '.join(suited)}; got {name!r}.{near}")
