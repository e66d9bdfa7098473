"""Words of the shell."""

import pytest

from suffice._core.errors import InvalidParameter
from suffice.cli.words import assignment, condition, names, value, values
from suffice.engine import Columns


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("2", 2), ("2.0", 2.0), ("-1e-3", -1e-3), (" 7 ", 7), ("true", True), ("False", False), ("null", None),
        ("None", None), ("[1, 2]", [1, 2]), ('"18"', "18"), ("'18'", "18"), ("Oslo", "Oslo"), ("New York", "New York"),
        ("", ""), ("'", "'"), ("1_000", "1_000"), ("{", "{"), ("2024-01-01", "2024-01-01"),
    ],
)  # fmt: skip
def test_values(word, meaning):
    assert value(word) == meaning
    assert type(value(word)) is type(meaning)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("0.1,1,10", [0.1, 1, 10]), ("[1, 2]", [1, 2]), ("a, b c,3", ["a", "b c", 3]), ('"a,b","c"', ["a,b", "c"]),
        ("true", [True]), ("1,", [1]),
    ],
)  # fmt: skip
def test_lists_of_values(text, meaning):
    assert values(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("age >= 18", ("age", ">=", 18)), ("age>=18", ("age", ">=", 18)), ("age<18", ("age", "<", 18)),
        ("age > 1.5", ("age", ">", 1.5)), ("age <= -2", ("age", "<=", -2)), ("city == Oslo", ("city", "==", "Oslo")),
        ("city != 'a > b'", ("city", "!=", "a > b")), ("length in cm > 3", ("length in cm", ">", 3)),
        ("city in Oslo, Rome", ("city", "in", ["Oslo", "Rome"])), ("n not in 1,2", ("n", "not in", [1, 2])),
        ("city in 'a<b'", ("city", "in", ["a<b"])), ("origin in x", ("origin", "in", ["x"])),
    ],
)  # fmt: skip
def test_conditions(text, meaning):
    assert condition(text) == meaning
    assert Columns.of([meaning[0]], where=[condition(text)]).where[0][1] == meaning[1]  # the engine takes it


@pytest.mark.parametrize(
    "text", ["", "age", "age 18", "age = 18", "> 18", "age >", "in 3", "age in", "agein3"]
)
def test_what_is_no_condition(text):
    with pytest.raises(InvalidParameter, match="--where takes a column"):
        condition(text)


def test_assignments_and_names():
    assert assignment("--set", " alpha = a=b ") == ("alpha", "a=b")
    for text in ("alpha", "=1", "alpha=", ""):
        with pytest.raises(InvalidParameter, match="--set takes name=value"):
            assignment("--set", text)
    assert names(["a, b", "c"]) == ["a", "b", "c"]
    assert names(None) is names([]) is names([" , "]) is None
