"""Counts of labels that remember their table."""

from __future__ import annotations

import numpy as np
import pytest

import suffice
from suffice._core.errors import HeaderMismatch, NumericalError
from suffice.statistics import Counts, Header
from suffice.statistics.labels import LabelCounts


def counted(labels, header=None, weight=None) -> LabelCounts:
    return LabelCounts(Header(2) if header is None else header, Counts.of(labels, weight))


def test_codes_count_as_their_labels():
    classes, weight = np.array(["a", "b", "c"]), np.array([1.0, 0.0, 2.0, 0.5])
    s = LabelCounts.of_codes(Header(2), classes, np.array([2, 0, 2, 0]), weight)
    assert s.counts.counts.tolist() == [0.5, 0.0, 3.0]
    assert (s.n, s.rows) == (3.5, 3)
    assert s.fingerprint == (("a", 0.5), ("c", 3.0))
    empty = LabelCounts.of_codes(Header(2), classes, np.zeros(0, dtype=int))
    assert (empty.n, empty.rows) == (0.0, 0)
    assert empty + s == s


def test_adding_unites_the_classes():
    both = counted([1, 1, 3]) + counted([2, 3])
    assert both.classes.tolist() == [1, 2, 3]
    assert both.counts.counts.tolist() == [2.0, 1.0, 2.0]
    assert both == counted([3, 1, 2, 3, 1])
    assert (both - counted([2, 3])).counts.counts.tolist() == [2.0, 0.0, 1.0]


def test_more_than_there_is():
    with pytest.raises(NumericalError, match="Cannot take out more of class"):
        counted(["a", "b"]) - counted(["a", "a"])


@pytest.mark.parametrize(
    ("a", "b"), [([1, 2], ["1", "2"]), ([True, False], [1, 0]), (["True"], [True]), ([0.5], ["x"])]
)
def test_kinds_are_never_mixed(a, b):
    for combine in (LabelCounts.__add__, LabelCounts.__sub__):
        with pytest.raises(HeaderMismatch, match="Cannot combine labels that are .* with labels that are"):
            combine(counted(a), counted(b))


def test_whole_numbers_of_any_width_are_alike():
    both = counted(np.array([1, 2], dtype=np.int8)) + counted(np.array([2.0, 3.0]))
    assert both.classes.tolist() == [1.0, 2.0, 3.0]


def test_only_like_tables():
    with pytest.raises(HeaderMismatch, match="column names"):
        counted(["a"], Header(1, ("x",))) + counted(["a"], Header(1, ("z",)))
    with pytest.raises(TypeError, match="unsupported operand"):
        counted(["a"]) + Counts.of(["a"])
    with pytest.raises(TypeError, match="unsupported operand"):
        counted(["a"]) - Counts.of(["a"])


@pytest.mark.parametrize("labels", [["b", "a", "b"], [3, 1, 1], [True, False, True], [0.0, 2.0]])
def test_saved_and_loaded(labels, tmp_path):
    s = counted(labels)
    suffice.save(s, tmp_path / "s.suffice", minimum_rows=0)
    assert suffice.load(tmp_path / "s.suffice") == s
