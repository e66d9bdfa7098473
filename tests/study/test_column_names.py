"""Remarks of models name the columns of the user's table."""

import re
import warnings

import numpy as np
import pytest

from suffice._core.errors import NumericalError
from suffice.study.models import chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.sections import Failed
from suffice.study.steps.chosen import chosen_section
from suffice.study.steps.column_names import name_columns
from suffice.study.steps.validate import collect_notes, describe_error, validate_candidate

NAMES = ["age", "x0", "it's", "colour=red"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the weights of 'x3' and x0", "the weights of 'colour=red' and age"),
        ("x1 and 'x1'", "x0 and 'x0'"),  # a column that is itself called x0: once, not twice
        ("'x2'", '"it\'s"'),
        ("+0.5 × 'x0', x0², x0*x3", "+0.5 × 'age', age², age*colour=red"),
        ("x4, x10, 'x99', x03 and x", "x4, x10, 'x99', x03 and x"),
        ("max1, x0_1, _x0, 0x0, prefix0", "max1, x0_1, _x0, 0x0, prefix0"),
    ],
)
def test_names_of_columns(text, expected):
    assert name_columns(text, NAMES) == expected


def test_without_names_nothing_changes():
    assert name_columns("x0 and 'x1'", ()) == "x0 and 'x1'"


def table(n=90):
    rng = np.random.default_rng(0)
    label = np.array(["a", "b", "c"], dtype=object)[np.arange(n) % 3]
    steady = np.where(label == "b", 2.0, rng.normal(size=n))
    return {"length": rng.normal(size=n) + (label == "a"), "steady": steady, "label": label}


def tried(name, p):
    (candidate,) = [c for c in chosen_candidates(p, [name], False)[0] if c.name == name]
    return validate_candidate(candidate, p, Options("label"))


def test_a_study_says_the_names_of_the_table():
    p = make_problem(read(table()), Options("label"))
    for name in ("gaussian-nb", "qda"):
        trial = tried(name, p)
        said = " ".join(trial.notes)
        assert "'steady'" in said
        assert not re.search(r"\bx\d", said)
        section = chosen_section(trial, p, Options("label"))[1]
        assert "'steady'" in " ".join(section.notes)
        assert not re.search(r"\bx\d", " ".join(section.notes))


def test_a_failure_says_them_too(monkeypatch):
    p = make_problem(read(table()), Options("label"))
    error = NumericalError("Column 'x1' overflows.")
    error.add_note("See x0.")
    assert describe_error(error, p.names) == "Column 'steady' overflows. See length."

    def fails(*args):
        raise error

    monkeypatch.setattr("suffice.study.steps.validate.validate_entries", fails)
    found = tried("qda", p)
    assert isinstance(found, Failed)
    assert "Column 'steady' overflows." in str(found)


def test_warnings_are_named_where_names_are_given():
    def work():
        warnings.warn("'x1' is odd", stacklevel=1)
        return 3

    assert collect_notes(work) == (3, ("'x1' is odd",))
    assert collect_notes(work, ["a", "b"]) == (3, ("'b' is odd",))
