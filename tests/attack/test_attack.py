"""A few cases of every kind, and that the attack finds what is wrong: `make attack` runs a hundred thousand."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from suffice._core.errors import IllConditioned, InvalidInput, warn
from suffice.generative import GaussianNB
from suffice.glm import LogisticRegression, PoissonRegression
from suffice.linear import ElasticNet, LinearRegression, Ridge

from ..contract.registry import ENTRIES
from . import roads
from .kinds import KINDS
from .known import KNOWN
from .references import REFERENCES
from .run import Summary, attack, cases, many
from .trial import FINDINGS, Trial

STRIDE = 10


def few(kind: str) -> list[tuple[int, bool]]:
    """Seeds, and whether tables are tame: one of every family in every kind, and what tells a wrong formula by itself,
    references and columns that move, of all models.

    The registry is sorted by family, and seeds are places in it.
    """
    if kind == "reference":
        n = len(REFERENCES)
        return [(seed, False) for seed in range(n)] + [(seed, True) for seed in range(2 * n)]
    if kind == "constant":
        return [(seed, True) for seed in range(len(ENTRIES))]
    first = list(KINDS).index(kind)
    return [(first + STRIDE * i, i % 2 == 1) for i in range(-(-len(ENTRIES) // STRIDE))]


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_cases(kind):
    results = [attack(kind, seed, tame) for seed, tame in few(kind)]
    assert not [f"{r.name} {r.outcome}: {r.words}" for r in results if r.outcome in FINDINGS]
    assert sum(r.checks for r in results) > 0


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_more_cases(kind):
    results = [attack(kind, seed) for seed in range(6, 120)]
    assert not [f"{r.name} {r.outcome}: {r.words}" for r in results if r.outcome in FINDINGS]


def outcome_of(question):
    """What becomes of a case that asks this of a trial."""
    KINDS["made up"] = question
    try:
        return attack("made up", 0).outcome
    finally:
        del KINDS["made up"]


def wrong(trial: Trial) -> None:
    trial.same("a number", 1.0, 1.0 + 1e-5)


def warned(trial: Trial) -> None:
    trial.ask(warn, "digits are lost", IllConditioned)
    wrong(trial)


def refuses(error):
    def raises():
        raise error

    return lambda trial: trial.ask(raises)


def ill_posed(trial: Trial) -> None:
    trial.posed((1e12, 1.0))
    wrong(trial)


@pytest.mark.parametrize(
    ("question", "outcome"),
    [
        (wrong, "silent"),
        (warned, "said"),
        (ill_posed, "beyond"),
        (lambda t: t.same("a number", 1.0, 1.0 + 1e-9), "same"),
        (lambda t: t.same("a gap", np.nan, 1.0), "silent"),
        (lambda t: t.same("infinity", np.inf, np.inf), "same"),
        (lambda t: t.equal("labels", ["a", "b"], ["a", "c"]), "silent"),
        (refuses(InvalidInput("no")), "refused"),
        (refuses(ZeroDivisionError("oh")), "crash"),
        (lambda t: 1 / 0, "broken"),
    ],
)
def test_outcomes(question, outcome):
    assert outcome_of(question) == outcome


def test_a_wrong_estimate_is_found(monkeypatch):
    """One part in ten thousand, in every validation."""
    right = roads.cross_validate

    def off(*args, **options):
        found = right(*args, **options)
        return replace(found, estimate=found.estimate + 1e-4 * (1 + abs(found.estimate)))

    monkeypatch.setattr(roads, "cross_validate", off)
    outcomes = [attack("validation", seed).outcome for seed in range(6)]
    assert {"silent", "beyond"} & set(outcomes)


MORE = (LinearRegression, ElasticNet, PoissonRegression, GaussianNB)


@pytest.mark.parametrize(
    "cls", [Ridge, LogisticRegression, *(pytest.param(cls, marks=pytest.mark.long) for cls in MORE)]
)
def test_a_tenth_of_a_percent_is_found(monkeypatch, cls):
    """In the parameters of one family, by the cases that every run of the tests makes."""
    name, right = "theta_" if cls is GaussianNB else "coef_", cls.fit

    def off(self, *args, **options):
        right(self, *args, **options)
        setattr(self, name, np.asarray(getattr(self, name)) * 1.001)
        return self

    monkeypatch.setattr(cls, "fit", off)
    outcomes = {attack("reference", seed, tame).outcome for seed, tame in few("reference") if tame}
    assert {"silent", "beyond"} & outcomes


def test_a_case_is_repeated_by_its_name():
    first, again = attack("units", 3), attack("units", 3)
    assert first == again


@pytest.mark.long
def test_a_case_is_the_same_in_any_process():
    """Sets have another order in each: nothing may be drawn along one."""
    told = [
        subprocess.run(
            [sys.executable, Path(__file__).parent, *(a for i in range(12) for a in ("--case", f"search-{i}"))],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert told[0] == told[1] != ""


def test_kinds_take_turns_with_seeds_of_their_own():
    work = list(cases(200, first=5))
    assert {k for k, _ in work} == set(KINDS)
    assert len(set(work)) == 200
    assert min(seed for _, seed in work) == 5


def test_time_is_kept_and_counted():
    assert list(many(cases(100), seconds=0.0)) == []
    summary = Summary()
    for result in many(cases(6, kinds=["texts"]), jobs=2):
        summary.add(result)
    assert summary.cases == 6
    assert "texts" in str(summary)
    assert summary.findings == 0


def test_each_exclusion_has_a_reason():
    assert all(len(k.reason) > 40 for k in KNOWN)
