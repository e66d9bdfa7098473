"""A chapter is a module of checks: it runs all that apply to a case and names all that fail."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np

from .case import CASES, Case, equal, same_table
from .checking import TIERS, Check, check


def checks_of(module: ModuleType) -> list[Check]:
    """In the order they are written; a list of checks counts as well."""
    found: list[Check] = []
    for value in vars(module).values():
        found += [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, Check)]
    return found


CHAPTERS = {
    file.stem: checks_of(import_module(f".checks.{file.stem}", __package__))
    for file in sorted((Path(__file__).parent / "checks").glob("*.py"))
}


def asked(case: Case, chapter: str, tier: str) -> list[Check]:
    """The checks of a chapter that a tier runs on a case."""
    return [c for c in CHAPTERS[chapter] if c.applies(case) and c.asked_in(case) == tier]


def everything() -> Iterator[tuple[str, str, str]]:
    """Case, chapter and tier of every test."""
    for name, case in CASES.items():
        for chapter in CHAPTERS:
            yield from ((name, chapter, tier) for tier in TIERS if asked(case, chapter, tier))


def run(name: str, chapter: str, tier: str, repeat: str) -> None:
    """All checks that apply, then that none of them changed what they share."""
    case = CASES[name]
    checks = asked(case, chapter, tier)
    failures = [error for check in checks if (error := check.failure(case)) is not None]
    if (error := nothing_changed.failure(case)) is not None:
        failures.append(error)
    if failures:
        raise ExceptionGroup(
            f"{len(failures)} of {len(checks)} checks of {chapter!r} failed on {name!r}; repeat with\n    {repeat}\n",
            failures,
        )


@check()
def nothing_changed(case: Case) -> None:
    """The baseline gives the numbers that it gave when it was fitted, and the table is what it was."""
    assert equal(case.answers_of(case.fitted), case.answers)
    made_again = case.entry.problem(case.setting)
    assert same_table(case.data.X, made_again.X)
    assert np.array_equal(case.data.y, made_again.y)
