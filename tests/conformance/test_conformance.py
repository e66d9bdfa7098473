"""The numbers of the texts, as data: one TOML file per chapter, one test per case.

A case has

    id, source         where the number stands in the text named at the top of the file
    call, inputs       an operation of `operations.py` and its arguments
    expected           answers by name: numbers or nested lists of them
    printed            true: the text prints it; false: derived for this suite in 50-digit arithmetic
    tolerance          for printed answers absolute, half a unit of the last printed digit (or the Monte Carlo
                       error that `note` derives); for derived ones relative. A table gives one per answer;
                       an answer `{ value = …, absolute = … }` brings its own
    erratum            what the text prints and why it is not so; then also
    printed_value      the answer as printed, which must not come out, and
    printed_tolerance  half a unit of its last digit
    note               anything a reader should know

Two assertions: the library gives `expected`; and, for an erratum, it does not give `printed_value`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .operations import OPERATIONS

pytestmark = pytest.mark.sampled(2)

FILES = sorted(Path(__file__).parent.glob("*.toml"))
REQUIRED = {"id", "source", "call", "inputs", "expected", "printed", "tolerance"}
OPTIONAL = {"erratum", "printed_value", "printed_tolerance", "note"}


def _read(path: Path) -> list[Any]:
    cases = tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    return [pytest.param(case, id=f"{path.stem}:{case['id']}") for case in cases]


CASES = [case for path in FILES for case in _read(path)]
ERRATA = [case for case in CASES if "erratum" in case.values[0]]


def distance(answer: Any, expected: Any) -> np.ndarray:
    answer, expected = np.asarray(answer, dtype=float), np.asarray(expected, dtype=float)
    assert answer.shape == expected.shape, f"shape {answer.shape} is not {expected.shape}"
    return np.abs(answer - expected)


def allowed(case: dict[str, Any], name: str, expected: Any) -> tuple[Any, np.ndarray]:
    """The expected numbers and how far an answer may be from each."""
    if isinstance(expected, dict):
        return expected["value"], np.asarray(expected["absolute"], dtype=float)
    tolerance = case["tolerance"]
    tolerance = np.asarray(tolerance[name] if isinstance(tolerance, dict) else tolerance, dtype=float)
    if case["printed"]:
        return expected, tolerance
    size = np.abs(np.asarray(expected, dtype=float))
    return expected, tolerance * np.where(
        size > 0, size, np.max(size)
    )  # a zero is measured by its neighbours


@pytest.mark.parametrize("case", CASES)
def test_the_library_gives_the_expected_numbers(case):
    answers = OPERATIONS[case["call"]](**case["inputs"])
    for name, value in case["expected"].items():
        expected, margin = allowed(case, name, value)
        answer = getattr(answers, name)()
        off = distance(answer, expected)
        assert np.all(off <= margin), (
            f"{name} = {answer}, expected {expected}: off by {off}, allowed {margin}"
        )


@pytest.mark.parametrize("case", ERRATA)
def test_an_erratum_is_one(case):
    answers = OPERATIONS[case["call"]](**case["inputs"])
    for name, printed in case["printed_value"].items():
        off = distance(getattr(answers, name)(), printed)
        assert np.any(off > case["printed_tolerance"]), f"{name} comes out as printed, {printed}: no erratum"


def test_cases_are_well_formed():
    for path in FILES:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        assert set(document) == {"text", "case"}
        ids = [case["id"] for case in document["case"]]
        assert len(ids) == len(set(ids)), f"{path.name}: an id is used twice"
        for case in document["case"]:
            assert set(case) >= REQUIRED, f"{path.name}, {case['id']}: missing {REQUIRED - set(case)}"
            assert set(case) <= REQUIRED | OPTIONAL, f"{path.name}, {case['id']}: unknown fields"
            told = {"erratum", "printed_value", "printed_tolerance"} & set(case)
            assert len(told) in (0, 3), f"{path.name}, {case['id']}: an erratum needs {OPTIONAL - {'note'}}"
            assert set(case.get("printed_value", {})) <= set(case["expected"])


def test_every_operation_is_used():
    assert {case.values[0]["call"] for case in CASES} == set(OPERATIONS)
