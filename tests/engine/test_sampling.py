"""Rows to begin an iteration with: the same from every way of cutting a source, and from all of it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from suffice.engine.opening import open_source
from suffice.engine.reduce import Rows
from suffice.engine.sampling import ENOUGH, SampledRows, Sampling


class Entering:
    """The door of a model that takes anything."""

    def rows(self, batch, file, start):
        return None

    def __call__(self, batch, rows, start=0):
        X, weight = batch[0], batch[1] if len(batch) > 1 else None
        return Rows(X, np.zeros((len(X), 0)), weight), None


def sample(*cuts, weight=None) -> SampledRows:
    numbers = np.arange(20_000.0)[:, None]
    edges = [0, *cuts, len(numbers)]
    batches = [(numbers[a:b],) if weight is None else (numbers[a:b], weight[a:b]) for a, b in pairwise(edges)]
    return open_source(batches, None, None).sum(Sampling(Entering()))


WHOLE = sample()


@pytest.mark.parametrize("cuts", [(10_000,), (1, 2, 19_000), tuple(range(1000, 20_000, 1000))])
def test_cuts_do_not_matter(cuts):
    other = sample(*cuts)
    assert np.array_equal(other.rows.X, WHOLE.rows.X)
    assert other.n == WHOLE.n == 20_000
    assert not other.whole


def test_it_is_a_sample_of_all_rows_in_their_order():
    x = WHOLE.rows.X[:, 0]
    assert len(x) == ENOUGH
    assert np.all(np.diff(x) > 0)
    # 8,192 of 20,000 uniform numbers: the mean has a standard error of 5,774 · √(1/8192 − 1/20000) = 49
    assert x.mean() == pytest.approx(10_000, abs=200)


def test_rows_of_weight_zero_are_not_taken():
    weight = np.where(np.arange(20_000) % 4 == 0, 2.0, 0.0)
    taken = sample(5000, weight=weight)
    assert taken.whole
    assert taken.n == 5000
    assert np.array_equal(taken.rows.X[:, 0], np.arange(0.0, 20_000, 4))
    assert np.all(taken.rows.weight == 2)
