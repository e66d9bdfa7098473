"""Propositions: their algebra, their words, and the probabilities that tables give them."""

import itertools

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, Unsupported
from suffice.distributions import (
    Event,
    JointTable,
    equally_likely,
    exhaustive,
    inclusion_exclusion,
    mutually_exclusive,
)

DICE = equally_likely(range(1, 7), "first") * equally_likely(range(1, 7), "second")
FIRST, SECOND = Event.where(first=5), Event.where(second=5)


def count(test):
    return sum(test(a, b) for a, b in itertools.product(range(1, 7), repeat=2)) / 36


def test_two_dice():
    assert DICE.P(FIRST | SECOND) == pytest.approx(11 / 36, rel=1e-14)
    assert DICE.P(FIRST & SECOND, given=FIRST | SECOND) == pytest.approx(1 / 11, rel=1e-14)
    assert DICE.P({"first": 5, "second": 5}) == pytest.approx(1 / 36, rel=1e-14)


@pytest.mark.parametrize(
    "test",
    [
        lambda first, second: first + second == 7,
        lambda second, first: second > first,
        lambda second: second % 2 == 0,
    ],
)
def test_any_function_of_some_variables(test):
    names = test.__code__.co_varnames
    expected = count(lambda a, b: test(**{n: {"first": a, "second": b}[n] for n in names}))
    assert DICE.P(Event.that(test)) == pytest.approx(expected, rel=1e-14)


def test_constants():
    true = Event.where()
    assert DICE.P(true) == pytest.approx(1, rel=1e-14)
    assert DICE.P(~true) == 0
    assert DICE.P(FIRST & true) == DICE.P(FIRST)
    assert DICE.P(FIRST | ~FIRST) == pytest.approx(1, rel=1e-14)


def test_monty_hall():
    """The car is behind one of three doors, we point at the first, the host opens another without the car."""
    car = equally_likely([1, 2, 3], "car")
    host = [[0, 0.5, 0.5], [0, 0, 1], [0, 1, 0]]
    game = JointTable.from_conditional(car, host, {"opens": [1, 2, 3]})
    stay, change = (game.P({"car": door}, given={"opens": 3}) for door in (1, 2))
    assert (stay, change) == pytest.approx((1 / 3, 2 / 3), rel=1e-14)


def test_exclusive_and_exhaustive():
    faces = [Event.where(first=k) for k in range(1, 7)]
    assert mutually_exclusive(DICE, *faces)
    assert exhaustive(DICE, *faces)
    assert not mutually_exclusive(DICE, FIRST, SECOND)
    assert not exhaustive(DICE, *faces[1:])
    assert inclusion_exclusion(DICE, *faces) == pytest.approx(1, rel=1e-12)


def test_words():
    assert repr(FIRST & ~SECOND) == "Event((first = 5 and not second = 5))"
    assert Event.that(lambda first: first > 3, "more than three").text == "more than three"
    with pytest.raises(Unsupported, match=r"join two with &, \| and ~"):
        bool(FIRST)
    with pytest.raises(TypeError, match="unsupported operand"):
        FIRST & True


def test_unknown_names():
    with pytest.raises(InvalidInput, match="Unknown variable 'third'"):
        DICE.P(Event.where(third=1))
    with pytest.raises(InvalidInput, match="Unknown variable 'third'"):
        DICE.P(Event.that(lambda third: True))
    with pytest.raises(InvalidInput, match="Unknown label 7 of first"):
        DICE.P(Event.where(first=7))
    with pytest.raises(InvalidInput, match="One event at least"):
        inclusion_exclusion(DICE)
    with pytest.raises(InvalidInput, match=r"made with Event.where or Event.that"):
        exhaustive(DICE, lambda first: True)


def test_names_that_are_no_identifiers():
    table = JointTable([0.25, 0.75], {"is it raining?": [True, False]})
    assert table.P(Event.where({"is it raining?": True})) == 0.25
    assert np.isclose(table.P({"is it raining?": False}), 0.75)
