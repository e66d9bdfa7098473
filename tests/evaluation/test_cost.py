"""Counting fits before they are made: Algorithms 5 and 6 and the quiz, against counting one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation.cost import cv_cost


def square(n):
    return n**2


def half_square(n):
    return n**2 / 2


def counted(n, outer, inner, candidates):
    """Algorithms 5 and 6 as loops: (fits, rows trained on, rows tested on)."""
    fits, trained, tested = 0, 0, 0
    for train, test in outer.split(np.empty((n, 1))):
        if inner is None:
            fits, trained, tested = (
                fits + candidates,
                trained + candidates * len(train),
                tested + candidates * len(test),
            )
            continue
        for a, b in clone(inner, safe=False).split(np.empty((len(train), 1))):
            fits, trained, tested = (
                fits + candidates,
                trained + candidates * len(a),
                tested + candidates * len(b),
            )
        fits, trained, tested = fits + 1, trained + len(train), tested + len(test)
    return fits, trained, tested


def test_quiz_10_1():
    cost = cv_cost(1000, 0.2, 10, candidates=6, train_cost=square, test_cost=half_square)
    assert cost.total == 60 * (720**2 + 80**2 / 2) + 800**2 + 200**2 / 2 == 31_956_000
    assert cost.fits == 61
    assert cost.outer == ((800, 200),)
    assert cost.inner == (((720, 80),) * 10,)
    assert "1 × (10 × 6 + 1) = 61 fits" in cost.sentence
    assert "31,956,000" in str(cost)
    assert "61 fits" in cost._repr_html_()


@given(st.integers(12, 60), st.integers(2, 6), st.integers(2, 5), st.integers(1, 7))
def test_counts_of_both_algorithms(n, outer, inner, candidates):
    one = cv_cost(n, outer, candidates=candidates)
    two = cv_cost(n, outer, inner, candidates=candidates)
    assert one.fits == outer * candidates
    assert two.fits == outer * (inner * candidates + 1)
    assert one.total == one.fits  # one unit per fit unless told otherwise


@pytest.mark.parametrize("candidates", [1, 3])
@pytest.mark.parametrize("inner", [None, KFold(3), TimeSeriesSplit(2)])
@pytest.mark.parametrize(
    "outer", [KFold(5), LeaveOneOut(), TimeSeriesSplit(4), ShuffleSplit(3, test_size=0.3)]
)
def test_rows_are_those_of_the_splitters(outer, inner, candidates):
    cost = cv_cost(23, outer, inner, candidates=candidates, train_cost=float, test_cost=float)
    assert (cost.fits, cost.train, cost.test) == counted(23, outer, inner, candidates)


@given(st.integers(4, 40), st.integers(2, 4))
def test_a_number_of_folds_is_k_fold(n, k):
    def read(m):
        return m

    a, b = (
        cv_cost(n, k, train_cost=read, test_cost=read),
        cv_cost(n, KFold(k), train_cost=read, test_cost=read),
    )
    assert a == b
    assert a.test == n
    assert cv_cost(n, n, train_cost=read).train == n * (n - 1)  # leave-one-out


def test_held_out_rows_are_rounded_up_without_rounding_errors():
    assert 0.07 * 100 > 7
    assert cv_cost(100, 0.07).outer == ((93, 7),)
    assert cv_cost(10, 0.25).outer == ((7, 3),)
    assert cv_cost(3, 1 / 3).outer == ((2, 1),)


def test_sentence_of_splits_that_differ():
    cost = cv_cost(9, TimeSeriesSplit(3), LeaveOneOut(), candidates=2)
    assert [len(splits) for splits in cost.inner] == [3, 5, 7]
    assert cost.fits == 2 * 15 + 3
    assert cost.sentence.startswith("33 fits;")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 1}, "n must be an integer >= 2; got 1"),
        ({"n": 10.0}, "n must be an integer >= 2; got 10.0"),
        ({"n": True}, "n must be an integer >= 2; got True"),
        ({"outer": 1}, "outer must be between 2 and the number of rows to split, 20; got 1"),
        ({"outer": 21}, "outer must be between 2 and the number of rows to split, 20; got 21"),
        ({"outer": 10, "inner": 19}, "inner must be between 2 and the number of rows to split, 18; got 19"),
        ({"outer": 0.0}, "outer must hold out at least one of 20 rows and keep one; got 0.0"),
        ({"outer": 1.0}, "outer must hold out at least one of 20 rows"),
        ({"outer": float("nan")}, "outer must hold out at least one of 20 rows"),
        ({"outer": 0.99}, "outer must hold out at least one of 20 rows and keep one; got 0.99"),
        (
            {"outer": "ten"},
            "outer must be a number of folds, a fraction to hold out or a splitter; got 'ten'",
        ),
        ({"outer": None}, "outer must be a number of folds"),
        ({"outer": True}, "outer must be a number of folds"),
        ({"candidates": 0}, "candidates must be an integer >= 1; got 0"),
        ({"train_cost": -1.0}, "train_cost must be a number >= 0; got -1.0"),
        ({"train_cost": lambda n: float("nan")}, r"train_cost\(18\) must be a number >= 0; got nan"),
        ({"test_cost": lambda n: "much"}, r"test_cost\(2\) must be a number >= 0; got 'much'"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(InvalidParameter, match=message):
        cv_cost(**{"n": 20, **arguments})


@pytest.mark.parametrize("splitter", [StratifiedKFold(3), GroupKFold(3)])
def test_splitters_that_need_more_than_a_number(splitter):
    with pytest.raises(
        InvalidInput, match=f"outer: {type(splitter).__name__} cannot split 20 rows by number"
    ):
        cv_cost(20, splitter)


def test_splitter_with_nothing_to_train_on():
    class Empty:
        def split(self, X):
            yield np.arange(0), np.arange(len(X))

    with pytest.raises(InvalidInput, match="inner: Empty leaves nothing to train on or to test in 18 rows"):
        cv_cost(20, 10, Empty())
